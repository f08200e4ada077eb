// A unit source of NOAA's propagation database, computed by MOST, that the user has as a file NAME_ha.nc in a
// folder `sift`: Fathom runs the same source, and the first waves at deep-ocean buoys about it are compared.
#include "io/formats/propagation_file.h"
#include "models/tsunami/earthquake/faults.h"
#include "models/tsunami/forecast/database.h"
#include "models/tsunami/gauges.h"
#include "validate/case_job.h"
#include "validate/tsunami/suites.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES   "sift/*_[hH][aA].[nN][cC]"
#define TABLE   "sift/info_sz.dat.txt"
#define ADDRESS "https://sift.pmel.noaa.gov/ComMIT/compressed/"

enum { POINTS_MAX = 12 };

// The run: waves reach an edge of this box, of the degrees of latitude to each side, after some three hours.
static const double half_degrees = 20, longest_s = 4 * 3600, shortest_s = 3600, longest_interval_s = 300;
// Nearer to a pole the step would be too long for nodes that close.
static const double farthest_north = 66;
// Points lie so far from its edges; a node of the file (16 arc-minutes) lies so near to its buoy.
static const double margin_degrees = 1, reach_degrees = 0.25;
// The first waves: from just before the arrival, the first moment with a tenth of a series' largest value.
static const double arrival_share = 0.1, first_waves_s = 2400;
// Where the waves are smaller than this share of the largest ones, to the sides of the source, they are shown
// and not judged: there differences in depth count most.
static const double judged_share = 0.2;
static const char source[] = "NOAA's propagation database, computed by MOST (Gica et al. 2008, PMEL-139)";

// A node of the file, the nearest to a buoy.
struct point {
    char name[GAUGE_NAME_MAX];
    size_t row, column;
    struct case_series noaa, ours;
    double arrival_s, range_m; // NOAA's
};

struct unit {
    struct validation_run *run;
    struct database *database;
    const struct database_source *source;
    char table[PATH_BYTES];
    struct propagation_file *file;
    const struct propagation_info *info; // of `file`
    double longitude, latitude;          // of the source, the former in the file's turn
    double duration_s;
    double west, east, south, north; // of the run, degrees
    struct point points[POINTS_MAX];
    int point_count;
};

// In arc-minutes. NOAA's is 4.
static double spacing_of(const struct validation_run *run)
{
    return run->is_full ? 4 : 5;
}

// ---- the user's files

// The whole path, because the job lies elsewhere, of a file or of the first that matches a pattern in a
// folder.
static bool is_in(const char *folder, size_t length, const char *pattern, char found[PATH_BYTES])
{
    char name[PATH_BYTES], whole[PATH_BYTES], path[PATH_BYTES];
    glob_t matches = {0};
    if (length == 0 || snprintf(name, sizeof name, "%.*s", (int)length, folder) >= PATH_BYTES ||
        !realpath(name, whole) || snprintf(path, sizeof path, "%s/%s", whole, pattern) >= PATH_BYTES)
        return false;
    const bool is_found = glob(path, 0, NULL, &matches) == 0;
    if (is_found)
        snprintf(found, PATH_BYTES, "%s", matches.gl_pathv[0]);
    globfree(&matches);
    return is_found;
}

// In the folder of the benchmark files, then in those of FATHOM_DATA.
static bool find_users(const struct validation_run *run, const char *pattern, char found[PATH_BYTES])
{
    const char *folders = getenv("FATHOM_DATA");
    if (run->data_directory && is_in(run->data_directory, strlen(run->data_directory), pattern, found))
        return true;
    for (size_t length; folders && *folders; folders += length + (folders[length] == ':')) {
        length = strcspn(folders, ":");
        if (is_in(folders, length, pattern, found))
            return true;
    }
    return false;
}

// The first of NOAA's sources in the folder.
static enum status choose_source(struct unit *unit, const char *folder)
{
    CHECK(database_open(folder, &unit->database));
    for (size_t k = 0; k < database_count(unit->database) && !unit->source; k++)
        if (database_at(unit->database, k)->form == DATABASE_NOAA)
            unit->source = database_at(unit->database, k);
    return unit->source ? STATUS_OK : FAIL(STATUS_DATA, "%s: has no file NAME_ha.nc", folder);
}

