// The Ising model's CUDA back end: spins on the device, where sweeps and measurements are computed (step.c),
// and a mirror on the host for starts, configurations, checks and checkpoints (arrays.c). Memory is the
// plan's; streams and events are created with it.
//
// The host only begins sweeps and measurements, in the order of the calls, on one stream; those of small
// lattices are first collected, for fewer launches. It waits in touch, fetch, measure, correlate and finish,
// and where it is too far ahead of the device (timeline.h).
#include "gpu/backends.h"
#include "gpu/ising/ranks.h"

#include <math.h>
#include <stdio.h>

#include "gpu/backend_head.inc"

static bool cuda_has_method(const struct ising_setup *setup, char *why, size_t bytes)
{
    switch (setup->physics->method) {
    case ISING_METROPOLIS:
    case ISING_HEAT_BATH:
    case ISING_METROPOLIS_INTEGER:
        return true;
    case ISING_WOLFF:
    case ISING_SWENDSEN_WANG:
        return ising_device_clusters_has(setup, why, bytes);
    default:
        snprintf(why, bytes,
                 "it flips one spin after the other, each as the one before left its neighbours; take "
                 "metropolis, or backend reference");
        return false;
    }
}

static enum ising_way way_of(const struct solver *s)
{
    const struct ising_physics *physics = s->setup.physics;
    if (ising_has_clusters(physics->method))
        return s->clusters.is_small ? ISING_SMALL_CLUSTERS : ISING_CLUSTERS;
    if (physics->method == ISING_METROPOLIS_INTEGER)
        return ISING_PLAIN;
    if (s->setup.shares) // ranks exchange rows between sublattices
        return ISING_DIRECT;
    return ising_small_fits(physics)      ? ISING_SMALL
           : ising_resident_fits(physics) ? ISING_RESIDENT
                                          : ISING_DIRECT;
}

static enum status load_kernels(void)
{
    cudaError_t (*const loads[])(void) = {
        ising_device_load_sweeps, ising_device_load_measures, ising_device_load_correlations,
        ising_resident_load,      ising_small_load,           ising_plain_load};
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++)
        CUDA_CHECK(loads[k](), "to load its kernels");
    return STATUS_OK;
}

static enum status cuda_plan(const struct ising_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    CHECK(cuda_create(plan, setup->device, solver));
    struct solver *s = *solver;
    s->setup = *setup;
    s->lattice.layout = ising_words_of(&setup->physics->lattice);
    ising_device_ranks_set(s);
    CHECK(gpu_timeline_open(&s->timeline, setup->device));
    CHECK(load_kernels());
    if (ising_has_clusters(s->setup.physics->method))
        CHECK(ising_device_clusters_plan(setup, &s->lattice, plan, prefix, &s->clusters));
    s->way = way_of(s);
    s->plain =
        (struct ising_plain){.layout = s->lattice.layout,
                             .format = setup->has_whole_spins ? ISING_PLAIN_WHOLE : ISING_PLAIN_COMPRESSED,
                             .first_held = s->lattice.first_held};
    CHECK(ising_plan_arrays(s, plan, prefix));
    return ising_device_ranks_plan(s, plan, prefix);
}

static uint32_t *cuda_words(const struct solver *s)
{
    return s->mirror_words;
}

// The stages are counted from here on; the timeline continues.
static void restart_counts(struct solver *s)
{
    s->counts = (struct ising_stage_times){.sweeps = 0};
    for (int kind = 0; kind < GPU_TIMELINE_KINDS; kind++)
        s->before_s[kind] = s->timeline.seconds[kind];
}

static enum status cuda_touch(struct solver *s, bool is_loaded)
{
    CHECK(ising_begin_queue(s));
    CHECK(ising_send_mirror(s, is_loaded));
    s->is_mirror_current = s->lattice.layout.bits == 32; // else it may have bits without spins
    CHECK(gpu_timeline_finish(&s->timeline));
    restart_counts(s);
    return STATUS_OK;
}

static enum status cuda_fetch(struct solver *s)
{
    CHECK(ising_begin_queue(s));
    if (!s->is_mirror_current)
        CHECK(ising_fetch_mirror(s));
    s->is_mirror_current = true;
    return STATUS_OK;
}

static void cuda_set_temperature(struct solver *s, uint32_t number, double beta)
{
    const enum status status = ising_begin_queue(s);
    if (s->status == STATUS_OK)
        s->status = status;
    s->rule = ising_rule_of(s->setup.physics, number, beta);
    s->bond_threshold = ising_threshold(-expm1(-2 * beta * fabs(s->setup.physics->coupling)));
}

static enum status cuda_advance(struct solver *s, int64_t first_sweep, int64_t count)
{
    CHECK(s->status);
    return ising_begin_sweeps(s, first_sweep, count);
}

static enum status cuda_measure(struct solver *s, struct ising_measure *measures)
{
    CHECK(ising_begin_queue(s));
    CHECK(ising_begin_measure(s, s->measures));
    s->is_mirror_current = s->is_mirror_current && s->setup.physics->method != ISING_WOLFF;
    return ising_fetch_measures(s, measures);
}

