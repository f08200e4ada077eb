// Snapshots of the sea surface in a report: small maps of some times of fields.nc, all in the same colours.
// Knows the variable eta; how a map is drawn is report/map.c's.
#include "report/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Which records, and how the panels stand.
enum { PANELS_MAX = 9 };
struct snapshots {
    size_t count, columns, rows;
    size_t records[PANELS_MAX];
    double times_s[PANELS_MAX];
    struct map_pair maps[PANELS_MAX];
    struct map_view view;
    struct style_scale scale;
    double panel_width, panel_height, gap, left, top, right, bottom; // px
};

// Records spread over the run, closer together at its start, where more happens.
static void choose_records(struct snapshots *shots, const double *times_s, size_t records)
{
    size_t most = shots->columns * shots->rows;
    shots->count = records < most ? records : most;
    for (size_t k = 0; k < shots->count; k++) {
        double part = shots->count > 1 ? (double)k / (double)(shots->count - 1) : 1;
        size_t record = (size_t)floor(pow(part, 1.5) * (double)(records - 1) + 0.5);
        if (k > 0 && record <= shots->records[k - 1])
            record = shots->records[k - 1] + 1;
        shots->records[k] = record;
        shots->times_s[k] = times_s[record];
    }
    shots->rows = (shots->count + shots->columns - 1) / shots->columns;
}

