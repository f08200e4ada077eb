// Closed forms of the two-dimensional Ising model (see the header).
#include "models/ising/exact.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- Kaufman's four products. Each is carried as e^scale (value, first, second): itself and its derivatives
// by K.
struct product {
    double scale, value, first, second;
};

// γ_l of cosh γ_l = cosh 2K coth 2K − cos(lπ/n), and its derivatives by K; γ_0 = 2K + ln tanh K has a sign.
struct gamma {
    double value, first, second;
};

static struct gamma gamma_at(int l, int n, double k)
{
    const double s = sinh(2 * k), c = cosh(2 * k);
    if (l == 0)
        return (struct gamma){2 * k + log(tanh(k)), 2 + 2 / s, -4 * c / (s * s)};
    // d/dK and d²/dK² of cosh 2K coth 2K = sinh 2K + 1/sinh 2K.
    const double first = 2 * c - 2 * c / (s * s);
    const double second = 4 * s - 4 / s + 8 * c * c / (s * s * s);
    // cosh γ − 1 is small near γ = 0: 2 sinh²(lπ/2n) by its own terms.
    const double half = sin(l * pi / (2.0 * n)), excess = (s - 1) * (s - 1) / s + 2 * half * half;
    const double value = 2 * asinh(sqrt(excess / 2)), slope = sqrt(excess * (excess + 2)); // sinh γ
    const double gamma_first = first / slope;
    return (struct gamma){value, gamma_first, (second - (excess + 1) * gamma_first * gamma_first) / slope};
}

// Times 2 cosh(m γ/2) or 2 sinh(m γ/2).
static void multiply(struct product *p, const struct gamma *g, double m, int is_sinh)
{
    const double x = m * g->value / 2, x1 = m * g->first / 2, x2 = m * g->second / 2;
    const double small = exp(-2 * fabs(x)), sign = x < 0 ? -1 : 1;
    // Both without their factor e^{|x|}.
    const double even = 1 + small, odd = sign * -expm1(-2 * fabs(x));
    const double f = is_sinh ? odd : even, other = is_sinh ? even : odd;
    const double f1 = other * x1, f2 = other * x2 + f * x1 * x1;
    *p = (struct product){p->scale + fabs(x), p->value * f, p->first * f + p->value * f1,
                          p->second * f + 2 * p->first * f1 + p->value * f2};
    // Long products would overflow.
    const double size = fabs(p->value) + fabs(p->first) + fabs(p->second);
    p->scale += log(size);
    p->value /= size;
    p->first /= size;
    p->second /= size;
}

struct ising_exact ising_exact_periodic(int columns, int rows, double k)
{
    struct product products[4], sum = {0, 0, 0, 0};
    double largest = -INFINITY;
    for (int kind = 0; kind < 4; kind++) {
        struct product *p = &products[kind];
        *p = (struct product){0, 1, 0, 0};
        for (int r = 0; r < columns; r++) {
            const struct gamma g = gamma_at(kind < 2 ? 2 * r + 1 : 2 * r, columns, k);
            multiply(p, &g, rows, kind % 2);
        }
        largest = p->scale > largest ? p->scale : largest;
    }
    for (int kind = 0; kind < 4; kind++) {
        // The last has the sign of γ_0: it is subtracted above T_c.
        const double weight = exp(products[kind].scale - largest);
        sum.value += weight * products[kind].value;
        sum.first += weight * products[kind].first;
        sum.second += weight * products[kind].second;
    }
    const double sites = (double)columns * rows, s = sinh(2 * k), c = cosh(2 * k);
    const double first = sum.first / sum.value;
    // ln Z has N/2 ln(2 sinh 2K) besides.
    const double slope = c / s + first / sites;
    const double curve = -2 / (s * s) + (sum.second / sum.value - first * first) / sites;
    return (struct ising_exact){-slope, k * k * curve};
}

// ---- Onsager and Yang

// Complete elliptic integrals of modulus k, 0 ≤ k < 1, by the arithmetic-geometric mean (DLMF 19.8.5 and
// 19.8.6).
static void elliptic(double k, double *first, double *second)
{
    double a = 1, g = sqrt(1 - k * k), sum = k * k / 2, factor = 0.5;
    while (fabs(a - g) > 1e-15 * a) { // it converges quadratically
        const double c = (a - g) / 2, mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
        factor *= 2;
        sum += factor * c * c;
    }
    *first = pi / (2 * a);
    *second = *first * (1 - sum);
}

struct ising_exact ising_exact_infinite(double k)
{
    const double coth = 1 / tanh(2 * k), modulus = 2 * sinh(2 * k) / (cosh(2 * k) * cosh(2 * k));
    const double other = 2 * tanh(2 * k) * tanh(2 * k) - 1; // κ', with its sign
    double first, second;
    elliptic(modulus, &first, &second);
    const double energy = -coth * (1 + 2 / pi * other * first);
    const double heat =
        2 / pi * (k * coth) * (k * coth) * (2 * first - 2 * second - (1 - other) * (pi / 2 + other * first));
    return (struct ising_exact){energy, heat};
}

double ising_exact_magnetisation(double k)
{
    const double s = sinh(2 * k);
    return s > 1 ? pow(1 - 1 / (s * s * s * s), 0.125) : 0;
}
