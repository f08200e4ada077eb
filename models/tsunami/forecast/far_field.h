// What shallow-water equations leave out over the width of an ocean, as a correction of a series at a place:
// the sea water's compressibility, the Earth's elasticity and self-gravity under the water's load, and the
// finite depth. Waves of all periods are slower for it: over 4 km of water by 1.02 % at a period of 1000 s,
// 1.06 % at 2000 s, 3.4 % at 300 s. The phase velocity c over the depth D, wave number k, degree n = kR − ½:
//
//   c²(k) = g D · tanh(kD)/(kD) · (1 − 3ρw/((2n + 1)ρe) · (1 + k'n − h'n)) · (1 − gD/4s²)²
//
//   tanh        linear waves over a flat bottom (Airy)
//   1 + k' − h' load Love numbers of the Earth (Farrell 1972, Rev. Geophys. 10, 761-797,
//               doi:10.1029/RG010i003p00761, table A2): the potential of the water's own mass and of the
//               ground that it presses down, and the ground's fall itself, as in the equations of the tides
//               (Hendershott 1972, Geophys. J. R. astr. Soc. 29, 389-402) and, for tsunamis, of Allgeyer &
//               Cummins 2014 (Geophys. Res. Lett. 41, 2368-2375, doi:10.1002/2014GL059348) and Baba et al.
//               2017 (Ocean Modelling 111, 46-54, doi:10.1016/j.ocemod.2017.01.002)
//   1 − gD/4s²  sea water of sound speed s: 0.44 % at 4 km (Watada 2013, Geophys. Res. Lett. 40, 4001-4006,
//               doi:10.1002/grl.50785)
//
// The series is corrected by its phases, after Watada, Kusumoto & Satake 2014 (J. Geophys. Res. Solid Earth
// 119, 4287-4310, doi:10.1002/2013JB010841), for an ocean of one depth. A component with the frequency ω of a
// series of long waves has the wave number k = ω/√(gD). It has this wave number from the source, and so in
// truth the frequency r ω, r = c(k)/√(gD). At a time t after the event its phase is r ω t, late by t(1 − r)
// to first order: waves that came directly, and those that were reflected, each by its own travel time. Below
// degree 20 (periods beyond 2.8 h at 4 km) the delay is that of degree 20. Uses arrays only.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_FAR_FIELD_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_FAR_FIELD_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { FAR_FIELD_SAMPLES_MAX = 1 << 16 };
// Of the depth: what an ocean has. Watada et al. take 4 km for the Pacific.
#define FAR_FIELD_DEPTH_LEAST_M 500.0
#define FAR_FIELD_DEPTH_MOST_M  8000.0

struct far_field {
    double depth_m; // D: the mean along the path
    // The series has the dispersion of finite depth already (physics.dispersion): the factor tanh is left
    // out.
    bool is_dispersive;
};

// r of a wave with the period `period_s` in the series: 0 < r ≤ 1. The period is > 0.
double far_field_ratio(const struct far_field *sea, double period_s);

// Corrects values[count] at ascending times_s[count] ≥ 0 after the event, in place. Uneven times are made
// even by linear interpolation first. Before the first sample the sea is at rest. Takes some count²
// operations: 0.2 s for a day of samples of 30 s. STATUS_DATA: a value that is not a number, more than
// FAR_FIELD_SAMPLES_MAX, times before 0 or not ascending. STATUS_SYSTEM: no memory.
enum status far_field_correct(const struct far_field *sea, const double *times_s, double *values,
                              size_t count);

// The same for several series at the same times, in place: series[series_count], each [count]. Sixteen take
// hardly longer than one. Statuses of far_field_correct; after a failure some may be corrected.
enum status far_field_correct_all(const struct far_field *sea, const double *times_s, double *const *series,
                                  size_t series_count, size_t count);

#endif
