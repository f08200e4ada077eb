// The forecast of a tsunami's report: points (points.nc) and zones (zones.nc).
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where a number of the file belongs; of two names the first that the file has.
struct column {
    const char *names[3];
    size_t offset;
};

#define OF_POINT(member, ...)                                                                                \
    {                                                                                                        \
        {__VA_ARGS__}, offsetof(struct report_point, member)                                                 \
    }
static const struct column point_columns[] = {
    OF_POINT(longitude, "longitude", "lon", "x"),
    OF_POINT(latitude, "latitude", "lat", "y"),
    OF_POINT(distance_m, "distance"),
    OF_POINT(depth_m, "depth"),
    OF_POINT(arrival_s, "arrival"),
    OF_POINT(first_motion, "first_motion"),
    OF_POINT(first_crest_m, "first_crest"),
    OF_POINT(first_crest_s, "first_crest_time"),
    OF_POINT(crest_m, "crest"),
    OF_POINT(crest_s, "crest_time"),
    OF_POINT(trough_m, "trough"),
    OF_POINT(trough_s, "trough_time"),
    OF_POINT(duration_s, "duration"),
    OF_POINT(source_level_m, "source_level"),
    OF_POINT(coastal_height_m, "coastal_height"),
    OF_POINT(travel_s, "travel_time"),
    OF_POINT(earliest_s, "earliest"),
    OF_POINT(threat, "threat"),
    OF_POINT(is_in_source, "in_source"),
    OF_POINT(is_unfinished, "unfinished"),
    OF_POINT(is_lower_bound, "lower_bound"),
};

#define OF_ZONE(member, ...)                                                                                 \
    {                                                                                                        \
        {__VA_ARGS__}, offsetof(struct report_zone, member)                                                  \
    }
static const struct column zone_columns[] = {
    OF_ZONE(points, "points"),
    OF_ZONE(nodes, "nodes"),
    OF_ZONE(crest_m, "crest"),
    OF_ZONE(longitude, "crest_longitude", "crest_x"),
    OF_ZONE(latitude, "crest_latitude", "crest_y"),
    OF_ZONE(arrival_s, "arrival"),
    OF_ZONE(threat, "threat"),
    OF_ZONE(is_lower_bound, "lower_bound"),
};

// Fills one member of `count` records of `bytes` each; NaN if the file has no such variable.
static enum status read_column(const struct result_file *file, const struct column *column, size_t count,
                               size_t bytes, char *records)
{
    double *values = NULL;
    size_t length = 0;
    for (size_t k = 0; k < 3 && column->names[k] && !values; k++) {
        const struct result_variable *variable = result_find(file, column->names[k]);
        if (variable && !variable->is_text && variable->rank == 1 && variable->lengths[0] == count)
            CHECK(result_read_all(file, column->names[k], &values, &length));
    }
    for (size_t k = 0; k < count; k++)
        *(double *)(void *)(records + k * bytes + column->offset) = values ? values[k] : NAN;
    free(values);
    return STATUS_OK;
}

// Names of at most 95 bytes, at the beginning of every record.
static enum status read_names(const struct result_file *file, size_t count, size_t bytes, char *records)
{
    char **texts;
    size_t length;
    CHECK(result_read_texts(file, "name", &texts, &length));
    for (size_t k = 0; k < count && k < length; k++)
        snprintf(records + k * bytes, 96, "%s", texts[k]);
    result_free_texts(texts, length);
    return STATUS_OK;
}

static enum status read_table(const struct result_file *file, const struct column *columns,
                              size_t column_count, size_t bytes, void **records, size_t *count)
{
    const struct result_variable *name = result_find(file, "name");
    *count = 0;
    if (!name || !name->is_text || name->lengths[0] == 0)
        return FAIL(STATUS_DATA, "%s: expected a list of names, the variable name", result_path(file));
    *records = calloc(name->lengths[0], bytes);
    if (!*records)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu forecast points", name->lengths[0]);
    *count = name->lengths[0];
    CHECK(read_names(file, *count, bytes, *records));
    for (size_t k = 0; k < column_count; k++)
        CHECK(read_column(file, &columns[k], *count, bytes, *records));
    return STATUS_OK;
}

static double key_of(double arrival_s)
{
    return isfinite(arrival_s) ? arrival_s : INFINITY;
}

static int compare_arrivals(const void *a, const void *b)
{
    const struct report_point *one = a, *other = b;
    if (!one->skipped[0] != !other->skipped[0])
        return one->skipped[0] ? 1 : -1;
    const double x = key_of(one->arrival_s), y = key_of(other->arrival_s);
    return x != y ? (x > y) - (x < y) : strcmp(one->name, other->name);
}

static double one_number(const struct result_file *file, const char *name)
{
    double value;
    return result_numbers(file, NULL, name, &value, 1) == 1 ? value : NAN;
}

// Which points have no node; files of earlier versions hold those with a node alone.
static enum status read_skipped(const struct result_file *file, struct report_forecast *forecast)
{
    const struct result_variable *variable = result_find(file, "skipped");
    char **texts;
    size_t length;
    if (!variable || !variable->is_text)
        return STATUS_OK;
    CHECK(result_read_texts(file, "skipped", &texts, &length));
    for (size_t k = 0; k < forecast->point_count && k < length; k++)
        snprintf(forecast->points[k].skipped, sizeof forecast->points[k].skipped, "%s", texts[k]);
    result_free_texts(texts, length);
    return STATUS_OK;
}

