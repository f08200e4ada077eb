// A resting ocean stays at rest: exactly in the fast versions, within rounding in the plain reference. Over
// real bathymetry where it is to be had, with its coasts, and over a rugged synthetic one. FATHOM_TEST_FULL=1
// in the environment takes the whole Pacific in place of a part of it, for a whole day (minutes).
#include "tests/support/test.h"

#include "tests/support/tsunami_fixture.h"

enum { STEPS_OF_A_DAY = 8640, STEPS = IS_SANITIZED ? STEPS_OF_A_DAY / 12 : STEPS_OF_A_DAY };

static bool is_full(void)
{
    return getenv("FATHOM_TEST_FULL") != NULL;
}

static struct ocean_setup resting_setup(size_t nx, size_t ny, const double *x, const double *y,
                                        const double *depth_m)
{
    return (struct ocean_setup){
        .is_spherical = true,
        .nx = nx,
        .ny = ny,
        .x = x,
        .y = y,
        .depth_m = depth_m,
        .edges = {TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL},
        .has_coriolis = true,
        .has_curvature = true,
        .manning_n = 0.025,
        .wall_depth_m = 10,
        .step_s = 10};
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
    state_free(&state);
    ocean_close(ocean);
}

// Where a tenth of a day has not changed a bit, the rest of the day starts as the first did: in full, all of
// it.
static void check_fast(struct ocean_setup *setup)
{
    const int steps = is_full() ? STEPS : STEPS / 10;
    setup->backend = &tsunami_backend_openmp;
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2};
    for (int p = 0; p < 2; p++)
        for (int m = 0; m < 2; m++) {
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
    setup->backend = &tsunami_backend_reference;
    static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2};
    for (int m = 0; m < 2; m++) {
        setup->method = methods[m];
        double largest[3], land;
        run_at_rest(setup, STEPS, largest, &land);
        print_message(
            "reference, %s: %zu x %zu nodes, %.0f %% land, %d steps: |eta| %.2e m, |u| %.2e, |v| %.2e m/s\n",
            method_name(methods[m]), setup->nx, setup->ny, 100 * land, STEPS, largest[0], largest[1],
            largest[2]);
        assert_true(largest[0] <= 1e-9);
        assert_true(largest[1] <= 1e-10 && largest[2] <= 1e-10);
    }
}

TEST(real_ocean_rests_exactly)
{
    struct real_ocean pacific;
    // Japan, the Kurils and the trench; in full, the Pacific between its continents.
    const bool is_there = is_full() ? real_ocean_read(120, 290, -65, 62, &pacific)
                                    : real_ocean_read(128, 160, 28, 56, &pacific);
    if (!is_there)
        skip();
    struct ocean_setup setup = resting_setup(pacific.nx, pacific.ny, pacific.x, pacific.y, pacific.depth_m);
    check_fast(&setup);
    real_ocean_free(&pacific);
}

TEST(real_ocean_rests_in_the_reference)
{
    struct real_ocean pacific;
    const bool is_there =
        is_full() ? real_ocean_read(128, 160, 28, 56, &pacific) : real_ocean_read(138, 147, 34, 44, &pacific);
    if (!is_there)
        skip();
    struct ocean_setup setup = resting_setup(pacific.nx, pacific.ny, pacific.x, pacific.y, pacific.depth_m);
    check_reference(&setup);
    real_ocean_free(&pacific);
}

// Uneven axes, islands of one node, land at open edges: without any file.
TEST(rugged_ocean_rests)
{
    const size_t nx = 75, ny = 70;
    double *x = axis_new(nx, 170, 0.2, 0.2), *y = axis_new(ny, -4, 0.2, 0.2),
           *depth = rugged_depth_new(nx, ny, true);
    struct ocean_setup setup = resting_setup(nx, ny, x, y, depth);
    check_fast(&setup);
    free(x);
    free(y);
    free(depth);
}

TEST(rugged_ocean_rests_in_the_reference)
{
    const size_t nx = 34, ny = 30;
    double *x = axis_new(nx, 170, 0.2, 0.2), *y = axis_new(ny, -4, 0.2, 0.2),
           *depth = rugged_depth_new(nx, ny, true);
    struct ocean_setup setup = resting_setup(nx, ny, x, y, depth);
    check_reference(&setup);
    free(x);
    free(y);
    free(depth);
}
