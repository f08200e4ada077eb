// Plans and starts the fast CPU version of `c-grid-6`: memory, tiles, the arrays that no step changes.
#include "models/isa.h"
#include "models/team.h"
#include "models/tsunami/openmp/c_grid_solver.h"
#include "parallel/ranks.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define BOTH_PRECISIONS "models/tsunami/openmp/c_grid_fill.inc"
#include "models/tsunami/both_precisions.inc"

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static enum status plan_fields(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[TSUNAMI_FIELDS] = {"eta", "u", "v"};
    const enum element real = s->setup.precision;
    const size_t first = s->stored.first, end = s->stored.end;
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, s->pitch, &s->state[k][f],
                                       "%s%s %d", prefix, names[f], k));
    const struct {
        void **pointer;
        const char *name;
    } arrays[] = {{&s->depth, "depth of nodes"},
                  {&s->depth_u, "depth of eastern faces"},
                  {&s->depth_v, "depth of northern faces"},
                  {&s->inverse_corner, "inverse depth of corners"}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, s->pitch, arrays[k].pointer, "%s%s",
                                   prefix, arrays[k].name));
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_I32, first, end, s->pitch, (void **)&s->code,
                               "%sreach of stencils", prefix));
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_U8, first, end, s->block_pitch,
                               (void **)&s->is_beside_land, "%sblocks beside land", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, C_COLUMN_ARRAYS, s->pitch, &s->columns,
                          "%scolumn coefficients", prefix));
    return memory_plan_add(plan, MEMORY_HOST, real, s->rows, C_ROW_MEMBERS, &s->row_members,
                           "%srow coefficients", prefix);
}

// The nodes of tile number `tile` of `tiles` along an axis. The last one is no narrower than what its
// neighbour's step reaches; all begin with a block.
static void tile_extent(size_t tile, size_t tiles, size_t nodes, ptrdiff_t size, ptrdiff_t *begin,
                        ptrdiff_t *end)
{
    const ptrdiff_t n = (ptrdiff_t)nodes, left_over = n % size;
    const ptrdiff_t shift = tiles > 1 && left_over > 0 && left_over < C_GRID_REACH ? C_BLOCK : 0;
    *begin = (ptrdiff_t)tile * size - (tile + 1 == tiles ? shift : 0);
    *end = tile + 1 == tiles ? n : *begin + size - (tile + 2 == tiles ? shift : 0);
}

static struct tsunami_rows extent_of(const void *solver, size_t tile_row)
{
    const struct solver *s = solver;
    ptrdiff_t begin, end;
    tile_extent(tile_row, s->tile_rows, s->setup.geometry->ny, C_TILE_HEIGHT, &begin, &end);
    return (struct tsunami_rows){(size_t)begin, (size_t)end};
}

static enum status plan_tiles(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    s->tile_columns = divide_up(g->nx, C_TILE_WIDTH);
    s->tile_rows = divide_up(g->ny, C_TILE_HEIGHT);
    s->tile_count = s->tile_columns * s->tile_rows;
    s->scratch_pitch = memory_pitch(C_SCRATCH_ELEMENTS, s->setup.precision);
    CHECK(memory_plan_add(plan, MEMORY_HOST, s->setup.precision, (size_t)s->threads, s->scratch_pitch,
                          &s->scratch, "%sscratch", prefix));
    CHECK(
        memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, g->ny, (void **)&s->is_set, "%srows set", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, g->ny, (void **)&s->is_lifted, "%srows lifted",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, s->tile_count, sizeof *s->tiles, (void **)&s->tiles,
                          "%stiles", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, s->tile_count, (void **)&s->is_awake,
                          "%stile is awake", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, s->tile_count, (void **)&s->is_moving,
                          "%stile is moving", prefix));
    CHECK(tsunami_moving_plan(&s->moving, &s->setup, s->tile_columns, s->tile_rows, extent_of, s, plan,
                              prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, s->tile_count, (void **)&s->list, "%stile list",
                           prefix);
}

// Grid rows in storage, where those beyond the grid's edges belong to the edges' rows.
static struct tsunami_rows in_storage(const struct solver *s, struct tsunami_rows rows)
{
    const struct tsunami_rows stored = {rows.first == 0 ? 0 : rows.first + C_GRID_HALO,
                                        rows.end + (rows.end == s->setup.geometry->ny ? 2 : 1) *
                                                       (size_t)C_GRID_HALO};
    return stored;
}

static enum status plan_exchanges(struct solver *s)
{
    const int64_t rows = (int64_t)s->setup.geometry->ny;
    for (int k = 0; s->is_divided && k < TSUNAMI_FIELDS; k++) {
        CHECK(exchange_begin_plan(&s->exchanges[k], s->setup.ranks, s->setup.shares, rows, C_GRID_HALO, 1));
        if (s->is_ring)
            exchange_close_ring(&s->exchanges[k]);
        for (int f = 0; f <= k; f++)
            CHECK(exchange_add(&s->exchanges[k], &s->exchanged[f], s->pitch * s->element));
    }
    // u and v together, and then the elevation
    if (s->is_divided)
        s->setup.ranks->planned_step_bytes +=
            exchange_message_bytes(&s->exchanges[1]) + exchange_message_bytes(&s->exchanges[0]);
    return STATUS_OK;
}

