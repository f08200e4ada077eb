// Workers: processes of a batch that take one run after another of the same job file, so that a run costs no
// start of a process, of its libraries and of its device. A worker that has ended a run well waits here for
// the next. One that did not ends: whatever went wrong stays its own, and the next run gets a new process.
#ifndef FATHOM_BATCH_WORKERS_H
#define FATHOM_BATCH_WORKERS_H

#include "batch/scheduler_state.h"

struct batch_worker {
    struct batch_child child;
    size_t run;                             // its last one, whose job file it has
    int device;                             // to which it is restricted; −1: none
    unsigned visible_devices, used_devices; // bits; used: it has a context there
    double kill_at_s;                       // it was told to end; INFINITY: it waits
};

// Notes which runs share their job file with another one. STATUS_SYSTEM: no memory.
enum status batch_workers_open(struct batch_scheduler *s);

// A worker that waits for a run of this job file; NULL: none.
struct batch_worker *batch_workers_find(const struct batch_scheduler *s, size_t run);

// Keeps the process of an attempt whose run has passed.
void batch_workers_keep(struct batch_scheduler *s, const struct batch_attempt *attempt);

// Lets the workers end that wait for another job file than that of `run`; SIZE_MAX: all of them.
void batch_workers_release(struct batch_scheduler *s, size_t run);

// Removes those that have ended, and kills those that were told to end and do not.
void batch_workers_reap(struct batch_scheduler *s);

// Lets all end, and waits for them.
void batch_workers_close(struct batch_scheduler *s);

// Adds the workers that hold each device.
void batch_workers_count_users(const struct batch_scheduler *s, size_t users[PLACEMENT_DEVICES_MAX]);

#endif