static enum status open_file(struct unit *unit)
{
    char path[PATH_BYTES];
    struct fault_table faults;
    if (!database_fields_path(unit->source, PROPAGATION_ETA, path))
        return FAIL(STATUS_DATA, "%s: has no file of elevations", unit->source->path);
    const char *name = unit->source->name;
    CHECK(fault_table_read_sift(unit->table, &name, &unit->source->slip_m, 1, &faults));
    unit->longitude = faults.faults[0].longitude_deg;
    unit->latitude = faults.faults[0].latitude_deg;
    fault_table_free(&faults);
    CHECK(propagation_open(path, PROPAGATION_ETA, &unit->file));
    unit->info = propagation_info(unit->file);
    const double last_s = unit->info->times_s[unit->info->records - 1];
    unit->duration_s = 60 * floor(fmin(last_s, longest_s) / 60);
    if (last_s < shortest_s || (double)unit->info->records < last_s / longest_interval_s)
        return FAIL(STATUS_DATA,
                    "%s: TIME has %zu entries, to %g s: expected at least %g s, for the first waves, and "
                    "one each %g s",
                    path, unit->info->records, last_s, shortest_s, longest_interval_s);
    return STATUS_OK;
}

// ---- the ocean

// The whole turns of longitude that bring it nearest to the middle of the file's.
static double in_turn_of(const struct propagation_info *info, double longitude)
{
    const double middle = (info->longitudes[0] + info->longitudes[info->columns - 1]) / 2;
    return longitude + 360 * round((middle - longitude) / 360);
}

// The box about the source, as far as the file has it, of whole spacings.
static enum status choose_box(struct unit *unit)
{
    const struct propagation_info *info = unit->info;
    const double spacing = spacing_of(unit->run) / 60,
                 half = fmin(2 * half_degrees, half_degrees / cos(unit->latitude * acos(-1) / 180));
    unit->longitude = in_turn_of(info, unit->longitude);
    unit->west = spacing * ceil(fmax(unit->longitude - half, info->longitudes[0]) / spacing);
    unit->east = spacing * floor(fmin(unit->longitude + half, info->longitudes[info->columns - 1]) / spacing);
    unit->south =
        spacing *
        ceil(fmax(fmax(unit->latitude - half_degrees, -farthest_north), info->latitudes[0]) / spacing);
    unit->north = spacing * floor(fmin(fmin(unit->latitude + half_degrees, farthest_north),
                                       info->latitudes[info->rows - 1]) /
                                  spacing);
    if (unit->longitude < unit->west || unit->longitude > unit->east || unit->latitude < unit->south ||
        unit->latitude > unit->north)
        return FAIL(STATUS_DATA,
                    "%s: its grid, %g to %g degrees east and %g to %g north, does not contain the source %s "
                    "at %g, %g",
                    info->path, info->longitudes[0], info->longitudes[info->columns - 1], info->latitudes[0],
                    info->latitudes[info->rows - 1], unit->source->name, unit->longitude, unit->latitude);
    return STATUS_OK;
}

static size_t nearest(const double *values, size_t count, double value)
{
    size_t best = 0;
    for (size_t k = 1; k < count; k++)
        best = fabs(values[k] - value) < fabs(values[best] - value) ? k : best;
    return best;
}

// NOAA's series at the point's node, in the duration. *is_water: the node is not land.
static enum status read_point(const struct unit *unit, struct point *point, bool *is_water)
{
    const struct propagation_info *info = unit->info;
    struct case_series *series = &point->noaa;
    while (series->count < info->records && info->times_s[series->count] <= unit->duration_s)
        series->count++;
    series->time_s = malloc(series->count * sizeof *series->time_s);
    series->value = malloc(series->count * sizeof *series->value);
    if (!series->time_s || !series->value)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a series", info->path);
    memcpy(series->time_s, info->times_s, series->count * sizeof *series->time_s);
    const struct propagation_block block = {
        .records = series->count, .row = point->row, .rows = 1, .column = point->column, .columns = 1};
    CHECK(propagation_read(unit->file, &block, series->value));
    *is_water = true;
    for (size_t k = 0; k < series->count; k++)
        *is_water &= isfinite(series->value[k]);
    return STATUS_OK;
}

static enum status consider_buoy(struct unit *unit, const struct gauge *buoy)
{
    const struct propagation_info *info = unit->info;
    const double longitude = in_turn_of(info, buoy->x);
    struct point *point = &unit->points[unit->point_count];
    bool is_water = false;
    point->row = nearest(info->latitudes, info->rows, buoy->y);
    point->column = nearest(info->longitudes, info->columns, longitude);
    const double x = info->longitudes[point->column], y = info->latitudes[point->row];
    if (fabs(x - longitude) > reach_degrees || fabs(y - buoy->y) > reach_degrees ||
        x < unit->west + margin_degrees || x > unit->east - margin_degrees ||
        y < unit->south + margin_degrees || y > unit->north - margin_degrees)
        return STATUS_OK;
    snprintf(point->name, sizeof point->name, "%s", buoy->name);
    const enum status status = read_point(unit, point, &is_water);
    if (status == STATUS_OK && is_water)
        unit->point_count++;
    else
        case_series_free(&point->noaa);
    return status;
}

