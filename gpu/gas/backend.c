// The gas model's CUDA back end: particles, lists and records on the device, where steps (step.c) and results
// (results.c) are computed, and a pinned mirror on the host for starts, checks and checkpoints. Memory is the
// plan's; streams and events are created with it.
//
// The host only begins steps and results, in the order of the calls, on one stream. It waits in touch, fetch,
// evaluate and finish, and where it is too far ahead of the device (timeline.h).
//
// A checkpoint holds the particles in the order of the last sort, that order, and their positions at the
// sort. Lists and forces are computed anew from them, by the same kernels in the same order, and have the
// same bits.
#include "gpu/backends.h"
#include "gpu/gas/solver.h"
#include "models/gas/method.h"

#include <string.h>

#include "gpu/backend_head.inc"

static enum status cuda_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    CHECK(cuda_create(plan, setup->device, solver));
    struct solver *s = *solver;
    const struct particles_range own = particles_own(setup->shares, setup->ranks, setup->count);
    s->setup = *setup;
    s->has_lists = gas_has_lists(setup->physics);
    s->has_regions = gas_has_regions(setup->physics);
    CHECK(gpu_timeline_open(&s->timeline, setup->device));
    CHECK(stage_samples_open(&s->samples, GAS_STAGES, GAS_SAMPLE_EVERY));
    if (gas_has_pairs(s) && !s->has_lists)
        CUDA_CHECK(gas_direct_choose(&s->direct, setup->physics, setup->count, own.first,
                                     setup->shares ? own.end : 0, setup->precision, setup->device),
                   "to load its kernels");
    CUDA_CHECK(gas_device_load_moves(setup->physics), "to load its kernels");
    CHECK(gas_plan_arrays(s, plan, prefix));
    CHECK(gas_device_plan_finding(s, plan, prefix));
    if (s->has_regions)
        CHECK(gas_device_regions_plan(&s->setup, plan, prefix, &s->regions));
    else if (s->has_lists)
        CHECK(gas_device_lists_plan(&s->setup, plan, prefix, &s->lists));
    CHECK(gas_device_ranks_plan(s, plan, prefix));
    return gas_device_bands_plan(s, plan, prefix);
}

static enum status clear_error_flag(struct solver *s)
{
    CHECK(gpu_timeline_fill(&s->timeline, &s->error_flag->step, 0x7f, sizeof s->error_flag->step));
    CHECK(gpu_timeline_fill(&s->timeline, &s->error_flag->first, 0xff, sizeof s->error_flag->first));
    return gpu_results_start(&s->results.common, &s->timeline);
}

// Lists are built from the positions at the sort. The particles are in their order already; a sort keeps it.
static enum status restore_order(struct solver *s)
{
    if (s->has_lists) {
        const unsigned long long rebuilds = s->mirror_counts->rebuilds;
        s->mirror_counts->rebuilds = rebuilds - 1; // this one is not counted
        CHECK(gas_send_mirror(s, true));
        s->mirror_counts->rebuilds = rebuilds;
    }
    CHECK(gas_begin_order(s, true, 0, NULL));
    if (!s->has_lists)
        return STATUS_OK;
    return gpu_timeline_upload(&s->timeline, s->particles.position, s->mirror_position,
                               GAS_AXES * s->setup.count * sizeof(double));
}

static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    gas_point_moves(s);
    CHECK(is_loaded ? gas_device_ranks_join_mirror(s) : gas_device_ranks_share_mirror(s));
    if (is_loaded) {
        CHECK(gas_take_order(s));
    } else {
        gpu_order_by_id(&s->mirror_order, s->setup.count);
        memset(s->mirror_counts, 0, sizeof *s->mirror_counts);
    }
    CHECK(gas_send_mirror(s, false));
    CHECK(clear_error_flag(s));
    if (is_loaded)
        CHECK(restore_order(s));
    else
        CHECK(gas_begin_order(s, true, 0, NULL));
    if (s->bands.is_open)
        CHECK(gas_device_ranks_join_flags(s));
    CHECK(gas_begin_forces(s, NULL));
    CHECK(gpu_timeline_finish(&s->timeline));
    s->reported = (struct gas_counts){.rebuilds = 0};
    stage_samples_restart(&s->samples);
    s->is_mirror_current = !gas_has_order(s); // a sort reorders them
    gpu_timeline_restart(&s->timeline);       // the run begins here
    return STATUS_OK;
}

static void report_counts(struct solver *s)
{
    s->reported.rebuilds = (int64_t)s->mirror_counts->rebuilds;
    s->reported.limited_energy = (int64_t)s->mirror_counts->limited_energy;
    s->reported.limited_jumps = (int64_t)s->mirror_counts->limited_jumps;
}

