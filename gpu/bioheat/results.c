// A heat solver's results: the frames in which records are made on the device, what the diagnostics need of
// the media, and what the guard found. Knows no steps.
#include "gpu/bioheat/solver.h"
#include "gpu/memory.h"
#include "parallel/sums.h"

#include <string.h>

_Static_assert(sizeof(struct results_heat_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

static enum status plan_frames(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct heat_device_results *o = &s->results;
    const struct bioheat_wanted *w = &o->wanted;
    const size_t *n = w->crop.count, element = element_bytes(w->element);
    const size_t doses_and_one = (size_t)(1 + solver_has_dose(s) + solver_has_second_dose(s));
    const size_t cells = (size_t)BIOHEAT_CORNERS * BIOHEAT_CELL_NUMBERS * sizeof(double);
    size_t fields = 0;
    for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++)
        fields += o->fields[f] = w->fields[f];
    const struct gpu_result_kind kinds[BIOHEAT_RESULTS] = {
        {"fields", fields * n[0] * n[1] * n[2] * element, fields, w->held_planes * n[1] * n[2] * element},
        {.name = "sensors",
         .record_bytes = w->sensor_count * (s->setup.shares ? cells : doses_and_one * element)},
        {.name = "diagnostics", .record_bytes = w->diagnostics_bytes},
    };
    return gpu_results_plan_frames(&o->common, kinds, BIOHEAT_RESULTS, w->slots, w->frame_records, plan,
                                   prefix);
}

enum status heat_device_plan_results(struct solver *s, const struct bioheat_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix)
{
    struct heat_device_results *o = &s->results;
    const struct bioheat_media *media = s->setup.media;
    const size_t records =
        (size_t)wanted->slots[BIOHEAT_RESULT_DIAGNOSTICS] * wanted->frame_records[BIOHEAT_RESULT_DIAGNOSTICS];
    const size_t labelled = records > 0 && media->has_labels ? 1 : 0; // 0: not wanted
    const size_t corners = BIOHEAT_CORNERS;
    const size_t unlabelled = records > 0 && !media->has_labels ? 1 : 0;
    const struct gpu_array arrays[] = {
        {&o->partials, MEMORY_DEVICE, ELEMENT_F64, records,
         results_heat_partials(results_heat_blocks(&s->shape)), "device block sums"},
        {&o->capacity, MEMORY_DEVICE, s->setup.precision, unlabelled, s->array_elements,
         "device heat capacity"},
        {&o->roles, MEMORY_DEVICE, ELEMENT_U8, labelled, BIOHEAT_LABELS, "device roles by label"},
        {&o->host_roles, MEMORY_HOST, ELEMENT_U8, labelled, BIOHEAT_LABELS, "roles by label"},
        {&o->capacities, MEMORY_DEVICE, ELEMENT_F64, labelled, BIOHEAT_LABELS,
         "device heat capacities by label"},
        {&o->host_capacities, MEMORY_HOST, ELEMENT_F64, labelled, BIOHEAT_LABELS, "heat capacities by label"},
        {&o->sensors, MEMORY_DEVICE, ELEMENT_I64, corners, wanted->sensor_count, "device cells of sensors"},
        {&o->host_sensors, MEMORY_HOST, ELEMENT_I64, corners, wanted->sensor_count, "cells of sensors"},
        {&o->sensor_weights, MEMORY_DEVICE, ELEMENT_F64, corners, wanted->sensor_count,
         "device weights of sensors"},
        {&o->host_sensor_weights, MEMORY_HOST, ELEMENT_F64, corners, wanted->sensor_count,
         "weights of sensors"},
    };
    o->wanted = *wanted;
    CUDA_CHECK(results_heat_load(s->setup.precision), "to load its kernels");
    CHECK(plan_frames(s, plan, prefix));
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    return gpu_results_plan_finding(&o->common, plan, prefix);
}

static void set_media(struct solver *s)
{
    struct heat_device_results *o = &s->results;
    const double *spacing_m = s->setup.grid->spacing_m;
    o->media = (struct results_heat_media){
        .has_labels = s->media.has_labels,
        .is_few = s->media.is_few,
        .codes = s->media.codes,
        .roles = o->roles,
        .capacities_j_m3_k = o->capacities,
        .conductivity = s->media.conductivity,
        .capacity = solver_cells(s, o->capacity),
        .volume_m3 = spacing_m[BIOHEAT_Z] * spacing_m[BIOHEAT_Y] * spacing_m[BIOHEAT_X],
        .lesion_dose_min = o->wanted.lesion_dose_min,
    };
}

static enum status send_labels(struct solver *s)
{
    struct heat_device_results *o = &s->results;
    const struct bioheat_media *media = s->setup.media;
    size_t count = 0;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (media->is_used[label]) { // numbered as the solver's codes are
            o->host_roles[count] = (unsigned char)media->table[label].role;
            o->host_capacities[count++] = media->table[label].heat_capacity_j_m3_k;
        }
    CHECK(gpu_timeline_upload(&s->timeline, o->roles, o->host_roles, count));
    return gpu_timeline_upload(&s->timeline, o->capacities, o->host_capacities,
                               count * sizeof *o->capacities);
}

static enum status send_media(struct solver *s)
{
    if (!s->results.partials)
        return STATUS_OK;
    if (s->setup.media->has_labels)
        return send_labels(s);
    return heat_copy_grid(s, solver_cells(s, s->results.capacity),
                          (void *)(uintptr_t)*s->setup.media->heat_capacity, s->element, true,
                          s->timeline.compute);
}

static enum status send_sensors(struct solver *s)
{
    struct heat_device_results *o = &s->results;
    const struct bioheat_planes own = bioheat_own(s->setup.grid);
    const size_t count = o->wanted.sensor_count;
    for (size_t k = 0; k < count; k++)
        for (size_t corner = 0; corner < BIOHEAT_CORNERS; corner++) {
            const struct bioheat_sensor_place *place = &o->wanted.sensors[k];
            o->host_sensors[corner * count + k] = heat_cell_offset(&s->shape, place->cells[corner]);
            o->host_sensor_weights[corner * count + k] =
                bioheat_has_plane(own, place->cells[corner][BIOHEAT_Z]) ? place->weights[corner] : 0;
        }
    CHECK(gpu_timeline_upload(&s->timeline, o->sensors, o->host_sensors,
                              BIOHEAT_CORNERS * count * sizeof *o->sensors));
    return gpu_timeline_upload(&s->timeline, o->sensor_weights, o->host_sensor_weights,
                               BIOHEAT_CORNERS * count * sizeof *o->sensor_weights);
}

enum status heat_device_start_results(struct solver *s)
{
    struct heat_device_results *o = &s->results;
    if (!o->common.finding)
        return STATUS_OK;
    set_media(s);
    CHECK(send_media(s));
    CHECK(send_sensors(s));
    return gpu_results_start(&o->common, &s->timeline);
}

static double *partials_of(const struct solver *s, int slot, size_t record)
{
    const struct heat_device_results *o = &s->results;
    const size_t number = (size_t)slot * o->wanted.frame_records[BIOHEAT_RESULT_DIAGNOSTICS] + record;
    return o->partials + number * results_heat_partials(results_heat_blocks(&s->shape));
}

// Doubles of one sum in a record of a divided run's diagnostics.
static size_t sum_length(const struct solver *s)
{
    const struct bioheat_planes own = bioheat_own(s->setup.grid);
    return sums_bytes(bioheat_index(s->setup.grid, own.first, 0, 0),
                      bioheat_index(s->setup.grid, own.end, 0, 0)) /
           sizeof(double);
}

static cudaError_t make_record(struct solver *s, enum bioheat_result result, int slot, size_t number,
                               int64_t step)
{
    struct heat_device_results *o = &s->results;
    const struct bioheat_wanted *w = &o->wanted;
    const struct results_heat state = heat_present_state(s);
    const cudaStream_t stream = s->timeline.compute;
    void *const record = gpu_frames_record(&o->common.frames[result], slot, number);
    if (result == BIOHEAT_RESULT_FIELDS)
        return results_heat_fields(&state, &w->crop, o->fields, step, w->element, record, stream);
    if (result == BIOHEAT_RESULT_SENSORS && s->setup.shares)
        return results_heat_cells(&state, o->sensors, o->sensor_weights, (int)w->sensor_count, step, record,
                                  stream);
    if (result == BIOHEAT_RESULT_SENSORS)
        return results_heat_sensors(&state, o->sensors, o->sensor_weights, (int)w->sensor_count, step,
                                    w->element, record, stream);
    return results_heat_diagnose_blocks(&state, &o->media, step, partials_of(s, slot, number),
                                        s->setup.shares ? record : NULL, sum_length(s), stream);
}

enum status heat_device_capture(struct solver *s, enum bioheat_result result, int slot, size_t record,
                                int64_t step, const double *amplitudes)
{
    (void)amplitudes; // the source's power is computed on the host
    CHECK(s->status);
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 1));
    CUDA_CHECK(make_record(s, result, slot, record, step), "to make a record");
    return gpu_timeline_end(&s->timeline);
}

