// Given waves at edges, for every method. Waves from a larger domain, given through its solver's
// gather_edges, have the same elevation inside as in the larger domain. Without given data the edge is open,
// bit for bit. A given elevation without velocity makes the wave that travels away from the edge.
#include "tests/support/test.h"

#include "tests/support/basin.h"

static const double pi = 3.14159265358979323846;

static const struct ocean_variant variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK}};
enum { VARIANTS = sizeof variants / sizeof *variants };

// ---- a domain in a larger one ----

enum {
    OUTER_NX = 150,
    OUTER_NY = 130,
    FIRST_COLUMN = 40,
    FIRST_ROW = 35,
    COLUMNS = 61,
    ROWS = 51,
    PARENT_STEPS = 70
};
static const double spacing_m = 500, parent_step_s = 2;

static double sea_depth_m(double x_m, double y_m)
{
    return 1000 + 200 * sin(x_m / 9000) * cos(y_m / 11000) + 100 * cos((x_m + y_m) / 15000);
}

struct level {
    struct basin basin;
    struct ocean *ocean;
    struct tsunami_given_edge given[TSUNAMI_SIDES];
    struct tsunami_link *links;
};

// Makes a level from (west, south) on, with a wave that travels to the north-east; at the start a part of it
// is inside the child.
static struct level level_new(const struct ocean_variant *v, size_t nx, size_t ny, double west_m,
                              double south_m, double node_m, double step_s, enum tsunami_edge edge)
{
    struct level l = {.basin = basin_grid(v, nx, ny, west_m, south_m, node_m, 0, edge)};
    struct basin *b = &l.basin;
    b->setup.step_s = step_s;
    b->setup.skips_quiet_tiles = true;
    for (size_t k = 0; k < nx * ny; k++) {
        const double x_m = b->x[k % nx], y_m = b->y[k / nx], x = x_m - 18000, y = y_m - 17000;
        b->depth[k] = sea_depth_m(x_m, y_m);
        b->state.eta[k] = 2 * exp(-(x * x + y * y) / (2 * 5000.0 * 5000.0));
        b->state.u[k] = 0.7 * b->state.eta[k] * sqrt(OCEAN_GRAVITY_M_S2 / b->depth[k]);
        b->state.v[k] = 0.5 * b->state.eta[k] * sqrt(OCEAN_GRAVITY_M_S2 / b->depth[k]);
    }
    return l;
}

static void level_free(struct level *l)
{
    if (l->ocean)
        ocean_close(l->ocean);
}

// The position of a node of the child's sides in the parent. Finite volumes need the data at the outer face
// of the cell.
static struct tsunami_link link_to(const struct basin *child, enum tsunami_side side, size_t node)
{
    const double h = child->x[1] - child->x[0];
    const double outward = tsunami_method_has_cells(child->setup.method) ? 0.5 * h : 0;
    const size_t nx = child->setup.nx, ny = child->setup.ny;
    const bool along_y = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    double x = child->x[along_y ? (side == TSUNAMI_WEST ? 0 : nx - 1) : node];
    double y = child->y[along_y ? node : side == TSUNAMI_SOUTH ? 0 : ny - 1];
    x += side == TSUNAMI_WEST ? -outward : side == TSUNAMI_EAST ? outward : 0;
    y += side == TSUNAMI_SOUTH ? -outward : side == TSUNAMI_NORTH ? outward : 0;
    const double column = x / spacing_m, row = y / spacing_m;
    const double fx = column - floor(column), fy = row - floor(row);
    return (struct tsunami_link){.column = (size_t)column,
                                 .row = (size_t)row,
                                 .weights = {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy}};
}

