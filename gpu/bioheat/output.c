// A heat solver's records on the device (see the header). Knows no steps.
#include "gpu/bioheat/output.h"

#include "gpu/memory.h"
#include "models/bioheat/results.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct results_heat_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

static enum status plan_frames(struct heat_output *o, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[BIOHEAT_RESULTS] = {"fields", "sensors", "diagnostics"};
    const struct bioheat_wanted *w = &o->wanted;
    const size_t *n = w->crop.count;
    const bool has_dose = o->setup->physics->dose != BIOHEAT_DOSE_OFF;
    size_t fields = 0;
    for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++)
        fields += o->fields[f] = w->fields[f];
    o->record_bytes[BIOHEAT_RESULT_FIELDS] = fields * n[0] * n[1] * n[2] * element_bytes(w->element);
    o->record_bytes[BIOHEAT_RESULT_SENSORS] =
        (has_dose ? 2 : 1) * w->sensor_count * element_bytes(w->element);
    o->record_bytes[BIOHEAT_RESULT_DIAGNOSTICS] = BIOHEAT_DIAGNOSTICS * sizeof(double);
    char name[MEMORY_NAME_MAX];
    for (int r = 0; r < BIOHEAT_RESULTS; r++) {
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

static enum status plan_diagnostics(struct heat_output *o, struct memory_plan *plan, const char *prefix)
{
    const size_t records = (size_t)o->wanted.slots[BIOHEAT_RESULT_DIAGNOSTICS] *
                           o->wanted.frame_records[BIOHEAT_RESULT_DIAGNOSTICS];
    if (records == 0)
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, records,
                          results_heat_partials(bioheat_cells(o->setup->grid)), (void **)&o->partials,
                          "%sdevice block sums", prefix));
    if (!o->setup->media->has_labels)
        return memory_plan_add(plan, MEMORY_DEVICE, o->setup->precision, 1, o->elements, &o->capacity,
                               "%sdevice heat capacity", prefix);
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, BIOHEAT_LABELS, (void **)&o->roles,
                          "%sdevice roles by label", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, BIOHEAT_LABELS, (void **)&o->host_roles,
                          "%sroles by label", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, BIOHEAT_LABELS, (void **)&o->capacities,
                          "%sdevice heat capacities by label", prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, 1, BIOHEAT_LABELS, (void **)&o->host_capacities,
                           "%sheat capacities by label", prefix);
}

enum status heat_output_plan(struct heat_output *o, const struct bioheat_setup *setup,
                             const struct heat_shape *shape, size_t elements, size_t lead,
                             const struct bioheat_wanted *wanted, struct memory_plan *plan,
                             const char *prefix)
{
    o->setup = setup;
    o->shape = *shape;
    o->elements = elements;
    o->lead = lead;
    o->wanted = *wanted;
    o->is_planned = true;
    CUDA_CHECK(results_heat_load(setup->precision), "to load its kernels");
    CHECK(plan_frames(o, plan, prefix));
    CHECK(plan_diagnostics(o, plan, prefix));
    if (wanted->sensor_count > 0) {
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, wanted->sensor_count, (void **)&o->places,
                              "%sdevice places of sensors", prefix));
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I64, 1, wanted->sensor_count,
                              (void **)&o->host_places, "%splaces of sensors", prefix));
    }
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->finding,
                          "%sdevice finding", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, 1, (void **)&o->first,
                          "%sdevice first unsound", prefix));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->host_finding,
                           "%sfinding", prefix);
}

static enum status upload(struct gpu_timeline *timeline, void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, timeline->compute),
                   "a copy to the device");
    return STATUS_OK;
}

static void set_media(struct heat_output *o, const struct heat_media *media)
{
    const double *spacing_m = o->setup->grid->spacing_m;
    o->media = (struct results_heat_media){
        .has_labels = media->has_labels,
        .is_few = media->is_few,
        .codes = media->codes,
        .roles = o->roles,
        .capacities_j_m3_k = o->capacities,
        .conductivity = media->conductivity,
        .capacity = o->capacity ? (char *)o->capacity + o->lead * element_bytes(o->setup->precision) : NULL,
        .volume_m3 = spacing_m[BIOHEAT_Z] * spacing_m[BIOHEAT_Y] * spacing_m[BIOHEAT_X],
        .lesion_dose_min = o->wanted.lesion_dose_min,
    };
}

