// Panels as gnuplot commands: see panels.h.
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct panels panels_layout(double picture_width, double scale, size_t count, double height)
{
    struct panels panels = {.columns = count > 1 ? 2 : 1,
                            .left = 92 * scale,
                            .top = 118 * scale,
                            .right = 40 * scale,
                            .bottom = 66 * scale,
                            .gap_x = 104 * scale,
                            .gap_y = 78 * scale,
                            .height = height * scale};
    panels.rows = (count + panels.columns - 1) / panels.columns;
    panels.width =
        (picture_width - panels.left - panels.right - panels.gap_x * (double)(panels.columns - 1)) /
        (double)panels.columns;
    return panels;
}

void panels_arrange(struct panels *panels, size_t count, size_t columns)
{
    panels->columns = count < columns ? count : columns;
    panels->rows = (count + columns - 1) / columns;
}

// The area of all panels together.
static struct plot_box area_of(const struct panels *panels)
{
    return (struct plot_box){panels->left, panels->top,
                             (double)panels->columns * (panels->width + panels->gap_x) - panels->gap_x,
                             (double)panels->rows * (panels->height + panels->gap_y) - panels->gap_y};
}

int panels_height(const struct panels *panels)
{
    return (int)ceil(panels->top + area_of(panels).height + panels->bottom);
}

void panels_free_series(struct panels_series *series)
{
    free(series->times_s);
    free(series->values_m);
    *series = (struct panels_series){0};
}

void panels_box(struct plot *plot, const struct panels *panels, size_t k)
{
    const size_t column = k % panels->columns, row = k / panels->columns;
    plot_box(plot, &(struct plot_box){panels->left + (double)column * (panels->width + panels->gap_x),
                                      panels->top + (double)row * (panels->height + panels->gap_y),
                                      panels->width, panels->height});
}

void panels_heading(struct plot *plot, const struct report *report, double left, const char *title)
{
    plot_heading(plot, title, report_job_title(report), left, plot->width_px - left);
}

void panels_legend(struct plot *plot, double right, const struct panels_legend_entry *entries, size_t count)
{
    char font[64];
    plot_font(plot, 13, false, font);
    for (size_t k = 0; k < count; k++) {
        fprintf(plot->script,
                "set label %zu '%s %s' at screen %.6f,%.6f right font '%s' textcolor rgb '%s'\n", 110 + k,
                entries[k].mark, entries[k].name, (plot->width_px - right) / plot->width_px,
                1 - 57 * plot->scale / plot->height_px, font, entries[k].colour);
        right += entries[k].width * plot->scale;
    }
}

static void empty_plot(struct plot *plot)
{
    fprintf(plot->script, "unset label\nunset border\nunset tics\nunset xlabel\nunset ylabel\nunset grid\n"
                          "unset logscale\nset yrange [0:1]\n");
}

const char panels_grey[] = "textcolor rgb '#666666'";
const char panels_boxed_text[] =
    "set style textbox 1 opaque noborder fillcolor rgb '#20ffffff' margins 0.6,0.5\n";

void panels_text(struct plot *plot, enum panels_corner corner, double dx, double dy, const char *font,
                 const char *more, const char *text)
{
    char quoted[REPORT_TEXT_BYTES];
    fprintf(plot->script, "set label %d %s at graph %d,1 offset character %g,%g %s font '%s' %s\n",
            (int)corner, style_quote(text, 150, quoted, sizeof quoted), corner == PANELS_RIGHT, dx, dy,
            corner == PANELS_RIGHT ? "right" : "left", font, more);
}

void panels_title(struct plot *plot, const char *title, const char *aside)
{
    char quoted[REPORT_TEXT_BYTES], font[64];
    fprintf(plot->script, "set label 1 %s at graph 0,1 offset character 0,0.75 left font '%s'\n",
            style_quote(title, 40, quoted, sizeof quoted), plot_font(plot, 14, true, font));
    fprintf(plot->script, "set label 2 %s at graph 1,1 offset character 0,0.75 right font '%s' %s\n",
            style_quote(aside, 60, quoted, sizeof quoted), plot_font(plot, 12, false, font), panels_grey);
}

