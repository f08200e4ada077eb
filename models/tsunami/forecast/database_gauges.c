// Gauges of a unit source: see database_gauges.h.
#include "models/tsunami/forecast/database_gauges.h"

#include "io/time_units.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool database_gauges_are_there(const struct database_source *source)
{
    char path[PATH_BYTES];
    return source->form == DATABASE_RESULT &&
           snprintf(path, sizeof path, "%s/gauges.nc", source->path) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

void database_gauges_close(struct database_gauges *g)
{
    result_free_texts(g->names, g->stations);
    free(g->longitudes);
    free(g->latitudes);
    free(g->times_s);
    result_close(g->file);
    *g = (struct database_gauges){0};
}

// Checks the lengths before arrays are allocated: a damaged header may state lengths that exceed any memory.
static enum status check_lengths(struct database_gauges *g)
{
    const struct result_variable *time = result_find(g->file, "time"), *lon = result_find(g->file, "lon"),
                                 *lat = result_find(g->file, "lat"), *name = result_find(g->file, "name");
    if (!time || !lon || !lat || !name || time->rank != 1 || lon->rank != 1 || lat->rank != 1 ||
        name->rank < 1 || name->lengths[0] != lon->lengths[0] || lat->lengths[0] != lon->lengths[0])
        return FAIL(STATUS_DATA, "%s: expected time, and name, lon and lat of each station", g->path);
    g->records = time->lengths[0];
    if (lon->lengths[0] == 0 || lon->lengths[0] > DATABASE_STATIONS_MAX || g->records == 0 ||
        g->records > DATABASE_SERIES_SAMPLES_MAX)
        return FAIL(STATUS_DATA, "%s: %zu records of %zu stations: expected 1 to %d of 1 to %d", g->path,
                    g->records, lon->lengths[0], DATABASE_SERIES_SAMPLES_MAX, DATABASE_STATIONS_MAX);
    return STATUS_OK;
}

static enum status read_times(struct database_gauges *g)
{
    char units[RESULT_UNITS_BYTES];
    double slope, offset;
    size_t count;
    CHECK(result_read_all(g->file, "time", &g->times_s, &count));
    snprintf(units, sizeof units, "%s", result_find(g->file, "time")->units);
    char *since = strstr(units, " since ");
    if (since && time_units_have_date(units)) {
        snprintf(g->date, sizeof g->date, "%s", since + strlen(" since "));
        *since = '\0';
    }
    CHECK_ABOUT(units_conversion(units[0] ? units : "s", "s", &slope, &offset), "%s: time", g->path);
    for (size_t k = 0; k < g->records; k++) {
        g->times_s[k] = slope * g->times_s[k] + offset;
        if (!isfinite(g->times_s[k]) || (k > 0 && !(g->times_s[k] > g->times_s[k - 1])))
            return FAIL(STATUS_DATA, "%s: time[%zu] is %g s: expected ascending times", g->path, k,
                        g->times_s[k]);
    }
    return STATUS_OK;
}

enum status database_gauges_open(const struct database_source *source, struct database_gauges *g)
{
    size_t count;
    if (snprintf(g->path, sizeof g->path, "%s/gauges.nc", source->path) >= (int)sizeof g->path)
        return FAIL(STATUS_DATA, "%s: the path is too long", source->path);
    CHECK(result_open(g->path, &g->file));
    CHECK(check_lengths(g));
    CHECK(result_read_texts(g->file, "name", &g->names, &g->stations));
    CHECK(result_read_all(g->file, "lon", &g->longitudes, &count));
    CHECK(result_read_all(g->file, "lat", &g->latitudes, &count));
    return read_times(g);
}

enum status database_gauges_find(const struct database_gauges *g, enum propagation_quantity quantity,
                                 const struct result_variable **variable, double *factor)
{
    const char *name = propagation_name(quantity), *units = propagation_units(quantity);
    double offset;
    *variable = result_find(g->file, name);
    *factor = 1;
    if (!*variable)
        return STATUS_OK;
    if ((*variable)->rank != 2 || (*variable)->lengths[0] != g->records ||
        (*variable)->lengths[1] != g->stations)
        return FAIL(STATUS_DATA, "%s: expected %s over (time, station)", g->path, name);
    CHECK_ABOUT(units_conversion((*variable)->units[0] ? (*variable)->units : units, units, factor, &offset),
                "%s: %s", g->path, name);
    return STATUS_OK;
}
