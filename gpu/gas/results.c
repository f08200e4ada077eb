// A gas solver's records on the device (see the header). Knows no steps and no forces.
#include "gpu/gas/results.h"

#include "gpu/memory.h"

#include <string.h>

_Static_assert(sizeof(struct results_gas_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

enum status gas_device_results_plan_finding(struct gas_device_results *o, const struct gas_setup *setup,
                                            struct memory_plan *plan, const char *prefix)
{
    o->setup = setup;
    CUDA_CHECK(results_gas_load(), "to load its kernels");
    return gpu_results_plan_finding(&o->results, plan, prefix);
}

enum status gas_device_results_plan(struct gas_device_results *o, const struct gas_wanted *wanted,
                                    bool has_ids, struct memory_plan *plan, const char *prefix)
{
    const size_t count = o->setup->count, stride = wanted->stride == 0 ? 1 : wanted->stride;
    const size_t atoms = (count + stride - 1) / stride;
    const size_t diagnostics = wanted->slots[GAS_RESULT_DIAGNOSTICS] > 0 ? 1 : 0;
    const struct gpu_result_kind kinds[GAS_RESULTS] = {
        {"trajectory", wanted->slots[GAS_RESULT_TRAJECTORY], wanted->frame_records[GAS_RESULT_TRAJECTORY],
         (wanted->has_velocities ? 2u : 1u) * 3 * atoms * element_bytes(wanted->element)},
        {"diagnostics", wanted->slots[GAS_RESULT_DIAGNOSTICS], wanted->frame_records[GAS_RESULT_DIAGNOSTICS],
         GAS_DIAGNOSTICS * sizeof(double)}};
    const struct gpu_array arrays[] = {
        {&o->scratch.partial, MEMORY_DEVICE, ELEMENT_F64, diagnostics, results_gas_partials(count),
         "device block sums"},
        {&o->scratch.sums, MEMORY_DEVICE, ELEMENT_F64, diagnostics, RESULTS_GAS_SUMS, "device sums"},
        {&o->places, MEMORY_DEVICE, ELEMENT_I32, has_ids, count, "device places by id"},
    };
    o->wanted = *wanted;
    o->wanted.stride = stride;
    o->trajectory = (struct results_gas_trajectory){
        .stride = stride, .has_velocities = wanted->has_velocities, .element = wanted->element};
    CHECK(gpu_results_plan_frames(&o->results, kinds, GAS_RESULTS, plan, prefix));
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status gas_device_results_start(struct gas_device_results *o, struct gpu_timeline *timeline)
{
    return gpu_results_start(&o->results, timeline);
}

static struct results_gas state_of(const struct gas_device_results *o, const struct gas_source *source)
{
    return (struct results_gas){o->setup->physics, source->particles, o->setup->mass, o->places};
}

static cudaError_t make_record(const struct gas_device_results *o, cudaStream_t stream,
                               const struct gas_source *source, enum gas_result result, void *place)
{
    const struct results_gas state = state_of(o, source);
    const cudaError_t error = results_gas_places(&state, stream);
    if (error != cudaSuccess)
        return error;
    if (result == GAS_RESULT_TRAJECTORY)
        return results_gas_trajectory(&state, &o->trajectory, place, stream);
    return results_gas_diagnose(&state, source->energy, source->counts, &o->scratch, place, stream);
}

enum status gas_device_results_capture(struct gas_device_results *o, struct gpu_timeline *timeline,
                                       const struct gas_source *source, enum gas_result result, int slot,
                                       size_t record)
{
    void *const to = gpu_frames_record(&o->results.frames[result], slot, record);
    CUDA_CHECK(make_record(o, timeline->compute, source, result, to), "to make a record");
    return STATUS_OK;
}

static enum status find(const struct gas_device_results *o, const struct gpu_timeline *timeline,
                        const struct gas_source *source)
{
    const struct results_gas state = state_of(o, source);
    CUDA_CHECK(results_gas_find(&state, source->error_flag, o->results.finding, timeline->compute),
               "to look for errors");
    return STATUS_OK;
}

enum status gas_device_results_send(struct gas_device_results *o, struct gpu_timeline *timeline,
                                    const struct gas_source *source, enum gas_result result, int slot,
                                    size_t records, void *to)
{
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CHECK(find(o, timeline, source));
    CHECK(gpu_timeline_end(timeline));
    return gpu_results_send(&o->results, timeline, (int)result, slot, records, to);
}

// `note` may be NULL: none has arrived.
static void read_finding(const void *note, struct gas_finding *found)
{
    struct results_gas_finding finding = {.error = GAS_NO_ERROR};
    if (note)
        memcpy(&finding, note, sizeof finding);
    if (finding.error == GAS_NO_ERROR)
        return;
    *found = (struct gas_finding){.error = (enum gas_error)finding.error,
                                  .step = finding.step,
                                  .id = finding.id,
                                  .partner = finding.partner,
                                  .particle.mass = finding.mass};
    memcpy(found->particle.position, finding.position, sizeof finding.position);
    memcpy(found->particle.velocity, finding.velocity, sizeof finding.velocity);
}

enum status gas_device_results_await(const struct gas_device_results *o, const struct gpu_timeline *timeline,
                                     enum gas_result result, int slot, struct gas_finding *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->results.frames[result], timeline, slot, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status gas_device_results_guard(struct gas_device_results *o, struct gpu_timeline *timeline,
                                     const struct gas_source *source, struct gas_finding *found)
{
    const void *note;
    CHECK(find(o, timeline, source));
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_results_peek(&o->results, timeline, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status gas_device_results_finish(struct gas_device_results *o, struct gpu_timeline *timeline,
                                      const struct gas_source *source, struct gas_finding *found)
{
    const void *note;
    CHECK(find(o, timeline, source));
    CHECK(gpu_results_finish(&o->results, timeline, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status gas_device_results_warm_up(struct gas_device_results *o, struct gpu_timeline *timeline,
                                       const struct gas_source *source)
{
    struct gas_finding found = {.error = GAS_NO_ERROR};
    CHECK(gas_device_results_start(o, timeline));
    for (int r = 0; r < GAS_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(gas_device_results_capture(o, timeline, source, (enum gas_result)r, 0, 0));
        // There is no host frame yet: the note alone is sent.
        CHECK(gas_device_results_send(o, timeline, source, (enum gas_result)r, 0, 0, NULL));
        CHECK(gas_device_results_await(o, timeline, (enum gas_result)r, 0, &found));
    }
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CHECK(gas_device_results_guard(o, timeline, source, &found));
    return gas_device_results_finish(o, timeline, source, &found);
}