// Round numbers where a scale has less than a decade: in one of its parts at steps that are even to the eye,
// or, where these are too few, at equal ones.
static size_t ticks_within_decade(double low, double high, double ticks[STYLE_TICKS_MAX])
{
    static const double factors[] = {1, 1.5, 2, 3, 4, 5, 7};
    size_t count = 0;
    for (double decade = pow(10, floor(log10(low))); decade <= high; decade *= 10)
        for (size_t k = 0; k < sizeof factors / sizeof *factors && count < STYLE_TICKS_MAX; k++)
            if (factors[k] * decade >= low && factors[k] * decade <= high)
                ticks[count++] = factors[k] * decade;
    const struct style_scale equal = {
        .kind = STYLE_LINEAR, .low = low, .high = high, .tick_step = style_step_within(low, high, 4)};
    return count >= 3 ? count : style_scale_ticks(&equal, ticks);
}

// The powers of ten among the ticks, where the labels of all would touch each other.
static size_t ticks_that_fit(size_t count, double ticks[STYLE_TICKS_MAX])
{
    enum { CHARACTERS_MAX = 28, DECADES_MIN = 3 };
    double decades[STYLE_TICKS_MAX];
    char text[STYLE_TEXT_BYTES];
    size_t characters = 0, kept = 0;
    for (size_t k = 0; k < count; k++) {
        const double power = log10(ticks[k]);
        characters += strlen(style_decade(ticks[k], text));
        if (fabs(power - round(power)) < 1e-9)
            decades[kept++] = ticks[k];
    }
    if (characters <= CHARACTERS_MAX || kept < DECADES_MIN)
        return count;
    memcpy(ticks, decades, kept * sizeof *ticks);
    return kept;
}

void panels_log_ticks(struct plot *plot, char axis, double low, double high, size_t most)
{
    const struct style_scale scale = {.kind = STYLE_LOG, .low = low, .high = high};
    double ticks[STYLE_TICKS_MAX];
    char text[STYLE_TEXT_BYTES];
    size_t count = style_scale_ticks(&scale, ticks);
    if (count < 3)
        count = ticks_within_decade(low, high, ticks);
    if (axis == 'x')
        count = ticks_that_fit(count, ticks);
    const size_t stride = most > 0 && count > most ? (count + most - 1) / most : 1;
    fprintf(plot->script, "set %ctics (", axis);
    for (size_t k = 0; k < count; k += stride)
        fprintf(plot->script, "%s'%s' %.8g", k ? ", " : "", style_decade(ticks[k], text), ticks[k]);
    fprintf(plot->script, ")\n");
}

void panels_value_axis(struct plot *plot, char axis, double low, double high, bool is_logarithmic, int most)
{
    // The range comes first: that of an earlier panel need not be above 0.
    fprintf(plot->script, "unset logscale %c\nset %crange [%.10g:%.10g]\nset format %c '%%g'\n", axis, axis,
            low, high, axis);
    if (is_logarithmic) {
        fprintf(plot->script, "set logscale %c\n", axis);
        panels_log_ticks(plot, axis, low, high, (size_t)most + 3); // 1, 2, 5 of three decades
    } else
        fprintf(plot->script, "set %ctics %.10g\n", axis, style_step(high - low, most));
}

void panels_axis(struct plot *plot, char axis, double low, double high, double step, const char *name,
                 bool is_shown)
{
    fprintf(plot->script, "set %crange [%.10g:%.10g]\nset %ctics out nomirror %.10g format '%s'\n", axis, low,
            high, axis, step, is_shown ? "%g" : "");
    if (is_shown)
        fprintf(plot->script, "set %clabel '%s' offset %s\n", axis, name, axis == 'x' ? "0,0.4" : "1.4,0");
    else
        fprintf(plot->script, "unset %clabel\n", axis);
}

