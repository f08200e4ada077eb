// The data of an inversion in memory: the record of each station (io/formats/series.h), and the series of
// every unit source at the station (models/tsunami/forecast/database.h). Independent of the command line.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_INVERT_STATIONS_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_INVERT_STATIONS_H

#include "io/path.h"
#include "models/tsunami/forecast/database.h"
#include "models/tsunami/forecast/invert.h"
#include "models/tsunami/gauges.h"

#include <stdbool.h>
#include <stddef.h>

// Sources: of slips that are given, all that a database may have; a fit takes NNLS_COLUMNS_MAX.
enum { INVERT_STATIONS_MAX = 64, INVERT_SOURCES_MAX = DATABASE_SOURCES_MAX };
#define INVERT_BYTES_MOST  ((size_t)2000000000) // of all series together, unless the user gives another limit
#define INVERT_ELEVATION_M 1000 // larger values in a record, such as 9999, mark missing values

// What a station is in a fit: of slips that are given, in the fit that they come from. Compared: not known.
enum invert_role { INVERT_COMPARED, INVERT_FITTED, INVERT_FORECAST };

// A station as the user names it.
struct invert_choice {
    char name[GAUGE_NAME_MAX];
    bool is_named;              // the user gave the name: a gauge of this name in the database is used
    double longitude, latitude; // degrees; NaN: its gauge in the database by its name
    char record[PATH_BYTES];    // complete path
    int time_column, value_column, skip_lines; // of a text table; columns from 1
    enum invert_role role;
    double begin_s, end_s; // NaN: where the waves are
    double weight;
    double shift_s, shift_bound_s; // known from an earlier fit; else 0
};

struct invert_data {
    size_t station_count, source_count;
    double far_field_depth_m; // 0: not corrected
    struct invert_station *stations;
    const char **source_names;       // the database's
    struct database_series *sources; // [station][source]
    struct invert_series *units;     // the same, in the form for the inversion
    double *times_s; // of the last source that did not share them: a series' own, which others borrow
    size_t times;
    double **records; // [station]: times and elevations in one piece
    double bytes;
    size_t bytes_most;
};

// Reads everything. far_field_depth_m > 0: the sources' series are corrected for the far field over an ocean
// of that depth (far_field.h). Times of a text table are seconds after the event, elevations metres; a netCDF
// file's are in the units that it states, and count from `origin` (NULL: their own date) if they have a date.
// `data` takes names from choices and database, which must outlive it; free it in any case. Statuses of
// series_open and database_read_places; the message states station and source. bytes_most: of all series
// together. STATUS_CONFIGURATION: they take more. STATUS_SYSTEM.
enum status invert_data_read(const struct database *database, const size_t *sources, size_t source_count,
                             const struct invert_choice *choices, size_t choice_count, const char *origin,
                             double far_field_depth_m, size_t bytes_most, struct invert_data *data);
void invert_data_free(struct invert_data *data); // {0} is permitted

#endif
