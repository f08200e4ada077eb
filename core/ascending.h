// Places in ascending values: axes, times, crossings of a row.
#ifndef FATHOM_CORE_ASCENDING_H
#define FATHOM_CORE_ASCENDING_H

#include <stddef.h>

// How many of the values are less than `limit`: the index of the first one that is not.
static inline size_t ascending_count_below(const double *x, size_t count, double limit)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Index of the last value that is not above `value`; 0 where all are above it.
static inline size_t ascending_place(const double *x, size_t count, double value)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (x[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
