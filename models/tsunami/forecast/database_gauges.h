// The gauges of a unit source's result folder: which stations, where, when. For database_series.c and
// combine_gauges.c. Independent of the use of the values.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_DATABASE_GAUGES_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_DATABASE_GAUGES_H

#include "io/netcdf/result.h"
#include "models/tsunami/forecast/database.h"

enum { DATABASE_STATIONS_MAX = 100000 };

struct database_gauges {
    char path[PATH_BYTES];
    struct result_file *file;
    size_t stations, records;       // each ≥ 1
    char **names;                   // this and all that follows is owned
    double *longitudes, *latitudes; // [stations]
    double *times_s;                // [records] since the event, ascending
    char date[RESULT_UNITS_BYTES];  // of "UNIT since DATE", or ""
};

// Whether a source has gauges at all.
bool database_gauges_are_there(const struct database_source *source);

// Reads everything but the values. Not over (time, station), no or too many stations or records, times that
// do not ascend, damage → STATUS_DATA. database_gauges_close in any case; all zero is fine.
enum status database_gauges_open(const struct database_source *source, struct database_gauges *gauges);
void database_gauges_close(struct database_gauges *gauges);

// A quantity over (time, station) and the factor into m or m/s; *variable is NULL if the gauges have none.
enum status database_gauges_find(const struct database_gauges *gauges, enum propagation_quantity quantity,
                                 const struct result_variable **variable, double *factor);

#endif
