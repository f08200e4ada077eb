// What is given at edges, for every method: waves given by a larger domain through its solver's own
// gather_edges do inside what they do in the larger domain; where nothing is given the edge is open, bit for
// bit; and a surface alone that is given at an edge makes the wave that travels away from it.
#include "tests/support/test.h"

#include "tests/support/tsunami_fixture.h"

static const double pi = 3.14159265358979323846;

static const struct variant {
    const struct tsunami_backend *backend;
    enum element precision;
    enum tsunami_method method;
} variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2_O2},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *name_of(const struct variant *v)
{
    static char text[80];
    snprintf(text, sizeof text, "%s %s %s", v->backend->head.name, precision_name(v->precision),
             method_name(v->method));
    return text;
}

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
    struct ocean_setup setup;
    double *x, *y, *depth;
    struct ocean *ocean;
    struct tsunami_given_edge given[TSUNAMI_SIDES];
    struct tsunami_link *links;
};

// Nodes from (west, south) on.
static struct level level_new(const struct variant *v, size_t nx, size_t ny, double west_m, double south_m,
                              double node_m, double step_s, enum tsunami_edge edge)
{
    struct level l = {.x = axis_new(nx, west_m, node_m, 0),
                      .y = axis_new(ny, south_m, node_m, 0),
                      .depth = array_new(nx * ny)};
    for (size_t k = 0; k < nx * ny; k++)
        l.depth[k] = sea_depth_m(l.x[k % nx], l.y[k / nx]);
    l.setup = (struct ocean_setup){.backend = v->backend,
                                   .precision = v->precision,
                                   .method = v->method,
                                   .nx = nx,
                                   .ny = ny,
                                   .x = l.x,
                                   .y = l.y,
                                   .depth_m = l.depth,
                                   .edges = {edge, edge, edge, edge},
                                   .wall_depth_m = 10,
                                   .step_s = step_s,
                                   .skips_quiet_tiles = true};
    return l;
}

static void level_free(struct level *l)
{
    ocean_close(l->ocean);
    free(l->x);
    free(l->y);
    free(l->depth);
    free(l->links);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        free(l->given[side].values);
}

// A wave on its way to the north-east, partly inside the child at the start.
static void start_wave(const struct level *l)
{
    struct ocean_state state = state_new(l->setup.nx, l->setup.ny);
    for (size_t k = 0; k < l->setup.nx * l->setup.ny; k++) {
        const double x = l->x[k % l->setup.nx] - 18000, y = l->y[k / l->setup.nx] - 17000;
        state.eta[k] = 2 * exp(-(x * x + y * y) / (2 * 5000.0 * 5000.0));
        state.u[k] = 0.7 * state.eta[k] * sqrt(OCEAN_GRAVITY_M_S2 / l->depth[k]);
        state.v[k] = 0.5 * state.eta[k] * sqrt(OCEAN_GRAVITY_M_S2 / l->depth[k]);
    }
    ocean_set(l->ocean, &state);
    state_free(&state);
}

// Where a node of the child's sides lies among the parent's: finite volumes take what is given at the cell's
// outer face.
static struct tsunami_link link_to(const struct level *child, enum tsunami_side side, size_t node)
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
    const size_t nx = child->setup.nx, ny = child->setup.ny;
    child->links = calloc(2 * (nx + ny), sizeof *child->links);
    assert_non_null(child->links);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        struct tsunami_given_edge *edge = &child->given[side];
        edge->nodes = side <= TSUNAMI_EAST ? ny : nx;
        edge->slots = 2;
        edge->steps_per_record = ratio;
        edge->has_velocity = true;
        edge->values = array_new(2 * 3 * edge->nodes);
        for (size_t node = 0; node < edge->nodes; node++)
            child->links[child->setup.link_count++] = link_to(child, (enum tsunami_side)side, node);
    }
    child->setup.given = child->given;
    child->setup.parent = parent->ocean;
    child->setup.links = child->links;
    child->ocean = ocean_open(&child->setup);
    start_wave(child);
    ocean_gather(child->ocean, 0);
}

// The largest difference of η at the nodes that both have, over the wave's height, after the wave has gone
// through.
static double difference_inside(const struct variant *v, int64_t ratio)
{
    struct level parent = level_new(v, OUTER_NX, OUTER_NY, 0, 0, spacing_m, parent_step_s, TSUNAMI_EDGE_OPEN);
    parent.ocean = ocean_open(&parent.setup);
    start_wave(&parent);
    const size_t n = (size_t)ratio, nx = (COLUMNS - 1) * n + 1, ny = (ROWS - 1) * n + 1;
    struct level child = level_new(v, nx, ny, FIRST_COLUMN * spacing_m, FIRST_ROW * spacing_m,
                                   spacing_m / (double)n, parent_step_s / (double)n, TSUNAMI_EDGE_GIVEN);
    open_child(&child, &parent, ratio);
    struct ocean_state outer = state_new(OUTER_NX, OUTER_NY), inner = state_new(nx, ny);
    double largest = 0, height = 0;
    for (int64_t step = 0; step < PARENT_STEPS; step++) {
        ocean_advance(parent.ocean, step, 1);
        ocean_gather(child.ocean, (size_t)((step + 1) % 2));
        ocean_advance(child.ocean, step * ratio, ratio);
        ocean_get(parent.ocean, &outer);
        ocean_get(child.ocean, &inner);
        for (size_t j = 0; j < ROWS; j++)
            for (size_t i = 0; i < COLUMNS; i++) {
                const double eta = outer.eta[(FIRST_ROW + j) * OUTER_NX + FIRST_COLUMN + i];
                largest = fmax(largest, fabs(inner.eta[j * n * nx + i * n] - eta));
                height = fmax(height, fabs(eta));
            }
    }
    level_free(&child);
    level_free(&parent);
    state_free(&outer);
    state_free(&inner);
    assert_true(height > 1 && height < 4);
    return largest / height;
}

