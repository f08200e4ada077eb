// The maps of a report: largest elevation and other maxima, arrival times with isochrones, the deformation.
// Uses the variables of a tsunami run's maxima.nc and deformation.nc; report/map.c draws the maps.
#include "report/map.h"
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_largest(struct report_grid *grid, const struct result_map *map)
{
    size_t k = map_find_largest(map, false);
    if (k == map->nx * map->ny)
        return;
    grid->largest_m = map->values[k];
    grid->largest_x = map->x_first + map->x_step * (double)(k % map->nx);
    grid->largest_y = map->y_first + map->y_step * (double)(k / map->nx);
}

struct maximum {
    const char *variable;
    struct map_single single;
    const char *caption; // a full sentence
};

static const struct maximum maxima[] = {
    {"max_eta",
     {.file = "maximum.png",
      .title = "Largest elevation of the sea surface",
      .section = TSUNAMI_AMPLITUDE,
      .palette = style_sequential,
      .format = style_length},
     "The largest elevation above the still sea level at each place, over the whole run."},
    {"max_speed",
     {.file = "speed.png",
      .title = "Largest current speed",
      .section = TSUNAMI_SOURCE,
      .palette = style_sequential,
      .format = style_number,
      .unit = "m/s"},
     "The largest depth-averaged speed at each place, over the whole run."},
    {"max_flux",
     {.file = "flux.png",
      .title = "Largest volume flux",
      .section = TSUNAMI_SOURCE,
      .palette = style_sequential,
      .format = style_number,
      .unit = "m²/s"},
     "The largest volume flux (depth times speed) at each place, over the whole run."},
};

static void caption_maximum(const struct report *report, const struct maximum *maximum,
                            const struct result_map *map, const struct style_scale *scale,
                            char caption[REPORT_TEXT_BYTES])
{
    size_t k = map_find_largest(map, false);
    char place[STYLE_TEXT_BYTES], value[STYLE_TEXT_BYTES], high[STYLE_TEXT_BYTES];
    size_t used = (size_t)snprintf(caption, REPORT_TEXT_BYTES, "%s", maximum->caption);
    const char *unit = maximum->single.unit ? maximum->single.unit : "", *blank = unit[0] ? " " : "";
    if (k == map->nx * map->ny)
        return;
    report_tsunami_position(report, map->x_first + map->x_step * (double)(k % map->nx),
                            map->y_first + map->y_step * (double)(k / map->nx), 3, place);
    used +=
        (size_t)snprintf(caption + used, REPORT_TEXT_BYTES - used, " Highest: %s%s%s at %s. %s colour scale",
                         maximum->single.format(map->values[k], value), blank, unit, place,
                         scale->kind == STYLE_LOG ? "Logarithmic" : "Linear");
    if (map->values[k] > scale->high)
        snprintf(caption + used, REPORT_TEXT_BYTES - used,
                 "; the darkest colour stands for everything above %s%s%s.",
                 maximum->single.format(scale->high, high), blank, unit);
    else
        snprintf(caption + used, REPORT_TEXT_BYTES - used, ".");
}

// The rectangles of the grids nested directly in this one, with their names.
enum status report_tsunami_trace_nested(const struct report *report, const struct report_grid *grid,
                                        struct contour_points *boxes, struct map_labels *labels)
{
    static const size_t first[RESULT_RANK_MAX];
    const struct report_waves *waves = report_tsunami_waves(report);
    for (size_t g = 1; g < waves->grid_count; g++) {
        const struct report_grid *child = &waves->grids[g];
        struct result_map map;
        if (&waves->grids[child->parent] != grid || !result_find(child->files.maxima, "max_eta"))
            continue;
        CHECK(
            result_read_map(child->files.maxima, "max_eta", first, RESULT_VALID_FRACTION, 2, 2, NULL, &map));
        result_map_free(&map); // its extents stay
        CHECK(contour_rectangle(map.x_extent, map.y_extent, boxes));
        if (labels->count < MAP_LABELS_MAX) {
            labels->labels[labels->count].x = 0.5 * (map.x_extent[0] + map.x_extent[1]);
            labels->labels[labels->count].y = map.y_extent[1];
            snprintf(labels->labels[labels->count++].text, STYLE_TEXT_BYTES, "%.60s", child->name);
        }
    }
    return STATUS_OK;
}

