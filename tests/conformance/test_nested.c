// Conformance of nested grids: what a child is given at its edges, and what becomes of it, is on every back
// end what it is on the reference, whatever the methods of parent, child and grandchild. The reference
// gathers through `get`; a device does it where the state lies.
#include "tests/support/test.h"

#include "tests/support/cuda_test.h"
#include "tests/support/runup_cases.h"
#include "tests/support/tsunami_runs.h"

enum { LEVELS = 3, RATIO = 3, SUBSTEPS = 4, STEPS = 6, OUTER_NX = 44, OUTER_NY = 36 };

#define C_GRID_6    TSUNAMI_C_GRID_6
#define MUSCL       TSUNAMI_MUSCL_HANCOCK
#define VTCS2       TSUNAMI_VTCS2
#define VTCS2_O2    TSUNAMI_VTCS2_O2
#define VTCS2_SHORE TSUNAMI_VTCS2_SHORE

static const struct trio {
    const char *name;
    enum tsunami_method methods[LEVELS];
    bool is_spherical;
    bool has_dispersion[LEVELS];
} trios[] = {
    {"propagation in propagation in run-up, plane", {VTCS2, VTCS2_O2, MUSCL}, false, {false}},
    {"staggered propagation, propagation, run-up, sphere", {C_GRID_6, VTCS2_O2, MUSCL}, true, {false}},
    {"run-up in staggered propagation, plane", {C_GRID_6, MUSCL, MUSCL}, false, {false}},
    {"run-up all the way, plane", {MUSCL, MUSCL, MUSCL}, false, {false}},
    {"run-up in propagation, propagation in run-up, sphere", {VTCS2_O2, MUSCL, VTCS2}, true, {false}},
    {"VTCS-2 all the way, plane", {VTCS2_O2, VTCS2_SHORE, VTCS2_SHORE}, false, {false}},
    {"dispersion in a parent without, and a grandchild without in a child with it, plane",
     {MUSCL, MUSCL, MUSCL},
     false,
     {false, true, false}},
    {"dispersion all the way, sphere", {MUSCL, MUSCL, MUSCL}, true, {true, true, true}}};
enum { TRIOS = sizeof trios / sizeof *trios };

// The state in float is good to 1e-6 of the depths; between levels errors meet waves of another phase.
static const struct tolerance tolerances[] = {
    {.precision = ELEMENT_F64, .eta_m = 1e-11, .velocity_m_s = 1e-11},
    {.precision = ELEMENT_F32, .eta_m = 1e-4, .velocity_m_s = 1e-4}};

// ---- grids in each other, all cut from one bottom ----

struct grid {
    size_t nx, ny;
    double *x, *y, *depth;
    struct ocean_state start;
    struct tsunami_given_edge given[TSUNAMI_SIDES];
    struct tsunami_link *links;
    size_t link_count;
};

// A bottom with a beach and an island that any grid can be cut from; x and y from 0 to 1.
static double depth_at(double x, double y)
{
    const double dx = (x - 0.42) / 0.06, dy = (y - 0.55) / 0.07;
    return 38 - 44 * pow(fmax(0, x - 0.35) / 0.65, 1.5) + 5 * sin(9 * x) * cos(7 * y) -
           45 * exp(-dx * dx - dy * dy);
}

static double wave_at(double x, double y)
{
    const double dx = (x - 0.3) / 0.12, dy = (y - 0.5) / 0.2;
    return 1.5 * exp(-dx * dx - dy * dy);
}

struct box {
    double low, high;
};

// Whether land is dry at the start: η is then its height.
static void fill_grid(struct grid *g, struct box unit_x, struct box unit_y)
{
    g->depth = array_new(g->nx * g->ny);
    g->start = state_new(g->nx, g->ny);
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++) {
            const double x = (g->x[i] - unit_x.low) / (unit_x.high - unit_x.low);
            const double y = (g->y[j] - unit_y.low) / (unit_y.high - unit_y.low);
            const size_t k = j * g->nx + i;
            g->depth[k] = depth_at(x, y);
            g->start.eta[k] = g->depth[k] > 0 ? fmax(-g->depth[k], wave_at(x, y)) : -g->depth[k];
        }
}

