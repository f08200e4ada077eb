// Percentiles over the runs of a sweep or an ensemble, of what their run.json has under "distributions":
// named numbers, and lists of numbers, in objects. Independent of models.
#ifndef FATHOM_BATCH_PERCENTILES_H
#define FATHOM_BATCH_PERCENTILES_H

#include "batch/batch.h"

struct cJSON;

enum { BATCH_PERCENTILES = 5 };
extern const double batch_percentiles[BATCH_PERCENTILES]; // 5, 25, 50, 75, 95

// Of the runs first … last − 1: {"members", "left_out": [{"name", "reason"}], "percentiles": the percents,
// and the tree of "distributions" with an object {"p5": ..., "p95": ...} in the place of each number or list
// (an infinity is null), of a number also "min", "max" and the runs that have them, "min_of", "max_of"}. Runs
// without such results are left out, with the reason; one that failed its check has results. NULL: a run has
// not ended, no two runs have such results, or the runs have different weights: these percentiles count each
// run once. The caller deletes it.
struct cJSON *batch_percentiles_make(const struct batch *batch, size_t first, size_t last);

#endif