// Title, file, caption and marks of one grid's map of a maximum.
struct maximum_texts {
    char title[96 + 64], file[64], caption[REPORT_TEXT_BYTES];
    struct map_mark *marks; // the run-up, then the gauges; owned
};

enum { POINTS_NAMED_MAX = 200 }; // forecast points on the map, in the order of their arrival

// Marks the forecast points that lie on the map; their longitudes may be in another convention.
static void mark_points(const struct report_waves *waves, const struct result_map *map,
                        struct map_mark *marks, size_t *mark_count)
{
    for (size_t k = 0; k < waves->forecast.point_count && k < POINTS_NAMED_MAX; k++) {
        const struct report_point *point = &waves->forecast.points[k];
        const double x = map->is_geographic
                             ? point->longitude + 360 * ceil((map->x_extent[0] - point->longitude) / 360)
                             : point->longitude;
        if (!(x >= map->x_extent[0] && x <= map->x_extent[1] && point->latitude >= map->y_extent[0] &&
              point->latitude <= map->y_extent[1]))
            continue;
        struct map_mark *mark = &marks[(*mark_count)++];
        *mark = (struct map_mark){.x = x, .y = point->latitude, .is_dot = true};
        snprintf(mark->text, sizeof mark->text, "%.60s", point->name);
    }
}

static enum status describe_maximum(const struct report *report, const struct report_grid *grid,
                                    const struct maximum *maximum, struct maximum_texts *texts,
                                    struct map_single *single)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const bool is_elevation = maximum == &maxima[0],
               has_run_up = is_elevation && grid->is_flooding && isfinite(grid->run_up.highest_m);
    char suffix[96], height[STYLE_TEXT_BYTES];
    *single = maximum->single;
    snprintf(texts->title, sizeof texts->title, "%s%s",
             has_run_up ? "Largest elevation and run-up" : single->title,
             report_tsunami_grid_suffix(grid, suffix));
    single->title = texts->title;
    single->file = report_tsunami_grid_file(grid, single->file, texts->file);
    single->caption = texts->caption;
    if (grid->name[0])
        single->section = TSUNAMI_GRIDS;
    if (!is_elevation)
        return STATUS_OK;
    single->marks = texts->marks = calloc(1 + waves->gauge_count + POINTS_NAMED_MAX, sizeof *texts->marks);
    if (!texts->marks)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the names on a map");
    if (has_run_up) {
        struct map_mark *mark = &texts->marks[single->mark_count++];
        *mark = (struct map_mark){.x = grid->run_up.x, .y = grid->run_up.y};
        snprintf(mark->text, sizeof mark->text, "%.40s", style_length(grid->run_up.highest_m, height));
    }
    for (size_t k = 0; k < waves->gauge_count && waves->gauges_have_positions; k++) {
        const struct report_gauge *gauge = &waves->gauges[k];
        struct map_mark *mark = &texts->marks[single->mark_count++];
        *mark = (struct map_mark){.x = gauge->longitude, .y = gauge->latitude, .is_dot = true};
        snprintf(mark->text, sizeof mark->text, "%s", gauge->name);
    }
    return STATUS_OK;
}

struct style_scale report_tsunami_amplitude_scale(const struct report *report, const struct result_map *map,
                                                  bool is_elevation)
{
    const size_t count = map->nx * map->ny;
    const double fixed_m = is_elevation ? report->options.scale_m : 0;
    return fixed_m > 0 ? (struct style_scale){STYLE_LOG, fixed_m / 1000, fixed_m, 0, 0}
                       : style_scale_amplitude(style_percentile(map->values, count, 0.05, 0),
                                               style_percentile(map->values, count, 0.9999, 0));
}

