// The surface over time at places of a unit source, from its gauges or its fields: see database.h.
// Independent of its use.
#include "models/tsunami/forecast/database_gauges.h"

#include "models/tsunami/axis.h"
#include "models/tsunami/earthquake/great_circle.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Values of the fields read at a time.
enum { BLOCK_VALUES = 1 << 16, CORNERS = 4 };
static const double earth_radius_m = 6371000;

void database_series_free(struct database_series *series)
{
    if (!series->borrows_times)
        free(series->times_s);
    free(series->eta_m);
    *series = (struct database_series){0};
}

// times_s: of another series, to be borrowed; NULL: own ones.
static enum status reserve(struct database_series *series, size_t samples, double *times_s, const char *path)
{
    if (samples == 0 || samples > DATABASE_SERIES_SAMPLES_MAX)
        return FAIL(STATUS_DATA, "%s: %zu records: expected 1 to %d", path, samples,
                    DATABASE_SERIES_SAMPLES_MAX);
    series->samples = samples;
    series->borrows_times = times_s != NULL;
    series->times_s = times_s ? times_s : calloc(samples, sizeof *series->times_s);
    series->eta_m = calloc(samples, sizeof *series->eta_m);
    return series->times_s && series->eta_m
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "%s: no memory for %zu samples", path, samples);
}

// ---- gauges

// The station nearest to a position; stations->count if none.
static enum status choose_station(const struct database_gauges *gauges, const struct database_place *place,
                                  size_t *chosen)
{
    const bool has_position = isfinite(place->longitude) && isfinite(place->latitude);
    double nearest_m = DATABASE_STATION_REACH_M;
    *chosen = gauges->stations;
    for (size_t k = 0; k < gauges->stations; k++) {
        const double away_m = has_position ? great_circle_m(earth_radius_m, place->longitude, place->latitude,
                                                            gauges->longitudes[k], gauges->latitudes[k])
                                           : 0;
        if (place->name && strcmp(gauges->names[k], place->name) == 0) {
            if (!(away_m <= DATABASE_STATION_MOST_M))
                return FAIL(STATUS_DATA, "%s: station %s lies at %.4f, %.4f, %.0f km from %.4f, %.4f",
                            gauges->path, place->name, gauges->longitudes[k], gauges->latitudes[k],
                            away_m / 1e3, place->longitude, place->latitude);
            *chosen = k;
            return STATUS_OK;
        }
        if (has_position && away_m <= nearest_m) {
            nearest_m = away_m;
            *chosen = k;
        }
    }
    return STATUS_OK;
}

// The places of one source, and which stations stand for them.
struct reading {
    const struct database_source *source;
    const struct database_place *places;
    struct database_series *series;
    size_t count, *stations; // [count]; `none`: no station stands for the place
    size_t none, at;         // at: the place in work, for messages
};

static enum status reserve_stations(const struct database_gauges *gauges, struct reading *r)
{
    double *times_s = NULL;
    for (size_t k = 0; k < r->count; k++) {
        const size_t station = r->stations[k];
        struct database_series *series = &r->series[k];
        if (station == r->none)
            continue;
        r->at = k;
        CHECK(reserve(series, gauges->records, times_s, gauges->path));
        if (!times_s)
            memcpy(series->times_s, gauges->times_s, series->samples * sizeof *series->times_s);
        times_s = series->times_s;
        series->origin = DATABASE_FROM_GAUGE;
        snprintf(series->station, sizeof series->station, "%.63s", gauges->names[station]);
        series->longitude = gauges->longitudes[station];
        series->latitude = gauges->latitudes[station];
    }
    return STATUS_OK;
}

// Values [records][width] of the stations from `low` on, beginning with the record `first`.
static enum status take_stations(const struct database_gauges *gauges, struct reading *r,
                                 const double *values, size_t first, size_t records, size_t low, size_t width,
                                 double factor)
{
    for (size_t k = 0; k < r->count; k++) {
        if (r->stations[k] == r->none)
            continue;
        const double *column = values + (r->stations[k] - low);
        r->at = k;
        for (size_t t = 0; t < records; t++) {
            const double value = column[t * width];
            if (!isfinite(value))
                return FAIL(STATUS_DATA, "%s: station %s: sample %zu (at %g s) is not a number", gauges->path,
                            gauges->names[r->stations[k]], first + t, gauges->times_s[first + t]);
            r->series[k].eta_m[first + t] = factor * value / r->source->slip_m;
        }
    }
    return STATUS_OK;
}

