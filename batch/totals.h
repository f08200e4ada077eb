// Counts the runs of a batch by state, by the verdicts of domain rules (for example the ITRUSST limits), and
// by whether they have warnings.
#ifndef FATHOM_BATCH_TOTALS_H
#define FATHOM_BATCH_TOTALS_H

#include "batch/batch.h"

// Whether the run has ended and exceeded a limit of a domain rule. run.json is read once per ended attempt.
bool batch_run_exceeded(const struct batch *batch, size_t run);
// Whether the run passed, but a domain rule could not be evaluated.
bool batch_run_unjudged(const struct batch *batch, size_t run);

// Number of warnings of a run that has ended, as in its run.json; 0 for others.
size_t batch_run_warnings(const struct batch *batch, size_t run);

struct batch_totals {
    size_t runs;                                      // with --array-task: 1
    size_t waiting, running, passed, failed, stopped; // waiting includes planned, running includes drawing
    // Runs that exceeded a limit of a domain rule, whether they passed or failed; none of them is in
    // `passed`.
    size_t exceeded;
    size_t unjudged; // done, but a domain rule could not be evaluated; none of them is in `passed`
    size_t warned;   // ended runs with warnings, in any state
    size_t finished; // passed, failed or exceeded
};
struct batch_totals batch_count(const struct batch *batch);

// What follows "3 of 6 passed": ", 1 EXCEEDED a safety level, 2 not judged", or "". Returns `text`.
enum { BATCH_OTHERS_BYTES = 96 };
const char *batch_totals_others(const struct batch_totals *totals, char text[BATCH_OTHERS_BYTES]);

#endif
