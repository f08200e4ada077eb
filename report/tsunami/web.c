// What the script of a tsunami's page shows: the map with its fields and frames, and the gauges' series.
#include "report/tsunami/report.h"

#include "io/json_file.h"
#include "report/page.h"
#include "report/web/coast.h"
#include "report/web/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sizes of images: pixels a side, and bytes of the page. A larger image is made with fewer pixels.
enum {
    SIDE_MAX = 2000,
    SIDE_LEAST = 120,
    OVERLAY_BYTES_MAX = 500 << 10,
    FRAMES_BYTES_MAX = 1300 << 10,
    FRAMES_MAX = 100, // more are thinned out evenly
    ARRIVALS_MAX = 3,
    SAMPLES_MAX = 3000, // of a gauge's series; more are thinned out
};

// A map of a result file.
struct source {
    const struct report_grid *grid;
    const struct result_file *file;
    const char *variable;
    size_t leading; // index of the record or threshold
    enum result_reduction reduction;
    double threshold_m; // of arrivals; 0: another map
};

static enum status read_source(const struct source *source, size_t side, struct map_pair *pair)
{
    const struct map_part part = {side, side, NULL};
    CHECK(report_tsunami_read_pair(source->grid, source->file, source->variable, &source->leading,
                                   source->reduction, &part, pair));
    return source->threshold_m > 0
               ? report_tsunami_mark_source(source->grid, source->threshold_m, &part, pair)
               : STATUS_OK;
}

// The side at which an image of `bytes` would have `most` of them, with some reserve.
static size_t smaller_side(const struct map_pair *pair, double most, double bytes)
{
    const size_t side = pair->values.nx > pair->values.ny ? pair->values.nx : pair->values.ny;
    return (size_t)(0.93 * sqrt(most / bytes) * (double)side);
}

// Chooses the scale of a field from the values that were read.
typedef void choose_field(const struct report *report, const struct map_pair *pair,
                          struct web_map_field *field, struct style_scale *scale);

// Adds a field to a map, or to `parent` as an inset of its layer; `drawn`: the values as drawn, which the
// caller frees, also after a failure.
static enum status add_field(const struct report *report, const struct source *source, choose_field *choose,
                             cJSON *map, cJSON *parent, struct map_pair *drawn, cJSON **overlay)
{
    for (size_t side = SIDE_MAX;;) {
        struct style_scale scale = {0};
        struct web_map_field field = {0};
        size_t bytes = 0;
        CHECK(read_source(source, side, drawn));
        choose(report, drawn, &field, &scale);
        field.scale = &scale;
        if (source->threshold_m > 0)
            field.note = "0: the source lifted the surface there by as much at once.";
        CHECK(parent ? web_map_inset(parent, &field, drawn, &bytes)
                     : web_map_overlay(map, &field, drawn, overlay, &bytes));
        if (bytes <= OVERLAY_BYTES_MAX || side <= SIDE_LEAST)
            return STATUS_OK;
        side = smaller_side(drawn, OVERLAY_BYTES_MAX, (double)bytes);
        cJSON *list = cJSON_GetObjectItem(parent ? parent : map, parent ? "insets" : "overlays");
        cJSON_DeleteItemFromArray(list, cJSON_GetArraySize(list) - 1);
        map_free_pair(drawn);
        *drawn = (struct map_pair){0};
    }
}

// ---- largest elevation

static void choose_maximum(const struct report *report, const struct map_pair *pair,
                           struct web_map_field *field, struct style_scale *scale)
{
    *scale = report_tsunami_amplitude_scale(report, &pair->values, true);
    *field = (struct web_map_field){.name = "Largest elevation",
                                    .palette = style_sequential,
                                    .format = style_length,
                                    .is_on_water_only = true};
}

// The nested grids have the scale of the whole.
static void choose_like_outermost(const struct report *report, const struct map_pair *pair,
                                  struct web_map_field *field, struct style_scale *scale)
{
    choose_maximum(report, pair, field, scale);
    *scale = report_tsunami_waves(report)->maximum_scale;
}

static enum status add_nested(const struct report *report, cJSON *overlay)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    for (size_t g = 1; g < waves->grid_count && overlay; g++) {
        const struct report_grid *grid = &waves->grids[g];
        const struct source source = {grid, grid->files.maxima, "max_eta", 0, RESULT_MAXIMUM, 0};
        struct map_pair pair = {0};
        if (!result_find(grid->files.maxima, "max_eta"))
            continue;
        const enum status status =
            add_field(report, &source, choose_like_outermost, NULL, overlay, &pair, NULL);
        map_free_pair(&pair);
        CHECK(status);
    }
    return STATUS_OK;
}

