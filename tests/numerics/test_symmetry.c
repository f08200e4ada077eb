// The mirror image of a flow is computed as the mirror image of its numbers, bit for bit; so is the
// transposed flow (with the order of the sweeps exchanged) and the flow shifted round a periodic grid. A
// coefficient on the wrong side, a neighbour off by one, a tile's edge or a halo corner that is not there
// breaks one of these at once.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "tests/support/runup_cases.h"

// Larger than one tile (512 × 32 nodes) both ways and no multiple of one; odd, so that a middle node exists.
// What breaks a symmetry does so in the first steps: waves stand at edges, corners and tiles' borders. The
// plain reference has no tiles.
enum { NX = 545, NY = 75, NX_OF_REFERENCE = 137, STEPS = 16 };

static void add_waves(struct ocean_state *start, const double *depth, bool floods)
{
    static const struct {
        double height_m, at_x, at_y, width;
    } waves[] = {
        {3, 0.3, 0.6, 9},  {-2, 0.93, 0.3, 5}, {1, 0.52, 0.5, 14}, {2, 0.98, 0.05, 6}, // at a corner
        {2, 0.18, 0.9, 6},
    };
    for (size_t k = 0; k < sizeof waves / sizeof *waves; k++)
        if (floods)
            state_add_wave(start, depth, waves[k].height_m, waves[k].at_x, waves[k].at_y, waves[k].width);
        else
            state_add_bell(start, waves[k].height_m, waves[k].at_x, waves[k].at_y, waves[k].width);
}

// A basin with land, all kinds of edges and uneven axes, and its start.
static struct basin basin_new(const struct tsunami_backend *backend, enum element precision,
                              enum tsunami_method method, bool is_spherical)
{
    // Where the shore moves: a bay in shallow water, so that it does move.
    const bool floods = tsunami_method_floods(method);
    const double spacing = floods ? (is_spherical ? 0.0005 : 64) : is_spherical ? 0.125 : 8192;
    const struct ocean_variant v = {backend, precision, method};
    const size_t nx = backend == &tsunami_backend_reference ? NX_OF_REFERENCE : NX;
    struct basin b = basin_grid(&v, nx, NY, is_spherical ? 150 : 0, is_spherical ? 31 : 0, spacing, 0.2,
                                TSUNAMI_EDGE_WALL);
    basin_take_depth(&b, floods ? bay_depth_new(nx, NY, 20) : rugged_depth_new(nx, NY, true));
    basin_set_edges(&b, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL);
    if (floods)
        state_still(&b.state, b.depth, 0);
    add_waves(&b.state, b.depth, floods);
    b.setup.is_spherical = b.setup.has_curvature = is_spherical;
    b.setup.has_coriolis = true;
    b.setup.plane_coriolis_per_s = 1.1e-4;
    b.setup.manning_n = 0.03;
    b.setup.step_s = floods ? flooding_step_s(&b.setup, 0.45) : 20;
    return b;
}

// Spacings of a power of two, all the same.
static void make_even(struct basin *b)
{
    const double spacing = b->setup.method == TSUNAMI_MUSCL_HANCOCK ? 64 : 8192;
    for (size_t i = 0; i < b->state.nx; i++)
        b->x[i] = spacing * (double)i;
    for (size_t j = 0; j < NY; j++)
        b->y[j] = spacing * (double)j;
}

static struct ocean_state run(const struct basin *b, int64_t first_step)
{
    struct ocean *ocean = ocean_open(&b->setup);
    struct ocean_state state = state_new(b->setup.nx, b->setup.ny);
    ocean_set(ocean, &b->state);
    // The plain reference is a hundred times slower where the shore moves.
    const bool is_slow =
        b->setup.backend == &tsunami_backend_reference && tsunami_method_floods(b->setup.method);
    ocean_advance(ocean, first_step, is_slow ? STEPS / 4 : STEPS);
    ocean_get(ocean, &state);
    ocean_close(ocean);
    return state;
}

