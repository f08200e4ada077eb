// One slice of a volume in a picture: colours, tissue borders, the lesion's outline, the hottest cell.
// Independent of the variable that is drawn.
#include "report/bioheat/report.h"
#include "report/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void script_ticks(struct plot *plot, char axis, const char *name, double low, double high, double px,
                         bool is_shown)
{
    const int most = (int)fmax(2, px / ((axis == 'x' ? 70 : 55) * plot->scale));
    fprintf(plot->script, "set %crange [%.10g:%.10g]\nset %ctics %.10g format '%s'\n", axis, low, high, axis,
            style_step_within(low, high, most), is_shown ? "%g" : "");
    if (is_shown)
        fprintf(plot->script, "set %clabel '%s (mm)' offset %s\n", axis, name, axis == 'x' ? "0,0.4" : "1,0");
    else
        fprintf(plot->script, "unset %clabel\n", axis);
}

void report_bioheat_script_axes(struct plot *plot, const struct heat_volume *volume,
                                const struct heat_slice *slice, int plane, double width_px, double height_px,
                                bool has_x, bool has_y)
{
    const struct heat_plane *p = &report_bioheat_planes[plane];
    const double x_half = 0.5 * slice->x_step, y_half = 0.5 * slice->y_step;
    script_ticks(plot, 'x', report_bioheat_axis_name(volume, p->across), slice->x_first - x_half,
                 slice->x_first + ((double)slice->nx - 1) * slice->x_step + x_half, width_px, has_x);
    script_ticks(plot, 'y', report_bioheat_axis_name(volume, p->up), slice->y_first - y_half,
                 slice->y_first + ((double)slice->ny - 1) * slice->y_step + y_half, height_px, has_y);
}

static struct contour_field field_of(const struct heat_slice *s, const float *values)
{
    return (struct contour_field){s->nx, s->ny, s->x_first, s->x_step, s->y_first, s->y_step, values};
}

enum status report_bioheat_trace_tissues(const struct heat_slice *labels, struct contour_points *points)
{
    const size_t cells = labels->nx * labels->ny;
    bool is_present[256] = {false};
    int kinds = 0;
    float *mask = malloc(cells * sizeof *mask);
    if (!mask)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a slice of %zu cells", cells);
    for (size_t k = 0; k < cells; k++)
        if (labels->values[k] >= 0 && labels->values[k] < 256)
            is_present[(int)labels->values[k]] = true;
    for (int label = 0; label < 256; label++)
        kinds += is_present[label];
    enum status status = STATUS_OK;
    // The borders of the last label are traced with the other labels.
    for (int label = 0; label < 256 && kinds > 1 && status == STATUS_OK; label++) {
        if (!is_present[label])
            continue;
        kinds--;
        for (size_t k = 0; k < cells; k++)
            mask[k] = labels->values[k] == (float)label ? 1 : 0;
        const struct contour_field field = field_of(labels, mask);
        status = contour_coast(&field, points);
    }
    free(mask);
    return status;
}

enum status report_bioheat_trace_level(const struct heat_slice *slice, double level,
                                       struct contour_points *points)
{
    const struct contour_field field = field_of(slice, slice->values);
    return contour_trace(&field, level, 0, 1, points);
}

void report_bioheat_script_letters(struct plot *plot, int plane)
{
    static const char *const low[HEAT_AXES] = {"I", "P", "L"}, *const high[HEAT_AXES] = {"S", "A", "R"};
    const struct heat_plane *p = &report_bioheat_planes[plane];
    const struct {
        const char *text;
        double x, y;
    } letters[] = {{low[p->across], 0.035, 0.5},
                   {high[p->across], 0.965, 0.5},
                   {low[p->up], 0.5, 0.05},
                   {high[p->up], 0.5, 0.95}};
    char font[64];
    fprintf(plot->script, "set style textbox 2 opaque noborder fillcolor rgb '#50ffffff' margins 0.4,0.3\n");
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        fprintf(plot->script,
                "set label %zu '%s' at graph %.3f,%.3f center front boxed bs 2 font '%s' textcolor rgb "
                "'#111111'\n",
                20 + k, letters[k].text, letters[k].x, letters[k].y, plot_font(plot, 13, true, font));
}

enum status report_bioheat_script_layer(struct plot *plot, const struct heat_layer *layer)
{
    const struct heat_slice *s = layer->slice;
    const struct plot_image image = {s->nx, s->ny, s->x_first, s->y_first, s->x_step, s->y_step};
    const size_t cells = s->nx * s->ny;
    float *positions = malloc(cells * sizeof *positions);
    if (!positions)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a slice of %zu cells", cells);
    for (size_t k = 0; k < cells; k++)
        positions[k] = (float)style_scale_position(layer->scale, s->values[k]);
    if (layer->cross_mm)
        fprintf(plot->script,
                "set label 9 '' at %.8g,%.8g front point pointtype 1 pointsize %.2f linewidth 1.4 linecolor "
                "rgb '#1b6fb3'\n",
                layer->cross_mm[0], layer->cross_mm[1], 0.9 * plot->scale);
    else
        fprintf(plot->script, "unset label 9\n");
    const enum status status = plot_image(plot, "plot ", &image, positions);
    free(positions);
    CHECK(status);
    CHECK(map_script_lines(plot, layer->tissues, "linewidth 0.5 linecolor rgb '#606a6660'"));
    CHECK(map_script_lines(plot, layer->lesion, "linewidth 1.6 linecolor rgb '#1b1b1b'"));
    fprintf(plot->script, "\n");
    return STATUS_OK;
}
