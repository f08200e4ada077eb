// What an earlier part of a run left: found, believed only if it is this run's, and told what differs if not.
// Knows no model but through cli/session.h.
#ifndef FATHOM_CLI_RUN_RESUME_H
#define FATHOM_CLI_RUN_RESUME_H

#include "cli/run_report.h"
#include "cli/session.h"

// Sums of every input into the outcome, and of all of them. STATUS_NO_INPUT, STATUS_IO.
enum status run_resume_hash_inputs(const struct session *session, struct run_outcome *outcome);

// Before a fresh run: a stopped run's leavings in the output directory are not thrown away without a word.
// STATUS_CANNOT_CREATE.
enum status run_resume_check_leftover(const struct session *session);

// The checkpoint to go on from: its path, and its header (`header` has this run's hashes before).
// STATUS_NO_INPUT: there is none; STATUS_DATA: none is whole; STATUS_CONFIGURATION: it belongs to another
// job, other inputs or another back end, with what differs.
enum status run_resume_find(const struct session *session, const struct run_outcome *outcome,
                            struct checkpoint_header *header, char path[PATH_BYTES]);

// Writes what this run is made of beside its checkpoints, for a later part to compare with, and gives it an
// id. After output_open.
enum status run_resume_keep_record(const struct session *session, struct run_outcome *outcome);

// Adds to the failure of a run that had begun what is left of the work, and what to do with it. `first_step`:
// of the checkpoint that it went on from, −1 if it did not. Returns `status`; STATUS_IO, with its own
// message, if the folder was removed meanwhile.
enum status run_resume_say_what_is_left(const struct session *session, const struct run_outcome *outcome,
                                        int64_t first_step, bool is_in_batch, enum status status);

// The command as it was given, with --resume; without its arguments if a message has no room for them.
const char *run_resume_command(const struct session *session);

#endif
