// A CUDA Ising solver's sweeps and measurements: which kernels in which order, and how many at a launch.
#include "gpu/ising_private.h"
#include "gpu/memory.h"

static enum status begin_direct(struct ising_solver *s, int64_t first_sweep, int64_t count)
{
    struct timeline *timeline = &s->lanes.timeline;
    for (int64_t done = 0; done < count;) {
        int sweeps;
        CHECK(timeline_join(timeline, count - done, s->lanes.compute, &sweeps));
        for (int n = 0; n < sweeps; n++, done++)
            CUDA_CHECK(
                ising_device_sweep(&s->lattice, &s->rule, (uint32_t)(first_sweep + done), s->lanes.compute),
                "to sweep");
    }
    return STATUS_OK;
}

enum status ising_begin_measure(struct ising_solver *s, long long *measures)
{
    CHECK(timeline_begin(&s->lanes.timeline, TIMELINE_RESULTS, 1, s->lanes.compute));
    CUDA_CHECK(ising_device_measure(&s->lattice, measures, s->lanes.compute), "to measure");
    if (ising_has_clusters(s))
        CUDA_CHECK(ising_device_measure_clusters(&s->lattice, s->turned,
                                                 s->setup.physics->method == ISING_WOLFF, measures,
                                                 s->lanes.compute),
                   "to measure");
    s->counts.measures++;
    return timeline_end(&s->lanes.timeline, s->lanes.compute);
}

static long long *record_at(struct ising_solver *s, int slot, size_t record)
{
    return gpu_frames_record(&s->frames, slot, record);
}

// ---- the queue

static int64_t count_queued(const struct ising_queue *q)
{
    return q->records * q->every + q->rest;
}

static enum status begin_run(struct ising_solver *s, int64_t first_sweep, int64_t count, int64_t every,
                             long long *measures)
{
    (void)every;
    (void)measures;
    return begin_direct(s, first_sweep, count);
}

enum status ising_begin_queue(struct ising_solver *s)
{
    const struct ising_queue q = s->queue;
    s->queue = (struct ising_queue){.first_sweep = q.first_sweep + count_queued(&q)};
    if (q.records > 0)
        CHECK(begin_run(s, q.first_sweep, q.records * q.every, q.every, record_at(s, q.slot, q.record)));
    return q.rest > 0 ? begin_run(s, q.first_sweep + q.records * q.every, q.rest, 0, NULL) : STATUS_OK;
}

enum status ising_begin_sweeps(struct ising_solver *s, int64_t first_sweep, int64_t count)
{
    struct ising_queue *q = &s->queue;
    s->is_mirror_current = false;
    s->counts.sweeps += count;
    if (!s->is_queued)
        return begin_direct(s, first_sweep, count);
    if (q->first_sweep + count_queued(q) != first_sweep) {
        CHECK(ising_begin_queue(s));
        q->first_sweep = first_sweep;
    }
    q->rest += count;
    return count_queued(q) >= timeline_batch_steps(&s->lanes.timeline) ? ising_begin_queue(s) : STATUS_OK;
}

enum status ising_begin_record(struct ising_solver *s, int slot, size_t record)
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
    return STATUS_OK;
}
