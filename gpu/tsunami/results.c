// The results of a tsunami solver: the frames in which the device computes records, the device's copy of the
// geometry, and the findings of the guard. Independent of steps and tiles.
#include "models/tsunami/results.h"
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"
#include "parallel/sums.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct results_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

static enum status plan_frames(struct tsunami_device_results *o, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_wanted *w = &o->wanted;
    const size_t element = element_bytes(w->element);
    size_t fields = 0;
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++)
        fields += o->fields[f] = w->fields[f];
    const struct gpu_result_kind kinds[TSUNAMI_RESULTS] = {
        {"fields", fields * w->crop.rows * w->crop.columns * element, fields,
         w->held_rows * w->crop.columns * element},
        {.name = "gauges", .record_bytes = TSUNAMI_FIELDS * w->gauge_count * element},
        {.name = "diagnostics", .record_bytes = w->diagnostics_bytes},
    };
    return gpu_results_plan_frames(&o->common, kinds, TSUNAMI_RESULTS, w->slots, w->frame_records, plan,
                                   prefix);
}

// The rows whose still depth gauges need, too: of a divided grid one more, which is a ring's first row behind
// its last.
static struct tsunami_rows depth_rows(const struct solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    struct tsunami_rows rows = tsunami_own(g);
    rows.end += s->host.is_divided && (s->host.is_ring || rows.end < g->ny);
    return rows;
}

static size_t diagnose_blocks(const struct solver *s)
{
    const struct results_state state = solver_present_surface(s);
    return results_blocks(&state);
}

enum status tsunami_device_plan_results(struct solver *s, const struct tsunami_wanted *wanted,
                                        struct memory_plan *plan, const char *prefix)
{
    struct tsunami_device_results *o = &s->results;
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const bool has_depth = !s->host.floods; // else the state contains the bottom
    const struct tsunami_rows rows = depth_rows(s);
    const size_t records =
        (size_t)wanted->slots[TSUNAMI_RESULT_DIAGNOSTICS] * wanted->frame_records[TSUNAMI_RESULT_DIAGNOSTICS];
    const struct gpu_array arrays[] = {
        {&o->columns, MEMORY_DEVICE, ELEMENT_F64, RESULTS_COLUMNS, g->nx, "device cell columns"},
        {&o->rows, MEMORY_DEVICE, ELEMENT_F64, RESULTS_ROWS, g->ny, "device cell rows"},
        {&o->host_columns, MEMORY_HOST, ELEMENT_F64, RESULTS_COLUMNS, g->nx, "cell columns"},
        {&o->host_rows, MEMORY_HOST, ELEMENT_F64, RESULTS_ROWS, g->ny, "cell rows"},
        {&o->partials, MEMORY_DEVICE, ELEMENT_F64, records, results_partials(diagnose_blocks(s)),
         "device block sums"},
        {&o->nodes, MEMORY_DEVICE, ELEMENT_I32, RESULTS_GAUGE_NODES, wanted->gauge_count,
         "device gauge nodes"},
        {&o->weights, MEMORY_DEVICE, ELEMENT_F64, TSUNAMI_CORNERS, wanted->gauge_count,
         "device gauge weights"},
        {&o->host_nodes, MEMORY_HOST, ELEMENT_I32, RESULTS_GAUGE_NODES, wanted->gauge_count, "gauge nodes"},
        {&o->host_weights, MEMORY_HOST, ELEMENT_F64, TSUNAMI_CORNERS, wanted->gauge_count, "gauge weights"},
    };
    o->wanted = *wanted;
    CHECK(plan_frames(o, plan, prefix));
    if (has_depth)
        CHECK(memory_plan_add_rows(plan, MEMORY_DEVICE, ELEMENT_F64, rows.first, rows.end, g->pitch,
                                   (void **)&o->depth_m, "%sdevice still depth", prefix));
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    return gpu_results_plan_finding(&o->common, plan, prefix);
}

// Computes the geometry with the same factors as models/tsunami/geometry.c and diagnostics.c.
static void fill_geometry(struct solver *s)
{
    struct tsunami_device_results *o = &s->results;
    const struct tsunami_geometry *g = s->host.setup.geometry;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
        const double before = g->x_distance_m[i - 1], after = g->x_distance_m[i];
        o->host_columns[RESULTS_COLUMN_QUARTER * g->nx + (size_t)i] = 0.25 * (before + after);
        o->host_columns[RESULTS_COLUMN_NEAR * g->nx + (size_t)i] = fmin(before, after);
    }
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++) {
        const double before = g->y_distance_m[j - 1], after = g->y_distance_m[j];
        o->host_rows[RESULTS_ROW_COSINE * g->ny + (size_t)j] = g->cos_latitude[j];
        o->host_rows[RESULTS_ROW_SPAN * g->ny + (size_t)j] = before + after;
        o->host_rows[RESULTS_ROW_NEAR * g->ny + (size_t)j] = fmin(before, after);
    }
}

