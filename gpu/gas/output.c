// A gas solver's records on the device (see the header). Knows no steps and no forces.
#include "gpu/gas/output.h"

#include "gpu/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct results_gas_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

enum status gas_records_plan_findings(struct gas_output *o, const struct gas_setup *setup,
                                      struct memory_plan *plan, const char *prefix)
{
    char name[MEMORY_NAME_MAX];
    o->setup = setup;
    snprintf(name, sizeof name, "%sguards", prefix);
    CHECK(gpu_frames_plan(&o->looks, plan, 1, 0, 0, name));
    CHECK(gpu_frames_open(&o->looks));
    CUDA_CHECK(results_gas_load(), "to load its kernels");
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->finding,
                          "%sdevice finding", prefix));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, 1, GPU_NOTE_BYTES, (void **)&o->host_finding,
                           "%sfinding", prefix);
}

static enum status plan_frames(struct gas_output *o, struct memory_plan *plan, const char *prefix)
{
    static const char *const names[GAS_RESULTS] = {"trajectory", "diagnostics"};
    const struct gas_wanted *w = &o->wanted;
    const size_t atoms = (o->setup->count + w->stride - 1) / w->stride;
    const size_t bytes[GAS_RESULTS] = {(w->has_velocities ? 2u : 1u) * 3 * atoms * element_bytes(w->element),
                                       GAS_DIAGNOSTICS * sizeof(double)};
    char name[MEMORY_NAME_MAX];
    for (int r = 0; r < GAS_RESULTS; r++) {
        if (w->slots[r] == 0)
            continue;
        snprintf(name, sizeof name, "%s%s", prefix, names[r]);
        CHECK(gpu_frames_plan(&o->frames[r], plan, w->slots[r], w->frame_records[r], bytes[r], name));
        CHECK(gpu_frames_open(&o->frames[r]));
    }
    return STATUS_OK;
}

enum status gas_records_plan_results(struct gas_output *o, const struct gas_wanted *wanted, bool has_ids,
                                     struct memory_plan *plan, const char *prefix)
{
    const size_t count = o->setup->count;
    o->wanted = *wanted;
    if (o->wanted.stride == 0)
        o->wanted.stride = 1;
    o->trajectory = (struct results_gas_trajectory){
        .stride = o->wanted.stride, .has_velocities = wanted->has_velocities, .element = wanted->element};
    CHECK(plan_frames(o, plan, prefix));
    if (o->wanted.slots[GAS_RESULT_DIAGNOSTICS] > 0) {
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, results_gas_partials(count),
                              (void **)&o->scratch.partial, "%sdevice block sums", prefix));
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 1, RESULTS_GAS_SUMS,
                              (void **)&o->scratch.sums, "%sdevice sums", prefix));
    }
    if (!has_ids)
        return STATUS_OK;
    return memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_I32, 1, count, (void **)&o->places,
                           "%sdevice places by id", prefix);
}

enum status gas_records_start(struct gas_output *o, struct gpu_timeline *timeline)
{
    memset(o->looks.notes, 0, GPU_NOTE_BYTES); // no look of before is this run's
    CUDA_CHECK(cudaMemsetAsync(o->finding, 0, GPU_NOTE_BYTES, timeline->compute), "to clear its memory");
    return STATUS_OK;
}

static struct results_gas state_of(const struct gas_output *o, const struct gas_source *source)
{
    return (struct results_gas){o->setup->physics, source->particles, o->setup->mass, o->places};
}

