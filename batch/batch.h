// A batch while it runs: the state of each run of its queue. The command is cli/batch.c. Who does what:
//   queue_file.c, expand.c, sweep.c   the queue, read and expanded to runs
//   scheduler.c      the loop; pending.c: the order; slots.c and placement.c: resources; completions.c: what
//                    follows an attempt; attempt.c, child.c: one attempt and its process; workers.c:
//                    processes that wait for another run
//   resources.c      what the batch may use of the machine
//   journal.c        the record of all attempts; journal_file.c: its file; restore.c: reading it back
//   table.c          the live table
//   summary.c, page.c   summary.json, junit.xml, index.html; figures.c: the runs' results for them; totals.c:
//                    the counts
#ifndef FATHOM_BATCH_BATCH_H
#define FATHOM_BATCH_BATCH_H

#include "batch/queue.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum batch_state {
    BATCH_WAITING,  // to be started, or started again
    BATCH_PLANNING, // its process computes what it needs
    BATCH_PLANNED,  // its process waits for a slot
    BATCH_RUNNING,
    BATCH_DRAWING, // passed; its report is being drawn
    BATCH_PASSED,
    BATCH_FAILED,  // no retry is left, or a retry would fail too
    BATCH_STOPPED, // the batch was stopped; the run can be resumed
    BATCH_STATES
};

// Why an attempt ended as it did.
enum batch_cause {
    BATCH_CAUSE_NONE,
    BATCH_CAUSE_EXIT,      // see exit_code
    BATCH_CAUSE_SIGNAL,    // crashed or killed: see signal
    BATCH_CAUSE_TIMEOUT,   // stopped, or then killed, at its time limit
    BATCH_CAUSE_STOP,      // stopped with the batch
    BATCH_CAUSE_RESOURCES, // it needs more than the batch may use
};

// From a run's plan.
struct batch_needs {
    size_t host_bytes, device_bytes;
    double disk_bytes, estimated_s;
    double results_bytes; // of disk_bytes, what result files take; 0: unknown
    int64_t steps;
    char model[32], backend[32], title[256];
};

enum { BATCH_MESSAGE_BYTES = 1024 };

struct batch_run {
    enum batch_state state;
    enum batch_cause cause; // of the last attempt
    int exit_code, signal;
    int attempts;      // started, in all legs of the batch
    int retries_used;  // in this part
    bool has_leftover; // an attempt did not pass: its folder may hold a checkpoint
    bool has_report;   // report.html was drawn
    bool finding_known, has_exceeded, is_unjudged; // see batch_run_exceeded, _unjudged (totals.h)
    size_t warnings;                               // see batch_run_warnings
    char message[BATCH_MESSAGE_BYTES];             // the failure in one line; "": none
    struct batch_needs needs;
    int cores, device; // of its slot; device −1: none
    unsigned devices;  // of several ranks: bits of the devices that they have; `device` is the first
    double fraction, remaining_s; // while it runs; NaN = unknown
    double started_s;             // clock_now_s() of the last attempt's start
    double attempt_s,
        total_s; // wall-clock time of the last attempt, of all; if interrupted: until the journal's last line
};

struct batch_launcher;
struct journal_file;

struct batch {
    const struct batch_queue *queue;
    struct batch_run *runs;                // one for each job of the queue
    struct journal_file *journal;          // NULL: none is written
    const struct batch_launcher *launcher; // NULL: no run has several ranks
    bool is_resumed;
    double started_s;    // clock_now_s()
    char started_at[32]; // UTC, ISO 8601
    double earlier_s;    // wall-clock time of the parts before a resume
    int stop_signal;     // 0 = none
    size_t only;         // --array-task: this run alone; SIZE_MAX = all
};

// All runs of the queue, none of them begun; `only`: this run alone, SIZE_MAX = all. Undone by batch_end.
enum status batch_begin(const struct batch_queue *queue, size_t only, struct batch *batch);
void batch_end(struct batch *batch);

// "passed", "failed", ...
const char *batch_state_word(enum batch_state state);

// What happened to the run, in one line: "crashed: Segmentation fault (signal 11)", "stopped at its time
// limit of 2 h", or the run's own message. Returns `text`.
const char *batch_describe(const struct batch *batch, size_t run, char *text, size_t bytes);

// Cleans text of other programs in place: control characters become blanks, invalid UTF-8 question marks.
// Returns `text`.
char *batch_clean_text(char *text);

// The name that the runs of an entry share: without the "-0001" of a sweep or an ensemble. Returns `name`.
char *batch_entry_name(const struct batch_job *job, char name[BATCH_NAME_MAX + 1]);

#endif
