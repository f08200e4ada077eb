// Elementary functions with the same bits on every machine (see the header). The compiler must not fuse or
// reorder anything: -ffp-contract=off, and no -ffast-math, as everywhere in Fathom.
#include "core/reproducible.h"

#include <math.h>

// ln 2 in two parts; the first has 20 zero bits at its end, so that its product with a small whole number is
// exact.
static const double ln2_high = 0x1.62e42fefp-1, ln2_low = 0x1.473de6af278edp-34;
static const double half_root = 0.70710678118654752440, two_pi = 6.28318530717958647693;
static const double root_two_pi = 2.50662827463100050242; // √(2π)

// e^x = 2^k e^r with |r| ≤ ln(2)/2; Taylor's series of e^r to r¹⁴.
double reproducible_exp(double x)
{
    if (x < -745.2)
        return 0;
    if (x > 709.7)
        return (double)INFINITY;
    const double k = floor(x / (ln2_high + ln2_low) + 0.5);
    const double r = (x - k * ln2_high) - k * ln2_low;
    double sum = 1;
    for (int n = 14; n > 0; n--)
        sum = 1 + r * sum / n;
    return ldexp(sum, (int)k);
}

// log(2^k m) = k ln 2 + 2 artanh(s), s = (m − 1)/(m + 1), |s| ≤ 0.172; the series to s²⁵.
double reproducible_log(double x)
{
    int k;
    double m = frexp(x, &k);
    if (m < half_root) {
        m *= 2;
        k--;
    }
    const double s = (m - 1) / (m + 1), square = s * s;
    double sum = 0;
    for (int n = 25; n > 1; n -= 2)
        sum = square * (sum + 1.0 / n);
    return k * ln2_high + (2 * s + (2 * s * sum + k * ln2_low));
}

double reproducible_power(double base, double exponent)
{
    return reproducible_exp(exponent * reproducible_log(base));
}

// Taylor's series of sin (first = 1) or cos (first = 0) of r, |r| ≤ π/4.
static double series_of(double r, int first)
{
    double sum = 1;
    for (int n = 18 + first; n > first; n -= 2)
        sum = 1 - r * r * sum / (n * (n - 1.0));
    return first ? r * sum : sum;
}

double reproducible_cos_turns(double turns)
{
    const double t = turns - floor(turns), quarter = floor(4 * t + 0.5);
    const double r = (t - 0.25 * quarter) * two_pi;
    switch ((int)quarter % 4) {
    case 0:
        return series_of(r, 0);
    case 1:
        return -series_of(r, 1);
    case 2:
        return -series_of(r, 0);
    default:
        return series_of(r, 1);
    }
}

double reproducible_sin_turns(double turns)
{
    return reproducible_cos_turns(turns - 0.25);
}

// Upper tail for x ≥ 3: Laplace's continued fraction φ(x)/(x + 1/(x + 2/(x + 3/(x + …)))) (Abramowitz &
// Stegun 26.2.14).
static double tail_of(double x)
{
    double fraction = x;
    for (int n = 200; n > 0; n--)
        fraction = x + n / fraction;
    return reproducible_exp(-0.5 * x * x) / (root_two_pi * fraction);
}

// Between: 1/2 + φ(x)(x + x³/3 + x⁵/(3·5) + …) (Abramowitz & Stegun 26.2.11), whose terms have one sign.
double reproducible_normal_probability(double x)
{
    if (x < -3)
        return tail_of(-x);
    if (x > 3)
        return 1 - tail_of(x);
    double term = x, sum = x;
    for (int n = 3; n < 120; n += 2) {
        term *= x * x / n;
        sum += term;
    }
    return 0.5 + reproducible_exp(-0.5 * x * x) / root_two_pi * sum;
}

static double polynomial(const double coefficients[8], double x)
{
    double sum = coefficients[7];
    for (int k = 6; k >= 0; k--)
        sum = sum * x + coefficients[k];
    return sum;
}

// Wichura, M. J. (1988), Algorithm AS 241: the percentage points of the normal distribution, Appl. Statist.
// 37, 477–484, PPND16: three ratios of polynomials, for the middle, for tails to e⁻²⁵, and beyond.
double reproducible_normal_quantile(double p)
{
    static const double middle[2][8] = {
        {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
         4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
        {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
         2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
    static const double near[2][8] = {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
         3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
         2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
         1.05075007164441684324e-9}};
    static const double far[2][8] = {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
         2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
         7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
         2.04426310338993978564e-15}};
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(middle[0], r) / polynomial(middle[1], r);
    }
    const double root = sqrt(-reproducible_log(q < 0 ? p : 1 - p));
    const double size = root <= 5 ? polynomial(near[0], root - 1.6) / polynomial(near[1], root - 1.6)
                                  : polynomial(far[0], root - 5) / polynomial(far[1], root - 5);
    return q < 0 ? -size : size;
}
