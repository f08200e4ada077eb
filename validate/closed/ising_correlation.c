// Correlations along a row of the infinite lattice (see the header).
#include "validate/closed/ising_correlation.h"

#include <complex.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

// The trapezoidal rule converges exponentially for a periodic function; near β_c slower, by its distance to
// the unit circle.
enum { NODES = 1 << 14, SPAN = 2 * ISING_CORRELATION_MAX + 1 };

// a_n = 1/2π ∫ e^{−inθ} φ(θ) dθ of n = −last … last, φ = √((1 − α₁ e^{iθ})(1 − α₂ e^{−iθ}) / ((1 − α₁
// e^{−iθ})(1 − α₂ e^{iθ}))), the root that is 1 at θ = π. In the middle of a.
static void find_coefficients(double beta, int last, double *a)
{
    const double z = tanh(beta), first = z * (1 - z) / (1 + z), second = (1 - z) / (1 + z) / z;
    for (int n = -last; n <= last; n++)
        a[n] = 0;
    for (int k = 0; k < NODES; k++) {
        const double theta = 2 * pi * (k + 0.5) / NODES;
        // Of modulus 1: the phases of its factors are between −π/2 and π/2, or of second > 1 between −π and
        // π.
        const double one = carg(1 - first * cexp(I * theta));
        const double other = carg(1 - second * cexp(-I * theta));
        const double phase = one + other;
        for (int n = -last; n <= last; n++)
            a[n] += cos(phase - n * theta) / NODES;
    }
}

// By elimination with the largest element of a column; m: [size][size], spoilt.
static double determinant(double *m, int size)
{
    double product = 1;
    for (int column = 0; column < size; column++) {
        int largest = column;
        for (int row = column + 1; row < size; row++)
            if (fabs(m[row * size + column]) > fabs(m[largest * size + column]))
                largest = row;
        for (int k = 0; k < size && largest != column; k++) {
            const double kept = m[column * size + k];
            m[column * size + k] = m[largest * size + k];
            m[largest * size + k] = kept;
        }
        const double pivot = m[column * size + column];
        product *= largest == column ? pivot : -pivot;
        for (int row = column + 1; row < size && pivot != 0; row++) {
            const double factor = m[row * size + column] / pivot;
            for (int k = column; k < size; k++)
                m[row * size + k] -= factor * m[column * size + k];
        }
    }
    return product;
}

void ising_exact_correlation(double beta, int last, double *g)
{
    double a[SPAN], m[ISING_CORRELATION_MAX * ISING_CORRELATION_MAX];
    double *middle = a + ISING_CORRELATION_MAX;
    find_coefficients(beta, last, middle);
    g[0] = 1;
    for (int r = 1; r <= last; r++) {
        for (int row = 0; row < r; row++)
            for (int column = 0; column < r; column++)
                m[row * r + column] = middle[row - column];
        g[r] = determinant(m, r);
    }
}

double ising_exact_length(double beta)
{
    return 1 / (log(1 / tanh(beta)) - 2 * beta);
}
