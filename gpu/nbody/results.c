// An N-body solver's results: the frames in which records are made on the device, what the diagnostics need
// besides, and what the guard found.
#include "gpu/memory.h"
#include "gpu/nbody/solver.h"
#include "parallel/ranks.h"

#include <string.h>

_Static_assert(sizeof(struct results_nbody_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

// The diagnostics' scratch.
static enum status plan_diagnostics(struct nbody_device_results *o, size_t count, struct memory_plan *plan,
                                    const char *prefix)
{
    struct results_nbody_scratch *s = &o->scratch;
    if (o->wanted.slots[NBODY_RESULT_DIAGNOSTICS] == 0)
        return STATUS_OK;
    CUDA_CHECK(results_nbody_sorting_bytes(count, &s->sorting_bytes), "to find the scratch of a sort");
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

enum status nbody_device_plan_results(struct solver *s, const struct nbody_wanted *wanted,
                                      struct memory_plan *plan, const char *prefix)
{
    struct nbody_device_results *o = &s->results;
    const size_t stride = wanted->stride == 0 ? 1 : wanted->stride;
    const size_t count = s->setup.count, atoms = (count + stride - 1) / stride;
    const size_t vectors = 1u + wanted->has_velocities + wanted->has_accelerations;
    const struct gpu_result_kind kinds[NBODY_RESULTS] = {
        {.name = "trajectory", .record_bytes = vectors * NBODY_AXES * atoms * element_bytes(wanted->element)},
        {.name = "diagnostics", .record_bytes = NBODY_DIAGNOSTICS * sizeof(double)},
    };
    const struct gpu_array index[] = {
        {&o->index, MEMORY_DEVICE, ELEMENT_I32, solver_has_tree(s), count, "device index by id"}};
    o->wanted = *wanted;
    o->trajectory = (struct results_nbody_trajectory){.stride = stride,
                                                      .length_scale = wanted->length_scale,
                                                      .velocity_scale = wanted->velocity_scale,
                                                      .acceleration_scale = wanted->acceleration_scale,
                                                      .has_velocities = wanted->has_velocities,
                                                      .has_accelerations = wanted->has_accelerations,
                                                      .element = wanted->element};
    if (s->setup.shares && s->setup.ranks->rank > 0)
        return STATUS_OK; // only what it needs to compute its part of the potentials
    CHECK(gpu_results_plan_frames(&o->common, kinds, NBODY_RESULTS, wanted->slots, wanted->frame_records,
                                  plan, prefix));
    CHECK(plan_diagnostics(o, count, plan, prefix));
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, index));
    return gpu_results_plan_finding(&o->common, plan, prefix);
}

// `potentials`: of diagnostics, a field that has them; the accelerations are those of the bodies' own field.
static cudaError_t make_record(struct solver *s, enum nbody_result result, const void *potentials, int slot,
                               size_t number)
{
    struct nbody_device_results *o = &s->results;
    void *const record = gpu_frames_record(&o->common.frames[result], slot, number);
    const struct results_nbody state = {&s->bodies, o->index};
    const cudaStream_t stream = s->timeline.compute;
    const cudaError_t error = results_nbody_index(&state, stream);
    if (error != cudaSuccess)
        return error;
    if (result == NBODY_RESULT_TRAJECTORY)
        return results_nbody_trajectory(&state, &o->trajectory, record, stream);
    return results_nbody_diagnose(&state, s->bodies.field, potentials, &o->scratch, record, stream);
}

enum status nbody_device_capture(struct solver *s, enum nbody_result result, int slot, size_t record,
                                 int64_t step)
{
    const void *potentials = NULL;
    const bool is_made = s->results.common.frames[result].slots > 0; // of several ranks by one
    (void)step;
    CHECK(s->status);
    if (!is_made && result != NBODY_RESULT_DIAGNOSTICS)
        return STATUS_OK;
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 1));
    if (result == NBODY_RESULT_DIAGNOSTICS)
        CHECK(nbody_begin_field(s, s->results.wanted.has_direct_potential, &potentials));
    if (is_made)
        CUDA_CHECK(make_record(s, result, potentials, slot, record), "to make a record");
    return gpu_timeline_end(&s->timeline);
}

enum status nbody_device_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    if (s->results.common.frames[result].slots == 0)
        return STATUS_OK;
    return gpu_results_send(&s->results.common, &s->timeline, result, slot, records, to);
}

// `note`: NULL if none has arrived.
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

enum status nbody_device_await(struct solver *s, enum nbody_result result, int slot,
                               struct nbody_nonfinite *found)
{
    const void *note;
    CHECK(gpu_frames_await(&s->results.common.frames[result], &s->timeline, slot, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status nbody_device_guard(struct solver *s, int64_t step, struct nbody_nonfinite *found)
{
    struct gpu_results *common = &s->results.common;
    const struct results_nbody state = {&s->bodies, NULL};
    const void *note;
    CHECK(s->status);
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(results_nbody_guard(&state, step, common->first, common->finding, s->timeline.compute),
               "to look for invalid values");
    CHECK(gpu_results_end_guard(common, &s->timeline, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status nbody_device_finish(struct solver *s, struct nbody_nonfinite *found)
{
    const void *note;
    CHECK(s->status);
    CHECK(gpu_results_finish(&s->results.common, &s->timeline, &note));
    read_finding(note, found);
    CHECK(gpu_allgather_finish(&s->ranks.gather));
    return stage_samples_take(&s->samples);
}

static enum status make_first(struct solver *s, int result)
{
    CUDA_CHECK(make_record(s, (enum nbody_result)result, s->bodies.field, 0, 0), "to make a record");
    return nbody_device_send(s, result, 0, 0, NULL);
}

enum status nbody_device_warm_up_results(struct solver *s)
{
    struct nbody_nonfinite found;
    if (!s->results.common.finding)
        return STATUS_OK;
    CHECK(gpu_results_start(&s->results.common, &s->timeline));
    CHECK(gpu_results_warm_up(&s->results.common, &s->timeline, s, make_first));
    return nbody_device_guard(s, 0, &found);
}
