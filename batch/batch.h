// A batch while it runs: what is known of each run of its queue. The command is batch.c; who does what:
//   queue.c      the queue, read and written out
//   batch/placement.c   which run may start now, where, with how many cores
//   engine.c     the loop; with waiting.c (the order), places.c (who goes where), ends.c (what becomes
//                      of a run), attempt.c (one attempt), child.c (its process), room.c (the machine)
//   books.c      the journal: what happened, safely; and back from it after a kill
//   table.c      the live table
//   words.c      the same in words
//   summary.c    summary.json and junit.xml; page.c: index.html
#ifndef FATHOM_BATCH_BATCH_H
#define FATHOM_BATCH_BATCH_H

#include "batch/queue.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum batch_state {
    BATCH_WAITING,  // not begun, or to be begun again
    BATCH_PLANNING, // its process works out what it needs
    BATCH_PLANNED,  // its process waits for a place
    BATCH_RUNNING,
    BATCH_DRAWING, // passed; its report is being drawn
    BATCH_PASSED,
    BATCH_FAILED,  // for good: no retry left, or none would help
    BATCH_STOPPED, // the batch was stopped; it can go on
    BATCH_STATES
};

// Why an attempt ended as it did.
enum batch_cause {
    BATCH_CAUSE_NONE,
    BATCH_CAUSE_EXIT,    // exit_code says
    BATCH_CAUSE_SIGNAL,  // a crash, or killed: signal says
    BATCH_CAUSE_TIMEOUT, // stopped, or in the end killed, at its time limit
    BATCH_CAUSE_STOP,    // stopped with the batch
    BATCH_CAUSE_ROOM,    // needs more than the batch may use
};

// What a run said that it needs, and of what it is made.
struct batch_needs {
    size_t host_bytes, device_bytes;
    double disk_bytes, estimated_s;
    int64_t steps;
    char model[32], backend[32], title[256];
};

enum { BATCH_MESSAGE_BYTES = 1024 };

struct batch_run {
    enum batch_state state;
    enum batch_cause cause; // of the last attempt
    int exit_code, signal;
    int attempts;      // begun, over all parts of the batch
    int retries_used;  // in this part
    bool has_leftover; // an attempt was begun that did not pass: its folder may hold a checkpoint
    bool has_report;   // report.html was drawn
    bool finding_known, has_exceeded, is_unjudged; // see batch_run_exceeded, _unjudged (figures.h)
    char message[BATCH_MESSAGE_BYTES];             // the failure in one line; "" if there is none
    struct batch_needs needs;
    int cores, device;            // given to it; device −1: none
    double fraction, remaining_s; // while it runs; NaN = unknown
    double begun_s;               // clock_now_s() of the last attempt's start
    double attempt_s, total_s; // wall-clock: of the last attempt, of all; cut off: to the journal's last line
};

struct journal;

struct batch {
    const struct batch_queue *queue;
    struct batch_run *runs;  // one for each job of the queue
    struct journal *journal; // NULL: none is kept (--array-task has one of its own)
    bool is_resumed;
    double begun_s;    // clock_now_s()
    char begun_at[32]; // UTC, ISO 8601
    double earlier_s;  // wall-clock of the parts before a resume
    int stop_signal;   // 0 = none
    size_t only;       // --array-task: this one alone; SIZE_MAX = all
};

// ---- books.c. The journal is OUTPUT/journal.jsonl (batch/journal.h); each call returns when the line is safe.

// Begins a journal, or with `resume` reads the one that is there back into batch->runs and goes on in it:
// what passed with the same hash, and whose folder still holds run.json, stays passed; what failed for good,
// other than for want of room, stays failed unless `retries_failures`; everything else waits again,
// has_leftover where an attempt had begun. A queue that was changed since is fine: runs that are new or
// changed are run, and which is said (log_info). No journal to resume: a new batch, which is said, or
// STATUS_NO_INPUT if the folder has results of one all the same; one is there and neither resume nor restart
// was asked for: STATUS_CANNOT_CREATE, saying what it holds and how to go on; damaged before its last line:
// STATUS_DATA. An array element (batch->only) has OUTPUT/journal-N.jsonl, N from 1, and goes on if that is
// there, unless it is to restart. Before the call: begun_s is set, runs are blank (device −1). Sets begun_at
// (of the first part), is_resumed, earlier_s. A resume of the whole batch reads the elements' journals too.
// `attempts` counts the attempt when batch_books_started is called. An end may be told twice (before and
// after the report is drawn): the last word counts.
enum batch_begin { BATCH_BEGIN_NEW, BATCH_BEGIN_RESUME, BATCH_BEGIN_RESTART };
enum status batch_books_open(struct batch *batch, enum batch_begin begin, bool retries_failures);
enum status batch_books_started(struct batch *batch, size_t run);
enum status batch_books_ended(struct batch *batch,
                              size_t run);          // an attempt: state, cause, code, message, times
enum status batch_books_alive(struct batch *batch); // how far the clock is: once a minute while runs work
enum status batch_books_close(struct batch *batch);
// For --summary: states as all journals of the folder tell them, those of array elements too; nothing is
// written or kept open. What was begun and not ended is BATCH_STOPPED, saying so; what passed and lost its
// run.json waits. STATUS_NO_INPUT: no journal.
enum status batch_books_read(struct batch *batch);

// ---- table.c: on a terminal a table, drawn anew ten times a second at most; elsewhere a line for each run that ends.
void batch_table_open(bool is_quiet);
void batch_table_draw(const struct batch *batch); // as often as convenient
void batch_table_ended(const struct batch *batch, size_t run);
void batch_table_close(const struct batch *batch); // the last picture, and the count of each outcome

// ---- summary.c, page.c: OUTPUT/summary.json, junit.xml, index.html; each published whole. May be called while
// the batch runs.
enum status batch_summary_write(const struct batch *batch);
enum status batch_page_write(const struct batch *batch);

// Words for both: "passed", "failed", ...; and what happened in one line for people ("killed by a
// segmentation fault", "stopped at its time limit of 2 h", or the run's own message). Returns `text`.
const char *batch_state_word(enum batch_state state);
const char *batch_describe(const struct batch *batch, size_t run, char *text, size_t bytes);
// In place: control characters become blanks, bytes that are no UTF-8 question marks. For what others wrote.
// Returns `text`.
char *batch_clean_text(char *text);

// The name that the runs of an entry share: without "-0001", which a sweep or an ensemble has put there.
// Returns `name`.
char *batch_entry_name(const struct batch_job *job, char name[BATCH_NAME_MAX + 1]);

// Counts, for the table, the summary and the page.
struct batch_totals {
    size_t runs;                                      // with --array-task: 1
    size_t waiting, running, passed, failed, stopped; // waiting: planned ones too; running: drawing ones too
    size_t exceeded; // a rule of the model's field says so (figures.h): failed ones too, none of `passed`
    size_t unjudged; // of `passed`: the rule could not judge them
    size_t over;     // passed, failed or exceeded: nothing of them is left to run
};
struct batch_totals batch_count(const struct batch *batch);

// ---- engine.c: runs everything that waits. STATUS_OK when all is over, passed or not; STATUS_STOPPED by a
// signal or the batch's time limit, all runs stopped with checkpoints; else what kept the batch itself from
// going on (its journal cannot be written).
struct batch_engine_options {
    const char *program; // to be started: this one
    double time_limit_s; // of the batch; 0 = none
    double grace_s;      // between asking a run to stop and killing it
    bool is_quiet;
};
enum status batch_engine_run(struct batch *batch, const struct batch_engine_options *options);

#endif
