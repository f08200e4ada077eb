// The smallest and largest of some numbers, NaN left out: a result's actual_range. Independent of files.
#ifndef FATHOM_IO_OUTPUT_RANGE_H
#define FATHOM_IO_OUTPUT_RANGE_H

#include "core/element.h"

#include <stddef.h>

// Compiled for wider vectors too, and chosen when the program starts. For functions whose results do not
// depend on that, to the last bit. glibc chooses; the sanitizers must be there before it does.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OUTPUT_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define OUTPUT_WIDE
#endif

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
