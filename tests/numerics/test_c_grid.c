// The method `c-grid-6` against exact solutions and conservation laws: orders of convergence in space and in
// time, waves between walls and against a wall, energy and volume of closed basins with coasts, open edges,
// heights of metres in shallow water.
#include "tests/support/test.h"

#include "models/tsunami/results.h"
#include "tests/support/basin.h"

static const double pi = 3.14159265358979323846, gravity = OCEAN_GRAVITY_M_S2;

#define REFERENCE                                                                                            \
    {                                                                                                        \
        &tsunami_backend_reference, ELEMENT_F64, TSUNAMI_C_GRID_6                                            \
    }
#define OPENMP(p)                                                                                            \
    {                                                                                                        \
        &tsunami_backend_openmp, p, TSUNAMI_C_GRID_6                                                         \
    }
static const struct ocean_variant variants[] = {REFERENCE, OPENMP(ELEMENT_F64), OPENMP(ELEMENT_F32)};
static const struct ocean_variant in_double[] = {REFERENCE, OPENMP(ELEMENT_F64)};

// ---- orders

static const double length_m = 1024e3, mean_depth_m = 1000;
enum { GRIDS = 3, COARSEST = 20 };

struct order_case {
    const char *name;
    double amplitude_m, coriolis_per_s;
    bool moves;    // has velocities at the start
    double uneven; // of the axes
    // The step on the grids: × 1/4 from one to the next on ever finer grids, or × 1/2 on the same grid.
    bool is_of_time;
    double least[3];
};

static double depth_at(double x, double y)
{
    const double k = 2 * pi / length_m;
    return mean_depth_m * (1 + 0.2 * sin(k * x + 0.4) * cos(k * y) + 0.1 * cos(k * (x + y)));
}

static struct basin solve(const struct order_case *c, const struct ocean_variant *v, int grid)
{
    const size_t n = c->is_of_time ? 2 * COARSEST : (size_t)COARSEST << grid;
    const double spacing = length_m / (double)n, k = 2 * pi / length_m;
    struct basin b = basin_grid(v, n, n, 0, 0, spacing, c->uneven, TSUNAMI_EDGE_PERIODIC);
    const double rate = c->moves ? 0.5 * sqrt(gravity / mean_depth_m) * c->amplitude_m : 0;
    for (size_t m = 0; m < n * n; m++) {
        const double x = b.x[m % n], y = b.y[m / n];
        b.depth[m] = depth_at(x, y);
        b.state.eta[m] = c->amplitude_m * (0.6 * cos(k * x) * cos(k * y) + 0.4 * sin(k * (x - y)));
        b.state.u[m] = rate * sin(k * (x + y) + 0.3);
        b.state.v[m] = rate * cos(k * y) * (1 + 0.5 * sin(k * x));
    }
    b.setup.has_coriolis = c->coriolis_per_s > 0;
    b.setup.plane_coriolis_per_s = c->coriolis_per_s;
    const int64_t steps = c->is_of_time ? (int64_t)64 << grid : (int64_t)50 << (2 * grid);
    b.setup.step_s = 5120.0 / (double)steps;
    basin_advance(&b, 0, steps);
    return b;
}

// Root mean square of the differences at the coarser grid's nodes.
static void compare(const struct ocean_state *coarse, const struct ocean_state *fine, double rms[3])
{
    const double *const a[] = {coarse->eta, coarse->u, coarse->v}, *const b[] = {fine->eta, fine->u, fine->v};
    const size_t n = coarse->nx, ratio = fine->nx / n;
    for (int f = 0; f < 3; f++) {
        double sum = 0;
        for (size_t m = 0; m < n * n; m++)
            sum += pow(a[f][m] - b[f][(m / n) * ratio * fine->nx + (m % n) * ratio], 2);
        rms[f] = sqrt(sum / (double)(n * n));
    }
}

