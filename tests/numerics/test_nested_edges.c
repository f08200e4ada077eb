// A wave that runs ALONG the edges of a nested grid: what is given there already holds the way that the wave
// goes along the edge in a step, which the sweep along the edge must not add once more. Parent and child have
// the same nodes and steps here, so that every difference between them is the edges'.
#include "tests/support/test.h"

#include "tests/support/basin.h"

static const struct ocean_variant variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2},
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_SHORE},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_SHORE},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2_SHORE}};
enum { VARIANTS = sizeof variants / sizeof *variants };

// Nodes along the wave's way and across it; the child's part of both.
enum { ALONG = 180, ACROSS = 24, FIRST_ALONG = 60, FIRST_ACROSS = 6, CHILD_ALONG = 61, CHILD_ACROSS = 13 };

static const double depth_m = 1000, spacing_m = 500, height_m = 1, length_nodes = 10;

struct grid {
    struct basin basin;
    struct tsunami_given_edge given[TSUNAMI_SIDES];
    struct tsunami_link *links;
    struct ocean *ocean;
};

// With a low crest that travels along x or y only: a simple wave.
static struct grid grid_new(const struct ocean_variant *v, bool is_along_x, size_t along, size_t across,
                            size_t first_along, size_t first_across, double step_s)
{
    const double first_x = spacing_m * (double)(is_along_x ? first_along : first_across);
    const double first_y = spacing_m * (double)(is_along_x ? first_across : first_along);
    struct grid g = {.basin = basin_grid(v, is_along_x ? along : across, is_along_x ? across : along, first_x,
                                         first_y, spacing_m, 0, TSUNAMI_EDGE_OPEN)};
    struct basin *b = &g.basin;
    basin_set_ends(b, is_along_x, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(b, depth_m);
    b->setup.step_s = step_s;
    b->setup.skips_quiet_tiles = true;
    for (size_t k = 0; k < along * across; k++) {
        const double place = (is_along_x ? b->x[k % b->setup.nx] : b->y[k / b->setup.nx]) / spacing_m;
        const double share = (place - FIRST_ALONG + 2 * length_nodes) / length_nodes,
                     eta = height_m * exp(-share * share);
        b->state.eta[k] = eta;
        (is_along_x ? b->state.u : b->state.v)[k] =
            2 * (sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + eta)) - sqrt(OCEAN_GRAVITY_M_S2 * depth_m));
    }
    return g;
}

// Given all round, or, a strip of its parent as long as it is, on the two sides along the wave's way alone.
static void open_child(struct grid *g, const struct grid *parent, bool is_along_x, bool is_strip)
{
    struct ocean_setup *setup = &g->basin.setup;
    const size_t nx = setup->nx, ny = setup->ny;
    g->links = owned_zeros(2 * (nx + ny), sizeof *g->links);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const size_t nodes = side < TSUNAMI_SOUTH ? ny : nx;
        if (is_strip && is_along_x == (side < TSUNAMI_SOUTH))
            continue; // as its parent's
        setup->edges[side] = TSUNAMI_EDGE_GIVEN;
        g->given[side] = (struct tsunami_given_edge){.nodes = nodes,
                                                     .slots = 2,
                                                     .steps_per_record = 1,
                                                     .has_velocity = true,
                                                     .values = array_new(2 * 3 * nodes)};
        for (size_t k = 0; k < nodes; k++) {
            const size_t i = side == TSUNAMI_WEST ? 0 : side == TSUNAMI_EAST ? nx - 1 : k;
            const size_t j = side == TSUNAMI_SOUTH ? 0 : side == TSUNAMI_NORTH ? ny - 1 : k;
            g->links[setup->link_count++] =
                (struct tsunami_link){.column = i + (size_t)lround(g->basin.x[0] / spacing_m),
                                      .row = j + (size_t)lround(g->basin.y[0] / spacing_m),
                                      .weights = {1, 0, 0, 0}};
        }
    }
    setup->given = g->given;
    setup->parent = parent->ocean;
    setup->links = g->links;
    g->ocean = basin_start(&g->basin);
    ocean_gather(g->ocean, 0);
}

// The child's largest difference from its parent, as a share of the wave: of η, and of the velocity across
// the wave's way, which is none, as the elevation of a wave with that velocity.
struct errors {
    double eta, across;
};