static size_t place_on(const double *axis, size_t count, double value, double *share)
{
    size_t k = 0;
    while (k + 2 < count && axis[k + 1] <= value)
        k++;
    *share = (value - axis[k]) / (axis[k + 1] - axis[k]);
    return k;
}

static void link_to_parent(struct grid *child, const struct grid *parent)
{
    struct tsunami_link *link = child->links;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        for (size_t k = 0; k < child->given[side].nodes; k++) {
            const bool is_upright = side <= TSUNAMI_EAST;
            const size_t i = is_upright ? (side == TSUNAMI_WEST ? 0 : child->nx - 1) : k;
            const size_t j = is_upright ? k : side == TSUNAMI_SOUTH ? 0 : child->ny - 1;
            double a, b;
            link->column = place_on(parent->x, parent->nx, child->x[i], &a);
            link->row = place_on(parent->y, parent->ny, child->y[j], &b);
            const double weights[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
            memcpy(link++->weights, weights, sizeof weights);
        }
}

// The middle part of its parent, RATIO times as fine.
static void make_child(struct grid *child, const struct grid *parent)
{
    const size_t first_x = parent->nx / 4, first_y = parent->ny / 4;
    child->nx = RATIO * (parent->nx / 2) + 1;
    child->ny = RATIO * (parent->ny / 2) + 1;
    child->x = axis_new(child->nx, parent->x[first_x], (parent->x[1] - parent->x[0]) / RATIO, 0);
    child->y = axis_new(child->ny, parent->y[first_y], (parent->y[1] - parent->y[0]) / RATIO, 0);
    child->link_count = 2 * (child->nx + child->ny);
    child->links = owned_zeros(child->link_count, sizeof *child->links);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const size_t nodes = side <= TSUNAMI_EAST ? child->ny : child->nx;
        child->given[side] = (struct tsunami_given_edge){.nodes = nodes,
                                                         .slots = 2,
                                                         .steps_per_record = SUBSTEPS,
                                                         .has_velocity = true,
                                                         .values = array_new(2 * 3 * nodes)};
    }
    link_to_parent(child, parent);
}

static void make_grids(struct grid grids[LEVELS], bool is_spherical)
{
    const double spacing = is_spherical ? 0.004 : 400;
    memset(grids, 0, LEVELS * sizeof *grids);
    grids[0].nx = OUTER_NX;
    grids[0].ny = OUTER_NY;
    grids[0].x = axis_new(OUTER_NX, is_spherical ? 140 : 0, spacing, 0);
    grids[0].y = axis_new(OUTER_NY, is_spherical ? 38 : 0, spacing, 0);
    for (int k = 1; k < LEVELS; k++)
        make_child(&grids[k], &grids[k - 1]);
    const struct box unit_x = {grids[0].x[0], grids[0].x[OUTER_NX - 1]},
                     unit_y = {grids[0].y[0], grids[0].y[OUTER_NY - 1]};
    for (int k = 0; k < LEVELS; k++)
        fill_grid(&grids[k], unit_x, unit_y);
}

// ---- runs ----

struct levels {
    struct ocean *ocean[LEVELS];
    struct ocean_setup setups[LEVELS];
    struct ocean_state state[LEVELS];
};

static void advance(struct levels *levels, int k, int64_t first_step, int64_t count)
{
    if (k == LEVELS - 1) {
        ocean_advance(levels->ocean[k], first_step, count);
        return;
    }
    for (int64_t step = first_step; step < first_step + count; step++) {
        ocean_advance(levels->ocean[k], step, 1);
        ocean_gather(levels->ocean[k + 1], (size_t)((step + 1) % 2));
        advance(levels, k + 1, step * SUBSTEPS, SUBSTEPS);
    }
}

