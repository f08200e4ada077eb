// Open edges of the method `c-grid-6`: nothing grows at them, in their corners or beside steep bottoms, up
// to the largest step allowed; and waves leave through them, of order 2.
#include "tests/support/test.h"

#include "tests/support/basin.h"

static const double gravity = OCEAN_GRAVITY_M_S2, spacing_m = 1e3;

#define OPENMP(p)                                                                                            \
    {                                                                                                        \
        &tsunami_backend_openmp, p, TSUNAMI_C_GRID_6                                                         \
    }
static const struct ocean_variant variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_C_GRID_6}, OPENMP(ELEMENT_F64), OPENMP(ELEMENT_F32)};

// ---- nothing grows

// Depths of 1000 m times: `ratio` at the edge's nodes; or from 1 to `ratio` at random, the logarithm
// uniformly.
struct edge_case {
    const char *name;
    size_t nx, ny;
    bool is_open[TSUNAMI_SIDES];
    double ratio;
    bool is_random;
    double courant; // c Δt √(1/Δx² + 1/Δy²); allowed: 0.92
    int64_t steps;
};

enum { LIMIT_PARTS = 10 };

static double random_share(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1u << 24);
}

static struct basin basin_of(const struct edge_case *c, const struct ocean_variant *v)
{
    struct basin b = basin_grid(v, c->nx, c->ny, 0, 0, spacing_m, 0, TSUNAMI_EDGE_WALL);
    enum tsunami_edge edges[TSUNAMI_SIDES];
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        edges[side] = c->is_open[side] ? TSUNAMI_EDGE_OPEN : TSUNAMI_EDGE_WALL;
    basin_set_edges(&b, edges[TSUNAMI_WEST], edges[TSUNAMI_EAST], edges[TSUNAMI_SOUTH], edges[TSUNAMI_NORTH]);
    uint32_t random = 5;
    double deepest = 0;
    for (size_t k = 0; k < c->nx * c->ny; k++) {
        const size_t i = k % c->nx, j = k / c->nx;
        const bool is_edge =
            (i == 0 && c->is_open[TSUNAMI_WEST]) || (i == c->nx - 1 && c->is_open[TSUNAMI_EAST]) ||
            (j == 0 && c->is_open[TSUNAMI_SOUTH]) || (j == c->ny - 1 && c->is_open[TSUNAMI_NORTH]);
        const double times = c->is_random ? pow(c->ratio, random_share(&random)) : is_edge ? c->ratio : 1;
        b.depth[k] = 1000 * times;
        deepest = fmax(deepest, b.depth[k]);
        b.state.eta[k] = 1e-3 * (random_share(&random) - 0.5); // waves of all lengths
    }
    b.setup.step_s = c->courant * spacing_m / sqrt(2 * gravity * deepest);
    return b;
}

static double squares(const struct basin *b)
{
    double sum = 0;
    for (size_t k = 0; k < b->state.nx * b->state.ny; k++)
        sum += b->state.eta[k] * b->state.eta[k];
    return sum;
}

// The energy is a quadratic form of the state that never grows, and in which η² counts 0.7 to 1 times; so the
// sum of η² stays below 1.5 times that of the start from rest.
static void check_growth(const struct edge_case *c, const struct ocean_variant *v)
{
    struct basin b = basin_of(c, v);
    struct ocean *ocean = basin_start(&b);
    const double before = squares(&b);
    // What grows is a property of the scheme, which all share: in double it is waited for longest.
    const bool is_slow = IS_SANITIZED || v->backend == &tsunami_backend_reference;
    const int64_t steps = is_slow                       ? c->steps / 20
                          : v->precision == ELEMENT_F32 ? c->steps / 4
                                                        : c->steps,
                  part = steps / LIMIT_PARTS;
    double most = 0, left = 0;
    for (int k = 0; k < LIMIT_PARTS; k++) {
        ocean_advance(ocean, k * part, part);
        ocean_get(ocean, &b.state);
        left = squares(&b) / before;
        most = fmax(most, left);
    }
    print_message("%s, %s, ratio %g, courant %g: at most %.2e, at the end %.2e of the squares\n",
                  ocean_variant_name(v), c->name, c->ratio, c->courant, most, left);
    assert_true(most <= 1.5);
    ocean_close(ocean);
    basin_free(&b);
}

#define ALL                                                                                                  \
    {                                                                                                        \
        true, true, true, true                                                                               \
    }
#define ONLY_WEST                                                                                            \
    {                                                                                                        \
        [TSUNAMI_WEST] = true                                                                                \
    }
#define WEST_AND_NORTH                                                                                       \
    {                                                                                                        \
        [TSUNAMI_WEST] = true, [TSUNAMI_NORTH] = true                                                        \
    }