static enum status read_points(const struct result_file *file, struct report_forecast *forecast)
{
    CHECK(read_table(file, point_columns, sizeof point_columns / sizeof *point_columns,
                     sizeof *forecast->points, (void **)&forecast->points, &forecast->point_count));
    CHECK(read_skipped(file, forecast));
    for (size_t k = 0; k < forecast->point_count; k++) { // which earlier versions do not have
        struct report_point *point = &forecast->points[k];
        if (isnan(point->earliest_s))
            point->earliest_s = fmin(point->arrival_s, point->travel_s);
    }
    qsort(forecast->points, forecast->point_count, sizeof *forecast->points, compare_arrivals);
    forecast->threshold_m = one_number(file, "threshold_m");
    forecast->green_depth_m = one_number(file, "green_depth_m");
    return STATUS_OK;
}

// Of the points, or of zones without points.
static void read_levels(const struct result_file *file, struct report_forecast *forecast)
{
    forecast->level_count =
        result_numbers(file, NULL, "threat_levels_m", forecast->levels_m, REPORT_THREAT_LEVELS_MAX);
}

// Where no other file has the origin of the times.
static void take_origin(struct report *report, const struct result_file *file)
{
    char origin[RESULT_UNITS_BYTES - 16];
    result_attribute(file, NULL, "time_origin", origin, sizeof origin);
    if (origin[0] && report->time_units[0] == '\0')
        snprintf(report->time_units, sizeof report->time_units, "seconds since %s", origin);
}

enum status report_tsunami_read_forecast(struct report *report)
{
    struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    struct result_file *file = NULL;
    CHECK(report_open_file(report, report->options.directory, "points.nc", &file));
    if (file) {
        take_origin(report, file);
        read_levels(file, forecast);
    }
    enum status status = file ? read_points(file, forecast) : STATUS_OK;
    result_close(file);
    CHECK(status);
    file = NULL;
    CHECK(report_open_file(report, report->options.directory, "zones.nc", &file));
    if (file && forecast->level_count == 0)
        read_levels(file, forecast);
    if (file)
        status = read_table(file, zone_columns, sizeof zone_columns / sizeof *zone_columns,
                            sizeof *forecast->zones, (void **)&forecast->zones, &forecast->zone_count);
    result_close(file);
    return status;
}

void report_tsunami_free_forecast(struct report_forecast *forecast)
{
    free(forecast->points);
    free(forecast->zones);
    *forecast = (struct report_forecast){0};
}

// ---- figures

const char *report_tsunami_skipped_text(const struct report_point *point)
{
    return strcmp(point->skipped, "outside") == 0   ? "outside the domain"
           : strcmp(point->skipped, "cut off") == 0 ? "the grid cuts off its water"
                                                    : "no water deep enough near it";
}

double report_tsunami_point_height_m(const struct report_point *point)
{
    return isfinite(point->coastal_height_m) ? point->coastal_height_m : point->crest_m;
}

const struct report_point *report_tsunami_worst_point(const struct report_forecast *forecast)
{
    const struct report_point *worst = NULL;
    for (size_t k = 0; k < forecast->point_count; k++) {
        const double height_m = report_tsunami_point_height_m(&forecast->points[k]);
        if (isfinite(height_m) && (!worst || height_m > report_tsunami_point_height_m(worst)))
            worst = &forecast->points[k];
    }
    return worst;
}

const struct report_point *report_tsunami_first_point(const struct report_forecast *forecast)
{
    return forecast->point_count > 0 && isfinite(forecast->points[0].arrival_s) ? &forecast->points[0] : NULL;
}

bool report_tsunami_is_dry(const struct report_zone *zone)
{
    return zone->nodes == 0 && !(zone->points > 0);
}

int report_tsunami_threat_colour(double threat, bool may_be_higher)
{
    return !isfinite(threat) || (threat <= 0 && may_be_higher) ? -1 : (int)fmin(threat, 5);
}

const char *report_tsunami_threat_text(const struct report_forecast *forecast, double threat,
                                       bool is_lower_bound, char text[STYLE_TEXT_BYTES])
{
    const double *levels_m = forecast->levels_m;
    const size_t level = threat > 0 ? (size_t)threat : 0, count = forecast->level_count;
    if (!isfinite(threat))
        snprintf(text, STYLE_TEXT_BYTES, "–");
    else if (count == 0 || level > count)
        snprintf(text, STYLE_TEXT_BYTES, "level %zu", level);
    else if (is_lower_bound)
        snprintf(text, STYLE_TEXT_BYTES, "≥ %g m", level > 0 ? levels_m[level - 1] : 0);
    else if (level == 0)
        snprintf(text, STYLE_TEXT_BYTES, "< %g m", levels_m[0]);
    else if (level == count)
        snprintf(text, STYLE_TEXT_BYTES, "≥ %g m", levels_m[count - 1]);
    else
        snprintf(text, STYLE_TEXT_BYTES, "%g – %g m", levels_m[level - 1], levels_m[level]);
    return text;
}
