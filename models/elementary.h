// Elementary functions without branches and calls, for loops that the compiler makes vectors of. They use +,
// −, ×, ÷ and exact operations alone, so that their bits are the same for every instruction set
// (models/isa.h), in a vector and alone. Errors: some units in the last place, as each function says.
// Arguments that a function does not name (infinite, not a number, subnormal) give no meaningful result.
//
// Coefficients: polynomials through the functions at Chebyshev's points, in 60 digits, rounded to double; the
// largest difference of each from its function, on the interval that it is used on, stands beside it.
#ifndef FATHOM_MODELS_ELEMENTARY_H
#define FATHOM_MODELS_ELEMENTARY_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ELEMENTARY_INLINE static inline __attribute__((always_inline, unused))

// Natural logarithm of a normal x > 0; error 3·10⁻¹⁶ of the larger of the result and 1.
// x = 2^k m with √½ ≤ m < √2, log m = 2s + s³ P(s²), s = (m − 1)/(m + 1).
ELEMENTARY_INLINE double elementary_log(double x)
{
    static const uint64_t one = 0x3ff0000000000000, root_half = 0x3fe6a09e667f3bcd,
                          whole = 0x4330000000000000;
    static const double ln2_high = 0x1.62e42fefp-1, ln2_low = 0x1.473de6af278edp-34; // core/reproducible.c
    uint64_t bits, mantissa, number;
    double m, k;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t exponent = (bits + (one - root_half)) >> 52; // k + 1023
    mantissa = bits - (exponent << 52) + one;
    memcpy(&m, &mantissa, sizeof m);
    number = exponent | whole; // 2⁵² + k + 1023 as a double: a conversion that every instruction set has
    memcpy(&k, &number, sizeof k);
    k -= 0x1p52 + 1023;
    const double s = (m - 1) / (m + 1), z = s * s;
    double p = 0.130866262887013; // 4e-17
    p = p * z + 0.1326877312518755;
    p = p * z + 0.15386239703317603;
    p = p * z + 0.1818179564012366;
    p = p * z + 0.22222222391714003;
    p = p * z + 0.28571428570803614;
    p = p * z + 0.40000000000000879;
    p = p * z + 0.66666666666666663;
    return k * ln2_high + (2 * s + (s * z * p + k * ln2_low));
}

// The angle of (x, y), −π … π, as atan2(y, x); not both 0. Error 5·10⁻¹⁶.
ELEMENTARY_INLINE double elementary_atan2(double y, double x)
{
    static const double quarter_pi = 0.78539816339744831, half_pi = 1.5707963267948966,
                        pi = 3.1415926535897932;
    const double a = fabs(x), b = fabs(y), less = b > a ? a : b, more = b > a ? b : a;
    // From 0 … π/4 to −π/8 … π/8: the angle of (x + y, y − x) is smaller by π/4.
    const double is_large = less > 0.41421356237309503 * more ? 1 : 0;
    const double t = (less - is_large * more) / (more + is_large * less), z = t * t;
    double p = 0.016285755473349803; // 2e-17
    p = p * z + -0.03457056073451243;
    p = p * z + 0.04551593172142479;
    p = p * z + -0.052304542600213687;
    p = p * z + 0.058789289963916344;
    p = p * z + -0.066664248856127428;
    p = p * z + 0.076922963750251538;
    p = p * z + -0.090909087535006358;
    p = p * z + 0.11111111105155441;
    p = p * z + -0.14285714285659828;
    p = p * z + 0.19999999999999804;
    p = p * z + -0.33333333333333331;
    const double eighth = is_large * quarter_pi + (t + t * z * p);
    const double quarter = b > a ? half_pi - eighth : eighth;
    const double half = x < 0 ? pi - quarter : quarter;
    return y < 0 ? -half : half;
}

// sin x for −π/2 ≤ x ≤ π/2; error 2·10⁻¹⁶ of x.
ELEMENTARY_INLINE double elementary_sin(double x)
{
    const double z = x * x;
    double p = -8.0060698651679774e-18; // 1e-17
    p = p * z + 2.8104687775113055e-15;
    p = p * z + -7.6471391219760876e-13;
    p = p * z + 1.6059043479418868e-10;
    p = p * z + -2.5052108382391406e-08;
    p = p * z + 2.7557319223971264e-06;
    p = p * z + -0.00019841269841269806;
    p = p * z + 0.0083333333333333332;
    p = p * z + -0.16666666666666666;
    return x + x * z * p;
}

// cos x for −π/2 ≤ x ≤ π/2; error 2·10⁻¹⁶.
ELEMENTARY_INLINE double elementary_cos(double x)
{
    const double z = x * x;
    double p = 4.0019568054003049e-19; // 1e-17
    p = p * z + -1.5613549465660235e-16;
    p = p * z + 4.7794609439011829e-14;
    p = p * z + -1.1470745310597301e-11;
    p = p * z + 2.0876756984753232e-09;
    p = p * z + -2.7557319223965316e-07;
    p = p * z + 2.4801587301587224e-05;
    p = p * z + -0.0013888888888888889;
    p = p * z + 0.041666666666666664;
    p = p * z + -0.5;
    return 1 + z * p;
}

#endif
