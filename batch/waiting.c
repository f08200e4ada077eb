// The order in which a batch's runs are begun: by priority, then number; those that wait once more when their
// pause is over.
#include "batch/engine.h"

#include "core/clock.h"

#include <assert.h>
#include <stdlib.h>

const struct batch_job *batch_engine_job(const struct batch_engine *e, size_t run)
{
    return &e->batch->queue->jobs[run];
}

bool batch_engine_is_before(const struct batch_engine *e, size_t a, size_t b)
{
    const int pa = batch_engine_job(e, a)->priority, pb = batch_engine_job(e, b)->priority;
    return pa != pb ? pa > pb : a < b;
}

static const struct batch_job *sorted_jobs;

static int by_priority(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const int pa = sorted_jobs[a].priority, pb = sorted_jobs[b].priority;
    return pa != pb ? (pa > pb ? -1 : 1) : a < b ? -1 : a > b;
}

// Waits once more, from `pause_s` from now on.
void batch_engine_put_back(struct batch_engine *e, size_t run, double pause_s)
{
    assert(!e->plans[run].is_queued);
    e->plans[run].not_before_s = clock_now_s() + pause_s;
    e->plans[run].is_queued = true;
    e->again[e->again_count++] = run;
}

enum status batch_engine_make_queue(struct batch_engine *e)
{
    const size_t count = e->batch->queue->count;
    e->order = malloc((count + 1) * sizeof *e->order);
    e->again = malloc((count + 1) * sizeof *e->again);
    e->plans = calloc(count + 1, sizeof *e->plans);
    if (!e->order || !e->again || !e->plans)
        return FAIL(STATUS_SYSTEM, "no memory for a queue of %zu runs", count);
    for (size_t k = 0; k < count; k++)
        e->order[k] = k;
    sorted_jobs = e->batch->queue->jobs;
    qsort(e->order, count, sizeof *e->order, by_priority);
    for (size_t k = 0; k < count; k++) {
        const struct batch_run *run = &e->batch->runs[k];
        const bool is_meant = e->batch->only == SIZE_MAX || e->batch->only == k;
        e->waiting += is_meant && run->state == BATCH_WAITING;
        if (is_meant && run->state == BATCH_PASSED && batch_engine_job(e, k)->pictures && !run->has_report) {
            e->plans[k].is_to_draw = true;
            batch_engine_put_back(e, k, 0);
        }
    }
    return STATUS_OK;
}

size_t batch_engine_take_next(struct batch_engine *e, bool may_begin, bool may_draw)
{
    const double now_s = clock_now_s();
    size_t chosen = SIZE_MAX;
    while (e->next < e->batch->queue->count) {
        const size_t run = e->order[e->next];
        if ((e->batch->only == SIZE_MAX || e->batch->only == run) &&
            e->batch->runs[run].state == BATCH_WAITING && !e->plans[run].is_queued)
            break;
        e->next++;
    }
    for (size_t k = 0; k < e->again_count; k++)
        if ((e->plans[e->again[k]].is_to_draw ? may_draw : may_begin) &&
            e->plans[e->again[k]].not_before_s <= now_s &&
            (chosen == SIZE_MAX || batch_engine_is_before(e, e->again[k], e->again[chosen])))
            chosen = k;
    const bool has_fresh = may_begin && e->next < e->batch->queue->count;
    if (chosen == SIZE_MAX || (has_fresh && batch_engine_is_before(e, e->order[e->next], e->again[chosen])))
        return has_fresh ? e->order[e->next++] : SIZE_MAX;
    const size_t run = e->again[chosen];
    e->again[chosen] = e->again[--e->again_count];
    e->plans[run].is_queued = false;
    return run;
}
