// Marks of a tsunami's map: forecast points, gauges, the largest values, the faults with their mechanism, and
// the outlines of the zones.
#include "report/tsunami/report.h"

#include "io/formats/zones_result.h"
#include "io/json_file.h"
#include "models/tsunami/earthquake/faults.h"
#include "report/web/map.h"
#include "report/web/mechanism.h"
#include "report/web/zones.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double earth_radius_m = 6371000, degree = 3.14159265358979323846 / 180;

// ---- points and gauges

static void add_height_row(cJSON *mark, const char *name, double height_m, double time_s)
{
    char text[2 * STYLE_TEXT_BYTES + 8], height[STYLE_TEXT_BYTES], time[STYLE_TEXT_BYTES];
    if (!isfinite(height_m))
        return;
    snprintf(text, sizeof text, "%s%s%s", style_length(height_m, height), isfinite(time_s) ? " after " : "",
             isfinite(time_s) ? style_duration(time_s, time) : "");
    web_map_row(mark, name, text);
}

static void add_arrival_row(cJSON *mark, double arrival_s)
{
    char text[STYLE_TEXT_BYTES];
    web_map_row(mark, "Arrival", style_duration(arrival_s, text));
    if (isfinite(arrival_s))
        cJSON_AddNumberToObject(mark, "arrival_s", arrival_s);
}

static void add_point(const struct report_forecast *forecast, const struct report_point *point, cJSON *map)
{
    char text[STYLE_TEXT_BYTES];
    const bool is_lower_bound = point->is_lower_bound == 1,
               may_be_higher = is_lower_bound || point->is_unfinished == 1;
    const int level = report_tsunami_threat_colour(point->threat, may_be_higher);
    if (!isfinite(point->longitude) || !isfinite(point->latitude))
        return;
    cJSON *mark = web_map_mark(map, "point", point->name, point->longitude, point->latitude, level);
    if (point->skipped[0]) {
        web_map_row(mark, "Skipped", report_tsunami_skipped_text(point));
        return;
    }
    if (isfinite(point->threat))
        web_map_row(mark,
                    is_lower_bound  ? "Threat, a lower bound"
                    : may_be_higher ? "Threat, or more"
                                    : "Threat",
                    report_tsunami_threat_text(forecast, point->threat, is_lower_bound, text));
    else if (!isfinite(point->arrival_s))
        web_map_row(mark, "Threat", "not reached");
    add_arrival_row(mark, point->arrival_s);
    add_height_row(mark, "At the coast", point->coastal_height_m, NAN);
    add_height_row(mark, "First crest", point->first_crest_m, point->first_crest_s);
    add_height_row(mark, "Largest crest", point->crest_m, point->crest_s);
    add_height_row(mark, "Deepest trough", point->trough_m, point->trough_s);
}

// A gauge that no wave reached has no height: less than the least one, as in the table.
static void add_gauge(const struct report_waves *waves, const struct report_gauge *gauge, cJSON *map)
{
    const double least_m = report_tsunami_least_height_m(waves);
    char least[STYLE_TEXT_BYTES], text[STYLE_TEXT_BYTES + 3];
    if (!isfinite(gauge->longitude) || !isfinite(gauge->latitude))
        return;
    cJSON *mark = web_map_mark(map, "gauge", gauge->name, gauge->longitude, gauge->latitude, -1);
    add_arrival_row(mark, gauge->arrival_s);
    add_height_row(mark, "First peak", gauge->first_peak_m, gauge->first_peak_s);
    if (report_tsunami_gauge_size_m(gauge) >= least_m) {
        add_height_row(mark, "Highest level", gauge->maximum_m, gauge->maximum_s);
        return;
    }
    snprintf(text, sizeof text, "< %s", style_length(least_m, least));
    web_map_row(mark, "Highest level", text);
}

static void add_largest(const struct report *report, cJSON *map)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const struct report_grid *grid = &waves->grids[0];
    if (isfinite(grid->largest_m) && isfinite(grid->largest_x))
        add_height_row(web_map_mark(map, "peak", "Largest elevation", grid->largest_x, grid->largest_y, -1),
                       "Elevation", grid->largest_m, NAN);
    for (size_t g = 0; g < waves->grid_count; g++) {
        const struct report_run_up *run_up = &waves->grids[g].run_up;
        char suffix[96], name[128];
        if (!isfinite(run_up->highest_m) || !isfinite(run_up->x) || !isfinite(run_up->y))
            continue;
        snprintf(name, sizeof name, "Highest run-up%s", report_tsunami_grid_suffix(&waves->grids[g], suffix));
        add_height_row(web_map_mark(map, "peak", name, run_up->x, run_up->y, -1), "Run-up", run_up->highest_m,
                       run_up->time_s);
    }
}

