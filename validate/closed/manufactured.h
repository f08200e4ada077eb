// Manufactured solutions: a chosen steady temperature, and the heat source that maintains it in a medium of
// variable conductivity, from −∇·(k∇θ) + P(θ − θ_a) = Q. Roache, P. J., J. Fluids Eng. 124, 4–10 (2002). Pure
// functions, independent of solvers.
#ifndef FATHOM_VALIDATE_CLOSED_MANUFACTURED_H
#define FATHOM_VALIDATE_CLOSED_MANUFACTURED_H

#include <stdbool.h>

// A smooth solution in a box: one wave along each axis with a length (z, y, x; 0: uniform along it),
// periodic, or half a wave between insulated faces.
struct manufactured {
    double length_m[3];
    bool is_insulated;
    double conductivity_w_m_k, variation; // k = k₀ (1 + variation · product of waves)
    double amplitude_k, offset_k;         // θ = offset + amplitude · product of waves
    double perfusion_w_m3_k, arterial_k;
};
double manufactured_k(const struct manufactured *solution, const double at_m[3]);
double manufactured_conductivity_w_m_k(const struct manufactured *solution, const double at_m[3]);
double manufactured_source_w_m3(const struct manufactured *solution, const double at_m[3]);

// Two tissues along x in a periodic length L: `inner` between L/8 and 3L/8, `outer` elsewhere. θ = amplitude
// (s(L/8) + (s(x) − s(L/8)) k_outer/k) with s(x) = sin(2πx/L) + cos(4πx/L)/10: θ is continuous, and the heat
// flux k ∂θ/∂x is smooth.
struct manufactured_layers {
    double length_m, outer_w_m_k, inner_w_m_k, amplitude_k;
    double perfusion_w_m3_k;
};
bool manufactured_is_inner(const struct manufactured_layers *solution, double x_m);
double manufactured_layers_k(const struct manufactured_layers *solution, double x_m);
double manufactured_layers_source_w_m3(const struct manufactured_layers *solution, double x_m);

#endif