static enum status draw_maximum_map(struct report *report, struct report_grid *grid,
                                    const struct maximum *maximum, const struct map_pair *pair)
{
    const struct style_scale scale =
        report_tsunami_amplitude_scale(report, &pair->values, maximum == &maxima[0]);
    struct contour_points boxes = {0};
    struct map_labels labels = {0};
    struct maximum_texts texts = {.marks = NULL};
    struct map_single single;
    enum status status = describe_maximum(report, grid, maximum, &texts, &single);
    if (status == STATUS_OK && maximum == &maxima[0]) {
        note_largest(grid, &pair->values);
        mark_points(report_tsunami_waves(report), &pair->values, texts.marks, &single.mark_count);
        status = report_tsunami_trace_nested(report, grid, &boxes, &labels);
    }
    caption_maximum(report, maximum, &pair->values, &scale, texts.caption);
    const struct map_layers layers = {.pair = pair, .scale = &scale, .boxes = &boxes};
    single.layers = &layers;
    single.labels = &labels;
    if (status == STATUS_OK)
        status = map_draw_single(report, &single);
    contour_free(&boxes);
    free(texts.marks);
    return status;
}

static enum status draw_maximum(struct report *report, struct report_grid *grid,
                                const struct maximum *maximum)
{
    if (!result_find(grid->files.maxima, maximum->variable))
        return STATUS_OK;
    const struct map_part part = map_largest_part(report);
    struct map_pair pair = {0};
    enum status status = report_tsunami_read_pair(grid, grid->files.maxima, maximum->variable, NULL,
                                                  RESULT_MAXIMUM, &part, &pair);
    if (status == STATUS_OK)
        status = draw_maximum_map(report, grid, maximum, &pair);
    map_free_pair(&pair);
    return status;
}

// In the axis' own unit, so that the colour bar's ticks are round there. From the start of the run, unless
// the first arrival is so late that the colours would all be alike.
struct style_scale report_tsunami_time_scale(const struct result_map *map, double latest_s,
                                             struct style_time_unit unit)
{
    size_t count = map->nx * map->ny;
    double earliest_s = style_percentile(map->values, count, 0, -1);
    double low_s = earliest_s > 0.3 * latest_s ? earliest_s : 0;
    return (struct style_scale){
        .kind = STYLE_LINEAR,
        .low = low_s / unit.seconds,
        .high = (latest_s > low_s ? latest_s : low_s + unit.seconds) / unit.seconds,
        .tick_step = style_step_time_s(latest_s > low_s ? latest_s - low_s : unit.seconds, 9) / unit.seconds,
    };
}

static enum status draw_arrival_map(struct report *report, struct map_pair *pair,
                                    const struct report_isochrones *lines, double threshold_m, size_t index,
                                    double latest_s)
{
    char threshold[STYLE_TEXT_BYTES], step[STYLE_TEXT_BYTES], file[32], title[128],
        caption[REPORT_TEXT_BYTES];
    const struct style_time_unit unit = style_time_unit(latest_s);
    const struct style_scale scale = report_tsunami_time_scale(&pair->values, latest_s, unit);
    for (size_t k = 0; k < pair->values.nx * pair->values.ny; k++)
        pair->values.values[k] = (float)(pair->values.values[k] / unit.seconds);
    const struct map_layers layers = {
        .pair = pair, .scale = &scale, .minor = &lines->minor, .major = &lines->major};
    const struct map_single single = {
        .file = file,
        .title = title,
        .caption = caption,
        .section = index == 0 ? TSUNAMI_AMPLITUDE : TSUNAMI_SOURCE,
        .palette = style_travel,
        .format = style_number,
        .unit = unit.name,
        .layers = &layers,
        .labels = &lines->labels,
    };
    style_length(threshold_m, threshold);
    snprintf(file, sizeof file, "arrival_%zu.png", index + 1);
    snprintf(title, sizeof title, "Arrival of the first wave of %s or more", threshold);
    snprintf(
        caption, sizeof caption,
        "Time after the start until the surface first rises by %s; 0 where the source lifted it by as much "
        "at once. Lines every %s, smoothed lightly; near-white water did not rise by %s within the run.",
        threshold, report_tsunami_isochrone_label(lines->step_s, lines->step_s, step), threshold);
    return map_draw_single(report, &single);
}

