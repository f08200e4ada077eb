// The smallest and largest of some numbers, NaN left out: a result's actual_range. Independent of files.
#ifndef FATHOM_IO_OUTPUT_RANGE_H
#define FATHOM_IO_OUTPUT_RANGE_H

#include "core/element.h"

#include <stddef.h>

// low > high: there are none.
struct output_range {
    double low, high;
};

extern const struct output_range output_range_none;

struct output_range output_range_of(const double *values, size_t count);
// Makes a range contain another one, or numbers of a type (ELEMENT_F32, ELEMENT_F64, ELEMENT_U8).
void output_range_join(struct output_range *range, struct output_range found);
void output_range_extend(struct output_range *range, enum element element, const void *data, size_t count);

#endif