static void check_order(const struct order_case *c, const struct ocean_variant *v)
{
    static const char *const fields[] = {"eta", "u", "v"};
    struct basin basins[GRIDS];
    double rms[GRIDS][3];
    for (int k = 0; k < GRIDS; k++) {
        basins[k] = solve(c, v, k);
        if (k > 0)
            compare(&basins[k - 1].state, &basins[k].state, rms[k - 1]);
    }
    for (int f = 0; f < 3; f++) {
        const double order = log2(rms[0][f] / rms[1][f]);
        print_message("%s, %s, %s: order %.2f; difference %.2e\n", ocean_variant_name(v), c->name, fields[f],
                      order, rms[1][f]);
        assert_true(order >= c->least[f]);
    }
    for (int k = 0; k < GRIDS; k++)
        basin_free(&basins[k]);
}

// The reference, which takes ten times as long, the last: all terms. In the other cases conformance.tsunami
// holds the fast version against it.
static void check_orders(const struct order_case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t v = k + 1 == count ? 0 : 1; v < COUNT(in_double); v++)
            check_order(&cases[k], &in_double[v]);
}

TEST(fourth_order_in_space)
{
    static const struct order_case cases[] = {
        {"at rest", 1, 0, false, 0, false, {3.8, 3.8, 3.8}},
        {"1 m, Coriolis", 1, 1.4e-4, true, 0, false, {3.8, 3.8, 3.8}},
        {"100 m, Coriolis", 100, 1.4e-4, true, 0, false, {3.8, 3.8, 3.8}}};
    check_orders(cases, COUNT(cases));
}

// Of linear waves from rest the elevation is of order 4 in time: what is left on one grid is of the rest.
TEST(second_order_in_time)
{
    static const struct order_case cases[] = {
        {"1 m, Coriolis", 1, 1.4e-4, true, 0, true, {1.9, 1.9, 1.9}},
        {"100 m, Coriolis", 100, 1.4e-4, true, 0, true, {1.9, 1.9, 1.9}}};
    check_orders(cases, COUNT(cases));
}

// ---- walls

