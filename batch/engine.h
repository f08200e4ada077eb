// The working state of a batch's engine, and what its parts call of each other: engine.c the loop, waiting.c
// the order, places.c who goes where, ends.c what becomes of a run. Only for these.
#ifndef FATHOM_BATCH_ENGINE_H
#define FATHOM_BATCH_ENGINE_H

#include "batch/attempt.h"
#include "batch/batch.h"
#include "batch/placement.h"

enum { BATCH_AHEAD_MOST = 8 };

// What is known of a run beside its entry.
struct batch_plan {
    double not_before_s;  // of the clock
    bool must_begin_anew; // its checkpoint was refused
    bool is_to_draw;      // its report only
    bool is_queued;       // among `again`
};

struct batch_engine {
    struct batch *batch;
    const struct batch_engine_options *options;
    struct placement_room room;
    size_t device_free[PLACEMENT_DEVICES_MAX]; // at the start; the room is within the queue's limit, too
    struct batch_attempt *attempts;            // those that have a process
    size_t attempt_count, attempts_max, ahead;
    size_t *order, next;        // runs by priority and number; the next one never begun
    size_t *again, again_count; // runs that wait once more, and those to be drawn
    struct batch_plan *plans;   // of each run
    size_t waiting;             // runs that have still to begin
    int signals;                // descriptor
    bool is_stopping, is_over_time, has_news;
    double summary_at_s, alive_at_s; // when the next one is due
    enum status failure;             // of the batch itself
};

const struct batch_job *batch_engine_job(const struct batch_engine *e, size_t run);

// ---- waiting.c
enum status batch_engine_make_queue(struct batch_engine *e);
bool batch_engine_is_before(const struct batch_engine *e, size_t a, size_t b);
void batch_engine_put_back(struct batch_engine *e, size_t run,
                           double pause_s); // waits once more, from then on
// The first that may begin now, a run or the drawing of one's report; it is taken off. SIZE_MAX: none.
size_t batch_engine_take_next(struct batch_engine *e, bool may_begin, bool may_draw);

// ---- places.c
size_t batch_engine_count(const struct batch_engine *e,
                          enum batch_state state); // of those that have a process
struct placement_room batch_engine_room_left(const struct batch_engine *e);
int batch_engine_choose_device(const struct batch_engine *e, const struct batch_job *job);
void batch_engine_take_plan(struct batch_engine *e, struct batch_attempt *attempt, int visible_device);
void batch_engine_place(struct batch_engine *e); // all that fit

// ---- ends.c: of an attempt that has no process any more, and is no longer among the engine's.
void batch_engine_ended(struct batch_engine *e, const struct batch_attempt *attempt);

// ---- engine.c
void batch_engine_ask_to_end(struct batch_attempt *attempt, enum batch_cause why, double kill_at_s);
void batch_engine_fail(struct batch_engine *e, enum status status);       // STATUS_OK is fine
double batch_engine_limit_at_s(const struct batch_engine *e, size_t run); // of an attempt that begins now

#endif
