// Conformance of the tsunami model's fast versions: every back end, precision and method does, on every kind
// of ocean, what the plain reference does, within the tolerances of ONE table. The reference shares no
// arithmetic with them.
//
// Also, exactly: skipping quiet tiles, the number of threads, and the vector width change no bit.
#include "tests/support/test.h"

#include "tests/support/cuda_test.h"
#include "tests/support/tsunami_runs.h"

// The arithmetic under test, in both precisions, for its small functions.
#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/point.inc"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/point.inc"
#undef REAL
#undef POINT

// 80 steps: the waves given pass a record, and those of the start reach the edges; large grids, only more of
// the same, 40.
enum { STEPS = IS_SANITIZED ? 60 : 80, MANY_NODES = 10000, STEPS_OF_MANY = 40 };

// ---- the tolerances ----

// Largest differences from the reference, for waves of some metres in water of 500 to 6000 m, after
// 80 steps.
//
// double: the reference forms H = 4000 m and c² = 4·10⁴ m²/s² and subtracts them; its own rounding
//   (5·10⁻¹³ m a step) grows to some 10⁻¹¹ m. Everything else (the perturbation form is an identity,
//   rotation's and metric's series stop at 10⁻¹⁸) is below that.
// float: 10⁻³ cm, the accuracy that ports of the original program are held to, 2·10⁻⁶ of the wave; currents
//   are √(g/d) of the surface, a twentieth to a tenth.
// Records are kept as float in every precision: half a unit in the last place of a maximum of 8 m comes on
//   top; a flux is a product of two rounded factors, 1.5·10⁻⁷ of itself.
static const struct tolerance tolerances[] = {{ELEMENT_F64, 2e-10, 1e-11, 5e-7, 1e-7, 3e-7, 0},
                                              {ELEMENT_F32, 1e-5, 1e-6, 1e-5, 1e-6, 5e-6, 0}};

// ---- the oceans ----

static const struct ocean_case cases[] = {
    {"plane, walls", 70, 48, false, false, 0, ALL(WALL), false, false, 0, 0},
    {"plane, coasts and islands, walls", 70, 48, false, true, 0, ALL(WALL), false, false, 0, 0},
    {"plane, open edges", 70, 48, false, false, 0, ALL(OPEN), false, false, 0, 0},
    {"plane, open edges with land at them", 70, 48, false, true, 0, ALL(OPEN), false, false, 0, 0},
    {"plane, periodic, coasts, Coriolis, friction", 70, 48, false, true, 0, ALL(PERIODIC), true, false, 0.05,
     0},
    {"plane, periodic in x only, open in y, uneven", 70, 48, false, true, 0.2,
     EDGES(PERIODIC, PERIODIC, OPEN, WALL), true, false, 0.03, 0},
    {"plane, uneven axes, friction", 70, 48, false, true, 0.2, EDGES(OPEN, WALL, WALL, OPEN), false, false,
     0.05, 0},
    {"plane, wider than a tile", 1040, 9, false, true, 0.1, EDGES(WALL, OPEN, OPEN, WALL), true, false, 0.03,
     0},
    // Larger than the GPU's tiles (120 x 25 nodes) too, so that some have neither land nor an edge at hand;
    // odd widths, and one column more than tiles.
    {"plane, tiles of open water", 401, 130, false, false, 0.1, ALL(OPEN), true, false, 0.02, 0},
    {"plane, tiles of open water and coasts, periodic", 361, 101, false, true, 0, ALL(PERIODIC), true, false,
     0, 0},
    {"plane, waves given, coasts", 70, 48, false, true, 0, EDGES(WALL, GIVEN, OPEN, GIVEN), false, false,
     0.03, 0},
    {"plane, all sides given, uneven, Coriolis", 70, 48, false, false, 0.1, ALL(GIVEN), true, false, 0, 0},
    {"sphere, waves given, periodic in x", 70, 48, true, true, 0.1, EDGES(PERIODIC, PERIODIC, GIVEN, OPEN),
     true, true, 0.03, -48},
    {"sphere, metric only", 70, 48, true, false, 0, ALL(OPEN), false, false, 0, 35},
    {"sphere, Coriolis", 70, 48, true, false, 0, ALL(OPEN), true, false, 0, 35},
    {"sphere, Coriolis and curvature, coasts", 70, 48, true, true, 0, ALL(OPEN), true, true, 0, 45},
    {"sphere, southern, periodic in x, walls", 70, 48, true, true, 0, EDGES(PERIODIC, PERIODIC, WALL, WALL),
     true, true, 0.03, -62},
    {"sphere, all of it, uneven axes, across the equator", 70, 48, true, true, 0.2,
     EDGES(OPEN, WALL, OPEN, OPEN), true, true, 0.05, -6}};
