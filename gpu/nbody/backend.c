// The N-body model's CUDA back end: bodies, tree and records on the device, where steps (step.c) and results
// (results.c) are computed, and a pinned mirror on the host for starts, checks and checkpoints. Memory is the
// plan's; streams and events are created with it.
//
// The host only begins steps and results, in the order of the calls, on one stream. It waits in touch, fetch,
// evaluate and finish, and where it is too far ahead of the device (timeline.h).
//
// A checkpoint holds the bodies in the tree's order and that order. The field is computed anew from them, by
// the same kernels in the same order, and has the same bits.
#include "gpu/backends.h"
#include "gpu/nbody/solver.h"

#include <stdio.h>
#include <string.h>

#include "gpu/backend_head.inc"

static enum status cuda_plan(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    CHECK(cuda_create(plan, setup->device, solver));
    struct solver *s = *solver;
    const struct particles_range own = particles_own(setup->shares, setup->ranks, setup->count);
    s->setup = *setup;
    CHECK(gpu_timeline_open(&s->timeline, setup->device));
    CHECK(stage_samples_open(&s->samples, NBODY_STAGES, NBODY_SAMPLE_EVERY));
    CUDA_CHECK(nbody_direct_choose(&s->direct, setup->physics, setup->count, own.first,
                                   setup->shares ? own.end : 0, setup->precision, setup->device),
               "to load its kernels");
    CUDA_CHECK(nbody_move_load(setup->precision), "to load its kernels");
    CHECK(nbody_plan_arrays(s, plan, prefix));
    if (solver_has_tree(s))
        CHECK(nbody_device_tree_plan(&s->setup, plan, prefix, &s->tree));
    return nbody_device_ranks_plan(s, plan, prefix);
}

static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    CHECK(s->status);
    nbody_point_bodies(s);
    CHECK(is_loaded ? nbody_device_ranks_join_mirror(s) : nbody_device_ranks_share_mirror(s));
    if (is_loaded)
        CHECK(nbody_take_order(s));
    else
        gpu_order_by_id(&s->mirror_order, s->setup.count);
    CHECK(nbody_send_mirror(s));
    CHECK(gpu_results_start(&s->results.common, &s->timeline));
    nbody_device_ranks_restart(s);
    CHECK(nbody_begin_forces(s, NULL));
    CHECK(gpu_timeline_finish(&s->timeline));
    CHECK(nbody_device_ranks_cut(s));
    stage_samples_restart(&s->samples);
    s->is_mirror_current = !solver_has_tree(s); // a tree reorders them
    gpu_timeline_restart(&s->timeline);         // the run begins here
    return STATUS_OK;
}

static enum status cuda_evaluate(struct solver *s, bool is_direct)
{
    const void *field;
    CHECK(nbody_fetch_mirror(s)); // the order in which the field lies
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

// Every kernel once, on memory that is still all zero. The direct sums have only a few bodies: their time
// grows with the square of the number.
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
    CHECK(nbody_device_ranks_open(s));
    nbody_point_bodies(s);
    gpu_order_by_id(&s->mirror_order, s->setup.count);
    CHECK(nbody_send_mirror(s));
    CHECK(warm_up_pairs(s));
    if (solver_has_tree(s))
        CHECK(nbody_device_tree_warm_up(&s->tree));
    CHECK(nbody_device_warm_up_results(s));
    CHECK(nbody_fetch_mirror(s));
    CHECK(nbody_fetch_field(s, s->bodies.field));
    CHECK(stage_samples_choose(&s->samples, &sample));
    for (int event = 0; event <= NBODY_STAGES; event++)
        CHECK(stage_sample_mark(sample, event, s->timeline.compute));
    return nbody_device_finish(s, &found);
}

// An array of the mirror, as far as it is the rank's. Also called before the reserve.
static struct checkpoint_array own_part(const struct solver *s, const char *name, void *array, size_t body)
{
    const struct particles_range own = particles_own(s->setup.shares, s->setup.ranks, s->setup.count);
    return (struct checkpoint_array){name, array ? (char *)array + own.first * body : NULL,
                                     (own.end - own.first) * body};
}

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    int count = 0;
    arrays[count++] = own_part(s, "bodies", s->mirror_body, 4 * s->element);
    arrays[count++] = own_part(s, "velocities", s->mirror_velocity, 4 * s->element);
    if (solver_has_tree(s))
        arrays[count++] = own_part(s, "order", s->mirror_order.ids, sizeof(unsigned));
    return count;
}

// Methods for comparison compute all bodies.
static bool cuda_has_method(const struct nbody_setup *setup, char *why, size_t bytes)
{
    const enum nbody_method method = setup->physics->method;
    snprintf(why, bytes, "of several ranks; direct or barnes-hut is expected");
    return !setup->shares || (method != NBODY_DIRECT_TILED && method != NBODY_DIRECT_NAIVE);
}

static void cuda_stages(const struct solver *s, struct nbody_stage_times *times,
                        struct nbody_tree_counts *counts)
{
    *times = (struct nbody_stage_times){.steps = s->samples.steps};
    memcpy(times->seconds, s->samples.seconds, sizeof times->seconds);
    *counts = (struct nbody_tree_counts){0};
    if (solver_has_tree(s) && nbody_device_tree_count(&s->tree, counts) != STATUS_OK)
        *counts = (struct nbody_tree_counts){0};
}

static void cuda_destroy(struct solver *s)
{
    if (!s)
        return;
    (void)cudaSetDevice(s->setup.device);
    nbody_device_ranks_close(s);
    gpu_results_close(&s->results.common);
    stage_samples_close(&s->samples);
    gpu_timeline_close(&s->timeline);
    free(s);
}

const struct nbody_backend nbody_backend_cuda = {
    .head = {.name = "cuda",
             .summary = "one NVIDIA GPU",
             .rank = 10,
             .advance = cuda_advance,
             .fetch = nbody_fetch_mirror,
             .send = nbody_device_send,
             .measure_arithmetic = gpu_measure_arithmetic,
             CUDA_HEAD},
    .is_divided = true,
    .has_method = cuda_has_method,
    .plan = cuda_plan,
    .get = nbody_get,
    .set = nbody_set,
    .evaluate = cuda_evaluate,
    .get_field = nbody_get_field,
    CUDA_RESULTS(nbody),
    .finish = nbody_device_finish,
    .stages = cuda_stages,
};
