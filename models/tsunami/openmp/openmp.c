// The fast CPU version: both sweeps in one pass over cache-sized tiles, vectorised, threads over tiles; in
// the perturbation form (tile.inc) or, with a moving shoreline, by finite volumes (fv_step.inc) or MOST's
// scheme (shore.inc). If all coasts are reflecting walls, tiles of land are never computed. Tiles that the
// wave has not reached, or (with a moving shoreline) has left, are skipped until a neighbour moves; the
// results are the same. Independent of files.
#include "models/tsunami/solver.h"

#include "io/checkpoint_set.h"
#include "models/denormals.h"
#include "models/isa.h"
#include "models/team.h"
#include "models/tsunami/edges.h"
#include "models/tsunami/host_level.h"
#include "models/tsunami/moving.h"
#include "models/tsunami/openmp/dispersion.h"
#include "models/tsunami/openmp/eddy.h"
#include "models/tsunami/openmp/fv.h"
#include "models/tsunami/openmp/isa.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

// A changed tile and its neighbours are computed for two more steps: one for each order of the sweeps.
enum { STEPS_TO_REST = 2 };

// The functions of one instruction set.
struct functions {
    const struct tsunami_tile_functions *tiles;
    const struct tsunami_fv_functions *flooding, *shore; // muscl-hancock, vtcs2-shore
    const struct tsunami_dispersion_functions *dispersion;
    const struct tsunami_eddy_functions *eddy;
};

struct solver {
    struct host_level host; // two copies of the state: the old and the new
    struct functions functions;
    struct openmp_dispersion dispersion; // where physics->has_dispersion
    struct openmp_eddy eddy;             // where tsunami_physics_has_eddies
    void *scratch;
    int threads;
    size_t scratch_pitch;
    // Tiles.
    size_t tile_columns, tile_rows, tile_count;
    struct tsunami_tile *tiles;
    uint8_t *is_awake; // computed from now on; where the shore moves: in the next step
    // Something in it was not zero after the last step. Where the shore moves: for how many more steps it
    // counts as moving, STEPS_TO_REST after a step that changed anything in it.
    uint8_t *is_moving;
    // The awake tiles; first_length: so many that the neighbours are told of come first, and the exchange
    // begins after them; 0: after all.
    int32_t *list;
    size_t list_length, first_length;
    double counts[2];             // node-steps computed and skipped
    struct tsunami_moving moving; // is_moving of other ranks too
    bool is_listed;               // `list` is that of the present state
    bool is_begun;                // the exchange of the new state and of what moves
    enum status status;           // of the exchange after a step
};

static struct functions choose_functions(void)
{
    return (struct functions){ISA_TABLE(tsunami_tiles), ISA_TABLE(tsunami_fv), ISA_TABLE(tsunami_shore),
                              ISA_TABLE(tsunami_dispersion), ISA_TABLE(tsunami_eddy)};
}

static const char *openmp_instruction_set(void)
{
    return choose_functions().tiles->instruction_set;
}

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

// Computes the nodes of tile number `tile` of `tiles` along an axis. With a moving shoreline the last tile
// has at least as many nodes as its neighbour reads.
static void tile_extent(bool floods, size_t tile, size_t tiles, size_t nodes, ptrdiff_t size,
                        ptrdiff_t *begin, ptrdiff_t *end)
{
    const ptrdiff_t n = (ptrdiff_t)nodes, left_over = n % size;
    const ptrdiff_t shift = floods && tiles > 1 && left_over > 0 && left_over < FV_BEYOND ? FV_BEYOND : 0;
    *begin = (ptrdiff_t)tile * size - (tile + 1 == tiles ? shift : 0);
    *end = tile + 1 == tiles ? n : *begin + size - (tile + 2 == tiles ? shift : 0);
}

static struct tsunami_rows extent_of(const void *solver, size_t tile_row)
{
    const struct solver *s = solver;
    const bool floods = s->host.floods;
    ptrdiff_t begin, end;
    tile_extent(floods, tile_row, s->tile_rows, s->host.setup.geometry->ny,
                floods ? FV_TILE_HEIGHT : TILE_HEIGHT, &begin, &end);
    return (struct tsunami_rows){(size_t)begin, (size_t)end};
}