static enum status send_labels(struct heat_output *o, struct gpu_timeline *timeline)
{
    const struct bioheat_media *media = o->setup->media;
    int count = 0;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (media->is_used[label]) { // numbered as the solver's codes are
            o->host_roles[count] = (unsigned char)media->table[label].role;
            o->host_capacities[count++] = media->table[label].heat_capacity_j_m3_k;
        }
    CHECK(upload(timeline, o->roles, o->host_roles, (size_t)count));
    return upload(timeline, o->capacities, o->host_capacities, (size_t)count * sizeof *o->capacities);
}

static enum status send_capacity(struct heat_output *o, struct gpu_timeline *timeline)
{
    const size_t *n = o->setup->grid->cells, element = element_bytes(o->setup->precision);
    const size_t width = n[BIOHEAT_X] * element;
    const struct cudaMemcpy3DParms copy = {
        .srcPtr = {(void *)(uintptr_t)*o->setup->media->heat_capacity, width, width, n[BIOHEAT_Y]},
        .dstPtr = {(char *)o->capacity + o->lead * element, (size_t)o->shape.pitch * element, width,
                   (size_t)(o->shape.plane / o->shape.pitch)},
        .extent = {width, n[BIOHEAT_Y], n[BIOHEAT_Z]},
        .kind = cudaMemcpyHostToDevice,
    };
    CUDA_CHECK(cudaMemcpy3DAsync(&copy, timeline->compute), "a copy to the device");
    return STATUS_OK;
}

static enum status clear_finding(struct heat_output *o, struct gpu_timeline *timeline)
{
    CUDA_CHECK(cudaMemsetAsync(o->finding, 0, GPU_NOTE_BYTES, timeline->compute), "to clear its memory");
    CUDA_CHECK(cudaMemsetAsync(o->first, 0xff, sizeof *o->first, timeline->compute), "to set its memory");
    return STATUS_OK;
}

enum status heat_output_start(struct heat_output *o, struct gpu_timeline *timeline,
                              const struct heat_media *media)
{
    if (!o->is_planned)
        return STATUS_OK;
    set_media(o, media);
    if (o->partials)
        CHECK(o->setup->media->has_labels ? send_labels(o, timeline) : send_capacity(o, timeline));
    for (size_t k = 0; k < o->wanted.sensor_count; k++) {
        const size_t *cell = o->wanted.sensors[k];
        o->host_places[k] = (long long)cell[BIOHEAT_Z] * o->shape.plane +
                            (long long)cell[BIOHEAT_Y] * o->shape.pitch + (long long)cell[BIOHEAT_X];
    }
    CHECK(upload(timeline, o->places, o->host_places, o->wanted.sensor_count * sizeof *o->places));
    memset(o->looks.notes, 0, GPU_NOTE_BYTES); // no look of before is this run's
    return clear_finding(o, timeline);
}

static double *partials_of(const struct heat_output *o, int slot, size_t record)
{
    const size_t number = (size_t)slot * o->wanted.frame_records[BIOHEAT_RESULT_DIAGNOSTICS] + record;
    return o->partials + number * results_heat_partials(bioheat_cells(o->setup->grid));
}

static cudaError_t make_record(struct heat_output *o, struct gpu_timeline *timeline,
                               const struct results_heat *state, enum bioheat_result result, int slot,
                               size_t record, int64_t step)
{
    void *const place = gpu_frames_record(&o->frames[result], slot, record);
    const struct bioheat_wanted *w = &o->wanted;
    if (result == BIOHEAT_RESULT_FIELDS)
        return results_heat_fields(state, &w->crop, o->fields, step, w->element, place, timeline->compute);
    if (result == BIOHEAT_RESULT_SENSORS)
        return results_heat_sensors(state, o->places, (int)w->sensor_count, step, w->element, place,
                                    timeline->compute);
    return results_heat_diagnose_blocks(state, &o->media, step, partials_of(o, slot, record),
                                        timeline->compute);
}

enum status heat_output_capture(struct heat_output *o, struct gpu_timeline *timeline,
                                const struct results_heat *state, enum bioheat_result result, int slot,
                                size_t record, int64_t step)
{
    assert(o->is_planned && o->wanted.slots[result] > 0);
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CUDA_CHECK(make_record(o, timeline, state, result, slot, record, step), "to make a record");
    return gpu_timeline_end(timeline);
}

