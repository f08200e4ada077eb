// Manufactured solutions: a chosen steady temperature, and the heat source that maintains it in media that
// vary, from −∇·(k∇θ) + P(θ − θ_a) = Q. Roache, P. J., J. Fluids Eng. 124, 4–10 (2002). Pure functions,
// independent of solvers.
#ifndef FATHOM_VALIDATE_CLOSED_MANUFACTURED_H
#define FATHOM_VALIDATE_CLOSED_MANUFACTURED_H

#include <stdbool.h>

// Smooth, in a box with one wave along each axis that has a length (z, y, x; 0: nothing varies along it):
// periodic, or with insulated sides (half a wave).
struct manufactured {
    double length_m[3];
    bool is_insulated;
    double conductivity_w_m_k, variation; // k = k₀ (1 + variation · product of waves)
    double amplitude_k, offset_k;         // θ = offset + amplitude · product of waves
    double perfusion_w_m3_k, arterial_k;
};
double manufactured_k(const struct manufactured *made, const double at_m[3]);
double manufactured_conductivity_w_m_k(const struct manufactured *made, const double at_m[3]);
double manufactured_source_w_m3(const struct manufactured *made, const double at_m[3]);

// Two alternating tissues along x in a periodic length L: `inner` between L/8 and 3L/8. The heat that flows,
// k∂θ, is smooth and equal on both sides: amplitude · (sin(2πx/L) + cos(4πx/L)/10) in θ per unit of 1/k.
struct manufactured_layers {
    double length_m, outer_w_m_k, inner_w_m_k, amplitude_k;
    double perfusion_w_m3_k;
};
bool manufactured_is_inner(const struct manufactured_layers *made, double x_m);
double manufactured_layers_k(const struct manufactured_layers *made, double x_m);
double manufactured_layers_source_w_m3(const struct manufactured_layers *made, double x_m);

#endif