static void compare(const struct basin *parent, const struct basin *child, bool is_along_x, struct errors *e)
{
    const size_t first_i = (size_t)lround(child->x[0] / spacing_m);
    const size_t first_j = (size_t)lround(child->y[0] / spacing_m);
    const double *across = is_along_x ? child->state.v : child->state.u;
    for (size_t j = 0; j < child->setup.ny; j++)
        for (size_t i = 0; i < child->setup.nx; i++) {
            const size_t own = j * child->setup.nx + i;
            const size_t there = (first_j + j) * parent->setup.nx + first_i + i;
            e->eta = fmax(e->eta, fabs(child->state.eta[own] - parent->state.eta[there]) / height_m);
            e->across = fmax(e->across, fabs(across[own]) * sqrt(depth_m / OCEAN_GRAVITY_M_S2) / height_m);
        }
}

// While the crest goes through the child, in steps of this Courant number.
static struct errors errors_of(const struct ocean_variant *v, bool is_along_x, bool is_strip, double courant)
{
    const double step_s = courant * spacing_m / sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
    const int64_t steps = lround(80 / courant);
    struct grid parent = grid_new(v, is_along_x, ALONG, ACROSS, 0, 0, step_s);
    struct grid child = grid_new(v, is_along_x, is_strip ? ALONG : CHILD_ALONG, CHILD_ACROSS,
                                 is_strip ? 0 : FIRST_ALONG, FIRST_ACROSS, step_s);
    struct errors errors = {0};
    parent.ocean = basin_start(&parent.basin);
    open_child(&child, &parent, is_along_x, is_strip);
    for (int64_t step = 0; step < steps; step++) {
        ocean_advance(parent.ocean, step, 1);
        ocean_gather(child.ocean, (size_t)((step + 1) % 2));
        ocean_advance(child.ocean, step, 1);
        ocean_get(parent.ocean, &parent.basin.state);
        ocean_get(child.ocean, &child.basin.state);
        compare(&parent.basin, &child.basin, is_along_x, &errors);
    }
    ocean_close(child.ocean);
    ocean_close(parent.ocean);
    return errors;
}

// Nothing crosses the edges: the strip must do what its parent does, but for rounding, in its sweeps of
// either order. (Given once, at the end of the step, before the sweep along the edge, the wave was 2.8 % too
// early there, in proportion to the step.)
TEST(a_wave_along_an_edge_is_given_once)
{
    for (int k = 0; k < VARIANTS; k++)
        for (int is_along_x = 0; is_along_x < 2; is_along_x++) {
            const struct ocean_variant *v = &variants[k];
            const struct errors e = errors_of(v, is_along_x, true, 0.4);
            const double rounding = v->precision == ELEMENT_F32 ? 2e-6 : 1e-12;
            print_message("%s, strip along %s: eta %.1e, across %.1e of the wave\n", ocean_variant_name(v),
                          is_along_x ? "x" : "y", e.eta, e.across);
            assert_true(e.eta <= rounding && e.across <= rounding);
        }
}

// The two sides that the wave goes in and out through know one neighbour each: their truncation, of the
// spacing, is what is left, and at the corners some of the step's. (Given once, this was 5.8 to 7 %, and with
// a quarter of the step a quarter of that.)
TEST(given_all_round_it_does_nearly_as_its_parent)
{
    for (int k = 0; k < VARIANTS; k++)
        for (int is_along_x = 0; is_along_x < 2; is_along_x++) {
            const struct ocean_variant *v = &variants[k];
            const struct errors coarse = errors_of(v, is_along_x, false, 0.8),
                                fine = errors_of(v, is_along_x, false, 0.2);
            print_message("%s, along %s: eta %.2f %%, across %.2f %% of the wave; with a quarter of the step "
                          "%.2f, %.2f %%\n",
                          ocean_variant_name(v), is_along_x ? "x" : "y", 100 * coarse.eta,
                          100 * coarse.across, 100 * fine.eta, 100 * fine.across);
            assert_true(coarse.eta > 0);
            assert_true(coarse.eta <= 0.01 && fine.eta <= 0.006);
            assert_true(coarse.across <= 0.01 && fine.across <= 0.006);
        }
}
