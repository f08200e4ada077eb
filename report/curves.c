// See curves.h.
#include "report/curves.h"

#include "report/panels.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MAX = 12, POINTS_MOST = 4000 };
static const char *const colours[CURVES_MAX] = {"#1f5f99", "#d9772b", "#444444", "#1d7a45",
                                                "#b0123b", "#6f4fa3", "#7a5230", "#c2549f"};

enum status curves_add(struct curve_panel *panel, enum curve_style style, const char *name, double **values)
{
    struct curve *curve = &panel->curves[panel->curve_count];
    *values = curve->values = calloc(panel->count + 1, sizeof *curve->values);
    if (!curve->values)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the curves of a picture");
    curve->style = style;
    snprintf(curve->name, sizeof curve->name, "%s", name);
    panel->curve_count++;
    return STATUS_OK;
}

void curves_free(struct curve_panel *panels, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        for (int c = 0; c < panels[k].curve_count; c++)
            free(panels[k].curves[c].values);
        panels[k].curve_count = 0;
    }
}

enum status curves_fill(struct curve_panel *panels, const struct curve_row *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const struct curve_row *row = &rows[k];
        struct curve_panel *panel = &panels[row->panel];
        double *values;
        if (!row->values)
            continue;
        CHECK(curves_add(panel, row->style, row->name, &values));
        for (size_t i = 0; i < panel->count; i++)
            values[i] = (row->values[i] - row->offset) / row->divisor;
    }
    return STATUS_OK;
}

enum status curves_read(const struct result_file *file, const struct curve_variable *variables,
                        size_t variable_count, size_t times, double **values)
{
    for (size_t k = 0; k < variable_count; k++) {
        const size_t width = variables[k].width;
        const struct result_variable *v = result_find(file, variables[k].name);
        size_t length;
        if (v && !v->is_text && v->rank == (width > 1 ? 2 : 1) && v->lengths[0] == times &&
            (width == 1 || v->lengths[1] == width))
            CHECK(result_read_all(file, v->name, &values[k], &length));
    }
    return STATUS_OK;
}

// The power of ten at or below a size, and its text "10⁻⁶"; 1 without a text for ordinary sizes.
static double power_of_ten(double size, char text[STYLE_TEXT_BYTES])
{
    const int power = size > 0 ? (int)floor(log10(size)) : 0;
    text[0] = '\0';
    if (power >= -1 && power <= 3)
        return 1;
    style_power(power, text);
    return pow(10, power);
}

static bool range_of(const struct curve_panel *panel, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int c = 0; c < panel->curve_count; c++)
        for (size_t k = 0; k < panel->count; k++) {
            const double value = panel->curves[c].values[k];
            if (isfinite(value) && (!panel->is_logarithmic || value > 0)) {
                *low = fmin(*low, value);
                *high = fmax(*high, value);
            }
        }
    if (panel->has_zero) {
        *low = fmin(*low, 0);
        *high = fmax(*high, 0);
    }
    return *high >= *low;
}

// At the right of a panel's title: formula and unit.
static void script_title(struct plot *plot, const struct curve_panel *panel, const char *power)
{
    char unit[STYLE_TEXT_BYTES + 40] = "", aside[STYLE_TEXT_BYTES * 3];
    if (power[0] || panel->unit[0])
        snprintf(unit, sizeof unit, "%sin %s%s%s", panel->formula ? ", " : "", power,
                 power[0] && panel->unit[0] ? " " : "", panel->unit);
    snprintf(aside, sizeof aside, "%s%s", panel->formula ? panel->formula : "", unit);
    panels_title(plot, panel->title, aside);
}

