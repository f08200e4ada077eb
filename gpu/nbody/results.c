// An N-body solver's records on the device (see the header). Knows no steps and no forces.
#include "gpu/nbody/results.h"

#include "gpu/memory.h"

#include <string.h>

_Static_assert(sizeof(struct results_nbody_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

// Diagnostics' block sums and order by distance.
static enum status plan_diagnostics(struct nbody_device_results *o, size_t count, struct memory_plan *plan,
                                    const char *prefix)
{
    struct results_nbody_scratch *s = &o->scratch;
    if (o->wanted.slots[NBODY_RESULT_DIAGNOSTICS] == 0)
        return STATUS_OK;
    CUDA_CHECK(results_nbody_sorting_bytes(count, &s->sorting_bytes), "what a sort needs");
    const struct gpu_array arrays[] = {
        {&s->partial, MEMORY_DEVICE, ELEMENT_F64, 1, results_nbody_partials(count), "device block sums"},
        {&s->sums, MEMORY_DEVICE, ELEMENT_F64, 1, RESULTS_NBODY_SUMS, "device sums"},
        {&s->distances[0], MEMORY_DEVICE, ELEMENT_F64, 1, count, "device distances 0"},
        {&s->order[0], MEMORY_DEVICE, ELEMENT_I32, 1, count, "device order by distance 0"},
        {&s->distances[1], MEMORY_DEVICE, ELEMENT_F64, 1, count, "device distances 1"},
        {&s->order[1], MEMORY_DEVICE, ELEMENT_I32, 1, count, "device order by distance 1"},
        {&s->sorting, MEMORY_DEVICE, ELEMENT_U8, 1, s->sorting_bytes, "device sort by distance"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status nbody_device_results_plan(struct nbody_device_results *o, const struct nbody_setup *setup,
                                      const struct nbody_wanted *wanted, struct memory_plan *plan,
                                      const char *prefix)
{
    const size_t stride = wanted->stride == 0 ? 1 : wanted->stride;
    const size_t count = setup->count, atoms = (count + stride - 1) / stride;
    const size_t vectors = 1u + wanted->has_velocities + wanted->has_accelerations;
    const struct gpu_result_kind kinds[NBODY_RESULTS] = {
        {"trajectory", wanted->slots[NBODY_RESULT_TRAJECTORY], wanted->frame_records[NBODY_RESULT_TRAJECTORY],
         vectors * NBODY_AXES * atoms * element_bytes(wanted->element)},
        {"diagnostics", wanted->slots[NBODY_RESULT_DIAGNOSTICS],
         wanted->frame_records[NBODY_RESULT_DIAGNOSTICS], NBODY_DIAGNOSTICS * sizeof(double)}};
    const struct gpu_array places[] = {{&o->places, MEMORY_DEVICE, ELEMENT_I32, 1,
                                        setup->physics->method == NBODY_BARNES_HUT ? count : 0,
                                        "device places by id"}};
    o->wanted = *wanted;
    o->wanted.stride = stride;
    o->trajectory = (struct results_nbody_trajectory){.stride = stride,
                                                      .length_scale = wanted->length_scale,
                                                      .velocity_scale = wanted->velocity_scale,
                                                      .acceleration_scale = wanted->acceleration_scale,
                                                      .has_velocities = wanted->has_velocities,
                                                      .has_accelerations = wanted->has_accelerations,
                                                      .element = wanted->element};
    CHECK(gpu_results_plan_frames(&o->results, kinds, NBODY_RESULTS, plan, prefix));
    CHECK(plan_diagnostics(o, count, plan, prefix));
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, places));
    return gpu_results_plan_finding(&o->results, plan, prefix);
}

enum status nbody_device_results_start(struct nbody_device_results *o, struct gpu_timeline *timeline)
{
    return o->results.finding ? gpu_results_start(&o->results, timeline) : STATUS_OK;
}

static cudaError_t make_record(struct nbody_device_results *o, struct gpu_timeline *timeline,
                               const struct nbody_device_bodies *bodies, const void *potentials,
                               enum nbody_result result, void *place)
{
    const struct results_nbody state = {bodies, o->places};
    const cudaError_t error = results_nbody_places(&state, timeline->compute);
    if (error != cudaSuccess)
        return error;
    if (result == NBODY_RESULT_TRAJECTORY)
        return results_nbody_trajectory(&state, &o->trajectory, place, timeline->compute);
    return results_nbody_diagnose(&state, bodies->field, potentials, &o->scratch, place, timeline->compute);
}

enum status nbody_device_results_capture(struct nbody_device_results *o, struct gpu_timeline *timeline,
                                         const struct nbody_device_bodies *bodies, const void *potentials,
                                         enum nbody_result result, int slot, size_t record)
{
    void *const to = gpu_frames_record(&o->results.frames[result], slot, record);
    CUDA_CHECK(make_record(o, timeline, bodies, potentials, result, to), "to make a record");
    return STATUS_OK;
}

enum status nbody_device_results_send(struct nbody_device_results *o, struct gpu_timeline *timeline,
                                      enum nbody_result result, int slot, size_t records, void *to)
{
    return gpu_results_send(&o->results, timeline, (int)result, slot, records, to);
}

// `note` may be NULL: none has arrived.
static void read_finding(const void *note, struct nbody_nonfinite *found)
{
    struct results_nbody_finding finding = {.found = 0};
    if (note)
        memcpy(&finding, note, sizeof finding);
    if (finding.found == 0)
        return;
    found->step = (int64_t)(finding.found >> RESULTS_NBODY_ID_BITS) - 1;
    found->id = (int64_t)(finding.found & ((1ull << RESULTS_NBODY_ID_BITS) - 1));
    memcpy(found->body.position, finding.position, sizeof finding.position);
    memcpy(found->body.velocity, finding.velocity, sizeof finding.velocity);
    found->body.mass = finding.mass;
}

enum status nbody_device_results_await(const struct nbody_device_results *o,
                                       const struct gpu_timeline *timeline, enum nbody_result result,
                                       int slot, struct nbody_nonfinite *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->results.frames[result], timeline, slot, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status nbody_device_results_guard(struct nbody_device_results *o, struct gpu_timeline *timeline,
                                       const struct nbody_device_bodies *bodies, int64_t step,
                                       struct nbody_nonfinite *found)
{
    const struct results_nbody state = {bodies, NULL};
    const void *note;
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(results_nbody_guard(&state, step, o->results.first, o->results.finding, timeline->compute),
               "to look for invalid values");
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_results_peek(&o->results, timeline, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status nbody_device_results_finish(struct nbody_device_results *o, struct gpu_timeline *timeline,
                                        struct nbody_nonfinite *found)
{
    const void *note;
    CHECK(gpu_results_finish(&o->results, timeline, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status nbody_device_results_warm_up(struct nbody_device_results *o, struct gpu_timeline *timeline,
                                         const struct nbody_device_bodies *bodies)
{
    struct nbody_nonfinite found;
    if (!o->results.finding)
        return STATUS_OK;
    CHECK(nbody_device_results_start(o, timeline));
    for (int r = 0; r < NBODY_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(nbody_device_results_capture(o, timeline, bodies, bodies->field, (enum nbody_result)r, 0, 0));
        // There is no host frame yet: the note alone is sent.
        CHECK(gpu_results_send(&o->results, timeline, r, 0, 0, NULL));
        CHECK(nbody_device_results_await(o, timeline, (enum nbody_result)r, 0, &found));
    }
    CHECK(nbody_device_results_guard(o, timeline, bodies, 0, &found));
    return nbody_device_results_finish(o, timeline, &found);
}