static enum status openmp_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    *solver = s;
    const struct tsunami_geometry *g = setup->geometry;
    const enum element real = setup->precision;
    const bool floods = tsunami_method_floods(setup->physics->method);
    s->functions = choose_functions();
    if (setup->physics->method == TSUNAMI_VTCS2_SHORE)
        s->functions.flooding = s->functions.shore;
    s->threads = omp_get_max_threads();
    s->tile_columns = divide_up(g->nx, floods ? FV_TILE_WIDTH : TILE_WIDTH);
    s->tile_rows = divide_up(g->ny, floods ? FV_TILE_HEIGHT : TILE_HEIGHT);
    s->tile_count = s->tile_columns * s->tile_rows;
    CHECK(host_level_plan(&s->host, setup, plan, prefix, 2, MEMORY_HOST));
    s->dispersion.functions = s->functions.dispersion;
    if (setup->physics->has_dispersion)
        CHECK(openmp_dispersion_plan(&s->dispersion, &s->host, s->threads, plan, prefix));
    s->eddy.functions = s->functions.eddy;
    if (tsunami_physics_has_eddies(setup->physics))
        CHECK(openmp_eddy_plan(&s->eddy, &s->host, s->threads, plan, prefix));
    s->scratch_pitch = memory_pitch(floods ? FV_SCRATCH_ELEMENTS : TILE_SCRATCH_ELEMENTS, real);
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, (size_t)s->threads, s->scratch_pitch, &s->scratch,
                          "%sscratch", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, s->tile_count, sizeof *s->tiles, (void **)&s->tiles,
                          "%stiles", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, s->tile_count, (void **)&s->is_awake,
                          "%stile is awake", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, s->tile_count, (void **)&s->is_moving,
                          "%stile is moving", prefix));
    CHECK(tsunami_moving_plan(&s->moving, setup, s->tile_columns, s->tile_rows, extent_of, s, plan, prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, s->tile_count, (void **)&s->list, "%stile list",
                           prefix);
}

static bool is_on_given_edge(const struct tsunami_geometry *g, const struct tsunami_tile *tile)
{
    const bool is_edge[TSUNAMI_SIDES] = {tile->column == 0, tile->column + tile->width == (ptrdiff_t)g->nx,
                                         tile->row_begin == 0, tile->row_end == (ptrdiff_t)g->ny};
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (is_edge[side] && g->edges[side] == TSUNAMI_EDGE_GIVEN)
            return true;
    return false;
}

static void find_land(const struct solver *s, struct tsunami_tile *tile)
{
    tile->is_land = true;
    tile->has_land = false;
    for (ptrdiff_t j = tile->row_begin - 1; j <= tile->row_end; j++)
        for (ptrdiff_t i = tile->column - 1; i <= tile->column + tile->width; i++) {
            const bool is_inside = j >= tile->row_begin && j < tile->row_end && i >= tile->column &&
                                   i < tile->column + tile->width;
            if (host_level_celerity(&s->host, i, j) > 0)
                tile->is_land = tile->is_land && !is_inside;
            else
                tile->has_land = true;
        }
}

static void make_tiles(struct solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const bool floods = s->host.floods;
    for (size_t t = 0; t < s->tile_count; t++) {
        struct tsunami_tile *tile = &s->tiles[t];
        ptrdiff_t end;
        tile_extent(floods, t % s->tile_columns, s->tile_columns, g->nx, floods ? FV_TILE_WIDTH : TILE_WIDTH,
                    &tile->column, &end);
        tile->width = end - tile->column;
        tile_extent(floods, t / s->tile_columns, s->tile_rows, g->ny, floods ? FV_TILE_HEIGHT : TILE_HEIGHT,
                    &tile->row_begin, &tile->row_end);
        tile->is_given = is_on_given_edge(g, tile);
        tile->is_land = tile->has_land = false;
        if (!floods)
            find_land(s, tile);
        tsunami_tile_cut(tile, s->host.own);
    }
}

static enum status openmp_start(struct solver *s)
{
    host_level_start(&s->host);
    make_tiles(s);
    for (size_t t = 0; t < s->tile_count; t++)
        s->is_awake[t] = s->tiles[t].is_given;
    memset(s->is_moving, 0, s->tile_count);
    s->is_listed = s->is_begun = false;
    s->list_length = s->first_length = 0;
    s->counts[0] = s->counts[1] = 0;
    return STATUS_OK;
}

#define BOTH_PRECISIONS "models/tsunami/openmp/view.inc"
#include "models/tsunami/both_precisions.inc"