enum { CASES = sizeof cases / sizeof *cases };

static void input_open(struct ocean_input *in, const struct ocean_case *c)
{
    ocean_input_open(in, c, c->is_spherical ? 0.1 : 10000, rugged_depth_new(c->nx, c->ny, c->has_land));
    state_add_bell(&in->start, 4, 0.35, 0.55, 7);
    state_add_bell(&in->start, -3, 0.8, 0.2, 5);
    state_add_bell(&in->start, 2, 0.97, 0.95, 5); // at a corner
    in->setup.wall_depth_m = 10;
    in->setup.step_s = 20;
    in->setup.arrival_m[0] = 0.01;
    in->setup.arrival_m[1] = 0.5;
}

// ---- comparison ----

// The step for a method.
static void choose_method(struct ocean_setup *setup, enum tsunami_method method)
{
    setup->method = method;
    if (tsunami_method_is_staggered(method)) // its limit is less by the square root of two
        setup->step_s = 12;
}

static void check_case(const struct ocean_case *ocean_case, enum tsunami_method method,
                       const struct tsunami_backend *backend)
{
    static const struct ocean_ranges waves = {.eta_m = {1, 30}, .speed_m_s = {0.05, 3}};
    struct ocean_input in;
    input_open(&in, ocean_case);
    choose_method(&in.setup, method);
    in.setup.backend = &tsunami_backend_reference;
    in.setup.precision = ELEMENT_F64;
    // The staggered reference takes ten times as long a step.
    const int64_t steps = tsunami_method_is_staggered(method)      ? STEPS / 4
                          : in.setup.nx * in.setup.ny > MANY_NODES ? STEPS_OF_MANY
                                                                   : STEPS;
    struct run reference = run_new(&in.setup, &in.start, steps, true);
    check_times(
        &(struct comparison){"reference's own records", &in.setup, &tolerances[0], &reference, &reference});
    in.setup.backend = backend;
    for (size_t p = 0; p < COUNT(tolerances); p++) {
        in.setup.precision = tolerances[p].precision;
        struct run fast = run_new(&in.setup, &in.start, steps, false);
        compare_with_reference(
            &(struct comparison){ocean_case->name, &in.setup, &tolerances[p], &reference, &fast}, &waves);
        run_free(&fast);
    }
    run_free(&reference);
    ocean_input_close(&in);
}

static void check_cases(const struct tsunami_backend *backend)
{
    for (int k = 0; k < CASES; k++) {
        check_case(&cases[k], TSUNAMI_VTCS2, backend);
        check_case(&cases[k], TSUNAMI_VTCS2_O2, backend);
    }
}

// A staggered grid has no given edges.
static bool has_given_edges(const struct ocean_case *ocean_case)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (ocean_case->edges[side] == GIVEN)
            return true;
    return false;
}

static void check_staggered_cases(const struct tsunami_backend *backend)
{
    for (int k = 0; k < CASES; k++)
        if (!has_given_edges(&cases[k]))
            check_case(&cases[k], TSUNAMI_C_GRID_6, backend);
}

