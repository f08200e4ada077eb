// What follows the end of an attempt: its run has passed, is retried, or has failed.
#ifndef FATHOM_BATCH_COMPLETIONS_H
#define FATHOM_BATCH_COMPLETIONS_H

#include "batch/scheduler_state.h"

// Of an attempt whose process has ended, and which is no longer among s->attempts. Statuses of
// batch_journal_ended.
enum status batch_completions_take(struct batch_scheduler *s, const struct batch_attempt *attempt);

#endif
