// The initial solitary wave of the benchmarks of run-up on a plane beach. Pure functions, independent of
// solvers.
//
// Frame: x = 0 at the initial shoreline, x seaward; the beach 1 : cot β ends in water of constant depth at
// its toe, X0 = d cot β. The wave (Synolakis 1987, J. Fluid Mech. 185, 523-545, eq. 2.7; Synolakis, Bernard,
// Titov, Kânoğlu & González 2007, NOAA Tech. Memo. OAR PMEL-135, section A1):
//   η(x, 0) = H sech²(γ (x − X1)/d)     γ = √(3H/4d)     u(x, 0) = −√(g/d) η(x, 0)
//   X1 = X0 + L     L = d arccosh(√20)/γ: at this distance from the crest the wave is H/20 high, so that
//                   almost all of it starts off the beach
#ifndef FATHOM_VALIDATE_CLOSED_SOLITARY_WAVE_H
#define FATHOM_VALIDATE_CLOSED_SOLITARY_WAVE_H

struct solitary_wave {
    double depth_m, height_m, gravity_m_s2; // d, H, g; all > 0
    double gamma;                           // γ, dimensionless
    double toe_m, half_length_m, crest_m;   // X0, L, X1
};

// cot_beta ≥ 0; 0 puts the toe at x = 0 (no beach).
struct solitary_wave solitary_wave_before_beach(double depth_m, double height_m, double cot_beta,
                                                double gravity_m_s2);

// Elevation (m) and velocity (m/s, seaward positive: the wave comes in, so ≤ 0) at t = 0.
double solitary_wave_eta_m(const struct solitary_wave *wave, double x_m);
double solitary_wave_velocity_m_s(const struct solitary_wave *wave, double x_m);

#endif