static enum status trace_and_draw_arrival(struct report *report, struct map_pair *pair, double threshold_m,
                                          size_t index)
{
    size_t count = pair->values.nx * pair->values.ny, last = map_find_largest(&pair->values, false);
    double latest_s = last < count ? pair->values.values[last] : 0;
    if (!(latest_s > 0)) {
        char text[STYLE_TEXT_BYTES];
        report_warn(report, "no wave of %s reached any node: no map of arrival times",
                    style_length(threshold_m, text));
        return STATUS_OK;
    }
    struct report_isochrones *lines = calloc(1, sizeof *lines);
    enum status status = lines ? report_tsunami_trace_isochrones(&pair->values, latest_s, lines)
                               : FAIL(STATUS_SYSTEM, "report: not enough memory for isochrones");
    if (status == STATUS_OK)
        status = draw_arrival_map(report, pair, lines, threshold_m, index, latest_s);
    if (lines)
        report_tsunami_free_isochrones(lines);
    free(lines);
    return status;
}

static enum status draw_arrival(struct report *report, size_t index, double threshold_m)
{
    const struct map_part part = map_largest_part(report);
    struct map_pair pair = {0};
    const struct report_grid *grid = &report_tsunami_waves(report)->grids[0];
    enum status status = report_tsunami_read_pair(grid, grid->files.maxima, "arrival", (size_t[]){index},
                                                  RESULT_MINIMUM, &part, &pair);
    if (status == STATUS_OK)
        status = report_tsunami_mark_source(grid, threshold_m, &part, &pair);
    if (status == STATUS_OK)
        status = trace_and_draw_arrival(report, &pair, threshold_m, index);
    map_free_pair(&pair);
    return status;
}

static enum status draw_arrivals(struct report *report)
{
    enum { ARRIVAL_MAPS_MAX = 3 };
    const struct result_file *file = report->files.maxima;
    const struct result_variable *arrival = result_find(file, "arrival");
    if (!arrival || arrival->rank != 3 || !result_find(file, "threshold"))
        return STATUS_OK;
    double *thresholds;
    size_t count;
    CHECK(result_read_all(file, "threshold", &thresholds, &count));
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count && k < arrival->lengths[0] && k < ARRIVAL_MAPS_MAX && status == STATUS_OK;
         k++)
        status = draw_arrival(report, k, thresholds[k]);
    free(thresholds);
    return status;
}

// The part of the map where the ground moved by at least 2 % of the most, with a margin.
static bool deformed_window(const struct result_map *map, struct result_window *window)
{
    size_t best = map_find_largest(map, true);
    if (best == map->nx * map->ny || map->values[best] == 0)
        return false;
    double least = 0.02 * fabs((double)map->values[best]);
    size_t i0 = map->nx, i1 = 0, j0 = map->ny, j1 = 0;
    for (size_t j = 0; j < map->ny; j++)
        for (size_t i = 0; i < map->nx; i++)
            if (fabs((double)map->values[j * map->nx + i]) >= least) {
                i0 = i < i0 ? i : i0;
                i1 = i > i1 ? i : i1;
                j0 = j < j0 ? j : j0;
                j1 = j > j1 ? j : j1;
            }
    double width = (double)(i1 - i0 + 1), height = (double)(j1 - j0 + 1);
    // Round a long fault, at least a square's worth of surroundings.
    double margin = 0.25 * fmax(width, height) + 2;
    double margin_x = margin + fmax(0, 0.5 * (height - width)),
           margin_y = margin + fmax(0, 0.25 * (width - height));
    window->x[0] = map->x_first + map->x_step * ((double)i0 - margin_x);
    window->x[1] = map->x_first + map->x_step * ((double)i1 + margin_x);
    window->y[0] = map->y_first + map->y_step * ((double)j0 - margin_y);
    window->y[1] = map->y_first + map->y_step * ((double)j1 + margin_y);
    return true;
}

static enum status trace_deformation(const struct result_map *map, const struct map_view *view, double end_m,
                                     struct contour_points *up, struct contour_points *down,
                                     struct map_labels *labels)
{
    struct contour_field field = {map->nx,      map->ny,     map->x_first, map->x_step,
                                  map->y_first, map->y_step, map->values};
    double step = style_step(end_m, 6);
    for (int k = -6; k <= 6; k++) {
        if (k == 0)
            continue;
        struct contour_points *points = k > 0 ? up : down;
        size_t mark = points->count;
        char text[STYLE_TEXT_BYTES];
        CHECK(contour_trace(&field, k * step, 0.04 * (view->x[1] - view->x[0]), view->y_weight, points));
        map_label_lines(labels, view, points, mark, 12, style_length(k * step, text));
    }
    return STATUS_OK;
}

