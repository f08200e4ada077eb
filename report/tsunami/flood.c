// The flooded land in a report: one map for each grid with a moving shoreline. It shows the depth of the
// water on land, the shore at rest, the highest point and the point farthest inland. report/map.c draws it.
#include "report/map.h"
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Describes the run-up figures of run.json in words.
static void caption_flood(const struct report *report, const struct report_grid *grid,
                          char caption[REPORT_TEXT_BYTES])
{
    const struct report_run_up *run_up = &grid->run_up;
    char text[STYLE_TEXT_BYTES], ground[STYLE_TEXT_BYTES], time[STYLE_TEXT_BYTES], place[STYLE_TEXT_BYTES];
    size_t used = (size_t)snprintf(caption, REPORT_TEXT_BYTES,
                                   "The largest depth of the water on land that is dry at rest, at most %s. "
                                   "The dark line is the shore at rest.",
                                   style_length(grid->largest_flow_m, text));
    if (!isfinite(run_up->highest_m))
        return;
    used += (size_t)snprintf(
        caption + used, REPORT_TEXT_BYTES - used,
        " The highest water is %s above the still sea level, at %s (height of the ground: %s), after %s.",
        style_length(run_up->highest_m, text),
        report_tsunami_position(report, run_up->x, run_up->y, 4, place),
        style_length(run_up->ground_m, ground), style_duration(run_up->time_s, time));
    snprintf(caption + used, REPORT_TEXT_BYTES - used,
             " Farthest from the shore: %s. Area flooded: %.3g km².",
             style_length(run_up->inundation_m, text), run_up->flooded_area_m2 / 1e6);
}

// Marks the highest point and the point farthest inland, if they are known. Returns the number of marks.
static int marks_of(const struct report_run_up *run_up, struct map_mark marks[2])
{
    char text[STYLE_TEXT_BYTES];
    int count = 0;
    if (isfinite(run_up->highest_m)) {
        marks[count] = (struct map_mark){.x = run_up->x, .y = run_up->y};
        snprintf(marks[count++].text, sizeof marks[0].text, "%.20s high",
                 style_length(run_up->highest_m, text));
    }
    if (isfinite(run_up->inundation_m) && run_up->inundation_m > 0) {
        marks[count] = (struct map_mark){.x = run_up->inundation_x, .y = run_up->inundation_y};
        snprintf(marks[count++].text, sizeof marks[0].text, "%.20s inland",
                 style_length(run_up->inundation_m, text));
    }
    return count;
}

// Sets the values off land to NaN; returns false if no value is left.
static bool keep_land(struct map_pair *pair)
{
    bool is_flooded = false;
    for (size_t k = 0; k < pair->values.nx * pair->values.ny; k++) {
        if (pair->water.values[k] >= 0.5f)
            pair->values.values[k] = NAN;
        is_flooded |= isfinite(pair->values.values[k]);
    }
    return is_flooded;
}

static enum status draw_flood_map(struct report *report, struct report_grid *grid,
                                  const struct map_pair *pair)
{
    char title[96 + 64], caption[REPORT_TEXT_BYTES], suffix[96], file[64];
    struct map_mark marks[2];
    const size_t count = pair->values.nx * pair->values.ny;
    const struct style_scale scale =
        style_scale_amplitude(style_percentile(pair->values.values, count, 0.05, 0),
                              style_percentile(pair->values.values, count, 0.9999, 0));
    snprintf(title, sizeof title, "Largest depth of the water on land%s",
             report_tsunami_grid_suffix(grid, suffix));
    grid->largest_flow_m = pair->values.values[map_find_largest(&pair->values, false)];
    caption_flood(report, grid, caption);
    const struct map_layers layers = {.pair = pair, .scale = &scale};
    const struct map_single single = {.file = report_tsunami_grid_file(grid, "flow_depth.png", file),
                                      .title = title,
                                      .caption = caption,
                                      .section = report_tsunami_waves(report)->grid_count > 1 ? TSUNAMI_GRIDS
                                                                                              : TSUNAMI_LAND,
                                      .palette = style_flood,
                                      .format = style_length,
                                      .marks = marks,
                                      .mark_count = (size_t)marks_of(&grid->run_up, marks),
                                      .layers = &layers};
    return map_draw_single(report, &single);
}

enum status report_tsunami_draw_floods(struct report *report)
{
    struct report_waves *waves = report_tsunami_waves(report);
    const struct map_part part = map_largest_part(report);
    for (size_t g = 0; g < waves->grid_count; g++) {
        struct report_grid *grid = &waves->grids[g];
        if (!grid->is_flooding || !result_find(grid->files.maxima, "max_depth") ||
            !result_find(grid->files.maxima, "depth"))
            continue;
        struct map_pair pair = {0};
        enum status status = report_tsunami_read_pair(grid, grid->files.maxima, "max_depth", NULL,
                                                      RESULT_MAXIMUM, &part, &pair);
        if (status == STATUS_OK && keep_land(&pair))
            status = draw_flood_map(report, grid, &pair);
        map_free_pair(&pair);
        CHECK(status);
    }
    return STATUS_OK;
}
