// Frames over time in a heat report: the temperature in one plane through the hottest cell at some of the
// times of fields.nc, all in the same colours.
#include "report/bioheat/report.h"
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 9, COLUMNS = 3 };

struct frames {
    const struct heat_volume *whole; // that of the run
    struct heat_volume volume;       // of fields.nc; the axes are owned
    struct heat_box box;
    int plane;
    bool is_oriented; // its axes are the body's
    size_t count, records[FRAMES_MAX];
    double times_s[FRAMES_MAX];
    struct heat_slice slices[FRAMES_MAX];
    struct style_scale scale;
    struct panels layout;
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
static enum status open_frames(const struct report_files *files, const struct heat_volume *volume,
                               struct frames *f)
{
    static const char *const names[HEAT_AXES] = {"z", "y", "x"};
    const struct result_variable *variable = result_find(files->fields, "temperature");
    const struct heat_box *box = volume->has_close ? &volume->close : &volume->all;
    f->is_oriented = report_bioheat_is_oriented(volume);
    f->whole = volume;
    f->volume.file = files->fields;
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        size_t length;
        CHECK(result_read_all(files->fields, names[axis], &f->volume.axes_mm[axis], &length));
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

// The plane of the largest area.
static bool choose_plane(struct frames *f)
{
    double largest = 0;
    for (int plane = 0; plane < HEAT_PLANES; plane++) {
        const struct heat_plane *p = &report_bioheat_planes[plane];
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

// Leaves out the cells without a largest temperature: air, which the frames do not mark.
static enum status hide_air(const struct heat_volume *volume, struct frames *f)
{
    const struct heat_plane *p = &report_bioheat_planes[f->plane];
    struct heat_slice whole = {0};
    enum status status =
        report_bioheat_read_slice(volume->file, volume->variable, -1, volume, f->plane, &volume->all, &whole);
    const struct heat_slice *one = &f->slices[0];
    for (size_t i = 0; i < one->nx * one->ny && status == STATUS_OK; i++) {
        const double *across = f->volume.axes_mm[p->across] + f->box.first[p->across],
                     *up = f->volume.axes_mm[p->up] + f->box.first[p->up];
        const size_t x = nearest(volume->axes_mm[p->across], volume->cells[p->across], across[i % one->nx]),
                     y = nearest(volume->axes_mm[p->up], volume->cells[p->up], up[i / one->nx]);
        for (size_t k = 0; k < f->count && isnan(whole.values[y * whole.nx + x]); k++)
            f->slices[k].values[i] = NAN;
    }
    report_bioheat_free_slice(&whole);
    return status;
}

static enum status read_frames(const struct report_files *files, const struct heat_volume *volume,
                               struct frames *f)
{
    double *times_s;
    size_t records;
    CHECK(result_read_all(files->fields, "time", &times_s, &records));
    f->count = records < FRAMES_MAX ? records : FRAMES_MAX;
    for (size_t k = 0; k < f->count; k++) {
        f->records[k] = f->count > 1 ? k * (records - 1) / (f->count - 1) : 0;
        f->times_s[k] = times_s[f->records[k]];
    }
    free(times_s);
    for (size_t k = 0; k < f->count; k++)
        CHECK(report_bioheat_read_slice(files->fields, "temperature", (long long)f->records[k], &f->volume,
                                        f->plane, &f->box, &f->slices[k]));
    if (volume->file == files->maxima)
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

static void lay_out(const struct report *report, struct frames *f)
{
    const struct heat_slice *s = &f->slices[0];
    const double aspect = (double)s->ny * s->y_step / ((double)s->nx * s->x_step),
                 scale = report_scale(report), most = 0.6 * report->options.height_px;
    struct panels *l = &f->layout;
    *l = (struct panels){.left = 92 * scale,
                         .top = 92 * scale,
                         .right = 150 * scale,
                         .bottom = 72 * scale,
                         .gap_x = 16 * scale,
                         .gap_y = 16 * scale};
    panels_arrange(l, f->count, COLUMNS);
    l->width = (report->options.width_px - l->left - l->right - (COLUMNS - 1) * l->gap_x) / COLUMNS;
    l->height = l->width * aspect;
    if (l->height > most) {
        l->height = most;
        l->width = l->height / aspect;
    }
}

static enum status script_frame(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct frames *f = content;
    const struct heat_layer layer = {.slice = &f->slices[k], .scale = &f->scale};
    char text[STYLE_TEXT_BYTES], font[64];
    (void)report;
    report_bioheat_script_axes(plot, &f->volume, &f->slices[k], f->plane, f->layout.width, f->layout.height,
                               k + COLUMNS >= f->count, k % COLUMNS == 0);
    panels_text(plot, PANELS_LEFT, 0.9, -1.15, plot_font(plot, 13, true, font), "front boxed bs 1",
                style_duration(f->times_s[k], text));
    if (f->is_oriented)
        report_bioheat_script_letters(plot, f->plane);
    return report_bioheat_script_layer(plot, &layer);
}

static enum status draw_frames(struct report *report, struct frames *f)
{
    const struct heat_plane *p = &report_bioheat_planes[f->plane];
    char heading[96], caption[REPORT_TEXT_BYTES], tilt[256];
    lay_out(report, f);
    snprintf(heading, sizeof heading, "Temperature at %s = %.4g mm",
             report_bioheat_axis_name(&f->volume, p->normal),
             f->volume.axes_mm[p->normal][f->volume.hottest[p->normal]]);
    snprintf(caption, sizeof caption,
             "Temperature in a plane through the hottest cell, at %zu times, all in the same colours.%s%s",
             f->count, f->is_oriented ? " " HEAT_CONVENTION "." : "",
             report_bioheat_tilt_text(f->whole, tilt, sizeof tilt));
    const struct panels_images images = {
        12, panels_boxed_text, style_sequential, STYLE_COLOURS, &f->scale, style_tick, "°C"};
    const struct panels_picture picture = {HEAT_FRAMES,
                                           "snapshots.png",
                                           "Temperature over time",
                                           caption,
                                           heading,
                                           &f->layout,
                                           f->count,
                                           f,
                                           script_frame,
                                           NULL,
                                           &images,
                                           0};
    return panels_draw(report, &picture);
}

enum status report_bioheat_draw_frames(struct report *report, const struct heat_volume *volume)
{
    const struct report_files *files = &report->files;
    const struct result_variable *variable = result_find(files->fields, "temperature");
    struct frames f = {0};
    if (!variable || variable->rank != 1 + HEAT_AXES || variable->lengths[0] == 0)
        return STATUS_OK;
    enum status status = open_frames(files, volume, &f);
    if (status == STATUS_OK && choose_plane(&f)) {
        status = read_frames(files, volume, &f);
        if (status == STATUS_OK)
            status = draw_frames(report, &f);
    }
    for (size_t k = 0; k < FRAMES_MAX; k++)
        report_bioheat_free_slice(&f.slices[k]);
    for (int axis = 0; axis < HEAT_AXES; axis++)
        free(f.volume.axes_mm[axis]);
    return status;
}