// An edge knows one neighbour, the larger domain's node two: the difference is the edge's truncation (of
// first order), some thousandths of a wave that is 20 nodes wide. With three steps and nodes for the parent's
// one it is that of bilinear, linear interpolation and the parent's own error beside it.
TEST(a_domain_does_inside_what_a_larger_one_does)
{
    for (int k = 0; k < VARIANTS; k++) {
        const double same = difference_inside(&variants[k], 1);
        const bool is_slow = variants[k].backend == &tsunami_backend_reference || IS_SANITIZED;
        const double finer = is_slow ? 0 : difference_inside(&variants[k], 3);
        print_message(
            "%s: inside a larger domain, differs by %.2f %% of the wave; three times as fine by %.2f %%\n",
            name_of(&variants[k]), 100 * same, 100 * finer);
        assert_true(same > 0); // the edges were computed
        assert_true(same <= 0.015);
        assert_true(finer <= 0.01);
    }
}

// ---- nothing given ----

TEST(where_nothing_is_given_an_edge_is_open)
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
        given.setup.given = given.given;
        open.ocean = ocean_open(&open.setup);
        given.ocean = ocean_open(&given.setup);
        start_wave(&open);
        start_wave(&given);
        ocean_advance(open.ocean, 0, 60);
        ocean_advance(given.ocean, 0, 60);
        struct ocean_state a = state_new(70, 60), b = state_new(70, 60);
        ocean_get(open.ocean, &a);
        ocean_get(given.ocean, &b);
        assert_int_equal(state_unequal(&a, &b, NULL), 0);
        state_free(&a);
        state_free(&b);
        level_free(&open);
        level_free(&given);
    }
}

// ---- a wave maker ----

// η at the western end of a channel of 100 m depth: one smooth crest of `height_m`, 40 s long.
static double maker_m(double t_s, double height_m)
{
    return t_s > 0 && t_s < 40 ? 0.5 * height_m * (1 - cos(2 * pi * t_s / 40)) : 0;
}

// The wave that a given surface makes is that surface, later: η(x, t) = η(0, t − x/c) while it is low. A low
// wave (1 cm on 100 m) steepens by 1.5 η/d of the way it has gone, here 0.03 m of a length of 1250 m.
static void check_maker(const struct variant *v, bool has_velocity)
{
    enum { N = 200, STEPS = 150, STEPS_PER_RECORD = 3 };
    const double d = 100, height_m = 0.01, c = sqrt(OCEAN_GRAVITY_M_S2 * d), node_m = 20,
                 step_s = 0.4 * node_m / c;
    const bool has_cells = tsunami_method_has_cells(v->method);
    double *x = axis_new(N, has_cells ? 0.5 * node_m : 0, node_m, 0), *y = axis_new(3, 0, node_m, 0),
           *depth = array_new((size_t)3 * N);
    for (size_t k = 0; k < (size_t)3 * N; k++)
        depth[k] = d;
    enum { SLOTS = STEPS * 3 / STEPS_PER_RECORD + 2 };
    struct tsunami_given_edge given[TSUNAMI_SIDES] = {
        {.nodes = 1, .slots = SLOTS, .steps_per_record = STEPS_PER_RECORD, .has_velocity = has_velocity}};
    given[TSUNAMI_WEST].values = array_new((size_t)SLOTS * 3);
    for (size_t slot = 0; slot < SLOTS; slot++) {
        const double eta = maker_m((double)slot * STEPS_PER_RECORD * step_s, height_m);
        given[TSUNAMI_WEST].values[slot * 3] = eta;
        given[TSUNAMI_WEST].values[slot * 3 + 1] = 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (d + eta)) - c);
    }
    const struct ocean_setup setup = {
        .backend = v->backend,
        .precision = v->precision,
        .method = v->method,
        .nx = N,
        .ny = 3,
        .x = x,
        .y = y,
        .depth_m = depth,
        .edges = {TSUNAMI_EDGE_GIVEN, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL},
        .wall_depth_m = 1,
        .step_s = step_s,
        .given = given,
        .skips_quiet_tiles = true};
    struct ocean *ocean = ocean_open(&setup);
    struct ocean_state state = state_new(N, 3);
    ocean_set(ocean, &state);
    ocean_advance(ocean, 0, 3 * STEPS);
    ocean_get(ocean, &state);
    double largest = 0, crest = 0;
    for (size_t i = 0; i < N; i++) {
        const double exact = maker_m(3 * STEPS * step_s - x[i] / c, height_m);
        largest = fmax(largest, fabs(state.eta[N + i] - exact) / height_m);
        crest = fmax(crest, exact / height_m);
        assert_true(state.v[N + i] == 0);
    }
    print_message("%s, a wave maker %s: differs from the travelling wave by %.2f %% of its height\n",
                  name_of(v), has_velocity ? "with velocity" : "of the surface alone", 100 * largest);
    assert_true(crest > 0.99);
    assert_true(largest <= 0.025); // what either scheme makes of a crest 60 nodes long
    ocean_close(ocean);
    state_free(&state);
    free(given[TSUNAMI_WEST].values);
    free(x);
    free(y);
    free(depth);
}

TEST(a_surface_given_at_an_edge_travels_in)
{
    for (int k = 0; k < VARIANTS; k++) {
        check_maker(&variants[k], false);
        check_maker(&variants[k], true);
    }
}
