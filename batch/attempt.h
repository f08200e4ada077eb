// One attempt at a run of a batch: its process, the messages from it, and how it ended. When a run starts is
// decided elsewhere (batch/scheduler.h). For the scheduler's parts.
#ifndef FATHOM_BATCH_ATTEMPT_H
#define FATHOM_BATCH_ATTEMPT_H

#include "batch/batch.h"
#include "batch/child.h"
#include "batch/placement.h"

struct batch_attempt {
    size_t run; // index in the queue
    struct batch_child child;
    struct placement_job needs;      // once it is planned
    double limit_at_s, kill_at_s;    // of the clock; INFINITY = never
    enum batch_cause asked;          // why it was asked to end: NONE, TIMEOUT, STOP; RESOURCES: it cannot fit
    bool is_sent_back;               // to be planned again: another run needs its resources
    bool is_resumed;                 // from a checkpoint
    bool is_started, has_progressed; // it was given its slot; it took steps
    bool has_warned;                 // that its plan takes long
};

// How its process is started.
struct batch_start {
    const char *program;
    int cores;           // that it will probably be given
    size_t device_bytes; // most that it could have there; 0 = no device
    int device;          // the only one that it can use; −1: all
    bool must_restart;   // not from a checkpoint
};

// Starts its process, which plans the run (BATCH_PLANNING) or draws its report (BATCH_DRAWING). Statuses of
// batch_child_start.
enum status batch_attempt_start(struct batch *batch, size_t run, const struct batch_start *start,
                                struct batch_attempt *attempt);
enum status batch_attempt_draw(struct batch *batch, size_t run, const char *program,
                               struct batch_attempt *attempt);

// Takes the messages of its process into the run's entry; true if its plan was among them.
bool batch_attempt_listen(struct batch *batch, struct batch_attempt *attempt);

// After the process has ended: sets cause, exit code, signal and times of the run's entry.
void batch_attempt_judge(struct batch *batch, const struct batch_attempt *attempt);

// Whether another attempt could pass; whether it failed because its checkpoint was refused.
bool batch_attempt_is_worth_retry(const struct batch_run *run);
bool batch_attempt_is_resume_refused(const struct batch_run *run, const struct batch_attempt *attempt);

// The device whose number the job names; −1: none.
int batch_attempt_named_device(const struct batch_job *job);

// Sends SIGTERM once, and sets the time at which the process is killed.
void batch_attempt_ask_to_end(struct batch_attempt *attempt, enum batch_cause why, double kill_at_s);

// When an attempt that starts now reaches the job's time limit, by the clock; INFINITY: no limit.
double batch_attempt_limit_at_s(const struct batch_job *job);

#endif
