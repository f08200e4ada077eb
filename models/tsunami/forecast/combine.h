// Forecasts from a propagation database: the waves of unit sources times their slips, added. In deep water a
// tsunami is linear to the ratio of its height to the depth, so the sum stands for a run of all the faults
// together.
//
// The results are those of a run: fields.nc (eta, u, v, as far as all sources have them), gauges.nc (if all
// have the same gauges), maxima.nc (the largest of the records of eta); and NOAA's form on request.
// Everything is added in double precision, in the order of the slips, value = Σ slip / (slip of the source's
// own run) · value of the source, and stored in single precision unless a source is stored in double: a
// single source with its own slip is reproduced bit for bit. A value missing in one source is missing in the
// sum. Fields that all sources store rounded, as integers, are stored so, at the coarsest of their
// resolutions; the file states the largest error: Σ |slip / (slip of the run)| · error of the source, plus
// half of the resolution.
//
// Independent of the command line. Not thread-safe (netCDF-C is not).
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_COMBINE_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_COMBINE_H

#include "core/status.h"
#include "models/tsunami/forecast/database.h"
#include "models/tsunami/forecast/slips.h"

#include <stdbool.h>
#include <stddef.h>

#define COMBINE_MEMORY_BYTES ((size_t)512 << 20)

// Texts are the caller's.
struct combine_request {
    const struct database *database;
    const struct slip_list *slips;
    const char *directory;                          // of the results; created if absent; not in the database
    const char *noaa;                               // also PATH_ha.nc, PATH_ua.nc, PATH_va.nc; NULL = not
    const char *title, *history, *source, *comment; // of the files; each may be NULL
    // "2011-03-11 05:46:24": the date that times count from; NULL = the sources', if one and the same
    const char *origin;
    // > 0: each source's gauges are corrected for the far field over an ocean of that depth (far_field.h), as
    // `fathom invert` corrects them; the fields are not.
    double far_field_depth_m;
    size_t memory_bytes; // most that is taken, libraries included; 0 = COMBINE_MEMORY_BYTES
    bool compress;
    bool is_unrounded; // fields of rounded sources are not rounded again, but stored in double precision
    // A part of the fields: the nodes that enclose a box (degrees; west and east in any convention, south and
    // north), and the records that enclose a span of time (s of the sources). STATUS_DATA: not within them.
    bool has_longitudes, has_latitudes, has_times;
    double longitudes[2], latitudes[2], times_s[2];
    bool is_gauges_only; // the sources' fields are neither read nor added
};

struct combination {
    bool has[PROPAGATION_QUANTITIES]; // of the fields
    size_t records, rows, columns;    // of the fields; 0 without
    double latitude[2], longitude[2], last_s;
    size_t stations, station_records; // of the gauges; 0 without
    bool is_double;
    size_t
        partly_missing; // nodes that some, not all, of the sources have water at (in the first record of eta)
    double largest_m, largest_latitude, largest_longitude, largest_time_s; // of eta's records; NaN without
    char date[128];                                                        // that times count from, or ""
    size_t planned_bytes;                                                  // of memory, at most
    double roundings[PROPAGATION_QUANTITIES]; // the fields' largest errors (m, m/s); 0: not rounded
};

// Reads the sources in blocks of as many records as memory_bytes allows: memory does not grow with the files.
// All sources must have the same grid, times and convertible units; the first difference is reported with its
// place. STATUS_DATA: unknown source, no common quantity, gauges.nc or fields.nc of another result in
// `directory`, the directory inside the database, damaged files; a far-field depth and no gauges.
// STATUS_CONFIGURATION: too little memory for a single record, with the least.
// STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM. Results get their names when all are complete.
enum status combine(const struct combine_request *request, struct combination *result);

#endif
