// What follows the end of an attempt: its run has passed, is retried, or has failed.
#ifndef FATHOM_BATCH_COMPLETIONS_H
#define FATHOM_BATCH_COMPLETIONS_H

#include "batch/scheduler_state.h"

// Evaluates an ended attempt that was removed from s->attempts. Returns the statuses of batch_journal_ended.
enum status batch_completions_take(struct batch_scheduler *s, const struct batch_attempt *attempt);

#endif
