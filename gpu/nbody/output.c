// An N-body solver's records on the device (see the header). Knows no steps and no forces.
#include "gpu/nbody/output.h"

#include "gpu/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct results_nbody_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

static enum status plan_frames(struct body_output *o, size_t count, struct memory_plan *plan,
                               const char *prefix)
{
    static const char *const names[NBODY_RESULTS] = {"trajectory", "diagnostics"};
    const struct nbody_wanted *w = &o->wanted;
    const size_t atoms = (count + w->stride - 1) / w->stride;
    const size_t vectors = 1u + w->has_velocities + w->has_accelerations;
    const size_t bytes[NBODY_RESULTS] = {vectors * NBODY_AXES * atoms * element_bytes(w->element),
                                         NBODY_DIAGNOSTICS * sizeof(double)};
    char name[MEMORY_NAME_MAX];
    for (int r = 0; r < NBODY_RESULTS; r++) {
        if (w->slots[r] == 0)
            continue;
        snprintf(name, sizeof name, "%s%s", prefix, names[r]);
        CHECK(gpu_frames_plan(&o->frames[r], plan, w->slots[r], w->frame_records[r], bytes[r], name));
        CHECK(gpu_frames_open(&o->frames[r]));
    }
    snprintf(name, sizeof name, "%sguards", prefix);
    CHECK(gpu_frames_plan(&o->looks, plan, 1, 0, 0, name));
    return gpu_frames_open(&o->looks);
}

static enum status plan_diagnostics(struct body_output *o, size_t count, struct memory_plan *plan,
                                    const char *prefix)
{
    struct results_nbody_scratch *s = &o->scratch;
    if (o->wanted.slots[NBODY_RESULT_DIAGNOSTICS] == 0)
        return STATUS_OK;
    CUDA_CHECK(results_nbody_sorting_bytes(count, &s->sorting_bytes), "what a sort needs");
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, results_nbody_partials(count),
                          (void **)&s->partial, "%sdevice block sums", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, RESULTS_NBODY_SUMS, (void **)&s->sums,
                          "%sdevice sums", prefix));
    for (int k = 0; k < 2; k++) {
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, count, (void **)&s->distances[k],
                              "%sdevice distances %d", prefix, k));
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I32, 1, count, (void **)&s->order[k],
                              "%sdevice order by distance %d", prefix, k));
    }
    return memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, s->sorting_bytes, &s->sorting,
                           "%sdevice sort by distance", prefix);
}

enum status body_output_plan(struct body_output *o, const struct nbody_setup *setup,
                             const struct nbody_wanted *wanted, struct memory_plan *plan, const char *prefix)
{
    o->wanted = *wanted;
    if (o->wanted.stride == 0)
        o->wanted.stride = 1;
    o->trajectory = (struct results_nbody_trajectory){.stride = o->wanted.stride,
                                                      .length_scale = wanted->length_scale,
                                                      .velocity_scale = wanted->velocity_scale,
                                                      .acceleration_scale = wanted->acceleration_scale,
                                                      .has_velocities = wanted->has_velocities,
                                                      .has_accelerations = wanted->has_accelerations,
                                                      .element = wanted->element};
    o->is_planned = true;
    CHECK(plan_frames(o, setup->count, plan, prefix));
    CHECK(plan_diagnostics(o, setup->count, plan, prefix));
    if (setup->physics->method == NBODY_BARNES_HUT)
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I32, 1, setup->count, (void **)&o->places,
                              "%sdevice places by id", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->finding,
                          "%sdevice finding", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I64, 1, 1, (void **)&o->first,
                          "%sdevice first unsound", prefix));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->host_finding,
                           "%sfinding", prefix);
}

enum status body_output_start(struct body_output *o, struct gpu_timeline *timeline)
{
    if (!o->is_planned)
        return STATUS_OK;
    memset(o->looks.notes, 0, GPU_NOTE_BYTES); // no look of before is this run's
    CUDA_CHECK(cudaMemsetAsync(o->finding, 0, GPU_NOTE_BYTES, timeline->compute), "to clear its memory");
    CUDA_CHECK(cudaMemsetAsync(o->first, 0xff, sizeof *o->first, timeline->compute), "to set its memory");
    return STATUS_OK;
}