static enum status add_maximum(const struct report *report, cJSON *map)
{
    struct report_waves *waves = report_tsunami_waves(report);
    const struct report_grid *grid = &waves->grids[0];
    const struct source source = {grid, grid->files.maxima, "max_eta", 0, RESULT_MAXIMUM, 0};
    struct map_pair pair = {0};
    cJSON *overlay = NULL;
    if (!result_find(grid->files.maxima, "max_eta"))
        return STATUS_OK;
    enum status status = add_field(report, &source, choose_maximum, map, NULL, &pair, &overlay);
    if (status == STATUS_OK) {
        waves->maximum_scale = report_tsunami_amplitude_scale(report, &pair.values, true);
        status = web_map_base(map, &pair);
    }
    if (status == STATUS_OK)
        status = add_nested(report, overlay);
    map_free_pair(&pair);
    return status;
}

// ---- arrival

static double latest_of(const struct map_pair *pair)
{
    const size_t k = map_find_largest(&pair->values, false);
    return k < pair->values.nx * pair->values.ny ? (double)pair->values.values[k] : 0;
}

static void choose_arrival(const struct report *report, const struct map_pair *pair,
                           struct web_map_field *field, struct style_scale *scale)
{
    const double latest_s = latest_of(pair);
    const struct style_time_unit unit = style_time_unit(latest_s);
    (void)report;
    *scale = report_tsunami_time_scale(&pair->values, latest_s, unit);
    *field = (struct web_map_field){.name = "Arrival",
                                    .palette = style_travel,
                                    .format = style_number,
                                    .unit = unit.name,
                                    .unit_size = unit.seconds,
                                    .is_on_water_only = true};
}

static enum status add_isochrones(cJSON *overlay, const struct map_pair *pair)
{
    const struct map_view view = map_view_of(&pair->values);
    const double tolerance = (view.x[1] - view.x[0]) / 3000;
    struct report_isochrones *lines = calloc(1, sizeof *lines);
    const struct web_map_line minor = {"Isochrones", "#333", 0.8, 0.6, false, false, tolerance},
                              major = {"Isochrones", "#111", 1.3, 0.8, false, false, tolerance};
    if (!lines)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for isochrones");
    enum status status = report_tsunami_trace_isochrones(&pair->values, latest_of(pair), lines);
    if (status == STATUS_OK)
        status = web_map_lines(overlay, &minor, &lines->minor, NULL);
    if (status == STATUS_OK)
        status = web_map_lines(overlay, &major, &lines->major, &lines->labels);
    report_tsunami_free_isochrones(lines);
    free(lines);
    return status;
}

static enum status add_times(const struct report *report, const struct source *source, const char *name,
                             cJSON *map)
{
    struct map_pair pair = {0};
    cJSON *overlay = NULL;
    enum status status = read_source(source, 64, &pair); // is there an arrival at all?
    const bool has_any = status == STATUS_OK && latest_of(&pair) > 0;
    map_free_pair(&pair);
    pair = (struct map_pair){0};
    if (!has_any)
        return status;
    status = add_field(report, source, choose_arrival, map, NULL, &pair, &overlay);
    if (status == STATUS_OK) {
        cJSON_ReplaceItemInObject(overlay, "name", cJSON_CreateString(name));
        status = add_isochrones(overlay, &pair);
    }
    map_free_pair(&pair);
    return status;
}

static enum status add_arrivals(const struct report *report, cJSON *map)
{
    const struct report_grid *grid = &report_tsunami_waves(report)->grids[0];
    const struct result_variable *arrival = result_find(grid->files.maxima, "arrival");
    double *thresholds_m;
    size_t count;
    if (!arrival || arrival->rank != 3 || !result_find(grid->files.maxima, "threshold"))
        return STATUS_OK;
    CHECK(result_read_all(grid->files.maxima, "threshold", &thresholds_m, &count));
    enum status status = STATUS_OK;
    for (size_t k = 0; k < count && k < arrival->lengths[0] && k < ARRIVALS_MAX && status == STATUS_OK; k++) {
        char name[STYLE_TEXT_BYTES + 32], text[STYLE_TEXT_BYTES];
        const struct source source = {grid, grid->files.maxima, "arrival",
                                      k,    RESULT_MINIMUM,     thresholds_m[k]};
        snprintf(name, sizeof name, "Arrival of %s", style_length(thresholds_m[k], text));
        status = add_times(report, &source, name, map);
    }
    free(thresholds_m);
    return status;
}

