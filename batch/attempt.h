// One attempt at a run of a batch: its command line, what its process says, and how it ended. Knows how runs
// are begun and told apart, not when. Only for engine.c.
#ifndef FATHOM_BATCH_ATTEMPT_H
#define FATHOM_BATCH_ATTEMPT_H

#include "batch/batch.h"
#include "batch/child.h"
#include "batch/placement.h"

struct batch_attempt {
    size_t run; // index in the queue
    struct batch_child child;
    struct placement_job needs;    // once it is planned
    double limit_at_s, kill_at_s;  // of the clock; INFINITY = never
    enum batch_cause asked;        // why it was asked to end: NONE, TIMEOUT, STOP; ROOM: it cannot fit
    bool is_sent_back;             // to be planned again: another is to be alone
    bool is_resumed;               // goes on from a checkpoint
    bool is_begun, has_progressed; // it was told to go; it took steps
    bool is_long_said;             // that its plan is long in coming
};

// How to begin it.
struct batch_start {
    const char *program;
    int cores;            // that it will probably have
    size_t device_bytes;  // that it could have there, were it alone; 0 = there is none
    int device;           // the only one it is to see; −1: all
    bool must_begin_anew; // do not try to resume
};

// Its process; in state BATCH_PLANNING, and BATCH_DRAWING. Statuses of batch_child_begin.
enum status batch_attempt_begin(struct batch *batch, size_t run, const struct batch_start *start,
                                struct batch_attempt *attempt);
enum status batch_attempt_draw(struct batch *batch, size_t run, const char *program,
                               struct batch_attempt *attempt);

// Takes what its process has said into the run's entry; true if it has just said what it needs.
bool batch_attempt_listen(struct batch *batch, struct batch_attempt *attempt);

// Of a process that ended: cause, exit code, signal and times into the run's entry.
void batch_attempt_judge(struct batch *batch, const struct batch_attempt *attempt);

// Whether another attempt could do better; whether it failed for want of a checkpoint that can be gone on
// with.
bool batch_attempt_is_worth_retry(const struct batch_run *run);
bool batch_attempt_is_resume_refused(const struct batch_run *run, const struct batch_attempt *attempt);

// The device that the job asks for by its number; −1: none.
int batch_attempt_named_device(const struct batch_job *job);

#endif