// Returns the factor of the numbers on the axis.
static double script_value_axis(struct plot *plot, const struct curve_panel *panel, double low, double high)
{
    char power[STYLE_TEXT_BYTES] = "";
    if (panel->is_logarithmic) {
        script_title(plot, panel, power);
        fprintf(plot->script, "set logscale y\nset yrange [%.8g:%.8g]\n", low / 1.2, high * 1.2);
        panels_log_ticks(plot, 'y', low / 1.2, high * 1.2, 0);
        return 1;
    }
    const bool is_from_zero = panel->has_x_zero && low == 0; // a distribution begins at its axis
    const double unit = power_of_ten(fmax(fabs(low), fabs(high)), power),
                 range = high > low ? high - low : fmax(fabs(high), 1e-300), margin = 0.08 * range;
    script_title(plot, panel, power);
    fprintf(plot->script, "unset logscale y\nset format y '%%g'\nset yrange [%.8g:%.8g]\nset ytics %.8g\n",
            (is_from_zero ? 0 : low - margin) / unit, (high + margin) / unit,
            style_step((range + 2 * margin) / unit, 6));
    return unit;
}

// The heights of the curves' names in units of the panel's height: beside the curves' ends, without overlap.
static void choose_heights(const struct curve_panel *panel, double low, double high,
                           double heights[CURVES_MAX])
{
    enum { GAP_PERCENT = 8 };
    int order[CURVES_MAX];
    double above = 1 - 0.01 * GAP_PERCENT * (panel->curve_count - 1);
    for (int c = 0; c < panel->curve_count; c++) {
        const double last = panel->curves[c].values[panel->count - 1];
        heights[c] = panel->is_logarithmic ? log(last / low * 1.2) / log(high / low * 1.44)
                                           : (last - low + 0.08 * (high - low)) / (1.16 * (high - low));
        int k = c;
        for (; k > 0 && heights[order[k - 1]] > heights[c]; k--)
            order[k] = order[k - 1];
        order[k] = c;
    }
    // From the lowest name up; each leaves space for the names above it.
    double below = -INFINITY;
    for (int k = 0; k < panel->curve_count; k++, above += 0.01 * GAP_PERCENT) {
        double *height = &heights[order[k]];
        *height = fmin(fmax(*height, below + 0.01 * GAP_PERCENT), above);
        below = *height;
    }
}

// Names of the curves: at the right of the panel, or in its corner.
static void script_names(struct plot *plot, const struct curve_panel *panel, double low, double high)
{
    char font[64], quoted[256];
    double heights[CURVES_MAX];
    plot_font(plot, 11.5, true, font);
    choose_heights(panel, low, high, heights);
    for (int c = 0; c < panel->curve_count && panel->curve_count > 1; c++) {
        if (panel->has_key)
            fprintf(plot->script, "set label %d %s at graph 1,1 offset character -0.7,%.2f right", 20 + c,
                    style_quote(panel->curves[c].name, 60, quoted, sizeof quoted), -1.0 - 1.25 * c);
        else if (isfinite(heights[c]))
            fprintf(plot->script, "set label %d %s at graph 1,%.4f offset character 0.7,0 left", 20 + c,
                    style_quote(panel->curves[c].name, 60, quoted, sizeof quoted), heights[c]);
        else
            continue;
        fprintf(plot->script, " front font '%s' textcolor rgb '%s'\n", font, colours[c]);
    }
}

static void script_x_axis(struct plot *plot, const struct curve_panel *panel, bool has_label)
{
    char quoted[256];
    const double begin = panel->has_x_zero ? 0 : panel->x[0] / panel->x_unit;
    double end = panel->x[panel->count - 1] / panel->x_unit;
    if (panel->is_x_logarithmic)
        fprintf(plot->script, "set logscale x\nset xrange [%.10g:%.10g]\nset xtics autofreq format '%%g'\n",
                begin / 1.15, end * 1.15);
    else {
        const double step = style_step(end - begin, 8), last = step * round(end / step);
        if (fabs(end - last) < 1e-4 * (end - begin)) // a year is no whole number of days
            end = last;
        fprintf(plot->script, "unset logscale x\nset xrange [%.10g:%.10g]\nset xtics %.10g\n", begin, end,
                step);
    }
    if (has_label)
        fprintf(plot->script, "set xlabel %s offset 0,0.3\n",
                style_quote(panel->x_name, 60, quoted, sizeof quoted));
    else
        fprintf(plot->script, "unset xlabel\n");
}

