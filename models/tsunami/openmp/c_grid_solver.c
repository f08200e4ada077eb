// The fast CPU version of `c-grid-6`: two passes a step over cache-sized tiles (velocities, elevations),
// vectorised, threads over tiles. Tiles of land are never computed; tiles that the wave has not reached are
// skipped until a neighbour moves: the results are the same. Knows no files.
#include "models/tsunami/openmp/c_grid_solver.h"

#include "io/checkpoint_set.h"
#include "models/denormals.h"
#include "models/isa.h"
#include "parallel/ranks.h"

#include <omp.h>
#include <string.h>

#define BOTH_PRECISIONS "models/tsunami/openmp/c_grid_tiles.inc"
#include "models/tsunami/both_precisions.inc"

static const char *c_grid_instruction_set(void)
{
    return ISA_TABLE(tsunami_c_grid)->instruction_set;
}

void openmp_c_grid_velocity(const struct solver *s, const struct tsunami_tile *tile,
                            const struct tsunami_records *records, bool is_record_only, float time_s)
{
    (c_grid_is_single(s) ? velocity_f : velocity_d)(s, tile, records, is_record_only, time_s);
}

bool openmp_c_grid_moves(const struct solver *s, const struct tsunami_tile *tile, int copy)
{
    return (c_grid_is_single(s) ? moves_f : moves_d)(s, tile, copy);
}

void openmp_c_grid_fill_halo(const struct solver *s, int copy, int field)
{
    (c_grid_is_single(s) ? fill_halo_f : fill_halo_d)(s, s->state[copy][field], field == 0);
}

enum status openmp_c_grid_exchange(struct solver *s, int copy, int first, int last)
{
    struct exchange *e = &s->exchanges[last - first];
    if (!s->is_divided)
        return STATUS_OK;
    for (int f = first; f <= last; f++)
        s->exchanged[f - first] = c_grid_stored_row(s, s->state[copy][f], C_GRID_HALO);
    CHECK(exchange_begin(e));
    return exchange_end(e);
}

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
    openmp_c_grid_velocity(s, &s->tiles[s->list[k]], records, is_record_only, time_s);
}

static void advance_elevation(struct solver *s, size_t k)
{
    const int32_t t = s->list[k];
    (c_grid_is_single(s) ? elevation_f : elevation_d)(s, &s->tiles[t]);
    if (!s->is_moving[t])
        s->is_moving[t] = openmp_c_grid_moves(s, &s->tiles[t], 1 - s->current);
}

static void after_velocities(struct solver *s)
{
    openmp_c_grid_fill_halo(s, 1 - s->current, 1);
    openmp_c_grid_fill_halo(s, 1 - s->current, 2);
    s->status = openmp_c_grid_exchange(s, 1 - s->current, 1, 2);
}

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
    openmp_c_grid_fill_halo(s, s->current, 0);
    if (s->status == STATUS_OK)
        s->status = openmp_c_grid_exchange(s, s->current, 0, 0);
    if (!s->setup.records->is_paused)
        tsunami_point_record_all(&s->setup, s, openmp_c_grid_get,
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

// ---- other operations

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
        arrays[f] =
            (struct checkpoint_array){names[f], c_grid_stored_row(s, s->state[s->current][f], s->kept.first),
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
             .touch = openmp_c_grid_touch,
             .advance = c_grid_advance,
             .checkpoint_arrays = c_grid_checkpoint_arrays,
             .instruction_set = c_grid_instruction_set},
    .staggered = &tsunami_backend_openmp_staggered,
    .plan = openmp_c_grid_plan,
    .start = openmp_c_grid_start,
    .get = openmp_c_grid_get,
    .set = openmp_c_grid_set,
    .get_staggered = openmp_c_grid_get_staggered,
    .lift = openmp_c_grid_lift,
    .record = openmp_c_grid_record,
    .gather_edges = c_grid_gather_edges,
    .least_rows = c_grid_least_rows,
    .checkpoint_rows = c_grid_checkpoint_rows,
    .work = c_grid_work,
    .finish = c_grid_finish,
};