// The travel times of rays, computed before the run (travel_time.nc).
static enum status add_travel_times(const struct report *report, cJSON *map)
{
    struct result_file *file = NULL;
    CHECK(report_open_file(report, report->options.directory, "travel_time.nc", &file));
    const struct result_variable *variable = result_find(file, "travel_time");
    const struct source source = {
        &report_tsunami_waves(report)->grids[0], file, "travel_time", 0, RESULT_MINIMUM, 0};
    const enum status status =
        variable && variable->rank == 2 ? add_times(report, &source, "Travel time", map) : STATUS_OK;
    result_close(file);
    return status;
}

// ---- the source

static void choose_deformation(const struct report *report, const struct map_pair *pair,
                               struct web_map_field *field, struct style_scale *scale)
{
    const size_t count = pair->values.nx * pair->values.ny, k = map_find_largest(&pair->values, true);
    const double end_m = k < count ? fabs((double)pair->values.values[k]) : 0;
    (void)report;
    *scale = style_scale_elevation(end_m, end_m);
    *field = (struct web_map_field){
        .name = "Uplift of the sea floor", .palette = style_diverging, .format = style_length};
}

static enum status add_deformation(const struct report *report, cJSON *map)
{
    const struct report_grid *grid = &report_tsunami_waves(report)->grids[0];
    const struct result_variable *variable = result_find(grid->files.deformation, "deformation");
    const struct source source = {grid, grid->files.deformation, "deformation", 0, RESULT_MEAN, 0};
    struct map_pair pair = {0};
    cJSON *overlay = NULL;
    if (!variable || variable->rank != 2)
        return STATUS_OK;
    const enum status status = add_field(report, &source, choose_deformation, map, NULL, &pair, &overlay);
    map_free_pair(&pair);
    return status;
}

// ---- frames

static void choose_frame(const struct report *report, struct web_map_field *field)
{
    *field = (struct web_map_field){.name = "Sea surface at the time below",
                                    .palette = style_diverging,
                                    .scale = &report_tsunami_waves(report)->frame_scale,
                                    .format = style_length,
                                    .is_on_water_only = true};
}

// All frames at one size. *side: for the next trial, if they are too large.
static enum status try_frames(const struct report *report, const double *times_s, size_t records,
                              size_t *side, cJSON *map, double *bytes)
{
    const struct report_grid *grid = &report_tsunami_waves(report)->grids[0];
    const size_t count = records < FRAMES_MAX ? records : FRAMES_MAX;
    struct web_map_field field;
    size_t most = 0;
    choose_frame(report, &field);
    cJSON_DeleteItemFromObject(map, "frames");
    cJSON *frames = web_map_frames(map, &field);
    *bytes = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t record = count > 1 ? (k * (records - 1) + (count - 1) / 2) / (count - 1) : 0;
        const struct source source = {grid, grid->files.fields, "eta", record, RESULT_MEAN, 0};
        struct map_pair pair = {0};
        size_t size = 0;
        enum status status = read_source(&source, *side, &pair);
        if (status == STATUS_OK)
            status = web_map_frame(frames, &field, &pair, times_s[record], &size);
        *bytes += (double)size;
        most = size > most ? size : most;
        // No need to finish a trial that has failed.
        const bool is_too_large = *bytes > FRAMES_BYTES_MAX && *side > SIDE_LEAST;
        if (status == STATUS_OK && is_too_large)
            *side = smaller_side(&pair, FRAMES_BYTES_MAX, (double)most * (double)count);
        map_free_pair(&pair);
        CHECK(status);
        if (is_too_large)
            return STATUS_OK;
    }
    return STATUS_OK;
}