static void openmp_get(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s)
{
    host_level_get(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void openmp_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s)
{
    host_level_set(&s->host, row, first, count, eta_m, u_m_s, v_m_s);
}

static void openmp_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    host_level_lift(&s->host, row, uplift_m, bottom_m);
}

// Wakes a tile and its eight neighbours (also across periodic edges).
static void wake_about(struct solver *s, size_t t)
{
    const ptrdiff_t columns = (ptrdiff_t)s->tile_columns, rows = (ptrdiff_t)s->tile_rows;
    const ptrdiff_t column = (ptrdiff_t)t % columns, row = (ptrdiff_t)t / columns;
    for (ptrdiff_t dj = -1; dj <= 1; dj++)
        for (ptrdiff_t di = -1; di <= 1; di++) {
            ptrdiff_t i = column + di, j = row + dj;
            if (s->host.setup.geometry->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
                i = (i + columns) % columns;
            if (s->host.setup.geometry->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
                j = (j + rows) % rows;
            if (i >= 0 && j >= 0 && i < columns && j < rows)
                s->is_awake[j * columns + i] = 1;
        }
}

// With dispersion every tile depends on all others. And if steps are completed after the tiles, no tile may
// be skipped, because its change would be in only one copy of the state.
static bool computes_all(const struct solver *s)
{
    return !s->host.setup.skips_quiet_tiles || tsunami_physics_completes_steps(s->host.setup.physics);
}

// Whether a step's exchange begins before all of its tiles are computed.
static bool has_parts(const struct solver *s)
{
    return s->moving.is_of_neighbours && !computes_all(s);
}

// The tiles that neighbours are told of, or the others.
static void add_to_list(struct solver *s, bool is_told, bool is_all)
{
    for (size_t t = 0; t < s->tile_count; t++)
        if (!s->tiles[t].is_land && (s->is_awake[t] || is_all) && tsunami_tile_has_rows(&s->tiles[t]) &&
            tsunami_moving_is_told(&s->moving, t / s->tile_columns) == is_told)
            s->list[s->list_length++] = (int32_t)t;
}

// Lists the tiles to compute in the next step. If all coasts are reflecting walls, a tile that is awake stays
// awake, because its two copies of the state differ. With a moving shoreline both copies are equal after a
// step that changes nothing, so a tile sleeps again when the last steps of both orders have changed nothing
// in it and in its neighbours.
static enum status list_tiles(struct solver *s)
{
    const bool is_all = computes_all(s);
    const uint8_t *is_moving = s->is_moving;
    if (s->host.is_divided && !is_all) {
        CHECK((s->is_begun ? tsunami_moving_end : tsunami_moving_merge)(&s->moving, s->is_moving));
        is_moving = s->moving.merged;
    }
    for (size_t t = 0; s->host.floods && t < s->tile_count; t++)
        s->is_awake[t] = s->tiles[t].is_given;
    for (size_t t = 0; t < s->tile_count; t++)
        if (is_moving[t])
            wake_about(s, t);
    s->list_length = 0;
    add_to_list(s, true, is_all);
    s->first_length = has_parts(s) ? s->list_length : 0;
    add_to_list(s, false, is_all);
    s->is_listed = true;
    s->is_begun = false;
    return STATUS_OK;
}

// One thread does it: points are few.
static void record_points(const struct solver *s, double time_s)
{
    tsunami_point_record_all(&s->host.setup, s, openmp_get, time_s);
}

static void after_step(struct solver *s, int64_t step)
{
    const struct tsunami_setup *setup = &s->host.setup;
    const double all = (double)(setup->geometry->nx * (s->host.own.end - s->host.own.first));
    double nodes = 0;
    for (size_t k = 0; k < s->list_length; k++) {
        const struct tsunami_tile *tile = &s->tiles[s->list[k]];
        nodes += (double)(tile->width * (tile->row_end - tile->row_begin));
    }
    s->counts[0] += nodes;
    s->counts[1] += all - nodes;
    s->host.current = 1 - s->host.current;
    if (s->status == STATUS_OK)
        s->status = s->dispersion.ranks.status;
    if (s->status == STATUS_OK)
        s->status =
            s->is_begun ? host_level_exchange_end(&s->host) : host_level_exchange(&s->host, s->host.current);
    if (!setup->records->is_paused)
        record_points(s, setup->start_s + (double)(step + 1) * setup->step_s);
    if (s->status == STATUS_OK)
        s->status = list_tiles(s);
}

static void advance_listed_tile(struct solver *s, size_t k, int64_t step)
{
    const struct tsunami_setup *setup = &s->host.setup;
    const float time_s = (float)(setup->start_s + (double)(step + 1) * setup->step_s);
    const bool is_odd = setup->physics->method != TSUNAMI_VTCS2 && step % 2 != 0;
    const size_t t = (size_t)s->list[k];
    static const struct tsunami_records none; // the records follow after the step is completed
    const bool records_now = !tsunami_physics_completes_steps(setup->physics) && !setup->records->is_paused;
    const bool moves = (setup->precision == ELEMENT_F32 ? advance_f : advance_d)(
        s, &s->tiles[t], records_now ? setup->records : &none, step, is_odd, time_s);
    if (!s->host.floods)
        s->is_moving[t] = moves;
    else if (moves)
        s->is_moving[t] = STEPS_TO_REST;
    else if (s->is_moving[t] > 0)
        s->is_moving[t]--;
}

// After the tiles that other ranks wait for.
static void begin_exchange(struct solver *s)
{
    s->is_begun = true;
    s->status = host_level_exchange_begin(&s->host, 1 - s->host.current);
    if (s->status == STATUS_OK)
        s->status = tsunami_moving_begin(&s->moving, s->is_moving);
}

static bool record_tile(const struct solver *s, int now, const struct tsunami_records *records,
                        const struct tsunami_tile *tile, float time_s)
{
    const bool is_single = s->host.setup.precision == ELEMENT_F32;
    return (is_single ? record_f : record_d)(s, now, records, tile, time_s);
}

// What follows the tiles reads the rows of other ranks.
static void exchange_new_state(struct solver *s)
{
    if (!s->host.is_divided)
        return;
#pragma omp single
    if (s->status == STATUS_OK)
        s->status = host_level_exchange(&s->host, 1 - s->host.current);
}

// After all tiles: eddy viscosity, dispersion and the records, by every thread of the team or by one alone.
// The loop has a static schedule, as in dispersion_step.inc.
static void complete_step(struct solver *s, int64_t step)
{
    const struct tsunami_setup *setup = &s->host.setup;
    const float time_s = (float)(setup->start_s + (double)(step + 1) * setup->step_s);
    if (tsunami_physics_has_eddies(setup->physics)) {
        exchange_new_state(s);
        openmp_stir(&s->eddy, &s->host, 1 - s->host.current);
    }
    if (setup->physics->has_dispersion) {
        exchange_new_state(s);
        openmp_disperse(&s->dispersion, &s->host, s->host.current, step % 2 != 0);
    }
    if (setup->records->is_paused)
        return;
#pragma omp for schedule(static)
    for (size_t t = 0; t < s->tile_count; t++)
        (void)record_tile(s, 1 - s->host.current, setup->records, &s->tiles[t], time_s);
}

static void advance_alone(struct solver *s, int64_t first_step, int64_t count)
{
    const unsigned mode = denormals_flush();
    for (int64_t step = first_step; step < first_step + count && s->status == STATUS_OK; step++) {
        for (size_t k = 0; k < s->first_length; k++)
            advance_listed_tile(s, k, step);
        if (has_parts(s))
            begin_exchange(s);
        for (size_t k = s->first_length; k < s->list_length; k++)
            advance_listed_tile(s, k, step);
        if (tsunami_physics_completes_steps(s->host.setup.physics))
            complete_step(s, step);
        after_step(s, step);
    }
    denormals_restore(mode);
}

static enum status openmp_advance(struct solver *s, int64_t first_step, int64_t count)
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
        // Of the exchange all threads see the same outcome: the next one is after a barrier.
        for (int64_t step = first_step; step < first_step + count && s->status == STATUS_OK; step++) {
            // The list is that of this step until after_step: so are its two parts.
            const size_t first = s->first_length, length = s->list_length;
            if (has_parts(s)) {
#pragma omp for schedule(dynamic, 1)
                for (size_t k = 0; k < first; k++)
                    advance_listed_tile(s, k, step);
#pragma omp single
                begin_exchange(s);
            }
#pragma omp for schedule(dynamic, 1)
            for (size_t k = first; k < length; k++)
                advance_listed_tile(s, k, step);
            if (tsunami_physics_completes_steps(s->host.setup.physics))
                complete_step(s, step);
#pragma omp single
            after_step(s, step);
        }
        denormals_restore(mode);
    }
    return s->status;
}

