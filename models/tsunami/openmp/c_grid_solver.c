// The fast CPU version of `c-grid-6`: two passes a step over cache-sized tiles (velocities, elevations),
// vectorised, threads over tiles. Tiles of land are never computed; tiles that the wave has not reached are
// skipped until a neighbour moves: the results are the same. Knows no files.
#include "models/tsunami/solver.h"

#include "io/checkpoint_set.h"
#include "models/isa.h"
#include "models/team.h"
#include "models/tsunami/edges.h"
#include "models/tsunami/moving.h"
#include "models/tsunami/openmp/c_grid.h"
#include "models/tsunami/openmp/denormals.h"
#include "parallel/exchange.h"
#include "parallel/ranks.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct solver {
    struct tsunami_setup setup; // first: a nested grid of another method reads it
    const struct tsunami_c_grid_functions *functions;
    int threads;
    size_t rows, pitch, element, offset; // storage: [rows][pitch]; interior node (0, 0) at `offset`
    void *state[2][TSUNAMI_FIELDS];      // η, u, v: the present and the other copy
    int current;
    void *depth, *depth_u, *depth_v, *inverse_corner, *columns, *row_members;
    int32_t *code;
    uint8_t *is_beside_land; // [rows][block_pitch]: see c_grid.h
    size_t block_pitch;
    double shallowest_m; // of the wet nodes
    void *scratch;
    size_t scratch_pitch;
    unsigned char *is_set, *is_lifted; // [ny], since the last `touch`
    bool has_set, has_lifted;
    size_t tile_columns, tile_rows, tile_count;
    struct tsunami_tile *tiles;
    uint8_t *is_awake, *is_moving;
    int32_t *list; // the awake tiles
    size_t list_length;
    double counts[2]; // node-steps computed and skipped
    // Of a divided grid: this rank's rows, those held, and of storage those held and those of a checkpoint.
    // Pointers are to where row 0 would be.
    bool is_divided, is_ring; // see host_level.h
    struct tsunami_rows own, stored, kept;
    struct tsunami_moving moving;              // is_moving of other ranks too
    bool is_listed;                            // `list` is that of the present state
    struct exchange exchanges[TSUNAMI_FIELDS]; // one for each number of fields that may go together
    void *exchanged[TSUNAMI_FIELDS];
    enum status status; // of the exchanges in a step
};

static const struct tsunami_c_grid_functions *choose_functions(void)
{
    return ISA_TABLE(tsunami_c_grid);
}

static const char *c_grid_instruction_set(void)
{
    return choose_functions()->instruction_set;
}

#define BOTH_PRECISIONS "models/tsunami/openmp/c_grid_host.inc"
#include "models/tsunami/both_precisions.inc"

static bool is_single(const struct solver *s)
{
    return s->setup.precision == ELEMENT_F32;
}

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

static enum status c_grid_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    *solver = s;
    s->setup = *setup;
    s->functions = choose_functions();
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
    (is_single(s) ? fill_row_f : fill_row_d)(s, (ptrdiff_t)(s->stored.first + item) - C_GRID_HALO);
}

static void *stored_row(const struct solver *s, void *block, size_t row)
{
    return block ? (void *)((uintptr_t)block + row * s->pitch * s->element) : NULL;
}

static void clear_copy(struct solver *s, int copy)
{
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        memset(stored_row(s, s->state[copy][f], s->stored.first), 0,
               (s->stored.end - s->stored.first) * s->pitch * s->element);
}

