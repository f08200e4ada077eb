// Conformance of the methods with a moving shoreline: every fast version does, on every kind of coast, what
// the plain reference does, within the tolerances of ONE table. The reference shares no arithmetic with them.
//
// Also, exactly: skipping quiet tiles, the number of threads, and the vector width change no bit.
#include "tests/support/test.h"

#include "tests/support/cuda_test.h"
#include "tests/support/runup_cases.h"
#include "tests/support/tsunami_runs.h"

// 36 steps: the waves given have passed a record, and those of the start have run up; large grids, only more
// of the same, 20.
enum { STEPS = 36, MANY_NODES = 10000, STEPS_OF_MANY = 20 };

// Largest differences from the reference, for waves of some metres on depths up to 30 m (120 m on the sphere)
// that run up to 10 m high on land, after 20 to 36 steps.
//
// double: both do the same operations up to their order, 10⁻¹⁶ each; near the shore a velocity is momentum
//   over a depth of centimetres. A given jump of the state at thin edge cells makes 10⁻¹³ of it.
// float: a surface of some metres is stored to 2·10⁻⁷ m and taken from a depth of 100 m to 4·10⁻⁶; velocities
//   in thin water are a quotient of such. A decision (wet or dry, which side gives) that falls the other way
//   shifts a film of the minimum depth, 5·10⁻³ m there, and nothing else: no case here has one, but the bound
//   on the extremes leaves room for a part of it.
// Records are kept as float in every precision: half a unit in the last place of 8 m or 8 m/s, 60 m or 120 m
// comes on top.
static const struct tolerance tolerances[] = {{ELEMENT_F64, 2e-12, 2e-11, 5e-7, 1e-6, 3e-7, 8e-6},
                                              {ELEMENT_F32, 2e-5, 2e-4, 2e-5, 2e-4, 2e-5, 4e-5}};

// Each test goes through all of them. With dispersion the grids are five times as fine: waves a few depths
// long. `is_part`: what differs from another form is the same at every coast and edge.
static const struct form {
    enum tsunami_method method;
    bool has_dispersion;
    enum tsunami_limiter limiter;
    double eddy_viscosity_m2_s, smagorinsky;
    bool is_part;
} forms[] = {{TSUNAMI_MUSCL_HANCOCK, false, TSUNAMI_VAN_LEER, 0, 0, false},
             {TSUNAMI_MUSCL_HANCOCK, false, TSUNAMI_MC, 0, 0, true},
             {TSUNAMI_MUSCL_HANCOCK, false, TSUNAMI_THIRD_ORDER, 0, 0, true},
             {TSUNAMI_VTCS2_SHORE, false, TSUNAMI_VAN_LEER, 0, 0, false},
             {TSUNAMI_MUSCL_HANCOCK, true, TSUNAMI_VAN_LEER, 0, 0, false},
             {TSUNAMI_MUSCL_HANCOCK, true, TSUNAMI_THIRD_ORDER, 0, 0, true},
             {TSUNAMI_MUSCL_HANCOCK, false, TSUNAMI_MC, 40, 0, true},
             {TSUNAMI_MUSCL_HANCOCK, true, TSUNAMI_VAN_LEER, 0, 0.2, true}};
enum { FORMS = sizeof forms / sizeof *forms };
static struct form form; // the one that is being tested

static const char *form_name(void)
{
    static const char *const limiters[] = {"", ", mc", ", third order"};
    static char name[120];
    snprintf(name, sizeof name, "%s%s%s%s%s", method_name(form.method), limiters[form.limiter],
             form.has_dispersion ? ", with dispersion" : "",
             form.eddy_viscosity_m2_s > 0 ? ", eddy viscosity" : "",
             form.smagorinsky > 0 ? ", Smagorinsky" : "");
    return name;
}

// The forms that compute every tile, quiet or not.
static bool computes_all(void)
{
    return form.has_dispersion || form.eddy_viscosity_m2_s > 0 || form.smagorinsky > 0;
}

static bool can_compute(const struct tsunami_backend *backend)
{
    return !form.has_dispersion || backend->flooding->has_dispersion;
}