static void fill_gauges(struct solver *s)
{
    struct tsunami_device_results *o = &s->results;
    const struct tsunami_rows own = tsunami_own(s->host.setup.geometry);
    const size_t count = o->wanted.gauge_count;
    for (size_t k = 0; k < count; k++) {
        const struct tsunami_gauge_place *place = &o->wanted.gauges[k];
        for (size_t i = 0; i < 2; i++) {
            // In a ring the first row is held behind the last.
            const size_t row =
                s->host.is_ring && place->rows[i] < place->rows[0] ? place->rows[0] + 1 : place->rows[i];
            o->host_nodes[(RESULTS_GAUGE_ROWS + i) * count + k] =
                tsunami_has_row(own, place->rows[0]) ? (int)row : -1;
            o->host_nodes[(RESULTS_GAUGE_COLUMNS + i) * count + k] = (int)place->columns[i];
        }
        o->host_nodes[RESULTS_GAUGE_NEAREST * count + k] = place->nearest;
        for (size_t c = 0; c < TSUNAMI_CORNERS; c++)
            o->host_weights[c * count + k] = place->weights[c];
    }
}

// After the reserve.
static void set_geometry(struct solver *s)
{
    struct tsunami_device_results *o = &s->results;
    const struct tsunami_setup *setup = &s->host.setup;
    o->geometry = (struct results_geometry){
        .depth_m = o->depth_m,
        .depth_pitch = (int)setup->geometry->pitch,
        .columns = o->columns,
        .rows = o->rows,
        .gravity_m_s2 = setup->geometry->gravity_m_s2,
        .step_s = setup->step_s,
        .wall_depth_m = setup->physics->wall_depth_m,
        .wet_depth_m = tsunami_wet_depth_m(setup->physics, setup->records),
    };
}

static enum status upload_depth(const struct solver *s)
{
    const struct tsunami_device_results *o = &s->results;
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const struct tsunami_rows rows = depth_rows(s);
    const size_t bytes = g->pitch * sizeof *o->depth_m;
    for (size_t row = rows.first; row < rows.end && rows.end > g->ny; row++)
        CHECK(gpu_timeline_upload(s->timeline, (void *)((uintptr_t)o->depth_m + row * bytes),
                                  (const char *)*s->host.setup.depth_m + row % g->ny * bytes, bytes));
    return rows.end > g->ny
               ? STATUS_OK
               : gpu_timeline_upload(s->timeline, (void *)((uintptr_t)o->depth_m + rows.first * bytes),
                                     (const char *)*s->host.setup.depth_m + rows.first * bytes,
                                     (rows.end - rows.first) * bytes);
}

enum status tsunami_device_start_results(struct solver *s)
{
    struct tsunami_device_results *o = &s->results;
    const struct tsunami_geometry *g = s->host.setup.geometry;
    if (!o->common.finding)
        return STATUS_OK;
    fill_geometry(s);
    fill_gauges(s);
    set_geometry(s);
    if (o->depth_m)
        CHECK(upload_depth(s));
    CHECK(gpu_timeline_upload(s->timeline, o->columns, o->host_columns,
                              RESULTS_COLUMNS * g->nx * sizeof *o->columns));
    CHECK(gpu_timeline_upload(s->timeline, o->rows, o->host_rows, RESULTS_ROWS * g->ny * sizeof *o->rows));
    CHECK(gpu_timeline_upload(s->timeline, o->nodes, o->host_nodes,
                              RESULTS_GAUGE_NODES * o->wanted.gauge_count * sizeof *o->nodes));
    CHECK(gpu_timeline_upload(s->timeline, o->weights, o->host_weights,
                              TSUNAMI_CORNERS * o->wanted.gauge_count * sizeof *o->weights));
    return gpu_results_start(&o->common, s->timeline);
}

static double *partials_of(const struct solver *s, int slot, size_t record)
{
    const struct tsunami_device_results *o = &s->results;
    const size_t number = (size_t)slot * o->wanted.frame_records[TSUNAMI_RESULT_DIAGNOSTICS] + record;
    return o->partials + number * results_partials(diagnose_blocks(s));
}

// Doubles of one sum in a record of a divided grid's diagnostics.
static size_t sum_length(const struct solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const struct tsunami_rows own = tsunami_own(g);
    return sums_bytes(own.first * g->nx, own.end * g->nx) / sizeof(double);
}

static cudaError_t make_record(struct solver *s, const struct results_state *state,
                               enum tsunami_result result, int slot, size_t number)
{
    struct tsunami_device_results *o = &s->results;
    const struct tsunami_wanted *w = &o->wanted;
    const cudaStream_t stream = s->timeline->compute;
    void *const record = gpu_frames_record(&o->common.frames[result], slot, number);
    if (result == TSUNAMI_RESULT_FIELDS)
        return results_fields(state, &o->geometry, &w->crop, o->fields, w->element, record, stream);
    if (result == TSUNAMI_RESULT_GAUGES)
        return results_gauges(state, &o->geometry, o->nodes, o->weights, (int)w->gauge_count, w->element,
                              record, stream);
    return results_diagnose_blocks(state, &o->geometry, partials_of(s, slot, number),
                                   s->host.is_divided ? record : NULL, sum_length(s), stream);
}