TEST(nothing_grows_at_open_edges)
{
    static const struct edge_case cases[] = {
        {"corners, even bottom", 30, 30, ALL, 1, false, 0.92, 4000},
        {"corners, even bottom", 12, 12, WEST_AND_NORTH, 1, false, 0.83, 10000},
        {"corners, another depth at the edges", 12, 12, ALL, 4, false, 0.92, 10000},
        {"corners, another depth at the edges", 12, 12, ALL, 0.25, false, 0.92, 10000},
        {"corners, another depth at the edges", 12, 12, WEST_AND_NORTH, 2, false, 0.45, 10000},
        {"an edge of another depth", 12, 5, ONLY_WEST, 4, false, 0.92, 20000},
        {"an edge of another depth", 12, 5, ONLY_WEST, 4, false, 0.4, 20000},
        {"an edge of another depth", 12, 5, ONLY_WEST, 2, false, 0.62, 20000},
        {"an edge of another depth", 12, 5, ONLY_WEST, 2, false, 0.42, 20000},
        {"an edge of another depth", 12, 5, ONLY_WEST, 0.5, false, 0.92, 20000},
        {"an edge of another depth", 12, 5, ONLY_WEST, 0.25, false, 0.42, 20000},
        {"a rugged bottom", 13, 9, ALL, 4, true, 0.92, 20000},
        {"a rugged bottom", 9, 13, WEST_AND_NORTH, 4, true, 0.5, 20000},
        {"the smallest grid", 4, 4, ALL, 4, true, 0.92, 20000}};
    for (size_t k = 0; k < COUNT(cases); k++)
        for (size_t v = 0; v < COUNT(variants); v++)
            check_growth(&cases[k], &variants[v]);
}

// ---- waves leave

// The largest elevation that a bell 1 cm high leaves behind over 4000 m, in shares of its height.
// `radius`: of the bell in nodes; `courant`: c Δt over the spacing.
static double left_behind(const struct ocean_variant *v, bool along_x, double radius, double courant)
{
    const size_t n = (size_t)(9 * radius);
    const double depth = 4000, c = sqrt(gravity * depth), height = 0.01, start = 4.5 * radius;
    struct basin b =
        basin_grid(v, along_x ? n : 4, along_x ? 4 : n, 0, 0, spacing_m, 0, TSUNAMI_EDGE_PERIODIC);
    basin_set_ends(&b, along_x, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(&b, depth);
    for (size_t k = 0; k < b.state.nx * b.state.ny; k++) {
        const double at = 0.5 + (double)(along_x ? k % b.state.nx : k / b.state.nx);
        b.state.eta[k] = height * exp(-pow((at - start) / radius, 2));
        (along_x ? b.state.u : b.state.v)[k] = -c / depth * b.state.eta[k];
    }
    b.setup.step_s = courant * spacing_m / c;
    basin_advance(&b, 0, (int64_t)llround(9 * radius / courant));
    double most = 0;
    for (size_t k = 0; k < b.state.nx * b.state.ny; k++)
        most = fmax(most, fabs(b.state.eta[k]));
    basin_free(&b);
    return most / height;
}

TEST(waves_leave_of_second_order)
{
    static const double courants[] = {0.1, 0.6};
    for (size_t v = 0; v < COUNT(variants); v++)
        for (size_t k = 0; k < COUNT(courants); k++)
            for (int axis = 0; axis < 2; axis++) {
                const double coarse = left_behind(&variants[v], axis == 0, 10, courants[k]),
                             fine = left_behind(&variants[v], axis == 0, 20, courants[k]);
                const double order = log2(coarse / fine);
                print_message(
                    "%s, along %s, courant %g: %.2e and %.2e of a bell of 10 and 20 nodes stay: order "
                    "%.2f\n",
                    ocean_variant_name(&variants[v]), axis == 0 ? "x" : "y", courants[k], coarse, fine,
                    order);
                assert_true(coarse <= 2e-3 && order >= 1.8);
            }
}

// A round bell leaves a basin as it would leave the same place in a wide one, but for what an edge throws
// back of waves that meet it askew: (1 − cos a)/(1 + cos a) at the angle a, 0.17 at 45 degrees. Returns
// the largest difference over the bell's height.
static double round_bell(const struct ocean_variant *v)
{
    // What the wide basin's edges throw back does not come into the place by then.
    enum { SMALL = 60, WIDE = 150, STEPS = 150, PART = 10 };
    struct basin basins[2];
    struct ocean *oceans[2];
    for (int m = 0; m < 2; m++) {
        const size_t n = m == 0 ? SMALL : WIDE;
        basins[m] = basin_grid(v, n, n, 0, 0, spacing_m, 0, TSUNAMI_EDGE_OPEN);
        basin_fill_depth(&basins[m], 4000);
        state_add_bell(&basins[m].state, 0.01, 0.5, 0.5, 10);
        basins[m].setup.step_s = 0.6 * spacing_m / sqrt(gravity * 4000);
        oceans[m] = basin_start(&basins[m]);
    }
    double most = 0;
    for (int64_t step = 0; step < STEPS; step += PART) {
        for (int m = 0; m < 2; m++) {
            ocean_advance(oceans[m], step, PART);
            ocean_get(oceans[m], &basins[m].state);
        }
        for (size_t k = 0; k < (size_t)SMALL * SMALL; k++) {
            const size_t i = k % SMALL + (WIDE - SMALL) / 2, j = k / SMALL + (WIDE - SMALL) / 2;
            most = fmax(most, fabs(basins[0].state.eta[k] - basins[1].state.eta[j * WIDE + i]));
        }
    }
    for (int m = 0; m < 2; m++) {
        ocean_close(oceans[m]);
        basin_free(&basins[m]);
    }
    return most / 0.01;
}

TEST(a_round_bell_leaves_a_small_basin)
{
    for (size_t v = 0; v < COUNT(variants); v++) {
        const double most = round_bell(&variants[v]);
        print_message("%s: within %.4f of the bell's height\n", ocean_variant_name(&variants[v]), most);
        assert_true(most <= 0.08);
    }
}
