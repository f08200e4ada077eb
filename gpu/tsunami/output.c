// A tsunami solver's records on the device (see the header). Knows neither steps nor tiles.
#include "gpu/tsunami/output.h"

#include "gpu/memory.h"
#include "models/tsunami/results.h"

#include <assert.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct results_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

static enum status plan_frames(struct device_output *o, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[TSUNAMI_RESULTS] = {"fields", "gauges", "diagnostics"};
    const struct tsunami_wanted *w = &o->wanted;
    size_t fields = 0;
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++)
        fields += o->fields[f] = w->fields[f];
    o->record_bytes[TSUNAMI_RESULT_FIELDS] =
        fields * w->crop.rows * w->crop.columns * element_bytes(w->element);
    o->record_bytes[TSUNAMI_RESULT_GAUGES] = TSUNAMI_FIELDS * w->gauge_count * element_bytes(w->element);
    o->record_bytes[TSUNAMI_RESULT_DIAGNOSTICS] = TSUNAMI_DIAGNOSTICS * sizeof(double);
    char name[MEMORY_NAME_MAX];
    for (int r = 0; r < TSUNAMI_RESULTS; r++) {
        snprintf(name, sizeof name, "%s%s", prefix, names[r]);
        if (w->slots[r] == 0)
            continue;
        CHECK(
            gpu_frames_plan(&o->frames[r], plan, w->slots[r], w->frame_records[r], o->record_bytes[r], name));
        CHECK(gpu_frames_open(&o->frames[r]));
    }
    snprintf(name, sizeof name, "%sguards", prefix);
    CHECK(gpu_frames_plan(&o->looks, plan, 1, 0, 0, name));
    return gpu_frames_open(&o->looks);
}

static enum status plan_geometry(struct device_output *o, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_geometry *g = o->setup->geometry;
    if (!tsunami_method_floods(o->setup->physics->method)) // there the state has the bottom, which may move
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, g->ny, g->pitch, (void **)&o->depth_m,
                              "%sdevice still depth", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, RESULTS_COLUMNS, g->nx, (void **)&o->columns,
                          "%sdevice cell columns", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, RESULTS_ROWS, g->ny, (void **)&o->rows,
                          "%sdevice cell rows", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, RESULTS_COLUMNS, g->nx, (void **)&o->host_columns,
                          "%scell columns", prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, RESULTS_ROWS, g->ny, (void **)&o->host_rows,
                           "%scell rows", prefix);
}

enum status device_output_plan(struct device_output *o, const struct tsunami_setup *setup,
                               const struct tsunami_wanted *wanted, struct memory_plan *plan,
                               const char *prefix)
{
    const size_t nodes = wanted->gauge_count, nx = setup->geometry->nx, ny = setup->geometry->ny;
    o->setup = setup;
    o->wanted = *wanted;
    o->is_planned = true;
    CHECK(plan_frames(o, plan, prefix));
    CHECK(plan_geometry(o, plan, prefix));
    if (wanted->slots[TSUNAMI_RESULT_DIAGNOSTICS] > 0)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64,
                              (size_t)wanted->slots[TSUNAMI_RESULT_DIAGNOSTICS] *
                                  wanted->frame_records[TSUNAMI_RESULT_DIAGNOSTICS],
                              results_partials(nx, ny), (void **)&o->partials, "%sdevice block sums",
                              prefix));
    if (nodes > 0) {
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I32, 2, nodes, (void **)&o->nodes,
                              "%sdevice gauge nodes", prefix));
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 2, nodes, (void **)&o->host_nodes,
                              "%sgauge nodes", prefix));
    }
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->finding,
                          "%sdevice finding", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, 1, (void **)&o->first,
                          "%sdevice first unsound", prefix));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->host_finding,
                           "%sfinding", prefix);
}

// As models/tsunami/geometry.c and diagnostics.c work them out, factor by factor.
static void fill_geometry(struct device_output *o)
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
static void set_geometry(struct device_output *o)
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

static enum status upload(struct gpu_timeline *timeline, void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, timeline->compute),
                   "a copy to the device");
    return STATUS_OK;
}

static enum status clear_finding(struct device_output *o, struct gpu_timeline *timeline)
{
    CUDA_CHECK(cudaMemsetAsync(o->finding, 0, GPU_NOTE_BYTES, timeline->compute), "to clear its memory");
    CUDA_CHECK(cudaMemsetAsync(o->first, 0xff, sizeof *o->first, timeline->compute), "to set its memory");
    return STATUS_OK;
}

enum status device_output_start(struct device_output *o, struct gpu_timeline *timeline)
{
    if (!o->is_planned)
        return STATUS_OK;
    const struct tsunami_geometry *g = o->setup->geometry;
    fill_geometry(o);
    set_geometry(o);
    if (o->depth_m)
        CHECK(upload(timeline, o->depth_m, *o->setup->depth_m, g->ny * g->pitch * sizeof(double)));
    CHECK(upload(timeline, o->columns, o->host_columns, RESULTS_COLUMNS * g->nx * sizeof(double)));
    CHECK(upload(timeline, o->rows, o->host_rows, RESULTS_ROWS * g->ny * sizeof(double)));
    CHECK(upload(timeline, o->nodes, o->host_nodes, 2 * o->wanted.gauge_count * sizeof(int)));
    memset(o->looks.notes, 0, GPU_NOTE_BYTES); // no look of before is this run's
    return clear_finding(o, timeline);
}

static double *partials_of(const struct device_output *o, int slot, size_t record)
{
    const struct tsunami_geometry *g = o->setup->geometry;
    const size_t number = (size_t)slot * o->wanted.frame_records[TSUNAMI_RESULT_DIAGNOSTICS] + record;
    return o->partials + number * results_partials(g->nx, g->ny);
}

