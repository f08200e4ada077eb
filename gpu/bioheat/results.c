// A heat solver's records on the device (see the header). Knows no steps.
#include "gpu/bioheat/results.h"

#include "gpu/memory.h"
#include "models/bioheat/results.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct results_heat_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

static enum status plan_frames(struct heat_device_results *o, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[BIOHEAT_RESULTS] = {"fields", "sensors", "diagnostics"};
    const struct bioheat_wanted *w = &o->wanted;
    const size_t *n = w->crop.count;
    const size_t sensor_values = o->setup->physics->dose != BIOHEAT_DOSE_OFF ? 2 : 1;
    size_t fields = 0;
    for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++)
        fields += o->fields[f] = w->fields[f];
    const size_t bytes[BIOHEAT_RESULTS] = {fields * n[0] * n[1] * n[2] * element_bytes(w->element),
                                           sensor_values * w->sensor_count * element_bytes(w->element),
                                           BIOHEAT_DIAGNOSTICS * sizeof(double)};
    struct gpu_result_kind kinds[BIOHEAT_RESULTS];
    for (int r = 0; r < BIOHEAT_RESULTS; r++)
        kinds[r] = (struct gpu_result_kind){names[r], w->slots[r], w->frame_records[r], bytes[r]};
    return gpu_results_plan_frames(&o->results, kinds, BIOHEAT_RESULTS, plan, prefix);
}

enum status heat_device_results_plan(struct heat_device_results *o, const struct bioheat_setup *setup,
                                     const struct heat_shape *shape, size_t elements, size_t lead,
                                     const struct bioheat_wanted *wanted, struct memory_plan *plan,
                                     const char *prefix)
{
    const size_t records =
        (size_t)wanted->slots[BIOHEAT_RESULT_DIAGNOSTICS] * wanted->frame_records[BIOHEAT_RESULT_DIAGNOSTICS];
    const size_t labelled = records > 0 && setup->media->has_labels ? 1 : 0; // 0: not wanted
    const size_t unlabelled = records > 0 && !setup->media->has_labels ? 1 : 0;
    const struct gpu_array arrays[] = {
        {&o->partials, MEMORY_DEVICE, ELEMENT_F64, records, results_heat_partials(bioheat_cells(setup->grid)),
         "device block sums"},
        {&o->capacity, MEMORY_DEVICE, setup->precision, unlabelled, elements, "device heat capacity"},
        {&o->roles, MEMORY_DEVICE, ELEMENT_U8, labelled, BIOHEAT_LABELS, "device roles by label"},
        {&o->host_roles, MEMORY_HOST, ELEMENT_U8, labelled, BIOHEAT_LABELS, "roles by label"},
        {&o->capacities, MEMORY_DEVICE, ELEMENT_F64, labelled, BIOHEAT_LABELS,
         "device heat capacities by label"},
        {&o->host_capacities, MEMORY_HOST, ELEMENT_F64, labelled, BIOHEAT_LABELS, "heat capacities by label"},
        {&o->places, MEMORY_DEVICE, ELEMENT_I64, 1, wanted->sensor_count, "device places of sensors"},
        {&o->host_places, MEMORY_HOST, ELEMENT_I64, 1, wanted->sensor_count, "places of sensors"},
    };
    o->setup = setup;
    o->shape = *shape;
    o->elements = elements;
    o->lead = lead;
    o->wanted = *wanted;
    CUDA_CHECK(results_heat_load(setup->precision), "to load its kernels");
    CHECK(plan_frames(o, plan, prefix));
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    return gpu_results_plan_finding(&o->results, plan, prefix);
}

static void set_media(struct heat_device_results *o, const struct heat_media *media)
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

static enum status send_labels(struct heat_device_results *o, struct gpu_timeline *timeline)
{
    const struct bioheat_media *media = o->setup->media;
    int count = 0;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (media->is_used[label]) { // numbered as the solver's codes are
            o->host_roles[count] = (unsigned char)media->table[label].role;
            o->host_capacities[count++] = media->table[label].heat_capacity_j_m3_k;
        }
    CHECK(gpu_timeline_upload(timeline, o->roles, o->host_roles, (size_t)count));
    return gpu_timeline_upload(timeline, o->capacities, o->host_capacities,
                               (size_t)count * sizeof *o->capacities);
}

static enum status send_capacity(struct heat_device_results *o, struct gpu_timeline *timeline)
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

enum status heat_device_results_start(struct heat_device_results *o, struct gpu_timeline *timeline,
                                      const struct heat_media *media)
{
    if (!o->results.finding)
        return STATUS_OK;
    set_media(o, media);
    if (o->partials)
        CHECK(o->setup->media->has_labels ? send_labels(o, timeline) : send_capacity(o, timeline));
    for (size_t k = 0; k < o->wanted.sensor_count; k++) {
        const size_t *cell = o->wanted.sensors[k];
        o->host_places[k] = (long long)cell[BIOHEAT_Z] * o->shape.plane +
                            (long long)cell[BIOHEAT_Y] * o->shape.pitch + (long long)cell[BIOHEAT_X];
    }
    CHECK(
        gpu_timeline_upload(timeline, o->places, o->host_places, o->wanted.sensor_count * sizeof *o->places));
    return gpu_results_start(&o->results, timeline);
}

