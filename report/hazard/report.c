// The report of an ensemble's hazard: the sections of its page, the order of its pictures, its figures.
#include "report/hazard/report.h"

#include "report/page.h"
#include "report/tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the pictures

static void note_time(struct report *report)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    char origin[128];
    result_attribute(state->files[0], NULL, "time_origin", origin, sizeof origin);
    if (origin[0] && !report->time_units[0])
        snprintf(report->time_units, sizeof report->time_units, "seconds since %.60s", origin);
}

static enum status draw_pictures(struct report *report)
{
    CHECK(report_hazard_read(report));
    note_time(report);
    CHECK(report_hazard_draw_maps(report));
    CHECK(report_hazard_draw_curves(report));
    return report_hazard_draw_series(report);
}

static bool recognise(const struct report *report)
{
    char path[REPORT_PATH_BYTES];
    return report_has_file(report->options.directory, "ensemble.nc", path);
}

// ---- the page

static void write_worst(FILE *page, const struct report_hazard_state *state)
{
    const struct report_hazard_points *p = &state->points;
    char text[STYLE_TEXT_BYTES], note[160];
    if (p->count == 0)
        return;
    const size_t worst = p->order[0];
    const double *m = p->coastal_m + worst * HAZARD_SHOWN_PERCENTILES;
    if (isfinite(m[HAZARD_SHOWN_PERCENTILES - 1]))
        report_tile(page, style_length(m[HAZARD_SHOWN_PERCENTILES - 1], text),
                    "highest 95th percentile, at the coast", p->names[worst]);
    // The highest threshold that some point may reach, and where that is most likely.
    for (size_t level = state->threshold_count; level > 0; level--) {
        size_t likely = 0;
        double most = 0;
        for (size_t k = 0; k < p->count; k++) {
            double share = 0;
            for (size_t s = 1 + level; s < p->states; s++)
                share += p->shares[k * p->states + s];
            if (share > most) {
                most = share;
                likely = k;
            }
        }
        if (!(most > 0))
            continue;
        snprintf(note, sizeof note, "largest probability of %g m or more", state->thresholds_m[level - 1]);
        report_tile(page, report_hazard_percent(most, text), note, p->names[likely]);
        return;
    }
}

static void write_earliest(FILE *page, const struct report_hazard_state *state)
{
    const struct report_hazard_points *p = &state->points;
    size_t first = p->count;
    char text[STYLE_TEXT_BYTES];
    for (size_t k = 0; k < p->count; k++)
        if (isfinite(p->earliest_s[k]) && (first == p->count || p->earliest_s[k] < p->earliest_s[first]))
            first = k;
    if (first < p->count)
        report_tile(page, style_duration(p->earliest_s[first], text), "earliest arrival in any member",
                    p->names[first]);
}

// How many zones may come to the highest level that any may, with more than 5 % of the weight.
static void write_zones(FILE *page, const struct report_hazard_state *state)
{
    int highest = -1, count = 0;
    char level[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES + 48] = "";
    for (size_t k = 0; k < state->zones.count; k++) {
        const int its = report_hazard_zone_level(state, k);
        count = its > highest ? 1 : count + (its == highest);
        highest = its > highest ? its : highest;
    }
    if (state->zones.count == 0)
        return;
    if (highest >= 0)
        snprintf(note, sizeof note, "%d with a 95th percentile of %s", count,
                 report_hazard_level_text(state, (size_t)highest, level));
    report_tile_count(page, (double)state->zones.count, "forecast zones", note);
}

static void write_figures(FILE *page, const struct report *report)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    const cJSON *hazard = json_member(report->run, "hazard");
    const int left_out = cJSON_GetArraySize(json_member(hazard, "left_out"));
    char note[96] = "";
    if (left_out > 0)
        snprintf(note, sizeof note, "%d left out; %.3g of all weight", left_out,
                 json_number(hazard, "weight_of_members"));
    report_tile_count(page, (double)cJSON_GetArraySize(json_member(hazard, "members")), "members", note);
    write_worst(page, state);
    write_earliest(page, state);
    if (state->points.count > 0)
        report_tile_count(page, (double)state->points.count, "forecast points", "");
    write_zones(page, state);
}

