// What must not happen where the shore moves: a lake at rest does not move, closed basins neither lose nor
// gain water, and friction never turns a flow round. With beaches, islands, banks that just dry and films of
// water on land.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "tests/support/runup_cases.h"

static const struct variant {
    const struct tsunami_backend *backend;
    enum element precision;
    size_t nx, ny;
    int64_t rest_steps;
} variants[] = {{&tsunami_backend_reference, ELEMENT_F64, 30, 20, IS_SANITIZED ? 500 : 2000},
                {&tsunami_backend_openmp, ELEMENT_F64, 70, 66, IS_SANITIZED ? 500 : 2000},
                {&tsunami_backend_openmp, ELEMENT_F32, 70, 66, IS_SANITIZED ? 500 : 2000}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static struct basin bay_new(const struct variant *variant, bool is_spherical, enum tsunami_edge edge)
{
    const size_t nx = variant->nx, ny = variant->ny;
    const double spacing = is_spherical ? 0.0005 : 50;
    const struct ocean_variant v = {variant->backend, variant->precision, TSUNAMI_MUSCL_HANCOCK};
    struct basin b = (is_spherical ? basin_on_sphere : basin_grid)(&v, nx, ny, 140, is_spherical ? 40 : 0,
                                                                   spacing, 0.1, edge);
    basin_take_depth(&b, bay_depth_new(nx, ny, 30));
    b.setup.step_s = flooding_step_s(&b.setup, 0.45);
    return b;
}

static double largest_speed(const struct ocean_state *state)
{
    double largest = 0;
    for (size_t k = 0; k < state->nx * state->ny; k++)
        largest = fmax(largest, hypot(state->u[k], state->v[k]));
    return largest;
}

// ---- rest ----

// The largest speed of a lake at `level_m` after steps, looked at ten times on the way.
static double speed_of_still_lake(const struct variant *variant, bool is_spherical, enum tsunami_edge edge,
                                  double level_m, int64_t steps, double *moved_m)
{
    struct basin b = bay_new(variant, is_spherical, edge);
    struct ocean *ocean = ocean_open(&b.setup);
    struct ocean_state still = state_new(variant->nx, variant->ny);
    double speed = 0, difference[3];
    size_t dry = 0, thin = 0;
    for (size_t k = 0; k < variant->nx * variant->ny; k++) {
        dry += b.depth[k] + level_m <= 0;
        thin += b.depth[k] + level_m > 0 && b.depth[k] + level_m <= 1e-4 * 45;
    }
    assert_true(dry > variant->nx * variant->ny / 10); // there are islands and a coast
    state_still(&b.state, b.depth, level_m);
    ocean_set(ocean, &b.state);
    ocean_get(ocean, &still);
    for (int64_t part = 0; part < 10; part++) {
        ocean_advance(ocean, part * steps / 10, steps / 10);
        ocean_get(ocean, &b.state);
        speed = fmax(speed, largest_speed(&b.state));
    }
    state_difference(&still, &b.state, difference);
    *moved_m = difference[0];
    print_message("%s %s%s, lake at %+.2f m, %zu of %zu nodes dry, %zu thin, %ld steps: speed %.1e m/s, "
                  "surface moved %.1e m\n",
                  variant->backend->head.name, precision_name(variant->precision),
                  is_spherical ? ", sphere" : "", level_m, dry, variant->nx * variant->ny, thin, (long)steps,
                  speed, *moved_m);
    ocean_close(ocean);
    return speed;
}

// The sea at its own level: not a bit moves, and what no step has changed no later one changes: few steps are
// as good as many. At another level land that is flooded holds η − z, whose sum with z rounds: the
// bound is the acceptance's in double (1e-12 m/s), and in float what half a unit of the last place of η makes
// of √(g/h) in water of a decimetre.
TEST(lakes_stay_at_rest)
{
    for (int k = 0; k < VARIANTS; k++) {
        const struct variant *v = &variants[k];
        const int64_t all = v->rest_steps, some = all / 10;
        double moved_m;
        assert_true(speed_of_still_lake(v, false, TSUNAMI_EDGE_WALL, 0, some, &moved_m) == 0);
        assert_true(moved_m == 0);
        assert_true(speed_of_still_lake(v, false, TSUNAMI_EDGE_OPEN, 0, some, &moved_m) == 0);
        assert_true(speed_of_still_lake(v, true, TSUNAMI_EDGE_WALL, 0, some, &moved_m) == 0);
        const double allowed = v->precision == ELEMENT_F64 ? 1e-12 : 1e-6;
        assert_true(speed_of_still_lake(v, false, TSUNAMI_EDGE_WALL, 0.37, all, &moved_m) <= allowed);
        assert_true(moved_m <= allowed);
        assert_true(speed_of_still_lake(v, true, TSUNAMI_EDGE_WALL, -0.31, some, &moved_m) <= allowed);
        assert_true(moved_m <= allowed);
    }
}

// ---- water ----

// Waves that run up and down in a closed bay for long.
static void check_water(const struct variant *variant, bool is_spherical, int64_t steps, double allowed)
{
    struct basin b = bay_new(variant, is_spherical, TSUNAMI_EDGE_WALL);
    b.setup.manning_n = is_spherical ? 0.02 : 0;
    struct ocean *ocean = ocean_open(&b.setup);
    state_still(&b.state, b.depth, 0);
    state_add_wave(&b.state, b.depth, 5, 0.6, 0.5, (double)variant->nx / 6);
    ocean_set(ocean, &b.state);
    ocean_get(ocean, &b.state);
    const double start_m3 = ocean_water_m3(ocean, &b.state);
    double drift = 0, shallowest_m = INFINITY, fastest = 0;
    size_t wet_least = SIZE_MAX, wet_most = 0;
    for (int64_t part = 0; part < 20; part++) {
        ocean_advance(ocean, part * steps / 20, steps / 20);
        ocean_get(ocean, &b.state);
        drift = fmax(drift, fabs(ocean_water_m3(ocean, &b.state) / start_m3 - 1));
        fastest = fmax(fastest, largest_speed(&b.state));
        size_t wet = 0;
        for (size_t k = 0; k < variant->nx * variant->ny; k++) {
            const double depth =
                b.state.eta[k] +
                ocean_depth_m(ocean)[k / variant->nx * ocean_geometry(ocean)->pitch + k % variant->nx];
            shallowest_m = fmin(shallowest_m, depth);
            wet += depth > 0.01;
        }
        wet_least = wet < wet_least ? wet : wet_least;
        wet_most = wet > wet_most ? wet : wet_most;
    }
    print_message(
        "%s %s%s, closed bay, %ld steps: water drifts by %.1e, %zu to %zu nodes wet, depth at least %.1e m\n",
        variant->backend->head.name, precision_name(variant->precision), is_spherical ? ", sphere" : "",
        (long)steps, drift, wet_least, wet_most, shallowest_m);
    assert_true(fastest > 0.1 && wet_most - wet_least > (IS_SANITIZED ? 0 : 5)); // the shore has moved
    assert_true(drift <= allowed);
    // η + depth of a dry node is 0 to the rounding of η.
    assert_true(shallowest_m >= (variant->precision == ELEMENT_F64 ? -1e-14 : -1e-6));
    ocean_close(ocean);
}

TEST(closed_basins_keep_their_water)
{
    for (int k = 0; k < VARIANTS; k++) {
        const double allowed = variants[k].precision == ELEMENT_F64 ? 1e-13 : 1e-6;
        check_water(&variants[k], false, variants[k].rest_steps / 2, allowed);
        check_water(&variants[k], true, variants[k].rest_steps / 5, allowed);
    }
}

// ---- friction ----

// A uniform current in a channel that closes on itself, with a roughness a hundred times nature's: it comes
// to rest by u' = u / (1 + Δt g n² |u| / h^(4/3)), which never changes its sign, and keeps its direction.
TEST(friction_stops_and_never_reverses)
{
    enum { N = 40, STEPS = 50 };
    for (int k = 0; k < VARIANTS; k++) {
        const struct ocean_variant v = {variants[k].backend, variants[k].precision, TSUNAMI_MUSCL_HANCOCK};
        struct basin b = basin_grid(&v, N, N, 0, 0, 10, 0, TSUNAMI_EDGE_PERIODIC);
        basin_fill_depth(&b, 0.2);
        b.setup.manning_n = 3;
        b.setup.step_s = flooding_step_s(&b.setup, 0.45);
        const double u0 = 0.9, v0 = -1.2; // within what the step allows
        double speed = 1.5;
        for (size_t n = 0; n < (size_t)N * N; n++) {
            b.state.u[n] = u0;
            b.state.v[n] = v0;
        }
        struct ocean *ocean = basin_start(&b);
        const double drag = b.setup.step_s * OCEAN_GRAVITY_M_S2 * 9 / pow(0.2, 4.0 / 3.0);
        for (int64_t step = 0; step < STEPS; step++) {
            ocean_advance(ocean, step, 1);
            ocean_get(ocean, &b.state);
            speed /= 1 + drag * speed;
            const double allowed = variants[k].precision == ELEMENT_F64 ? 1e-12 : 1e-5;
            for (size_t n = 0; n < (size_t)N * N; n++) {
                assert_true(b.state.u[n] > 0 && b.state.v[n] < 0);
                assert_true(fabs(b.state.u[n] - 0.6 * speed) <= allowed * speed);
                assert_true(fabs(b.state.v[n] + 0.8 * speed) <= allowed * speed);
            }
        }
        print_message("%s %s: from 1.5 m/s to %.2e m/s in %d steps, factor %.3g at first\n",
                      variants[k].backend->head.name, precision_name(variants[k].precision), speed, STEPS,
                      1 / (1 + drag * 1.5));
        assert_true(drag * 1.5 > 10); // explicit friction would have reversed it
        ocean_close(ocean);
    }
}
