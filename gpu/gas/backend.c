// The gas model's CUDA back end: particles, lists and records on the device, steps there (step.c), results
// made there (results.c), and a pinned mirror on the host for starts, checks and checkpoints. Memory is the
// plan's; streams and events are made with it.
//
// The host only begins steps and results, in the order of the calls, on one stream; it waits in touch, fetch,
// evaluate and finish, and where the account of the device's time says that it is too far ahead (timeline.h).
//
// A checkpoint holds the particles in the order of the last sort, that order, and where they were at it;
// lists and forces are made anew from them, by the same kernels in the same order, and have the same bits.
#include "gpu/gas/backend.h"

#include "gpu/arithmetic.h"
#include "gpu/device.h"
#include "gpu/gas/solver.h"
#include "gpu/memory.h"
#include "models/gas/method.h"

#include <stdlib.h>
#include <string.h>

static enum status cuda_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    CHECK(gpu_memory_use(plan, setup->device));
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the CUDA solver");
    s->setup = *setup;
    gpu_describe_one(setup->device, s->device_name, sizeof s->device_name);
    CHECK(gpu_timeline_open(&s->timeline, setup->device));
    CHECK(stage_samples_open(&s->samples, GAS_STAGES, GAS_SAMPLE_EVERY));
    if (gas_has_pairs(s) && !gas_has_lists(setup->physics))
        CUDA_CHECK(
            gas_direct_choose(&s->direct, setup->physics, setup->count, setup->precision, setup->device),
            "to load its kernels");
    CUDA_CHECK(gas_device_load_moves(setup->physics), "to load its kernels");
    CHECK(gas_plan_arrays(s, plan, prefix));
    CHECK(gas_device_results_plan_finding(&s->results, &s->setup, plan, prefix));
    if (gas_has_regions(setup->physics))
        return gas_device_regions_plan(&s->setup, plan, prefix, &s->regions);
    return gas_has_lists(setup->physics) ? gas_device_lists_plan(&s->setup, plan, prefix, &s->lists)
                                         : STATUS_OK;
}

// Nothing is wrong.
static enum status clear_error_flag(struct solver *s)
{
    CHECK(gpu_timeline_fill(&s->timeline, &s->error_flag->step, 0x7f, sizeof s->error_flag->step));
    CHECK(gpu_timeline_fill(&s->timeline, &s->error_flag->first, 0xff, sizeof s->error_flag->first));
    return gas_device_results_start(&s->results, &s->timeline);
}

// Lists come of the places at the sort, in whose order the particles are already; a sort leaves it.
static enum status restore_order(struct solver *s)
{
    if (s->lists) {
        const unsigned long long rebuilds = s->mirror_counts->rebuilds;
        s->mirror_counts->rebuilds = rebuilds - 1; // this one is none of the run's
        CHECK(gas_send_mirror(s, true));
        s->mirror_counts->rebuilds = rebuilds;
    }
    CHECK(gas_begin_order(s, true, 0, NULL));
    if (!s->lists)
        return STATUS_OK;
    return gpu_timeline_upload(&s->timeline, s->particles.position, s->mirror_position,
                               GAS_AXES * s->setup.count * sizeof(double));
}

static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    gas_point_moves(s);
    if (is_loaded) {
        CHECK(gas_take_order(s));
    } else {
        gas_order_by_id(s);
        memset(s->mirror_counts, 0, sizeof *s->mirror_counts);
    }
    CHECK(gas_send_mirror(s, false));
    CHECK(clear_error_flag(s));
    if (is_loaded)
        CHECK(restore_order(s));
    else
        CHECK(gas_begin_order(s, true, 0, NULL));
    CHECK(gas_begin_forces(s, NULL));
    CHECK(gpu_timeline_finish(&s->timeline));
    s->told = (struct gas_counts){.rebuilds = 0};
    stage_samples_restart(&s->samples);
    s->is_mirror_current = !gas_has_order(s); // a sort gave them another order
    gpu_timeline_restart(&s->timeline);       // what came before is not the run's
    return STATUS_OK;
}