// From a start with water twice as fast as its waves, in the middle and over two open edges.
static void fast_input_open(struct ocean_input *in)
{
    enum { NX = 90, NY = 70 };
    static const struct ocean_case open = {"fast water, open edges",      NX,   NY,    false, false, 0,
                                           EDGES(OPEN, OPEN, OPEN, OPEN), true, false, 0.03,  0};
    input_open(in, &open);
    choose_method(&in->setup, TSUNAMI_C_GRID_6);
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < NX; i++) {
            const double x = ((double)i - 45) / 8, y = ((double)j - 35) / 8, east = ((double)i - 89) / 6,
                         north = ((double)j - 69) / 6;
            const double fast = 2 * sqrt(9.81 * in->depth[j * NX + i]);
            in->start.u[j * NX + i] = fast * (exp(-east * east - y * y) - exp(-x * x - y * y));
            in->start.v[j * NX + i] = fast * (exp(-x * x - north * north) + exp(-x * x - y * y));
        }
}

// Some steps of it; the reference itself must keep the middle no faster than its waves.
static void check_fast_water(const struct tsunami_backend *backend)
{
    enum { FAST_STEPS = 4, MIDDLE = 35 * 90 + 45 };
    static const struct tolerance close[] = {{ELEMENT_F64, 1e-10, 2e-12, 0, 0, 0, 0},
                                             {ELEMENT_F32, 5e-2, 5e-4, 0, 0, 0, 0}};
    struct ocean_input in;
    fast_input_open(&in);
    in.setup.backend = &tsunami_backend_reference;
    in.setup.precision = ELEMENT_F64;
    struct run reference = run_new(&in.setup, &in.start, FAST_STEPS, true);
    const struct ocean_state *s = &reference.state;
    const double wave_m_s = sqrt(9.81 * (in.depth[MIDDLE] + s->eta[MIDDLE]));
    assert_true(fabs(s->u[MIDDLE]) > 0.7 * wave_m_s && fabs(s->u[MIDDLE]) < 1.1 * wave_m_s);
    in.setup.backend = backend;
    for (size_t p = 0; p < COUNT(close); p++) {
        double difference[3];
        in.setup.precision = close[p].precision;
        struct run fast = run_new(&in.setup, &in.start, FAST_STEPS, false);
        state_difference(&reference.state, &fast.state, difference);
        expect_close_state("fast water", difference, &close[p]);
        run_free(&fast);
    }
    run_free(&reference);
    ocean_input_close(&in);
}

TEST_SUITE(.begin = cuda_begin);

TEST(every_variant_does_as_the_reference)
{
    check_cases(&tsunami_backend_openmp);
}

TEST(staggered_does_as_the_reference)
{
    check_staggered_cases(&tsunami_backend_openmp);
}

TEST(staggered_bounds_fast_water_as_the_reference)
{
    check_fast_water(&tsunami_backend_openmp);
}

CUDA_TEST(cuda_does_as_the_reference)
{
    check_cases(tsunami_backend_named("cuda"));
}

// The plain one shares the arithmetic at a node, and neither tiles nor the order of work.
CUDA_TEST(cuda_plain_does_as_the_reference)
{
    check_cases(tsunami_backend_named("cuda-plain"));
}

CUDA_TEST(cuda_staggered_does_as_the_reference)
{
    check_staggered_cases(tsunami_backend_named("cuda"));
}

CUDA_TEST(cuda_plain_staggered_does_as_the_reference)
{
    check_staggered_cases(tsunami_backend_named("cuda-plain"));
}

CUDA_TEST(cuda_staggered_bounds_fast_water_as_the_reference)
{
    check_fast_water(tsunami_backend_named("cuda"));
    check_fast_water(tsunami_backend_named("cuda-plain"));
}

// A drawdown may be all that a run keeps.
static void check_drawdown_alone(const struct tsunami_backend *backend, enum tsunami_method method)
{
    struct ocean_input in;
    input_open(&in, &cases[0]);
    in.setup.backend = backend;
    choose_method(&in.setup, method);
    in.setup.precision = ELEMENT_F64;
    struct run with_all = run_new(&in.setup, &in.start, STEPS, false);
    in.setup.has_records = false;
    in.setup.has_drawdown_only = true;
    struct run alone = run_new(&in.setup, &in.start, STEPS, false);
    assert_true(same_bits(ocean_records(with_all.ocean)->first_drawdown_s,
                          ocean_records(alone.ocean)->first_drawdown_s, alone.nx, alone.ny, alone.pitch));
    run_free(&with_all);
    run_free(&alone);
    ocean_input_close(&in);
}