// Land and water where there is no map of the maximum.
static enum status add_base(const struct report *report, cJSON *map)
{
    const struct report_grid *grid = &report_tsunami_waves(report)->grids[0];
    const struct source source = {grid, grid->files.fields, "eta", 0, RESULT_MEAN, 0};
    struct map_pair pair = {0};
    if (cJSON_HasObjectItem(map, "base") || !result_find(grid->files.fields, "eta"))
        return STATUS_OK;
    enum status status = read_source(&source, SIDE_MAX, &pair);
    if (status == STATUS_OK)
        status = web_map_base(map, &pair);
    map_free_pair(&pair);
    return status;
}

static enum status add_frames(const struct report *report, cJSON *map)
{
    const struct result_file *fields = report->files.fields;
    const struct result_variable *eta = result_find(fields, "eta");
    double *times_s;
    size_t records;
    if (!eta || eta->rank != 3 || eta->lengths[0] == 0 ||
        !(report_tsunami_waves(report)->frame_scale.high > 0))
        return STATUS_OK;
    CHECK(result_read_all(fields, "time", &times_s, &records));
    enum status status = STATUS_OK;
    double bytes = INFINITY;
    for (size_t side = SIDE_MAX; status == STATUS_OK && bytes > FRAMES_BYTES_MAX;) {
        const size_t before = side;
        status = try_frames(report, times_s, records, &side, map, &bytes);
        if (before <= SIDE_LEAST)
            break;
        side = side < SIDE_LEAST ? SIDE_LEAST : side;
    }
    free(times_s);
    return status;
}

// ---- lines

static enum status add_coast(cJSON *map, const struct map_view *view)
{
    static const struct {
        enum web_coast_kind kind;
        struct web_map_line line;
    } all[] = {{WEB_COAST_SHORES, {"Coast lines", "#4a463f", 1.0, 0.9, false, false, 0}},
               {WEB_COAST_BORDERS, {"Borders", "#7d766b", 1.0, 0.9, true, false, 0}}};
    if (!view->is_geographic)
        return STATUS_OK;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct contour_points points = {0};
        struct web_map_line line = all[k].line;
        line.tolerance = (view->x[1] - view->x[0]) / 3000;
        enum status status = web_coast_lines(all[k].kind, view->x, view->y, &points);
        if (status == STATUS_OK)
            status = web_map_lines(map, &line, &points, NULL);
        contour_free(&points);
        CHECK(status);
    }
    return STATUS_OK;
}

static enum status add_boxes(const struct report *report, cJSON *map)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    struct contour_points boxes = {0};
    struct map_labels labels = {0};
    const struct web_map_line line = {"Nested grids", "#111", 1.2, 0.9, false, false, 0};
    enum status status = STATUS_OK;
    for (size_t g = 0; g < waves->grid_count && status == STATUS_OK; g++)
        status = report_tsunami_trace_nested(report, &waves->grids[g], &boxes, &labels);
    if (status == STATUS_OK)
        status = web_map_lines(map, &line, &boxes, &labels);
    contour_free(&boxes);
    return status;
}

// ---- all

static enum status view_of(const struct report *report, struct map_view *view, bool *has_view)
{
    const struct report_files *files = &report->files;
    const bool has_maxima = result_find(files->maxima, "max_eta") != NULL;
    const struct result_variable *variable =
        has_maxima ? result_find(files->maxima, "max_eta") : result_find(files->fields, "eta");
    static const size_t first[RESULT_RANK_MAX];
    struct result_map map;
    *has_view = variable && variable->rank >= 2;
    if (!*has_view)
        return STATUS_OK;
    CHECK(result_read_map(has_maxima ? files->maxima : files->fields, variable->name, first,
                          RESULT_VALID_FRACTION, 2, 2, NULL, &map));
    *view = map_view_of(&map);
    result_map_free(&map);
    return STATUS_OK;
}

static enum status add_map(const struct report *report)
{
    struct map_view view;
    bool has_view;
    CHECK(view_of(report, &view, &has_view));
    if (!has_view)
        return STATUS_OK;
    cJSON *map = web_map_add(report->web, "tsunami-map", &view);
    CHECK(add_maximum(report, map));
    CHECK(add_arrivals(report, map));
    CHECK(add_travel_times(report, map));
    CHECK(add_deformation(report, map));
    CHECK(add_frames(report, map));
    CHECK(add_base(report, map));
    CHECK(add_coast(map, &view));
    CHECK(add_boxes(report, map));
    CHECK(report_tsunami_web_faults(report, map));
    return report_tsunami_web_marks(report, map);
}