// ---- zones

enum { UNKNOWN = WEB_MAP_LEVEL_UNKNOWN };

static int level_of(const void *context, const struct zones_file *zones, size_t number)
{
    const struct report_forecast *forecast = context;
    for (size_t k = 0; k < forecast->zone_count; k++) {
        const struct report_zone *zone = &forecast->zones[k];
        if (strcmp(zone->name, zones->zones[number].name) == 0)
            return report_tsunami_threat_colour(zone->threat, zone->is_lower_bound == 1);
    }
    return -1;
}

// What the colours of points and zones mean.
static void add_colours(const struct report_forecast *forecast, cJSON *map)
{
    char text[STYLE_TEXT_BYTES];
    if (forecast->point_count + forecast->zone_count == 0)
        return;
    cJSON *swatches = cJSON_AddObjectToObject(map, "swatches"), *list;
    cJSON_AddStringToObject(swatches, "title", "Threat");
    list = cJSON_AddArrayToObject(swatches, "list");
    for (size_t k = 0; k <= forecast->level_count && k < UNKNOWN; k++) {
        cJSON *swatch = json_append_object(list);
        cJSON_AddStringToObject(swatch, "colour", web_map_levels[k]);
        cJSON_AddStringToObject(swatch, "text", report_tsunami_threat_text(forecast, (double)k, false, text));
    }
    cJSON *unknown = json_append_object(list);
    cJSON_AddStringToObject(unknown, "colour", web_map_levels[UNKNOWN]);
    cJSON_AddStringToObject(unknown, "text", "not known");
}

static enum status add_zones(const struct report *report, cJSON *map)
{
    struct result_file *file = NULL;
    struct zones_file zones = {0};
    CHECK(report_open_file(report, report->options.directory, "zones.nc", &file));
    if (!file)
        return STATUS_OK;
    enum status status = zones_result_read(file, "", &zones);
    if (status == STATUS_OK)
        status = web_zones_add(map, &zones, level_of, &report_tsunami_waves(report)->forecast);
    zones_file_free(&zones);
    result_close(file);
    return status;
}

enum status report_tsunami_web_marks(const struct report *report, cJSON *map)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    for (size_t k = 0; k < waves->forecast.point_count; k++)
        add_point(&waves->forecast, &waves->forecast.points[k], map);
    for (size_t k = 0; k < waves->gauge_count && waves->gauges_have_positions; k++)
        add_gauge(waves, &waves->gauges[k], map);
    add_largest(report, map);
    add_colours(&waves->forecast, map);
    return add_zones(report, map);
}

// ---- the source

// A corner of a fault's plane, seen from above; along: −0.5 … 0.5 of its length; up: 0 … 1 from its lower
// edge.
static void corner_of(const struct fault_table *table, const struct fault *fault, double along, double up,
                      double *x, double *y)
{
    double east_m, north_m;
    const double m_per_unit = table->is_geographic ? earth_radius_m * degree : 1;
    fault_place(fault, along * fault->length_m, up * fault->width_m * cos(fault->dip_deg * degree), &east_m,
                &north_m);
    *y = fault->latitude_deg + north_m / m_per_unit;
    *x = fault->longitude_deg +
         east_m / (m_per_unit * (table->is_geographic ? cos(fault->latitude_deg * degree) : 1));
}

static enum status outline(const cJSON *map, const struct fault_table *table, const struct fault *fault,
                           struct contour_points *points)
{
    static const double corners[5][2] = {{-0.5, 0}, {0.5, 0}, {0.5, 1}, {-0.5, 1}, {-0.5, 0}};
    double shift = 0;
    for (size_t k = 0; k < 5; k++) {
        double x, y;
        corner_of(table, fault, corners[k][0], corners[k][1], &x, &y);
        if (k == 0)
            shift = web_map_x(map, x) - x;
        CHECK(contour_append(points, x + shift, y));
    }
    return contour_append(points, NAN, NAN);
}

