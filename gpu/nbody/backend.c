// The N-body model's CUDA back end: bodies, tree and records on the device, steps there (step.c), results
// made there (results.c), and a pinned mirror on the host for starts, checks and checkpoints. Memory is the
// plan's; streams and events are made with it.
//
// The host only begins steps and results, in the order of the calls, on one stream; it waits in touch, fetch,
// evaluate and finish, and where the account of the device's time says that it is too far ahead (timeline.h).
//
// A checkpoint holds the bodies in the tree's order and that order; the field is computed anew from them, by
// the same kernels in the same order, and has the same bits.
#include "gpu/nbody/backend.h"

#include "gpu/arithmetic.h"
#include "gpu/device.h"
#include "gpu/memory.h"
#include "gpu/nbody/solver.h"

#include <stdlib.h>

static enum status cuda_plan(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
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
    CHECK(stage_samples_open(&s->samples, NBODY_STAGES, NBODY_SAMPLE_EVERY));
    CUDA_CHECK(nbody_direct_choose(&s->direct, setup->physics, setup->count, setup->precision, setup->device),
               "to load its kernels");
    CUDA_CHECK(nbody_move_load(setup->precision), "to load its kernels");
    CHECK(nbody_plan_arrays(s, plan, prefix));
    return solver_has_tree(s) ? nbody_device_tree_plan(&s->setup, plan, prefix, &s->tree) : STATUS_OK;
}

static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    CHECK(s->status);
    nbody_point_bodies(s);
    if (is_loaded)
        CHECK(nbody_take_order(s));
    else
        nbody_order_by_id(s);
    CHECK(nbody_send_mirror(s));
    CHECK(nbody_device_results_start(&s->results, &s->timeline));
    CHECK(nbody_begin_forces(s, NULL));
    CHECK(gpu_timeline_finish(&s->timeline));
    stage_samples_restart(&s->samples);
    s->is_mirror_current = !solver_has_tree(s); // a tree gave them another order
    gpu_timeline_restart(&s->timeline);         // what came before is not the run's
    return STATUS_OK;
}

static enum status cuda_fetch(struct solver *s)
{
    CHECK(s->status);
    if (!s->is_mirror_current)
        CHECK(nbody_fetch_mirror(s));
    s->is_mirror_current = true;
    return STATUS_OK;
}

static enum status cuda_evaluate(struct solver *s, bool is_direct)
{
    const void *field;
    CHECK(cuda_fetch(s)); // the order in which the field lies
    CHECK(nbody_begin_field(s, is_direct, &field));
    CHECK(nbody_fetch_field(s, field));
    s->has_field = true;
    return STATUS_OK;
}

static enum status cuda_advance(struct solver *s, int64_t first_step, int64_t count)
{
    struct gpu_timeline *timeline = &s->timeline;
    (void)first_step; // forces do not depend on time
    CHECK(s->status);
    for (int64_t done = 0; done < count;) {
        int steps;
        CHECK(gpu_timeline_join(timeline, count - done, &steps));
        for (int n = 0; n < steps; n++, done++)
            CHECK(nbody_begin_step(s, done == 0, done == count - 1));
        CHECK(gpu_timeline_close_batch(timeline));
        s->is_mirror_current = false;
    }
    return STATUS_OK;
}

static enum status cuda_plan_results(struct solver *s, const struct nbody_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix)
{
    return nbody_device_results_plan(&s->results, &s->setup, wanted, plan, prefix);
}

static enum status cuda_capture(struct solver *s, enum nbody_result result, int slot, size_t record,
                                int64_t step)
{
    const void *potentials = NULL;
    (void)step;
    CHECK(s->status);
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 1));
    if (result == NBODY_RESULT_DIAGNOSTICS)
        CHECK(nbody_begin_field(s, s->results.wanted.has_direct_potential, &potentials));
    CHECK(nbody_device_results_capture(&s->results, &s->timeline, &s->bodies, potentials, result, slot,
                                       record));
    return gpu_timeline_end(&s->timeline);
}

static enum status cuda_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    return nbody_device_results_send(&s->results, &s->timeline, (enum nbody_result)result, slot, records, to);
}