static enum status c_grid_start(struct solver *s)
{
    (is_single(s) ? fill_lines_f : fill_lines_d)(s);
    team_for(s->threads, s->stored.end - s->stored.first, start_row, s);
    team_for(s->threads, s->stored.end - s->stored.first, find_blocks_of_row, s);
    s->shallowest_m = INFINITY;
    for (size_t j = 0; j < s->setup.geometry->ny; j++)
        for (size_t i = 0; i < s->setup.geometry->nx; i++) {
            const double depth_m = c_grid_depth_m(&s->setup, (ptrdiff_t)i, (ptrdiff_t)j);
            s->shallowest_m = depth_m > 0 ? fmin(s->shallowest_m, depth_m) : s->shallowest_m;
        }
    clear_copy(s, 0);
    clear_copy(s, 1);
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

// ---- steps

// Wakes a tile and its eight neighbours (through periodic edges too).
static void wake_about(struct solver *s, size_t t)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t columns = (ptrdiff_t)s->tile_columns, rows = (ptrdiff_t)s->tile_rows;
    const ptrdiff_t column = (ptrdiff_t)t % columns, row = (ptrdiff_t)t / columns;
    for (ptrdiff_t dj = -1; dj <= 1; dj++)
        for (ptrdiff_t di = -1; di <= 1; di++) {
            ptrdiff_t i = column + di, j = row + dj;
            if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
                i = (i + columns) % columns;
            if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
                j = (j + rows) % rows;
            if (i >= 0 && j >= 0 && i < columns && j < rows)
                s->is_awake[j * columns + i] = 1;
        }
}

// Exchanges the rows of fields `first` to `last` of a copy with the neighbours, after fill_halo.
static enum status exchange_fields(struct solver *s, int copy, int first, int last)
{
    struct exchange *e = &s->exchanges[last - first];
    if (!s->is_divided)
        return STATUS_OK;
    for (int f = first; f <= last; f++)
        s->exchanged[f - first] = stored_row(s, s->state[copy][f], C_GRID_HALO);
    CHECK(exchange_begin(e));
    return exchange_end(e);
}

// A tile once awake stays so, because its two copies of the state differ.
static enum status list_tiles(struct solver *s)
{
    const uint8_t *is_moving = s->is_moving;
    if (s->is_divided && s->setup.skips_quiet_tiles) {
        CHECK(tsunami_moving_merge(&s->moving, s->is_moving));
        is_moving = s->moving.merged;
    }
    for (size_t t = 0; t < s->tile_count; t++)
        if (is_moving[t])
            wake_about(s, t);
    s->list_length = 0;
    for (size_t t = 0; t < s->tile_count; t++)
        if (!s->tiles[t].is_land && (s->is_awake[t] || !s->setup.skips_quiet_tiles) &&
            tsunami_tile_has_rows(&s->tiles[t]))
            s->list[s->list_length++] = (int32_t)t;
    s->is_listed = true;
    return STATUS_OK;
}

static float time_of(const struct solver *s, int64_t step)
{
    return (float)(s->setup.start_s + (double)step * s->setup.step_s);
}

static void advance_velocity(const struct solver *s, size_t k, const struct tsunami_records *records,
                             bool is_record_only, float time_s)
{
    const struct tsunami_tile *tile = &s->tiles[s->list[k]];
    (is_single(s) ? velocity_f : velocity_d)(s, tile, records, is_record_only, time_s);
}

static void advance_elevation(struct solver *s, size_t k)
{
    const int32_t t = s->list[k];
    (is_single(s) ? elevation_f : elevation_d)(s, &s->tiles[t]);
    if (!s->is_moving[t])
        s->is_moving[t] = (is_single(s) ? moves_f : moves_d)(s, &s->tiles[t], 1 - s->current);
}

static void fill_halo(const struct solver *s, int copy, int field)
{
    (is_single(s) ? fill_halo_f : fill_halo_d)(s, s->state[copy][field], field == 0);
}

static void fill_halos(const struct solver *s)
{
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        fill_halo(s, s->current, f);
}

static void after_velocities(struct solver *s)
{
    fill_halo(s, 1 - s->current, 1);
    fill_halo(s, 1 - s->current, 2);
    s->status = exchange_fields(s, 1 - s->current, 1, 2);
}

static tsunami_point_get c_grid_get;

// The points' records need no velocities: they are those of the step. One thread does it: points are few.
static void after_step(struct solver *s, int64_t step)
{
    const double all = (double)(s->setup.geometry->nx * (s->own.end - s->own.first));
    double nodes = 0;
    for (size_t k = 0; k < s->list_length; k++) {
        const struct tsunami_tile *tile = &s->tiles[s->list[k]];
        nodes += (double)(tile->width * (tile->row_end - tile->row_begin));
    }
    s->counts[0] += nodes;
    s->counts[1] += all - nodes;
    s->current = 1 - s->current;
    fill_halo(s, s->current, 0);
    if (s->status == STATUS_OK)
        s->status = exchange_fields(s, s->current, 0, 0);
    if (!s->setup.records->is_paused)
        tsunami_point_record_all(&s->setup, s, c_grid_get,
                                 s->setup.start_s + (double)(step + 1) * s->setup.step_s);
    if (s->status == STATUS_OK)
        s->status = list_tiles(s);
}

