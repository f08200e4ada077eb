// For tests of the run loop: a simulation whose state shows which steps it has made, and a sink that keeps
// records and checkpoints in memory. Both only record the calls. Uses the core alone. An error in one of
// these functions fails the test that called it.
#ifndef FATHOM_TESTS_SUPPORT_FAKE_RUN_H
#define FATHOM_TESTS_SUPPORT_FAKE_RUN_H

#include "core/run.h"

enum {
    FAKE_SERIES_FRAME = 4,
    FAKE_SEEN_MAX = 40000,
    FAKE_CHECKPOINTS_MAX = 512,
    FAKE_BOOKS_MAX = 4096,
};
enum { FAKE_FIELDS, FAKE_SERIES, FAKE_LAST, FAKE_STREAMS };

struct fake {
    int64_t step;          // steps made
    double state[2];       // a recurrence: any omitted or repeated step changes it
    int64_t largest_count; // of one advance
    int64_t raise_at;      // SIGTERM to itself in this step; −1 = never
    int64_t fail_advance_at, fail_capture_at, unsound_from; // −1 = never
    long step_us;
    int64_t guards[FAKE_BOOKS_MAX], begins[FAKE_BOOKS_MAX], ends[FAKE_BOOKS_MAX];
    int guard_count, begin_count, end_count;
    bool is_in_order;
};

// A record: 1000 × stream + step, and a number that depends on all steps before.
struct fake_record {
    int stream;
    double time_s, step, value;
};

struct fake_checkpoint {
    struct checkpoint_header header;
    double state[2];
    int seen; // number of records received before it
};

struct fake_books {
    struct fake_record seen[FAKE_SEEN_MAX];
    int count;
    struct fake_checkpoint saved[FAKE_CHECKPOINTS_MAX];
    int saved_count;
    int fail_write_number; // from 1; 0 = never
};

extern struct fake fake;
extern struct fake_books fake_books;
extern const struct simulation fake_simulation;
// How a step of `step_us` passes its time: it sleeps, unless a test with its own clock sets another function.
extern void (*fake_pass_time)(long microseconds);
// The fake's steps and checkpoint arrays, for simulations that are based on it.
enum status fake_advance(void *context, int64_t first_step, int64_t count);
enum status fake_arrays(void *context, struct checkpoint_array *arrays);

// cmocka set-up: resets all state, and clears pending signals.
int fake_begin(void **state);

// 500 steps of 2 s from t = 100 s: fields each 60 s, a series each 7 s (not a multiple), one frame at the
// end.
struct run_request fake_request(void);

// Runs the loop from plan to release. Returns the loop's status; the result is in fake_result, and the status
// of pipeline_stop in fake_stopped.
enum status fake_run(const struct run_request *request);
enum status fake_run_as(const struct run_request *request, const struct simulation *simulated);
extern struct run_result fake_result;
extern enum status fake_stopped;
// Optional (NULL): ends all work on the plan's memory before it is released.
extern void (*fake_before_release)(void);
// Runs, and fails unless every step is made once and in order.
void fake_run_well(const struct run_request *request);

// Records of a stream in the books.
int fake_count(const struct fake_books *books, int stream);

#endif
