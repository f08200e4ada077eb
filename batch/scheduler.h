// The scheduler of a batch: starts every run that waits, where and when it fits, until all have ended.
#ifndef FATHOM_BATCH_SCHEDULER_H
#define FATHOM_BATCH_SCHEDULER_H

#include "batch/batch.h"

struct batch_scheduler_options {
    const char *program; // to be started for each run
    double time_limit_s; // of the batch; 0 = none
    double grace_s;      // between asking a run to stop and killing it
    bool is_quiet;
};

// STATUS_OK: every run has ended, passed or not. STATUS_STOPPED: a signal or the time limit stopped the
// batch, all runs with checkpoints. Else the failure of the batch itself (its journal cannot be written).
enum status batch_scheduler_run(struct batch *batch, const struct batch_scheduler_options *options);

#endif