static cudaError_t make_record(struct device_output *o, struct gpu_timeline *timeline,
                               const struct results_state *state, enum tsunami_result result, int slot,
                               size_t record)
{
    void *const place = gpu_frames_record(&o->frames[result], slot, record);
    const struct tsunami_wanted *w = &o->wanted;
    if (result == TSUNAMI_RESULT_FIELDS)
        return results_fields(state, &o->geometry, &w->crop, o->fields, w->element, place, timeline->compute);
    if (result == TSUNAMI_RESULT_GAUGES)
        return results_gauges(state, &o->geometry, o->nodes, (int)w->gauge_count, w->element, place,
                              timeline->compute);
    return results_diagnose_blocks(state, &o->geometry, partials_of(o, slot, record), timeline->compute);
}

enum status device_output_capture(struct device_output *o, struct gpu_timeline *timeline,
                                  const struct results_state *state, enum tsunami_result result, int slot,
                                  size_t record)
{
    assert(o->is_planned && o->wanted.slots[result] > 0);
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CUDA_CHECK(make_record(o, timeline, state, result, slot, record), "to make a record");
    return gpu_timeline_end(timeline);
}

enum status device_output_send(struct device_output *o, struct gpu_timeline *timeline,
                               enum tsunami_result result, int slot, size_t records, void *to)
{
    const struct tsunami_geometry *g = o->setup->geometry;
    struct gpu_frames *frames = &o->frames[result];
    CHECK(gpu_frames_ready(frames, timeline, slot, o->finding));
    // One block of threads for some microseconds, beside the next steps.
    if (result == TSUNAMI_RESULT_DIAGNOSTICS)
        for (size_t k = 0; k < records; k++)
            CUDA_CHECK(results_diagnose_total(g->nx, g->ny, partials_of(o, slot, k),
                                              gpu_frames_record(frames, slot, k), timeline->copy),
                       "to add up a record");
    return gpu_frames_send(frames, timeline, slot, records, to);
}

static void read_finding(const struct device_output *o, const void *note, struct tsunami_unsound *found)
{
    struct results_finding finding;
    memcpy(&finding, note, sizeof finding);
    if (finding.after_step == 0)
        return;
    *found = (struct tsunami_unsound){
        .step = finding.after_step - 1,
        .row = (size_t)finding.index / o->setup->geometry->nx,
        .column = (size_t)finding.index % o->setup->geometry->nx,
        .eta_m = finding.eta_m,
        .u_m_s = finding.u_m_s,
        .v_m_s = finding.v_m_s,
    };
}

enum status device_output_await(const struct device_output *o, const struct gpu_timeline *timeline,
                                enum tsunami_result result, int slot, struct tsunami_unsound *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->frames[result], timeline, slot, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

// The finding stays, so it does not matter if a look's note is left out because the one before is still on
// its way.
enum status device_output_guard(struct device_output *o, struct gpu_timeline *timeline,
                                const struct results_state *state, int64_t step,
                                struct tsunami_unsound *found)
{
    const void *note;
    assert(o->is_planned);
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(results_guard(state, &o->geometry, step, o->first, o->finding, timeline->compute),
               "to look for unsound values");
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_frames_peek(&o->looks, 0, &note));
    if (!note)
        return STATUS_OK;
    read_finding(o, note, found);
    CHECK(gpu_frames_ready(&o->looks, timeline, 0, o->finding));
    return gpu_frames_send(&o->looks, timeline, 0, 0, NULL);
}

enum status device_output_finish(struct device_output *o, struct gpu_timeline *timeline,
                                 struct tsunami_unsound *found)
{
    if (!o->is_planned)
        return gpu_timeline_finish(timeline);
    CUDA_CHECK(cudaMemcpyAsync(o->host_finding, o->finding, GPU_NOTE_BYTES, cudaMemcpyDeviceToHost,
                               timeline->compute),
               "a copy of a note to the host");
    CHECK(gpu_timeline_finish(timeline));
    read_finding(o, o->host_finding, found);
    return STATUS_OK;
}

enum status device_output_warm_up(struct device_output *o, struct gpu_timeline *timeline,
                                  const struct results_state *state)
{
    struct tsunami_unsound found;
    const void *note;
    if (!o->is_planned)
        return STATUS_OK;
    set_geometry(o);
    CHECK(clear_finding(o, timeline));
    for (int r = 0; r < TSUNAMI_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(device_output_capture(o, timeline, state, (enum tsunami_result)r, 0, 0));
        CHECK(gpu_frames_ready(&o->frames[r], timeline, 0, o->finding));
        if (r == TSUNAMI_RESULT_DIAGNOSTICS)
            CUDA_CHECK(results_diagnose_total(o->setup->geometry->nx, o->setup->geometry->ny,
                                              partials_of(o, 0, 0), gpu_frames_record(&o->frames[r], 0, 0),
                                              timeline->copy),
                       "to add up a record");
        // There is no host frame yet: the note alone goes, to where there is room for one.
        CHECK(gpu_frames_send(&o->frames[r], timeline, 0, 0, NULL));
        CHECK(gpu_frames_await(&o->frames[r], timeline, 0, &note));
    }
    CHECK(device_output_guard(o, timeline, state, 0, &found));
    return device_output_finish(o, timeline, &found);
}

void device_output_close(struct device_output *o)
{
    for (int r = 0; r < TSUNAMI_RESULTS; r++)
        gpu_frames_close(&o->frames[r]);
    gpu_frames_close(&o->looks);
}
