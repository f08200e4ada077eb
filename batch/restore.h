// Restores the states of a batch's runs from its journals. Only for journal.c.
#ifndef FATHOM_BATCH_RESTORE_H
#define FATHOM_BATCH_RESTORE_H

#include "batch/batch.h"

// Words of the journal, for its writer and its reader: "waiting", ..., and "none", "exit", ...
const char *batch_restore_state_word(enum batch_state state);
const char *batch_restore_cause_word(enum batch_cause cause);

// What the journals record of one run.
struct batch_trace {
    bool is_known;    // a record names this run, and the last such record has its hash
    bool is_changed;  // the last record is of another job or other settings
    bool was_started; // an attempt was started, by the last records
    bool is_ended;    // and ended
    bool is_open;     // listed in restored->open
    double started_s; // since the batch was last started or resumed
    size_t journal;   // number of the file with the last record
    char at[32];      // and its time
};

struct batch_restored {
    struct batch_trace *traces; // one for each run of the queue
    size_t journals, parts;     // files, and starts of the batch in them
    size_t vanished;            // runs that were started once and are not in the queue
    double elapsed_s;           // wall-clock time over all starts; with several journals, the longest
    char started_at[32];        // of the first part
    size_t *by_name;            // indices of the runs in the order of their names
    double file_s, part_s;      // while reading: time of this file's completed starts, and of the present one
    size_t *open, open_count;   // while reading: runs that were started in this part
};

enum status batch_restored_make(const struct batch *batch, struct batch_restored *restored);
void batch_restored_free(struct batch_restored *restored);

// Reads one journal into batch->runs: states as recorded, PASSED, FAILED, STOPPED or WAITING; a run that was
// started and did not end is STOPPED, and has worked until the last line of that leg of the batch. Of two
// files the later record counts. Statuses as journal_file_read.
enum status batch_restore_file(struct batch *batch, const char *path, struct batch_restored *restored);

#endif