static cudaError_t make_record(struct body_output *o, struct gpu_timeline *timeline,
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

enum status body_output_capture(struct body_output *o, struct gpu_timeline *timeline,
                                const struct nbody_device_bodies *bodies, const void *potentials,
                                enum nbody_result result, int slot, size_t record)
{
    assert(o->is_planned && o->wanted.slots[result] > 0);
    CUDA_CHECK(make_record(o, timeline, bodies, potentials, result,
                           gpu_frames_record(&o->frames[result], slot, record)),
               "to make a record");
    return STATUS_OK;
}

enum status body_output_send(struct body_output *o, struct gpu_timeline *timeline, enum nbody_result result,
                             int slot, size_t records, void *to)
{
    CHECK(gpu_frames_ready(&o->frames[result], timeline, slot, o->finding));
    return gpu_frames_send(&o->frames[result], timeline, slot, records, to);
}

static void read_finding(const void *note, struct nbody_unsound *found)
{
    struct results_nbody_finding finding;
    memcpy(&finding, note, sizeof finding);
    if (finding.found == 0)
        return;
    found->step = (int64_t)(finding.found >> RESULTS_NBODY_ID_BITS) - 1;
    found->id = (int64_t)(finding.found & ((1ull << RESULTS_NBODY_ID_BITS) - 1));
    memcpy(found->body.position, finding.position, sizeof finding.position);
    memcpy(found->body.velocity, finding.velocity, sizeof finding.velocity);
    found->body.mass = finding.mass;
}

enum status body_output_await(const struct body_output *o, const struct gpu_timeline *timeline,
                              enum nbody_result result, int slot, struct nbody_unsound *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->frames[result], timeline, slot, &note));
    read_finding(note, found);
    return STATUS_OK;
}

// The finding stays, so it does not matter if a look's note is left out because the one before is still on
// its way.
enum status body_output_guard(struct body_output *o, struct gpu_timeline *timeline,
                              const struct nbody_device_bodies *bodies, int64_t step,
                              struct nbody_unsound *found)
{
    const struct results_nbody state = {bodies, NULL};
    const void *note;
    assert(o->is_planned);
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(results_nbody_guard(&state, step, o->first, o->finding, timeline->compute),
               "to look for unsound values");
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_frames_peek(&o->looks, 0, &note));
    if (!note)
        return STATUS_OK;
    read_finding(note, found);
    CHECK(gpu_frames_ready(&o->looks, timeline, 0, o->finding));
    return gpu_frames_send(&o->looks, timeline, 0, 0, NULL);
}

enum status body_output_finish(struct body_output *o, struct gpu_timeline *timeline,
                               struct nbody_unsound *found)
{
    if (!o->is_planned)
        return gpu_timeline_finish(timeline);
    CUDA_CHECK(cudaMemcpyAsync(o->host_finding, o->finding, GPU_NOTE_BYTES, cudaMemcpyDeviceToHost,
                               timeline->compute),
               "a copy of a note to the host");
    CHECK(gpu_timeline_finish(timeline));
    read_finding(o->host_finding, found);
    return STATUS_OK;
}

enum status body_output_warm_up(struct body_output *o, struct gpu_timeline *timeline,
                                const struct nbody_device_bodies *bodies)
{
    struct nbody_unsound found;
    const void *note;
    if (!o->is_planned)
        return STATUS_OK;
    CHECK(body_output_start(o, timeline));
    for (int r = 0; r < NBODY_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(body_output_capture(o, timeline, bodies, bodies->field, (enum nbody_result)r, 0, 0));
        CHECK(gpu_frames_ready(&o->frames[r], timeline, 0, o->finding));
        // There is no host frame yet: the note alone goes, to where there is room for one.
        CHECK(gpu_frames_send(&o->frames[r], timeline, 0, 0, NULL));
        CHECK(gpu_frames_await(&o->frames[r], timeline, 0, &note));
    }
    CHECK(body_output_guard(o, timeline, bodies, 0, &found));
    return body_output_finish(o, timeline, &found);
}

void body_output_close(struct body_output *o)
{
    for (int r = 0; r < NBODY_RESULTS; r++)
        gpu_frames_close(&o->frames[r]);
    gpu_frames_close(&o->looks);
}
