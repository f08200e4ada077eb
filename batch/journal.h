// The journal of a batch, OUTPUT/journal.jsonl (form: docs/batch.md): the record of all attempts, from which
// a batch is resumed. Every call that writes returns when the line is on the disk, but for
// batch_journal_ended.
#ifndef FATHOM_BATCH_JOURNAL_H
#define FATHOM_BATCH_JOURNAL_H

#include "batch/batch.h"

enum batch_mode { BATCH_NEW, BATCH_RESUME, BATCH_RESTART };

// Opens the journal. Before the call, started_s must be set and all runs must be blank (device −1). Sets
// started_at (of the first leg), is_resumed, earlier_s.
//
// NEW: STATUS_CANNOT_CREATE if there is a journal already; the message states what it holds and how to
// continue. RESUME: restores batch->runs. A run stays passed if its job has the same hash and its folder
// still holds run.json. A failed run stays failed, unless `retries_failures` is set or it failed for lack of
// resources. All other runs wait again, with has_leftover if an attempt was started; new and changed runs of
// the queue are logged. If there is no journal, a new batch starts, which is logged; but if the folder holds
// results of a batch: STATUS_NO_INPUT. STATUS_DATA: the journal is damaged before its last line. A whole
// batch also reads the journals of array elements. The journal of an array element (batch->only) is
// OUTPUT/journal-N.jsonl, N from 1; if it exists, the element is resumed, unless the mode is RESTART.
enum status batch_journal_open(struct batch *batch, enum batch_mode mode, bool retries_failures);

// Record the start of an attempt, which batch_run.attempts already counts, and its end. An end may be
// recorded twice, before and after the report is drawn; the last record counts. An end is on the disk with
// the next line, or after batch_journal_sync: one wait for the disk serves the end of a run and the start of
// the next. If it is lost with the power, the results are there, and the resumed run finds them.
enum status batch_journal_started(struct batch *batch, size_t run);
enum status batch_journal_ended(struct batch *batch, size_t run);
enum status batch_journal_sync(struct batch *batch);
enum status batch_journal_alive(struct batch *batch); // records the time; called once a minute
enum status batch_journal_close(struct batch *batch);

// For --summary: restores the states from all journals of the folder, those of array elements too, and writes
// nothing. A run whose end is not recorded is BATCH_STOPPED. A run that passed but whose run.json is missing
// is BATCH_WAITING. STATUS_NO_INPUT: no journal.
enum status batch_journal_read(struct batch *batch);

#endif
