// See virial.h. Simpson's rule throughout.
#include "validate/closed/virial.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double spacing(const struct virial_potential *potential)
{
    return (potential->end - potential->start) / (double)(potential->count - 1);
}

// Simpson's weight of the node k of `count`, in spacings.
static double weight(size_t k, size_t count)
{
    return (k == 0 || k == count - 1 ? 1 : k % 2 ? 4 : 2) / 3.;
}

// f r at a node, with its weight; below the first node f = −1.
static double weighted(const struct virial_potential *potential, double temperature, size_t k)
{
    const double h = spacing(potential), r = potential->start + (double)k * h;
    return weight(k, potential->count) * h * expm1(-potential->energy[k] / temperature) * r;
}

double virial_second(const struct virial_potential *potential, double temperature)
{
    double sum = -potential->start * potential->start / 2;
    for (size_t k = 0; k < potential->count; k++)
        sum += weighted(potential, temperature, k);
    return -pi * sum;
}

// f̂(k)
static double transform(const struct virial_potential *potential, double temperature, double wave)
{
    const double h = spacing(potential), start = potential->start;
    // ∫ J₀(kr) r dr from 0 on is r J₁(kr)/k.
    double sum = wave > 0 ? -start * j1(wave * start) / wave : -start * start / 2;
    for (size_t k = 0; k < potential->count; k++)
        sum += weighted(potential, temperature, k) * j0(wave * (start + (double)k * h));
    return 2 * pi * sum;
}

double virial_third(const struct virial_potential *potential, double temperature)
{
    // f̂ falls as k^(−5/2) where U ends with a kink, as k^(−3/2) where it jumps.
    enum { WAVES = 1601 };
    const double last = 80, h = last / (WAVES - 1);
    double sum = 0;
    for (size_t n = 0; n < WAVES; n++) {
        const double wave = (double)n * h, f = transform(potential, temperature, wave);
        sum += weight(n, WAVES) * h * f * f * f * wave;
    }
    return -sum / (6 * pi);
}
