// Shared by combine*.c: the sources in use, their common axes, their gauges.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_COMBINE_PRIVATE_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_COMBINE_PRIVATE_H

#include "models/tsunami/forecast/combine.h"
#include "models/tsunami/streams.h"

struct combine_use {
    const struct database_source *source;
    double factor; // of its values
};

enum { COMBINE_MAXIMA_VARIABLES = 2, COMBINE_GAUGE_FRAME_RECORDS = 64 };

enum { COMBINE_FIELDS, COMBINE_MAXIMA, COMBINE_GAUGES, COMBINE_STREAMS };

// All gauges of all times: small beside a single map.
struct combine_gauges {
    size_t stations, records; // 0: none
    bool is_double, has[PROPAGATION_QUANTITIES];
    char **names;
    double *times_s;
    double *constants[TSUNAMI_GAUGE_CONSTANTS]; // [stations]; NULL: not in the sources
    double *sums[PROPAGATION_QUANTITIES];       // [records][stations]
};

// Where the part of the fields that is added begins, and how large all is.
struct combine_part {
    size_t record, row, column, all_records, all_rows, all_columns;
};

struct combine {
    const struct combine_request *request;
    struct combination *result;
    size_t memory_bytes; // allowed
    struct combine_use *uses;
    size_t count;
    // The fields, of the first source, which all others must equal.
    bool has[PROPAGATION_QUANTITIES], is_double;
    char first_path[PATH_BYTES];
    size_t records, rows, columns;
    double *times_s, *latitudes, *longitudes;
    struct combine_part part; // the axes are its own
    // Of quantities that all sources store rounded: the coarsest resolution, and the error of their sum.
    double resolutions[PROPAGATION_QUANTITIES], roundings[PROPAGATION_QUANTITIES];
    size_t cache_bytes; // most that a file's chunks take
    char date[128];
    bool has_date, is_date_open; // open: the sources differ, or some have none
    struct combine_gauges gauges;
};

// STATUS_DATA: two axes differ; the first entry that differs by more than a thousandth of the least spacing
// (or single precision's rounding) is named. `period`: 360 for longitudes, else 0.
enum status combine_check_axis(const char *name, const char *path, const double *values, size_t length,
                               const char *first_path, const double *first, size_t first_length,
                               double period);

// Notes one source's date; at the end c->date is the common one, or "".
void combine_note_date(struct combine *c, const char *date);

// Reads and adds the gauges, if all sources have gauges.nc.
enum status combine_gauges_read(struct combine *c);
void combine_gauges_free(struct combine_gauges *gauges);

// All three, whether they are written or not.
void combine_describe_streams(const struct combine *c, struct stream streams[COMBINE_STREAMS]);

// With the fields surveyed: takes the axes' part that the request names.
enum status combine_cut(struct combine *c);

// Describes the streams and writes all results.
enum status combine_write(struct combine *c);

#endif
