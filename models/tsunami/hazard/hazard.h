// Probabilistic hazard: the statistics of the results of an ensemble's members (docs/hazard.md). Reads the
// members' maxima.nc, points.nc, zones.nc and gauges.nc, block by block in fixed memory, and writes
// ensemble.nc (of a nested grid NAME.ensemble.nc) and tables in CSV. Independent of batches and of the
// command line: who the members are, and what they weigh, is the caller's.
#ifndef FATHOM_MODELS_TSUNAMI_HAZARD_HAZARD_H
#define FATHOM_MODELS_TSUNAMI_HAZARD_HAZARD_H

#include "core/status.h"
#include "models/tsunami/export/ensemble_check.h"

#include <stddef.h>

enum {
    HAZARD_THRESHOLDS_MAX = ENSEMBLE_THRESHOLDS_MAX,
    HAZARD_PERCENTILES = 5,
    HAZARD_MEMBERS_MAX = ENSEMBLE_MEMBERS_MAX,
    HAZARD_FILES_MAX = 36,
};

extern const double hazard_percentiles[HAZARD_PERCENTILES]; // 5, 15, 50, 85, 95

struct hazard_member {
    const char *name, *folder; // the folder of its results
    double weight;             // among all members, those without results, too; ≥ 0
    const char *settings;      // that its run.json must have, an object as JSON text; NULL: any
};

// How the percentiles of maps are found: from the values of all members, or from a histogram.
enum hazard_quantiles { HAZARD_AUTO, HAZARD_EXACT, HAZARD_HISTOGRAM };

struct hazard_request {
    const struct hazard_member *members; // with results
    size_t member_count;
    double weight; // of all members together, those without results, too
    size_t left_out;
    const char *directory; // of the results; made where it is missing
    // Heights for P(η > threshold), ascending; none: the threat levels of the members' points or
    // zones, else 0.3, 1 and 3 m.
    double thresholds_m[HAZARD_THRESHOLDS_MAX];
    size_t threshold_count;
    size_t memory_bytes; // at most; 0: 1 GiB
    enum hazard_quantiles quantiles;
    const char *title, *source, *history; // attributes of the files
};

// What was made.
struct hazard_result {
    size_t members, points, zones, stations, grids; // grids: with maps
    double weight;                                  // of the members with results, before it was divided by
    double thresholds_m[HAZARD_THRESHOLDS_MAX];
    size_t threshold_count;
    enum hazard_quantiles quantiles;   // EXACT or HISTOGRAM
    double relative_error, absolute_m; // bounds of the percentiles of heights on maps; 0: exact
    double arrival_error_s;            // of the median arrival on maps
    double lower_bound; // largest share of weight, of a point or zone, of members that are lower bounds
    size_t planned_bytes, passes;     // over the members' maps
    char files[HAZARD_FILES_MAX][96]; // in the directory
    size_t file_count;
};

// STATUS_NO_INPUT, naming the file: a member's results are missing. STATUS_DATA, naming file and place: they
// are damaged, of another model or other settings, or their grids, points, stations, times or thresholds
// differ; no member has a weight; nothing to evaluate. STATUS_CONFIGURATION: the memory does not suffice.
// STATUS_IO: nor does the disk. STATUS_CANNOT_CREATE. No file of a failure is left; each is whole or missing.
enum status hazard_make(const struct hazard_request *request, struct hazard_result *result);

#endif
