// The surface over time at one place of a unit source, from its gauges or its fields: see database.h. Knows nothing of
// what is done with it.
#include "models/tsunami/database.h"

#include "io/job_suggest.h"
#include "io/result.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Values of the fields read at a time.
enum { BLOCK_VALUES = 1 << 16, CORNERS = 4 };
static const double earth_radius_m = 6371000, degree = 0.017453292519943295;

void database_series_free(struct database_series *series)
{
    free(series->times_s);
    free(series->eta_m);
    *series = (struct database_series){0};
}

static enum status reserve(struct database_series *series, size_t samples, const char *path)
{
    if (samples == 0 || samples > DATABASE_SERIES_SAMPLES_MAX)
        return FAIL(STATUS_DATA, "%s: %zu records: expected 1 to %d", path, samples,
                    DATABASE_SERIES_SAMPLES_MAX);
    series->samples = samples;
    series->times_s = calloc(samples, sizeof *series->times_s);
    series->eta_m = calloc(samples, sizeof *series->eta_m);
    return series->times_s && series->eta_m
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "%s: no memory for %zu samples", path, samples);
}

// ---- gauges

// The stations of a gauges.nc.
struct stations {
    struct result_file *file;
    char **names;
    double *longitudes, *latitudes;
    size_t count;
};

// Haversine: right for small distances too.
static double distance_m(double lon1, double lat1, double lon2, double lat2)
{
    const double dy = sin(0.5 * degree * (lat2 - lat1)), dx = sin(0.5 * degree * (lon2 - lon1));
    const double h = dy * dy + cos(degree * lat1) * cos(degree * lat2) * dx * dx;
    return 2 * earth_radius_m * asin(sqrt(fmin(h, 1)));
}

static void close_stations(struct stations *stations)
{
    result_free_texts(stations->names, stations->count);
    free(stations->longitudes);
    free(stations->latitudes);
    result_close(stations->file);
}

static enum status open_stations(const char *path, struct stations *stations)
{
    size_t longitudes, latitudes;
    CHECK(result_open(path, &stations->file));
    CHECK(result_read_texts(stations->file, "name", &stations->names, &stations->count));
    CHECK(result_read_all(stations->file, "lon", &stations->longitudes, &longitudes));
    CHECK(result_read_all(stations->file, "lat", &stations->latitudes, &latitudes));
    if (longitudes != stations->count || latitudes != stations->count)
        return FAIL(STATUS_DATA, "%s: %zu names, %zu longitudes and %zu latitudes of stations", path,
                    stations->count, longitudes, latitudes);
    return STATUS_OK;
}

