// Random slip on a rectangle, as a spatial random field with von Kármán autocorrelation. Pure functions over
// one table of correlation lengths. Independent of jobs, files and grids.
//
// Slip is lognormal, so that it is nowhere negative: slip = mean · exp(σ g − σ²/2), g a normal field, σ² =
// ln(1 + v²), v its coefficient of variation. g has the autocorrelation ln(1 + v² ρ)/ln(1 + v²), by which the
// slip's own is exactly ρ (LeVeque, Waagan, González, Rim & Lin 2016, Pure Appl. Geophys. 173, 3671–3692,
// doi 10.1007/s00024-016-1357-1), that of von Kármán:
//   ρ(r) = r^H K_H(r) / (2^(H−1) Γ(H)),  r² = (x/a)² + (z/b)²,
// whose spectrum is proportional to (1 + (a kx)² + (b kz)²)^−(H+1), a and b the correlation lengths along
// strike and down dip, H the Hurst exponent (Mai & Beroza 2002, J. Geophys. Res. 107(B11), 2308, doi
// 10.1029/2001JB000588). The spectrum is cut off where the patches no longer resolve it, and scaled so that
// the variance stays v². The field is periodic over twice the plane and four correlation lengths more.
//
// Then the slip is tapered at the edges by half a cosine, and scaled so that its mean over the plane is the
// plane's slip: the moment is kept to rounding (some 1e-15). All numbers up to this last scaling have the
// same bits on every machine (core/reproducible.h).
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RANDOM_SLIP_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RANDOM_SLIP_H

#include "core/status.h"
#include "models/tsunami/earthquake/okada.h"

#include <stddef.h>
#include <stdint.h>

enum { RANDOM_SLIP_PATCHES_MAX = 10000, RANDOM_SLIP_ROW_MAX = 1000 }; // in all, in a row or a column

enum random_slip_scaling { RANDOM_SLIP_MAI_BEROZA, RANDOM_SLIP_MELGAR_HAYES, RANDOM_SLIP_SCALINGS };

extern const char random_slip_choices[]; // the names as a job's choices: "mai-beroza|melgar-hayes"
const char *random_slip_name(enum random_slip_scaling scaling);
const char *random_slip_title(enum random_slip_scaling scaling); // "Mai & Beroza (2002)"
enum random_slip_scaling random_slip_named(const char *name);    // of the choices

struct random_slip_correlation {
    double along_m, down_m; // correlation lengths, to whole metres
    double hurst;
};

// Of a plane's length and width.
struct random_slip_correlation random_slip_correlation_of(enum random_slip_scaling scaling, double length_m,
                                                          double width_m);

struct random_slip {
    uint64_t seed;
    double length_m, width_m; // of the plane; rounded to whole metres before use
    struct random_slip_correlation correlation;
    double variation;        // standard deviation over mean of the slip, before the taper; 0: the same slip
    double taper, taper_top; // part of the length at each end and of the width at the lower edge; of the
                             // width at the upper edge; 0 … 0.5
    size_t along, down;      // number of patches
};

// Patches of at most `patch_m`, or, if that is NaN, of at most half the shorter correlation length, whose
// field keeps 94 % of its variance for H = 0.75. STATUS_CONFIGURATION: too many of them.
enum status random_slip_divide(double patch_m, const char *about, struct random_slip *slip);

// Values of all patches, [down][along], along strike fastest, the upper row first. The field before taper and
// scaling: its mean over many seeds is 1. STATUS_SYSTEM: no memory.
enum status random_slip_field(const struct random_slip *slip, double *values);
// Tapered and scaled to a mean of 1: multiples of the plane's slip.
enum status random_slip_values(const struct random_slip *slip, double *values);

// The patches of a plane (reference FAULT_CENTRE, geographic) with their slip; [along · down].
// STATUS_CONFIGURATION: a patch would lie beyond 89 degrees of latitude.
enum status random_slip_patches(const struct random_slip *slip, const struct fault *plane,
                                double earth_radius_m, const double *values, const char *about,
                                struct fault *patches);

#endif
