// A resting ocean stays at rest: exactly in the fast versions, within rounding in the plain reference. Over
// real bathymetry where it is to be had, with its coasts, and over a rugged synthetic one. FATHOM_TEST_FULL=1
// in the environment takes the whole Pacific in place of a part of it, for a whole day (minutes).
#include "tests/support/test.h"

#include "tests/support/basin.h"

enum { STEPS_OF_A_DAY = 8640, STEPS = IS_SANITIZED ? STEPS_OF_A_DAY / 12 : STEPS_OF_A_DAY };

static bool is_full(void)
{
    return getenv("FATHOM_TEST_FULL") != NULL;
}

static const struct ocean_variant reference = {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2};

static void prepare(struct ocean_setup *setup)
{
    setup->manning_n = 0.025;
    setup->step_s = 10;
    setup->edges[TSUNAMI_NORTH] = TSUNAMI_EDGE_WALL;
}

// Largest |η|, |u|, |v| after `steps`, and how much of the grid is land.
static void run_at_rest(const struct ocean_setup *setup, int64_t steps, double largest[3], double *land)
{
    struct ocean *ocean = ocean_open(setup);
    struct ocean_state state = state_new(setup->nx, setup->ny);
    ocean_advance(ocean, 0, steps);
    ocean_get(ocean, &state);
    size_t dry = 0;
    largest[0] = largest[1] = largest[2] = 0;
    for (size_t k = 0; k < setup->nx * setup->ny; k++) {
        dry += isnan(state.eta[k]) ? 1 : 0;
        assert_true(isnan(state.eta[k]) == !(setup->depth_m[k] > setup->wall_depth_m));
        largest[0] = isnan(state.eta[k]) ? largest[0] : fmax(largest[0], fabs(state.eta[k]));
        largest[1] = fmax(largest[1], fabs(state.u[k]));
        largest[2] = fmax(largest[2], fabs(state.v[k]));
        assert_true(isfinite(state.u[k]) && isfinite(state.v[k]));
    }
    *land = (double)dry / (double)(setup->nx * setup->ny);
    double computed, skipped;
    ocean_work(ocean, &computed, &skipped);
    assert_true(computed >
                0.3 * (double)steps * (double)(setup->nx * setup->ny)); // nothing was skipped but land
    ocean_close(ocean);
}

// Where a tenth of a day has not changed a bit, the rest of the day starts as the first did: in full, all of
// it.
static void check_fast(struct ocean_setup *setup)
{
    const int steps = is_full() ? STEPS : STEPS / 10;
    setup->backend = &tsunami_backend_openmp;
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2, TSUNAMI_C_GRID_6};
    for (int p = 0; p < 2; p++)
        for (size_t m = 0; m < COUNT(methods); m++) {
            setup->precision = precisions[p];
            setup->method = methods[m];
            double largest[3], land;
            run_at_rest(setup, steps, largest, &land);
            print_message(
                "openmp %s, %s: %zu x %zu nodes, %.0f %% land, %d steps: |eta| %g m, |u| %g, |v| %g m/s\n",
                precision_name(precisions[p]), method_name(methods[m]), setup->nx, setup->ny, 100 * land,
                steps, largest[0], largest[1], largest[2]);
            for (int f = 0; f < 3; f++)
                assert_true(largest[f] == 0);
        }
}

// The plain form subtracts c² of 5·10⁴ m²/s²: its noise is what the perturbation form was made to be rid of.
static void check_reference(struct ocean_setup *setup)
{
    const int steps = is_full() ? STEPS : STEPS / 3;
    setup->backend = &tsunami_backend_reference;
    static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2};
    for (int m = 0; m < 2; m++) {
        setup->method = methods[m];
        double largest[3], land;
        run_at_rest(setup, steps, largest, &land);
        print_message(
            "reference, %s: %zu x %zu nodes, %.0f %% land, %d steps: |eta| %.2e m, |u| %.2e, |v| %.2e m/s\n",
            method_name(methods[m]), setup->nx, setup->ny, 100 * land, steps, largest[0], largest[1],
            largest[2]);
        assert_true(largest[0] <= 1e-9);
        assert_true(largest[1] <= 1e-10 && largest[2] <= 1e-10);
    }
}

// Real bathymetry on the file's own nodes. Skips the test where the file is missing.
static void check_real(double west, double east, double south, double north,
                       void (*check)(struct ocean_setup *setup))
{
    struct real_ocean real;
    if (!real_ocean_read(west, east, south, north, &real))
        skip();
    struct basin b = basin_on_sphere(&reference, real.nx, real.ny, 0, 0, 1, 0, TSUNAMI_EDGE_OPEN);
    b.setup.x = real.x;
    b.setup.y = real.y;
    b.setup.depth_m = real.depth_m;
    prepare(&b.setup);
    check(&b.setup);
}

// Uneven axes, islands of one node, land at open edges: without any file.
static void check_rugged(size_t nx, size_t ny, void (*check)(struct ocean_setup *setup))
{
    struct basin b = basin_on_sphere(&reference, nx, ny, 170, -4, 0.2, 0.2, TSUNAMI_EDGE_OPEN);
    basin_take_depth(&b, rugged_depth_new(nx, ny, true));
    prepare(&b.setup);
    check(&b.setup);
}

TEST(real_ocean_rests_exactly)
{
    if (is_full()) // the Pacific between its continents
        check_real(120, 290, -65, 62, check_fast);
    else // Japan, the Kurils and the trench
        check_real(128, 160, 28, 56, check_fast);
}

TEST(real_ocean_rests_in_the_reference)
{
    if (is_full())
        check_real(128, 160, 28, 56, check_reference);
    else
        check_real(138, 147, 34, 44, check_reference);
}

TEST(rugged_ocean_rests)
{
    check_rugged(75, 70, check_fast);
}

TEST(rugged_ocean_rests_in_the_reference)
{
    check_rugged(34, 30, check_reference);
}

// It keeps differences from rest: exactly.
static void check_staggered_reference(struct ocean_setup *setup)
{
    double largest[3], land;
    setup->backend = &tsunami_backend_reference;
    setup->method = TSUNAMI_C_GRID_6;
    run_at_rest(setup, 20, largest, &land);
    for (int f = 0; f < 3; f++)
        assert_true(largest[f] == 0);
}

TEST(rugged_ocean_rests_exactly_in_the_staggered_reference)
{
    check_rugged(34, 30, check_staggered_reference);
}