static enum status cuda_await(struct solver *s, enum nbody_result result, int slot,
                              struct nbody_nonfinite *found)
{
    return nbody_device_results_await(&s->results, &s->timeline, result, slot, found);
}

static enum status cuda_guard(struct solver *s, int64_t step, struct nbody_nonfinite *found)
{
    CHECK(s->status);
    return nbody_device_results_guard(&s->results, &s->timeline, &s->bodies, step, found);
}

static enum status cuda_finish(struct solver *s, struct nbody_nonfinite *found)
{
    CHECK(s->status);
    CHECK(nbody_device_results_finish(&s->results, &s->timeline, found));
    return stage_samples_take(&s->samples);
}

// Every kernel once, on memory that is still all zero. The sums over all pairs have only a few bodies then:
// their time grows with the square of that.
static enum status warm_up_pairs(struct solver *s)
{
    const size_t few = 1024;
    struct nbody_device_bodies bodies = s->bodies;
    if (bodies.count > few)
        bodies.count = few;
    CUDA_CHECK(nbody_device_direct_forces(&s->direct, &bodies, bodies.field, 1, 1, s->timeline.compute),
               "the forces of all pairs");
    for (int ends = 0; ends < 2; ends++)
        CUDA_CHECK(nbody_move(s->setup.physics, &bodies, ends, 1, s->timeline.compute), "to move the bodies");
    return STATUS_OK;
}

static enum status cuda_warm_up(struct solver *s)
{
    struct nbody_nonfinite found = {.step = -1};
    struct stage_sample *sample;
    nbody_point_bodies(s);
    nbody_order_by_id(s);
    CHECK(nbody_send_mirror(s));
    CHECK(warm_up_pairs(s));
    if (s->tree)
        CHECK(nbody_device_tree_warm_up(s->tree));
    CHECK(nbody_device_results_warm_up(&s->results, &s->timeline, &s->bodies));
    CHECK(nbody_fetch_mirror(s));
    CHECK(nbody_fetch_field(s, s->bodies.field));
    CHECK(stage_samples_choose(&s->samples, &sample));
    for (int event = 0; event <= NBODY_STAGES; event++)
        CHECK(stage_sample_mark(sample, event, s->timeline.compute));
    return cuda_finish(s, &found);
}

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t count = s->setup.count, bytes = 4 * count * s->element;
    int arrays_count = 0;
    arrays[arrays_count++] = (struct checkpoint_array){"bodies", s->mirror_body, bytes};
    arrays[arrays_count++] = (struct checkpoint_array){"velocities", s->mirror_velocity, bytes};
    if (solver_has_tree(s)) // asked before there is memory, too
        arrays[arrays_count++] =
            (struct checkpoint_array){"order", s->mirror_id, count * sizeof *s->mirror_id};
    return arrays_count;
}

static void cuda_stages(const struct solver *s, struct nbody_stage_times *times,
                        struct nbody_tree_counts *counts)
{
    *times = (struct nbody_stage_times){.steps = s->samples.steps};
    for (int phase = 0; phase < NBODY_STAGES; phase++)
        times->seconds[phase] = s->samples.seconds[phase];
    *counts = (struct nbody_tree_counts){0};
    if (s->tree && nbody_device_tree_count(s->tree, counts) != STATUS_OK)
        *counts = (struct nbody_tree_counts){0};
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
    if (s->tree)
        nbody_device_tree_destroy(s->tree);
    stage_samples_close(&s->samples);
    gpu_timeline_close(&s->timeline);
    free(s);
}

#include "gpu/backend_head.inc"

const struct nbody_backend nbody_backend_cuda = {
    .head = {.name = "cuda",
             .summary = "one NVIDIA GPU",
             .rank = 10,
             .advance = cuda_advance,
             .measure_arithmetic = gpu_measure_arithmetic,
             CUDA_HEAD},
    .plan = cuda_plan,
    .get = nbody_get,
    .set = nbody_set,
    .evaluate = cuda_evaluate,
    .get_field = nbody_get_field,
    .plan_results = cuda_plan_results,
    .capture = cuda_capture,
    .await = cuda_await,
    .guard = cuda_guard,
    .finish = cuda_finish,
    .stages = cuda_stages,
};
