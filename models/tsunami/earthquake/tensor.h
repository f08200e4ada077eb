// Moment tensors and the planes of their double couples. Pure functions. Independent of files, jobs and
// grids.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_TENSOR_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_TENSOR_H

#include "core/status.h"

// Strike 0…360, clockwise from north; dip above 0, up to 90, to the right of strike; rake −180…180 of the
// hanging wall, 0 left-lateral, 90 thrust (Aki & Richards 2002, Quantitative Seismology, fig. 4.20).
struct earthquake_mechanism {
    double strike_deg, dip_deg, rake_deg;
};

// Components in N m along r (up), t (south) and p (east), as the Global CMT catalogue and the USGS give them.
struct earthquake_tensor {
    double rr, tt, pp, rt, rp, tp;
};

// What a tensor shows. Axes T, N, P belong to the largest, middle and smallest eigenvalue.
struct earthquake_solution {
    double eigenvalues_n_m[3]; // descending
    // Of the best double couple, (λ1 − λ3)/2: the scalar moment of the Global CMT catalogue (Dziewonski et
    // al. 1981, J. Geophys. Res. 86, 2825–2852).
    double moment_n_m;
    double clvd; // 2 |λ2| / max(|λ1|, |λ3|): 0 for a double couple, 1 for a compensated dipole
    struct earthquake_mechanism planes[2]; // the shallower-dipping one first
};

enum earthquake_style { EARTHQUAKE_STRIKE_SLIP, EARTHQUAKE_REVERSE, EARTHQUAKE_NORMAL };

// Moment magnitude of a moment and back: M0 = 10^(1.5 Mw + 9.1) N m (Kanamori 1977; IASPEI 2005).
double earthquake_magnitude(double moment_n_m);
double earthquake_moment_n_m(double magnitude);

// Reverse for a rake of 45 to 135 degrees, normal for −135 to −45, else strike-slip.
enum earthquake_style earthquake_style_of(double rake_deg);
const char *earthquake_style_name(enum earthquake_style style); // "reverse"

// The double couple of a plane (Aki & Richards 2002, box 4.4).
struct earthquake_tensor earthquake_tensor_of(const struct earthquake_mechanism *plane, double moment_n_m);

// The other nodal plane.
struct earthquake_mechanism earthquake_other_plane(const struct earthquake_mechanism *plane);

// Eigenvalues and nodal planes. `about` begins the messages. A trace left by rounding, up to 2 % of the
// moment, is removed. STATUS_DATA: a component is not finite, all are zero, a larger trace, or a moment whose
// magnitude lies outside 3…10, as it does with a wrong exponent.
enum status earthquake_tensor_solve(const struct earthquake_tensor *tensor, const char *about,
                                    struct earthquake_solution *solution);

#endif