static void layout_snapshots(const struct report *report, struct snapshots *shots, double scale)
{
    double aspect = shots->view.aspect;
    shots->columns = aspect > 6 ? 1 : (aspect > 2.4 ? 2 : (aspect > 0.6 ? 3 : 4));
    shots->rows = aspect > 6 ? 6 : (aspect > 2.4 ? 4 : (aspect > 0.6 ? 3 : 2));
    shots->left = fmax(84, map_label_room(&shots->view)) * scale;
    shots->top = 84 * scale;
    shots->right = 150 * scale;
    shots->bottom = (shots->view.is_geographic ? 46 : 72) * scale;
    shots->gap = 14 * scale;
    double room = report->options.width_px - shots->left - shots->right;
    shots->panel_width = (room - shots->gap * (double)(shots->columns - 1)) / (double)shots->columns;
    shots->panel_height = fmax(shots->panel_width / aspect, 90 * scale);
    shots->panel_height = fmin(shots->panel_height, 700 * scale);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The end is what nearly nothing exceeds in any frame; waves worth seeing are as high as the highest fiftieth
// of the water in the middle one of the frames.
static void scale_snapshots(struct snapshots *shots)
{
    double typical[PANELS_MAX] = {0}, highest = 0;
    for (size_t k = 0; k < shots->count; k++) {
        struct result_map *map = &shots->maps[k].values;
        size_t count = map->nx * map->ny;
        double extreme = fmax(style_percentile(map->values, count, 0.9995, -INFINITY),
                              -style_percentile(map->values, count, 0.0005, -INFINITY));
        double common = fmax(style_percentile(map->values, count, 0.98, -INFINITY),
                             -style_percentile(map->values, count, 0.02, -INFINITY));
        highest = isfinite(extreme) ? fmax(highest, extreme) : highest;
        typical[k] = isfinite(common) ? common : 0;
    }
    qsort(typical, shots->count, sizeof *typical, compare_doubles);
    shots->scale = style_scale_elevation(typical[shots->count / 2], highest);
}

static enum status script_panel(struct plot *plot, const struct snapshots *shots, size_t k)
{
    size_t column = k % shots->columns, row = k / shots->columns;
    struct plot_box box = {shots->left + (double)column * (shots->panel_width + shots->gap),
                           shots->top + (double)row * (shots->panel_height + shots->gap), shots->panel_width,
                           shots->panel_height};
    plot_box(plot, &box);
    bool is_lowest = k + shots->columns >= shots->count;
    map_script_axis(plot, &shots->view, 'x', (int)fmax(2, box.width / (110 * plot->scale)), is_lowest);
    map_script_axis(plot, &shots->view, 'y', (int)fmax(2, box.height / (80 * plot->scale)), column == 0);
    char font[64], text[STYLE_TEXT_BYTES];
    fprintf(plot->script,
            "set label 1 '%s' at graph 0,1 offset character 0.9,-1.15 left front boxed bs 1 font '%s'\n",
            style_duration(shots->times_s[k], text), plot_font(plot, 14, true, font));
    if (k > 0)
        fprintf(plot->script, "unset colorbox\nunset label 101\nunset label 102\n");
    struct map_layers layers = {.pair = &shots->maps[k], .scale = &shots->scale};
    return map_script_layers(plot, &layers);
}

static enum status script_snapshots(struct plot *plot, const struct report *report,
                                    const struct snapshots *shots)
{
    struct plot_box all = {shots->left, shots->top,
                           (double)shots->columns * (shots->panel_width + shots->gap) - shots->gap,
                           (double)shots->rows * (shots->panel_height + shots->gap) - shots->gap};
    char font[64];
    plot_palette(plot, style_diverging, STYLE_COLOURS);
    fprintf(plot->script, "set multiplot\nset tics front font '%s'\n", plot_font(plot, 12.5, false, font));
    fprintf(plot->script, "set style textbox 1 opaque noborder fillcolor rgb '#20ffffff' margins 0.6,0.5\n");
    plot_heading(plot, "Elevation of the sea surface", report_job_title(report), all.left,
                 all.width + shots->right);
    map_script_colour_bar(plot, &all, &shots->scale, style_length, NULL);
    for (size_t k = 0; k < shots->count; k++)
        CHECK(script_panel(plot, shots, k));
    return STATUS_OK;
}

static enum status draw_snapshot_picture(struct report *report, const struct snapshots *shots, double scale)
{
    int height_px = (int)ceil(shots->top + (double)shots->rows * (shots->panel_height + shots->gap) -
                              shots->gap + shots->bottom);
    size_t columns = shots->count < shots->columns ? shots->count : shots->columns;
    int width_px = (int)ceil(shots->left + (double)columns * (shots->panel_width + shots->gap) - shots->gap +
                             shots->right);
    struct report_picture *picture =
        report_add_picture(report, REPORT_SNAPSHOTS, "snapshots.png", width_px, height_px);
    if (!picture)
        return STATUS_OK;
    char knee[STYLE_TEXT_BYTES];
    snprintf(picture->title, sizeof picture->title, "Elevation of the sea surface");
    snprintf(picture->caption, sizeof picture->caption,
             "Elevation above the level of rest at %zu times after the start, all in the same colours%s%s%s.",
             shots->count, shots->scale.kind == STYLE_SYMMETRIC ? ": linear below about " : "",
             shots->scale.kind == STYLE_SYMMETRIC ? style_length(shots->scale.knee, knee) : "",
             shots->scale.kind == STYLE_SYMMETRIC ? ", logarithmic above" : "");
    struct plot plot;
    enum status status = report_start_picture(report, picture, scale, &plot);
    struct snapshots fitted = *shots; // shares the maps; only narrower if there are few records
    fitted.columns = columns;
    if (status == STATUS_OK)
        status = script_snapshots(&plot, report, &fitted);
    return plot_finish(&plot, status);
}

static enum status read_snapshots(struct report *report, struct snapshots *shots, double scale,
                                  const double *times_s, size_t records)
{
    // A first look at the axes only: as few pixels as there can be.
    const struct report_grid *grid = report_outermost(report);
    struct result_map map;
    CHECK(result_read_map(grid->fields, "eta", (size_t[]){0}, RESULT_VALID_FRACTION, 2, 2, NULL, &map));
    shots->view = map_view_of(&map);
    result_map_free(&map);
    layout_snapshots(report, shots, scale);
    choose_records(shots, times_s, records);
    for (size_t k = 0; k < shots->count; k++)
        CHECK(map_read_pair(grid, grid->fields, "eta", &shots->records[k], RESULT_MEAN,
                            (size_t)shots->panel_width, (size_t)shots->panel_height, NULL, &shots->maps[k]));
    scale_snapshots(shots);
    return STATUS_OK;
}

enum status report_draw_snapshots(struct report *report)
{
    const struct result_file *fields = report_outermost(report)->fields;
    const struct result_variable *eta = result_find(fields, "eta");
    if (!eta || eta->rank != 3 || eta->lengths[0] == 0)
        return STATUS_OK;
    double *times_s;
    size_t records;
    CHECK(result_read_all(fields, "time", &times_s, &records));
    if (records != eta->lengths[0]) {
        free(times_s);
        return FAIL(STATUS_DATA, "%s: %zu times for %zu records of eta", result_path(fields), records,
                    eta->lengths[0]);
    }
    struct snapshots shots = {0};
    double scale = report->options.width_px / 1600.;
    enum status status = read_snapshots(report, &shots, scale, times_s, records);
    if (status == STATUS_OK)
        status = draw_snapshot_picture(report, &shots, scale);
    for (size_t k = 0; k < PANELS_MAX; k++)
        map_free_pair(&shots.maps[k]);
    free(times_s);
    return status;
}
