// The checkpoint of an earlier leg of a run: finds it, checks that it belongs to this run, and reports what
// differs if not. Uses models only through cli/session.h.
#ifndef FATHOM_CLI_RUN_RESUME_H
#define FATHOM_CLI_RUN_RESUME_H

#include "cli/run_report.h"
#include "cli/session.h"

// Hashes of every input, and of all of them, into the outcome. STATUS_NO_INPUT, STATUS_IO.
enum status run_resume_hash_inputs(const struct session *session, struct run_outcome *outcome);

// Before a new run: refuses to discard the files of a stopped run in the output directory.
// STATUS_CANNOT_CREATE.
enum status run_resume_check_leftover(const struct session *session);

// The checkpoint to resume from: its path and its header (`header` holds this run's hashes before).
// STATUS_NO_INPUT: no checkpoint; STATUS_DATA: no complete one; STATUS_CONFIGURATION: it belongs to another
// job, other inputs or another back end, and the message states the difference.
enum status run_resume_find(const struct session *session, const struct run_outcome *outcome,
                            struct checkpoint_header *header, char path[PATH_BYTES]);

// Writes the record of this run (job and inputs) beside its checkpoints, for a later part to compare with,
// and gives the run an id. After output_open.
enum status run_resume_keep_record(const struct session *session, struct run_outcome *outcome);

// Adds to the failure of a started run which checkpoint is left, and how to continue. `first_step`: of the
// checkpoint from which it was resumed; −1: it was not. Returns `status`; STATUS_IO, with its own message, if
// the folder was removed meanwhile.
enum status run_resume_report_leftover(const struct session *session, const struct run_outcome *outcome,
                                       int64_t first_step, bool is_in_batch, enum status status);

// The command as it was given, with the launcher of several ranks, and with --resume; shortened if it does
// not fit in a message.
const char *run_resume_command(const struct session *session);

#endif