static double largest_eta(const struct ocean_state *state)
{
    double largest = 0;
    for (size_t k = 0; k < state->nx * state->ny; k++)
        if (!isnan(state->eta[k]))
            largest = fmax(largest, fabs(state->eta[k]));
    return largest;
}

static void expect_equal(const char *what, const struct basin *b, const struct ocean_state *expected,
                         const struct ocean_state *state)
{
    size_t where = 0;
    // Waves, and stable ones; where the shore moves the land is part of it, up to 8 m high.
    assert_true(largest_eta(expected) > 0.1 && largest_eta(expected) < 12);
    const size_t unequal = state_unequal(expected, state, &where);
    if (unequal > 0) {
        double difference[3];
        state_difference(expected, state, difference);
        fail_msg("%s, %s %s %s%s: %zu nodes differ, the first is column %zu, row %zu (eta %.9g, expected "
                 "%.9g); largest differences %.2e m, %.2e, %.2e m/s",
                 what, b->setup.backend->head.name, precision_name(b->setup.precision),
                 method_name(b->setup.method), b->setup.is_spherical ? ", sphere" : "", unequal,
                 where % state->nx, where / state->nx, state->eta[where], expected->eta[where], difference[0],
                 difference[1], difference[2]);
    }
}

static void check_mirrors(const struct basin *b)
{
    struct ocean_state state = run(b, 0), expected = state_new(NX, NY);
    if (!b->setup.is_spherical) {
        struct basin image = basin_image(b, BASIN_MIRRORED_X);
        struct ocean_state seen = run(&image, 0);
        state_mirror_x(&state, &expected);
        expect_equal("mirrored in x", b, &expected, &seen);
    }
    struct basin image = basin_image(b, BASIN_MIRRORED_Y);
    struct ocean_state seen = run(&image, 0);
    state_mirror_y(&state, &expected);
    expect_equal("mirrored in y", b, &expected, &seen);
}

static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2, TSUNAMI_MUSCL_HANCOCK,
                                              TSUNAMI_C_GRID_6};
enum { METHODS = sizeof methods / sizeof *methods };

// What the finite volumes have besides.
static const struct {
    enum tsunami_limiter limiter;
    double smagorinsky;
} options[] = {{TSUNAMI_THIRD_ORDER, 0}, {TSUNAMI_VAN_LEER, 0.3}};
enum { OPTIONS = sizeof options / sizeof *options };

// What is done with every instruction set and method of the fast version, in one precision and the other in
// turn: each method has both, and each instruction set.
static void for_all_fast(void (*check)(const struct basin *b), bool is_spherical)
{
    const char *names[INSTRUCTION_SETS_MAX];
    const int sets = instruction_sets(names);
    for (int s = 0; s < sets; s++) {
        instruction_set_choose(names[s]);
        for (int m = 0; m < METHODS + OPTIONS; m++) {
            const bool is_double = (s + m + is_spherical) % 2 == 1;
            struct basin b = basin_new(&tsunami_backend_openmp, is_double ? ELEMENT_F64 : ELEMENT_F32,
                                       m < METHODS ? methods[m] : TSUNAMI_MUSCL_HANCOCK, is_spherical);
            if (m >= METHODS) {
                b.setup.limiter = options[m - METHODS].limiter;
                b.setup.smagorinsky = options[m - METHODS].smagorinsky;
            }
            check(&b);
        }
    }
    instruction_set_choose(NULL);
}

TEST(mirrors_on_the_plane)
{
    for_all_fast(check_mirrors, false);
}

TEST(mirrors_on_the_sphere)
{
    for_all_fast(check_mirrors, true);
}

// Without sources: they stand at the end of even steps and at the beginning of odd ones.
static void check_transposed(const struct basin *given)
{
    // vtcs2: always X then Y. On the staggered grid the terms along x and y are multiplied in another order.
    if (given->setup.method == TSUNAMI_VTCS2 || given->setup.method == TSUNAMI_C_GRID_6)
        return;
    struct basin b = *given;
    // The width of a cell enters as 1/width in x and as Δt/width in y: the same if a width is a power of two.
    if (given->setup.method == TSUNAMI_MUSCL_HANCOCK)
        make_even(&b);
    b.setup.has_coriolis = false;
    b.setup.manning_n = 0;
    struct ocean_state state = run(&b, 0), expected = state_new(NY, NX);
    struct basin image = basin_image(&b, BASIN_TRANSPOSED);
    struct ocean_state seen = run(&image, 1);
    state_transpose(&state, &expected);
    expect_equal("transposed", &b, &expected, &seen);
}