static double potency_of(const struct fault *fault)
{
    return fault->length_m * fault->width_m * fabs(fault->slip_m);
}

// The fault with the largest share, and the centroid of all, weighted by area and slip.
static const struct fault *find_centroid(const struct fault_table *table, const cJSON *map, double *x,
                                         double *y)
{
    const struct fault *strongest = NULL;
    double sum = 0;
    *x = *y = 0;
    for (size_t k = 0; k < table->count; k++) {
        const struct fault *fault = &table->faults[k];
        const double potency = potency_of(fault);
        double corner_x, corner_y;
        corner_of(table, fault, 0, 0.5, &corner_x, &corner_y);
        *x += potency * web_map_x(map, corner_x);
        *y += potency * corner_y;
        sum += potency;
        if (!strongest || potency > potency_of(strongest))
            strongest = fault;
    }
    *x /= sum;
    *y /= sum;
    return sum > 0 ? strongest : NULL;
}

static void add_mechanism(const struct report *report, const struct fault_table *table, cJSON *map)
{
    char svg[WEB_MECHANISM_BYTES], text[STYLE_TEXT_BYTES];
    double x, y;
    const struct fault *fault = find_centroid(table, map, &x, &y);
    const cJSON *source = json_member(report->run, "source"), *quake = json_member(source, "earthquake");
    const cJSON *point = json_member(quake, "hypocentre") ? json_member(quake, "hypocentre") : quake;
    const bool has_point =
        isfinite(json_number(point, "longitude")) && isfinite(json_number(point, "latitude"));
    if (!fault)
        return;
    cJSON *mark = web_map_mark(map, "epicentre", has_point ? "Epicentre" : "Centre of the slip",
                               has_point ? json_number(point, "longitude") : x,
                               has_point ? json_number(point, "latitude") : y, -1);
    if (web_mechanism_svg(fault->strike_deg, fault->dip_deg, fault->rake_deg, 56, svg))
        cJSON_AddStringToObject(mark, "svg", svg);
    bool is_stated;
    const double magnitude = report_tsunami_magnitude(report, &is_stated),
                 depth_m = json_number(point, "depth_m");
    if (isfinite(magnitude)) {
        snprintf(text, sizeof text, "%.2f", magnitude);
        web_map_row(mark, "Mw", text);
    }
    if (has_point && isfinite(depth_m))
        web_map_row(mark, "Depth", style_length(depth_m, text));
    snprintf(text, sizeof text, "%.0f°, %.0f°, %.0f°", fault->strike_deg, fault->dip_deg, fault->rake_deg);
    web_map_row(mark, "Strike, dip, rake", text);
    web_map_row(mark, "Largest slip", style_length(json_number(source, "largest_slip_m"), text));
}

static enum status add_table(const struct report *report, const struct fault_table *table, bool is_first,
                             cJSON *map)
{
    enum { OUTLINES_MAX = 2000 };
    const struct web_map_line line = {"Faults", "#a11212", 1.1, 0.85, false, false, 0};
    struct contour_points points = {0};
    enum status status = STATUS_OK;
    size_t count = 0;
    for (size_t k = 0; k < table->count && count < OUTLINES_MAX && status == STATUS_OK; k++)
        if (table->faults[k].slip_m != 0) {
            status = outline(map, table, &table->faults[k], &points);
            count++;
        }
    if (status == STATUS_OK)
        status = web_map_lines(map, &line, &points, NULL);
    contour_free(&points);
    if (status == STATUS_OK && is_first)
        add_mechanism(report, table, map);
    return status;
}

enum status report_tsunami_web_faults(const struct report *report, cJSON *map)
{
    const cJSON *tables = json_member(json_member(report->run, "source"), "fault_tables"), *item;
    bool is_first = true;
    cJSON_ArrayForEach(item, tables)
    {
        struct fault_table table;
        if (fault_table_parse(item, "run.json: source.fault_tables", &table) != STATUS_OK) {
            status_clear(); // of another version: the map is drawn without its faults
            continue;
        }
        const enum status status = add_table(report, &table, is_first, map);
        fault_table_free(&table);
        CHECK(status);
        is_first = false;
    }
    return STATUS_OK;
}
