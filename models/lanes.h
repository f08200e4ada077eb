// Lanes of numbers for ONE instruction set and one precision: what the arithmetic of nbody/point.h and gas/point.h needs of them. Included once per
// precision, with LANES_DOUBLE 0 or 1 and POINT(name) defined; lanes_end.h undoes it. Knows no body and no particle.
// Gives, for point.h, REAL (lanes), NUMBER, MADD, GUESS_ORDER; SCALAR (a number), SCALAR_INT (an integer as wide),
// REAL_INT (lanes of those), LANES (how many), LEAST_SQUARE (the least number that the guess takes), and
//   POINT(lanes)(x)          all lanes x
//   POINT(load)(a)           LANES numbers from an address of any alignment
//   POINT(guess)(x)          about 1/√x
//   POINT(kept)(mask, x)     x where the mask is −1, else 0
//   POINT(total)(x)          the sum of the lanes, in a fixed order
// The guesses are the processor's own: those of two makers may differ in a result's last bits.

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define LANES_BYTES 64
#elif defined(__AVX2__)
#define LANES_BYTES 32
#else
#define LANES_BYTES 16
#endif

#if LANES_DOUBLE
#define SCALAR       double
#define SCALAR_INT   int64_t
#define LEAST_SQUARE 0x1p-1022
#else
#define SCALAR       float
#define SCALAR_INT   int32_t
#define LEAST_SQUARE 0x1p-126f
#endif
#define LANES ((int)(LANES_BYTES / sizeof(SCALAR)))

typedef SCALAR POINT(real) __attribute__((vector_size(LANES_BYTES)));
typedef SCALAR_INT POINT(real_int) __attribute__((vector_size(LANES_BYTES)));
#define REAL      POINT(real)
#define REAL_INT  POINT(real_int)
#define NUMBER(c) POINT(lanes)((SCALAR)(c))

#define LANES_FUNCTION static inline __attribute__((always_inline, unused))

LANES_FUNCTION REAL POINT(lanes)(SCALAR x)
{
    return x - (REAL){0};
}

LANES_FUNCTION REAL POINT(load)(const SCALAR *from)
{
    REAL lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

LANES_FUNCTION REAL POINT(kept)(REAL_INT mask, REAL x)
{
    return (REAL)((REAL_INT)x & mask);
}

LANES_FUNCTION SCALAR POINT(total)(REAL x)
{
    SCALAR part[LANES_BYTES / sizeof(SCALAR)];
    memcpy(part, &x, sizeof part);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            part[k] += part[k + half];
    return part[0];
}

#if defined(__AVX512F__) && LANES_DOUBLE
#define MADD(a, b, c) ((REAL)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#elif defined(__AVX512F__)
#define MADD(a, b, c) ((REAL)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#elif defined(__AVX2__) && LANES_DOUBLE
#define MADD(a, b, c) ((REAL)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#elif defined(__AVX2__)
#define MADD(a, b, c) ((REAL)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#else
#define MADD(a, b, c) ((a) * (b) + (c))
#endif

#define PULLS_ARE_SCALED // nbody/openmp_pull.h multiplies

// Relative errors: 2⁻¹⁴, 1.5 · 2⁻¹² (single only), or that of two roundings. In double the root and the division are as fast as
// mending a guess of 12 bits.
#if defined(__AVX512F__) && LANES_DOUBLE
#define GUESS_ORDER 3
#define GUESS(x)    ((REAL)_mm512_rsqrt14_pd((__m512d)(x)))
#elif defined(__AVX512F__)
#define GUESS_ORDER 1
#define GUESS(x)    ((REAL)_mm512_rsqrt14_ps((__m512)(x)))
#elif defined(__AVX2__) && LANES_DOUBLE
#define GUESS_ORDER 0
#define GUESS(x)    ((REAL)_mm256_div_pd(_mm256_set1_pd(1), _mm256_sqrt_pd((__m256d)(x))))
#elif defined(__AVX2__)
#define GUESS_ORDER 2
#define GUESS(x)    ((REAL)_mm256_rsqrt_ps((__m256)(x)))
#elif defined(__x86_64__) && LANES_DOUBLE
#define GUESS_ORDER 0
#define GUESS(x)    ((REAL)_mm_div_pd(_mm_set1_pd(1), _mm_sqrt_pd((__m128d)(x))))
#elif defined(__x86_64__)
#define GUESS_ORDER 2
#define GUESS(x)    ((REAL)_mm_rsqrt_ps((__m128)(x)))
#else
#define GUESS_ORDER 0
#define GUESS(x)    POINT(plain_guess)(x)
LANES_FUNCTION REAL POINT(plain_guess)(REAL x)
{
    for (int k = 0; k < LANES; k++)
        x[k] = (SCALAR)1 / (LANES_DOUBLE ? (SCALAR)sqrt((double)x[k]) : (SCALAR)sqrtf((float)x[k]));
    return x;
}
#endif

LANES_FUNCTION REAL POINT(guess)(REAL x)
{
    return GUESS(x);
}
#undef GUESS
