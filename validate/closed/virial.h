// Virial coefficients of a gas in two dimensions, from its pair potential: P/(ρT) = 1 + B₂ρ + B₃ρ² + …
// Hansen & McDonald, Theory of Simple Liquids, 4th ed. (2013), section 3.9. With Mayer's f = e^{−U/T} − 1:
//   B₂ = −½ ∫ f d²r,   B₃ = −⅓ ∫∫ f(r) f(s) f(|r − s|) d²r d²s = −(1/6π) ∫ f̂(k)³ k dk,   f̂(k) = 2π ∫ f
//                      J₀(kr) r dr.
#ifndef FATHOM_VALIDATE_CLOSED_VIRIAL_H
#define FATHOM_VALIDATE_CLOSED_VIRIAL_H

#include <stddef.h>

// U at `count` (odd) evenly spaced distances from `start`, where e^{−U/T} is negligible, to `end`, the
// cut-off of U.
struct virial_potential {
    double start, end;
    size_t count;
    const double *energy;
};

double virial_second(const struct virial_potential *potential, double temperature);
double virial_third(const struct virial_potential *potential, double temperature);

#endif