static enum status script_curve(struct plot *plot, const struct curve_panel *panel, int c, double unit,
                                const char *clause)
{
    float *values = malloc((panel->count + 1) * sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    for (size_t k = 0; k < panel->count; k++)
        values[k] = (float)(panel->curves[c].values[k] / unit);
    struct panel_points points = {0};
    const struct panels_series series = {panel->count, (double *)(uintptr_t)panel->x, values};
    enum status status = panels_thin_out(&series, panel->x[0], panel->x[panel->count - 1], panel->x_unit, 1,
                                         POINTS_MOST, &points);
    if (status == STATUS_OK)
        status = plot_xy(plot, c == 0 ? "plot " : ", ", points.xy, points.count, "with %s linecolor rgb '%s'",
                         clause, colours[c]);
    free(points.xy);
    free(values);
    return status;
}

static enum status script_curves(struct plot *plot, const struct curve_panel *panel, double unit)
{
    char marks[96];
    snprintf(marks, sizeof marks, "linespoints pointtype 7 pointsize %.2f linewidth 1", 0.9 * plot->scale);
    const char *const clauses[] = {[CURVE_LINE] = "lines linewidth 1.4",
                                   [CURVE_DASHED] = "lines dashtype (12,6) linewidth 1.4",
                                   [CURVE_BARS] = "boxes fillstyle solid 0.35 noborder",
                                   [CURVE_MARKS] = marks};
    for (int c = 0; c < panel->curve_count; c++)
        CHECK(script_curve(plot, panel, c, unit, clauses[panel->curves[c].style]));
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

static enum status script_panel(struct plot *plot, const struct curve_panel *panel, bool has_label)
{
    double low, high;
    if (!range_of(panel, &low, &high))
        return STATUS_OK;
    fprintf(plot->script, "unset label\n");
    script_x_axis(plot, panel, has_label);
    const double unit = script_value_axis(plot, panel, low, high);
    script_names(plot, panel, low, high);
    return script_curves(plot, panel, unit);
}

// Panels of one column that share an axis have its name once, at the bottom.
static bool has_label(const struct curve_panel *const *panels, size_t count, size_t columns, size_t k)
{
    return k + columns >= count || strcmp(panels[k]->x_name, panels[k + columns]->x_name) != 0;
}

static struct panels lay_out(const struct report *report, double scale,
                             const struct curve_panel *const *shown, size_t count)
{
    struct panels layout = panels_layout(report->options.width_px, scale, count, 300);
    layout.right = 100 * scale; // for the curves' names
    layout.gap_x = 180 * scale;
    layout.width = (report->options.width_px - layout.left - layout.right -
                    layout.gap_x * (double)(layout.columns - 1)) /
                   (double)layout.columns;
    for (size_t k = 0; k + layout.columns < count; k++)
        if (has_label(shown, count, layout.columns, k))
            layout.gap_y = 104 * scale;
    return layout;
}

// The panels shown, and their layout.
struct content {
    size_t count;
    const struct curve_panel *shown[PANELS_MAX];
    struct panels layout;
};

static enum status script_shown(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct content *c = content;
    (void)report;
    return script_panel(plot, c->shown[k], has_label(c->shown, c->count, c->layout.columns, k));
}

enum status curves_draw(struct report *report, const struct curves_picture *picture,
                        const struct curve_panel *panels, size_t count)
{
    struct content content = {0};
    for (size_t k = 0; k < count && content.count < PANELS_MAX; k++)
        if (panels[k].curve_count > 0 && panels[k].count > 1)
            content.shown[content.count++] = &panels[k];
    if (content.count == 0)
        return STATUS_OK;
    content.layout = lay_out(report, report_scale(report), content.shown, content.count);
    const struct panels_picture shown = {.section = picture->section,
                                         .file = picture->file,
                                         .title = picture->title,
                                         .caption = picture->caption,
                                         .layout = &content.layout,
                                         .count = content.count,
                                         .content = &content,
                                         .panel = script_shown};
    return panels_draw(report, &shown);
}
