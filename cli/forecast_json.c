// The document of `fathom forecast --json`: see forecast_print.h.
#include "cli/forecast_print.h"

#include "cli/options.h"
#include "io/date.h"
#include "io/json_file.h"
#include "models/tsunami/export/notice.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

static cJSON *event_json(const struct forecast_choices *c)
{
    const struct forecast_source *s = &c->source;
    cJSON *event = cJSON_CreateObject();
    if (c->options->event_path)
        cJSON_AddStringToObject(event, "file", c->options->event_path);
    cJSON_AddStringToObject(event, "name", s->name);
    cJSON_AddStringToObject(event, "place", s->place);
    cJSON_AddStringToObject(event, "origin", c->origin);
    cJSON_AddNumberToObject(event, "magnitude", s->magnitude);
    cJSON_AddNumberToObject(event, "moment_n_m", s->moment_n_m);
    cJSON_AddNumberToObject(event, "faults", (double)s->shape.faults);
    json_add_number(event, "largest_slip_m", s->shape.largest_slip_m);
    json_add_number(event, "largest_uplift_m", s->shape.largest_uplift_m);
    return event;
}

static cJSON *choices_json(const struct forecast_choices *c, const char *job_path)
{
    const struct forecast_box *box = &c->domain.box;
    const double longitude[] = {box->west_deg, box->east_deg}, latitude[] = {box->south_deg, box->north_deg};
    cJSON *choices = cJSON_CreateObject();
    if (job_path)
        cJSON_AddStringToObject(choices, "job", job_path);
    cJSON_AddStringToObject(choices, "directory", c->options->directory);
    cJSON_AddItemToObject(choices, "longitude", cJSON_CreateDoubleArray(longitude, 2));
    cJSON_AddItemToObject(choices, "latitude", cJSON_CreateDoubleArray(latitude, 2));
    cJSON_AddBoolToObject(choices, "is_globe", c->domain.is_globe);
    if (c->domain.ocean)
        cJSON_AddStringToObject(choices, "ocean", c->domain.ocean);
    cJSON_AddNumberToObject(choices, "farthest_m", c->domain.farthest_m);
    cJSON_AddNumberToObject(choices, "spacing_arcmin", c->spacing.arcmin);
    cJSON_AddNumberToObject(choices, "nodes", c->spacing.nodes);
    cJSON_AddNumberToObject(choices, "steps", c->spacing.steps);
    cJSON_AddNumberToObject(choices, "estimate_s", c->spacing.estimate_s);
    cJSON_AddNumberToObject(choices, "source_nodes", c->source_nodes);
    cJSON_AddNumberToObject(choices, "hours", c->hours);
    cJSON_AddNumberToObject(choices, "last_arrival_s", c->last_arrival_s);
    cJSON_AddStringToObject(choices, "last_point", c->points.points[c->last].name);
    cJSON_AddNumberToObject(choices, "points_reached", (double)c->reached);
    cJSON_AddStringToObject(choices, "bathymetry", c->bathymetry);
    cJSON_AddStringToObject(choices, "method", c->options->method);
    if (c->relation)
        cJSON_AddStringToObject(choices, "relation", c->relation);
    return choices;
}

static void add_points(const struct forecast_choices *c, const struct points_result *r, const size_t *order,
                       cJSON *list)
{
    double origin_s = 0;
    const bool has_origin = c->origin[0] && date_epoch(c->origin, &origin_s);
    for (size_t k = 0; k < r->count; k++) {
        char text[40];
        cJSON *point = json_append_object(list);
        cJSON_AddStringToObject(point, "name", r->names[order[k]]);
        if (forecast_is_skipped(r, order[k]))
            cJSON_AddStringToObject(point, "skipped", r->skipped[order[k]]);
        const double arrival_s = forecast_value(r, POINTS_ARRIVAL, order[k]);
        const double earliest_s = forecast_value(r, POINTS_EARLIEST, order[k]);
        if (has_origin && !isnan(arrival_s))
            cJSON_AddStringToObject(point, "arrival_utc",
                                    forecast_clock_text(origin_s + arrival_s, true, text));
        if (has_origin && !isnan(earliest_s)) // down, for it is a time to be ready at
            cJSON_AddStringToObject(point, "earliest_utc",
                                    forecast_clock_text(floor(origin_s + earliest_s), true, text));
        for (int q = 0; q < POINTS_IN_SOURCE; q++)
            json_add_number(point, points_result_names[q],
                            forecast_value(r, (enum points_quantity)q, order[k]));
        if (forecast_is_skipped(r, order[k]))
            continue;
        cJSON_AddBoolToObject(point, "is_in_source", forecast_value(r, POINTS_IN_SOURCE, order[k]) == 1);
        cJSON_AddBoolToObject(point, "is_unfinished", forecast_value(r, POINTS_UNFINISHED, order[k]) == 1);
        cJSON_AddBoolToObject(point, "is_lower_bound", forecast_value(r, POINTS_LOWER_BOUND, order[k]) == 1);
    }
}

// What the numbers of points mean: thresholds, units, and from what level heights count.
static cJSON *meaning_json(const struct points_result *r)
{
    cJSON *meaning = cJSON_CreateObject();
    json_add_number(meaning, "arrival_threshold_m", r->threshold_m);
    json_add_number(meaning, "green_depth_m", r->green_depth_m);
    cJSON_AddItemToObject(meaning, "threat_levels_m",
                          cJSON_CreateDoubleArray(r->threat_levels_m, (int)r->threat_level_count));
    cJSON_AddStringToObject(
        meaning, "units",
        "times in s after the earthquake; heights, depths and distances in m; positions in degrees");
    cJSON_AddStringToObject(meaning, "crests_and_troughs_above", "source_level");
    cJSON_AddStringToObject(meaning, "source_level_above", "the sea at rest");
    cJSON_AddStringToObject(meaning, "coastal_height_above",
                            "the sea at rest, or a coast that sank with the sea floor");
    return meaning;
}

enum status forecast_print_json(const struct forecast_choices *c, const char *job_path,
                                const struct forecast_results *results)
{
    const struct points_result *result = results ? results->points : NULL;
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "notice", TSUNAMI_NOTICE);
    cJSON_AddItemToObject(report, "event", event_json(c));
    cJSON_AddItemToObject(report, "choices", choices_json(c, job_path));
    size_t *order = result ? forecast_sort_points(result) : NULL;
    if (result)
        cJSON_AddItemToObject(report, "meaning", meaning_json(result));
    if (result && order)
        add_points(c, result, order, cJSON_AddArrayToObject(report, "points"));
    free(order);
    if (results && results->warnings)
        cJSON_AddItemToObject(report, "warnings", cJSON_Duplicate(results->warnings, true));
    return options_print_json(report);
}