static enum status choose_points(struct unit *unit)
{
    char path[PATH_BYTES];
    struct gauge_list list;
    CHECK(path_find("gauges/dart.json", NULL, path));
    CHECK(gauge_list_read(path, &list));
    enum status status = STATUS_OK;
    for (size_t k = 0; k < list.count && unit->point_count < POINTS_MAX && status == STATUS_OK; k++)
        status = consider_buoy(unit, &list.gauges[k]);
    gauge_list_free(&list);
    return status;
}

// ---- the run

static enum status write_points(const struct unit *unit)
{
    char text[POINTS_MAX * 128 + 64];
    size_t length = (size_t)snprintf(text, sizeof text, "{\"fathom_gauges\": 1, \"gauges\": [");
    for (int k = 0; k < unit->point_count; k++) {
        const struct point *point = &unit->points[k];
        length += (size_t)snprintf(
            text + length, sizeof text - length,
            "%s{\"name\": \"%s\", \"longitude\": \"%.9g degree\", \"latitude\": \"%.9g degree\"}",
            k > 0 ? ", " : "", point->name, unit->info->longitudes[point->column],
            unit->info->latitudes[point->row]);
    }
    snprintf(text + length, sizeof text - length, "]}");
    return case_write_text(unit->run, "points.json", text);
}

// The method is the job's own, MOST's with a correction, or the user's: one that damps short waves less than
// MOST would be further from NOAA's waves. Steps are divisors of the gauges' interval.
static double step_of(const struct validation_run *run)
{
    return tsunami_step_share(run) < 1 ? 5 : 10;
}

static enum status run_source(struct unit *unit)
{
    CHECK(write_points(unit));
    struct case_job job = case_job_read("jobs/sift-unit.json");
    case_job_set_text(&job, "source.sift.table", unit->table);
    case_job_set(&job, "source.sift.slips", "{\"%s\": 1}", unit->source->name);
    case_job_set(&job, "domain.longitude", "[\"%.9g arcmin\", \"%.9g arcmin\"]", 60 * unit->west,
                 60 * unit->east);
    case_job_set(&job, "domain.latitude", "[\"%.9g arcmin\", \"%.9g arcmin\"]", 60 * unit->south,
                 60 * unit->north);
    case_job_set(&job, "domain.spacing", "\"%g arcmin\"", spacing_of(unit->run));
    case_job_set(&job, "time.duration", "\"%g s\"", unit->duration_s);
    case_job_set(&job, "time.step", "\"%g s\"", step_of(unit->run));
    case_job_set_text(&job, "output.gauges.file", "points.json");
    case_job_set(&job, "output.gauges.every", "\"30 s\"");
    case_job_remove(&job, "output.fields");
    case_job_remove(&job, "check");
    CHECK(case_job_run_once(unit->run, &job, "run", NULL, NULL));
    for (int k = 0; k < unit->point_count; k++)
        CHECK(case_read_gauge(unit->run, "run", unit->points[k].name, &unit->points[k].ours));
    return STATUS_OK;
}

// ---- results

// The first moment with a tenth of the largest value, between samples; NaN: the series is 0.
static double arrival_of(const struct case_series *series)
{
    double largest = 0;
    for (size_t k = 0; k < series->count; k++)
        largest = fmax(largest, fabs(series->value[k]));
    const double threshold = arrival_share * largest;
    for (size_t k = 0; k < series->count && largest > 0; k++) {
        const double value = fabs(series->value[k]), before = k > 0 ? fabs(series->value[k - 1]) : 0;
        if (value >= threshold)
            return k == 0 ? series->time_s[0]
                          : series->time_s[k] - (series->time_s[k] - series->time_s[k - 1]) *
                                                    (value - threshold) / (value - before);
    }
    return NAN;
}

// From crest to trough between two times.
static double range_of(const struct case_series *series, double begin_s, double end_s)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < series->count; k++)
        if (series->time_s[k] >= begin_s && series->time_s[k] <= end_s) {
            low = fmin(low, series->value[k]);
            high = fmax(high, series->value[k]);
        }
    return high - low;
}

static double largest_range(struct unit *unit)
{
    double largest_m = 0;
    for (int k = 0; k < unit->point_count; k++) {
        struct point *point = &unit->points[k];
        point->arrival_s = arrival_of(&point->noaa);
        point->range_m = range_of(&point->noaa, point->arrival_s, point->arrival_s + first_waves_s);
        if (point->arrival_s + first_waves_s <= unit->duration_s)
            largest_m = fmax(largest_m, point->range_m);
    }
    return largest_m;
}