static void open_child(struct level *child, struct level *parent, int64_t ratio)
{
    struct ocean_setup *setup = &child->basin.setup;
    const size_t nx = setup->nx, ny = setup->ny;
    child->links = owned_zeros(2 * (nx + ny), sizeof *child->links);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        struct tsunami_given_edge *edge = &child->given[side];
        edge->nodes = side <= TSUNAMI_EAST ? ny : nx;
        edge->slots = 2;
        edge->steps_per_record = ratio;
        edge->has_velocity = true;
        edge->values = array_new(2 * 3 * edge->nodes);
        for (size_t node = 0; node < edge->nodes; node++)
            child->links[setup->link_count++] = link_to(&child->basin, (enum tsunami_side)side, node);
    }
    setup->given = child->given;
    setup->parent = parent->ocean;
    setup->links = child->links;
    child->ocean = basin_start(&child->basin);
    ocean_gather(child->ocean, 0);
}

// The largest difference of η at the common nodes, over the wave's height, after the wave has passed.
static double difference_inside(const struct ocean_variant *v, int64_t ratio)
{
    struct level parent = level_new(v, OUTER_NX, OUTER_NY, 0, 0, spacing_m, parent_step_s, TSUNAMI_EDGE_OPEN);
    parent.ocean = basin_start(&parent.basin);
    const size_t n = (size_t)ratio, nx = (COLUMNS - 1) * n + 1, ny = (ROWS - 1) * n + 1;
    struct level child = level_new(v, nx, ny, FIRST_COLUMN * spacing_m, FIRST_ROW * spacing_m,
                                   spacing_m / (double)n, parent_step_s / (double)n, TSUNAMI_EDGE_GIVEN);
    open_child(&child, &parent, ratio);
    const struct ocean_state *outer = &parent.basin.state, *inner = &child.basin.state;
    double largest = 0, height = 0;
    for (int64_t step = 0; step < PARENT_STEPS; step++) {
        ocean_advance(parent.ocean, step, 1);
        ocean_gather(child.ocean, (size_t)((step + 1) % 2));
        ocean_advance(child.ocean, step * ratio, ratio);
        ocean_get(parent.ocean, &parent.basin.state);
        ocean_get(child.ocean, &child.basin.state);
        for (size_t j = 0; j < ROWS; j++)
            for (size_t i = 0; i < COLUMNS; i++) {
                const double eta = outer->eta[(FIRST_ROW + j) * OUTER_NX + FIRST_COLUMN + i];
                largest = fmax(largest, fabs(inner->eta[j * n * nx + i * n] - eta));
                height = fmax(height, fabs(eta));
            }
    }
    level_free(&child);
    level_free(&parent);
    assert_true(height > 1 && height < 4);
    return largest / height;
}

// A node on the edge has one neighbour along the axis, the same node of the larger domain two. So the
// difference is the truncation error of the edge (first order): some thousandths for a wave of 20 nodes. If
// the child has three steps and three nodes for each of the parent's, the difference also includes the errors
// of the interpolation and of the parent.
TEST(a_nested_domain_agrees_with_a_larger_one)
{
    for (int k = 0; k < VARIANTS; k++) {
        const double same = difference_inside(&variants[k], 1);
        const bool is_slow = variants[k].backend == &tsunami_backend_reference || IS_SANITIZED;
        const double finer = is_slow ? 0 : difference_inside(&variants[k], 3);
        print_message(
            "%s: inside a larger domain, differs by %.2f %% of the wave; three times as fine by %.2f %%\n",
            ocean_variant_name(&variants[k]), 100 * same, 100 * finer);
        assert_true(same > 0); // the edges were computed
        assert_true(same <= 0.015);
        assert_true(finer <= 0.01);
    }
}

// ---- nothing given ----