// A standing wave between two walls, which stand half a spacing outside the outermost nodes: η = a cos(kx)
// cos(ωt) with k = mπ/L, of order 6 in space and 4 in time. Returns the largest elevation after three periods
// and a quarter, when there is none.
static double standing_error(const struct ocean_variant *v, bool along_x, size_t n, double amplitude_m)
{
    const double spacing = 640e3 / (double)n, depth = 2000, c = sqrt(gravity * depth), k = 3 * pi / 640e3;
    struct basin b = basin_grid(v, along_x ? n : 4, along_x ? 4 : n, 0, 0, spacing, 0, TSUNAMI_EDGE_PERIODIC);
    basin_set_ends(&b, along_x, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(&b, depth);
    for (size_t m = 0; m < b.state.nx * b.state.ny; m++)
        b.state.eta[m] =
            amplitude_m * cos(k * spacing * (0.5 + (double)(along_x ? m % b.state.nx : m / b.state.nx)));
    const double time = 3.25 * 2 * pi / (k * c);
    const int64_t steps = (int64_t)ceil(time * c / (0.6 * spacing));
    b.setup.step_s = time / (double)steps;
    basin_advance(&b, 0, steps);
    double worst = 0;
    for (size_t m = 0; m < b.state.nx * b.state.ny; m++)
        worst = fmax(worst, fabs(b.state.eta[m]));
    basin_free(&b);
    return worst / amplitude_m;
}

TEST(standing_waves_between_walls)
{
    for (size_t v = 0; v < COUNT(in_double); v++)
        for (int axis = 0; axis < 2; axis++) {
            const double coarse = standing_error(&in_double[v], axis == 0, 32, 1e-6),
                         fine = standing_error(&in_double[v], axis == 0, 64, 1e-6);
            print_message("%s, along %s: %.2e, %.2e: order %.2f\n", ocean_variant_name(&in_double[v]),
                          axis == 0 ? "x" : "y", coarse, fine, log2(coarse / fine));
            assert_true(coarse <= 2e-3);
            assert_true(log2(coarse / fine) >= 3.8);
        }
}

// A bell that runs against a wall comes back as it was, twice as high on the wall; and against an open edge
// it does not come back.
static void run_bell(const struct ocean_variant *v, bool along_x, enum tsunami_edge end, double *highest,
                     double *back)
{
    const size_t n = 300;
    const double spacing = 5e3, depth = 4000, c = sqrt(gravity * depth), width = 50e3, height = 0.01;
    struct basin b = basin_grid(v, along_x ? n : 4, along_x ? 4 : n, 0, 0, spacing, 0, TSUNAMI_EDGE_PERIODIC);
    basin_set_ends(&b, along_x, end, TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(&b, depth);
    for (size_t m = 0; m < b.state.nx * b.state.ny; m++) {
        const double at = spacing * (0.5 + (double)(along_x ? m % b.state.nx : m / b.state.nx));
        b.state.eta[m] = height * exp(-pow((at - 500e3) / width, 2));
        (along_x ? b.state.u : b.state.v)[m] = -c / depth * b.state.eta[m];
    }
    b.setup.step_s = 0.6 * spacing / c;
    struct ocean *ocean = basin_start(&b);
    *highest = 0;
    const int64_t steps = (int64_t)llround(1000e3 / (c * b.setup.step_s));
    for (int64_t step = 0; step < steps; step++) {
        const double from_edge_m = 500e3 - (double)(step + 1) * b.setup.step_s * c;
        ocean_advance(ocean, step, 1);
        if (fabs(from_edge_m) > width && step + 1 < steps)
            continue; // it is highest where it meets the wall
        ocean_get(ocean, &b.state);
        for (size_t m = 0; m < b.state.nx * b.state.ny; m++)
            *highest = fmax(*highest, b.state.eta[m] / height);
    }
    *back = 0; // what lies where the bell would be, and differs from it
    const double there = (double)steps * b.setup.step_s * c - 500e3;
    for (size_t m = 0; m < b.state.nx * b.state.ny; m++) {
        const double at = spacing * (0.5 + (double)(along_x ? m % b.state.nx : m / b.state.nx));
        const double bell = end == TSUNAMI_EDGE_WALL ? exp(-pow((at - there) / width, 2)) : 0;
        *back = fmax(*back, fabs(b.state.eta[m] / height - bell));
    }
    ocean_close(ocean);
    basin_free(&b);
}

TEST(bells_against_a_wall_and_an_open_edge)
{
    for (size_t v = 0; v < COUNT(variants); v++)
        for (int axis = 0; axis < 2; axis++) {
            double highest, back;
            run_bell(&variants[v], axis == 0, TSUNAMI_EDGE_WALL, &highest, &back);
            print_message("%s, wall across %s: %.4f as high, comes back with %.1e of difference\n",
                          ocean_variant_name(&variants[v]), axis == 0 ? "x" : "y", highest, back);
            assert_true(fabs(highest - 2) <= 0.005 && back <= 2e-3);
            run_bell(&variants[v], axis == 0, TSUNAMI_EDGE_OPEN, &highest, &back);
            print_message("%s, open edge across %s: %.1e comes back\n", ocean_variant_name(&variants[v]),
                          axis == 0 ? "x" : "y", back);
            assert_true(back <= 3e-3);
        }
}

// ---- conservation

// Kinetic and potential energy per density and area of a cell, from the nodes' velocities.
static double energy_of(const struct basin *b, const struct ocean *ocean)
{
    const struct tsunami_geometry *g = ocean_geometry(ocean);
    double sum = 0;
    for (size_t k = 0; k < b->state.nx * b->state.ny; k++)
        if (!isnan(b->state.eta[k])) {
            const double eta = b->state.eta[k], u = b->state.u[k], v = b->state.v[k];
            sum += 0.5 * g->cos_latitude[k / b->state.nx] *
                   (gravity * eta * eta + (b->depth[k] + eta) * (u * u + v * v));
        }
    return sum;
}

// A day in a closed basin on the sphere, from 33 degrees north, with islands and a rugged bottom.
static void check_day(const struct ocean_variant *v, bool has_land, double most_percent)
{
    const bool is_slow = v->backend == &tsunami_backend_reference;
    const size_t n = IS_SANITIZED || is_slow ? 60 : 80;
    struct basin b = basin_on_sphere(v, n, n, 0, 33, 0.1, 0, TSUNAMI_EDGE_WALL);
    basin_take_depth(&b, rugged_depth_new(n, n, has_land));
    state_add_bell(&b.state, 1, 0.4, 0.6, 12);
    b.setup.step_s = 20;
    struct ocean *ocean = basin_start(&b);
    ocean_get(ocean, &b.state);
    const double before = energy_of(&b, ocean), volume = ocean_volume_m3(ocean, &b.state);
    double drift = 0;
    const int64_t hours = IS_SANITIZED ? 3 : is_slow ? 6 : v->precision == ELEMENT_F32 ? 12 : 24;
    for (int64_t hour = 0; hour < hours; hour++) {
        ocean_advance(ocean, hour * 180, 180);
        ocean_get(ocean, &b.state);
        drift = fmax(drift, fabs(energy_of(&b, ocean) / before - 1));
    }
    const double leak = ocean_volume_m3(ocean, &b.state) / volume - 1;
    print_message("%s, %s: energy within %.3f %%, volume within %.1e\n", ocean_variant_name(v),
                  has_land ? "islands" : "no land", 100 * drift, leak);
    assert_true(100 * drift <= most_percent);
    assert_true(fabs(leak) <= (v->precision == ELEMENT_F32 ? 1e-5 : 1e-12));
    ocean_close(ocean);
    basin_free(&b);
}

TEST(a_day_keeps_energy_and_volume)
{
    for (size_t v = 0; v < COUNT(variants); v++)
        check_day(&variants[v], false, 0.1);
    check_day(&variants[COUNT(variants) - 1], true, 0.5); // beside coasts the nodes' means lose short waves
}

// ---- shallow water

// 3 m in water 15 to 45 m deep, every twentieth node an island, for days: nothing grows.
TEST(high_waves_in_shallow_water_stay_bounded)
{
    const size_t n = 60;
    for (size_t v = 0; v < COUNT(variants); v++) {
        struct basin b = basin_grid(&variants[v], n, n, 0, 0, 10e3, 0, TSUNAMI_EDGE_WALL);
        uint32_t random = 7;
        for (size_t k = 0; k < n * n; k++) {
            random = random * 1664525u + 1013904223u;
            b.depth[k] = random >> 8 < (1u << 24) / 20 ? 0 : 15 + 30 * (double)(random >> 8) / (1u << 24);
        }
        state_add_bell(&b.state, 3, 0.4, 0.55, 6);
        b.setup.has_coriolis = true;
        b.setup.plane_coriolis_per_s = 1e-4;
        b.setup.step_s = 240;
        b.setup.has_records = true;
        struct ocean *ocean = basin_start(&b);
        ocean_get(ocean, &b.state);
        const double before = energy_of(&b, ocean);
        const bool is_slow = variants[v].backend == &tsunami_backend_reference;
        ocean_advance(ocean, 0, IS_SANITIZED ? 200 : is_slow ? 400 : 1600);
        ocean_get(ocean, &b.state);
        double highest = 0;
        for (size_t k = 0; k < n * n; k++)
            highest = isnan(b.state.eta[k]) ? highest : fmax(highest, fabs(b.state.eta[k]));
        const double left = energy_of(&b, ocean) / before;
        print_message("%s: %.0f %% of the energy is left, at most %.2f m\n", ocean_variant_name(&variants[v]),
                      100 * left, highest);
        assert_true(left > 0.2 && left < 1 && highest < 3);
        ocean_close(ocean);
        basin_free(&b);
    }
}

// 60 m over the deep sea before a shelf with islands and a stair-step coast, which the wave draws down to its
// floor again and again: the flow is no faster than a long wave, and nothing grows. (Velocities without the
// bound are not finite after 100 steps.)
static void draw_down_shelf(const struct ocean_variant *v, bool is_rugged)
{
    const size_t n = 60;
    struct basin b = basin_grid(v, n, n, 0, 0, 4e3, 0, TSUNAMI_EDGE_WALL);
    uint32_t random = 11;
    for (size_t k = 0; k < n * n; k++) {
        random = random * 1664525u + 1013904223u;
        const double share = (double)(random >> 8) / (1u << 24), x = (double)(k % n) / (double)n;
        const double shelf = is_rugged ? 10 + 990 * pow(share, 3) : 10 + 20 * share;
        b.depth[k] = x > 0.6 ? 6000 : x < 0.06 || share < 0.15 ? 0 : shelf;
    }
    state_add_bell(&b.state, 60, 0.6, 0.5, 8);
    b.setup.has_coriolis = true;
    b.setup.plane_coriolis_per_s = 1e-4;
    b.setup.step_s = 9;
    struct ocean *ocean = basin_start(&b);
    double deepest = 0, fastest = 0; // of the draw-down over the depth; of the flow over √(g d)
    for (int64_t step = 0; step < (IS_SANITIZED ? 140 : 400); step += 20) {
        ocean_advance(ocean, step, 20);
        ocean_get(ocean, &b.state);
        for (size_t k = 0; k < n * n; k++)
            if (b.depth[k] > 0) {
                const double speed_m_s = hypot(b.state.u[k], b.state.v[k]);
                assert_true(isfinite(speed_m_s));
                deepest = fmin(deepest, b.state.eta[k] / b.depth[k]);
                fastest = fmax(fastest, speed_m_s / sqrt(gravity * b.depth[k]));
            }
    }
    print_message("%s: drawn down to %.2f of the depth, speeds to %.2f of a long wave's\n",
                  ocean_variant_name(v), deepest, fastest);
    assert_true(deepest < -0.9 && fastest < 3);
    ocean_close(ocean);
    basin_free(&b);
}

TEST(drawn_down_shelves_stay_bounded)
{
    for (size_t v = 0; v < COUNT(variants); v++)
        for (int rugged = 0; rugged < 2; rugged++)
            draw_down_shelf(&variants[v], rugged == 1);
}

// A step is judged by the method's own limit, which is shorter than that of sweeps along one axis.
TEST(guard_takes_the_limit_of_two_axes)
{
    const struct tsunami_node node = {0, 0, 0, 4000, -INFINITY}, fast = {0, 30, 0, 4000, -INFINITY},
                              broken = {0, 0, NAN, 4000, -INFINITY};
    const double dx = 5e3, dy = 7e3;
    const double limit_s = 0.974 / (sqrt(gravity * 4000) * sqrt(1 / (dx * dx) + 1 / (dy * dy)));
    assert_true(tsunami_staggered_is_valid(node, dx, dy, gravity, limit_s));
    assert_false(tsunami_staggered_is_valid(node, dx, dy, gravity, 1.01 * limit_s));
    assert_true(tsunami_node_is_valid(node, dx, dy, gravity, 1.01 * limit_s));
    assert_false(tsunami_staggered_is_valid(fast, dx, dy, gravity, limit_s));
    assert_true(tsunami_staggered_is_valid(fast, dx, dy, gravity, 0.8 * limit_s));
    assert_false(tsunami_staggered_is_valid(broken, dx, dy, gravity, 0.1 * limit_s));
}

// ---- coasts: no new extremes

enum { COAST_NODES = 60, COAST_PARTS = 3 };

// A coast in steps of a node, islands of one to some nodes, a strait of one node, by the coarse grid's cells.
static bool is_coast_land(size_t i, size_t j)
{
    const size_t n = COAST_NODES;
    const bool is_diagonal = i + j < n / 2 || (i > n - 8 && (i + 3 * j) % 5 < 2);
    const bool is_island = (i * 7 + j * 13) % 61 == 0 && i > 8 && j > 8;
    const bool is_barrier = i == 3 * n / 4 && j > n / 3 && j < 2 * n / 3 && j != n / 2;
    return is_diagonal || is_island || is_barrier;
}

// The highest and the lowest elevation of every cell of the coarse grid, over the run, on a grid with `parts`
// nodes along a side of a cell. `radius` of the bell: in cells.
static void run_coast(const struct ocean_variant *v, size_t parts, double radius, double *highest,
                      double *lowest)
{
    const size_t n = COAST_NODES * parts;
    const double coarse = 6e3, spacing = coarse / (double)parts, first = 0.5 * (spacing - coarse);
    struct basin b = basin_grid(v, n, n, first, first, spacing, 0, TSUNAMI_EDGE_WALL);
    for (size_t k = 0; k < n * n; k++) {
        const double x = b.x[k % n], y = b.y[k / n];
        const double depth = 3000 + 2000 * sin(x / 50e3) * cos(y / 40e3);
        b.depth[k] = is_coast_land(k % n / parts, k / n / parts) ? 0 : depth;
        const double r2 = pow(x - 200e3, 2) + pow(y - 190e3, 2);
        b.state.eta[k] = exp(-r2 / pow(radius * coarse, 2));
    }
    b.setup.step_s = 16 / (double)parts;
    struct ocean *ocean = basin_start(&b);
    for (size_t c = 0; c < (size_t)COAST_NODES * COAST_NODES; c++)
        highest[c] = lowest[c] = 0;
    for (int64_t step = 0; step < 150; step++) {
        ocean_advance(ocean, step * (int64_t)parts, (int64_t)parts);
        ocean_get(ocean, &b.state);
        for (size_t k = 0; k < n * n; k++) {
            const size_t c = k / n / parts * COAST_NODES + k % n / parts;
            if (!(b.depth[k] > 0))
                continue;
            highest[c] = fmax(highest[c], b.state.eta[k]);
            lowest[c] = fmin(lowest[c], b.state.eta[k]);
        }
    }
    ocean_close(ocean);
    basin_free(&b);
}

// How far (m) the extremes of a bell 1 m high lie outside what three times as many nodes along a side show in
// the cell and the eight about it.
static void check_extremes(const struct ocean_variant *v, double radius, double most_m)
{
    static double high[COAST_NODES * COAST_NODES], low[COAST_NODES * COAST_NODES],
        fine_high[COAST_NODES * COAST_NODES], fine_low[COAST_NODES * COAST_NODES];
    run_coast(v, 1, radius, high, low);
    run_coast(v, COAST_PARTS, radius, fine_high, fine_low);
    double over = 0, under = 0;
    for (size_t c = 0; c < (size_t)COAST_NODES * COAST_NODES; c++) {
        const size_t i = c % COAST_NODES, j = c / COAST_NODES;
        double most = 0, least = 0;
        for (size_t m = j > 0 ? j - 1 : 0; m <= j + 1 && m < COAST_NODES; m++)
            for (size_t l = i > 0 ? i - 1 : 0; l <= i + 1 && l < COAST_NODES; l++) {
                most = fmax(most, fine_high[m * COAST_NODES + l]);
                least = fmin(least, fine_low[m * COAST_NODES + l]);
            }
        over = fmax(over, high[c] - most);
        under = fmax(under, least - low[c]);
    }
    print_message("%s, bell of %g nodes: over by %.4f m, under by %.4f m of 1 m\n", ocean_variant_name(v),
                  radius, over, under);
    assert_true(over > 0 || under > 0); // the grids differ
    assert_true(over <= most_m && under <= most_m);
}

// Beside coasts in steps, islands and bays of one node, which the grid hardly resolves. (vtcs2-o2 against its
// own finer grid: 0.064 and 0.086 m.)
TEST(coasts_bring_no_new_extremes)
{
    const struct ocean_variant *v = &variants[COUNT(variants) - 1];
    check_extremes(v, 8, 0.08);
    check_extremes(v, 5, 0.035);
}
