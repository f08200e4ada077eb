// What the script of a hazard page shows: the map with its fields and points, and the gauges' percentiles.
#include "io/formats/zones_result.h"
#include "report/hazard/report.h"
#include "report/page.h"
#include "report/web/coast.h"
#include "report/web/map.h"
#include "report/web/zones.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pixels a side and bytes of an image; a larger one is made with fewer pixels.
enum { SIDE_MAX = 1600, SIDE_LEAST = 120, OVERLAY_BYTES_MAX = 400 << 10, SAMPLES_MAX = 3000 };

struct layer {
    const char *variable, *name, *note;
    size_t plane;
    enum { SHARES, HEIGHTS, TIMES } kind;
};

static enum status read_layer(const struct report *report, size_t grid, const struct layer *layer,
                              size_t side, struct map_pair *pair)
{
    const struct map_part part = {side, side, NULL};
    return report_hazard_read_pair(report_hazard_state(report), grid, layer->variable, layer->plane, &part,
                                   pair);
}

static struct web_map_field field_of(const struct layer *layer, const struct map_pair *pair,
                                     struct style_scale *scale)
{
    struct style_time_unit unit = {NULL, 0};
    *scale = (struct style_scale){.kind = STYLE_LINEAR, .low = 0, .high = 1};
    if (layer->kind == HEIGHTS)
        *scale = report_hazard_height_scale(&pair->values);
    if (layer->kind == TIMES)
        *scale = report_hazard_time_scale(&pair->values, &unit);
    return (struct web_map_field){.name = layer->name,
                                  .palette = layer->kind == TIMES ? style_travel : style_sequential,
                                  .scale = scale,
                                  .format = layer->kind == SHARES    ? report_hazard_percent
                                            : layer->kind == HEIGHTS ? style_length
                                                                     : style_number,
                                  .unit = unit.name,
                                  .unit_size = unit.seconds,
                                  .note = layer->note,
                                  .is_on_water_only = true};
}

static enum status add_layer(const struct report *report, const struct layer *layer, cJSON *map)
{
    for (size_t side = SIDE_MAX;;) {
        struct map_pair pair = {0};
        struct style_scale scale;
        size_t bytes = 0;
        cJSON *overlay;
        enum status status = read_layer(report, 0, layer, side, &pair);
        const bool has_any =
            status == STATUS_OK && map_find_largest(&pair.values, false) < pair.values.nx * pair.values.ny;
        if (has_any) {
            const struct web_map_field field = field_of(layer, &pair, &scale);
            status = web_map_overlay(map, &field, &pair, &overlay, &bytes);
        }
        if (status == STATUS_OK && !cJSON_HasObjectItem(map, "base"))
            status = web_map_base(map, &pair);
        const size_t longest = pair.values.nx > pair.values.ny ? pair.values.nx : pair.values.ny;
        map_free_pair(&pair);
        CHECK(status);
        if (bytes <= OVERLAY_BYTES_MAX || side <= SIDE_LEAST)
            return STATUS_OK;
        side = (size_t)(0.93 * sqrt(OVERLAY_BYTES_MAX / (double)bytes) * (double)longest);
        cJSON *list = cJSON_GetObjectItem(map, "overlays");
        cJSON_DeleteItemFromArray(list, cJSON_GetArraySize(list) - 1);
    }
}

static enum status add_layers(const struct report *report, cJSON *map)
{
    static const size_t shown[] = {4, 2};
    const struct report_hazard_state *state = report_hazard_state(report);
    char name[96], text[STYLE_TEXT_BYTES];
    for (size_t t = 0; t < state->threshold_count && t < HAZARD_MAPS_MAX; t++) {
        snprintf(name, sizeof name, "P(more than %s)", style_length(state->thresholds_m[t], text));
        CHECK(add_layer(report, &(struct layer){"max_eta_exceedance", name, NULL, t, SHARES}, map));
    }
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        snprintf(name, sizeof name, "Height, %gth percentile", state->percentiles[shown[k]]);
        CHECK(add_layer(report, &(struct layer){"max_eta_percentile", name, NULL, shown[k], HEIGHTS}, map));
    }
    if (!result_find(state->files[0], "arrival_median"))
        return STATUS_OK;
    return add_layer(report,
                     &(struct layer){"arrival_median", "Median arrival",
                                     "By which it has come in half of the members.", 0, TIMES},
                     map);
}

