// The results of a gas solver: the frames in which records are made on the device, the arrays that the
// diagnostics need, and the errors for which the error flag was raised.
#include "gpu/gas/solver.h"
#include "gpu/memory.h"

#include <string.h>

_Static_assert(sizeof(struct results_gas_finding) <= GPU_NOTE_BYTES, "a finding is a frame's note");

enum status gas_device_plan_finding(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    CUDA_CHECK(results_gas_load(), "to load its kernels");
    return gpu_results_plan_finding(&s->results.common, plan, prefix);
}

enum status gas_device_plan_results(struct solver *s, const struct gas_wanted *wanted,
                                    struct memory_plan *plan, const char *prefix)
{
    struct gas_device_results *o = &s->results;
    const size_t count = s->setup.count, stride = wanted->stride == 0 ? 1 : wanted->stride;
    const size_t atoms = (count + stride - 1) / stride, vectors = wanted->has_velocities ? 2 : 1;
    const size_t diagnostics = wanted->slots[GAS_RESULT_DIAGNOSTICS] > 0 ? 1 : 0;
    // Of several ranks one makes records.
    const bool has_some = wanted->slots[GAS_RESULT_TRAJECTORY] > 0 || diagnostics > 0;
    const struct gpu_result_kind kinds[GAS_RESULTS] = {
        {.name = "trajectory", .record_bytes = vectors * 3 * atoms * element_bytes(wanted->element)},
        {.name = "diagnostics", .record_bytes = GAS_DIAGNOSTICS * sizeof(double)},
    };
    const struct gpu_array arrays[] = {
        {&o->scratch.partial, MEMORY_DEVICE, ELEMENT_F64, diagnostics, results_gas_partials(count),
         "device block sums"},
        {&o->scratch.sums, MEMORY_DEVICE, ELEMENT_F64, diagnostics, RESULTS_GAS_SUMS, "device sums"},
        {&o->index, MEMORY_DEVICE, ELEMENT_I32, has_some && gas_has_order(s), count, "device index by id"},
    };
    o->trajectory = (struct results_gas_trajectory){
        .stride = stride, .has_velocities = wanted->has_velocities, .element = wanted->element};
    CHECK(gpu_results_plan_frames(&o->common, kinds, GAS_RESULTS, wanted->slots, wanted->frame_records, plan,
                                  prefix));
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static struct results_gas state_of(const struct solver *s)
{
    return (struct results_gas){s->setup.physics, &s->particles, s->setup.mass, s->results.index,
                                s->bands.is_open ? &s->bands.view : NULL};
}

static cudaError_t make_record(const struct solver *s, enum gas_result result, int slot, size_t number)
{
    const struct gas_device_results *o = &s->results;
    void *const record = gpu_frames_record(&o->common.frames[result], slot, number);
    const struct results_gas state = state_of(s);
    const cudaStream_t stream = s->timeline.compute;
    const cudaError_t error = results_gas_index(&state, stream);
    if (error != cudaSuccess)
        return error;
    if (result == GAS_RESULT_TRAJECTORY)
        return results_gas_trajectory(&state, &o->trajectory, record, stream);
    return results_gas_diagnose(&state, s->energy, s->counts, &o->scratch, record, stream);
}

enum status gas_device_capture(struct solver *s, enum gas_result result, int slot, size_t record,
                               int64_t step)
{
    const bool is_made = s->results.common.frames[result].slots > 0; // of several ranks by one
    (void)step;
    CHECK(gas_device_bands_join(s));
    if (!is_made && result != GAS_RESULT_DIAGNOSTICS)
        return STATUS_OK;
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 1));
    if (result == GAS_RESULT_DIAGNOSTICS)
        CHECK(gas_begin_energy(s, false));
    if (is_made)
        CUDA_CHECK(make_record(s, result, slot, record), "to make a record");
    return gpu_timeline_end(&s->timeline);
}

static enum status find(const struct solver *s)
{
    const struct results_gas state = state_of(s);
    CUDA_CHECK(results_gas_find(&state, s->error_flag, s->results.common.finding, s->timeline.compute),
               "to look for errors");
    return STATUS_OK;
}

enum status gas_device_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    if (s->results.common.frames[result].slots == 0)
        return STATUS_OK;
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 1));
    if (!gas_device_has_ranks(s)) // else guards look for errors, on all ranks
        CHECK(find(s));
    CHECK(gpu_timeline_end(&s->timeline));
    return gpu_results_send(&s->results.common, &s->timeline, result, slot, records, to);
}

// `note`: NULL if no note has arrived.
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

enum status gas_device_await(struct solver *s, enum gas_result result, int slot, struct gas_finding *found)
{
    const void *note;
    CHECK(gpu_frames_await(&s->results.common.frames[result], &s->timeline, slot, &note));
    if (!gas_device_has_ranks(s)) // else the ranks agree on it later
        read_finding(note, found);
    return STATUS_OK;
}

enum status gas_device_find(struct solver *s, struct gas_finding *found)
{
    const void *note;
    if (s->bands.is_open) // then one rank has the particle
        CHECK(gas_device_ranks_join_flags(s));
    CHECK(find(s));
    CHECK(gpu_results_finish(&s->results.common, &s->timeline, &note));
    read_finding(note, found);
    return STATUS_OK;
}

// Ranks wait for each other, so that all end with the same error at the same step, whichever found it.
static enum status end_guard(struct solver *s, struct gas_finding *found)
{
    const void *note;
    if (gas_device_has_ranks(s)) {
        CHECK(gpu_timeline_end(&s->timeline));
        CHECK(gas_device_find(s, found));
        return gas_device_ranks_agree(s, found);
    }
    CHECK(find(s));
    CHECK(gpu_results_end_guard(&s->results.common, &s->timeline, &note));
    read_finding(note, found);
    return STATUS_OK;
}

enum status gas_device_guard(struct solver *s, int64_t step, struct gas_finding *found)
{
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(gas_device_check(&s->move, &s->particles, step, s->timeline.compute), "to look for errors");
    return end_guard(s, found);
}

enum status gas_device_finish_results(struct solver *s, struct gas_finding *found)
{
    CHECK(gas_device_find(s, found));
    CHECK(gas_device_ranks_agree(s, found));
    CHECK(gas_device_bands_finish(s));
    return gpu_allgather_finish(&s->ranks.gather);
}

static enum status make_first(struct solver *s, int result)
{
    CUDA_CHECK(make_record(s, (enum gas_result)result, 0, 0), "to make a record");
    return gas_device_send(s, result, 0, 0, NULL);
}

enum status gas_device_warm_up_results(struct solver *s)
{
    struct gas_finding found;
    CHECK(gpu_results_warm_up(&s->results.common, &s->timeline, s, make_first));
    return gas_device_guard(s, 0, &found);
}