static const struct ocean_case cases[] = {
    {"bay, walls", 70, 48, false, true, 0, ALL(WALL), false, false, 0, 0},
    {"bay, open", 70, 48, false, true, 0, ALL(OPEN), false, false, 0, 0},
    {"bay, periodic, Coriolis, friction", 70, 48, false, true, 0, ALL(PERIODIC), true, false, 0.03, 0},
    {"bay, uneven, friction", 70, 48, false, true, 0.2, EDGES(OPEN, WALL, WALL, OPEN), false, false, 0.025,
     0},
    {"bay, waves given", 70, 48, false, true, 0, EDGES(WALL, GIVEN, OPEN, GIVEN), false, false, 0.025, 0},
    {"bay, all sides given", 70, 48, false, true, 0.1, ALL(GIVEN), true, false, 0, 0},
    {"bay, discharges given", 70, 48, false, true, 0, ALL(GIVEN), true, false, 0.025, 0},
    {"bay of several tiles", 300, 67, false, true, 0, EDGES(WALL, OPEN, OPEN, WALL), true, false, 0.025, 0},
    {"bay, periodic in x, one column too many for tiles", 257, 65, false, true, 0.1,
     EDGES(PERIODIC, PERIODIC, WALL, OPEN), false, false, 0, 0},
    {"sphere, metric only", 70, 48, true, true, 0, ALL(WALL), false, false, 0, 35},
    {"sphere, open, Coriolis and curvature", 70, 48, true, true, 0, ALL(OPEN), true, true, 0.025, 55},
    {"sphere, southern, uneven, periodic in x", 70, 48, true, true, 0.2,
     EDGES(PERIODIC, PERIODIC, GIVEN, OPEN), true, true, 0.03, -48}};
enum { CASES = sizeof cases / sizeof *cases };

// ---- a coast and what it starts from ----

static void input_open(struct ocean_input *in, const struct ocean_case *c)
{
    const double spacing = (c->is_spherical ? 0.005 : 50) * (form.has_dispersion ? 0.2 : 1);
    ocean_input_open(in, c, spacing, bay_depth_new(c->nx, c->ny, c->is_spherical ? 120 : 30));
    state_still(&in->start, in->depth, 0);
    state_add_wave(&in->start, in->depth, 4, 0.55, 0.5, 7);
    state_add_wave(&in->start, in->depth, -2.5, 0.8, 0.3, 6);
    state_add_wave(&in->start, in->depth, 2, 0.97, 0.95, 5); // at a corner
    in->setup.method = form.method;
    in->setup.has_dispersion = form.has_dispersion;
    in->setup.limiter = form.limiter;
    in->setup.eddy_viscosity_m2_s = form.eddy_viscosity_m2_s;
    in->setup.smagorinsky = form.smagorinsky;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        in->given[side].keeps_discharge = strstr(c->name, "discharges") &&
                                          tsunami_method_has_cells(form.method) &&
                                          in->given[side].has_velocity;
    in->setup.arrival_m[0] = 0.05;
    in->setup.arrival_m[1] = 0.5;
    in->setup.step_s = flooding_step_s(&in->setup, 0.45);
}

// ---- against the reference ----

// With each of the instruction sets named, or (NULL) with the one that is chosen.
static void check_case(const struct ocean_case *coast_case, const struct tsunami_backend *backend,
                       const char *const *sets, int set_count)
{
    static const struct ocean_ranges waves = {{1, 60}, {20, 200}, {0, INFINITY}};
    struct ocean_input in;
    input_open(&in, coast_case);
    in.setup.backend = &tsunami_backend_reference;
    in.setup.precision = ELEMENT_F64;
    const int64_t steps = in.setup.nx * in.setup.ny > MANY_NODES ? STEPS_OF_MANY : STEPS;
    struct run reference = run_new(&in.setup, &in.start, steps, true);
    in.setup.backend = backend;
    for (int s = 0; s < set_count; s++) {
        instruction_set_choose(sets[s]);
        if (sets[s] != NULL)
            print_message("%s, %s:\n", sets[s], form_name());
        for (size_t p = 0; p < sizeof tolerances / sizeof *tolerances; p++) {
            in.setup.precision = tolerances[p].precision;
            struct run fast = run_new(&in.setup, &in.start, steps, false);
            compare_with_reference(
                &(struct comparison){coast_case->name, &in.setup, &tolerances[p], &reference, &fast}, &waves);
            run_free(&fast);
        }
    }
    instruction_set_choose(NULL);
    run_free(&reference);
}

// A form that is a part of another meets every third case, in turn: each case meets two such forms or one,
// each form several edges, and the plane as well as the sphere.
static bool meets(int m, int k)
{
    return !forms[m].is_part || (k + m) % 3 == 0;
}

static void check_cases(const struct tsunami_backend *backend)
{
    for (int m = 0; m < FORMS; m++) {
        form = forms[m];
        if (!can_compute(backend))
            continue;
        print_message("%s, %s:\n", backend->head.name, form_name());
        for (int k = 0; k < CASES; k++)
            if (meets(m, k))
                check_case(&cases[k], backend, &(const char *){NULL}, 1);
    }
}

TEST_SUITE(.begin = cuda_begin);

TEST(every_variant_does_as_the_reference)
{
    check_cases(&tsunami_backend_openmp);
}

