// Maps of the hazard: probabilities, percentiles, arrivals.
#include "report/hazard/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status report_hazard_read_pair(const struct report_hazard_state *state, size_t grid,
                                    const char *variable, size_t plane, const struct map_part *part,
                                    struct map_pair *pair)
{
    static const size_t first[RESULT_RANK_MAX];
    const struct result_file *file = state->files[grid];
    CHECK(result_read_map(file, variable, &plane,
                          strncmp(variable, "arrival", 7) == 0 ? RESULT_MINIMUM : RESULT_MAXIMUM, part->nx,
                          part->ny, part->window, &pair->values));
    return result_read_map(file, "max_eta_mean", first, RESULT_VALID_FRACTION, part->nx, part->ny,
                           part->window, &pair->water);
}

struct style_scale report_hazard_height_scale(const struct result_map *map)
{
    const size_t count = map->nx * map->ny;
    return style_scale_amplitude(style_percentile(map->values, count, 0.05, 0),
                                 style_percentile(map->values, count, 0.9999, 0));
}

struct style_scale report_hazard_time_scale(const struct result_map *map, struct style_time_unit *unit)
{
    const size_t count = map->nx * map->ny, last = map_find_largest(map, false);
    const double latest_s = last < count ? fmax(1, (double)map->values[last]) : 1,
                 earliest_s = style_percentile(map->values, count, 0, -1),
                 low_s = earliest_s > 0.3 * latest_s ? earliest_s : 0;
    *unit = style_time_unit(latest_s);
    const double range_s = latest_s > low_s ? latest_s - low_s : unit->seconds;
    return (struct style_scale){.kind = STYLE_LINEAR,
                                .low = low_s / unit->seconds,
                                .high = (low_s + range_s) / unit->seconds,
                                .tick_step = style_step_time_s(range_s, 9) / unit->seconds};
}

// A tick's text is a format to gnuplot.
static const char *percent_tick(double share, char *text)
{
    snprintf(text, STYLE_TEXT_BYTES, "%.0f %%%%", 100 * share);
    return text;
}

// A picture of one plane of a variable.
struct picture {
    const char *variable, *stem, *title, *caption; // stem: of the file's name
    size_t plane;
    enum { SHOWS_SHARES, SHOWS_HEIGHTS, SHOWS_TIMES } kind;
};

static enum status draw_pair(struct report *report, size_t grid, const struct picture *picture,
                             struct map_pair *pair)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    char file[64], title[128];
    struct style_time_unit unit = {"s", 1};
    struct style_scale scale = {.kind = STYLE_LINEAR, .low = 0, .high = 1};
    if (picture->kind == SHOWS_HEIGHTS)
        scale = report_hazard_height_scale(&pair->values);
    if (picture->kind == SHOWS_TIMES)
        scale = report_hazard_time_scale(&pair->values, &unit);
    for (size_t k = 0; k < pair->values.nx * pair->values.ny; k++)
        pair->values.values[k] = (float)(pair->values.values[k] / unit.seconds);
    snprintf(file, sizeof file, "%.24s%s%.30s.png", state->grids[grid], grid > 0 ? "_" : "", picture->stem);
    snprintf(title, sizeof title, "%.90s%s%.30s", picture->title, grid > 0 ? " · " : "", state->grids[grid]);
    const struct map_layers layers = {.pair = pair, .scale = &scale};
    const struct map_single single = {
        .file = file,
        .title = title,
        .caption = picture->caption,
        .section = HAZARD_MAPS,
        .palette = picture->kind == SHOWS_TIMES ? style_travel : style_sequential,
        .format = picture->kind == SHOWS_SHARES    ? percent_tick
                  : picture->kind == SHOWS_HEIGHTS ? style_length
                                                   : style_number,
        .unit = picture->kind == SHOWS_TIMES ? unit.name : NULL,
        .layers = &layers,
    };
    return map_draw_single(report, &single);
}

static enum status draw(struct report *report, size_t grid, const struct picture *picture)
{
    const struct map_part part = map_largest_part(report);
    struct map_pair pair = {0};
    enum status status = report_hazard_read_pair(report_hazard_state(report), grid, picture->variable,
                                                 picture->plane, &part, &pair);
    const bool has_any =
        status == STATUS_OK && map_find_largest(&pair.values, false) < pair.values.nx * pair.values.ny;
    if (has_any)
        status = draw_pair(report, grid, picture, &pair);
    map_free_pair(&pair);
    return status;
}