// All stations from `low` to `high` are read, in blocks of records: each chunk of the file is read once.
static enum status read_stations(const struct database_gauges *gauges, struct reading *r, size_t low,
                                 size_t high)
{
    const struct result_variable *eta;
    const size_t width = high - low + 1;
    const size_t most = width < BLOCK_VALUES ? BLOCK_VALUES / width : 1;
    double factor;
    CHECK(database_gauges_find(gauges, PROPAGATION_ETA, &eta, &factor));
    if (!eta)
        return FAIL(STATUS_DATA, "%s: has no eta", gauges->path);
    CHECK(reserve_stations(gauges, r));
    double *values = calloc(most * width, sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a block of %zu values", gauges->path, most * width);
    enum status status = STATUS_OK;
    for (size_t first = 0; first < gauges->records && status == STATUS_OK; first += most) {
        const size_t left = gauges->records - first, records = left < most ? left : most;
        status = result_read(gauges->file, "eta", (size_t[]){first, low}, (size_t[]){records, width}, values);
        if (status == STATUS_OK)
            status = take_stations(gauges, r, values, first, records, low, width, factor);
    }
    free(values);
    return status;
}

// Sets the stations, and reads those that there are.
static enum status from_gauges(struct reading *r)
{
    struct database_gauges gauges = {0};
    size_t low = SIZE_MAX, high = 0;
    enum status status = database_gauges_open(r->source, &gauges);
    for (size_t k = 0; k < r->count && status == STATUS_OK; k++) {
        size_t station;
        r->at = k;
        status = choose_station(&gauges, &r->places[k], &station);
        if (status != STATUS_OK || station == gauges.stations)
            continue;
        r->stations[k] = station;
        low = station < low ? station : low;
        high = station > high ? station : high;
    }
    if (status == STATUS_OK && low <= high)
        status = read_stations(&gauges, r, low, high);
    database_gauges_close(&gauges);
    return status;
}

// ---- fields

// The four nodes around a position, and their weights; nodes of weight 0 are not read.
struct corners {
    struct propagation_block block;
    double weights[CORNERS]; // [row][column]
};

// Between which entries a coordinate lies; false: outside.
static bool locate(const double *axis, size_t length, double at, size_t *below, double *share)
{
    const double slack = 1e-6 * (axis[length - 1] - axis[0]) / (double)(length - 1);
    if (!(at >= axis[0] - slack && at <= axis[length - 1] + slack))
        return false;
    const size_t low = axis_interval(axis, length, at);
    *below = low;
    *share = fmin(fmax((at - axis[low]) / (axis[low + 1] - axis[low]), 0), 1);
    if (*share < 1e-6 || *share > 1 - 1e-6)
        *share = round(*share); // the node itself
    return true;
}

static enum status find_corners(const struct propagation_info *info, const struct database_place *place,
                                struct corners *corners)
{
    double x = 0, y = 0;
    struct propagation_block *block = &corners->block;
    bool is_inside = locate(info->latitudes, info->rows, place->latitude, &block->row, &y);
    if (is_inside) {
        // The turn in which the place comes first at or after the grid's western edge, but for rounding.
        const double west = info->longitudes[0], turns = floor((place->longitude - west + 1e-6) / 360);
        is_inside =
            locate(info->longitudes, info->columns, place->longitude - 360 * turns, &block->column, &x);
    }
    if (!is_inside)
        return FAIL(STATUS_DATA,
                    "%s: %.4f, %.4f lies outside its grid (longitude %.4f to %.4f, latitude %.4f to %.4f)",
                    info->path, place->longitude, place->latitude, info->longitudes[0],
                    info->longitudes[info->columns - 1], info->latitudes[0], info->latitudes[info->rows - 1]);
    block->rows = block->columns = 2;
    corners->weights[0] = (1 - y) * (1 - x);
    corners->weights[1] = (1 - y) * x;
    corners->weights[2] = y * (1 - x);
    corners->weights[3] = y * x;
    return STATUS_OK;
}

static enum status interpolate(struct propagation_file *file, const struct corners *corners,
                               const struct database_source *source, double *values,
                               struct database_series *series)
{
    const struct propagation_info *info = propagation_info(file);
    struct propagation_block block = corners->block;
    for (size_t first = 0; first < info->records; first += block.records) {
        block.record = first;
        block.records =
            info->records - first < BLOCK_VALUES / CORNERS ? info->records - first : BLOCK_VALUES / CORNERS;
        CHECK(propagation_read(file, &block, values));
        for (size_t k = 0; k < block.records; k++) {
            double eta_m = 0;
            for (int c = 0; c < CORNERS; c++) {
                const double value = values[CORNERS * k + (size_t)c];
                if (corners->weights[c] == 0)
                    continue;
                if (isnan(value))
                    return FAIL(STATUS_DATA,
                                "%s: no water at the node %.4f, %.4f beside the place (at %g s): choose a "
                                "place away from land, or record a gauge there",
                                info->path, info->longitudes[block.column + (size_t)c % 2],
                                info->latitudes[block.row + (size_t)c / 2], info->times_s[first + k]);
                eta_m += corners->weights[c] * value;
            }
            series->eta_m[first + k] = eta_m / source->slip_m;
            series->times_s[first + k] = info->times_s[first + k];
        }
    }
    return STATUS_OK;
}

static enum status from_fields(const struct database_source *source, const char *path,
                               const struct database_place *place, struct database_series *series)
{
    struct propagation_file *file;
    struct corners corners = {0};
    double *values = NULL;
    CHECK(propagation_open(path, PROPAGATION_ETA, &file));
    enum status status = find_corners(propagation_info(file), place, &corners);
    if (status == STATUS_OK)
        status = reserve(series, propagation_info(file)->records, NULL, path);
    if (status == STATUS_OK && !(values = calloc(BLOCK_VALUES, sizeof *values)))
        status = FAIL(STATUS_SYSTEM, "%s: no memory for a block of %d values", path, BLOCK_VALUES);
    if (status == STATUS_OK)
        status = interpolate(file, &corners, source, values, series);
    free(values);
    propagation_close(file);
    series->origin = DATABASE_FROM_FIELDS;
    series->longitude = place->longitude;
    series->latitude = place->latitude;
    return status;
}

// ---- either

static enum status read_from_fields(const struct database_source *source, const struct database_place *place,
                                    struct database_series *series)
{
    char path[PATH_BYTES];
    if (!isfinite(place->longitude) || !isfinite(place->latitude))
        return FAIL(STATUS_DATA, "%s: no gauge %s, and no position to take it from the fields", source->path,
                    place->name ? place->name : "is named");
    if (!(fabs(place->latitude) <= 90) || !(fabs(place->longitude) <= 720))
        return FAIL(STATUS_DATA,
                    "%g, %g is not a place on Earth: expected a longitude and a latitude in degrees",
                    place->longitude, place->latitude);
    if (!database_fields_path(source, PROPAGATION_ETA, path))
        return FAIL(STATUS_DATA, "%s: no gauge within %g m of %.4f, %.4f, and no fields", source->path,
                    DATABASE_STATION_REACH_M, place->longitude, place->latitude);
    return from_fields(source, path, place, series);
}

static enum status read_places(struct reading *r)
{
    for (size_t k = 0; k < r->count; k++)
        r->stations[k] = r->none;
    if (database_gauges_are_there(r->source))
        CHECK(from_gauges(r));
    for (r->at = 0; r->at < r->count; r->at++)
        if (r->stations[r->at] == r->none)
            CHECK(read_from_fields(r->source, &r->places[r->at], &r->series[r->at]));
    return STATUS_OK;
}

enum status database_read_places(const struct database *database, size_t index,
                                 const struct database_place *places, size_t count,
                                 struct database_series *series, size_t *failed)
{
    struct reading r = {.source = database_at(database, index),
                        .places = places,
                        .series = series,
                        .count = count,
                        .none = SIZE_MAX};
    for (size_t k = 0; k < count; k++)
        series[k] = (struct database_series){0};
    *failed = 0;
    r.stations = calloc(count + 1, sizeof *r.stations);
    const enum status status =
        r.stations ? read_places(&r) : FAIL(STATUS_SYSTEM, "no memory for a list of %zu places", count);
    free(r.stations);
    *failed = r.at < count ? r.at : 0;
    for (size_t k = 0; status != STATUS_OK && k < count; k++)
        database_series_free(&series[k]);
    return status;
}

enum status database_read_series(const struct database *database, size_t index,
                                 const struct database_place *place, struct database_series *series)
{
    size_t failed;
    return database_read_places(database, index, place, 1, series, &failed);
}
