// The arithmetic at one point of the FAST versions (the processor's and the GPU's): differences along an
// axis, the flux through a face, the rate of thermal dose. The reference does not use it. Knows nothing of
// arrays, rows or threads.
//
// Included once per precision with REAL (float or double) and POINT(name) (adds the precision's suffix)
// defined. Compiled for host and device (core/host_device.h).
//
// The flux through a face that lies between cells 0 and 1 of the four −1, 0 | 1, 2 is made of three
// differences of neighbours, d₋ = θ₀ − θ₋₁, d = θ₁ − θ₀, d₊ = θ₂ − θ₁: those of close values are exact, so
// that a slow rise is not lost in what it rises from. With them the fourth-order gradient (θ₋₁ − 15θ₀ + 15θ₁
// − θ₂)/12 is (14 d − d₋ − d₊)/12.
//
// MADD(a,b,c) = a·b + c is a fused multiply-add wherever the processor has one: written out, because
// contraction by the compiler is off.

#include "core/host_device.h"

#ifndef MADD
#if FATHOM_HAS_FMA
#define MADD(a, b, c) POINT(fma)((a), (b), (c))
#else
#define MADD(a, b, c) ((a) * (b) + (c))
#endif
#endif

static FATHOM_HOST_DEVICE REAL POINT(fma)(REAL a, REAL b, REAL c)
{
    return sizeof(REAL) == sizeof(float) ? (REAL)__builtin_fmaf((float)a, (float)b, (float)c)
                                         : (REAL)__builtin_fma((double)a, (double)b, (double)c);
}

// The gradient times the spacing at a face within one medium, fourth order.
static FATHOM_HOST_DEVICE REAL POINT(face_gradient)(REAL d_minus, REAL d, REAL d_plus)
{
    return MADD((REAL)(14.0 / 12.0), d, (REAL)(-1.0 / 12.0) * (d_minus + d_plus));
}

// Sum of what comes through both faces along an axis within one medium, per conductance of the medium: the
// five-point formula, `near` = 4/3 and `far` = −1/12 of it: (θ₋₁ − 2θ₀ + θ₁)·near + (θ₋₂ − 2θ₀ + θ₂)·far,
// added to `sum`.
static FATHOM_HOST_DEVICE REAL POINT(axis_sum)(REAL m2, REAL m1, REAL at, REAL p1, REAL p2, REAL near,
                                               REAL far, REAL sum)
{
    const REAL first = (p1 - at) - (at - m1), second = (p2 - at) - (at - m2);
    return MADD(near, first, MADD(far, second, sum));
}

// What full fields have in common at a face: the conductivities of its four cells.
struct POINT(face_medium) {
    REAL m1, at, p1, p2;
};

// Two-point conductivity of a face, the harmonic mean; 0 between two voids.
static FATHOM_HOST_DEVICE REAL POINT(harmonic)(REAL a, REAL b)
{
    const REAL sum = a + b;
    return (REAL)2 * (a * b) / (sum > (REAL)0 ? sum : (REAL)1);
}

// Whether the four-point flux holds: k of the four differ by no more than the contrast limit, and none is
// void.
static FATHOM_HOST_DEVICE int POINT(is_smooth)(struct POINT(face_medium) k, REAL contrast_limit)
{
    const REAL low_a = k.m1 < k.at ? k.m1 : k.at, low_b = k.p1 < k.p2 ? k.p1 : k.p2;
    const REAL high_a = k.m1 > k.at ? k.m1 : k.at, high_b = k.p1 > k.p2 ? k.p1 : k.p2;
    const REAL low = low_a < low_b ? low_a : low_b, high = high_a > high_b ? high_a : high_b;
    return (low > (REAL)0) & (high <= contrast_limit * low);
}

// k ∂θ/∂x times the spacing at a face of a medium that varies from cell to cell: fourth order where it is
// smooth, with the same stencil as face_gradient where it is constant.
static FATHOM_HOST_DEVICE REAL POINT(field_flux)(struct POINT(face_medium) k, REAL contrast_limit,
                                                 REAL d_minus, REAL d, REAL d_plus)
{
    const REAL sides = d_minus + d_plus, pair = k.at + k.p1, outer = k.m1 + k.p2;
    const REAL bend = (k.p2 - k.p1) - (k.at - k.m1);
    // (−k₋₁ + 9k₀ + 9k₁ − k₂)/16 · (θ₋₁ − 27θ₀ + 27θ₁ − θ₂)/24, and 1/24 of the derivatives' products
    const REAL mean = MADD((REAL)(9.0 / 16.0), pair, (REAL)(-1.0 / 16.0) * outer);
    const REAL slope = MADD((REAL)26, d, -sides);
    const REAL curved = MADD((REAL)0.5 * pair, MADD((REAL)-2, d, sides),
                             MADD(k.p1 - k.at, d_plus - d_minus, (REAL)0.5 * bend * d));
    const REAL smooth = (REAL)(1.0 / 24.0) * MADD(mean, slope, -curved);
    const REAL plain = POINT(harmonic)(k.at, k.p1) * d;
    return POINT(is_smooth)(k, contrast_limit) ? smooth : plain;
}

