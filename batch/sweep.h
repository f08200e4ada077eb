// Values of a sweep or an ensemble: a list, or a range of numbers or of quantities in one unit, expanded.
// Independent of runs.
#ifndef FATHOM_BATCH_SWEEP_H
#define FATHOM_BATCH_SWEEP_H

#include "batch/value.h"

struct batch_axis {
    const char **values; // JSON texts
    size_t count;        // ≥ 1
};

// A list, or a range: {from, to, step}, {from, to, count}, or {from, count, step} with step 1 if it is left
// out; with "scale": "log" {from, to, count}. The k-th value of a range is the double nearest to what the
// decimals in the file denote: 0.1, 0.2, 0.3. The end is included if it is met within 1e-9 of a step.
// STATUS_CONFIGURATION: neither; empty; no end; mixed units; more than `count_max` values (found before
// anything is allocated for them).
enum status batch_sweep_read(const struct job *document, const char *where, struct cJSON *value,
                             size_t count_max, struct batch_pool **pool, struct batch_axis *axis);

#endif