// The station that stands for a place; stations->count if there is none.
static enum status choose_station(const struct stations *stations, const struct database_place *place,
                                  const char *path, size_t *chosen)
{
    const bool has_position = isfinite(place->longitude) && isfinite(place->latitude);
    double nearest_m = DATABASE_STATION_REACH_M;
    *chosen = stations->count;
    for (size_t k = 0; k < stations->count; k++) {
        const double away_m = has_position ? distance_m(place->longitude, place->latitude,
                                                        stations->longitudes[k], stations->latitudes[k])
                                           : 0;
        if (place->name && strcmp(stations->names[k], place->name) == 0) {
            if (!(away_m <= DATABASE_STATION_MOST_M))
                return FAIL(STATUS_DATA, "%s: station %s lies at %.4f, %.4f, %.0f km from %.4f, %.4f", path,
                            place->name, stations->longitudes[k], stations->latitudes[k], away_m / 1e3,
                            place->longitude, place->latitude);
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

static enum status read_station(const struct stations *stations, size_t station, const char *path,
                                const struct database_source *source, struct database_series *series)
{
    const struct result_variable *eta = result_find(stations->file, "eta"),
                                 *time = result_find(stations->file, "time");
    char units[RESULT_UNITS_BYTES];
    double slope, offset;
    if (!eta || eta->rank != 2 || eta->lengths[1] != stations->count || !time || time->rank != 1 ||
        time->lengths[0] != eta->lengths[0])
        return FAIL(STATUS_DATA, "%s: expected eta over (time, station), and time", path);
    CHECK(reserve(series, eta->lengths[0], path));
    CHECK(result_read(stations->file, "eta", (size_t[]){0, station}, (size_t[]){series->samples, 1},
                      series->eta_m));
    CHECK(result_read(stations->file, "time", (size_t[]){0}, (size_t[]){series->samples}, series->times_s));
    snprintf(units, sizeof units, "%s", time->units);
    char *since = strstr(units, " since ");
    if (since)
        *since = '\0';
    CHECK_ABOUT(units_conversion(units[0] ? units : "s", "s", &slope, &offset), "%s: time", path);
    for (size_t k = 0; k < series->samples; k++)
        series->times_s[k] = slope * series->times_s[k] + offset;
    CHECK_ABOUT(units_conversion(eta->units[0] ? eta->units : "m", "m", &slope, &offset), "%s: eta", path);
    for (size_t k = 0; k < series->samples; k++) {
        if (!isfinite(series->eta_m[k]) || !isfinite(series->times_s[k]) ||
            (k > 0 && series->times_s[k] <= series->times_s[k - 1]))
            return FAIL(STATUS_DATA,
                        "%s: station %s: sample %zu (%g at %g s): expected a number, and times that ascend",
                        path, stations->names[station], k, series->eta_m[k], series->times_s[k]);
        series->eta_m[k] = slope * series->eta_m[k] / source->slip_m;
    }
    series->origin = DATABASE_FROM_GAUGE;
    snprintf(series->station, sizeof series->station, "%.63s", stations->names[station]);
    series->longitude = stations->longitudes[station];
    series->latitude = stations->latitudes[station];
    return STATUS_OK;
}

// *found: there was a station for the place.
static enum status from_gauges(const struct database_source *source, const char *path,
                               const struct database_place *place, struct database_series *series,
                               bool *found)
{
    struct stations stations = {0};
    size_t station = 0;
    enum status status = open_stations(path, &stations);
    if (status == STATUS_OK)
        status = choose_station(&stations, place, path, &station);
    *found = status == STATUS_OK && station < stations.count;
    if (*found)
        status = read_station(&stations, station, path, source, series);
    close_stations(&stations);
    return status;
}

// ---- fields

// The four nodes around a place, and how much each counts; those that count nothing are not asked.
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
    size_t low = 0, high = length - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (axis[middle] <= at)
            low = middle;
        else
            high = middle;
    }
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
                    return FAIL(
                        STATUS_DATA,
                        "%s: no water at the node %.4f, %.4f beside the place (at %g s): choose a place away "
                        "from land, or record a gauge there",
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
        status = reserve(series, propagation_info(file)->records, path);
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

static enum status read_series(const struct database_source *source, const struct database_place *place,
                               struct database_series *series)
{
    char path[PATH_BYTES];
    bool found = false;
    if (source->form == DATABASE_RESULT &&
        snprintf(path, sizeof path, "%s/gauges.nc", source->path) < PATH_BYTES && access(path, F_OK) == 0) {
        CHECK(from_gauges(source, path, place, series, &found));
        if (found)
            return STATUS_OK;
    }
    if (!isfinite(place->longitude) || !isfinite(place->latitude))
        return FAIL(STATUS_DATA, "%s: no gauge %s, and no position to take it from the fields", source->path,
                    place->name ? place->name : "is named");
    if (!(fabs(place->latitude) <= 90) || !(fabs(place->longitude) <= 720))
        return FAIL(STATUS_DATA,
                    "%g, %g is no place on Earth: expected a longitude and a latitude in degrees",
                    place->longitude, place->latitude);
    if (!database_fields_path(source, PROPAGATION_ETA, path))
        return FAIL(STATUS_DATA, "%s: no gauge within %g m of %.4f, %.4f, and no fields", source->path,
                    DATABASE_STATION_REACH_M, place->longitude, place->latitude);
    return from_fields(source, path, place, series);
}

enum status database_read_series(const struct database *database, size_t index,
                                 const struct database_place *place, struct database_series *series)
{
    *series = (struct database_series){0};
    const enum status status = read_series(database_at(database, index), place, series);
    if (status != STATUS_OK)
        database_series_free(series);
    return status;
}