static enum status draw_point(struct validation_run *run, const struct point *point, double end_s)
{
    struct validation_picture *picture;
    char title[VALIDATION_NAME_BYTES];
    snprintf(title, sizeof title, "Buoy %s", point->name);
    CHECK(validation_picture(run, title, "time after the earthquake (s)", "elevation (m)",
                             "At the node of NOAA's file next to the buoy.", &picture));
    CHECK(case_series_draw(run, picture, "NOAA", true, &point->noaa, 0, end_s));
    return case_series_draw(run, picture, "Fathom", false, &point->ours, 0, end_s);
}

static enum status measure_point(struct unit *unit, const struct point *point, bool is_judged)
{
    struct validation_run *run = unit->run;
    const double interval_s = unit->info->times_s[1] - unit->info->times_s[0],
                 end_s = point->arrival_s + first_waves_s, computed_s = arrival_of(&point->ours),
                 range_m = range_of(&point->ours, 0.97 * point->arrival_s - interval_s, end_s);
    char quantity[VALIDATION_NAME_BYTES];
    snprintf(quantity, sizeof quantity, "%s, arrival", point->name);
    if (is_judged)
        CHECK(validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                   .unit = "s",
                                                                   .computed = computed_s,
                                                                   .reference = point->arrival_s,
                                                                   .source = source,
                                                                   .tolerance = "arrival",
                                                                   .scale = point->arrival_s,
                                                                   .allowance = interval_s}));
    else
        CHECK(validation_compare(run, NULL, "s", source, computed_s, point->arrival_s, "%s", quantity));
    CHECK(validation_compare(run,
                             !is_judged     ? NULL
                             : run->is_full ? "unit-source/range"
                                            : "unit-source/range-coarse",
                             "m", source, range_m, point->range_m, "%s, first waves, crest to trough",
                             point->name));
    return draw_point(run, point, end_s);
}

static enum status measure(struct unit *unit)
{
    const double largest_m = largest_range(unit);
    int count = 0;
    for (int k = 0; k < unit->point_count; k++) {
        const struct point *point = &unit->points[k];
        if (!(point->arrival_s + first_waves_s <= unit->duration_s))
            continue;
        CHECK(measure_point(unit, point, point->range_m >= judged_share * largest_m));
        count++;
    }
    if (count == 0)
        validation_skip(unit->run,
                        "%s: the first waves of %s reach no buoy of gauges/dart.json within %g s: choose a "
                        "source nearer to one",
                        unit->info->path, unit->source->name, unit->duration_s);
    return STATUS_OK;
}

static enum status compare(struct unit *unit, const char *folder)
{
    CHECK(choose_source(unit, folder));
    CHECK(open_file(unit));
    CHECK(choose_box(unit));
    CHECK(choose_points(unit));
    if (unit->point_count > 0)
        CHECK(run_source(unit));
    CHECK(measure(unit));
    return unit->point_count == 0
               ? STATUS_OK
               : case_note(unit->run, "run", "%s, %s; ETOPO5 sampled at %g arcmin, NOAA's file at %.3g",
                           unit->source->name, unit->info->path, spacing_of(unit->run),
                           60 * (unit->info->longitudes[1] - unit->info->longitudes[0]));
}

enum status tsunami_case_unit_source(struct validation_run *run)
{
    char found[PATH_BYTES];
    struct unit *unit = calloc(1, sizeof *unit);
    if (!unit)
        return FAIL(STATUS_SYSTEM, "not enough memory for a unit source");
    unit->run = run;
    enum status status = STATUS_OK;
    if (!find_users(run, FILES, found)) {
        validation_skip(run, "needs a unit source of NOAA's, such as sift/ac_013_b_ha.nc from " ADDRESS
                             "ac_013_b_ha.nc, in the folder of --data or of FATHOM_DATA");
    } else if (!find_users(run, TABLE, unit->table)) {
        validation_skip(run,
                        "needs the table " TABLE " in the folder of --data or of FATHOM_DATA: get it with "
                        "data/fetch-benchmarks DIR");
    } else {
        *strrchr(found, '/') = '\0';
        status = compare(unit, found);
    }
    for (int k = 0; k < unit->point_count; k++) {
        case_series_free(&unit->points[k].noaa);
        case_series_free(&unit->points[k].ours);
    }
    propagation_close(unit->file);
    database_close(unit->database);
    free(unit);
    return status;
}
