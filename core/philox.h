// Philox4x32-10, a counter-based random number generator: the same numbers on every processor, in any order.
//   Salmon, J. K., Moraes, M. A., Dror, R. O., Shaw, D. E. (2011), Parallel random numbers: as easy as 1, 2,
//   3, SC '11, doi:10.1145/2063384.2063405: section 3.3 (the round), table 2 (ten rounds, multipliers, Weyl
//   constants).
// C and CUDA C++ alike; no state: the caller makes the counter from the identity of a draw (global index of
// the element, step, number of the draw) and the key from the seed.
#ifndef FATHOM_CORE_PHILOX_H
#define FATHOM_CORE_PHILOX_H

#include "core/host_device.h"

#include <stdint.h>

struct philox_counter {
    uint32_t v[4];
};

struct philox_key {
    uint32_t v[2];
};

// Returns the key of a 64-bit seed.
static FATHOM_HOST_DEVICE struct philox_key philox_key_from_seed(uint64_t seed)
{
    struct philox_key key;
    key.v[0] = (uint32_t)seed;
    key.v[1] = (uint32_t)(seed >> 32);
    return key;
}

// Returns the counter of (low, high), for instance of draw `low` of element `high`.
static FATHOM_HOST_DEVICE struct philox_counter philox_counter_from(uint64_t low, uint64_t high)
{
    struct philox_counter counter;
    counter.v[0] = (uint32_t)low;
    counter.v[1] = (uint32_t)(low >> 32);
    counter.v[2] = (uint32_t)high;
    counter.v[3] = (uint32_t)(high >> 32);
    return counter;
}

// Four independent, uniform 32-bit words for one counter and key.
static FATHOM_HOST_DEVICE struct philox_counter philox4x32(struct philox_counter counter,
                                                           struct philox_key key)
{
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = (uint64_t)0xD2511F53u * counter.v[0];
        uint64_t product1 = (uint64_t)0xCD9E8D57u * counter.v[2];
        struct philox_counter next;
        next.v[0] = (uint32_t)(product1 >> 32) ^ counter.v[1] ^ key.v[0];
        next.v[1] = (uint32_t)product1;
        next.v[2] = (uint32_t)(product0 >> 32) ^ counter.v[3] ^ key.v[1];
        next.v[3] = (uint32_t)product0;
        counter = next;
        key.v[0] += 0x9E3779B9u;
        key.v[1] += 0xBB67AE85u;
    }
    return counter;
}

// A double strictly between 0 and 1 out of two words: an odd multiple of 2⁻⁵³. Half a step is added to 52
// bits, not to 53, because 1 − 2⁻⁵⁴ would round to 1. Exact, symmetric about 1/2, never 0: its logarithm is
// safe.
static FATHOM_HOST_DEVICE double philox_double(uint32_t high, uint32_t low)
{
    uint64_t bits = ((uint64_t)high << 20) | (uint64_t)(low >> 12);
    return ((double)bits + 0.5) * (1.0 / 4503599627370496.0); // 2⁵²
}

#endif