struct inspection {
    struct solver *solver;
    const struct tsunami_records *records;
    float time_s;
    bool is_touch;
};

static void inspect_tile(void *context, size_t t)
{
    const struct inspection *inspection = context;
    struct solver *s = inspection->solver;
    if (s->tiles[t].is_land)
        return;
    const bool moves = record_tile(s, s->host.current, inspection->records, &s->tiles[t], inspection->time_s);
    if (!s->host.floods)
        s->is_moving[t] = moves;
    else if (inspection->is_touch)
        s->is_moving[t] = moves ? STEPS_TO_REST : 0; // the sea at rest or dry land: exactly at rest
}

// Records every wet tile of the present state, and finds those that move.
static void inspect_tiles(struct solver *s, const struct tsunami_records *records, double time_s,
                          bool is_touch)
{
    struct inspection inspection = {s, records, (float)time_s, is_touch};
    s->is_listed = false;
    team_for(s->threads, s->tile_count, inspect_tile, &inspection);
}

static void openmp_record(struct solver *s, double time_s)
{
    inspect_tiles(s, s->host.setup.records, time_s, false);
    record_points(s, time_s);
}

static enum status openmp_touch(struct solver *s, bool is_loaded)
{
    static const struct tsunami_records none;
    if (is_loaded && s->host.is_divided && s->host.setup.ranks->rank > 0)
        s->counts[0] = s->counts[1] = 0; // rank 0 has those of all
    host_level_fill_halo(&s->host);
    if (s->host.floods)
        CHECK(host_level_exchange_bottom(&s->host));
    CHECK(host_level_exchange(&s->host, s->host.current));
    // A sleeping tile must have the same values in both copies of the state.
    if (s->host.floods)
        host_level_copy_state(&s->host);
    inspect_tiles(s, &none, 0, true);
    return STATUS_OK;
}