void panels_time_axis(struct plot *plot, double begin_s, double end_s, struct style_time_unit unit, int most,
                      bool has_label)
{
    double step_s =
        unit.seconds > 1 ? style_step_time_s(end_s - begin_s, most) : style_step(end_s - begin_s, most);
    if ((end_s - begin_s) / step_s > most + 1) // too many ticks, because steps of whole hours are preferred
        step_s *= ceil((end_s - begin_s) / step_s / most);
    fprintf(plot->script, "set xrange [%.10g:%.10g]\nset xtics %.10g,%.10g\n", begin_s / unit.seconds,
            end_s / unit.seconds, ceil(begin_s / step_s - 1e-9) * step_s / unit.seconds,
            step_s / unit.seconds);
    if (has_label)
        fprintf(plot->script, "set xlabel 'time after the start (%s)' offset 0,0.3\n", unit.name);
    else
        fprintf(plot->script, "unset xlabel\n");
}

static enum status script_panels(struct plot *plot, const struct report *report,
                                 const struct report_picture *picture, const void *content)
{
    const struct panels_picture *p = content;
    char font[64];
    fprintf(plot->script,
            "set multiplot\nset grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\n"
            "unset key\nset format y '%%g'\nset tics font '%s'\n",
            plot_font(plot, 12.5, false, font));
    for (size_t k = 0; k < p->count; k++) {
        panels_box(plot, p->layout, k);
        CHECK(p->panel(plot, report, p->content, k));
    }
    empty_plot(plot);
    panels_heading(plot, report, p->layout->left, p->heading ? p->heading : picture->title);
    if (p->legend)
        p->legend(plot, p->content);
    fprintf(plot->script, "plot NaN notitle\n");
    return STATUS_OK;
}

static enum status script_images(struct plot *plot, const struct report *report,
                                 const struct report_picture *picture, const void *content)
{
    const struct panels_picture *p = content;
    const struct panels_images *images = p->images;
    const struct plot_box all = area_of(p->layout);
    char font[64];
    if (images->colours > 0)
        plot_palette(plot, images->palette, images->colours);
    fprintf(plot->script, "set multiplot\nunset key\nset tics front font '%s'\n%s",
            plot_font(plot, images->points, false, font), images->setup);
    panels_heading(plot, report, p->layout->left, p->heading ? p->heading : picture->title);
    if (images->scale)
        map_script_colour_bar(plot, &all, images->scale, images->format, images->unit);
    for (size_t k = 0; k < p->count; k++) {
        panels_box(plot, p->layout, k);
        CHECK(p->panel(plot, report, p->content, k));
        fprintf(plot->script, "\nunset colorbox\nunset label\n"); // colour bar and heading are drawn once
    }
    return STATUS_OK;
}

enum status panels_draw(struct report *report, const struct panels_picture *p)
{
    const double width_px =
        p->images ? fmax(p->layout->left + area_of(p->layout).width + p->layout->right, p->least_width_px)
                  : report->options.width_px;
    struct report_picture listed =
        report_picture_of(p->section, p->file, p->title, width_px, panels_height(p->layout));
    snprintf(listed.caption, sizeof listed.caption, "%s", p->caption);
    return report_draw(report, &listed, p->images ? script_images : script_panels, p);
}

static void add_point(struct panel_points *points, double x, double y)
{
    points->xy[2 * points->count] = (float)x;
    points->xy[2 * points->count + 1] = (float)y;
    points->count++;
}

enum status panels_thin_out(const struct panels_series *series, double begin_s, double end_s,
                            double time_unit_s, double value_unit, size_t most, struct panel_points *points)
{
    size_t first = 0, end = series->count;
    while (first < end && series->times_s[first] < begin_s)
        first++;
    while (end > first && series->times_s[end - 1] > end_s)
        end--;
    *points = (struct panel_points){0, malloc((2 * most + 4) * 2 * sizeof(float))};
    if (!points->xy)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a series of %zu points", 2 * most);
    const size_t stretch = (end - first) / most + 1; // points from which the lowest and highest are drawn
    for (size_t k = first; k < end; k += stretch) {
        size_t low = k, high = k;
        for (size_t q = k; q < end && q < k + stretch; q++) {
            low = series->values_m[q] < series->values_m[low] ? q : low;
            high = series->values_m[q] > series->values_m[high] ? q : high;
        }
        size_t early = low < high ? low : high, late = low < high ? high : low;
        add_point(points, series->times_s[early] / time_unit_s, series->values_m[early] / value_unit);
        if (late != early)
            add_point(points, series->times_s[late] / time_unit_s, series->values_m[late] / value_unit);
    }
    return STATUS_OK;
}
