// The order in which a batch's runs are started: by priority, then number. A run to be retried is
// eligible once its pause is over.
#ifndef FATHOM_BATCH_PENDING_H
#define FATHOM_BATCH_PENDING_H

#include "batch/scheduler_state.h"

// Lists every waiting run. STATUS_SYSTEM: no memory.
enum status batch_pending_list(struct batch_scheduler *s);

// Whether run a is started before run b.
bool batch_pending_is_before(const struct batch_scheduler *s, size_t a, size_t b);

// Lists a run again. It is started no earlier than `pause_s` from now.
void batch_pending_put_back(struct batch_scheduler *s, size_t run, double pause_s);

// Removes and returns the first run that may be started now (may_start), or whose report may be drawn
// (may_draw). SIZE_MAX: none.
size_t batch_pending_take(struct batch_scheduler *s, bool may_start, bool may_draw);

#endif