TEST(a_drawdown_may_be_all)
{
    check_drawdown_alone(&tsunami_backend_openmp, TSUNAMI_VTCS2_O2);
    check_drawdown_alone(&tsunami_backend_reference, TSUNAMI_VTCS2_O2);
    check_drawdown_alone(&tsunami_backend_openmp, TSUNAMI_C_GRID_6);
    check_drawdown_alone(&tsunami_backend_reference, TSUNAMI_C_GRID_6);
}

CUDA_TEST(cuda_keeps_a_drawdown_alone)
{
    check_drawdown_alone(tsunami_backend_named("cuda"), TSUNAMI_VTCS2_O2);
    check_drawdown_alone(tsunami_backend_named("cuda-plain"), TSUNAMI_VTCS2_O2);
    check_drawdown_alone(tsunami_backend_named("cuda"), TSUNAMI_C_GRID_6);
    check_drawdown_alone(tsunami_backend_named("cuda-plain"), TSUNAMI_C_GRID_6);
}

// ---- what must not change a bit ----

// Four rows of tiles and one small source near the eastern edge. Periodic in x, so that the wave wakes the
// tiles on the other side too. So many columns of tiles that most stay quiet for long; so that five threads
// have tiles enough; and a tile and a part, for what goes on in each.
enum { WIDE_STEPS = 16, MANY_TILES = 2600, TILES_FOR_THREADS = 1100, FEW_TILES = 600 };

static void wide_input_open(struct ocean_input *in, bool is_spherical, size_t columns)
{
    const struct ocean_case wide = {
        "wide", columns, 110, is_spherical, true, 0, EDGES(PERIODIC, PERIODIC, OPEN, WALL), true,
        true,   0.03,    20};
    input_open(in, &wide);
    memset(in->start.eta, 0, wide.nx * wide.ny * sizeof *in->start.eta);
    memset(in->start.u, 0, wide.nx * wide.ny * sizeof *in->start.u);
    memset(in->start.v, 0, wide.nx * wide.ny * sizeof *in->start.v);
    for (size_t j = 40; j < 60; j++)
        for (size_t i = 0; i < 20; i++)
            in->start.eta[j * wide.nx + columns - 28 + i] =
                3 * sin(0.157 * (double)i) * sin(0.157 * (double)(j - 40));
}

// Calls `check` for all methods, each in one precision on the plane and in the other on the sphere, in turn.
static void for_wide(const struct tsunami_backend *backend, size_t columns, trial_check *check)
{
    static const enum tsunami_method methods[] = {TSUNAMI_C_GRID_6, TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2};
    for (size_t k = 0; k < 2 * COUNT(methods); k++) {
        const bool is_spherical = k % 2 == 1, is_double = (k / 2 + k) % 2 == 1;
        struct ocean_input in;
        wide_input_open(&in, is_spherical, columns);
        in.setup.precision = is_double ? ELEMENT_F64 : ELEMENT_F32;
        choose_method(&in.setup, methods[k / 2]);
        in.setup.backend = backend;
        check(&(struct trial){in.setup, &in.start, WIDE_STEPS, tolerances});
        ocean_input_close(&in);
    }
}

TEST(skipping_quiet_tiles_changes_nothing)
{
    for_wide(&tsunami_backend_openmp, MANY_TILES, check_skipping);
}

CUDA_TEST(cuda_skips_quiet_tiles_and_changes_nothing)
{
    for_wide(tsunami_backend_named("cuda"), MANY_TILES, check_skipping);
}

CUDA_TEST(cuda_gives_the_same_bits_again)
{
    for_wide(tsunami_backend_named("cuda"), MANY_TILES, check_again);
}

TEST(threads_change_nothing)
{
    for_wide(&tsunami_backend_openmp, TILES_FOR_THREADS, check_threads);
}