static bool has_points(const struct report *report)
{
    return report_hazard_state(report)->points.count > 0;
}

static bool has_zones(const struct report *report)
{
    return report_hazard_state(report)->zones.count > 0;
}

static bool has_gauges(const struct report *report)
{
    return report_hazard_state(report)->series.count > 0;
}

static bool has_members(const struct report *report)
{
    return json_member(report->run, "hazard") != NULL;
}

static void write_summary(FILE *page, const struct report *report)
{
    report_page_row(page, "Batch", json_text(report->run, "batch"));
}

// ---- for programs

// Percentiles: "NAME_p50_m".
static void add_percentiles(cJSON *item, const struct report_hazard_state *state, const char *name,
                            const char *unit, const double *values)
{
    for (size_t q = 0; q < HAZARD_SHOWN_PERCENTILES; q++) {
        char key[48];
        snprintf(key, sizeof key, "%s_p%g_%s", name, state->percentiles[q], unit);
        json_add_number(item, key, values[q]);
    }
}

static void add_points(cJSON *root, const struct report_hazard_state *state)
{
    const struct report_hazard_points *p = &state->points;
    cJSON *list = cJSON_AddArrayToObject(root, "points");
    for (size_t k = 0; k < p->count; k++) {
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "name", p->names[k]);
        add_percentiles(item, state, "coastal_height", "m", p->coastal_m + k * HAZARD_SHOWN_PERCENTILES);
        json_add_number(item, "arrival_earliest_s", p->earliest_s[k]);
        json_add_number(item, "arrival_median_s", p->median_s[k]);
        json_add_number(item, "arrival_probability", p->arrival[k]);
    }
}

static void add_zones(cJSON *root, const struct report_hazard_state *state)
{
    const struct report_hazard_zones *z = &state->zones;
    cJSON *list = cJSON_AddArrayToObject(root, "zones");
    for (size_t k = 0; k < z->count; k++) {
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "name", z->names[k]);
        add_percentiles(item, state, "crest", "m", z->crest_m + k * HAZARD_SHOWN_PERCENTILES);
        json_add_number(item, "arrival_earliest_s", z->earliest_s[k]);
        add_percentiles(item, state, "arrival", "s", z->arrival_s + k * HAZARD_SHOWN_PERCENTILES);
        json_add_number(item, "arrival_probability", z->probability[k]);
        // Not reached, then one for each level.
        cJSON *states = cJSON_AddArrayToObject(item, "threat_probability");
        for (size_t s = 0; s < state->threshold_count + 2; s++) {
            const double share = z->shares[k * (state->threshold_count + 2) + s];
            cJSON_AddItemToArray(states, isnan(share) ? cJSON_CreateNull() : cJSON_CreateNumber(share));
        }
    }
}

static void add_json(cJSON *root, const struct report *report)
{
    add_points(root, report_hazard_state(report));
    add_zones(root, report_hazard_state(report));
}

static const struct report_section sections[] = {
    [HAZARD_POINTS] = {"Forecast points", has_points, report_hazard_point_table, NULL},
    [HAZARD_ZONES] = {"Forecast zones", has_zones, report_hazard_zone_table, NULL},
    [HAZARD_MAPS] = {"Probabilities on the map", NULL, NULL, "hazard-map"},
    [HAZARD_CURVES] = {"Exceedance curves", NULL, NULL, NULL},
    [HAZARD_SERIES] = {"Series at gauges", has_gauges, report_hazard_gauge_table, "hazard-gauges"},
    [HAZARD_MEMBERS] = {"Members and weights", has_members, report_hazard_member_table, NULL},
    {NULL, NULL, NULL, NULL}};

static const char *const files[] = {"ensemble.nc", NULL};

const struct report_model report_hazard = {
    .name = "tsunami-hazard",
    .files = files,
    .recognise = recognise,
    .state_bytes = sizeof(struct report_hazard_state),
    .pictures = draw_pictures,
    .web = report_hazard_web,
    .sections = sections,
    .figures = write_figures,
    .summary = write_summary,
    .json = add_json,
    .release = report_hazard_free,
};