// Adds up the block sums of one record, whose memory in a divided run begins with the sums' parts.
static enum status add_up(const struct solver *s, int slot, size_t number)
{
    double *record = gpu_frames_record(&s->results.common.frames[BIOHEAT_RESULT_DIAGNOSTICS], slot, number);
    if (s->setup.shares)
        record += BIOHEAT_DIAGNOSED_SUMS * sum_length(s);
    void *const own = record + BIOHEAT_DIAGNOSTICS;
    CUDA_CHECK(results_heat_diagnose_total(results_heat_blocks(&s->shape), solver_has_dose(s),
                                           s->setup.physics->reference_c, partials_of(s, slot, number),
                                           record, s->setup.shares ? own : NULL, s->timeline.copy),
               "to add up a record");
    return STATUS_OK;
}

// Of diagnostics the block sums of `sums` records are added up on the copy stream: one block of threads for
// some microseconds, beside the next steps.
static enum status send(struct solver *s, int result, int slot, size_t sums, size_t records, void *to)
{
    struct gpu_frames *frames = &s->results.common.frames[result];
    CHECK(gpu_results_ready(&s->results.common, &s->timeline, result, slot));
    for (size_t k = 0; result == BIOHEAT_RESULT_DIAGNOSTICS && k < sums; k++)
        CHECK(add_up(s, slot, k));
    return gpu_frames_send(frames, &s->timeline, slot, records, to);
}

