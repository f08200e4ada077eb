// The job keys in which the runs of an entry differ, and their values: of a sweep, of an ensemble, of a
// sample or of a table of scenarios. Independent of where the values come from.
#ifndef FATHOM_BATCH_AXES_H
#define FATHOM_BATCH_AXES_H

#include "batch/sweep.h"

enum { BATCH_AXES_MAX = 32 };

struct batch_axes {
    const char *keys[BATCH_AXES_MAX];
    struct batch_axis axes[BATCH_AXES_MAX];
    size_t sweep_count, count; // the sweep's first, then those of the members, each with `members` values
    size_t combinations, members;
    // Of a sample or of scenarios, else NULL, in the queue's pool.
    const double *weights;    // [members], each above 0; their sum is 1
    const char *const *names; // [members]: what follows the entry's name; NULL: a number
};

// STATUS_CONFIGURATION: no key of a job, or one that the batch sets itself.
enum status batch_axes_check_key(const struct job *document, const char *where, const char *key);

// Adds a key after a check of it; *axis is its values, which the caller fills. STATUS_CONFIGURATION as above,
// and: it replaces one that is there, or too many keys.
enum status batch_axes_add(const struct job *document, const char *where, const char *key,
                           struct batch_pool **pool, struct batch_axes *axes, struct batch_axis **axis);

// Returns the reason why a run cannot have this name; NULL if it can.
const char *batch_name_mistake(const char *name);

#endif