TEST(transposed_on_the_plane)
{
    for_all_fast(check_transposed, false);
}

// The same of the plain reference: to rounding for the mirrors (its sums are not written for them), on an
// smaller grid.
TEST(reference_has_the_symmetries)
{
    for (int m = 0; m < METHODS; m++) {
        struct basin b = basin_new(&tsunami_backend_reference, ELEMENT_F64, methods[m], false);
        struct ocean_state state = run(&b, 0), expected = state_new(b.state.nx, NY),
                           turned = state_new(NY, b.state.nx);
        struct basin images[] = {basin_image(&b, BASIN_MIRRORED_X), basin_image(&b, BASIN_MIRRORED_Y)};
        for (int k = 0; k < 2; k++) {
            double difference[3];
            struct ocean_state seen = run(&images[k], 0);
            (k == 0 ? state_mirror_x : state_mirror_y)(&state, &expected);
            state_difference(&expected, &seen, difference);
            print_message("reference %s, mirrored in %s: differs by %.1e m, %.1e, %.1e m/s\n",
                          method_name(b.setup.method), k == 0 ? "x" : "y", difference[0], difference[1],
                          difference[2]);
            assert_true(difference[0] <= 1e-9 && difference[1] <= 1e-11 && difference[2] <= 1e-11);
        }
        b.setup.has_coriolis = false;
        b.setup.manning_n = 0;
        if (b.setup.method != TSUNAMI_VTCS2) {
            struct basin image = basin_image(&b, BASIN_TRANSPOSED);
            struct ocean_state plain = run(&b, 0), seen = run(&image, 1);
            state_transpose(&plain, &turned);
            expect_equal("transposed", &b, &turned, &seen);
        }
    }
}

// A doubly periodic grid with its depth and its waves shifted round by some nodes: every value the same,
// shifted.
static void check_shifted(const struct tsunami_backend *backend, enum element precision,
                          enum tsunami_method method)
{
    struct basin b = basin_new(backend, precision, method, false);
    const size_t nx = b.state.nx, shift_x = 3 * nx / 7, shift_y = 41;
    double *shifted_depth = array_new(nx * NY);
    struct ocean_state start = b.state, shifted = state_new(nx, NY);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        b.setup.edges[side] = TSUNAMI_EDGE_PERIODIC;
    make_even(&b);
    struct ocean_state state = run(&b, 0), expected = state_new(nx, NY);
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < nx; i++) {
            const size_t from = j * nx + i, to = (j + shift_y) % NY * nx + (i + shift_x) % nx;
            shifted_depth[to] = b.depth[from];
            shifted.eta[to] = start.eta[from], shifted.u[to] = start.u[from], shifted.v[to] = start.v[from];
            expected.eta[to] = state.eta[from], expected.u[to] = state.u[from],
            expected.v[to] = state.v[from];
        }
    b.setup.depth_m = shifted_depth;
    b.state = shifted;
    struct ocean_state seen = run(&b, 0);
    expect_equal("shifted round", &b, &expected, &seen);
    b.state = start;
}

TEST(periodic_grids_have_no_beginning)
{
    const char *names[INSTRUCTION_SETS_MAX];
    const int sets = instruction_sets(names);
    for (int m = 0; m < METHODS; m++) {
        const enum tsunami_method method = methods[m];
        check_shifted(&tsunami_backend_reference, ELEMENT_F64, method);
        for (int s = 0; s < sets; s++) {
            instruction_set_choose(names[s]);
            check_shifted(&tsunami_backend_openmp, (s + m) % 2 == 0 ? ELEMENT_F32 : ELEMENT_F64, method);
        }
        instruction_set_choose(NULL);
    }
}
