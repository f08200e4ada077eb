// A CUDA Ising solver's sweeps and measurements: their kernels in order, and their number at a launch.
#include "gpu/ising/ranks.h"
#include "gpu/memory.h"

enum status ising_gather(struct solver *s)
{
    if (s->is_plain)
        CUDA_CHECK(ising_plain_gather(&s->plain, &s->lattice, s->timeline.compute), "to pack its spins");
    s->is_plain = false;
    return STATUS_OK;
}

static cudaError_t sweep_plain(struct solver *s, uint32_t sweep)
{
    const struct ising_row_set rows = ising_own_row_set(&s->lattice);
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < ising_sublattices(s->setup.physics->lattice.boundary) && error == cudaSuccess; k++)
        error = ising_plain_sublattice(&s->plain, &s->rule, sweep, k, &rows, s->timeline.compute);
    return error;
}

// One sweep after the other; all cluster updates by one call.
static enum status begin_some(struct solver *s, uint32_t first_sweep, int count)
{
    if (s->setup.shares && s->way == ISING_CLUSTERS)
        return ising_begin_divided_clusters(s, first_sweep, count);
    if (ising_has_clusters(s->setup.physics->method))
        return ising_device_clusters_run(&s->clusters, &s->lattice, &s->rule.key, s->bond_threshold,
                                         first_sweep, count, s->flipped, s->timeline.compute);
    if (s->way == ISING_PLAIN && !s->is_plain) {
        CUDA_CHECK(ising_plain_spread(&s->plain, &s->lattice, s->timeline.compute), "to unpack its spins");
        s->is_plain = true;
    }
    if (s->setup.shares)
        return ising_begin_divided(s, first_sweep, count);
    for (int n = 0; n < count; n++)
        CUDA_CHECK(s->is_plain ? sweep_plain(s, first_sweep + (uint32_t)n)
                               : ising_device_sweep(&s->lattice, &s->rule, first_sweep + (uint32_t)n,
                                                    s->timeline.compute),
                   "to sweep");
    return STATUS_OK;
}

static enum status begin_direct(struct solver *s, int64_t first_sweep, int64_t count)
{
    for (int64_t done = 0; done < count;) {
        int sweeps;
        CHECK(gpu_timeline_join(&s->timeline, count - done, &sweeps));
        CHECK(begin_some(s, (uint32_t)(first_sweep + done), sweeps));
        done += sweeps;
    }
    return STATUS_OK;
}

enum status ising_begin_measure(struct solver *s, long long *measures)
{
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_RESULTS, 1));
    CHECK(ising_gather(s));
    CUDA_CHECK(ising_device_measure(&s->lattice, measures, s->timeline.compute), "to measure");
    if (ising_has_clusters(s->setup.physics->method))
        CUDA_CHECK(ising_device_measure_clusters(&s->lattice, s->flipped,
                                                 s->setup.physics->method == ISING_WOLFF, measures,
                                                 s->timeline.compute),
                   "to measure");
    s->counts.measures++;
    return gpu_timeline_end(&s->timeline);
}

static long long *record_at(struct solver *s, int slot, size_t record)
{
    return gpu_frames_record(&s->frames, slot, record);
}

// ---- the queue

static int64_t count_queued(const struct ising_queue *q)
{
    return q->records * q->every + q->rest;
}

// In one launch; every 0: without measurements.
static enum status begin_run(struct solver *s, uint32_t first_sweep, int64_t count, int64_t every,
                             long long *measures)
{
    const cudaStream_t stream = s->timeline.compute;
    const size_t numbers = (size_t)s->lattice.layout.replicas * ISING_MEASURE_NUMBERS;
    CHECK(gpu_timeline_begin(&s->timeline, GPU_TIMELINE_STEPS, (int)count));
    if (s->way == ISING_SMALL_CLUSTERS) {
        CHECK(every > 0 ? ising_device_clusters_run_measured(&s->clusters, &s->lattice, &s->rule.key,
                                                             s->bond_threshold, first_sweep, count, every,
                                                             measures, s->flipped, stream)
                        : begin_some(s, first_sweep, (int)count));
        return gpu_timeline_end(&s->timeline);
    }
    if (every > 0)
        CHECK(gpu_timeline_fill(&s->timeline, measures, 0,
                                (size_t)(count / every) * numbers * sizeof *measures));
    CUDA_CHECK((s->way == ISING_SMALL ? ising_small_run : ising_resident_run)(
                   &s->lattice, &s->rule, first_sweep, count, every, measures, stream),
               "to sweep");
    return gpu_timeline_end(&s->timeline);
}

enum status ising_begin_queue(struct solver *s)
{
    const struct ising_queue q = s->queue;
    s->queue = (struct ising_queue){.first_sweep = q.first_sweep + count_queued(&q)};
    if (q.records > 0)
        CHECK(begin_run(s, (uint32_t)q.first_sweep, q.records * q.every, q.every,
                        record_at(s, q.slot, q.record)));
    return q.rest > 0 ? begin_run(s, (uint32_t)(q.first_sweep + q.records * q.every), q.rest, 0, NULL)
                      : STATUS_OK;
}

enum status ising_begin_sweeps(struct solver *s, int64_t first_sweep, int64_t count)
{
    struct ising_queue *q = &s->queue;
    s->is_mirror_current = false;
    s->counts.sweeps += count;
    if (!ising_is_queued(s))
        return begin_direct(s, first_sweep, count);
    if (q->first_sweep + count_queued(q) != first_sweep) {
        CHECK(ising_begin_queue(s));
        q->first_sweep = first_sweep;
    }
    // At most as many sweeps are begun at a time as the host may be ahead.
    while (count > 0) {
        const int64_t room = gpu_timeline_batch_steps(&s->timeline) - q->rest, some = room > 1 ? room : 1;
        const int64_t taken = count < some ? count : some;
        q->rest += taken;
        count -= taken;
        if (q->rest >= gpu_timeline_batch_steps(&s->timeline))
            CHECK(ising_begin_queue(s));
    }
    return STATUS_OK;
}

enum status ising_begin_record(struct solver *s, int slot, size_t record)
{
    struct ising_queue *q = &s->queue;
    const bool follows = q->records == 0 ||
                         (q->every == q->rest && q->slot == slot && q->record + (size_t)q->records == record);
    if (q->rest == 0) {
        CHECK(ising_begin_queue(s));
        return ising_begin_measure(s, record_at(s, slot, record));
    }
    if (!follows) {
        const int64_t rest = q->rest;
        q->rest = 0;
        CHECK(ising_begin_queue(s));
        q->rest = rest;
    }
    if (q->records == 0) {
        q->every = q->rest;
        q->slot = slot;
        q->record = record;
    }
    q->records++;
    q->rest = 0;
    s->counts.measures++;
    return count_queued(q) >= gpu_timeline_batch_steps(&s->timeline) ? ising_begin_queue(s) : STATUS_OK;
}