enum status heat_device_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    return send(s, result, slot, records, records, to);
}

// `note`: NULL if none has arrived.
static void read_finding(const struct solver *s, const void *note, struct bioheat_nonfinite *found)
{
    const size_t *n = s->setup.grid->cells;
    struct results_heat_finding finding = {.after_step = 0};
    if (note)
        memcpy(&finding, note, sizeof finding);
    const size_t index = (size_t)finding.index, row = index / n[BIOHEAT_X];
    if (finding.after_step != 0)
        *found = (struct bioheat_nonfinite){
            .step = finding.after_step - 1,
            .cell = {row / n[BIOHEAT_Y], row % n[BIOHEAT_Y], index % n[BIOHEAT_X]},
            .temperature_c = bioheat_temperature_c(finding.theta_k, s->setup.physics->reference_c),
        };
}

enum status heat_device_await(struct solver *s, enum bioheat_result result, int slot,
                              struct bioheat_nonfinite *found)
{
    const void *note;
    CHECK(gpu_frames_await(&s->results.common.frames[result], &s->timeline, slot, &note));
    read_finding(s, note, found);
    return STATUS_OK;
}

enum status heat_device_guard(struct solver *s, int64_t step, struct bioheat_nonfinite *found)
{
    struct gpu_results *common = &s->results.common;
    const struct results_heat state = heat_present_state(s);
    const void *note;
    CHECK(s->status);
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(results_heat_guard(&state, step, common->first, common->finding, s->timeline.compute),
               "to look for invalid values");
    CHECK(gpu_results_end_guard(common, &s->timeline, &note));
    read_finding(s, note, found);
    return STATUS_OK;
}

enum status heat_device_finish(struct solver *s, struct bioheat_nonfinite *found)
{
    const void *note;
    CHECK(s->status);
    CHECK(gpu_results_finish(&s->results.common, &s->timeline, &note));
    CHECK(gpu_exchange_finish(&s->exchange));
    read_finding(s, note, found);
    return STATUS_OK;
}

static enum status make_first(struct solver *s, int result)
{
    CHECK(heat_device_capture(s, (enum bioheat_result)result, 0, 0, 0, NULL));
    return send(s, result, 0, 1, 0, NULL);
}

enum status heat_device_warm_up_results(struct solver *s)
{
    struct bioheat_nonfinite found;
    if (!s->results.common.finding)
        return STATUS_OK;
    set_media(s);
    CHECK(gpu_results_start(&s->results.common, &s->timeline));
    CHECK(gpu_results_warm_up(&s->results.common, &s->timeline, s, make_first));
    return heat_device_guard(s, 0, &found);
}
