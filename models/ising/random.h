// The numbering of the random words (state.h, DECISIONS and CLUSTERS), the same code for all versions on host
// and device. Has no state.
#ifndef FATHOM_MODELS_ISING_RANDOM_H
#define FATHOM_MODELS_ISING_RANDOM_H

#include "core/host_device.h"
#include "core/philox.h"
#include "models/ising/state.h"

// Combines the seed and the number of β into one key, with the finaliser of SplitMix64 (Steele, Lea and Flood
// 2014, doi:10.1145/2660193.2660195): neighbouring seeds and numbers give independent keys.
static FATHOM_HOST_DEVICE struct philox_key ising_key(uint64_t seed, uint32_t number)
{
    uint64_t z = seed + (uint64_t)(number + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return philox_key_from_seed(z ^ (z >> 31));
}

// The last word of the counter: the use of a random word. use: ISING_USE_…; digit: of a Bernoulli bit.
static FATHOM_HOST_DEVICE uint32_t ising_purpose(int use, int sublattice, int digit)
{
    return (uint32_t)sublattice | (uint32_t)digit << 2 | (uint32_t)use << 8;
}

// The four words 4 quad … 4 quad + 3.
static FATHOM_HOST_DEVICE struct philox_counter ising_random_quad(struct philox_key key, uint64_t quad,
                                                                  uint32_t sweep, uint32_t purpose)
{
    struct philox_counter counter;
    counter.v[0] = (uint32_t)quad;
    counter.v[1] = (uint32_t)(quad >> 32);
    counter.v[2] = sweep;
    counter.v[3] = purpose;
    return philox4x32(counter, key);
}

static FATHOM_HOST_DEVICE uint32_t ising_random_word(struct philox_key key, uint64_t word, uint32_t sweep,
                                                     uint32_t purpose)
{
    return ising_random_quad(key, word / 4, sweep, purpose).v[word % 4];
}

// ⌊u n⌋ with u = word · 2⁻³² and n ≤ 2³²; the error of each probability is below 2⁻³².
static FATHOM_HOST_DEVICE uint64_t ising_random_below(uint32_t word, uint64_t n)
{
    return (uint64_t)word * n >> 32;
}

#endif