static size_t openmp_least_rows(const struct tsunami_physics *physics, size_t nx, size_t ny)
{
    (void)physics;
    (void)nx;
    (void)ny;
    return 2;
}

// The counts of all ranks become rank 0's, which a checkpoint keeps.
static enum status openmp_finish(struct solver *s, struct tsunami_invalid *found)
{
    (void)found;
    return s->host.is_divided ? tsunami_gather_counts(s->host.setup.ranks, s->counts) : STATUS_OK;
}

static void openmp_checkpoint_rows(const struct solver *s, struct checkpoint_rows *rows)
{
    host_level_checkpoint_rows(&s->host, rows);
}

static enum status openmp_gather_edges(struct solver *s, size_t slot)
{
    // The parent may have another method; in every solver the setup is the first member.
    const struct tsunami_setup *parent = (const struct tsunami_setup *)s->host.setup.parent;
    return tsunami_edges_gather(&s->host.setup, parent,
                                tsunami_backend_for(&tsunami_backend_openmp, parent->physics->method)->get,
                                slot);
}

static int openmp_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const int count = host_level_checkpoint_arrays(&s->host, arrays);
    arrays[count] = (struct checkpoint_array){"node counts", s->counts, sizeof s->counts};
    return count + 1;
}

static void openmp_work(const struct solver *s, double *computed, double *skipped)
{
    *computed = s->counts[0];
    *skipped = s->counts[1];
}

const struct tsunami_backend tsunami_backend_openmp = {
    .head = {.name = "openmp",
             .summary = "all processor cores, vectorised, tiled",
             .touch = openmp_touch,
             .advance = openmp_advance,
             .checkpoint_arrays = openmp_checkpoint_arrays,
             .instruction_set = openmp_instruction_set},
    .flooding = &tsunami_backend_openmp,
    .staggered = &tsunami_backend_openmp_staggered,
    .has_dispersion = true,
    .plan = openmp_plan,
    .start = openmp_start,
    .get = openmp_get,
    .set = openmp_set,
    .lift = openmp_lift,
    .record = openmp_record,
    .gather_edges = openmp_gather_edges,
    .least_rows = openmp_least_rows,
    .checkpoint_rows = openmp_checkpoint_rows,
    .work = openmp_work,
    .finish = openmp_finish,
};
