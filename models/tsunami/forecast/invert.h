// Slips of unit sources from observed series of the surface, by non-negative least squares
// (models/tsunami/forecast/nnls.h): the inversion with which forecasts begin (Percival et al. 2011,
// Extraction of tsunami source coefficients via inversion of DART buoy data, Nat. Hazards 58, 567–590,
// doi:10.1007/s11069-010-9688-1); and how the sum of the sources so scaled compares with what was observed,
// at stations that took part and at others. Waves of unit sources add up because the deep ocean's are nearly
// linear. Knows arrays only: no file, no database.
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
    // What is fitted and compared; NaN: where the waves are, see invert_window.
    double begin_s, end_s;
    double weight; // > 0: of each of its residuals
};

struct invert_request {
    size_t source_count; // 1 … NNLS_COLUMNS_MAX
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
};

// The sum of the sources against one station's record, within its window.
struct invert_fit {
    double begin_s, end_s;
    size_t samples; // observed within the window
    double offset_m;
    double variance_reduction; // 1 − Σ(observed − fitted)²/Σ observed²: 1 is perfect
    double rms_m;              // of observed − fitted
    // The largest elevations: observed at its samples, fitted at those of its sources. Offset taken away.
    double observed_peak_m, observed_peak_s, fitted_peak_m, fitted_peak_s;
    double *fitted_m; // [observed.samples], offset included; NaN where a source has ended; owned
};

struct invert_result {
    double *slips_m; // [source_count]; owned
    struct nnls_result nnls;
    double variance_reduction, rms_m; // of all stations that were fitted, without weights
    struct invert_fit *fits;          // [station_count]; owned
};

// Where the sources' first waves are at a station: from the first moment at which one of them is a twentieth
// of the largest elevation (or drawdown) of all of them to the last at which one is a fifth of it; what comes
// later was scattered by coasts that a coarse grid does not have. Within the record and the shortest of the
// sources. The station's own window (begin_s, end_s) takes precedence. Times since the event, delay included.
// STATUS_CONFIGURATION: an empty window, or no wave from any source, naming the station.
enum status invert_window(const struct invert_request *request, const struct invert_station *station,
                          double *begin_s, double *end_s);

// Finds the slips and fills in the result; free it in any case. STATUS_CONFIGURATION: no station to fit,
// fewer observations than sources without damping, an empty window, no observation in it that all sources
// reach, no source that reaches any station. STATUS_SYSTEM.
enum status invert_solve(const struct invert_request *request, struct invert_result *result);

// The same for slips that are known: compares only. slips_m[source_count].
enum status invert_evaluate(const struct invert_request *request, const double *slips_m,
                            struct invert_result *result);

void invert_free(const struct invert_request *request, struct invert_result *result);

#endif
