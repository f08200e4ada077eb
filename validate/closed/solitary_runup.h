// Run-up of a solitary wave on a plane beach in closed form: Synolakis (1987), J. Fluid Mech. 185, 523-545.
// The benchmark BP1 of NOAA's and NTHMP's workshops (H/d 0.019, cot β 19.85). Independent of solvers.
//
// Dimensionless: lengths in d, times in √(d/g), velocities in √(gd). x = 0 at the initial shoreline, x
// seaward. The wave is that of solitary_wave.h; its spectrum is Φ(k) = (2/3) k csch(αk) exp(i k X1), α =
// π/2γ.
//
// Linear (his eq. 2.6 and 3.4), on the beach 0 ≤ x ≤ X0, with θ = X1 − X0 − t:
//   η = (4/3) ∫ k csch(αk) J0(2k√(x X0)) exp(ikθ) / (J0(2kX0) − i J1(2kX0)) dk            (k from −∞ to ∞)
// and in front of the beach the incoming wave and its reflection, matched at the toe in η and η_x.
//
// Nonlinear (section 3), by the transformation of Carrier & Greenspan (1958), J. Fluid Mech. 4, 97-109:
//   x = X0(σ²/16 − η)   t = X0(λ/2 − w)   η = ψ_λ/4 − w²/2   w = ψ_σ/σ   (w: landward velocity)
//   ψ = (16i/X0) ∫ Φ(k)/k J0(σkX0/2) exp(−ikX0(1 + λ/2)) / (J0(2kX0) − i J1(2kX0)) dk
// whose boundary value at the toe is the linear one; exact on the slope for waves that are small at the toe.
// The solution is single valued if the wave does not break during run-up: H/d < 0.8183 (cot β)^(−10/9)
// (his eq. 3.12, 0.0296 for BP1).
#ifndef FATHOM_VALIDATE_CLOSED_SOLITARY_RUNUP_H
#define FATHOM_VALIDATE_CLOSED_SOLITARY_RUNUP_H

#include "core/status.h"

#include <stddef.h>

struct solitary_runup;

// Tabulates the common factors of the integrals. height, cot_beta: H/d in 1e-4 … 0.1, cot β in 1 … 200,
// without breaking (otherwise STATUS_SOFTWARE, with the limit in the message); no memory → STATUS_SYSTEM.
// Release with solitary_runup_free.
enum status solitary_runup_new(double height, double cot_beta, struct solitary_runup **solution);
void solitary_runup_free(struct solitary_runup *solution); // NULL: does nothing

// Linear elevation at x ≥ 0 and time t.
double solitary_runup_linear(const struct solitary_runup *solution, double x, double t);

// Nonlinear elevation at (x, t), x ≤ X0, and landward velocity (NULL: not wanted). NaN where the beach is dry
// at that time. Beyond the toe: the linear solution (velocity NaN).
double solitary_runup_nonlinear(const struct solitary_runup *solution, double x, double t, double *velocity);

// The same elevation at many x at one time, some hundred times faster: by cubic interpolation between points
// of the transformed plane; within 1e-6 of solitary_runup_nonlinear.
void solitary_runup_profile(const struct solitary_runup *solution, double t, size_t count, const double *x,
                            double *eta);

// The shoreline at time t: its x (negative on land) and height η = −x/cot β; returns η.
double solitary_runup_shoreline(const struct solitary_runup *solution, double t, double *x);

// Largest run-up R/d of the solution itself, and when (NULL: not wanted).
double solitary_runup_largest(const struct solitary_runup *solution, double *time);

// The run-up law R/d = 2.831 √cot β (H/d)^(5/4) (his eq. 3.9): the first term of the solution above for long
// beaches, √(H/d) ≫ 0.288 tan β.
double solitary_runup_law(double height, double cot_beta);

#endif