enum status openmp_c_grid_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    *solver = s;
    s->setup = *setup;
    s->functions = ISA_TABLE(tsunami_c_grid);
    s->threads = omp_get_max_threads();
    s->rows = setup->geometry->ny + 2 * C_GRID_HALO;
    s->pitch = setup->geometry->pitch;
    s->element = element_bytes(setup->precision);
    s->offset = C_GRID_HALO * s->pitch + TSUNAMI_HALO_COLUMNS;
    s->block_pitch = setup->geometry->nx / C_BLOCK + 4; // from one before column 0 to two beyond the last
    s->is_divided = setup->shares != NULL;
    s->own = tsunami_own(setup->geometry);
    s->is_ring = s->is_divided && setup->geometry->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    s->stored = in_storage(s, tsunami_near(setup->geometry, s->is_divided ? C_GRID_HALO : 0));
    s->kept = in_storage(s, s->own);
    CHECK(plan_exchanges(s));
    CHECK(plan_fields(s, plan, prefix));
    return plan_tiles(s, plan, prefix);
}

// The code of a node; beyond the grid's halo, of land.
static int code_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t halo = C_GRID_HALO;
    if (j < -halo || i < -halo || j >= (ptrdiff_t)g->ny + halo || i >= (ptrdiff_t)g->nx + halo)
        return 0;
    if (!tsunami_has_row(s->stored, (size_t)(j + halo))) // another rank's
        return c_grid_code(&s->setup, i, j);
    return s->code[(ptrdiff_t)s->offset + j * (ptrdiff_t)s->pitch + i];
}

static void find_blocks_of_row(void *context, size_t item)
{
    enum { REACH = 2 };
    const struct solver *s = context;
    const size_t row = s->stored.first + item;
    const ptrdiff_t first_row = (ptrdiff_t)row - C_GRID_HALO - REACH;
    for (size_t block = 0; block < s->block_pitch; block++) {
        const ptrdiff_t begin = ((ptrdiff_t)block - 1) * C_BLOCK;
        bool is_beside_land = false;
        for (ptrdiff_t j = first_row; j <= first_row + 2 * REACH; j++)
            for (ptrdiff_t i = begin - REACH; i < begin + C_BLOCK + REACH; i++)
                is_beside_land |= code_at(s, i, j) != C_OPEN_WATER;
        s->is_beside_land[row * s->block_pitch + block] = is_beside_land;
    }
}

// Land, or the domain's edge, within the reach of a tile's stencils, for the rows that this rank has of it.
static void find_land(const struct solver *s, const struct tsunami_tile *tile, struct tsunami_tile *own)
{
    own->is_land = true;
    own->has_land = false;
    for (ptrdiff_t j = tile->row_begin - C_GRID_HALO; j < tile->row_end + C_GRID_HALO; j++)
        for (ptrdiff_t i = tile->column - C_GRID_HALO; i < tile->column + tile->width + C_GRID_HALO; i++) {
            const int code = code_at(s, i, j);
            const bool is_inside = j >= tile->row_begin && j < tile->row_end && i >= tile->column &&
                                   i < tile->column + tile->width;
            own->has_land |= code != C_OPEN_WATER;
            own->is_land &= !(is_inside && code & C_GRID_WET);
        }
}

static void start_row(void *context, size_t item)
{
    struct solver *s = context;
    (c_grid_is_single(s) ? fill_row_f : fill_row_d)(s, (ptrdiff_t)(s->stored.first + item) - C_GRID_HALO);
}

void openmp_c_grid_clear_copy(struct solver *s, int copy)
{
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        memset(c_grid_stored_row(s, s->state[copy][f], s->stored.first), 0,
               (s->stored.end - s->stored.first) * s->pitch * s->element);
}

enum status openmp_c_grid_start(struct solver *s)
{
    (c_grid_is_single(s) ? fill_lines_f : fill_lines_d)(s);
    team_for(s->threads, s->stored.end - s->stored.first, start_row, s);
    team_for(s->threads, s->stored.end - s->stored.first, find_blocks_of_row, s);
    s->shallowest_m = INFINITY;
    for (size_t j = 0; j < s->setup.geometry->ny; j++)
        for (size_t i = 0; i < s->setup.geometry->nx; i++) {
            const double depth_m = c_grid_depth_m(&s->setup, (ptrdiff_t)i, (ptrdiff_t)j);
            s->shallowest_m = depth_m > 0 ? fmin(s->shallowest_m, depth_m) : s->shallowest_m;
        }
    openmp_c_grid_clear_copy(s, 0);
    openmp_c_grid_clear_copy(s, 1);
    s->current = 0;
    for (size_t t = 0; t < s->tile_count; t++) {
        struct tsunami_tile *tile = &s->tiles[t];
        ptrdiff_t end;
        *tile = (struct tsunami_tile){0};
        tile_extent(t % s->tile_columns, s->tile_columns, s->setup.geometry->nx, C_TILE_WIDTH, &tile->column,
                    &end);
        tile->width = end - tile->column;
        tile_extent(t / s->tile_columns, s->tile_rows, s->setup.geometry->ny, C_TILE_HEIGHT, &tile->row_begin,
                    &tile->row_end);
        const struct tsunami_tile whole = *tile;
        tsunami_tile_cut(tile, s->own);
        tile->is_land = true; // or another rank's
        if (tsunami_tile_has_rows(tile))
            find_land(s, &whole, tile);
    }
    s->is_listed = false;
    memset(s->is_awake, 0, s->tile_count);
    memset(s->is_moving, 0, s->tile_count);
    memset(s->is_set, 0, s->setup.geometry->ny);
    memset(s->is_lifted, 0, s->setup.geometry->ny);
    s->has_set = s->has_lifted = false;
    s->list_length = 0;
    s->counts[0] = s->counts[1] = 0;
    return STATUS_OK;
}
