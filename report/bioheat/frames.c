// Frames over time in a heat report: the temperature in one plane through the hottest cell at some of the
// times of fields.nc, all in the same colours.
#include "report/bioheat/report.h"
#include "report/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 9, COLUMNS = 3 };

struct frames {
    struct heat_volume volume; // of fields.nc; the axes are owned
    struct heat_box box;
    int plane;
    size_t count, records[FRAMES_MAX];
    double times_s[FRAMES_MAX];
    struct heat_slice slices[FRAMES_MAX];
    struct style_scale scale;
    double left, top, right, bottom, gap, width, height; // pixels
};

// The cell of an axis that is nearest to a position.
static size_t nearest(const double *axis, size_t count, double value)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (fabs(axis[i] - value) < fabs(axis[best] - value))
            best = i;
    return best;
}

// The frames may be thinned out and cropped: their own axes, and the same part of space.
static enum status open_frames(const struct report_grid *grid, const struct heat_volume *volume,
                               struct frames *f)
{
    static const char *const names[HEAT_AXES] = {"z", "y", "x"};
    const struct result_variable *variable = result_find(grid->fields, "temperature");
    const struct heat_box *box = volume->has_close ? &volume->close : &volume->all;
    f->volume.file = grid->fields;
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        size_t length;
        CHECK(result_read_all(grid->fields, names[axis], &f->volume.axes_mm[axis], &length));
        double *own = f->volume.axes_mm[axis];
        for (size_t i = 0; i < length; i++)
            own[i] *= 1e3;
        f->volume.cells[axis] = variable->lengths[1 + axis];
        const double *all = volume->axes_mm[axis];
        const size_t first = nearest(own, length, all[box->first[axis]]),
                     last = nearest(own, length, all[box->first[axis] + box->count[axis] - 1]);
        f->volume.hottest[axis] = nearest(own, length, all[volume->hottest[axis]]);
        f->box.first[axis] = first;
        f->box.count[axis] = last - first + 1;
    }
    return STATUS_OK;
}

// The plane that shows most: of the largest area.
static bool choose_plane(struct frames *f)
{
    double largest = 0;
    for (int plane = 0; plane < HEAT_PLANES; plane++) {
        const struct heat_plane *p = &heat_planes[plane];
        if (f->box.count[p->across] < 2 || f->box.count[p->up] < 2)
            continue;
        double area = 1;
        for (int k = 0; k < 2; k++) {
            const enum heat_axis axis = k ? p->up : p->across;
            area *= (double)f->box.count[axis] * (f->volume.axes_mm[axis][1] - f->volume.axes_mm[axis][0]);
        }
        if (area > largest) {
            largest = area;
            f->plane = plane;
        }
    }
    return largest > 0;
}

// Leaves out what has no largest temperature: air, which the frames themselves do not know.
static enum status hide_air(const struct heat_volume *volume, struct frames *f)
{
    const struct heat_plane *p = &heat_planes[f->plane];
    struct heat_slice whole = {0};
    enum status status =
        heat_read_slice(volume->file, volume->variable, -1, volume, f->plane, &volume->all, &whole);
    const struct heat_slice *one = &f->slices[0];
    for (size_t i = 0; i < one->nx * one->ny && status == STATUS_OK; i++) {
        const double *across = f->volume.axes_mm[p->across] + f->box.first[p->across],
                     *up = f->volume.axes_mm[p->up] + f->box.first[p->up];
        const size_t x = nearest(volume->axes_mm[p->across], volume->cells[p->across], across[i % one->nx]),
                     y = nearest(volume->axes_mm[p->up], volume->cells[p->up], up[i / one->nx]);
        for (size_t k = 0; k < f->count && isnan(whole.values[y * whole.nx + x]); k++)
            f->slices[k].values[i] = NAN;
    }
    heat_free_slice(&whole);
    return status;
}

static enum status read_frames(const struct report_grid *grid, const struct heat_volume *volume,
                               struct frames *f)
{
    double *times_s;
    size_t records;
    CHECK(result_read_all(grid->fields, "time", &times_s, &records));
    f->count = records < FRAMES_MAX ? records : FRAMES_MAX;
    for (size_t k = 0; k < f->count; k++) {
        f->records[k] = f->count > 1 ? k * (records - 1) / (f->count - 1) : 0;
        f->times_s[k] = times_s[f->records[k]];
    }
    free(times_s);
    for (size_t k = 0; k < f->count; k++)
        CHECK(heat_read_slice(grid->fields, "temperature", (long long)f->records[k], &f->volume, f->plane,
                              &f->box, &f->slices[k]));
    if (volume->file == grid->maxima)
        CHECK(hide_air(volume, f));
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < f->count; k++) {
        const struct heat_slice *slice = &f->slices[k];
        for (size_t i = 0; i < slice->nx * slice->ny; i++) {
            low = fmin(low, slice->values[i]);
            high = fmax(high, slice->values[i]);
        }
    }
    if (!(high >= low))
        low = high = 0;
    const double step = style_step(fmax(high - low, 1e-3), 14);
    f->scale = (struct style_scale){.kind = STYLE_LINEAR,
                                    .low = floor(low / step) * step,
                                    .high = fmax(ceil(high / step) * step, floor(low / step) * step + step)};
    return STATUS_OK;
}

