// Slips of unit sources from observed series of the surface, by non-negative least squares
// (models/tsunami/forecast/nnls.h): the inversion with which forecasts begin (Percival et al. 2011,
// Extraction of tsunami source coefficients via inversion of DART buoy data, Nat. Hazards 58, 567–590,
// doi:10.1007/s11069-010-9688-1); and how the sum of the sources so scaled compares with what was observed,
// at stations that took part and at others. Waves of unit sources add up because the deep ocean's are nearly
// linear. Uses arrays only: no file, no database.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_INVERT_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_INVERT_H

#include "core/status.h"
#include "models/tsunami/forecast/nnls.h"

#include <stdbool.h>
#include <stddef.h>

// Values at ascending times; the caller's.
struct invert_series {
    size_t samples;
    const double *times_s; // since the event
    const double *eta_m;
};

struct invert_station {
    const char *name;
    struct invert_series observed;    // m
    const struct invert_series *unit; // [sources]: m for a metre of slip, each at least one sample
    bool is_fitted;                   // else only compared with
    bool is_forecast;                 // never shifted: its record has no say
    // What is fitted and compared; NaN: where the waves are, see invert_window.
    double begin_s, end_s;
    double weight;  // > 0: of each of its residuals
    double shift_s; // by which the waves come later here than those of the sources; 0: not known
};

// How far the waves of a station may be shifted in time, either way: the smaller of both. INFINITY: not
// limited so; 0: not shifted.
struct invert_bound {
    double share; // of the travel time: from the event to the begin of the waves
    double time_s;
};

struct invert_request {
    size_t source_count; // ≥ 1; to be fitted: at most NNLS_COLUMNS_MAX
    const char *const *source_names;
    size_t station_count;
    const struct invert_station *stations;
    // The waves begin so much after the event: long ruptures take minutes, a database's sources none.
    double delay_s;
    // ≥ 0, a share of the largest sensitivity of all observations together to a metre of one source: slips
    // that the observations hardly determine stay small. 0: none.
    double damping;
    // A constant is taken from each record, the one with which it fits best: what is left of the tide.
    bool has_offsets;
    // A shift is found for each station that is fitted (invert_solve), or compared and no forecast
    // (invert_evaluate), beside its own shift_s. A positive shift: the record comes later than the sources
    // say. Ocean-wide tsunamis come up to 2 % of their travel time later than long waves do (Watada,
    // Kusumoto & Satake 2014, J. Geophys. Res. Solid Earth 119, 4287-4310, doi:10.1002/2013JB010841), and
    // sooner or later by what the grid and the bathymetry miss; so a shift for each station is found with the
    // slips (Romano et al. 2016, Geophys. Res. Lett. 43, doi:10.1002/2016GL071310).
    struct invert_bound shift;
};

// The sum of the sources against one station's record, within its window.
struct invert_fit {
    double begin_s, end_s;
    double shift_s, bound_s; // of this station: the whole shift (positive: the record comes later than the
                             // sources say), and how far it was sought
    size_t samples;          // observed within the window
    double offset_m;
    double variance_reduction; // 1 − Σ(observed − fitted)²/Σ observed²: 1 is perfect
    double rms_m;              // of observed − fitted
    double observed_rms_m;     // of observed alone, offset taken away
    // The largest elevations: observed at its samples, fitted at those of its sources. Offset taken away.
    double observed_peak_m, observed_peak_s, fitted_peak_m, fitted_peak_s;
    double *fitted_m; // [observed.samples], offset included; NaN where a source has ended; owned
};

struct invert_result {
    double *slips_m; // [source_count]; owned
    struct nnls_result nnls;
    int shift_rounds;                 // in which slips and shifts were found in turn; 0: no shifts
    double variance_reduction, rms_m; // of all stations that were fitted, without weights
    struct invert_fit *fits;          // [station_count]; owned
};

// Where the sources' first waves are at a station: from the first moment at which one of them is a twentieth
// of the largest elevation (or drawdown) of all of them to the last at which one is a fifth of it; what comes
// later was scattered by coasts that a coarse grid does not have. Within the record and the shortest of the
// sources. The station's own window (begin_s, end_s) takes precedence; the other one is longer by the
// station's bound at both ends (bound_s, 0: not shifted). Times since the event, delay included.
// STATUS_CONFIGURATION: an empty window, or no wave from any source, naming the station.
enum status invert_window(const struct invert_request *request, const struct invert_station *station,
                          double *bound_s, double *begin_s, double *end_s);

// Finds the slips, and shifts if wanted, and fills in the result; free it in any case. Slips and shifts
// are found in turn until no shift changes by more than 0.1 s: for given shifts the slips are those of
// least squares, for given slips each shift is the best of its range. The misfit falls in every round; the
// result is a minimum, not always the lowest. STATUS_CONFIGURATION: no station to fit, fewer observations
// than sources without damping, an empty window, no observation in it that all sources reach, no source
// that reaches any station. STATUS_SYSTEM.
enum status invert_solve(const struct invert_request *request, struct invert_result *result);

// The same for slips that are known: compares only. slips_m[source_count].
enum status invert_evaluate(const struct invert_request *request, const double *slips_m,
                            struct invert_result *result);

void invert_free(const struct invert_request *request, struct invert_result *result);

// What a station is worth, by leaving it out: fitted to the others (with shifts, if wanted; the one that is
// left out is not shifted).
struct invert_left_out {
    bool is_there; // else not fitted, the only one that is, or the others do not determine the slips
    double variance_reduction, rms_m; // at this station, whose record was not used
    double fitted_peak_m, fitted_peak_s;
    // Of the other fitted stations together: fitted with this one, and without it.
    double others_with, others_without;
    // Without it the others' unexplained variance is at most half of what it is with it, and smaller by
    // INVERT_SPOILED of their variance: one near the source, with a large wave that the sources do not make,
    // moves slip to where it is wrong for the others.
    bool spoils;
};
#define INVERT_SPOILED 0.03

// result: that of invert_solve. left_out[station_count]. STATUS_SYSTEM.
enum status invert_leave_out(const struct invert_request *request, const struct invert_result *result,
                             struct invert_left_out *left_out);

#endif
