// A small standing wave in a closed rectangular basin of constant depth: Lamb, H. (1932), Hydrodynamics, 6th
// ed., section 190 (walls at x = 0, a and y = 0, b). Pure functions, independent of solvers.
//   η = A cos(mπx/a) cos(nπy/b) cos ωt   ω = π √(gh) √(m²/a² + n²/b²)
//   u = A g/ω (mπ/a) sin(mπx/a) cos(nπy/b) sin ωt, v likewise
#ifndef FATHOM_VALIDATE_CLOSED_BASIN_MODE_H
#define FATHOM_VALIDATE_CLOSED_BASIN_MODE_H

struct basin_mode {
    double length_m, width_m, depth_m, gravity_m_s2; // a, b, h, g; all > 0
    int along, across;                               // m, n ≥ 0, not both 0
    double amplitude_m;                              // A
};

double basin_mode_frequency_per_s(const struct basin_mode *mode); // ω
double basin_mode_eta_m(const struct basin_mode *mode, double x_m, double y_m, double t_s);
void basin_mode_velocity_m_s(const struct basin_mode *mode, double x_m, double y_m, double t_s, double *u,
                             double *v);

#endif
