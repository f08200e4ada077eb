// Processes that take one run after another (see the header).
#include "batch/workers.h"

#include "core/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double end_within_s = 5; // a worker that was told to end, its device's context included

static const char *job_of(const struct batch_scheduler *s, size_t run)
{
    return batch_scheduler_job(s, run)->path;
}

static bool is_shareable(const struct batch_job *job)
{
    return job->ranks < 2; // ranks are started by their launcher
}

static const struct batch_scheduler *sorted; // qsort has no context

static int by_job(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const char *x = job_of(sorted, a), *y = job_of(sorted, b);
    return x == y ? 0 : strcmp(x, y); // the runs of an entry have the same text
}

enum status batch_workers_open(struct batch_scheduler *s)
{
    const struct batch_queue *queue = s->batch->queue;
    size_t *runs = malloc((queue->count + 1) * sizeof *runs), count = 0;
    s->workers = calloc(s->attempts_max, sizeof *s->workers);
    if (!runs || !s->workers) {
        free(runs);
        return FAIL(STATUS_SYSTEM, "no memory for a queue of %zu runs", queue->count);
    }
    for (size_t k = 0; k < queue->count && s->batch->only == SIZE_MAX && !queue->has_no_workers; k++)
        if (is_shareable(&queue->jobs[k]))
            runs[count++] = k;
    sorted = s;
    qsort(runs, count, sizeof *runs, by_job);
    for (size_t k = 1; k < count; k++)
        if (by_job(&runs[k - 1], &runs[k]) == 0)
            s->plans[runs[k - 1]].shares_job = s->plans[runs[k]].shares_job = true;
    free(runs);
    return STATUS_OK;
}

struct batch_worker *batch_workers_find(const struct batch_scheduler *s, size_t run)
{
    const bool may_share = s->plans[run].shares_job && !s->plans[run].needs_process;
    for (size_t k = 0; k < s->worker_count && may_share; k++)
        if (isinf(s->workers[k].kill_at_s) && by_job(&s->workers[k].run, &run) == 0)
            return &s->workers[k];
    return NULL;
}

static void remove_at(struct batch_scheduler *s, size_t k)
{
    batch_child_close(&s->workers[k].child);
    s->workers[k] = s->workers[--s->worker_count];
}

static void kill_and_wait(struct batch_child *child)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    batch_child_kill(child);
    while (child->pid > 0 && !batch_child_reap(child))
        (void)nanosleep(&pause, NULL);
}

void batch_workers_keep(struct batch_scheduler *s, const struct batch_attempt *attempt)
{
    struct batch_worker worker = {.child = attempt->child,
                                  .run = attempt->run,
                                  .device = -1,
                                  .visible_devices = attempt->visible_devices,
                                  .kill_at_s = INFINITY};
    if (worker.child.has_ended || s->worker_count == s->attempts_max) { // many do not end though told to
        kill_and_wait(&worker.child);
        batch_child_close(&worker.child);
        return;
    }
    for (int d = 0; d < PLACEMENT_DEVICES_MAX; d++)
        if (worker.visible_devices & 1u << d)
            worker.device = d;
    if (attempt->needs.takes_device)
        worker.used_devices = worker.visible_devices != 0  ? worker.visible_devices
                              : attempt->needs.device >= 0 ? 1u << attempt->needs.device
                                                           : 0;
    s->workers[s->worker_count++] = worker;
}

void batch_workers_release(struct batch_scheduler *s, size_t run)
{
    for (size_t k = 0; k < s->worker_count; k++) {
        struct batch_worker *worker = &s->workers[k];
        if (!isinf(worker->kill_at_s) || (run != SIZE_MAX && by_job(&worker->run, &run) == 0))
            continue;
        batch_child_release(&worker->child);
        worker->kill_at_s = clock_now_s() + end_within_s;
    }
}

void batch_workers_reap(struct batch_scheduler *s)
{
    for (size_t k = 0; k < s->worker_count;) {
        struct batch_worker *worker = &s->workers[k];
        if (clock_now_s() >= worker->kill_at_s)
            batch_child_kill(&worker->child);
        if (worker->child.pid <= 0 || batch_child_reap(&worker->child)) // given a run, or ended
            remove_at(s, k);
        else
            k++;
    }
}

void batch_workers_close(struct batch_scheduler *s)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (batch_workers_release(s, SIZE_MAX); s->worker_count > 0; batch_workers_reap(s))
        (void)nanosleep(&pause, NULL);
    free(s->workers);
}

void batch_workers_count_users(const struct batch_scheduler *s, size_t users[PLACEMENT_DEVICES_MAX])
{
    for (size_t k = 0; k < s->worker_count; k++)
        for (int d = 0; d < PLACEMENT_DEVICES_MAX; d++)
            users[d] += s->workers[k].used_devices >> d & 1;
}