enum status tsunami_device_capture(struct solver *s, enum tsunami_result result, int slot, size_t record)
{
    struct results_state state;
    CHECK(s->status);
    CHECK(gpu_timeline_begin(s->timeline, GPU_TIMELINE_RESULTS, 1));
    CHECK(solver_present_state(s, &state));
    if (result == TSUNAMI_RESULT_GAUGES) // which may lie between this rank's last row and the next one
        CHECK(solver_exchange_nodes(s));
    CUDA_CHECK(make_record(s, &state, result, slot, record), "to make a record");
    return gpu_timeline_end(s->timeline);
}

// For diagnostics, first adds the block sums of `sums` records on the copy stream: one thread block for some
// microseconds, at the same time as the next steps.
static enum status send(struct solver *s, int result, int slot, size_t sums, size_t records, void *to)
{
    struct gpu_frames *frames = &s->results.common.frames[result];
    const size_t before = s->host.is_divided ? TSUNAMI_DIAGNOSED_SUMS * sum_length(s) : 0;
    CHECK(gpu_results_ready(&s->results.common, s->timeline, result, slot));
    for (size_t k = 0; result == TSUNAMI_RESULT_DIAGNOSTICS && k < sums; k++)
        CUDA_CHECK(results_diagnose_total(diagnose_blocks(s), partials_of(s, slot, k),
                                          (double *)gpu_frames_record(frames, slot, k) + before,
                                          s->timeline->copy),
                   "to add up a record");
    return gpu_frames_send(frames, s->timeline, slot, records, to);
}

enum status tsunami_device_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    return send(s, result, slot, records, records, to);
}

// `note`: NULL if none has arrived.
static void read_finding(const struct solver *s, const void *note, struct tsunami_invalid *found)
{
    const size_t nx = s->host.setup.geometry->nx;
    struct results_finding finding = {.after_step = 0};
    if (note)
        memcpy(&finding, note, sizeof finding);
    if (finding.after_step != 0)
        *found = (struct tsunami_invalid){
            .step = finding.after_step - 1,
            .row = (size_t)finding.index / nx,
            .column = (size_t)finding.index % nx,
            .eta_m = finding.eta_m,
            .u_m_s = finding.u_m_s,
            .v_m_s = finding.v_m_s,
        };
}

enum status tsunami_device_await(struct solver *s, enum tsunami_result result, int slot,
                                 struct tsunami_invalid *found)
{
    const void *note;
    CHECK(gpu_frames_await(&s->results.common.frames[result], s->timeline, slot, &note));
    read_finding(s, note, found);
    return STATUS_OK;
}

enum status tsunami_device_guard(struct solver *s, int64_t step, struct tsunami_invalid *found)
{
    struct gpu_results *common = &s->results.common;
    struct results_state state;
    const void *note;
    CHECK(s->status);
    CHECK(gpu_timeline_begin(s->timeline, GPU_TIMELINE_RESULTS, 2));
    CHECK(solver_present_state(s, &state));
    CUDA_CHECK(results_guard(&state, &s->results.geometry, step, common->first, common->finding,
                             s->timeline->compute),
               "to look for invalid values");
    CHECK(gpu_results_end_guard(common, s->timeline, &note));
    read_finding(s, note, found);
    return STATUS_OK;
}

enum status tsunami_device_finish(struct solver *s, struct tsunami_invalid *found)
{
    const void *note;
    CHECK(s->status);
    CHECK(gpu_timeline_download(s->timeline, &s->counts[COUNT_COMPUTED], s->device_computed,
                                sizeof *s->counts));
    CHECK(gpu_results_finish(&s->results.common, s->timeline, &note));
    read_finding(s, note, found);
    CHECK(gpu_exchange_finish(&s->exchange));
    CHECK(solver_finish_peers(s));
    CHECK(gpu_allgather_finish(&s->dispersion.ranks.gather));
    CHECK(gpu_allgather_finish(&s->edges_of_ranks.gather));
    CHECK(solver_gather_counts(s));
    solver_note_work(s);
    return STATUS_OK;
}

static enum status make_first(struct solver *s, int result)
{
    CHECK(tsunami_device_capture(s, (enum tsunami_result)result, 0, 0));
    return send(s, result, 0, 1, 0, NULL);
}

enum status tsunami_device_warm_up_results(struct solver *s)
{
    struct tsunami_invalid found;
    if (!s->results.common.finding)
        return STATUS_OK;
    set_geometry(s);
    CHECK(gpu_results_start(&s->results.common, s->timeline));
    CHECK(gpu_results_warm_up(&s->results.common, s->timeline, s, make_first));
    return tsunami_device_guard(s, 0, &found);
}