static enum status add_coast(cJSON *map, const struct map_view *view)
{
    struct contour_points points = {0};
    const struct web_map_line line = {
        "Coast lines", "#4a463f", 1.0, 0.9, false, false, (view->x[1] - view->x[0]) / 3000};
    if (!view->is_geographic)
        return STATUS_OK;
    enum status status = web_coast_lines(WEB_COAST_SHORES, view->x, view->y, &points);
    if (status == STATUS_OK)
        status = web_map_lines(map, &line, &points, NULL);
    contour_free(&points);
    return status;
}

// ---- points

static void add_height_row(cJSON *mark, const char *name, const double *m)
{
    char text[3 * STYLE_TEXT_BYTES + 32], a[STYLE_TEXT_BYTES], b[STYLE_TEXT_BYTES], c[STYLE_TEXT_BYTES];
    snprintf(text, sizeof text, "%s (%s – %s)", style_length(m[2], a), style_length(m[0], b),
             style_length(m[HAZARD_SHOWN_PERCENTILES - 1], c));
    web_map_row(mark, name, text);
}

static void add_point(const struct report_hazard_state *state, size_t k, cJSON *map)
{
    const struct report_hazard_points *p = &state->points;
    char name[STYLE_TEXT_BYTES + 8], text[STYLE_TEXT_BYTES], level[STYLE_TEXT_BYTES];
    int colour = report_hazard_level(state, k);
    if (!isfinite(p->x[k]) || !isfinite(p->y[k]) || !(p->weight[k] > 0))
        return;
    colour = colour < WEB_MAP_LEVEL_UNKNOWN ? colour : WEB_MAP_LEVEL_UNKNOWN - 1;
    cJSON *mark = web_map_mark(map, "point", p->names[k], p->x[k], p->y[k], colour);
    for (size_t s = p->states; s-- > 1;) {
        snprintf(name, sizeof name, "P(%s)", report_hazard_level_text(state, s - 1, level));
        web_map_row(mark, name, report_hazard_percent(p->shares[k * p->states + s], text));
    }
    if (p->shares[k * p->states] > 0)
        web_map_row(mark, "P(not reached yet)", report_hazard_percent(p->shares[k * p->states], text));
    add_height_row(mark, "At the coast (5 – 95 %)", p->coastal_m + k * HAZARD_SHOWN_PERCENTILES);
    web_map_row(mark, "Earliest arrival", style_duration(p->earliest_s[k], text));
    web_map_row(mark, "Median arrival", style_duration(p->median_s[k], text));
}

static int level_of(const void *context, const struct zones_file *zones, size_t k)
{
    (void)zones;
    return report_hazard_zone_level(context, k);
}

// A file of an earlier version has zones without outlines.
static enum status add_zones(const struct report_hazard_state *state, cJSON *map)
{
    struct zones_file zones = {0};
    if (state->zones.count == 0)
        return STATUS_OK;
    enum status status = zones_result_read(state->files[0], "zone_", &zones);
    if (status == STATUS_OK && zones.zone_count > 0)
        status = zones.zone_count == state->zones.count
                     ? web_zones_add(map, &zones, level_of, state)
                     : FAIL(STATUS_DATA, "%s: has %zu outlines of %zu zones", result_path(state->files[0]),
                            zones.zone_count, state->zones.count);
    zones_file_free(&zones);
    return status;
}

static void add_colours(const struct report_hazard_state *state, cJSON *map)
{
    char text[STYLE_TEXT_BYTES];
    cJSON *swatches = cJSON_AddObjectToObject(map, "swatches"), *list;
    cJSON_AddStringToObject(swatches, "title",
                            state->points.count > 0 ? "95th percentile at the coast" : "95th percentile");
    list = cJSON_AddArrayToObject(swatches, "list");
    for (size_t k = 0; k <= state->threshold_count + 1 && k <= WEB_MAP_LEVEL_UNKNOWN; k++) {
        const bool is_known = k <= state->threshold_count && k < WEB_MAP_LEVEL_UNKNOWN;
        cJSON *swatch = json_append_object(list);
        cJSON_AddStringToObject(swatch, "colour", web_map_levels[is_known ? k : WEB_MAP_LEVEL_UNKNOWN]);
        cJSON_AddStringToObject(
            swatch, "text", is_known ? report_hazard_level_text(state, k, text) : "not known: may be higher");
    }
}