static void tell_counts(struct solver *s)
{
    s->told.rebuilds = (int64_t)s->mirror_counts->rebuilds;
    s->told.limited_energy = (int64_t)s->mirror_counts->limited_energy;
    s->told.limited_jumps = (int64_t)s->mirror_counts->limited_jumps;
}

static enum status cuda_fetch(struct solver *s)
{
    if (!s->is_mirror_current)
        CHECK(gas_fetch_mirror(s));
    tell_counts(s);
    s->is_mirror_current = true;
    return STATUS_OK;
}

static enum status cuda_evaluate(struct solver *s, bool is_by_pairs)
{
    CHECK(cuda_fetch(s)); // the order in which the field lies
    CHECK(gas_begin_other_forces(s, is_by_pairs));
    CHECK(gas_begin_energy(s, is_by_pairs));
    CHECK(gas_fetch_field(s, s->other_force));
    s->has_field = true;
    return STATUS_OK;
}

static enum status cuda_advance(struct solver *s, int64_t first_step, int64_t count)
{
    struct gpu_timeline *timeline = &s->timeline;
    for (int64_t done = 0; done < count;) {
        int steps;
        CHECK(gpu_timeline_join(timeline, count - done, &steps));
        for (int n = 0; n < steps; n++, done++)
            CHECK(gas_begin_step(s, first_step + done, done == 0, done == count - 1));
        CHECK(gpu_timeline_close_batch(timeline));
        s->is_mirror_current = false;
    }
    return STATUS_OK;
}

// ---- results

static struct gas_source source_of(const struct solver *s)
{
    return (struct gas_source){&s->particles, s->energy, s->error_flag, s->counts};
}

static enum status cuda_plan_results(struct solver *s, const struct gas_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix)
{
    return gas_device_results_plan(&s->results, wanted, gas_has_order(s), plan, prefix);
}

static enum status cuda_capture(struct solver *s, enum gas_result result, int slot, size_t record,
                                int64_t step)
{
    const struct gas_source source = source_of(s);
    (void)step;
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 1));
    if (result == GAS_RESULT_DIAGNOSTICS)
        CHECK(gas_begin_energy(s, false));
    CHECK(gas_device_results_capture(&s->results, &s->timeline, &source, result, slot, record));
    return gpu_timeline_end(&s->timeline);
}

static enum status cuda_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    const struct gas_source source = source_of(s);
    return gas_device_results_send(&s->results, &s->timeline, &source, (enum gas_result)result, slot, records,
                                   to);
}

static enum status cuda_await(struct solver *s, enum gas_result result, int slot, struct gas_finding *found)
{
    return gas_device_results_await(&s->results, &s->timeline, result, slot, found);
}

static enum status cuda_guard(struct solver *s, int64_t step, struct gas_finding *found)
{
    const struct gas_source source = source_of(s);
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 2));
    CUDA_CHECK(gas_device_look(&s->move, &s->particles, step, s->timeline.compute), "to look for errors");
    return gas_device_results_guard(&s->results, &s->timeline, &source, found);
}

// The counts that a run reports at its end.
static enum status take_counts(struct solver *s)
{
    CHECK(gpu_timeline_download(&s->timeline, s->mirror_counts, s->counts, sizeof *s->counts));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    tell_counts(s);
    if (s->lists)
        return gas_device_lists_count(s->lists, &s->told, s->timeline.compute);
    s->told.pairs = s->regions         ? gas_device_regions_pairs(s->regions)
                    : gas_has_pairs(s) ? (double)s->setup.count * ((double)s->setup.count - 1)
                                       : 0;
    return STATUS_OK;
}

static enum status cuda_finish(struct solver *s, struct gas_finding *found)
{
    const struct gas_source source = source_of(s);
    CHECK(gas_device_results_finish(&s->results, &s->timeline, &source, found));
    CHECK(take_counts(s));
    return stage_samples_take(&s->samples);
}

