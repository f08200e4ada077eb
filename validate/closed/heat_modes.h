// Plane waves of temperature in a uniform medium with perfusion, in a periodic box: θ = a sin(k·x + φ),
// heated by a source of the same shape. Their rate of decay is D|k|² + P: the exact solution in Fourier space
// of Gao, Langer & Corry, Int. J. Hyperthermia 11, 267–285 (1995). With the modified wavenumber of a
// difference operator it solves the semi-discrete equations exactly; a comparison then shows only the error
// in time. Pure functions, independent of solvers.
#ifndef FATHOM_VALIDATE_CLOSED_HEAT_MODES_H
#define FATHOM_VALIDATE_CLOSED_HEAT_MODES_H

#include <stddef.h>
#include <stdint.h>

struct heat_mode {
    double diffusivity_m2_s, perfusion_per_s; // D > 0, P ≥ 0
    double wave_number_rad_m[3];              // along z, y, x
};

// Rates of decay (1/s) with the exact second derivative, and with (−1, 16, −30, 16, −1)/12h² on points
// `spacing_m` apart (0: an axis without flux).
double heat_mode_rate_per_s(const struct heat_mode *mode);
double heat_mode_discrete_rate_per_s(const struct heat_mode *mode, const double spacing_m[3]);

// Amplitude (K) after a time, from `amplitude_k` under a source of `source_k_s`: a e^{−λt} + s (1 −
// e^{−λt})/λ.
double heat_mode_after(double rate_per_s, double amplitude_k, double source_k_s, double time_s);
// The same after explicit Euler steps: a ← a + Δt (s − λ a).
double heat_mode_after_euler(double rate_per_s, double amplitude_k, double source_k_s, double step_s,
                             int64_t steps);

// A profile on `count` points of a periodic line after a time, by the semi-discrete equation without
// perfusion: each Fourier mode decays at its discrete rate. `end` must not overlap `start`.
void heat_line_after(size_t count, double spacing_m, double diffusivity_m2_s, double time_s,
                     const double *start, double *end);

#endif
