// The journal of a batch, OUTPUT/journal.jsonl (form: docs/batch.md): the record of all attempts, from which
// a batch is resumed. Every call that writes returns when the line is on the disk.
#ifndef FATHOM_BATCH_JOURNAL_H
#define FATHOM_BATCH_JOURNAL_H

#include "batch/batch.h"

enum batch_mode { BATCH_NEW, BATCH_RESUME, BATCH_RESTART };

// Opens the journal; started_s is set and all runs are blank (device −1) before. Sets started_at (of the
// first part), is_resumed, earlier_s.
//
// NEW: STATUS_CANNOT_CREATE if there is a journal already; the message states what it holds and how to
// continue. RESUME: restores batch->runs. A run that passed with the same hash, and whose folder still holds
// run.json, stays passed; one that failed stays failed, unless `retries_failures` or it failed for lack of
// resources; all others wait again, with has_leftover if an attempt was started. Runs that are new in the
// queue or changed since are run, which is logged. Without a journal: a new batch, which is logged, or
// STATUS_NO_INPUT if the folder holds results of one. STATUS_DATA: the journal is damaged before its last
// line. The whole batch reads the journals of array elements too. An array element (batch->only) has
// OUTPUT/journal-N.jsonl, N from 1, and is resumed if that exists, unless the mode is RESTART.
enum status batch_journal_open(struct batch *batch, enum batch_mode mode, bool retries_failures);

// An attempt: it has started (batch_run.attempts counts it already); it has ended. An end may be recorded
// twice, before and after the report is drawn: the last record counts.
enum status batch_journal_started(struct batch *batch, size_t run);
enum status batch_journal_ended(struct batch *batch, size_t run);
enum status batch_journal_alive(struct batch *batch); // the time: once a minute while runs work
enum status batch_journal_close(struct batch *batch);

// For --summary: restores the states from all journals of the folder, those of array elements too, and writes
// nothing. A run that was started and did not end is BATCH_STOPPED; one that passed and lost its run.json
// waits. STATUS_NO_INPUT: no journal.
enum status batch_journal_read(struct batch *batch);

#endif
