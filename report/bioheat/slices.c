// Slices through the hottest cell in a heat report: largest temperature and dose in three planes, of the
// whole volume and of its warm part, with the borders of the tissues and the lesion's outline.
#include "report/bioheat/report.h"
#include "report/map.h"
#include "report/panels.h"

#include <math.h>
#include <stdio.h>

// One quantity: a row of slices with its own colours.
struct row {
    const struct result_file *file;
    const char *variable, *title, *unit;
    long long record;
    const char *const *palette;
    struct style_scale scale;
};

struct picture {
    const struct heat_volume *volume;
    const struct heat_box *box;
    struct row rows[2];
    size_t row_count;
    int planes[HEAT_PLANES];
    size_t plane_count;
    double px_per_mm, left, top, right, bottom, gap_x, gap_y; // pixels
    double row_height;
};

// The dose of a lesion, in minutes. Its outline is drawn.
static const double lesion_min = 240;

static double extent_mm(const struct picture *p, enum heat_axis axis)
{
    const double *values = p->volume->axes_mm[axis];
    return (values[1] - values[0]) * (double)p->box->count[axis];
}

// All slices in the same scale, as large as the picture's width allows.
static void lay_out(const struct report *report, struct picture *p, double scale)
{
    double across_mm = 0, up_mm = 0;
    p->plane_count = 0;
    for (int plane = 0; plane < HEAT_PLANES; plane++) {
        if (!report_bioheat_has_plane(p->volume, plane))
            continue;
        p->planes[p->plane_count++] = plane;
        across_mm += extent_mm(p, report_bioheat_planes[plane].across);
        up_mm = fmax(up_mm, extent_mm(p, report_bioheat_planes[plane].up));
    }
    p->left = 92 * scale;
    p->top = 118 * scale;
    p->right = 165 * scale;
    p->bottom = 72 * scale;
    p->gap_x = 92 * scale;
    p->gap_y = 106 * scale;
    const double room = report->options.width_px - p->left - p->right -
                        (p->plane_count > 0 ? (double)p->plane_count - 1 : 0) * p->gap_x;
    p->px_per_mm = fmin(room / across_mm, 0.75 * report->options.height_px / up_mm);
    p->row_height = up_mm * p->px_per_mm;
}

static enum status draw_slice(struct plot *plot, const struct picture *p, const struct row *row,
                              const struct plot_box *box, int plane, bool has_bar)
{
    const struct heat_plane *axes = &report_bioheat_planes[plane];
    struct heat_slice slice = {0}, labels = {0}, dose = {0};
    struct contour_points tissues = {0}, lesion = {0};
    const double cross_mm[2] = {p->volume->axes_mm[axes->across][p->volume->hottest[axes->across]],
                                p->volume->axes_mm[axes->up][p->volume->hottest[axes->up]]};
    enum status status =
        report_bioheat_read_slice(row->file, row->variable, row->record, p->volume, plane, p->box, &slice);
    const bool has_labels = row->record < 0 && result_find(row->file, "label"),
               has_dose = row->record < 0 && result_find(row->file, "dose");
    if (status == STATUS_OK && has_labels)
        status = report_bioheat_read_slice(row->file, "label", -1, p->volume, plane, p->box, &labels);
    if (status == STATUS_OK && has_labels)
        status = report_bioheat_trace_tissues(&labels, &tissues);
    if (status == STATUS_OK && has_dose)
        status = report_bioheat_read_slice(row->file, "dose", -1, p->volume, plane, p->box, &dose);
    if (status == STATUS_OK && has_dose)
        status = report_bioheat_trace_level(&dose, lesion_min, &lesion);
    if (status == STATUS_OK) {
        char text[96], font[64];
        plot_box(plot, box);
        report_bioheat_script_axes(plot, p->volume, &slice, plane, box->width, box->height, true, true);
        snprintf(text, sizeof text, "%s = %.4g mm", report_bioheat_axis_name(p->volume, axes->normal),
                 p->volume->axes_mm[axes->normal][p->volume->hottest[axes->normal]]);
        fprintf(
            plot->script,
            "set label 1 '%s' at graph 1,1 offset character 0,0.7 right font '%s' textcolor rgb '#666666'\n",
            text, plot_font(plot, 12, false, font));
        if (has_bar)
            map_script_colour_bar(plot, box, &row->scale, style_tick, row->unit);
        else
            fprintf(plot->script, "unset colorbox\nunset label 103\nset cbrange [0:1]\n");
        if (report_bioheat_is_oriented(p->volume))
            report_bioheat_script_letters(plot, plane);
        const struct heat_layer layer = {&slice, &row->scale, &tissues, &lesion, cross_mm};
        status = report_bioheat_script_layer(plot, &layer);
    }
    report_bioheat_free_slice(&slice);
    report_bioheat_free_slice(&labels);
    report_bioheat_free_slice(&dose);
    contour_free(&tissues);
    contour_free(&lesion);
    return status;
}

