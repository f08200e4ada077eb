// The order of a batch's runs (see the header).
#include "batch/pending.h"

#include "core/clock.h"

#include <assert.h>
#include <stdlib.h>

bool batch_pending_is_before(const struct batch_scheduler *s, size_t a, size_t b)
{
    const int pa = batch_scheduler_job(s, a)->priority, pb = batch_scheduler_job(s, b)->priority;
    return pa != pb ? pa > pb : a < b;
}

static const struct batch_scheduler *sorted; // qsort has no context

static int by_priority(const void *left, const void *right)
{
    return batch_pending_is_before(sorted, *(const size_t *)left, *(const size_t *)right) ? -1 : 1;
}

void batch_pending_put_back(struct batch_scheduler *s, size_t run, double pause_s)
{
    assert(!s->plans[run].is_queued);
    s->plans[run].not_before_s = clock_now_s() + pause_s;
    s->plans[run].is_queued = true;
    s->again[s->again_count++] = run;
}

enum status batch_pending_list(struct batch_scheduler *s)
{
    const size_t count = s->batch->queue->count;
    s->order = malloc((count + 1) * sizeof *s->order);
    s->again = malloc((count + 1) * sizeof *s->again);
    s->plans = calloc(count + 1, sizeof *s->plans);
    s->disk_shares = calloc(count + 1, sizeof *s->disk_shares); // there are no more entries than runs
    if (!s->order || !s->again || !s->plans || !s->disk_shares)
        return FAIL(STATUS_SYSTEM, "no memory for a queue of %zu runs", count);
    for (size_t k = 0; k < count; k++)
        s->order[k] = k;
    sorted = s;
    qsort(s->order, count, sizeof *s->order, by_priority);
    for (size_t k = 0; k < count; k++) {
        const struct batch_run *run = &s->batch->runs[k];
        const bool is_chosen = s->batch->only == SIZE_MAX || s->batch->only == k;
        s->waiting += is_chosen && run->state == BATCH_WAITING;
        if (is_chosen && run->state == BATCH_PASSED && batch_scheduler_job(s, k)->pictures &&
            !run->has_report) {
            s->plans[k].is_to_draw = true;
            batch_pending_put_back(s, k, 0);
        }
    }
    return STATUS_OK;
}

size_t batch_pending_take(struct batch_scheduler *s, bool may_start, bool may_draw)
{
    const double now_s = clock_now_s();
    size_t chosen = SIZE_MAX;
    while (s->next < s->batch->queue->count) {
        const size_t run = s->order[s->next];
        if ((s->batch->only == SIZE_MAX || s->batch->only == run) &&
            s->batch->runs[run].state == BATCH_WAITING && !s->plans[run].is_queued)
            break;
        s->next++;
    }
    for (size_t k = 0; k < s->again_count; k++)
        if ((s->plans[s->again[k]].is_to_draw ? may_draw : may_start) &&
            s->plans[s->again[k]].not_before_s <= now_s &&
            (chosen == SIZE_MAX || batch_pending_is_before(s, s->again[k], s->again[chosen])))
            chosen = k;
    const bool has_fresh = may_start && s->next < s->batch->queue->count;
    if (chosen == SIZE_MAX || (has_fresh && batch_pending_is_before(s, s->order[s->next], s->again[chosen])))
        return has_fresh ? s->order[s->next++] : SIZE_MAX;
    const size_t run = s->again[chosen];
    s->again[chosen] = s->again[--s->again_count];
    s->plans[run].is_queued = false;
    return run;
}
