// Decisions of a quad's four words on the device (models/ising/state.h, DECISIONS), as in
// models/ising/word.inc, with less work for a digit: the thresholds' digits are computed on the host.
#ifndef FATHOM_GPU_ISING_DECIDE_CUH
#define FATHOM_GPU_ISING_DECIDE_CUH

#include "gpu/ising/quad.cuh"
#include "models/ising/place.h"
#include "models/ising/rule.h"

namespace ising {
namespace {

inline uint32_t all_bits(uint64_t is_set)
{
    return is_set ? 0xffffffffu : 0;
}

// METROPOLIS without a field: by digits, all bits or none.
struct alike_rule {
    uint32_t differ[32]; // whether those of the two thresholds differ
    uint32_t four[32];   // of the threshold for four satisfied neighbours
    uint32_t unlike;     // as in ising_rule
    uint32_t always[2];  // spins with three, or four, flip in any case
};

inline alike_rule alike_rule_of(const ising_rule &rule)
{
    alike_rule r;
    for (int digit = 0; digit < 32; digit++) {
        r.differ[digit] = all_bits((rule.three ^ rule.four) >> (31 - digit) & 1);
        r.four[digit] = all_bits(rule.four >> (31 - digit) & 1);
    }
    r.unlike = rule.unlike;
    r.always[0] = all_bits(rule.three >> 32);
    r.always[1] = all_bits(rule.four >> 32);
    return r;
}

// HEAT_BATH, or METROPOLIS in a field: of [spin up][neighbours up]; with 1 neighbour or more, the difference
// from that of 0.
struct each_rule {
    uint32_t digits[32][2][5], always[2][5];
};

inline each_rule each_rule_of(const ising_rule &rule)
{
    each_rule r;
    for (int up = 0; up < 2; up++)
        for (int n = 0; n < 5; n++) {
            const uint64_t threshold = rule.thresholds[up][n], other = n > 0 ? rule.thresholds[up][0] : 0;
            for (int digit = 0; digit < 32; digit++)
                r.digits[digit][up][n] = all_bits((threshold ^ other) >> (31 - digit) & 1);
            r.always[up][n] = all_bits((threshold ^ other) >> 32);
        }
    return r;
}

struct decision_rule {
    round_keys keys;
    bool is_heat_bath;
    alike_rule alike;
    each_rule each;
};

inline decision_rule decision_rule_of(const ising_rule &rule)
{
    return {round_keys_of(rule.key), rule.is_heat_bath, alike_rule_of(rule), each_rule_of(rule)};
}

struct undecided {
    uint32_t open[4], drawn[4]; // open: not decided by the digits so far; `drawn` of these is provisional
};

// A quad's random words. The first SURE digits, which some spin of a warp needs nearly always, are drawn
// without a test, the others STEP at a time. Now: when they are needed; ahead: before the spins, on which
// they do not depend, are known.
template <int sure, int step> struct draws_now {
    static constexpr int SURE = sure, STEP = step;
    quad_draws from;

    DEVICE draws_now(const round_keys &keys, uint64_t quad, uint32_t sweep, int)
        : from(quad_draws_of(keys, quad, sweep))
    {
    }
    DEVICE void take(const round_keys &keys, int sublattice, int digit, uint32_t random[4]) const
    {
        draw_words(keys, from, ising_purpose(ISING_USE_SPINS, sublattice, digit), random);
    }
};

template <int sure, int step> struct draws_ahead {
    static constexpr int SURE = sure, STEP = step;
    quad_draws from;
    uint32_t words[sure][4];

    DEVICE draws_ahead(const round_keys &keys, uint64_t quad, uint32_t sweep, int sublattice)
        : from(quad_draws_of(keys, quad, sweep))
    {
#pragma unroll
        for (int digit = 0; digit < sure; digit++)
            draw_words(keys, from, ising_purpose(ISING_USE_SPINS, sublattice, digit), words[digit]);
    }
    DEVICE void take(const round_keys &, int, int digit, uint32_t random[4]) const
    {
#pragma unroll
        for (int k = 0; k < 4; k++)
            random[k] = words[digit][k];
    }
};

// A spin is decided by the first digit in which its threshold's bit differs from the random bit; the result
// is the threshold's bit. ours(digit, k): the thresholds' bits of word k.
template <typename Ours>
DEVICE void compare_digit(const uint32_t random[4], int digit, const Ours &ours, undecided &u)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        u.drawn[k] = (u.open[k] & ~random[k]) | (~u.open[k] & u.drawn[k]);
        u.open[k] &= ~(ours(digit, k) ^ random[k]);
    }
}

