// The state of a batch's scheduler, shared by its parts only: the loop (scheduler.c), the order of the runs
// (pending.c), their slots (slots.c), and the work after an attempt (completions.c).
#ifndef FATHOM_BATCH_SCHEDULER_STATE_H
#define FATHOM_BATCH_SCHEDULER_STATE_H

#include "batch/attempt.h"
#include "batch/batch.h"
#include "batch/placement.h"

enum { BATCH_AHEAD_MOST = 8 }; // processes that plan, or have planned and wait for a slot

// What the scheduler knows of a run, in addition to its entry of the queue.
struct batch_plan {
    double not_before_s; // start it not before this time (clock_now_s)
    bool must_restart;   // its checkpoint was refused
    bool is_to_draw;     // only its report is still to be drawn
    bool is_queued;      // listed in `again`
    bool needs_process;  // a new one: one that made other runs has too little memory for it
    bool shares_job;     // another run has the same job file: its process is kept for that
};

struct batch_scheduler_options;

struct batch_scheduler {
    struct batch *batch;
    const struct batch_scheduler_options *options;
    struct placement_resources resources;      // within the queue's limits
    size_t device_free[PLACEMENT_DEVICES_MAX]; // at the start, whatever the queue's limit
    struct batch_attempt *attempts;            // the attempts that have a process
    size_t attempt_count, attempts_max, ahead;
    size_t *order, next;          // runs by priority and number; the next one that was never started
    size_t *again, again_count;   // runs to be started once more, and those whose report is to be drawn
    struct batch_plan *plans;     // of each run
    struct batch_worker *workers; // processes without a run (workers.h)
    size_t worker_count;
    double *disk_shares; // of each entry (disk.h); 0: no run of it has passed
    size_t waiting;      // runs that have still to start
    int signals;         // descriptor
    bool is_stopping, is_over_time, has_news;
    double summary_at_s, alive_at_s; // times of the next summary and of the next alive record
    enum status failure;             // of the batch itself
};

static inline const struct batch_job *batch_scheduler_job(const struct batch_scheduler *s, size_t run)
{
    return &s->batch->queue->jobs[run];
}

#endif