static enum status draw_deformation_map(struct report *report, const struct map_pair *pair)
{
    const struct result_map *map = &pair->values;
    size_t count = map->nx * map->ny;
    double high = style_percentile(map->values, count, 1, -INFINITY);
    double low = style_percentile(map->values, count, 0, -INFINITY);
    double end = style_round_up_finely(fmax(fabs(high), fabs(low)));
    struct style_scale scale = {.kind = STYLE_LINEAR, .low = -end, .high = end};
    char top[STYLE_TEXT_BYTES], bottom[STYLE_TEXT_BYTES], caption[REPORT_TEXT_BYTES];
    struct contour_points up = {0}, down = {0};
    struct map_labels labels = {0};
    const struct map_view view = map_view_of(map);
    const struct map_layers layers = {.pair = pair, .scale = &scale, .minor = &up, .dashed = &down};
    const struct map_single single = {
        .file = "deformation.png",
        .title = "Uplift of the sea floor",
        .caption = caption,
        .section = TSUNAMI_SOURCE,
        .palette = style_diverging,
        .format = style_length,
        .layers = &layers,
        .labels = &labels,
    };
    snprintf(caption, sizeof caption,
             "The source: from %s to %s. Solid lines: uplift; dashed lines: subsidence.",
             style_length(low, bottom), style_length(high, top));
    enum status status = trace_deformation(map, &view, fmax(fabs(high), fabs(low)), &up, &down, &labels);
    if (status == STATUS_OK)
        status = map_draw_single(report, &single);
    contour_free(&up);
    contour_free(&down);
    return status;
}

static enum status draw_deformation(struct report *report)
{
    const struct report_grid *grid = &report_tsunami_waves(report)->grids[0];
    const struct result_variable *variable = result_find(grid->files.deformation, "deformation");
    static const size_t first[RESULT_RANK_MAX];
    if (!variable || variable->rank < 2)
        return STATUS_OK;
    struct map_part part = map_largest_part(report);
    struct result_map overview;
    struct result_window window;
    CHECK(result_read_map(grid->files.deformation, "deformation", first, RESULT_MEAN, part.nx, part.ny, NULL,
                          &overview));
    bool is_deformed = deformed_window(&overview, &window);
    result_map_free(&overview);
    if (!is_deformed)
        return STATUS_OK;
    part.window = &window;
    struct map_pair pair = {0};
    enum status status = report_tsunami_read_pair(grid, grid->files.deformation, "deformation", NULL,
                                                  RESULT_MEAN, &part, &pair);
    if (status == STATUS_OK)
        status = draw_deformation_map(report, &pair);
    map_free_pair(&pair);
    return status;
}

// Of the nested grids the elevation, and, where the shore moves, the speed, which does the damage on land.
static enum status draw_nested_maxima(struct report *report)
{
    struct report_waves *waves = report_tsunami_waves(report);
    for (size_t g = 1; g < waves->grid_count; g++) {
        CHECK(draw_maximum(report, &waves->grids[g], &maxima[0]));
        if (waves->grids[g].is_flooding)
            CHECK(draw_maximum(report, &waves->grids[g], &maxima[1]));
    }
    return STATUS_OK;
}

enum status report_tsunami_draw_maps(struct report *report)
{
    struct report_grid *outermost = &report_tsunami_waves(report)->grids[0];
    CHECK(draw_maximum(report, outermost, &maxima[0]));
    CHECK(draw_arrivals(report));
    CHECK(draw_nested_maxima(report));
    CHECK(report_tsunami_draw_snapshots(report));
    CHECK(draw_deformation(report));
    for (size_t k = 1; k < sizeof maxima / sizeof *maxima; k++)
        CHECK(draw_maximum(report, outermost, &maxima[k]));
    return STATUS_OK;
}