// Spins that no digit decides do not flip.
template <typename Draws, typename Ours>
DEVICE void draw_all(const round_keys &keys, const Draws &draws, int sublattice, const Ours &ours,
                     undecided &u)
{
    constexpr int SURE = Draws::SURE, STEP = Draws::STEP;
    static_assert((32 - SURE) % STEP == 0, "no more than 32 digits");
    uint32_t random[4];
#pragma unroll
    for (int digit = 0; digit < SURE; digit++) {
        draws.take(keys, sublattice, digit, random);
        compare_digit(random, digit, ours, u);
    }
#pragma unroll 1
    for (int first = SURE; first < 32 && (u.open[0] | u.open[1] | u.open[2] | u.open[3]); first += STEP)
#pragma unroll
        for (int digit = first; digit < first + STEP; digit++) {
            draw_words(keys, draws.from, ising_purpose(ISING_USE_SPINS, sublattice, digit), random);
            compare_digit(random, digit, ours, u);
        }
#pragma unroll
    for (int k = 0; k < 4; k++)
        u.drawn[k] &= ~u.open[k];
}

template <typename Draws>
DEVICE void flip_alike(const decision_rule &rule, const Draws &draws, int sublattice, const uint32_t valid[4],
                       const uint32_t n[4][ISING_NEIGHBOUR_WORDS], uint32_t spins[4])
{
    const alike_rule &r = rule.alike;
    uint32_t three[4];
    undecided u;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const uint32_t like = ~spins[k] ^ r.unlike; // ^ neighbour: whether that one is satisfied
        const uint32_t a = n[k][0] ^ like, b = n[k][1] ^ like, c = n[k][2] ^ like, d = n[k][3] ^ like;
        const uint32_t ab = a & b, cd = c & d, four = ab & cd;
        three[k] = (ab & (c ^ d)) | (cd & (a ^ b));
        const uint32_t always = (r.always[0] & three[k]) | (r.always[1] & four);
        u.open[k] = (three[k] | four) & ~always & valid[k];
        u.drawn[k] = (~(three[k] | four) | always) & valid[k];
    }
    const auto ours = [&](int digit, int k) { return (three[k] & r.differ[digit]) ^ r.four[digit]; };
    draw_all(rule.keys, draws, sublattice, ours, u);
#pragma unroll
    for (int k = 0; k < 4; k++)
        spins[k] ^= u.drawn[k];
}

// up: the spins with 1 … 4 neighbours up.
DEVICE uint32_t by_neighbours(const uint32_t of[5], const uint32_t up[4])
{
    return of[0] ^ (up[0] & of[1]) ^ (up[1] & of[2]) ^ (up[2] & of[3]) ^ (up[3] & of[4]);
}

// by_value: the threshold depends on the spin itself, too; HEAT_BATH's do not.
template <bool by_value, typename Draws>
DEVICE void flip_each(const decision_rule &rule, const Draws &draws, int sublattice, const uint32_t valid[4],
                      const uint32_t n[4][ISING_NEIGHBOUR_WORDS], uint32_t spins[4])
{
    const each_rule &r = rule.each;
    uint32_t up[4][4];
    undecided u;
    const auto of = [&](const uint32_t table[2][5], int k) {
        const uint32_t high = by_neighbours(table[1], up[k]);
        return by_value ? (spins[k] & high) | (~spins[k] & by_neighbours(table[0], up[k])) : high;
    };
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const uint32_t a = n[k][0], b = n[k][1], c = n[k][2], d = n[k][3], ab = a & b, cd = c & d;
        const uint32_t odd = a ^ b ^ c ^ d;
        up[k][0] = odd & ~(ab | cd);
        up[k][1] = ~odd & (a | b | c | d) & ~(ab & cd);
        up[k][2] = odd & (ab | cd);
        up[k][3] = ab & cd;
        const uint32_t always = of(r.always, k);
        u.drawn[k] = always & valid[k];
        u.open[k] = ~always & valid[k];
    }
    const auto ours = [&](int digit, int k) { return of(r.digits[digit], k); };
    draw_all(rule.keys, draws, sublattice, ours, u);
#pragma unroll
    for (int k = 0; k < 4; k++)
        spins[k] = by_value ? spins[k] ^ u.drawn[k] : u.drawn[k];
}

} // namespace
} // namespace ising

#endif