// The records of a state are taken at the beginning of the step after it, which has the nodes' velocities,
// and those of the last one by themselves.
static const struct tsunami_records *records_of(const struct solver *s, bool is_first)
{
    return is_first || s->setup.records->is_paused ? NULL : s->setup.records;
}

static void advance_alone(struct solver *s, int64_t first_step, int64_t count)
{
    const unsigned mode = denormals_flush();
    for (int64_t step = first_step; step < first_step + count && s->status == STATUS_OK; step++) {
        for (size_t k = 0; k < s->list_length; k++)
            advance_velocity(s, k, records_of(s, step == first_step), false, time_of(s, step));
        after_velocities(s);
        for (size_t k = 0; k < s->list_length; k++)
            advance_elevation(s, k);
        after_step(s, step);
    }
    for (size_t k = 0; records_of(s, false) && k < s->list_length; k++)
        advance_velocity(s, k, s->setup.records, true, time_of(s, first_step + count));
    denormals_restore(mode);
}

static enum status c_grid_advance(struct solver *s, int64_t first_step, int64_t count)
{
    s->status = s->is_listed ? STATUS_OK : list_tiles(s);
    CHECK(s->status);
    if (s->threads == 1) { // without a team: see team.h
        advance_alone(s, first_step, count);
        return s->status;
    }
#pragma omp parallel num_threads(s->threads)
    {
        const unsigned mode = denormals_flush();
        // All threads see the same outcome of the exchanges: the next one is after a barrier.
        for (int64_t step = first_step; step < first_step + count && s->status == STATUS_OK; step++) {
#pragma omp for schedule(dynamic, 1)
            for (size_t k = 0; k < s->list_length; k++)
                advance_velocity(s, k, records_of(s, step == first_step), false, time_of(s, step));
#pragma omp single
            after_velocities(s);
#pragma omp for schedule(dynamic, 1)
            for (size_t k = 0; k < s->list_length; k++)
                advance_elevation(s, k);
#pragma omp single
            after_step(s, step);
        }
        const size_t last = records_of(s, false) ? s->list_length : 0;
#pragma omp for schedule(dynamic, 1)
        for (size_t k = 0; k < last; k++)
            advance_velocity(s, k, s->setup.records, true, time_of(s, first_step + count));
        denormals_restore(mode);
    }
    return s->status;
}

// ---- access

// Where a row of the whole grid is held: in a ring it may be beyond the other end.
static ptrdiff_t place_of(const struct solver *s, size_t row)
{
    const ptrdiff_t ny = (ptrdiff_t)s->setup.geometry->ny, place = (ptrdiff_t)row;
    if (!s->is_ring || tsunami_has_row(s->stored, row + C_GRID_HALO))
        return place;
    return s->own.first == 0 ? place - ny : place + ny;
}

static void c_grid_get(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s)
{
    const ptrdiff_t place = place_of(s, row);
    for (size_t done = 0; done < count; done += C_TILE_WIDTH) {
        const size_t width = count - done < C_TILE_WIDTH ? count - done : C_TILE_WIDTH;
        const struct tsunami_tile tile = {.column = (ptrdiff_t)(first + done),
                                          .width = (ptrdiff_t)width,
                                          .row_begin = place,
                                          .row_end = place + 1,
                                          .has_land = true};
        (is_single(s) ? nodes_f : nodes_d)(s, &tile, eta_m + done, u_m_s + done, v_m_s + done);
    }
}

// The rest of a row that is set in part only, in the row's own buffers.
static void keep_row(struct solver *s, size_t row)
{
    double eta[C_TILE_WIDTH], u[C_TILE_WIDTH], v[C_TILE_WIDTH];
    const size_t nx = s->setup.geometry->nx;
    for (size_t first = 0; first < nx; first += C_TILE_WIDTH) {
        const size_t count = nx - first < C_TILE_WIDTH ? nx - first : C_TILE_WIDTH;
        c_grid_get(s, row, first, count, eta, u, v);
        (is_single(s) ? set_row_f : set_row_d)(s, row, first, count, eta, u, v);
    }
    s->is_set[row] = 1;
}