static enum status draw_exceedance(struct report *report, size_t grid)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    for (size_t t = 0; t < state->threshold_count && t < HAZARD_MAPS_MAX; t++) {
        char stem[32], title[96], text[STYLE_TEXT_BYTES], caption[300];
        style_length(state->thresholds_m[t], text);
        snprintf(stem, sizeof stem, "exceedance_%zu", t + 1);
        snprintf(title, sizeof title, "Probability of more than %s", text);
        snprintf(caption, sizeof caption,
                 "The weight of the members in which the largest elevation of the sea surface exceeds %s. Of "
                 "several "
                 "nodes in a pixel the largest.",
                 text);
        CHECK(draw(report, grid,
                   &(struct picture){"max_eta_exceedance", stem, title, caption, t, SHOWS_SHARES}));
    }
    return STATUS_OK;
}

static enum status draw_percentiles(struct report *report, size_t grid)
{
    static const size_t shown[] = {4, 2}; // 95, 50
    const struct report_hazard_state *state = report_hazard_state(report);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        char stem[32], title[96], caption[300];
        const double percent = state->percentiles[shown[k]];
        snprintf(stem, sizeof stem, "percentile_%g", percent);
        snprintf(title, sizeof title, "Largest elevation: %gth percentile", percent);
        snprintf(
            caption, sizeof caption,
            "The height that the largest elevation does not exceed in %g %% of the members, by their weight.",
            percent);
        CHECK(draw(report, grid,
                   &(struct picture){"max_eta_percentile", stem, title, caption, shown[k], SHOWS_HEIGHTS}));
    }
    return STATUS_OK;
}

static enum status draw_flow(struct report *report, size_t grid)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    if (!result_find(state->files[grid], "flow_depth_percentile"))
        return STATUS_OK;
    CHECK(draw(report, grid,
               &(struct picture){
                   "flow_depth_percentile", "flow_depth_95", "Depth of the flow: 95th percentile",
                   "On land. A member in which the ground stayed dry counts as 0.", 4, SHOWS_HEIGHTS}));
    char title[96], text[STYLE_TEXT_BYTES];
    snprintf(title, sizeof title, "Probability of a flow deeper than %s",
             style_length(state->thresholds_m[0], text));
    return draw(report, grid,
                &(struct picture){"flow_depth_exceedance", "flow_depth_exceedance", title,
                                  "On land, by the weight of the members.", 0, SHOWS_SHARES});
}

static enum status draw_arrivals(struct report *report)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    const struct result_variable *v = result_find(state->files[0], "arrival_median");
    double *thresholds_m;
    size_t count;
    if (!v || v->rank != 3 || !result_find(state->files[0], "arrival_threshold"))
        return STATUS_OK;
    CHECK(result_read_all(state->files[0], "arrival_threshold", &thresholds_m, &count));
    enum status status = STATUS_OK;
    for (size_t t = 0; t < count && t < HAZARD_MAPS_MAX && status == STATUS_OK; t++) {
        char stem[32], title[96], text[STYLE_TEXT_BYTES];
        snprintf(stem, sizeof stem, "arrival_median_%zu", t + 1);
        snprintf(title, sizeof title, "Median arrival of %s", style_length(thresholds_m[t], text));
        status =
            draw(report, 0,
                 &(struct picture){"arrival_median", stem, title,
                                   "The time by which it has come in half of the members, by their weight; "
                                   "near-white water: in fewer within the run.",
                                   t, SHOWS_TIMES});
    }
    free(thresholds_m);
    return status;
}

enum status report_hazard_draw_maps(struct report *report)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    for (size_t g = 0; g < state->grid_count; g++) {
        if (!result_find(state->files[g], "max_eta_mean"))
            continue;
        CHECK(draw_exceedance(report, g));
        CHECK(draw_percentiles(report, g));
        CHECK(draw_flow(report, g));
        if (g == 0)
            CHECK(draw_arrivals(report));
    }
    return STATUS_OK;
}
