// The weights of an entry's runs (a sample, a table of scenarios), and what becomes of them when some of the
// runs have no results: those are left out, and the weights of the rest count as their part of the rest's
// sum. Independent of models.
#ifndef FATHOM_BATCH_WEIGHTS_H
#define FATHOM_BATCH_WEIGHTS_H

#include "batch/batch.h"

struct cJSON;

struct batch_weights {
    size_t members;     // runs with results
    size_t failed;      // runs that ended without results; the others have not ended
    double members_sum; // of the members' weights; weight/members_sum is a member's share
};

// Whether the entry of runs first … last − 1 has weights, and whether they differ.
bool batch_weights_given(const struct batch *batch, size_t first);
bool batch_weights_differ(const struct batch *batch, size_t first, size_t last);

// Whether a run is a member: it passed, or failed only its check.
bool batch_weights_is_member(const struct batch *batch, size_t run);

struct batch_weights batch_weights_of(const struct batch *batch, size_t first, size_t last);

// {"members", "members_sum", "left_out": [{"name", "weight", "reason"}]}; the runs that ended without results
// are left out. NULL: the entry has no weights. The caller deletes it.
struct cJSON *batch_weights_make(const struct batch *batch, size_t first, size_t last);

#endif
