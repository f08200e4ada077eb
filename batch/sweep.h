// Values of a sweep or an ensemble: a list, or a range of numbers or of quantities in one unit, expanded. And
// the memory of a queue's texts. Independent of runs.
#ifndef FATHOM_BATCH_SWEEP_H
#define FATHOM_BATCH_SWEEP_H

#include "core/status.h"
#include "io/job/job.h"

#include <stddef.h>

struct cJSON;

// Blocks that are freed together: many runs share their texts. NULL is an empty one.
struct batch_pool;
void *batch_pool_take(struct batch_pool **pool, size_t bytes); // aligned for anything; NULL: no memory
char *batch_pool_text(struct batch_pool **pool, const char *text);
void batch_pool_free(struct batch_pool **pool);

// The longest text of one value: it is an argument of a process (Linux takes 128 KiB).
enum { BATCH_VALUE_BYTES_MAX = 100000 };

// A value as JSON without blanks; numbers by the shortest decimal that reads back. The value's numbers are
// changed into raw texts. `where`: its key in `document`, for messages. STATUS_CONFIGURATION: longer than
// BATCH_VALUE_BYTES_MAX.
enum status batch_value_text(const struct job *document, const char *where, struct cJSON *value,
                             struct batch_pool **pool, const char **text);

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