static enum status add_map(const struct report *report)
{
    static const size_t first[RESULT_RANK_MAX];
    const struct report_hazard_state *state = report_hazard_state(report);
    struct result_map whole;
    if (!result_find(state->files[0], "max_eta_mean"))
        return STATUS_OK;
    CHECK(result_read_map(state->files[0], "max_eta_mean", first, RESULT_VALID_FRACTION, 2, 2, NULL, &whole));
    const struct map_view view = map_view_of(&whole);
    result_map_free(&whole);
    cJSON *map = web_map_add(report->web, "hazard-map", &view);
    CHECK(add_layers(report, map));
    CHECK(add_coast(map, &view));
    for (size_t k = 0; k < state->points.count; k++)
        add_point(state, k, map);
    if (state->points.count + state->zones.count > 0)
        add_colours(state, map);
    return add_zones(state, map);
}

// ---- series

static void add_curve(const struct report_hazard_state *state, size_t gauge, size_t percentile, cJSON *curves)
{
    static const char *const colours[HAZARD_SHOWN_PERCENTILES] = {"#7ba7cc", "#4f86b5", "#1f5f99", "#d9772b",
                                                                  "#b3261e"};
    const struct report_hazard_series *s = &state->series;
    const double *values_m = s->percentile_m + percentile * s->times * s->count;
    const size_t stride = (s->times + SAMPLES_MAX - 1) / SAMPLES_MAX;
    char name[32];
    cJSON *curve = json_append_object(curves);
    snprintf(name, sizeof name, "%g %%", state->percentiles[percentile]);
    cJSON_AddStringToObject(curve, "name", name);
    cJSON_AddStringToObject(curve, "colour", colours[percentile]);
    cJSON *times = cJSON_AddArrayToObject(curve, "times_s"),
          *values = cJSON_AddArrayToObject(curve, "values");
    for (size_t t = 0; t < s->times; t += stride) {
        const double value = values_m[t * s->count + gauge];
        cJSON_AddItemToArray(times, cJSON_CreateNumber(s->times_s[t]));
        cJSON_AddItemToArray(values, isfinite(value) ? cJSON_CreateNumber(round(1e5 * value) / 1e5)
                                                     : cJSON_CreateNull());
    }
}

static void add_series(const struct report *report)
{
    enum { GAUGES_MAX = 60 };
    const struct report_hazard_state *state = report_hazard_state(report);
    const struct report_hazard_series *s = &state->series;
    if (s->count == 0 || s->times < 2)
        return;
    const struct style_time_unit unit = style_time_unit(s->times_s[s->times - 1]);
    cJSON *chart = json_append_object(cJSON_AddArrayToObject(report->web, "charts"));
    cJSON_AddStringToObject(chart, "id", "hazard-gauges");
    cJSON_AddStringToObject(chart, "title", "Elevation");
    cJSON_AddStringToObject(chart, "choice", "Gauge");
    cJSON_AddStringToObject(chart, "unit", "m");
    cJSON_AddStringToObject(chart, "time_unit", unit.name);
    cJSON_AddNumberToObject(chart, "time_unit_s", unit.seconds);
    cJSON *list = cJSON_AddArrayToObject(chart, "series");
    for (size_t g = 0; g < s->count && g < GAUGES_MAX; g++) {
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "name", s->names[g]);
        cJSON *curves = cJSON_AddArrayToObject(item, "curves");
        for (size_t p = 0; p < HAZARD_SHOWN_PERCENTILES; p++)
            add_curve(state, g, p, curves);
    }
}

static void mark_pictures(struct report *report)
{
    for (size_t k = 0; k < report->picture_count; k++) {
        struct report_picture *picture = &report->pictures[k];
        const bool is_map = strncmp(picture->file, "exceedance_", 11) == 0 ||
                            strncmp(picture->file, "percentile_", 11) == 0 ||
                            strncmp(picture->file, "arrival_", 8) == 0;
        if (picture->section == HAZARD_MAPS && is_map && json_member(report->web, "maps"))
            picture->live = REPORT_BY_MAP;
        if (picture->section == HAZARD_SERIES && json_member(report->web, "charts"))
            picture->live = REPORT_BY_CHART;
    }
}

enum status report_hazard_web(struct report *report, bool has_maps, bool has_charts)
{
    report_page_tell_epoch(report);
    if (has_maps)
        CHECK(add_map(report));
    if (has_charts)
        add_series(report);
    mark_pictures(report);
    return STATUS_OK;
}