static struct levels run(const struct trio *trio, struct grid grids[LEVELS],
                         const struct tsunami_backend *backend, enum element precision)
{
    struct levels levels = {0};
    for (int k = 0; k < LEVELS; k++) {
        struct ocean_setup *s = &levels.setups[k];
        *s = (struct ocean_setup){.backend = backend,
                                  .precision = precision,
                                  .method = trio->methods[k],
                                  .has_dispersion = trio->has_dispersion[k],
                                  .is_spherical = trio->is_spherical,
                                  .nx = grids[k].nx,
                                  .ny = grids[k].ny,
                                  .x = grids[k].x,
                                  .y = grids[k].y,
                                  .depth_m = grids[k].depth,
                                  .has_coriolis = true,
                                  .has_curvature = trio->is_spherical,
                                  .plane_coriolis_per_s = 1e-4,
                                  .manning_n = 0.025,
                                  .wall_depth_m = 2,
                                  .skips_quiet_tiles = true,
                                  .given = grids[k].given,
                                  .parent = k > 0 ? levels.ocean[k - 1] : NULL,
                                  .links = grids[k].links,
                                  .link_count = grids[k].link_count};
        for (int side = 0; side < TSUNAMI_SIDES; side++)
            s->edges[side] = k > 0 ? TSUNAMI_EDGE_GIVEN : TSUNAMI_EDGE_OPEN;
        s->step_s = k > 0 ? levels.setups[k - 1].step_s / SUBSTEPS : 6;
        levels.ocean[k] = ocean_open(s);
        ocean_set(levels.ocean[k], &grids[k].start);
        levels.state[k] = state_new(s->nx, s->ny);
    }
    for (int k = 1; k < LEVELS; k++)
        ocean_gather(levels.ocean[k], 0);
    advance(&levels, 0, 0, STEPS);
    for (int k = 0; k < LEVELS; k++)
        ocean_get(levels.ocean[k], &levels.state[k]);
    return levels;
}

static void close_levels(struct levels *levels)
{
    for (int k = LEVELS - 1; k >= 0; k--) {
        ocean_close(levels->ocean[k]);
    }
}

static double largest_velocity(const struct ocean_state *state)
{
    double largest = 0;
    for (size_t k = 0; k < state->nx * state->ny; k++)
        largest = fmax(largest, fmax(fabs(state->u[k]), fabs(state->v[k])));
    return largest;
}

static void check_trio(const struct trio *trio, const struct tsunami_backend *backend)
{
    struct grid grids[LEVELS];
    make_grids(grids, trio->is_spherical);
    struct levels reference = run(trio, grids, &tsunami_backend_reference, ELEMENT_F64);
    for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++) {
        struct levels fast = run(trio, grids, backend, tolerances[t].precision);
        for (int k = 0; k < LEVELS; k++) {
            double difference[3];
            const struct comparison c = {.name = format_text("%s, level %d", trio->name, k),
                                         .setup = &fast.setups[k]};
            state_difference(&reference.state[k], &fast.state[k], difference);
            expect_close_state(comparison_name(&c), difference, &tolerances[t]);
            assert_true(largest_velocity(&fast.state[k]) > 0.1); // the wave came through
        }
        close_levels(&fast);
    }
    close_levels(&reference);
}

static void check_trios(const struct tsunami_backend *backend)
{
    for (int k = 0; k < TRIOS; k++) {
        bool has_dispersion = false;
        for (int level = 0; level < LEVELS; level++)
            has_dispersion |= trios[k].has_dispersion[level];
        if (!has_dispersion || backend->flooding->has_dispersion)
            check_trio(&trios[k], backend);
    }
}

TEST_SUITE(.begin = cuda_begin);

TEST(openmp_does_as_the_reference)
{
    check_trios(&tsunami_backend_openmp);
}

CUDA_TEST(cuda_does_as_the_reference)
{
    check_trios(tsunami_backend_named("cuda"));
}

CUDA_TEST(cuda_plain_does_as_the_reference)
{
    check_trios(tsunami_backend_named("cuda-plain"));
}
