// A tsunami solver's records on the device (see the header). Knows neither steps nor tiles.
#include "gpu/tsunami/results.h"

#include "gpu/memory.h"
#include "models/tsunami/results.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct results_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

static enum status plan_frames(struct tsunami_device_results *o, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[TSUNAMI_RESULTS] = {"fields", "gauges", "diagnostics"};
    const struct tsunami_wanted *w = &o->wanted;
    size_t fields = 0;
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++)
        fields += o->fields[f] = w->fields[f];
    const size_t bytes[TSUNAMI_RESULTS] = {
        fields * w->crop.rows * w->crop.columns * element_bytes(w->element),
        TSUNAMI_FIELDS * w->gauge_count * element_bytes(w->element), TSUNAMI_DIAGNOSTICS * sizeof(double)};
    struct gpu_result_kind kinds[TSUNAMI_RESULTS];
    for (int r = 0; r < TSUNAMI_RESULTS; r++)
        kinds[r] = (struct gpu_result_kind){names[r], w->slots[r], w->frame_records[r], bytes[r]};
    return gpu_results_plan_frames(&o->results, kinds, TSUNAMI_RESULTS, plan, prefix);
}

enum status tsunami_device_results_plan(struct tsunami_device_results *o, const struct tsunami_setup *setup,
                                        const struct tsunami_wanted *wanted, struct memory_plan *plan,
                                        const char *prefix)
{
    const struct tsunami_geometry *g = setup->geometry;
    const bool has_depth = !tsunami_method_floods(setup->physics->method); // else the state has the bottom
    const size_t records =
        (size_t)wanted->slots[TSUNAMI_RESULT_DIAGNOSTICS] * wanted->frame_records[TSUNAMI_RESULT_DIAGNOSTICS];
    const struct gpu_array arrays[] = {
        {&o->depth_m, MEMORY_DEVICE, ELEMENT_F64, has_depth ? g->ny : 0, g->pitch, "device still depth"},
        {&o->columns, MEMORY_DEVICE, ELEMENT_F64, RESULTS_COLUMNS, g->nx, "device cell columns"},
        {&o->rows, MEMORY_DEVICE, ELEMENT_F64, RESULTS_ROWS, g->ny, "device cell rows"},
        {&o->host_columns, MEMORY_HOST, ELEMENT_F64, RESULTS_COLUMNS, g->nx, "cell columns"},
        {&o->host_rows, MEMORY_HOST, ELEMENT_F64, RESULTS_ROWS, g->ny, "cell rows"},
        {&o->partials, MEMORY_DEVICE, ELEMENT_F64, records, results_partials(g->nx, g->ny),
         "device block sums"},
        {&o->nodes, MEMORY_DEVICE, ELEMENT_I32, 2, wanted->gauge_count, "device gauge nodes"},
        {&o->host_nodes, MEMORY_HOST, ELEMENT_I32, 2, wanted->gauge_count, "gauge nodes"},
    };
    o->setup = setup;
    o->wanted = *wanted;
    CHECK(plan_frames(o, plan, prefix));
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    return gpu_results_plan_finding(&o->results, plan, prefix);
}

// As models/tsunami/geometry.c and diagnostics.c work them out, factor by factor.
static void fill_geometry(struct tsunami_device_results *o)
{
    const struct tsunami_geometry *g = o->setup->geometry;
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
    for (size_t k = 0; k < o->wanted.gauge_count; k++) {
        o->host_nodes[k] = (int)o->wanted.gauge_rows[k];
        o->host_nodes[o->wanted.gauge_count + k] = (int)o->wanted.gauge_columns[k];
    }
}

// Device addresses, known once the memory is reserved.
static void set_geometry(struct tsunami_device_results *o)
{
    o->geometry = (struct results_geometry){
        .depth_m = o->depth_m,
        .depth_pitch = (int)o->setup->geometry->pitch,
        .columns = o->columns,
        .rows = o->rows,
        .gravity_m_s2 = o->setup->geometry->gravity_m_s2,
        .step_s = o->setup->step_s,
        .wall_depth_m = o->setup->physics->wall_depth_m,
        .wet_depth_m = tsunami_wet_depth_m(o->setup->physics, o->setup->records),
    };
}

enum status tsunami_device_results_start(struct tsunami_device_results *o, struct gpu_timeline *timeline)
{
    if (!o->results.finding)
        return STATUS_OK;
    const struct tsunami_geometry *g = o->setup->geometry;
    fill_geometry(o);
    set_geometry(o);
    if (o->depth_m)
        CHECK(
            gpu_timeline_upload(timeline, o->depth_m, *o->setup->depth_m, g->ny * g->pitch * sizeof(double)));
    CHECK(
        gpu_timeline_upload(timeline, o->columns, o->host_columns, RESULTS_COLUMNS * g->nx * sizeof(double)));
    CHECK(gpu_timeline_upload(timeline, o->rows, o->host_rows, RESULTS_ROWS * g->ny * sizeof(double)));
    CHECK(gpu_timeline_upload(timeline, o->nodes, o->host_nodes, 2 * o->wanted.gauge_count * sizeof(int)));
    return gpu_results_start(&o->results, timeline);
}