static void c_grid_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s)
{
    if (!s->is_set[row] && count < s->setup.geometry->nx)
        keep_row(s, row);
    (is_single(s) ? set_row_f : set_row_d)(s, row, first, count, eta_m, u_m_s, v_m_s);
    s->is_set[row] = 1;
    s->has_set = true;
}

static void c_grid_get_staggered(const struct solver *s, size_t row, double *eta_m, double *u_m_s,
                                 double *v_m_s)
{
    (is_single(s) ? get_staggered_row_f : get_staggered_row_d)(s, row, eta_m, u_m_s, v_m_s);
}

static void c_grid_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    (void)bottom_m;
    (is_single(s) ? lift_row_f : lift_row_d)(s, row, uplift_m);
    s->is_lifted[row] = 1;
}

// ---- after changes

// The own rows, and the one to the south of all.
static void faces_row(void *context, size_t item)
{
    struct solver *s = context;
    const ptrdiff_t first = s->own.first == 0 ? -1 : (ptrdiff_t)s->own.first;
    (is_single(s) ? faces_row_f : faces_row_d)(s, first + (ptrdiff_t)item);
}

static void half_back_row(void *context, size_t item)
{
    struct solver *s = context;
    (is_single(s) ? half_back_row_f : half_back_row_d)(s, (ptrdiff_t)(s->own.first + item));
}

static void lifted_head_row(void *context, size_t item)
{
    struct solver *s = context;
    (is_single(s) ? lifted_head_row_f
                  : lifted_head_row_d)(s, (ptrdiff_t)(s->stored.first + item) - C_GRID_HALO + 1);
}

static void unlift_row(void *context, size_t item)
{
    struct solver *s = context;
    (is_single(s) ? unlift_row_f : unlift_row_d)(s, (ptrdiff_t)(s->own.first + item));
}

static void velocity_tile(void *context, size_t t)
{
    const struct solver *s = context;
    if (!s->tiles[t].is_land)
        (is_single(s) ? velocity_f : velocity_d)(s, &s->tiles[t], NULL, false, 0);
}

static enum status take_set(struct solver *s)
{
    const struct tsunami_rows own = s->own;
    fill_halo(s, s->current, 0);
    CHECK(exchange_fields(s, s->current, 0, 0));
    for (size_t row = own.first; row < own.end; row++)
        if (!s->is_set[row])
            keep_row(s, row);
    fill_halo(s, 1 - s->current, 1);
    fill_halo(s, 1 - s->current, 2);
    CHECK(exchange_fields(s, 1 - s->current, 1, 2));
    team_for(s->threads, own.end - own.first + (own.first == 0), faces_row, s);
    fill_halos(s);
    CHECK(exchange_fields(s, s->current, 0, 2));
    team_for(s->threads, s->tile_count, velocity_tile, s);
    team_for(s->threads, own.end - own.first, half_back_row, s);
    clear_copy(s, 1 - s->current);
    return STATUS_OK;
}

static enum status take_lift(struct solver *s)
{
    const struct tsunami_rows own = s->own;
    for (size_t row = own.first; row < own.end; row++)
        if (!s->is_lifted[row])
            memset((char *)s->state[1 - s->current][0] + (s->offset + row * s->pitch) * s->element, 0,
                   s->setup.geometry->nx * s->element);
    fill_halo(s, 1 - s->current, 0);
    CHECK(exchange_fields(s, 1 - s->current, 0, 0));
    team_for(s->threads, s->stored.end - s->stored.first - 2, lifted_head_row, s);
    team_for(s->threads, own.end - own.first, unlift_row, s);
    clear_copy(s, 1 - s->current);
    return STATUS_OK;
}

struct inspection {
    struct solver *solver;
    const struct tsunami_records *records;
    float time_s;
};