// Derivatives of field_flux by θ of the four cells, in their order: for the implicit share of the
// three-colour method.
static FATHOM_HOST_DEVICE struct POINT(face_medium)
    POINT(field_flux_slopes)(struct POINT(face_medium) k, REAL contrast_limit)
{
    const REAL pair = k.at + k.p1, outer = k.m1 + k.p2, rise = k.p1 - k.at;
    const REAL bend = (k.p2 - k.p1) - (k.at - k.m1);
    const REAL mean = MADD((REAL)(9.0 / 16.0), pair, (REAL)(-1.0 / 16.0) * outer);
    const REAL part = (REAL)(1.0 / 24.0), half = (REAL)0.5;
    const REAL harmonic = POINT(harmonic)(k.at, k.p1);
    const int is_smooth = POINT(is_smooth)(k, contrast_limit);
    struct POINT(face_medium) by;
    by.m1 = is_smooth ? part * (mean + half * pair - rise) : (REAL)0;
    by.at = is_smooth ? part * ((REAL)-27 * mean - (REAL)1.5 * pair + rise + half * bend) : -harmonic;
    by.p1 = is_smooth ? part * ((REAL)27 * mean + (REAL)1.5 * pair + rise - half * bend) : harmonic;
    by.p2 = is_smooth ? part * (-mean - half * pair - rise) : (REAL)0;
    return by;
}

// 2^x for x of any size, by its Taylor series about the nearest integer, within 2 units in the last place:
// plain arithmetic, so that it vectorises and gives the same bits everywhere. What lies beyond ±126 (single)
// or ±1022 counts as these.
static FATHOM_HOST_DEVICE REAL POINT(exp2)(REAL x)
{
    // 1.5 · 2^23 or 2^52: what is added to it is rounded to an integer, which then stands in its last bits.
    const REAL shift = sizeof(REAL) == sizeof(float) ? (REAL)12582912.0 : (REAL)6755399441055744.0;
    const REAL most = sizeof(REAL) == sizeof(float) ? (REAL)126 : (REAL)1022;
    x = x > most ? most : x;
    x = x > -most ? x : -most;
    const REAL shifted = x + shift, t = (x - (shifted - shift)) * (REAL)0.69314718055994530942;
    REAL sum = (REAL)(1.0 / 5040.0);
    if (sizeof(REAL) == sizeof(double)) {
        sum = MADD((REAL)(1.0 / 6227020800.0), t, (REAL)(1.0 / 479001600.0));
        sum = MADD(sum, t, (REAL)(1.0 / 39916800.0));
        sum = MADD(sum, t, (REAL)(1.0 / 3628800.0));
        sum = MADD(sum, t, (REAL)(1.0 / 362880.0));
        sum = MADD(sum, t, (REAL)(1.0 / 40320.0));
        sum = MADD(sum, t, (REAL)(1.0 / 5040.0));
    }
    sum = MADD(sum, t, (REAL)(1.0 / 720.0));
    sum = MADD(sum, t, (REAL)(1.0 / 120.0));
    sum = MADD(sum, t, (REAL)(1.0 / 24.0));
    sum = MADD(sum, t, (REAL)(1.0 / 6.0));
    sum = MADD(sum, t, (REAL)0.5);
    sum = MADD(sum, t, (REAL)1);
    sum = MADD(sum, t, (REAL)1);
    // 2^n as bits: n in the exponent's place. (shift's own last bits are 0.)
    union {
        REAL real;
        POINT(bits) bits;
    } factor = {.real = shifted};
    if (sizeof(REAL) == sizeof(float))
        factor.bits = (POINT(bits))((factor.bits + 127) << 23);
    else
        factor.bits = (POINT(bits))((factor.bits + 1023) << (sizeof(REAL) == sizeof(double) ? 52 : 0));
    return sum * factor.real;
}

// What the rate of dose depends on, as rises above the reference temperature. Below `least` nothing counts,
// above `most` everything does at once; `turn` is 43 °C.
struct POINT(dose_law) {
    REAL turn, least, most;
    int remembers; // R stays 0.5 where `turn` was reached before (ISO)
};

// R^(43 − T): minutes at 43 °C that a minute counts for.
static FATHOM_HOST_DEVICE REAL POINT(dose_rate)(struct POINT(dose_law) law, REAL theta, int has_passed)
{
    const REAL above = theta - law.turn;
    const REAL power = (theta >= law.turn) | (law.remembers & has_passed) ? above : (REAL)2 * above;
    const REAL rate = POINT(exp2)(power);
    return theta > law.most ? (REAL)INFINITY : theta >= law.least ? rate : (REAL)0;
}