// Every instruction set too, on the case that has most.
TEST(every_instruction_set_does_as_the_reference)
{
    const char *names[INSTRUCTION_SETS_MAX];
    const int count = instruction_sets(names);
    for (int m = 0; m < FORMS; m++) {
        form = forms[m];
        check_case(&cases[CASES - 1], &tsunami_backend_openmp, names, count);
    }
}

// ---- what must not change a bit ----

// The wave and the spill of the lake wake tiles that were quiet within some ten steps; what differs by a bit
// then differs for good, so that more steps show no more.
enum { WIDE_STEPS = 12 };

// Tiles of a coast at rest and one small wave near the eastern edge, periodic in x; and a lake on land that
// stands above the sea, on a floor so flat that it is at rest to the last bit.
static void wide_input_open(struct ocean_input *in, bool is_spherical, size_t columns)
{
    const struct ocean_case wide = {
        "wide", columns, 70, is_spherical, true, 0, EDGES(PERIODIC, PERIODIC, OPEN, WALL), true,
        true,   0.025,   20};
    input_open(in, &wide);
    state_still(&in->start, in->depth, 0);
    state_add_wave(&in->start, in->depth, 3, 0.99, 0.5, 6);
    for (size_t j = 10; j < 50; j++)
        for (size_t i = 60; i < 130; i++) {
            const size_t k = j * wide.nx + i;
            const bool is_shore = j == 10 || j == 49 || i == 60 || i == 129;
            in->depth[k] = is_shore ? -30 : -4;
            in->start.eta[k] = is_shore ? 30 : 4.37;
        }
}

// So many that most tiles are quiet; so that five threads have tiles enough; and two tiles and a part, for
// what goes on in each.
enum { MANY_TILES = 2600, TILES_FOR_THREADS = 800, FEW_TILES = 530 };

// All methods, each in one precision on the plane and in the other on the sphere, in turn.
static void for_wide(const struct tsunami_backend *backend, size_t columns, trial_check *check)
{
    for (int k = 0; k < 2 * FORMS; k++) {
        const bool is_spherical = k % 2 == 1, is_double = (k / 2 + k) % 2 == 1;
        form = forms[k / 2];
        if (!can_compute(backend))
            continue;
        struct ocean_input in;
        wide_input_open(&in, is_spherical, columns);
        in.setup.backend = backend;
        in.setup.precision = is_double ? ELEMENT_F64 : ELEMENT_F32;
        check(&(struct trial){in.setup, &in.start, WIDE_STEPS, tolerances});
    }
}

static void check_skipping_of_form(struct trial *trial)
{
    if (!computes_all())
        check_skipping(trial);
}

TEST(skipping_quiet_tiles_changes_nothing)
{
    for_wide(&tsunami_backend_openmp, MANY_TILES, check_skipping_of_form);
}

TEST(threads_change_nothing)
{
    for_wide(&tsunami_backend_openmp, TILES_FOR_THREADS, check_threads);
}

TEST(instruction_sets_agree)
{
    for_wide(&tsunami_backend_openmp, FEW_TILES, check_instruction_sets);
}

// ---- a bottom that moves ----

// Part of the coast rises and part of it sinks, in three pieces between steps: bottoms cross sea level both
// ways. Depths and water are kept, to rounding. Returns the state after all of it.
static struct ocean_state lift_in_pieces(struct ocean_input *in, const struct tsunami_backend *backend,
                                         enum element precision, const double *uplift)
{
    enum { PIECES = 3, STEPS_OF_PIECE = 15 };
    in->setup.backend = backend;
    in->setup.precision = precision;
    struct ocean *o = ocean_open(&in->setup);
    struct ocean_state state = state_new(in->setup.nx, in->setup.ny);
    ocean_set(o, &in->start);
    for (int piece = 0; piece < PIECES; piece++) {
        ocean_get(o, &state);
        const double before_m3 = ocean_water_m3(o, &state);
        ocean_lift(o, uplift);
        ocean_get(o, &state);
        const double after_m3 = ocean_water_m3(o, &state);
        assert_true(fabs(after_m3 - before_m3) <= (precision == ELEMENT_F64 ? 1e-14 : 1e-7) * before_m3);
        ocean_advance(o, piece * STEPS_OF_PIECE, STEPS_OF_PIECE);
    }
    ocean_get(o, &state);
    ocean_close(o);
    return state;
}