static enum status script_rows(struct plot *plot, const struct report *report,
                               const struct report_picture *picture, const void *content)
{
    const struct picture *p = content;
    char font[64];
    fprintf(plot->script, "set multiplot\nset tics front font '%s'\nunset key\nset border 15\n",
            plot_font(plot, 12, false, font));
    panels_heading(plot, report, p->left, picture->title);
    for (size_t r = 0; r < p->row_count; r++) {
        double left = p->left;
        const double top = p->top + (double)r * (p->row_height + p->gap_y);
        plot_palette(plot, p->rows[r].palette, STYLE_COLOURS);
        for (size_t k = 0; k < p->plane_count; k++) {
            const struct heat_plane *axes = &report_bioheat_planes[p->planes[k]];
            const double width = extent_mm(p, axes->across) * p->px_per_mm,
                         height = extent_mm(p, axes->up) * p->px_per_mm;
            const struct plot_box box = {left, top + p->row_height - height, width, height};
            if (k == 0)
                fprintf(plot->script, "set label 2 '%s' at screen %.6f,%.6f left font '%s'\n",
                        p->rows[r].title, p->left / plot->width_px,
                        1 - (top - 22 * plot->scale) / plot->height_px, plot_font(plot, 14, true, font));
            CHECK(draw_slice(plot, p, &p->rows[r], &box, p->planes[k], k + 1 == p->plane_count));
            if (r == 0 && k == 0)
                fprintf(plot->script, "unset label 101\nunset label 102\n");
            fprintf(plot->script, "unset label 2\n");
            left += width + p->gap_x;
        }
    }
    return STATUS_OK;
}

// A dose spans decades.
static struct style_scale dose_scale(double largest_min)
{
    const double high = isfinite(largest_min) ? style_round_up(fmax(largest_min, 1e-2)) : 1e4;
    return (struct style_scale){.kind = STYLE_LOG, .low = high * 1e-4, .high = high};
}

static double largest_dose(const struct report *report)
{
    double largest = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, json_member(json_member(report->run, "thermal_safety"), "tissues"))
    {
        if (cJSON_IsTrue(json_member(item, "dose_is_infinite")))
            return INFINITY;
        largest = fmax(largest, json_number(item, "largest_dose_min")); // a NaN is left out
    }
    return largest;
}

struct style_scale report_bioheat_dose_scale(const struct report *report)
{
    return dose_scale(largest_dose(report));
}

struct style_scale report_bioheat_temperature_scale(const struct heat_volume *v)
{
    const double range_k = fmax(v->hottest_c - v->coolest_c, 1e-3), step = style_step(range_k, 14);
    return (struct style_scale){.kind = STYLE_LINEAR,
                                .low = floor(v->coolest_c / step) * step,
                                .high = ceil(v->hottest_c / step) * step};
}

static void fill_rows(const struct report *report, struct picture *p)
{
    const struct heat_volume *v = p->volume;
    const struct report_files *files = &report->files;
    const bool is_static = v->file == files->maxima;
    const struct result_variable *fields = result_find(files->fields, "temperature");
    p->rows[0] = (struct row){.file = v->file,
                              .variable = v->variable,
                              .title = is_static ? "Largest temperature" : "Temperature at the end",
                              .unit = "°C",
                              .record = is_static ? -1 : (long long)fields->lengths[0] - 1,
                              .palette = style_sequential,
                              .scale = report_bioheat_temperature_scale(v)};
    p->row_count = 1;
    if (!result_find(files->maxima, "dose") || !is_static)
        return;
    p->rows[p->row_count++] = (struct row){.file = files->maxima,
                                           .variable = "dose",
                                           .title = "Thermal dose",
                                           .unit = "CEM43 (min)",
                                           .record = -1,
                                           .palette = style_flood,
                                           .scale = report_bioheat_dose_scale(report)};
}

static enum status draw_picture(struct report *report, const struct heat_volume *volume,
                                const struct heat_box *box, const char *file, const char *title)
{
    struct picture p = {.volume = volume, .box = box};
    fill_rows(report, &p);
    lay_out(report, &p, report_scale(report));
    if (p.plane_count == 0)
        return STATUS_OK;
    struct report_picture picture =
        report_picture_of(HEAT_SLICES, file, title, report->options.width_px,
                          p.top + p.bottom + (double)p.row_count * (p.row_height + p.gap_y) - p.gap_y);
    char tilt[256];
    snprintf(picture.caption, sizeof picture.caption,
             "Planes through the hottest cell (cross), %.1f °C%s.%s Thin lines are interfaces between "
             "tissues%s; air is left white.%s%s",
             volume->hottest_c, volume->is_maximum ? "" : " at the end of the run",
             p.row_count > 1 ? " Above the largest temperature, below the thermal dose, logarithmic." : "",
             p.row_count > 1 ? ", the thick line is the outline of 240 CEM43" : "",
             report_bioheat_is_oriented(volume) ? " " HEAT_CONVENTION "." : "",
             report_bioheat_tilt_text(volume, tilt, sizeof tilt));
    return report_draw(report, &picture, script_rows, &p);
}

enum status report_bioheat_draw_slices(struct report *report, const struct heat_volume *volume)
{
    CHECK(draw_picture(report, volume, &volume->all, "slices.png",
                       volume->is_maximum ? "Slices through the hottest cell"
                                          : "Slices through the hottest cell of the last frame"));
    if (!volume->has_close)
        return STATUS_OK;
    return draw_picture(report, volume, &volume->close, "slices_close.png",
                        volume->is_maximum ? "The warm part of the volume"
                                           : "The warm part of the volume at the end");
}
