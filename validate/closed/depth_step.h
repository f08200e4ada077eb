// A small plane wave that meets a sudden change of depth at right angles: Lamb, H. (1932), Hydrodynamics, 6th
// ed., section 176. Pure functions, independent of solvers.
//
// Depth h1 for x < 0, h2 for x > 0; the wave comes from x < 0 and has the elevation f(t) at x = 0. With c =
// √(gh) and r = c2/c1, continuity of elevation and flux give
//   η = f(t − x/c1) + (1 − r)/(1 + r) f(t + x/c1)  for x < 0,   η = 2/(1 + r) f(t − x/c2)  for x > 0
// and u = g η/c for the waves that travel towards +x, −g η/c for the reflected wave.
#ifndef FATHOM_VALIDATE_CLOSED_DEPTH_STEP_H
#define FATHOM_VALIDATE_CLOSED_DEPTH_STEP_H

struct depth_step {
    double first_depth_m, second_depth_m, gravity_m_s2; // h1, h2, g > 0
};

double depth_step_transmission(const struct depth_step *step); // 2/(1 + r)
double depth_step_reflection(const struct depth_step *step);   // (1 − r)/(1 + r)

// The incident wave at x = 0, as a function of time.
typedef double depth_step_wave(const void *context, double time_s);

// Returns elevation (m) and velocity (m/s, towards +x; may be NULL) at (x, t). η is continuous at x = 0.
double depth_step_eta_m(const struct depth_step *step, depth_step_wave *incident, const void *context,
                        double x_m, double t_s, double *velocity_m_s);

#endif
