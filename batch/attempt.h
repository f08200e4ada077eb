// One attempt at a run of a batch: its process, the messages from it, and how it ended. Used by the scheduler
// (batch/scheduler.h), which decides when a run starts.
#ifndef FATHOM_BATCH_ATTEMPT_H
#define FATHOM_BATCH_ATTEMPT_H

#include "batch/batch.h"
#include "batch/child.h"
#include "batch/placement.h"

struct batch_attempt {
    size_t run; // index in the queue
    struct batch_child child;
    struct placement_job needs;      // set when the run is planned
    double limit_at_s, kill_at_s;    // times of the clock; INFINITY: never
    enum batch_cause asked;          // why it was asked to end: NONE, TIMEOUT, STOP; RESOURCES: it cannot fit
    bool is_sent_back;               // it is planned again later, because another run needs its resources
    bool is_resumed;                 // it continues from a checkpoint
    bool is_started, has_progressed; // it has a slot; it has made steps
    bool has_warned;                 // the warning that its plan takes long was printed
    bool is_launched;                // its process is a launcher, which starts its ranks
    bool is_kept;                    // its process waits for another run after one that passed
    bool has_passed;                 // it said so, and waits
    bool is_reused;                  // its process made another run before
    bool has_declined;               // and it needs a new one
    unsigned visible_devices;        // bits of the only devices that its process can use; 0: all
    long log_bytes;                  // of its log before it was started
};

// How the process of an attempt is started.
struct batch_start {
    const char *program;
    int cores;           // the number that it will probably get
    size_t device_bytes; // the most that it can get on a device; 0: it gets no device
    int device;          // the only device that it can use; −1: any
    unsigned devices;    // of several ranks: bits of the only devices that they can use; 0: see device
    bool must_restart;   // from the beginning, not from a checkpoint
    bool is_kept;        // the process is to wait for another run after it
    struct batch_child *waiting; // such a process; NULL: a new one. Taken if its pid is 0 afterwards
};

// Start the process of an attempt, which plans the run (BATCH_PLANNING) or draws its report (BATCH_DRAWING).
// Statuses of batch_child_start.
enum status batch_attempt_start(struct batch *batch, size_t run, const struct batch_start *start,
                                struct batch_attempt *attempt);
enum status batch_attempt_draw(struct batch *batch, size_t run, const char *program,
                               struct batch_attempt *attempt);

// Takes the messages of its process into the run's entry. Returns true if the plan was among them.
bool batch_attempt_listen(struct batch *batch, struct batch_attempt *attempt);

// After the process has ended, or has said that its run passed: sets cause, exit code, signal and times of
// the run's entry.
void batch_attempt_judge(struct batch *batch, const struct batch_attempt *attempt);

// Whether another attempt could pass; whether this one failed because its checkpoint was refused.
bool batch_attempt_is_worth_retry(const struct batch_run *run);
bool batch_attempt_is_resume_refused(const struct batch_run *run, const struct batch_attempt *attempt);

// The number of the device that the job names; −1 if it names none.
int batch_attempt_named_device(const struct batch_job *job);

// Sends SIGTERM once, and sets the time at which the process is killed.
void batch_attempt_ask_to_end(struct batch_attempt *attempt, enum batch_cause why, double kill_at_s);

// The time of the clock at which an attempt that starts now reaches the job's time limit; INFINITY: no limit.
double batch_attempt_limit_at_s(const struct batch_job *job);

#endif