static enum status cuda_correlate(struct solver *s, size_t distances, const int64_t *distance,
                                  int64_t *correlations)
{
    CHECK(ising_begin_queue(s));
    return ising_fetch_correlations(s, distances, distance, correlations);
}

// ---- results

static enum status cuda_plan_results(struct solver *s, const struct ising_wanted *wanted,
                                     struct memory_plan *plan, const char *prefix)
{
    char name[MEMORY_NAME_MAX];
    if (wanted->slots == 0)
        return STATUS_OK;
    snprintf(name, sizeof name, "%smeasures", prefix);
    CHECK(gpu_frames_plan(&s->frames, plan, wanted->slots, wanted->frame_records,
                          (size_t)s->lattice.layout.replicas * sizeof(struct ising_measure), name));
    if (wanted->distances > 0)
        CHECK(ising_visitors_plan(s, plan, prefix));
    return gpu_frames_open(&s->frames);
}

static enum status cuda_capture(struct solver *s, int slot, size_t record)
{
    CHECK(s->status);
    s->is_mirror_current = s->is_mirror_current && s->setup.physics->method != ISING_WOLFF;
    return ising_begin_record(s, slot, record);
}

static enum status cuda_send(struct solver *s, int result, int slot, size_t records, void *to)
{
    (void)result;
    CHECK(ising_begin_queue(s));
    CHECK(gpu_frames_ready(&s->frames, &s->timeline, slot, s->note));
    return gpu_frames_send(&s->frames, &s->timeline, slot, records, to);
}

static enum status cuda_await(struct solver *s, int slot)
{
    const void *note;
    return gpu_frames_await(&s->frames, &s->timeline, slot, &note);
}

static enum status cuda_finish(struct solver *s)
{
    CHECK(s->status);
    CHECK(ising_begin_queue(s));
    CHECK(gpu_timeline_finish(&s->timeline));
    return gpu_allgather_finish(&s->gather);
}

// Every kernel once, on memory that is still all zero.
static enum status cuda_warm_up(struct solver *s)
{
    const void *note;
    CHECK(ising_device_ranks_open(s));
    cuda_set_temperature(s, 0, 0);
    CHECK(ising_send_mirror(s, true));
    if (ising_has_clusters(s->setup.physics->method))
        CHECK(ising_device_clusters_warm_up(&s->clusters));
    CHECK(ising_begin_sweeps(s, 0, 1));
    CHECK(ising_begin_queue(s));
    CHECK(ising_begin_measure(s, s->measures));
    if (s->frames.slots > 0) {
        CHECK(ising_begin_sweeps(s, 1, 1));
        CHECK(ising_begin_record(s, 0, 0));
        // No host frame exists yet: only the note is sent.
        CHECK(cuda_send(s, ISING_RESULT_SERIES, 0, 0, NULL));
        CHECK(gpu_frames_await(&s->frames, &s->timeline, 0, &note));
    }
    CHECK(ising_send_mirror(s, true));
    CHECK(ising_fetch_mirror(s));
    CHECK(cuda_finish(s));
    s->queue = (struct ising_queue){.first_sweep = 0};
    gpu_timeline_restart(&s->timeline); // the run begins here
    restart_counts(s);
    return STATUS_OK;
}

// ---- what else a back end has

static int cuda_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t replicas = (size_t)s->lattice.layout.replicas;
    arrays[0] =
        (struct checkpoint_array){"spins", s->mirror_words, ising_own_words(s) * sizeof *s->mirror_words};
    arrays[1] =
        (struct checkpoint_array){"cluster sizes", s->mirror_flipped, replicas * sizeof *s->mirror_flipped};
    return 2;
}

// Of collected sweeps, the measurements are part of the same launches, and of their time.
static void cuda_stages(const struct solver *s, struct ising_stage_times *times)
{
    const double *seconds = s->timeline.seconds;
    const double steps_s = seconds[GPU_TIMELINE_STEPS] - s->before_s[GPU_TIMELINE_STEPS];
    *times = s->counts;
    *(ising_has_clusters(s->setup.physics->method) ? &times->clusters_s : &times->sweeps_s) = steps_s;
    times->measures_s = seconds[GPU_TIMELINE_RESULTS] - s->before_s[GPU_TIMELINE_RESULTS];
}

static void cuda_destroy(struct solver *s)
{
    if (!s)
        return;
    (void)cudaSetDevice(s->setup.device);
    ising_device_ranks_close(s);
    gpu_frames_close(&s->frames);
    gpu_timeline_close(&s->timeline);
    free(s);
}

const struct ising_backend ising_backend_cuda = {
    .head = {.name = "cuda",
             .summary = "one NVIDIA GPU, 32 spins a word",
             .rank = 10,
             .advance = cuda_advance,
             .fetch = cuda_fetch,
             .send = cuda_send,
             CUDA_HEAD},
    .has_method = cuda_has_method,
    .is_divided = true,
    .plan = cuda_plan,
    .words = cuda_words,
    .set_temperature = cuda_set_temperature,
    .measure = cuda_measure,
    .correlate = cuda_correlate,
    .plan_results = cuda_plan_results,
    .capture = cuda_capture,
    .await = cuda_await,
    .finish = cuda_finish,
    .stages = cuda_stages,
    .measure_draws = gpu_measure_draws,
};