static enum status cuda_fetch(struct solver *s)
{
    if (!s->is_mirror_current) {
        CHECK(gas_device_bands_join(s));
        CHECK(gas_fetch_mirror(s));
    }
    report_counts(s);
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

// The counts that a run reports at its end.
static enum status take_counts(struct solver *s)
{
    CHECK(gpu_timeline_download(&s->timeline, s->mirror_counts, s->counts, sizeof *s->counts));
    CHECK(gpu_timeline_finish_compute(&s->timeline));
    report_counts(s);
    if (s->has_lists) {
        CHECK(gas_device_lists_count(&s->lists, &s->reported, s->timeline.compute));
        return gas_device_ranks_add_counts(s, &s->reported);
    }
    s->reported.pairs = s->has_regions     ? gas_device_regions_pairs(&s->regions)
                        : gas_has_pairs(s) ? (double)s->setup.count * ((double)s->setup.count - 1)
                                           : 0;
    return STATUS_OK;
}

static enum status cuda_finish(struct solver *s, struct gas_finding *found)
{
    CHECK(gas_device_finish_results(s, found));
    CHECK(take_counts(s));
    return stage_samples_take(&s->samples);
}

// On memory that is still all zero, where all particles are at one point. Only a few of them take part: the
// time of sums over pairs grows with the square of the number.
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

// Only its sort, as the first launch of a kernel whose blocks synchronise allocates; the others are loaded. A
// sort exchanges the particles' arrays with spare ones, a second one puts them back to their planned places.
static enum status warm_up_regions(struct solver *s)
{
    CHECK(gas_device_regions_warm_up(&s->regions, s->timeline.compute));
    s->particles.count = 1;
    for (int k = 0; k < 2; k++)
        CHECK(gas_begin_order(s, true, 0, NULL));
    s->particles.count = s->setup.count;
    return STATUS_OK;
}

static enum status cuda_warm_up(struct solver *s)
{
    struct gas_finding found = {.error = GAS_NO_ERROR};
    CHECK(gas_device_ranks_open(s));
    CHECK(gas_device_bands_open(s));
    gas_point_moves(s);
    gpu_order_by_id(&s->mirror_order, s->setup.count);
    CHECK(gas_send_mirror(s, false));
    CHECK(clear_error_flag(s));
    CHECK(s->has_regions ? warm_up_regions(s) : warm_up_steps(s));
    CHECK(gas_device_ranks_warm_up(s));
    CHECK(gas_device_warm_up_results(s));
    CHECK(gas_fetch_field(s, s->other_force));
    gpu_order_by_id(&s->mirror_order, s->setup.count);
    CHECK(gas_send_mirror(s, false));
    return cuda_finish(s, &found);
}

// ---- what else a back end has

// An array of the mirror, as far as it is the rank's. Also called before the reserve.
static struct checkpoint_array own_part(const struct solver *s, const char *name, void *array,
                                        size_t particle)
{
    const struct particles_range own = particles_own(s->setup.shares, s->setup.ranks, s->setup.count);
    return (struct checkpoint_array){name, array ? (char *)array + own.first * particle : NULL,
                                     (own.end - own.first) * particle};
}

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t number = sizeof(double), pair = GAS_AXES * number;
    int count = 0;
    arrays[count++] = own_part(s, "positions", s->mirror_position, pair);
    arrays[count++] = own_part(s, "velocities", s->mirror_velocity, pair);
    // Asked before there is memory, too.
    if (s->setup.has_masses)
        arrays[count++] = own_part(s, "masses", s->mirror_mass, number);
    if (s->has_lists)
        arrays[count++] = own_part(s, "places at the sort", s->mirror_at_sort, pair);
    if (gas_has_order(s))
        arrays[count++] = own_part(s, "order", s->mirror_order.ids, sizeof(unsigned));
    arrays[count++] = (struct checkpoint_array){"counts", s->mirror_counts, sizeof *s->mirror_counts};
    return count;
}

static void cuda_stages(const struct solver *s, struct gas_stage_times *times, struct gas_counts *counts)
{
    *times = (struct gas_stage_times){.steps = s->samples.steps};
    memcpy(times->seconds, s->samples.seconds, sizeof times->seconds);
    *counts = s->reported;
}

static void cuda_destroy(struct solver *s)
{
    if (!s)
        return;
    (void)cudaSetDevice(s->setup.device);
    gas_device_ranks_close(s);
    gpu_results_close(&s->results.common);
    stage_samples_close(&s->samples);
    gpu_timeline_close(&s->timeline);
    free(s);
}

const struct gas_backend gas_backend_cuda = {
    .head = {.name = "cuda",
             .summary = "one NVIDIA GPU",
             .rank = 10,
             .advance = cuda_advance,
             .fetch = cuda_fetch,
             .send = gas_device_send,
             .measure_arithmetic = gpu_measure_arithmetic,
             CUDA_HEAD},
    .is_divided = true,
    .plan = cuda_plan,
    .get = gas_get,
    .set = gas_set,
    .evaluate = cuda_evaluate,
    .get_field = gas_get_field,
    CUDA_RESULTS(gas),
    .finish = cuda_finish,
    .stages = cuda_stages,
};
