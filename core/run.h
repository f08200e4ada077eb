// The run loop: time, output schedule, diagnostics, checkpoints, signals, progress. Independent of the
// physics and of file formats: a simulation is a table of functions, and results leave through the frame
// pipeline.
//
// Model time is start + n·Δt with an integer n. A record due at time t is taken at the nearest step, with the
// time of that step.
#ifndef FATHOM_CORE_RUN_H
#define FATHOM_CORE_RUN_H

#include "core/pipeline.h"
#include "core/progress.h"
#include "core/status.h"
#include "core/stream.h"
#include "core/watch.h"

#include <stdbool.h>
#include <stdint.h>

// The operations of a model. `context` is the model's instance. (optional) may be NULL.
struct simulation {
    void *context;
    // (optional) Called once, before the run's first step or, after a resume, before step `step`. A model
    // that reads inputs during the run keeps `pipeline`, on whose thread it reads them.
    enum status (*begin)(void *context, struct pipeline *pipeline, int64_t step);
    // Advances from step first_step to first_step + count. After the seal: no allocation. A model with
    // `finish` may only begin the steps; it then waits by itself before it runs further ahead than a
    // fraction of a second.
    enum status (*advance)(void *context, int64_t first_step, int64_t count);
    // Writes the present state as record number frame->records of the frame (stream_record_bytes each,
    // dense). A model with `await` may only begin it.
    enum status (*capture)(void *context, int64_t step, const struct frame *frame);
    // (optional) Starts the copy of the frame to frame->data. Called when all of its records are started,
    // just before it is queued.
    enum status (*send)(void *context, const struct frame *frame);
    // (optional) Returns when the frame's data have arrived, before the sink gets it. Called on the I/O
    // thread, at the same time as the other functions, as long as the pipeline runs.
    enum status (*await)(void *context, const struct frame *frame);
    // (optional) Returns when all started work is done and was found valid. Called at the end and before a
    // checkpoint.
    enum status (*finish)(void *context, int64_t step);
    // Fills in where the state's arrays are now, in the order planned for checkpoints.
    enum status (*checkpoint_arrays)(void *context, struct checkpoint_array *arrays);
    // (optional) Fails at non-finite values or a step beyond the stability limit, with their position. A
    // model with `finish` may only start the check: what it finds comes back from a later guard, await or
    // finish.
    enum status (*guard)(void *context, int64_t step);
    // (optional) Keeps the state before `step`.
    enum status (*check_begin)(void *context, int64_t step);
    // (optional) Repeats the steps since check_begin on the reference, and compares at `step`. There are two
    // steps (one before the run's end), so that a scheme that alternates is seen from both sides.
    enum status (*check_end)(void *context, int64_t step);
};

// The times at which a stream has records.
struct run_schedule {
    double every_s; // model time between records; 0 = not periodic
    bool at_start;  // a record at step 0
    bool at_end;    // a record at the last step (a static stream's only frame, or a last one)
    // The record depends on earlier records of other streams: their open frames are submitted before it is
    // taken.
    bool after_others;
};

// What is decided before each batch of steps, from clocks and signals, which differ between ranks.
struct run_vote {
    int64_t batch;   // steps that fit the time of a batch: the fewest of all ranks
    int stop_signal; // 0: none. The others: whether any rank asks for it
    bool is_time_limit, is_asked_to, is_checkpoint_due;
};

struct run_request {
    int64_t steps;
    double step_s, start_s;
    const struct stream *const *streams;
    int stream_count;
    struct run_schedule schedules[RUN_STREAMS_MAX];
    double checkpoint_every_s;      // wall-clock; 0 = never
    int64_t checkpoint_every_steps; // 0 = never
    int64_t leg_steps;              // after so many it stops as at a time limit; 0 = never
    int64_t check_steps;            // pairs of steps to repeat on the reference, spread over the run
    double work_per_step;           // in `work_unit`, for the progress line's rate
    const char *work_unit;
    struct checkpoint_header header; // hashes and texts; for a resumed run also step, records and segment
    bool is_resumed;
    struct progress *progress;
    const struct watch *watch; // (optional) its state is saved in checkpoints, after the model's arrays
    // (optional) Asked between batches, about every tenth of a second: true ends the run with a checkpoint.
    bool (*must_stop)(void *context, int64_t step);
    void *must_stop_context;
    // (optional) For a run of several ranks: makes the vote the same on all of them. Called before each
    // batch, at the same step on every rank. Returns the failure of another rank.
    enum status (*agree)(void *context, struct run_vote *vote);
    void *agree_context;
};

struct run_result {
    int64_t steps_done; // the state's step at the end
    int64_t steps_run;  // steps computed before and after all stops together
    bool is_complete;
    int stop_signal;                 // 0 if none
    bool is_time_limit, is_asked_to; // by request->must_stop
    double advance_s, capture_s, guard_s, check_s, total_s;
};

// Runs to the end (STATUS_OK), to a signal, the time limit (core/stop_signals.h) or must_stop
// (STATUS_STOPPED, with a checkpoint queued), or to a failure. Does not stop the pipeline.
enum status run_loop(const struct run_request *request, struct simulation simulation,
                     struct pipeline *pipeline, struct run_result *result);

// The step at which record number `index` of a schedule is taken; −1 beyond the last. Pure.
int64_t run_record_step(const struct run_request *request, int stream, int64_t index);

#endif