TEST(without_given_data_an_edge_is_open)
{
    for (int k = 0; k < VARIANTS; k++) {
        struct level open =
            level_new(&variants[k], 70, 60, 0, 0, spacing_m, parent_step_s, TSUNAMI_EDGE_OPEN);
        struct level given =
            level_new(&variants[k], 70, 60, 0, 0, spacing_m, parent_step_s, TSUNAMI_EDGE_GIVEN);
        for (int side = 0; side < TSUNAMI_SIDES; side++) {
            struct tsunami_given_edge *edge = &given.given[side];
            *edge = (struct tsunami_given_edge){
                .nodes = 1, .slots = 2, .steps_per_record = 1000, .has_velocity = side % 2 == 0};
            edge->values = array_new(6);
            for (int n = 0; n < 6; n++)
                edge->values[n] = NAN;
        }
        given.basin.setup.given = given.given;
        basin_advance(&open.basin, 0, 60);
        basin_advance(&given.basin, 0, 60);
        assert_int_equal(state_unequal(&open.basin.state, &given.basin.state, NULL), 0);
        level_free(&open);
        level_free(&given);
    }
}

// ---- a wave maker ----

// η at the western end of a channel of 100 m depth: one smooth crest of height `height_m` and a duration of
// 40 s.
static double maker_m(double t_s, double height_m)
{
    return t_s > 0 && t_s < 40 ? 0.5 * height_m * (1 - cos(2 * pi * t_s / 40)) : 0;
}

// A low wave has the given elevation at a later time: η(x, t) = η(0, t − x/c). A wave of 1 cm in a depth of
// 100 m steepens by 1.5 η/d times the distance it has travelled: here 0.03 m of its length of 1250 m.
static void check_maker(const struct ocean_variant *v, bool has_velocity)
{
    enum { N = 200, STEPS = 150, STEPS_PER_RECORD = 3 };
    const double d = 100, height_m = 0.01, c = sqrt(OCEAN_GRAVITY_M_S2 * d), node_m = 20,
                 step_s = 0.4 * node_m / c;
    const bool has_cells = tsunami_method_has_cells(v->method);
    struct basin b = basin_grid(v, N, 3, has_cells ? 0.5 * node_m : 0, 0, node_m, 0, TSUNAMI_EDGE_WALL);
    basin_fill_depth(&b, d);
    basin_set_edges(&b, TSUNAMI_EDGE_GIVEN, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL);
    enum { SLOTS = STEPS * 3 / STEPS_PER_RECORD + 2 };
    struct tsunami_given_edge given[TSUNAMI_SIDES] = {
        {.nodes = 1, .slots = SLOTS, .steps_per_record = STEPS_PER_RECORD, .has_velocity = has_velocity}};
    given[TSUNAMI_WEST].values = array_new((size_t)SLOTS * 3);
    for (size_t slot = 0; slot < SLOTS; slot++) {
        const double eta = maker_m((double)slot * STEPS_PER_RECORD * step_s, height_m);
        given[TSUNAMI_WEST].values[slot * 3] = eta;
        given[TSUNAMI_WEST].values[slot * 3 + 1] = 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (d + eta)) - c);
    }
    b.setup.step_s = step_s;
    b.setup.given = given;
    b.setup.skips_quiet_tiles = true;
    basin_advance(&b, 0, 3 * STEPS);
    double largest = 0, crest = 0;
    for (size_t i = 0; i < N; i++) {
        const double exact = maker_m(3 * STEPS * step_s - b.x[i] / c, height_m);
        largest = fmax(largest, fabs(b.state.eta[N + i] - exact) / height_m);
        crest = fmax(crest, exact / height_m);
        assert_true(b.state.v[N + i] == 0);
    }
    print_message("%s, a wave maker %s: differs from the travelling wave by %.2f %% of its height\n",
                  ocean_variant_name(v), has_velocity ? "with velocity" : "of the surface alone",
                  100 * largest);
    assert_true(crest > 0.99);
    assert_true(largest <= 0.025); // the error of both schemes for a crest of 60 nodes
}

TEST(a_surface_given_at_an_edge_travels_in)
{
    for (int k = 0; k < VARIANTS; k++) {
        check_maker(&variants[k], false);
        check_maker(&variants[k], true);
    }
}