static void inspect_tile(void *context, size_t t)
{
    const struct inspection *inspection = context;
    struct solver *s = inspection->solver;
    if (s->tiles[t].is_land)
        return;
    if (inspection->records)
        (is_single(s) ? velocity_f : velocity_d)(s, &s->tiles[t], inspection->records, true,
                                                 inspection->time_s);
    s->is_moving[t] = (is_single(s) ? moves_f : moves_d)(s, &s->tiles[t], s->current);
}

static enum status c_grid_touch(struct solver *s, bool is_loaded)
{
    const size_t ny = s->setup.geometry->ny;
    if (is_loaded && s->is_divided && s->setup.ranks->rank > 0)
        s->counts[0] = s->counts[1] = 0; // rank 0 has those of all
    for (size_t row = 0; row < ny; row++)
        s->has_lifted |= s->is_lifted[row];
    if (s->has_set && !is_loaded)
        CHECK(take_set(s));
    else if (s->has_lifted && !is_loaded)
        CHECK(take_lift(s));
    memset(s->is_set, 0, ny);
    memset(s->is_lifted, 0, ny);
    s->has_set = s->has_lifted = false;
    fill_halos(s);
    CHECK(exchange_fields(s, s->current, 0, 2));
    struct inspection inspection = {s, NULL, 0};
    s->is_listed = false;
    team_for(s->threads, s->tile_count, inspect_tile, &inspection);
    return STATUS_OK;
}

static void c_grid_record(struct solver *s, double time_s)
{
    struct inspection inspection = {s, s->setup.records, (float)time_s};
    s->is_listed = false;
    team_for(s->threads, s->tile_count, inspect_tile, &inspection);
    tsunami_point_record_all(&s->setup, s, c_grid_get, time_s);
}

static enum status c_grid_gather_edges(struct solver *s, size_t slot)
{
    (void)s;
    (void)slot;
    return FAIL(STATUS_SOFTWARE, "a staggered grid has no given edges");
}

static int c_grid_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    static const char *const names[TSUNAMI_FIELDS] = {"eta", "u", "v"};
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        arrays[f] = (struct checkpoint_array){names[f], stored_row(s, s->state[s->current][f], s->kept.first),
                                              (s->kept.end - s->kept.first) * s->pitch * s->element};
    arrays[TSUNAMI_FIELDS] = (struct checkpoint_array){"node counts", s->counts, sizeof s->counts};
    return TSUNAMI_FIELDS + 1;
}

static void c_grid_checkpoint_rows(const struct solver *s, struct checkpoint_rows *rows)
{
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        rows[f] = (struct checkpoint_rows){
            .row_bytes = s->pitch * s->element, .first = s->kept.first, .end = s->kept.end, .rows = s->rows};
}

// What a step reads of a neighbour.
static size_t c_grid_least_rows(const struct tsunami_physics *physics, size_t nx, size_t ny)
{
    (void)physics;
    (void)nx;
    (void)ny;
    return C_GRID_HALO;
}

// The counts of all ranks become rank 0's, which a checkpoint keeps.
static enum status c_grid_finish(struct solver *s, struct tsunami_invalid *found)
{
    (void)found;
    return s->is_divided ? tsunami_gather_counts(s->setup.ranks, s->counts) : STATUS_OK;
}

static void c_grid_work(const struct solver *s, double *computed, double *skipped)
{
    *computed = s->counts[0];
    *skipped = s->counts[1];
}

const struct tsunami_backend tsunami_backend_openmp_staggered = {
    .head = {.name = "openmp",
             .summary = "all processor cores, vectorised, tiled",
             .touch = c_grid_touch,
             .advance = c_grid_advance,
             .checkpoint_arrays = c_grid_checkpoint_arrays,
             .instruction_set = c_grid_instruction_set},
    .staggered = &tsunami_backend_openmp_staggered,
    .plan = c_grid_plan,
    .start = c_grid_start,
    .get = c_grid_get,
    .set = c_grid_set,
    .get_staggered = c_grid_get_staggered,
    .lift = c_grid_lift,
    .record = c_grid_record,
    .gather_edges = c_grid_gather_edges,
    .least_rows = c_grid_least_rows,
    .checkpoint_rows = c_grid_checkpoint_rows,
    .work = c_grid_work,
    .finish = c_grid_finish,
};
