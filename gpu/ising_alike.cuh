// METROPOLIS without a field on the device (models/ising/state.h, DECISIONS): four words that share their random numbers at a time. As word.h
// decides, with less to do for a digit: what is the same for all quads is worked out on the host. Knows no lattice.
#ifndef FATHOM_GPU_ISING_ALIKE_CUH
#define FATHOM_GPU_ISING_ALIKE_CUH

#include "gpu/ising_draw.cuh"
#include "models/ising/place.h"
#include "models/ising/rule.h"

namespace ising {
namespace {

struct alike_rule {
    uint32_t keys[10][2]; // of the generator's rounds
    uint32_t differ[32];  // by digits, all bits: whether those of the two thresholds differ
    uint32_t four[32];    // the threshold's for four satisfied neighbours
    uint32_t unlike;      // as ising_rule has it
    uint32_t always[2];   // all bits: who has three, or four, turns anyhow
};

inline alike_rule alike_rule_of(const ising_rule &rule)
{
    alike_rule r;
    for (uint32_t round = 0; round < 10; round++) {
        r.keys[round][0] = rule.key.v[0] + round * W0;
        r.keys[round][1] = rule.key.v[1] + round * W1;
    }
    for (int digit = 0; digit < 32; digit++) {
        const bool three = rule.three >> (31 - digit) & 1, four = rule.four >> (31 - digit) & 1;
        r.differ[digit] = three != four ? 0xffffffffu : 0;
        r.four[digit] = four ? 0xffffffffu : 0;
    }
    r.unlike = rule.unlike;
    r.always[0] = rule.three >> 32 ? 0xffffffffu : 0;
    r.always[1] = rule.four >> 32 ? 0xffffffffu : 0;
    return r;
}

// Philox4x32-10 of core/philox.h for one quad up to where the digit, in the counter's last word, comes in: the first two rounds but for one
// product, and one product of the third.
struct quad_draws {
    uint32_t first_high;                        // of the first round's v2, without the purpose
    uint32_t second_middle;                     // of the second's v0
    uint32_t third_high, third_low, third_last; // of the third's v0, v1 and v2
};

__device__ __forceinline__ quad_draws quad_draws_of(const alike_rule &rule, uint64_t quad, uint32_t sweep)
{
    const uint64_t p0 = static_cast<uint64_t>(M0) * static_cast<uint32_t>(quad);
    const uint64_t p1 = static_cast<uint64_t>(M1) * sweep;
    const uint32_t v0 = static_cast<uint32_t>(p1 >> 32) ^ static_cast<uint32_t>(quad >> 32) ^ rule.keys[0][0];
    const uint64_t p2 = static_cast<uint64_t>(M0) * v0;
    const uint32_t v2 = static_cast<uint32_t>(p2 >> 32) ^ static_cast<uint32_t>(p0) ^ rule.keys[1][1];
    const uint64_t p3 = static_cast<uint64_t>(M1) * v2;
    return {static_cast<uint32_t>(p0 >> 32) ^ rule.keys[0][1], static_cast<uint32_t>(p1) ^ rule.keys[1][0],
            static_cast<uint32_t>(p3 >> 32) ^ rule.keys[2][0], static_cast<uint32_t>(p3),
            static_cast<uint32_t>(p2) ^ rule.keys[2][1]};
}

__device__ __forceinline__ void draw_words(const alike_rule &rule, const quad_draws &from, uint32_t purpose,
                                           uint32_t words[4])
{
    const uint64_t p1 = static_cast<uint64_t>(M1) * (from.first_high ^ purpose);
    const uint64_t p2 = static_cast<uint64_t>(M0) * (static_cast<uint32_t>(p1 >> 32) ^ from.second_middle);
    uint32_t v0 = from.third_high ^ static_cast<uint32_t>(p1), v1 = from.third_low;
    uint32_t v2 = static_cast<uint32_t>(p2 >> 32) ^ from.third_last, v3 = static_cast<uint32_t>(p2);
#pragma unroll
    for (int round = 3; round < 10; round++) {
        const uint64_t a = static_cast<uint64_t>(M0) * v0, b = static_cast<uint64_t>(M1) * v2;
        v0 = static_cast<uint32_t>(b >> 32) ^ v1 ^ rule.keys[round][0];
        v1 = static_cast<uint32_t>(b);
        v2 = static_cast<uint32_t>(a >> 32) ^ v3 ^ rule.keys[round][1];
        v3 = static_cast<uint32_t>(a);
    }
    words[0] = v0;
    words[1] = v1;
    words[2] = v2;
    words[3] = v3;
}

struct undecided {
    uint32_t three[4], open[4],
        drawn[4]; // open: as all digits so far; what is drawn of them is the last digit's guess
};

// A spin is decided by the first digit in which its threshold's bit differs from the random one: then that bit is what is drawn.
template <int count>
__device__ __forceinline__ void draw_digits(const alike_rule &rule, const quad_draws &from, int phase,
                                            int first, undecided &u)
{
#pragma unroll
    for (int digit = 0; digit < count; digit++) {
        uint32_t random[4];
        draw_words(rule, from, ising_purpose(ISING_USE_SPINS, phase, first + digit), random);
        const uint32_t differ = rule.differ[first + digit], four = rule.four[first + digit];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint32_t ours = (u.three[k] & differ) ^ four;
            u.drawn[k] = (u.open[k] & ~random[k]) | (~u.open[k] & u.drawn[k]);
            u.open[k] &= ~(ours ^ random[k]);
        }
    }
}

// The first SURE digits, which some spin of a warp needs nearly always, are drawn without asking; then STEP at a time.
template <int SURE, int STEP>
__device__ __forceinline__ void turn_alike_quad(const alike_rule &rule, uint64_t quad, uint32_t sweep,
                                                int phase, const uint32_t valid[4],
                                                const uint32_t n[4][ISING_NEIGHBOUR_WORDS], uint32_t spins[4])
{
    static_assert((32 - SURE) % STEP == 0, "no more than 32 digits");
    const quad_draws from = quad_draws_of(rule, quad, sweep);
    undecided u;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const uint32_t like = ~spins[k] ^ rule.unlike;
        const uint32_t a = n[k][0] ^ like, b = n[k][1] ^ like, c = n[k][2] ^ like, d = n[k][3] ^ like;
        const uint32_t ab = a & b, cd = c & d, four = ab & cd;
        u.three[k] = (ab & (c ^ d)) | (cd & (a ^ b));
        const uint32_t always = (rule.always[0] & u.three[k]) | (rule.always[1] & four);
        u.open[k] = (u.three[k] | four) & ~always & valid[k];
        u.drawn[k] = (~(u.three[k] | four) | always) & valid[k];
    }
    draw_digits<SURE>(rule, from, phase, 0, u);
#pragma unroll 1
    for (int first = SURE; first < 32 && (u.open[0] | u.open[1] | u.open[2] | u.open[3]); first += STEP)
        draw_digits<STEP>(rule, from, phase, first, u);
#pragma unroll
    for (int k = 0; k < 4; k++)
        spins[k] ^= u.drawn[k] & ~u.open[k];
}

} // namespace
} // namespace ising

#endif
