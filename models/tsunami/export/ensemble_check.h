// Whether the numbers of an ensemble (ensemble.nc of fathom hazard) can be what they are said to be, before a
// product or a picture is made of them. Whether they are those that were written, its checksum tells
// (io/output/finished.h).
#ifndef FATHOM_MODELS_TSUNAMI_EXPORT_ENSEMBLE_CHECK_H
#define FATHOM_MODELS_TSUNAMI_EXPORT_ENSEMBLE_CHECK_H

#include "core/status.h"

#include <stddef.h>

struct result_file;

// What fathom hazard makes, at most.
enum { ENSEMBLE_THRESHOLDS_MAX = 16, ENSEMBLE_MEMBERS_MAX = 100000 };

// STATUS_DATA, with the file, the variable, the index and what was expected: more points, zones or members
// than fathom hazard takes; percentiles (0 to 100), thresholds or axes that do not ascend or lie beyond their
// limits; a position that cannot be (io/place.h); at a place a height that is infinite or below 0 or a
// probability beyond 0 to 1; an infinite value of a series. Variables that are missing are the reader's.
enum status export_ensemble_check(const struct result_file *file);

// The same for the heights on all its maps, which are read row by row.
enum status export_ensemble_check_maps(const struct result_file *file);

// The same for `count` values of any variable, from index `first` on (in the file's order, as if it had one
// dimension): a height or probability of an ensemble by its limits, any other value by those of single
// precision. NaN: missing, and no fault.
enum status export_values_check(const struct result_file *file, const char *variable, size_t first,
                                const double *values, size_t count);

#endif