static double *partials_of(const struct heat_device_results *o, int slot, size_t record)
{
    const size_t number = (size_t)slot * o->wanted.frame_records[BIOHEAT_RESULT_DIAGNOSTICS] + record;
    return o->partials + number * results_heat_partials(bioheat_cells(o->setup->grid));
}

static cudaError_t make_record(struct heat_device_results *o, struct gpu_timeline *timeline,
                               const struct results_heat *state, enum bioheat_result result, int slot,
                               size_t record, int64_t step)
{
    void *const place = gpu_frames_record(&o->results.frames[result], slot, record);
    const struct bioheat_wanted *w = &o->wanted;
    if (result == BIOHEAT_RESULT_FIELDS)
        return results_heat_fields(state, &w->crop, o->fields, step, w->element, place, timeline->compute);
    if (result == BIOHEAT_RESULT_SENSORS)
        return results_heat_sensors(state, o->places, (int)w->sensor_count, step, w->element, place,
                                    timeline->compute);
    return results_heat_diagnose_blocks(state, &o->media, step, partials_of(o, slot, record),
                                        timeline->compute);
}

enum status heat_device_results_capture(struct heat_device_results *o, struct gpu_timeline *timeline,
                                        const struct results_heat *state, enum bioheat_result result,
                                        int slot, size_t record, int64_t step)
{
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CUDA_CHECK(make_record(o, timeline, state, result, slot, record, step), "to make a record");
    return gpu_timeline_end(timeline);
}

static enum status add_up(struct heat_device_results *o, struct gpu_timeline *timeline, int slot,
                          size_t record)
{
    CUDA_CHECK(results_heat_diagnose_total(
                   bioheat_cells(o->setup->grid), o->setup->physics->dose != BIOHEAT_DOSE_OFF,
                   o->setup->physics->reference_c, partials_of(o, slot, record),
                   gpu_frames_record(&o->results.frames[BIOHEAT_RESULT_DIAGNOSTICS], slot, record),
                   timeline->copy),
               "to add up a record");
    return STATUS_OK;
}

enum status heat_device_results_send(struct heat_device_results *o, struct gpu_timeline *timeline,
                                     enum bioheat_result result, int slot, size_t records, void *to)
{
    CHECK(gpu_results_ready(&o->results, timeline, (int)result, slot));
    // One block of threads for some microseconds, beside the next steps.
    if (result == BIOHEAT_RESULT_DIAGNOSTICS)
        for (size_t k = 0; k < records; k++)
            CHECK(add_up(o, timeline, slot, k));
    return gpu_frames_send(&o->results.frames[result], timeline, slot, records, to);
}

// `note` may be NULL: none has arrived.
static void read_finding(const struct heat_device_results *o, const void *note,
                         struct bioheat_nonfinite *found)
{
    struct results_heat_finding finding = {.after_step = 0};
    if (note)
        memcpy(&finding, note, sizeof finding);
    if (finding.after_step == 0) // also where no results were planned
        return;
    const size_t *n = o->setup->grid->cells;
    const size_t row = (size_t)finding.index / n[BIOHEAT_X];
    *found = (struct bioheat_nonfinite){
        .step = finding.after_step - 1,
        .cell = {row / n[BIOHEAT_Y], row % n[BIOHEAT_Y], (size_t)finding.index % n[BIOHEAT_X]},
        .temperature_c = bioheat_temperature_c(finding.theta_k, o->setup->physics->reference_c),
    };
}

enum status heat_device_results_await(const struct heat_device_results *o,
                                      const struct gpu_timeline *timeline, enum bioheat_result result,
                                      int slot, struct bioheat_nonfinite *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->results.frames[result], timeline, slot, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

enum status heat_device_results_guard(struct heat_device_results *o, struct gpu_timeline *timeline,
                                      const struct results_heat *state, int64_t step,
                                      struct bioheat_nonfinite *found)
{
    const void *note;
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(results_heat_guard(state, step, o->results.first, o->results.finding, timeline->compute),
               "to look for invalid values");
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_results_peek(&o->results, timeline, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

enum status heat_device_results_finish(struct heat_device_results *o, struct gpu_timeline *timeline,
                                       struct bioheat_nonfinite *found)
{
    const void *note;
    CHECK(gpu_results_finish(&o->results, timeline, &note));
    read_finding(o, note, found);
    return STATUS_OK;
}

enum status heat_device_results_warm_up(struct heat_device_results *o, struct gpu_timeline *timeline,
                                        const struct results_heat *state, const struct heat_media *media)
{
    struct bioheat_nonfinite found;
    if (!o->results.finding)
        return STATUS_OK;
    set_media(o, media);
    CHECK(gpu_results_start(&o->results, timeline));
    for (int r = 0; r < BIOHEAT_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(heat_device_results_capture(o, timeline, state, (enum bioheat_result)r, 0, 0, 0));
        CHECK(gpu_results_ready(&o->results, timeline, r, 0));
        if (r == BIOHEAT_RESULT_DIAGNOSTICS)
            CHECK(add_up(o, timeline, 0, 0));
        // There is no host frame yet: the note alone is sent.
        CHECK(gpu_frames_send(&o->results.frames[r], timeline, 0, 0, NULL));
        CHECK(heat_device_results_await(o, timeline, (enum bioheat_result)r, 0, &found));
    }
    CHECK(heat_device_results_guard(o, timeline, state, 0, &found));
    return heat_device_results_finish(o, timeline, &found);
}
