// The generator of Park and Miller (1988), doi:10.1145/63039.63042, by Schrage's division: the random
// numbers of Karkoulis' (2010) programs. The streams of all threads are parts of one cycle of 2³¹ − 2
// numbers: too short for results, and here for timings alone.
#ifndef FATHOM_BENCH_LADDER_ISING_MINSTD_H
#define FATHOM_BENCH_LADDER_ISING_MINSTD_H

#include "core/host_device.h"

#include <stddef.h>
#include <stdint.h>

#define MINSTD_MODULUS 2147483647

// The next number of the stream, 1 … 2³¹ − 2.
static FATHOM_HOST_DEVICE int64_t minstd_next(int64_t seed)
{
    const int64_t high = seed / 127773, low = seed % 127773;
    const int64_t next = 16807 * low - 2836 * high;
    return next > 0 ? next : next + MINSTD_MODULUS;
}

// Of a number of the stream: 0 ≤ u < 1; in float it may be rounded to 1.
static FATHOM_HOST_DEVICE double minstd_uniform(int64_t number)
{
    return (double)(number - 1) / (MINSTD_MODULUS - 1);
}

// Makes one seed for each thread, as the thesis does: numbers of one stream, each multiplied by another.
static inline void minstd_make_seeds(uint64_t seed, size_t count, int64_t *seeds)
{
    int64_t number = (int64_t)(seed % (MINSTD_MODULUS - 1)) + 1;
    for (size_t k = 0; k < count; k++) {
        number = minstd_next(number);
        const int64_t factor = minstd_next(number);
        seeds[k] = 1 + (int64_t)(minstd_uniform(factor) * (double)(number - 1));
        number = factor;
    }
}

#endif