static double *partials_of(const struct tsunami_device_results *o, int slot, size_t record)
{
    const struct tsunami_geometry *g = o->setup->geometry;
    const size_t number = (size_t)slot * o->wanted.frame_records[TSUNAMI_RESULT_DIAGNOSTICS] + record;
    return o->partials + number * results_partials(g->nx, g->ny);
}

static cudaError_t make_record(struct tsunami_device_results *o, struct gpu_timeline *timeline,
                               const struct results_state *state, enum tsunami_result result, int slot,
                               size_t record)
{
    void *const place = gpu_frames_record(&o->results.frames[result], slot, record);
    const struct tsunami_wanted *w = &o->wanted;
    if (result == TSUNAMI_RESULT_FIELDS)
        return results_fields(state, &o->geometry, &w->crop, o->fields, w->element, place, timeline->compute);
    if (result == TSUNAMI_RESULT_GAUGES)
        return results_gauges(state, &o->geometry, o->nodes, (int)w->gauge_count, w->element, place,
                              timeline->compute);
    return results_diagnose_blocks(state, &o->geometry, partials_of(o, slot, record), timeline->compute);
}

enum status tsunami_device_results_capture(struct tsunami_device_results *o, struct gpu_timeline *timeline,
                                           const struct results_state *state, enum tsunami_result result,
                                           int slot, size_t record)
{
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CUDA_CHECK(make_record(o, timeline, state, result, slot, record), "to make a record");
    return gpu_timeline_end(timeline);
}

// One block of threads for some microseconds, beside the next steps.
static enum status add_up(struct tsunami_device_results *o, struct gpu_timeline *timeline, int slot,
                          size_t records)
{
    const struct tsunami_geometry *g = o->setup->geometry;
    const struct gpu_frames *frames = &o->results.frames[TSUNAMI_RESULT_DIAGNOSTICS];
    for (size_t k = 0; k < records; k++)
        CUDA_CHECK(results_diagnose_total(g->nx, g->ny, partials_of(o, slot, k),
                                          gpu_frames_record(frames, slot, k), timeline->copy),
                   "to add up a record");
    return STATUS_OK;
}

enum status tsunami_device_results_send(struct tsunami_device_results *o, struct gpu_timeline *timeline,
                                        enum tsunami_result result, int slot, size_t records, void *to)
{
    CHECK(gpu_results_ready(&o->results, timeline, (int)result, slot));
    if (result == TSUNAMI_RESULT_DIAGNOSTICS)
        CHECK(add_up(o, timeline, slot, records));
    return gpu_frames_send(&o->results.frames[result], timeline, slot, records, to);
}

// `note` may be NULL: none has arrived.
static void read_finding(const struct tsunami_device_results *o, const void *note,
                         struct tsunami_invalid *found)
{
    struct results_finding finding = {.after_step = 0};
    if (note)
        memcpy(&finding, note, sizeof finding);
    if (finding.after_step == 0)
        return;
    *found = (struct tsunami_invalid){
        .step = finding.after_step - 1,
        .row = (size_t)finding.index / o->setup->geometry->nx,
        .column = (size_t)finding.index % o->setup->geometry->nx,
        .eta_m = finding.eta_m,
        .u_m_s = finding.u_m_s,
        .v_m_s = finding.v_m_s,
    };
}

enum status tsunami_device_results_await(const struct tsunami_device_results *o,
                                         const struct gpu_timeline *timeline, enum tsunami_result result,
                                         int slot, struct tsunami_invalid *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->results.frames[result], timeline, slot, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

enum status tsunami_device_results_guard(struct tsunami_device_results *o, struct gpu_timeline *timeline,
                                         const struct results_state *state, int64_t step,
                                         struct tsunami_invalid *found)
{
    const void *note;
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(
        results_guard(state, &o->geometry, step, o->results.first, o->results.finding, timeline->compute),
        "to look for invalid values");
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_results_peek(&o->results, timeline, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

enum status tsunami_device_results_finish(struct tsunami_device_results *o, struct gpu_timeline *timeline,
                                          struct tsunami_invalid *found)
{
    const void *note;
    CHECK(gpu_results_finish(&o->results, timeline, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

enum status tsunami_device_results_warm_up(struct tsunami_device_results *o, struct gpu_timeline *timeline,
                                           const struct results_state *state)
{
    struct tsunami_invalid found;
    if (!o->results.finding)
        return STATUS_OK;
    set_geometry(o);
    CHECK(gpu_results_start(&o->results, timeline));
    for (int r = 0; r < TSUNAMI_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(tsunami_device_results_capture(o, timeline, state, (enum tsunami_result)r, 0, 0));
        CHECK(gpu_results_ready(&o->results, timeline, r, 0));
        if (r == TSUNAMI_RESULT_DIAGNOSTICS)
            CHECK(add_up(o, timeline, 0, 1));
        // There is no host frame yet: the note alone is sent.
        CHECK(gpu_frames_send(&o->results.frames[r], timeline, 0, 0, NULL));
        CHECK(tsunami_device_results_await(o, timeline, (enum tsunami_result)r, 0, &found));
    }
    CHECK(tsunami_device_results_guard(o, timeline, state, 0, &found));
    return tsunami_device_results_finish(o, timeline, &found);
}
