// Decisions in lanes, for ONE instruction set: this file is compiled several times, with ISA naming the set.
#include "models/ising/openmp_isa.h"

#include <string.h>

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif
#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

#define LANES_FUNCTION static inline __attribute__((always_inline, unused))

// High and low halves of the products by a constant.
struct halves {
    lanes high, low;
};

#if defined(__AVX512F__)
LANES_FUNCTION struct halves multiply(lanes a, uint32_t factor)
{
    const __m512i x = (__m512i)a, by = _mm512_set1_epi64(factor);
    const __m512i even = _mm512_mul_epu32(x, by), odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), by);
    return (struct halves){(lanes)_mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd),
                           (lanes)_mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32))};
}
#elif defined(__AVX2__)
LANES_FUNCTION struct halves multiply(lanes a, uint32_t factor)
{
    const __m256i x = (__m256i)a, by = _mm256_set1_epi64x(factor);
    const __m256i even = _mm256_mul_epu32(x, by), odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), by);
    return (struct halves){(lanes)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa),
                           (lanes)_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa)};
}
#else
LANES_FUNCTION struct halves multiply(lanes a, uint32_t factor)
{
    uint32_t high[LANES], low[LANES];
    struct halves product;
    for (int k = 0; k < LANES; k++) {
        const uint64_t whole = (uint64_t)a[k] * factor;
        high[k] = (uint32_t)(whole >> 32);
        low[k] = (uint32_t)whole;
    }
    memcpy(&product.high, high, sizeof high);
    memcpy(&product.low, low, sizeof low);
    return product;
}
#endif

LANES_FUNCTION lanes all(uint32_t x)
{
    return x - (lanes){0};
}

LANES_FUNCTION bool any(lanes x)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)x, (__m512i)x) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)x, (__m256i)x);
#else
    return (x[0] | x[1] | x[2] | x[3]) != 0;
#endif
}

// Philox4x32-10 of core/philox.h, a counter a lane: quads first … first + LANES − 1.
LANES_FUNCTION void draw(const struct philox_key *key, uint64_t first, uint32_t sweep, uint32_t purpose,
                         lanes words[4])
{
    lanes low = {0}, high = {0};
    for (int k = 0; k < LANES; k++) {
        low[k] = (uint32_t)(first + (uint64_t)k);
        high[k] = (uint32_t)((first + (uint64_t)k) >> 32);
    }
    lanes v0 = low, v1 = high, v2 = all(sweep), v3 = all(purpose);
    uint32_t k0 = key->v[0], k1 = key->v[1];
    for (int round = 0; round < 10; round++) {
        const struct halves p0 = multiply(v0, 0xD2511F53u), p1 = multiply(v2, 0xCD9E8D57u);
        v0 = p1.high ^ v1 ^ all(k0);
        v1 = p1.low;
        v2 = p0.high ^ v3 ^ all(k1);
        v3 = p0.low;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = v0;
    words[1] = v1;
    words[2] = v2;
    words[3] = v3;
}

#define WORD                                     lanes
#define WORDS(name)                              name##_lanes
#define EACH(u)                                  all(u)
#define ANY(w)                                   any(w)
#define QUADS                                    uint64_t
#define DIGITS                                   1
#define DRAW(rule, quads, sweep, purpose, words) draw(&(rule)->key, quads, sweep, purpose, words)
#include "models/ising/word.h"

// Word 4 l + k to lane l of `to[k]`, and back.
LANES_FUNCTION void share_out(const uint32_t *from, lanes to[4])
{
    uint32_t part[4][LANES];
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            part[k][l] = from[4 * l + k];
    memcpy(to, part, sizeof part);
}

LANES_FUNCTION void put_back(const lanes from[4], uint32_t *to)
{
    uint32_t part[4][LANES];
    memcpy(part, from, sizeof part);
    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < 4; k++)
            to[4 * l + k] = part[k][l];
}

static void turn(const struct ising_rule *rule, uint64_t first_word, uint32_t sweep, int phase,
                 struct ising_batch *batch)
{
    for (int first = 0; first < ISING_BATCH; first += 4 * LANES) {
        lanes spins[4], valid[4], neighbours[4][ISING_NEIGHBOUR_WORDS], side[4];
        share_out(&batch->spins[first], spins);
        share_out(&batch->valid[first], valid);
        for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++) {
            share_out(&batch->neighbours[n][first], side);
            for (int k = 0; k < 4; k++)
                neighbours[k][n] = side[k];
        }
        const uint64_t quad = (first_word + (uint64_t)first) / 4;
        if (rule->is_general)
            turn_each_lanes(rule, quad, sweep, phase, valid, neighbours, spins);
        else
            turn_alike_lanes(rule, quad, sweep, phase, valid, neighbours, spins);
        put_back(spins, &batch->spins[first]);
    }
}

static void draw_below(const struct philox_key *key, uint64_t first_word, uint32_t sweep, uint32_t purpose,
                       uint64_t threshold, uint8_t below[ISING_BATCH])
{
    for (int first = 0; first < ISING_BATCH; first += 4 * LANES) {
        lanes words[4];
        draw(key, (first_word + (uint64_t)first) / 4, sweep, purpose, words);
        for (int l = 0; l < LANES; l++)
            for (int k = 0; k < 4; k++)
                below[first + 4 * l + k] = words[k][l] < threshold;
    }
}

#define TEXT_(a)         #a
#define TEXT(a)          TEXT_(a)
#define TABLE_(name, of) name##of
#define TABLE(name, of)  TABLE_(name, of)

const struct ising_functions TABLE(ising_functions_, ISA) = {
    .instruction_set = TEXT(ISA), .turn = turn, .draw_below = draw_below};
