// The methods with a moving shoreline against closed forms of the nonlinear shallow-water equations:
// Thacker's oscillations in parabolic basins, on a rotating plane too (where the shoreline stands after three
// periods), and dams that break onto water (Stoker) and onto dry ground (Ritter; order of convergence in the
// L1 norm).
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "validate/closed/dam_break.h"
#include "validate/closed/thacker.h"

static const double pi = 3.14159265358979323846;

static const struct ocean_variant reference = {&tsunami_backend_reference, ELEMENT_F64,
                                               TSUNAMI_MUSCL_HANCOCK},
                                  fast = {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
                                  single = {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK};

// ---- basins ----

// An exact state at a place and a time.
typedef struct thacker_state exact_state(const void *form, double x_m, double y_m, double t_s);

struct bowl {
    const char *name;
    exact_state *exact;
    const void *form;
    double half_m, period_s, deepest_m, swing_m; // half the grid's length; the amplitude of the shoreline
    double coriolis_per_s, contour_m;
    size_t nodes; // along x
    bool is_canal;
};

static double water_of(struct thacker_state s)
{
    return fmax(0, s.depth_m + s.eta_m);
}

// Where the depth along the row of nodes through the middle last passes `contour_m`, towards +x (sign 1) or
// −x.
static double shoreline_m(const double *x, const double *water, size_t n, double contour_m, int sign)
{
    for (size_t k = 1; k < n; k++) {
        const size_t out = sign > 0 ? n - k : k - 1, in = sign > 0 ? out - 1 : out + 1;
        if (water[out] <= contour_m && water[in] > contour_m)
            return x[in] + (x[out] - x[in]) * (water[in] - contour_m) / (water[in] - water[out]);
    }
    return NAN;
}

// Three periods: both shorelines on the middle row within `allowed` of the swing.
static void check_bowl(const struct bowl *b, const struct ocean_variant *v, double allowed)
{
    const size_t nx = b->nodes, ny = b->is_canal ? 3 : nx, middle = ny / 2 * nx;
    const double spacing = 2 * b->half_m / (double)nx, first = 0.5 * spacing - b->half_m;
    const double step_s = 0.45 * spacing / sqrt(OCEAN_GRAVITY_M_S2 * b->deepest_m);
    const int64_t steps = (int64_t)ceil(3 * b->period_s / step_s);
    double *exact = array_new(nx), *found = array_new(nx);
    struct basin sea = basin_grid(v, nx, ny, first, b->is_canal ? 0 : first, spacing, 0, TSUNAMI_EDGE_WALL);
    if (b->is_canal)
        basin_set_ends(&sea, true, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_PERIODIC);
    sea.setup.has_coriolis = b->coriolis_per_s != 0;
    sea.setup.plane_coriolis_per_s = b->coriolis_per_s;
    sea.setup.step_s = 3 * b->period_s / (double)steps;
    struct ocean_state *state = &sea.state;
    for (size_t k = 0; k < nx * ny; k++) {
        const struct thacker_state s = b->exact(b->form, sea.x[k % nx], b->is_canal ? 0 : sea.y[k / nx], 0);
        sea.depth[k] = s.depth_m;
        state->eta[k] = fmax(s.eta_m, -s.depth_m);
        state->u[k] = water_of(s) > 0 ? s.u_m_s : 0;
        state->v[k] = water_of(s) > 0 ? s.v_m_s : 0;
    }
    struct ocean *ocean = basin_start(&sea);
    ocean_get(ocean, state);
    const double start_m3 = ocean_water_m3(ocean, state);
    ocean_advance(ocean, 0, steps);
    ocean_get(ocean, state);
    const double drift = fabs(ocean_water_m3(ocean, state) / start_m3 - 1);
    for (size_t i = 0; i < nx; i++) {
        exact[i] = water_of(b->exact(b->form, sea.x[i], b->is_canal ? 0 : sea.y[ny / 2], 3 * b->period_s));
        found[i] = fmax(0, sea.depth[middle + i] + state->eta[middle + i]);
    }
    double error[2];
    for (int k = 0; k < 2; k++)
        error[k] = (shoreline_m(sea.x, found, nx, b->contour_m, 2 * k - 1) -
                    shoreline_m(sea.x, exact, nx, b->contour_m, 2 * k - 1)) /
                   b->swing_m;
    print_message("%s, %zu nodes, %s: shorelines after 3 periods off by %+.2f and %+.2f %% of the swing; "
                  "water drifts by %.1e\n",
                  b->name, nx, ocean_variant_name(v), 100 * error[0], 100 * error[1], drift);
    assert_true(fabs(error[0]) <= allowed && fabs(error[1]) <= allowed);
    assert_true(drift <= (v->precision == ELEMENT_F64 ? 1e-13 : 1e-6));
    ocean_close(ocean);
}

static struct thacker_state canal_at(const void *form, double x_m, double y_m, double t_s)
{
    return thacker_canal(form, x_m, t_s);
}

static struct thacker_state plane_at(const void *form, double x_m, double y_m, double t_s)
{
    return thacker_plane(form, x_m, y_m, t_s);
}

static struct thacker_state paraboloid_at(const void *form, double x_m, double y_m, double t_s)
{
    return thacker_paraboloid(form, x_m, y_m, t_s);
}

// The acceptance's 2 % of the swing.
TEST(a_canal_that_rotates)
{
    const struct thacker_canal form = {.half_width_m = 3000,
                                       .depth_m = 10,
                                       .swing_m = 200,
                                       .coriolis_per_s = 1e-3,
                                       .gravity_m_s2 = OCEAN_GRAVITY_M_S2};
    const struct bowl bowl = {.name = "canal with Coriolis",
                              .exact = canal_at,
                              .form = &form,
                              .half_m = 3600,
                              .period_s = 2 * pi / thacker_canal_frequency_per_s(&form),
                              .deepest_m = 11,
                              .swing_m = form.swing_m,
                              .coriolis_per_s = form.coriolis_per_s,
                              .contour_m = 0.1,
                              .nodes = 320,
                              .is_canal = true};
    check_bowl(&bowl, &fast, 0.02);
    check_bowl(&bowl, &single, 0.02);
    check_bowl(&bowl, &reference, 0.02);
}

TEST(a_plane_that_goes_round)
{
    const struct thacker_plane form = {
        .radius_m = 1000, .depth_m = 10, .swing_m = 300, .gravity_m_s2 = OCEAN_GRAVITY_M_S2};
    const struct bowl bowl = {.name = "planar surface in a bowl",
                              .exact = plane_at,
                              .form = &form,
                              .half_m = 1350,
                              .period_s = 2 * pi / thacker_plane_frequency_per_s(&form),
                              .deepest_m = 11,
                              .swing_m = form.swing_m,
                              .contour_m = 0.1,
                              .nodes = IS_SANITIZED ? 100 : 128};
    check_bowl(&bowl, &fast, IS_SANITIZED ? 0.1 : 0.02);
    check_bowl(&bowl, &single, IS_SANITIZED ? 0.1 : 0.02);
}

TEST(a_paraboloid_that_breathes)
{
    const struct thacker_paraboloid form = {
        .radius_m = 1000, .depth_m = 10, .rise_m = 2, .gravity_m_s2 = OCEAN_GRAVITY_M_S2};
    const double period_s = 2 * pi / thacker_paraboloid_frequency_per_s(&form);
    const double least = thacker_paraboloid_shoreline_m(&form, 0);
    const double most = thacker_paraboloid_shoreline_m(&form, 0.5 * period_s);
    const struct bowl bowl = {.name = "paraboloid in a bowl",
                              .exact = paraboloid_at,
                              .form = &form,
                              .half_m = 1200,
                              .period_s = period_s,
                              .deepest_m = 12.5,
                              .swing_m = 0.5 * (most - least),
                              .contour_m = 0.1,
                              .nodes = IS_SANITIZED ? 80 : 144};
    check_bowl(&bowl, &fast, IS_SANITIZED ? 0.2 : 0.02);
    check_bowl(&bowl, &single, IS_SANITIZED ? 0.2 : 0.02);
}

// ---- dams ----

// Mean |h − exact| and |hu − exact| over the reach, of a dam in its middle after the wave has gone through a
// third of it.
static void dam_errors(const struct dam_break *dam, const struct ocean_variant *v, size_t n, double errors[2])
{
    const double length_m = 1000, spacing = length_m / (double)n, time_s = 35;
    struct basin b = basin_grid(v, n, 3, 0.5 * (spacing - length_m), 0, spacing, 0, TSUNAMI_EDGE_WALL);
    basin_fill_depth(&b, -1); // the bed lies 1 m above the sea: what is stored is the depth
    for (size_t k = 0; k < 3 * n; k++)
        b.state.eta[k] = 1 + (b.x[k % n] < 0 ? dam->behind_m : dam->before_m);
    const double longest_s = 0.45 * spacing / sqrt(OCEAN_GRAVITY_M_S2 * dam->behind_m);
    const int64_t steps = (int64_t)ceil(time_s / longest_s);
    b.setup.step_s = time_s / (double)steps;
    basin_advance(&b, 0, steps);
    errors[0] = errors[1] = 0;
    for (size_t i = 0; i < n; i++) {
        const struct dam_break_state exact = dam_break_at(dam, b.x[i], time_s);
        const double h = b.state.eta[n + i] - 1;
        errors[0] += fabs(h - exact.depth_m) / (double)n;
        errors[1] += fabs(h * b.state.u[n + i] - exact.depth_m * exact.velocity_m_s) / (double)n;
        assert_true(b.state.v[n + i] == 0);
    }
}

static void check_dam(const char *name, double before_m, const struct ocean_variant *v, int grids)
{
    const struct dam_break dam = dam_break_new(1, before_m, OCEAN_GRAVITY_M_S2);
    double coarse[2], fine[2];
    size_t n = 100;
    dam_errors(&dam, v, n, coarse);
    for (int k = 1; k < grids; k++, n *= 2) {
        dam_errors(&dam, v, 2 * n, fine);
        const double order_h = log2(coarse[0] / fine[0]), order_q = log2(coarse[1] / fine[1]);
        print_message("%s, %s, %zu to %zu nodes: L1 order %.2f (h), %.2f (hu); errors %.2e m, %.2e m2/s\n",
                      name, ocean_variant_name(v), n, 2 * n, order_h, order_q, fine[0], fine[1]);
        assert_true(order_h >= 0.8 && order_q >= 0.8); // the acceptance's
        coarse[0] = fine[0], coarse[1] = fine[1];
    }
}

TEST(dams_break)
{
    const struct ocean_variant *const variants[] = {&reference, &fast, &single};
    for (int k = 0; k < 3; k++) {
        check_dam("Stoker's dam", 0.1, variants[k], k == 0 ? 3 : 4);
        check_dam("Ritter's dam", 0, variants[k], k == 0 ? 3 : 4);
    }
}