// The times of a series: the first and the step, if all steps are equal. Else returns a list to be filled.
static cJSON *add_sampling(cJSON *curve, const struct panels_series *series, size_t stride)
{
    const double step_s = series->times_s[1] - series->times_s[0];
    bool is_even = true;
    for (size_t k = 1; k < series->count; k++)
        is_even &= fabs(series->times_s[k] - series->times_s[0] - (double)k * step_s) < 1e-3 * step_s;
    if (!is_even)
        return cJSON_AddArrayToObject(curve, "times_s");
    cJSON_AddNumberToObject(curve, "first_s", series->times_s[0]);
    cJSON_AddNumberToObject(curve, "step_s", step_s * (double)stride);
    return NULL;
}

static void add_curve(cJSON *curves, const char *name, const char *colour, const struct panels_series *series)
{
    const size_t stride = (series->count + SAMPLES_MAX - 1) / SAMPLES_MAX;
    double largest_m = 0;
    for (size_t k = 0; k < series->count; k++)
        largest_m = fmax(largest_m, fabs((double)series->values_m[k]));
    // Four digits of the largest value; times to a tenth of a second.
    const double unit_m = pow(10, floor(log10(largest_m > 1e-9 ? largest_m : 1e-9)) - 3);
    cJSON *curve = json_append_object(curves);
    cJSON_AddStringToObject(curve, "name", name);
    cJSON_AddStringToObject(curve, "colour", colour);
    cJSON *times = add_sampling(curve, series, stride), *values = cJSON_AddArrayToObject(curve, "values");
    for (size_t k = 0; k < series->count; k += stride) {
        char text[40];
        if (times)
            cJSON_AddItemToArray(times, cJSON_CreateNumber(round(10 * series->times_s[k]) / 10));
        snprintf(text, sizeof text, "%.5g", round((double)series->values_m[k] / unit_m) * unit_m);
        cJSON_AddItemToArray(values, isfinite(series->values_m[k]) ? cJSON_CreateNumber(strtod(text, NULL))
                                                                   : cJSON_CreateNull());
    }
}

static void add_series(const struct report *report)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const struct style_time_unit unit = style_time_unit(report->duration_s);
    cJSON *chart = NULL, *list = NULL;
    for (size_t k = 0; k < waves->gauge_count; k++) {
        const struct report_gauge *gauge = &waves->gauges[k];
        if (gauge->model.count < 2)
            continue;
        if (!chart) {
            chart = json_append_object(cJSON_AddArrayToObject(report->web, "charts"));
            cJSON_AddStringToObject(chart, "id", "tsunami-gauges");
            cJSON_AddStringToObject(chart, "title", "Elevation");
            cJSON_AddStringToObject(chart, "choice", "Gauge");
            cJSON_AddStringToObject(chart, "unit", "m");
            cJSON_AddStringToObject(chart, "time_unit", unit.name);
            cJSON_AddNumberToObject(chart, "time_unit_s", unit.seconds);
            list = cJSON_AddArrayToObject(chart, "series");
        }
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "name", gauge->name);
        cJSON *curves = cJSON_AddArrayToObject(item, "curves");
        add_curve(curves, "Model", "#2f81c7", &gauge->model);
        if (gauge->observed.count > 1)
            add_curve(curves, "Observed", "#d1495b", &gauge->observed);
    }
}

// The pictures whose content the map or the series has.
static void mark_pictures(struct report *report)
{
    const bool has_map = cJSON_GetArraySize(json_member(report->web, "maps")) > 0,
               has_series = cJSON_GetArraySize(json_member(report->web, "charts")) > 0;
    for (size_t k = 0; k < report->picture_count; k++) {
        struct report_picture *picture = &report->pictures[k];
        const char *file = picture->file;
        if (has_map && (strcmp(file, "maximum.png") == 0 || strncmp(file, "arrival_", 8) == 0 ||
                        strcmp(file, "snapshots.png") == 0))
            picture->live = REPORT_BY_MAP;
        if (has_series && strncmp(file, "gauges_", 7) == 0 && strcmp(file, "gauges_all.png") != 0)
            picture->live = REPORT_BY_CHART;
    }
}

enum status report_tsunami_web(struct report *report, bool has_maps, bool has_charts)
{
    report_page_tell_epoch(report);
    if (has_maps)
        CHECK(add_map(report));
    if (has_charts)
        add_series(report);
    mark_pictures(report);
    return STATUS_OK;
}
