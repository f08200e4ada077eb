// The order in which a batch's runs are started: by priority, then number. A run to be retried is
// eligible once its pause is over.
#ifndef FATHOM_BATCH_PENDING_H
#define FATHOM_BATCH_PENDING_H

#include "batch/scheduler_state.h"

// Lists every run that waits. STATUS_SYSTEM: no memory.
enum status batch_pending_list(struct batch_scheduler *s);

bool batch_pending_is_before(const struct batch_scheduler *s, size_t a, size_t b);

// Lists the run once more, to be started in `pause_s` from now at the earliest.
void batch_pending_put_back(struct batch_scheduler *s, size_t run, double pause_s);

// Takes off the first run that may start now, or whose report may be drawn. SIZE_MAX: none.
size_t batch_pending_take(struct batch_scheduler *s, bool may_start, bool may_draw);

#endif
