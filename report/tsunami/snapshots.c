// Snapshots of the sea surface in a report: small maps at some times of fields.nc, all with the same colour
// scale. Uses the variable eta; report/map.c draws the maps.
#include "report/map.h"
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// The records shown, and the layout of the panels.
enum { PANELS_MAX = 9 };
struct snapshots {
    size_t count;
    size_t records[PANELS_MAX];
    double times_s[PANELS_MAX];
    struct map_pair maps[PANELS_MAX];
    struct map_view view;
    struct style_scale scale;
    struct panels panels;
};

// Chooses records of the whole run, closer together at its start, when the elevation changes faster.
static void choose_records(struct snapshots *shots, const double *times_s, size_t records)
{
    size_t most = shots->panels.columns * shots->panels.rows;
    shots->count = records < most ? records : most;
    for (size_t k = 0; k < shots->count; k++) {
        double part = shots->count > 1 ? (double)k / (double)(shots->count - 1) : 1;
        size_t record = (size_t)floor(pow(part, 1.5) * (double)(records - 1) + 0.5);
        if (k > 0 && record <= shots->records[k - 1])
            record = shots->records[k - 1] + 1;
        shots->records[k] = record;
        shots->times_s[k] = times_s[record];
    }
    shots->panels.rows = (shots->count + shots->panels.columns - 1) / shots->panels.columns;
}

static void layout_snapshots(const struct report *report, struct snapshots *shots)
{
    const double aspect = shots->view.aspect, scale = report_scale(report);
    struct panels *p = &shots->panels;
    *p = (struct panels){.columns = aspect > 6 ? 1 : (aspect > 2.4 ? 2 : (aspect > 0.6 ? 3 : 4)),
                         .rows = aspect > 6 ? 6 : (aspect > 2.4 ? 4 : (aspect > 0.6 ? 3 : 2)),
                         .left = fmax(84, map_label_space(&shots->view)) * scale,
                         .top = 84 * scale,
                         .right = 150 * scale,
                         .bottom = (shots->view.is_geographic ? 46 : 72) * scale,
                         .gap_x = 14 * scale,
                         .gap_y = 14 * scale};
    const double width = report->options.width_px - p->left - p->right;
    p->width = (width - p->gap_x * (double)(p->columns - 1)) / (double)p->columns;
    p->height = fmin(fmax(p->width / aspect, 90 * scale), 700 * scale);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct style_scale report_tsunami_elevation_scale(const struct report *report, double typical_m,
                                                  double high_m)
{
    const double fixed_m = report->options.scale_m;
    return fixed_m > 0 ? (struct style_scale){STYLE_SYMMETRIC, -fixed_m, fixed_m, fixed_m / 50, 0}
                       : style_scale_elevation(typical_m, high_m);
}

// The scale ends at the 99.95th percentile over all frames. The typical height of waves is that exceeded on a
// fiftieth of the water, in the median frame.
static void scale_snapshots(const struct report *report, struct snapshots *shots)
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
    shots->scale = report_tsunami_elevation_scale(report, typical[shots->count / 2], highest);
    report_tsunami_waves(report)->frame_scale = shots->scale;
}

static enum status script_panel(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct snapshots *shots = content;
    const struct panels *p = &shots->panels;
    const struct map_layers layers = {.pair = &shots->maps[k], .scale = &shots->scale};
    char text[STYLE_TEXT_BYTES], font[64];
    (void)report;
    map_script_axis(plot, &shots->view, 'x', (int)fmax(2, p->width / (110 * plot->scale)),
                    k + p->columns >= shots->count);
    map_script_axis(plot, &shots->view, 'y', (int)fmax(2, p->height / (80 * plot->scale)),
                    k % p->columns == 0);
    panels_text(plot, PANELS_LEFT, 0.9, -1.15, plot_font(plot, 14, true, font), "front boxed bs 1",
                style_duration(shots->times_s[k], text));
    return map_script_layers(plot, &layers);
}

static enum status draw_snapshots(struct report *report, struct snapshots *shots)
{
    const bool is_symmetric = shots->scale.kind == STYLE_SYMMETRIC;
    struct panels *p = &shots->panels;
    char knee[STYLE_TEXT_BYTES], caption[REPORT_TEXT_BYTES];
    p->columns = shots->count < p->columns ? shots->count : p->columns;
    snprintf(
        caption, sizeof caption,
        "Elevation above the still sea level at %zu times after the start, all in the same colours%s%s%s.",
        shots->count, is_symmetric ? ": linear below about " : "",
        is_symmetric ? style_length(shots->scale.knee, knee) : "", is_symmetric ? ", logarithmic above" : "");
    const struct panels_images images = {
        12.5, panels_boxed_text, style_diverging, STYLE_COLOURS, &shots->scale, style_length, NULL};
    const struct panels_picture picture = {TSUNAMI_SNAPSHOTS,
                                           "snapshots.png",
                                           "Elevation of the sea surface",
                                           caption,
                                           NULL,
                                           p,
                                           shots->count,
                                           shots,
                                           script_panel,
                                           NULL,
                                           &images,
                                           0};
    return panels_draw(report, &picture);
}

static enum status read_snapshots(struct report *report, struct snapshots *shots, const double *times_s,
                                  size_t records)
{
    // First the axes only: a map with as few pixels as possible.
    const struct report_grid *grid = &report_tsunami_waves(report)->grids[0];
    struct result_map map;
    CHECK(result_read_map(grid->files.fields, "eta", (size_t[]){0}, RESULT_VALID_FRACTION, 2, 2, NULL, &map));
    shots->view = map_view_of(&map);
    result_map_free(&map);
    layout_snapshots(report, shots);
    choose_records(shots, times_s, records);
    const struct map_part part = {(size_t)shots->panels.width, (size_t)shots->panels.height, NULL};
    for (size_t k = 0; k < shots->count; k++)
        CHECK(report_tsunami_read_pair(grid, grid->files.fields, "eta", &shots->records[k], RESULT_MEAN,
                                       &part, &shots->maps[k]));
    scale_snapshots(report, shots);
    return STATUS_OK;
}

enum status report_tsunami_draw_snapshots(struct report *report)
{
    const struct result_file *fields = report->files.fields;
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
    enum status status = read_snapshots(report, &shots, times_s, records);
    if (status == STATUS_OK)
        status = draw_snapshots(report, &shots);
    for (size_t k = 0; k < PANELS_MAX; k++)
        map_free_pair(&shots.maps[k]);
    free(times_s);
    return status;
}