static enum status add_up(struct heat_output *o, struct gpu_timeline *timeline, int slot, size_t record)
{
    CUDA_CHECK(results_heat_diagnose_total(
                   bioheat_cells(o->setup->grid), o->setup->physics->dose != BIOHEAT_DOSE_OFF,
                   o->setup->physics->reference_c, partials_of(o, slot, record),
                   gpu_frames_record(&o->frames[BIOHEAT_RESULT_DIAGNOSTICS], slot, record), timeline->copy),
               "to add up a record");
    return STATUS_OK;
}

enum status heat_output_send(struct heat_output *o, struct gpu_timeline *timeline, enum bioheat_result result,
                             int slot, size_t records, void *to)
{
    struct gpu_frames *frames = &o->frames[result];
    CHECK(gpu_frames_ready(frames, timeline, slot, o->finding));
    // One block of threads for some microseconds, beside the next steps.
    if (result == BIOHEAT_RESULT_DIAGNOSTICS)
        for (size_t k = 0; k < records; k++)
            CHECK(add_up(o, timeline, slot, k));
    return gpu_frames_send(frames, timeline, slot, records, to);
}

static void read_finding(const struct heat_output *o, const void *note, struct bioheat_unsound *found)
{
    const size_t *n = o->setup->grid->cells;
    struct results_heat_finding finding;
    memcpy(&finding, note, sizeof finding);
    if (finding.after_step == 0)
        return;
    const size_t row = (size_t)finding.index / n[BIOHEAT_X];
    *found = (struct bioheat_unsound){
        .step = finding.after_step - 1,
        .cell = {row / n[BIOHEAT_Y], row % n[BIOHEAT_Y], (size_t)finding.index % n[BIOHEAT_X]},
        .temperature_c = bioheat_temperature_c(finding.theta_k, o->setup->physics->reference_c),
    };
}

enum status heat_output_await(const struct heat_output *o, const struct gpu_timeline *timeline,
                              enum bioheat_result result, int slot, struct bioheat_unsound *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->frames[result], timeline, slot, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

// The finding stays, so it does not matter if a look's note is left out because the one before is still on
// its way.
enum status heat_output_guard(struct heat_output *o, struct gpu_timeline *timeline,
                              const struct results_heat *state, int64_t step, struct bioheat_unsound *found)
{
    const void *note;
    assert(o->is_planned);
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(results_heat_guard(state, step, o->first, o->finding, timeline->compute),
               "to look for unsound values");
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_frames_peek(&o->looks, 0, &note));
    if (!note)
        return STATUS_OK;
    read_finding(o, note, found);
    CHECK(gpu_frames_ready(&o->looks, timeline, 0, o->finding));
    return gpu_frames_send(&o->looks, timeline, 0, 0, NULL);
}

enum status heat_output_finish(struct heat_output *o, struct gpu_timeline *timeline,
                               struct bioheat_unsound *found)
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

enum status heat_output_warm_up(struct heat_output *o, struct gpu_timeline *timeline,
                                const struct results_heat *state, const struct heat_media *media)
{
    struct bioheat_unsound found;
    const void *note;
    if (!o->is_planned)
        return STATUS_OK;
    set_media(o, media);
    CHECK(clear_finding(o, timeline));
    for (int r = 0; r < BIOHEAT_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(heat_output_capture(o, timeline, state, (enum bioheat_result)r, 0, 0, 0));
        CHECK(gpu_frames_ready(&o->frames[r], timeline, 0, o->finding));
        if (r == BIOHEAT_RESULT_DIAGNOSTICS)
            CHECK(add_up(o, timeline, 0, 0));
        // There is no host frame yet: the note alone goes, to where there is room for one.
        CHECK(gpu_frames_send(&o->frames[r], timeline, 0, 0, NULL));
        CHECK(gpu_frames_await(&o->frames[r], timeline, 0, &note));
    }
    CHECK(heat_output_guard(o, timeline, state, 0, &found));
    return heat_output_finish(o, timeline, &found);
}

void heat_output_close(struct heat_output *o)
{
    for (int r = 0; r < BIOHEAT_RESULTS; r++)
        gpu_frames_close(&o->frames[r]);
    gpu_frames_close(&o->looks);
}
