// The values of a queue's settings as JSON, and the memory of such texts. Numbers and quantities, 8.8 and
// "20 km", are read as a number and its unit's name, which is kept as it is written, and written back.
// Independent of what they are for.
#ifndef FATHOM_BATCH_VALUE_H
#define FATHOM_BATCH_VALUE_H

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

enum { BATCH_UNIT_BYTES = 64 };

// A number, or a text with a number and a unit, at a key of `job`; NaN if it is absent. unit: "" of a number.
// STATUS_CONFIGURATION: neither, or an unknown unit.
enum status batch_quantity_read(const struct job *job, const char *key, double *value,
                                char unit[BATCH_UNIT_BYTES]);

// STATUS_CONFIGURATION, naming both keys, if the units differ.
enum status batch_quantity_same(const struct job *job, const char *key, const char *unit,
                                const char *first_key, const char *first_unit);

// The value as JSON: 8.8, "20 km". `where`: its key in `document`, for messages.
enum status batch_quantity_write(const struct job *document, const char *where, double value,
                                 const char *unit, struct batch_pool **pool, const char **text);

// Whole numbers without an exponent, so that a seed is not 9.00719925474099e+15; others by the shortest
// decimal that reads back. Returns `text`.
const char *batch_number_text(double value, char text[static 32]);

#endif