static cudaError_t make_record(const struct gas_output *o, cudaStream_t stream,
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

enum status gas_records_capture(struct gas_output *o, struct gpu_timeline *timeline,
                                const struct gas_source *source, enum gas_result result, int slot,
                                size_t record)
{
    assert(o->wanted.slots[result] > 0);
    CUDA_CHECK(make_record(o, timeline->compute, source, result,
                           gpu_frames_record(&o->frames[result], slot, record)),
               "to make a record");
    return STATUS_OK;
}

static enum status find(const struct gas_output *o, const struct gpu_timeline *timeline,
                        const struct gas_source *source)
{
    const struct results_gas state = state_of(o, source);
    CUDA_CHECK(results_gas_find(&state, source->alarm, o->finding, timeline->compute),
               "to look for what is wrong");
    return STATUS_OK;
}

enum status gas_records_send(struct gas_output *o, struct gpu_timeline *timeline,
                             const struct gas_source *source, enum gas_result result, int slot,
                             size_t records, void *to)
{
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CHECK(find(o, timeline, source));
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_frames_ready(&o->frames[result], timeline, slot, o->finding));
    return gpu_frames_send(&o->frames[result], timeline, slot, records, to);
}

static void read_finding(const void *note, struct gas_finding *found)
{
    struct results_gas_finding finding;
    memcpy(&finding, note, sizeof finding);
    if (finding.trouble == GAS_SOUND)
        return;
    *found = (struct gas_finding){.trouble = (enum gas_trouble)finding.trouble,
                                  .step = finding.step,
                                  .id = finding.id,
                                  .partner = finding.partner,
                                  .particle.mass = finding.mass};
    memcpy(found->particle.position, finding.position, sizeof finding.position);
    memcpy(found->particle.velocity, finding.velocity, sizeof finding.velocity);
}

enum status gas_records_await(const struct gas_output *o, const struct gpu_timeline *timeline,
                              enum gas_result result, int slot, struct gas_finding *found)
{
    const void *note;
    CHECK(gpu_frames_await(&o->frames[result], timeline, slot, &note));
    read_finding(note, found);
    return STATUS_OK;
}

// The finding stays, so it does not matter if a look's note is left out because the one before is still on
// its way.
enum status gas_records_guard(struct gas_output *o, struct gpu_timeline *timeline,
                              const struct gas_source *source, struct gas_finding *found)
{
    const void *note;
    CHECK(find(o, timeline, source));
    CHECK(gpu_timeline_end(timeline));
    CHECK(gpu_frames_peek(&o->looks, 0, &note));
    if (!note)
        return STATUS_OK;
    read_finding(note, found);
    CHECK(gpu_frames_ready(&o->looks, timeline, 0, o->finding));
    return gpu_frames_send(&o->looks, timeline, 0, 0, NULL);
}

enum status gas_records_finish(struct gas_output *o, struct gpu_timeline *timeline,
                               const struct gas_source *source, struct gas_finding *found)
{
    CHECK(find(o, timeline, source));
    CUDA_CHECK(cudaMemcpyAsync(o->host_finding, o->finding, GPU_NOTE_BYTES, cudaMemcpyDeviceToHost,
                               timeline->compute),
               "a copy of a note to the host");
    CHECK(gpu_timeline_finish(timeline));
    read_finding(o->host_finding, found);
    return STATUS_OK;
}

enum status gas_records_warm_up(struct gas_output *o, struct gpu_timeline *timeline,
                                const struct gas_source *source)
{
    struct gas_finding found = {.trouble = GAS_SOUND};
    const void *note;
    CHECK(gas_records_start(o, timeline));
    for (int r = 0; r < GAS_RESULTS; r++) {
        if (o->wanted.slots[r] == 0)
            continue;
        CHECK(gas_records_capture(o, timeline, source, (enum gas_result)r, 0, 0));
        // There is no host frame yet: the note alone goes, to where there is room for one.
        CHECK(gas_records_send(o, timeline, source, (enum gas_result)r, 0, 0, NULL));
        CHECK(gpu_frames_await(&o->frames[r], timeline, 0, &note));
    }
    CHECK(gpu_timeline_begin(timeline, GPU_TIMELINE_RESULTS, 1));
    CHECK(gas_records_guard(o, timeline, source, &found));
    return gas_records_finish(o, timeline, source, &found);
}

void gas_records_close(struct gas_output *o)
{
    for (int r = 0; r < GAS_RESULTS; r++)
        gpu_frames_close(&o->frames[r]);
    gpu_frames_close(&o->looks);
}
