// The runs of a batch counted: by state, and by the verdicts of the rules of their models' fields.
#ifndef FATHOM_BATCH_TOTALS_H
#define FATHOM_BATCH_TOTALS_H

#include "batch/batch.h"

// Whether the run has ended and exceeded a rule. Reads the folder once for each end of an attempt.
bool batch_run_exceeded(const struct batch *batch, size_t run);
// Whether it passed, and a rule could not judge it.
bool batch_run_unjudged(const struct batch *batch, size_t run);

struct batch_totals {
    size_t runs;                                      // with --array-task: 1
    size_t waiting, running, passed, failed, stopped; // waiting: planned ones too; running: drawing ones too
    size_t exceeded; // of a rule of the model's field: also failed runs; these are not in `passed`
    size_t unjudged; // of `passed`: the rule could not judge them
    size_t over;     // passed, failed or exceeded
};
struct batch_totals batch_count(const struct batch *batch);

#endif
