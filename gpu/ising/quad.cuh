// Random words of one quad for many digits (models/ising/state.h, DECISIONS); what they have in common is
// computed once.
#ifndef FATHOM_GPU_ISING_QUAD_CUH
#define FATHOM_GPU_ISING_QUAD_CUH

#include "gpu/inline.cuh"
#include "gpu/philox.cuh"
#include "models/ising/random.h"

namespace ising {

using namespace philox;
namespace {

// Of the generator's rounds, computed on the host.
struct round_keys {
    uint32_t v[10][2];
};

inline round_keys round_keys_of(const philox_key &key)
{
    round_keys keys;
    for (uint32_t round = 0; round < 10; round++) {
        keys.v[round][0] = key.v[0] + round * W0;
        keys.v[round][1] = key.v[1] + round * W1;
    }
    return keys;
}

// The part of Philox4x32-10 (core/philox.h) for one quad that does not depend on the digit in the counter's
// last word: the first two rounds without one product, and one product of the third.
struct quad_draws {
    uint32_t first_high;                        // of the first round's v2, without the purpose
    uint32_t second_middle;                     // of the second's v0
    uint32_t third_high, third_low, third_last; // of the third's v0, v1 and v2
};

DEVICE quad_draws quad_draws_of(const round_keys &keys, uint64_t quad, uint32_t sweep)
{
    const uint64_t p0 = static_cast<uint64_t>(M0) * static_cast<uint32_t>(quad);
    const uint64_t p1 = static_cast<uint64_t>(M1) * sweep;
    const uint32_t v0 = static_cast<uint32_t>(p1 >> 32) ^ static_cast<uint32_t>(quad >> 32) ^ keys.v[0][0];
    const uint64_t p2 = static_cast<uint64_t>(M0) * v0;
    const uint32_t v2 = static_cast<uint32_t>(p2 >> 32) ^ static_cast<uint32_t>(p0) ^ keys.v[1][1];
    const uint64_t p3 = static_cast<uint64_t>(M1) * v2;
    return {static_cast<uint32_t>(p0 >> 32) ^ keys.v[0][1], static_cast<uint32_t>(p1) ^ keys.v[1][0],
            static_cast<uint32_t>(p3 >> 32) ^ keys.v[2][0], static_cast<uint32_t>(p3),
            static_cast<uint32_t>(p2) ^ keys.v[2][1]};
}

DEVICE void draw_words(const round_keys &keys, const quad_draws &from, uint32_t purpose, uint32_t words[4])
{
    const uint64_t p1 = static_cast<uint64_t>(M1) * (from.first_high ^ purpose);
    const uint64_t p2 = static_cast<uint64_t>(M0) * (static_cast<uint32_t>(p1 >> 32) ^ from.second_middle);
    uint32_t v0 = from.third_high ^ static_cast<uint32_t>(p1), v1 = from.third_low;
    uint32_t v2 = static_cast<uint32_t>(p2 >> 32) ^ from.third_last, v3 = static_cast<uint32_t>(p2);
#pragma unroll
    for (int round = 3; round < 10; round++) {
        const uint64_t a = static_cast<uint64_t>(M0) * v0, b = static_cast<uint64_t>(M1) * v2;
        v0 = static_cast<uint32_t>(b >> 32) ^ v1 ^ keys.v[round][0];
        v1 = static_cast<uint32_t>(b);
        v2 = static_cast<uint32_t>(a >> 32) ^ v3 ^ keys.v[round][1];
        v3 = static_cast<uint32_t>(a);
    }
    words[0] = v0;
    words[1] = v1;
    words[2] = v2;
    words[3] = v3;
}

} // namespace
} // namespace ising

#endif