// On memory that is still all zero particles are at one point: only a few of them take part, for what looks
// at pairs.
static enum status warm_up_steps(struct solver *s)
{
    const size_t few = 1024, count = s->setup.count;
    s->particles.count = count < few ? count : few;
    CHECK(gas_begin_order(s, true, 0, NULL));
    CHECK(gas_begin_forces(s, NULL));
    CHECK(gas_begin_energy(s, false));
    for (int ends = 0; ends < 2; ends++)
        CHECK(gas_begin_step(s, ends, ends == 0, ends == 1));
    s->particles.count = count;
    return STATUS_OK;
}

static enum status cuda_warm_up(struct solver *s)
{
    const struct gas_source source = source_of(s);
    struct gas_finding found = {.error = GAS_NO_ERROR};
    gas_point_moves(s);
    gas_order_by_id(s);
    CHECK(gas_send_mirror(s, false));
    CHECK(clear_error_flag(s));
    CHECK(s->regions ? gas_device_regions_warm_up(s->regions, &s->particles, s->timeline.compute)
                     : warm_up_steps(s));
    CHECK(gas_device_results_warm_up(&s->results, &s->timeline, &source));
    CHECK(gas_fetch_field(s, s->other_force));
    CUDA_CHECK(gas_device_look(&s->move, &s->particles, 0, s->timeline.compute), "to look for errors");
    gas_order_by_id(s);
    CHECK(gas_send_mirror(s, false));
    return cuda_finish(s, &found);
}

// ---- what else a back end has

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t number = s->setup.count * sizeof(double), pair = GAS_AXES * number;
    int count = 0;
    arrays[count++] = (struct checkpoint_array){"positions", s->mirror_position, pair};
    arrays[count++] = (struct checkpoint_array){"velocities", s->mirror_velocity, pair};
    // Asked before there is memory, too.
    if (s->setup.has_masses)
        arrays[count++] = (struct checkpoint_array){"masses", s->mirror_mass, number};
    if (gas_has_lists(s->setup.physics))
        arrays[count++] = (struct checkpoint_array){"places at the sort", s->mirror_places, pair};
    if (gas_has_order(s))
        arrays[count++] =
            (struct checkpoint_array){"order", s->mirror_id, s->setup.count * sizeof *s->mirror_id};
    arrays[count++] = (struct checkpoint_array){"counts", s->mirror_counts, sizeof *s->mirror_counts};
    return count;
}

static void cuda_stages(const struct solver *s, struct gas_stage_times *times, struct gas_counts *counts)
{
    *times = (struct gas_stage_times){.steps = s->samples.steps};
    for (int phase = 0; phase < GAS_STAGES; phase++)
        times->seconds[phase] = s->samples.seconds[phase];
    *counts = s->told;
}

static struct device_times cuda_times(const struct solver *s)
{
    return gpu_timeline_times(&s->timeline);
}

static void cuda_destroy(struct solver *s)
{
    if (!s)
        return;
    (void)cudaSetDevice(s->setup.device);
    gpu_results_close(&s->results.results);
    if (s->lists)
        gas_device_lists_destroy(s->lists);
    if (s->regions)
        gas_device_regions_destroy(s->regions);
    stage_samples_close(&s->samples);
    gpu_timeline_close(&s->timeline);
    free(s);
}

#include "gpu/backend_head.inc"

const struct gas_backend gas_backend_cuda = {
    .head = {.name = "cuda",
             .summary = "one NVIDIA GPU",
             .rank = 10,
             .advance = cuda_advance,
             .measure_copy = gpu_measure_copy,
             .measure_arithmetic = gpu_measure_arithmetic,
             CUDA_HEAD},
    .plan = cuda_plan,
    .get = gas_get,
    .set = gas_set,
    .evaluate = cuda_evaluate,
    .get_field = gas_get_field,
    .plan_results = cuda_plan_results,
    .capture = cuda_capture,
    .await = cuda_await,
    .guard = cuda_guard,
    .finish = cuda_finish,
    .stages = cuda_stages,
};
