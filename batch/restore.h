// Back from the journals of a batch to what is known of its runs. Only for books.c.
#ifndef FATHOM_BATCH_RESTORE_H
#define FATHOM_BATCH_RESTORE_H

#include "batch/batch.h"

// Words of the journal, for its writer and its reader: "waiting", ..., and "none", "exit", ...
const char *batch_restore_state_word(enum batch_state state);
const char *batch_restore_cause_word(enum batch_cause cause);

// What the journals said of one run.
struct batch_trace {
    bool is_known;   // some line is about this name, with the same hash last
    bool is_changed; // the last line about it is of another job or other settings
    bool was_begun;  // an attempt was begun, by the last lines
    bool is_ended;   // and ended
    bool is_open;    // stands among restored->open
    double begun_s;  // when, since this part of its batch began
    size_t journal;  // number of the file that spoke last
    char at[32];     // and when
};

struct batch_restored {
    struct batch_trace *traces; // one for each run of the queue
    size_t journals, parts;     // files, and beginnings in them
    size_t vanished;            // runs that began once and are not in the queue
    double elapsed_s;           // of all parts; of several files the longest
    char begun_at[32];          // of the first part
    size_t *by_name;            // indices of the runs in the order of their names
    double file_s, part_s;      // while reading: of the file's earlier parts, and of this part so far
    size_t *open, open_count;   // while reading: runs that were begun in this part
};

enum status batch_restored_make(const struct batch *batch, struct batch_restored *restored);
void batch_restored_free(struct batch_restored *restored);

// Reads one journal into batch->runs: states as they are told, PASSED, FAILED, STOPPED or WAITING; a run that
// was begun and not ended is STOPPED, and has worked until the last line of that part of the batch. Of two
// files the later word counts. Statuses as journal_read.
enum status batch_restore_file(struct batch *batch, const char *path, struct batch_restored *restored);

#endif