static void lay_out(const struct report *report, struct frames *f, double scale)
{
    const struct heat_slice *s = &f->slices[0];
    const double aspect = (double)s->ny * s->y_step / ((double)s->nx * s->x_step);
    f->left = 92 * scale;
    f->top = 92 * scale;
    f->right = 150 * scale;
    f->bottom = 72 * scale;
    f->gap = 16 * scale;
    f->width = (report->options.width_px - f->left - f->right - (COLUMNS - 1) * f->gap) / COLUMNS;
    f->height = f->width * aspect;
    const double most = 0.6 * report->options.height_px;
    if (f->height > most) {
        f->height = most;
        f->width = f->height / aspect;
    }
}

static enum status script_frames(struct plot *plot, const struct report *report, const struct frames *f)
{
    const size_t rows = (f->count + COLUMNS - 1) / COLUMNS, columns = f->count < COLUMNS ? f->count : COLUMNS;
    const struct plot_box all = {f->left, f->top, (double)columns * (f->width + f->gap) - f->gap,
                                 (double)rows * (f->height + f->gap) - f->gap};
    char font[64], title[96], text[STYLE_TEXT_BYTES];
    const struct heat_plane *p = &heat_planes[f->plane];
    plot_palette(plot, style_sequential, STYLE_COLOURS);
    fprintf(plot->script, "set multiplot\nset tics front font '%s'\nunset key\n",
            plot_font(plot, 12, false, font));
    fprintf(plot->script, "set style textbox 1 opaque noborder fillcolor rgb '#20ffffff' margins 0.6,0.5\n");
    snprintf(title, sizeof title, "Temperature at %s = %.4g mm", p->name,
             f->volume.axes_mm[p->normal][f->volume.hottest[p->normal]]);
    plot_heading(plot, title, report_job_title(report), f->left, plot->width_px - f->left);
    map_script_colour_bar(plot, &all, &f->scale, heat_tick, "°C");
    for (size_t k = 0; k < f->count; k++) {
        const size_t column = k % COLUMNS, row = k / COLUMNS;
        const struct plot_box box = {f->left + (double)column * (f->width + f->gap),
                                     f->top + (double)row * (f->height + f->gap), f->width, f->height};
        plot_box(plot, &box);
        heat_script_axes(plot, &f->slices[k], f->plane, f->width, f->height, k + COLUMNS >= f->count,
                         column == 0);
        fprintf(plot->script,
                "set label 1 '%s' at graph 0,1 offset character 0.9,-1.15 left front boxed bs 1 font '%s'\n",
                style_duration(f->times_s[k], text), plot_font(plot, 13, true, font));
        const struct heat_layer layer = {.slice = &f->slices[k], .scale = &f->scale};
        CHECK(heat_script_layer(plot, &layer));
        fprintf(plot->script, "unset colorbox\nunset label 101\nunset label 102\nunset label 103\n");
    }
    return STATUS_OK;
}

static enum status draw_frames(struct report *report, const struct frames *f, double scale)
{
    const size_t rows = (f->count + COLUMNS - 1) / COLUMNS, columns = f->count < COLUMNS ? f->count : COLUMNS;
    const int width_px = (int)ceil(f->left + (double)columns * (f->width + f->gap) - f->gap + f->right),
              height_px = (int)ceil(f->top + (double)rows * (f->height + f->gap) - f->gap + f->bottom);
    struct report_picture *picture =
        report_add_picture(report, REPORT_SNAPSHOTS, "snapshots.png", width_px, height_px);
    if (!picture)
        return STATUS_OK;
    snprintf(picture->title, sizeof picture->title, "Temperature over time");
    snprintf(
        picture->caption, sizeof picture->caption,
        "Temperature in a plane through the cell that got hottest, at %zu times, all in the same colours.",
        f->count);
    struct plot plot;
    enum status status = report_start_picture(report, picture, scale, &plot);
    if (status == STATUS_OK)
        status = script_frames(&plot, report, f);
    return plot_finish(&plot, status);
}

enum status report_draw_heat_frames(struct report *report, const struct heat_volume *volume)
{
    const struct report_grid *grid = report_outermost(report);
    const struct result_variable *variable = result_find(grid->fields, "temperature");
    struct frames f = {0};
    const double scale = report->options.width_px / 1600.;
    if (!variable || variable->rank != 1 + HEAT_AXES || variable->lengths[0] == 0)
        return STATUS_OK;
    enum status status = open_frames(grid, volume, &f);
    if (status == STATUS_OK && choose_plane(&f)) {
        status = read_frames(grid, volume, &f);
        if (status == STATUS_OK) {
            lay_out(report, &f, scale);
            status = draw_frames(report, &f, scale);
        }
    }
    for (size_t k = 0; k < FRAMES_MAX; k++)
        heat_free_slice(&f.slices[k]);
    for (int axis = 0; axis < HEAT_AXES; axis++)
        free(f.volume.axes_mm[axis]);
    return status;
}