// What follows is the same in all versions. In the first of the tolerances' precisions, or in both.
static void check_lift_of(const struct tsunami_backend *backend, size_t precisions)
{
    struct ocean_input in;
    input_open(&in, &cases[0]);
    const size_t nx = cases[0].nx, nodes = nx * cases[0].ny;
    double *uplift = array_new(nodes);
    for (size_t k = 0; k < nodes; k++)
        uplift[k] = 1.5 * sin(0.07 * (double)(k % nx) + 0.05 * (double)(k / nx));
    const struct ocean_state reference = lift_in_pieces(&in, &tsunami_backend_reference, ELEMENT_F64, uplift);
    for (size_t p = 0; p < precisions; p++) {
        const struct ocean_state fast = lift_in_pieces(&in, backend, tolerances[p].precision, uplift);
        double difference[3];
        state_difference(&reference, &fast, difference);
        expect_close_state(format_text("a moving bottom, %s %s", backend->head.name,
                                       precision_name(tolerances[p].precision)),
                           difference, &tolerances[p]);
    }
}

static void check_lift(const struct tsunami_backend *backend, size_t precisions)
{
    for (int m = 0; m < FORMS; m++) {
        form = forms[m];
        if (can_compute(backend))
            check_lift_of(backend, precisions);
    }
}

TEST(a_moving_bottom_keeps_the_water)
{
    check_lift(&tsunami_backend_openmp, COUNT(tolerances));
}

// ---- the same on a GPU ----

CUDA_TEST(cuda_does_as_the_reference)
{
    check_cases(tsunami_backend_named("cuda"));
}

// The plain one shares the arithmetic at a cell, and neither tiles nor the order of work.
CUDA_TEST(cuda_plain_does_as_the_reference)
{
    check_cases(tsunami_backend_named("cuda-plain"));
}

// Of vtcs2-shore the device computes all tiles.
static void check_skipping_on_cuda(struct trial *trial)
{
    if (form.method != TSUNAMI_VTCS2_SHORE && !computes_all())
        check_skipping(trial);
}

CUDA_TEST(cuda_skips_quiet_tiles_and_changes_nothing)
{
    for_wide(tsunami_backend_named("cuda"), MANY_TILES, check_skipping_on_cuda);
}

CUDA_TEST(cuda_gives_the_same_bits_again)
{
    for_wide(tsunami_backend_named("cuda"), MANY_TILES, check_again);
}

CUDA_TEST(cuda_keeps_the_water_on_a_moving_bottom)
{
    check_lift(tsunami_backend_named("cuda"), COUNT(tolerances));
    check_lift(tsunami_backend_named("cuda-plain"), 1);
}

// One precision; dispersion must have done something along the lines.
static void check_long_line(const struct ocean_input *in, const struct tsunami_backend *backend,
                            const struct tolerance *t, const struct run *reference, bool along_x)
{
    double difference[3], change[3];
    struct ocean_setup setup = in->setup;
    setup.backend = backend;
    setup.precision = t->precision;
    struct run fast = run_new(&setup, &in->start, 4, false);
    setup.has_dispersion = false;
    struct run without = run_new(&setup, &in->start, 4, false);
    state_difference(&reference->state, &fast.state, difference);
    state_difference(&without.state, &fast.state, change);
    expect_close_state(format_text("long %s, %s", along_x ? "rows" : "columns", precision_name(t->precision)),
                       difference, t);
    assert_true(change[along_x ? 1 : 2] > 100 * t->velocity_m_s);
    run_free(&without);
    run_free(&fast);
}

// Lines so long that a device cuts them into segments, and what the segments make into segments again; round
// and open.
static void check_long_lines(const struct tsunami_backend *backend)
{
    static const struct ocean_case long_cases[] = {
        {"long rows", 8400, 6, false, true, 0, EDGES(PERIODIC, PERIODIC, WALL, WALL), false, false, 0, 0},
        {"long columns", 6, 8400, false, true, 0, EDGES(WALL, WALL, WALL, OPEN), false, false, 0, 0}};
    form = (struct form){TSUNAMI_MUSCL_HANCOCK, true, TSUNAMI_VAN_LEER, 0, 0, false};
    for (size_t k = 0; k < COUNT(long_cases); k++) {
        struct ocean_input in;
        input_open(&in, &long_cases[k]);
        for (size_t n = 0; n < in.setup.nx * in.setup.ny; n++) { // deep water with a swell on it
            in.depth[n] = 20 + 5 * sin(0.01 * (double)n);
            in.start.eta[n] = cos(0.013 * (double)n);
            in.start.u[n] = 0.4 * sin(0.017 * (double)n);
            in.start.v[n] = 0.3 * sin(0.011 * (double)n);
        }
        in.setup.has_records = false;
        in.setup.backend = &tsunami_backend_reference;
        struct run reference = run_new(&in.setup, &in.start, 4, false);
        for (size_t p = 0; p < COUNT(tolerances); p++)
            check_long_line(&in, backend, &tolerances[p], &reference, k == 0);
        run_free(&reference);
    }
}

TEST(long_lines_are_solved_too)
{
    check_long_lines(&tsunami_backend_openmp);
}

CUDA_TEST(cuda_solves_long_lines_too)
{
    check_long_lines(tsunami_backend_named("cuda"));
}
