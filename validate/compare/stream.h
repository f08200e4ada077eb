// Reads two matched variables block by block, in the run's order and units, with interpolation in time if
// requested. Independent of the use of the values.
#ifndef FATHOM_VALIDATE_COMPARE_STREAM_H
#define FATHOM_VALIDATE_COMPARE_STREAM_H

#include "validate/compare/match.h"

#include <stdint.h>

// Receives the next `count` pairs; missing values are NaN.
typedef void compare_consumer(void *context, const double *run, const double *reference, size_t count);

// Calls `consume` with all pairs in the order of the match's axes, the last one fastest. Reads both variables
// once, as far as different orders of dimensions allow, in at most COMPARE_BUFFERS blocks of at most
// `buffer_values` values at a time.
enum status compare_stream(const struct compare_match *match, size_t buffer_values, compare_consumer *consume,
                           void *context);

// The entries of each axis that belong to pair number `index`.
void compare_stream_place(const struct compare_match *match, uint64_t index,
                          size_t entries[COMPARE_AXES_MAX]);

#endif