TEST(instruction_sets_agree)
{
    const char *names[INSTRUCTION_SETS_MAX];
    const int count = instruction_sets(names);
    for (int k = 0; k < count; k++)
        print_message("instruction set: %s\n", names[k]);
    for_wide(&tsunami_backend_openmp, FEW_TILES, check_instruction_sets);
}

// Every instruction set against the reference as well, on the case that has everything.
TEST(every_instruction_set_does_as_the_reference)
{
    const char *names[INSTRUCTION_SETS_MAX];
    const int count = instruction_sets(names);
    for (int k = 0; k < count; k++) {
        instruction_set_choose(names[k]);
        print_message("%s:\n", names[k]);
        check_case(&cases[CASES - 1], TSUNAMI_VTCS2_O2, &tsunami_backend_openmp);
        check_case(&cases[CASES - 1], TSUNAMI_C_GRID_6, &tsunami_backend_openmp);
    }
    instruction_set_choose(NULL);
}

// ---- small functions ----

// Friction's factor against the formula with pow(), from puddles to the deepest trench.
TEST(friction_factor_is_mannings)
{
    const double gravity = OCEAN_GRAVITY_M_S2, step_s = 10, n = 0.025;
    const double friction = step_s * n * n * pow(gravity, 7.0 / 3.0);
    double worst_f = 0, worst_d = 0;
    for (double depth_m = 0.01; depth_m < 12000; depth_m *= 1.01)
        for (double speed = 1e-3; speed < 30; speed *= 7) {
            const double u = 0.6 * speed, v = -0.8 * speed, eta_m = 0.05 * depth_m * sin(depth_m);
            const double c0 = sqrt(gravity * depth_m), e = sqrt(gravity * (depth_m + eta_m)) - c0;
            const double drag = gravity * n * n * speed / pow(depth_m + eta_m, 4.0 / 3.0);
            const double expected = 1 / (1 + step_s * drag);
            const double in_double = friction_factor_d(e, u, v, c0, friction);
            const float in_float =
                friction_factor_f((float)e, (float)u, (float)v, (float)c0, (float)friction);
            worst_d = fmax(worst_d, fabs(in_double / expected - 1));
            worst_f = fmax(worst_f, fabs((double)in_float / expected - 1));
        }
    print_message("friction factor, 1 cm to 12 km: off by at most %.1e (double), %.1e (float)\n", worst_d,
                  worst_f);
    assert_true(worst_d <= 1e-14);
    assert_true(worst_f <= 3e-6); // 8/3 of what c is off, and the fourth powers' rounding
}

// One step of the sweep at one node, in double, against the plain scheme written out here: for any three
// neighbours.
static double plain_difference(const double *h, const double *u, const double *d, int a, int b, double sign)
{
    const double ca = sqrt(OCEAN_GRAVITY_M_S2 * h[a]), cb = sqrt(OCEAN_GRAVITY_M_S2 * h[b]);
    return 0.5 * (u[a] + sign * ca + u[b] + sign * cb) * (u[a] + sign * 2 * ca - u[b] - sign * 2 * cb) -
           OCEAN_GRAVITY_M_S2 * (d[a] - d[b]);
}

TEST(difference_is_the_plain_one)
{
    const double d[2] = {3100, 2450}, eta[2] = {2.5, -1.75}, u[2] = {0.31, -0.12};
    const double h[2] = {d[0] + eta[0], d[1] + eta[1]};
    struct node_d nodes[2];
    for (int k = 0; k < 2; k++) {
        const double c0 = sqrt(OCEAN_GRAVITY_M_S2 * d[k]);
        nodes[k] = node_of_d(sqrt(OCEAN_GRAVITY_M_S2 * h[k]) - c0, u[k], 0, c0);
    }
    const struct flux_d flux = difference_d(nodes[0], nodes[1]);
    assert_true(fabs(flux.p - plain_difference(h, u, d, 0, 1, 1)) <= 1e-10);
    assert_true(fabs(flux.q - plain_difference(h, u, d, 0, 1, -1)) <= 1e-10);
}
