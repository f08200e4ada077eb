// Vectors of 64-bit lanes for ONE instruction set (models/isa.h): as wide as its registers. For
// Philox4x32-10 (core/philox.h) with a counter in each lane: a word is the lower half of its lane, and the
// upper half has no meaning. Only for files that are compiled once for each instruction set.
#ifndef FATHOM_MODELS_WIDE_H
#define FATHOM_MODELS_WIDE_H

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define WIDE_BYTES 64
#elif defined(__AVX2__)
#define WIDE_BYTES 32
#else
#define WIDE_BYTES 16
#endif
enum { WIDE_LANES = WIDE_BYTES / 8 };
typedef uint64_t wide __attribute__((vector_size(WIDE_BYTES)));

// The products of the lower halves with a constant.
static inline __attribute__((always_inline, unused)) wide wide_multiply(wide a, uint32_t factor)
{
#if defined(__AVX512F__)
    return (wide)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi64(factor));
#elif defined(__AVX2__)
    return (wide)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(factor));
#elif defined(__x86_64__)
    return (wide)_mm_mul_epu32((__m128i)a, _mm_set1_epi64x(factor));
#else
    return (a & 0xffffffffu) * factor;
#endif
}

#endif
