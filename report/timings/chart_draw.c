// Draws a chart (chart.h) by gnuplot: where its panels and keys lie, axes, marks and texts.
#include "report/timings/chart.h"

#include "report/panels.h"
#include "report/plot.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 8, MARKERS = 4, QUOTED_BYTES = 4 * CHART_TEXT_BYTES };
static const char *const colours[COLOURS] = {"#1f5f99", "#d9772b", "#1d7a45", "#b0123b",
                                             "#6f4fa3", "#7a5230", "#c2549f", "#444444"};
// gnuplot's numbers of filled marks and of the same hollow: circle, square, triangle, diamond.
static const int filled_marks[MARKERS] = {7, 5, 9, 13}, hollow_marks[MARKERS] = {6, 4, 8, 12};
static const char limit_colour[] = "#8a7a1f", mark_colour[] = "#777777", ideal_colour[] = "#888888";

// In pixels of a picture 1600 wide.
static const double left_px = 112, top_px = 132, gap_x_px = 140, gap_y_px = 104, bottom_px = 76, key_px = 400,
                    panel_px = 340, name_px = 30, line_px = 23, letter_px = 8.9, names_most_px = 470;

// ---- layout

static bool is_wide(const struct chart_panel *panel)
{
    return panel->kind == CHART_POINTS || panel->kind == CHART_BARS;
}

static double panel_height(const struct chart_panel *panel)
{
    return panel->kind == CHART_LINES ? panel_px : fmax(4, (double)panel->name_count) * name_px;
}

// The space for the names of a panel, beside that for the numbers of an axis.
static double names_width(const struct chart_panel *panel)
{
    size_t most = 0;
    for (size_t k = 0; k < panel->name_count; k++)
        most = strlen(panel->names[k]) > most ? strlen(panel->names[k]) : most;
    return fmax(0, fmin(names_most_px, letter_px * (double)most) - 0.55 * left_px);
}

static bool has_key(const struct chart_panel *panel)
{
    return panel->series_count > 1 || (panel->kind == CHART_LINES && panel->series_count == 1);
}

static double key_height(const struct chart_panel *panel)
{
    return has_key(panel) ? line_px * ((double)panel->series_count + 1) : 0;
}

// Places the panels, at a scale of 1; returns the height of the picture. `boxes` may be NULL.
static double lay_out(const struct chart *chart, struct plot_box *boxes)
{
    const double all_px = 1600 - left_px - key_px, half_px = (all_px - gap_x_px) / 2;
    double top = top_px, group_top = top_px, group_key = 0;
    for (size_t k = 0; k < chart->panel_count;) {
        const struct chart_panel *panel = &chart->panels[k], *next = panel + 1;
        if (k == 0 || panel->group != panel[-1].group) {
            top = fmax(top, group_top + group_key);
            group_top = top;
            group_key = key_height(panel) + gap_y_px;
        }
        const bool has_two =
            k + 1 < chart->panel_count && next->group == panel->group && !is_wide(panel) && !is_wide(next);
        const double height = has_two ? fmax(panel_height(panel), panel_height(next)) : panel_height(panel),
                     names = is_wide(panel) ? names_width(panel) : 0;
        if (boxes)
            boxes[k] =
                (struct plot_box){left_px + names, top, is_wide(panel) ? all_px - names : half_px, height};
        if (boxes && has_two)
            boxes[k + 1] = (struct plot_box){left_px + half_px + gap_x_px, top, half_px, height};
        top += height + gap_y_px;
        k += has_two ? 2 : 1;
    }
    return fmax(top, group_top + group_key) - gap_y_px + bottom_px;
}

int chart_height(const struct chart *chart, int width_px)
{
    return (int)ceil(lay_out(chart, NULL) * width_px / 1600.);
}

// ---- axes

// "0.02", "5000", "2·10⁶".
static void format_number(double value, char *text, size_t bytes)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = value > 0 ? (int)floor(log10(value) + 1e-9) : 0, size = abs(power);
    const double mantissa = value / pow(10, power);
    char factor[32] = "";
    if (power >= -3 && power <= 4) {
        snprintf(text, bytes, "%.6g", value);
        return;
    }
    if (fabs(mantissa - 1) > 1e-9)
        snprintf(factor, sizeof factor, "%.3g·", mantissa);
    snprintf(text, bytes, "%s10%s%s%s", factor, power < 0 ? "⁻" : "",
             size >= 10 ? digits[size / 10 % 10] : "", digits[size % 10]);
}

static void script_tick(struct plot *plot, double at, bool *is_first)
{
    char text[48], quoted[QUOTED_BYTES];
    format_number(at, text, sizeof text);
    fprintf(plot->script, "%s%s %.10g", *is_first ? "" : ", ", style_quote(text, 40, quoted, sizeof quoted),
            at);
    *is_first = false;
}

// Ticks at round numbers; the more decades, the fewer in each.
static void script_log_ticks(struct plot *plot, char axis, double low, double high)
{
    static const double fine[] = {1, 1.5, 2, 3, 4, 5, 7, 0}, usual[] = {1, 2, 5, 0}, coarse[] = {1, 0};
    const double decades = log10(high / low);
    const double *factors = decades < 0.9 ? fine : decades < 3 ? usual : coarse;
    const int stride = (int)fmax(1, ceil(decades / 8));
    bool is_first = true;
    fprintf(plot->script, "set %ctics (", axis);
    for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++)
        for (const double *factor = factors; *factor > 0 && power % stride == 0; factor++) {
            const double at = *factor * pow(10, power);
            if (at >= low && at <= high)
                script_tick(plot, at, &is_first);
        }
    fprintf(plot->script, ")\n");
}

// `least`: of the steps between ticks on a linear axis.
static void script_axis(struct plot *plot, char axis, double low, double high, bool is_logarithmic,
                        double least)
{
    if (!is_logarithmic) {
        const double begin = fmin(0, low), end = fmax(0, high);
        fprintf(plot->script, "unset logscale %c\nset %crange [%.10g:%.10g]\nset %ctics %.10g format '%%g'\n",
                axis, axis, begin, end, axis, fmax(least, style_step(end - begin, 6)));
        return;
    }
    fprintf(plot->script, "set logscale %c\nset %crange [%.10g:%.10g]\n", axis, axis, low, high);
    script_log_ticks(plot, axis, low, high);
}

static void script_axis_name(struct plot *plot, char axis, const char *name)
{
    char quoted[QUOTED_BYTES], font[64];
    fprintf(plot->script, "set %clabel %s offset %s font '%s'\n", axis,
            style_quote(name, 80, quoted, sizeof quoted), axis == 'x' ? "0,0.3" : "0.8,0",
            plot_font(plot, 12, false, font));
}

struct range {
    double low, high;
};

static void extend(struct range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

// The range of an axis: of its values, with a margin.
static struct range range_of(const struct chart_panel *panel, bool is_x, bool is_logarithmic, double margin)
{
    struct range range = {INFINITY, -INFINITY};
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++)
            extend(&range, is_x ? panel->series[s].points[k].x : panel->series[s].points[k].y);
    for (size_t k = 0; k < panel->limit_count && !is_x; k++)
        extend(&range, panel->limits[k].at);
    if (!(range.high >= range.low))
        return (struct range){1, 10};
    if (!is_logarithmic) {
        const double space = margin * (fmax(0, range.high) - fmin(0, range.low));
        return (struct range){range.low < 0 ? range.low - space : 0, range.high + space};
    }
    const double factor = fmax(1.25, pow(range.high / range.low, margin));
    return (struct range){range.low / factor, range.high * factor};
}

// ---- marks

static void script_limits(struct plot *plot, const struct chart_panel *panel)
{
    char quoted[QUOTED_BYTES], font[64];
    plot_font(plot, 11, false, font);
    for (size_t k = 0; k < panel->limit_count; k++) {
        const struct chart_line *line = &panel->limits[k];
        fprintf(
            plot->script,
            "set arrow from graph 0,first %.10g to graph 1,first %.10g nohead back dashtype (3,4) linewidth "
            "1.2 linecolor rgb '%s'\n",
            line->at, line->at, limit_colour);
        fprintf(plot->script,
                "set label %s at graph 0.02,first %.10g left offset character 0,%s front font '%s' textcolor "
                "rgb '%s'\n",
                style_quote(line->name, 60, quoted, sizeof quoted), line->at, k % 2 == 0 ? "0.55" : "-0.6",
                font, limit_colour);
    }
}

static void script_marks(struct plot *plot, const struct chart_panel *panel)
{
    char quoted[QUOTED_BYTES], font[64];
    plot_font(plot, 9.5, false, font);
    for (size_t k = 0; k < panel->mark_count; k++) {
        const struct chart_line *line = &panel->marks[k];
        fprintf(plot->script,
                "set arrow from first %.10g,graph 0 to first %.10g,graph 1 nohead back dashtype (2,4) "
                "linewidth 1 "
                "linecolor rgb '%s'\n",
                line->at, line->at, mark_colour);
        fprintf(
            plot->script,
            "set label %s at first %.10g,graph %s rotate by 90 %s offset character -0.5,0 front font '%s' "
            "textcolor rgb '%s'\n",
            style_quote(line->name, 50, quoted, sizeof quoted), line->at, k % 2 == 0 ? "0.98" : "0.02",
            k % 2 == 0 ? "right" : "left", font, mark_colour);
    }
}

// ---- series

static const char *colour_of(const struct chart_series *series)
{
    return series->style == CHART_IDEAL ? ideal_colour : colours[series->colour % COLOURS];
}

static int mark_of(const struct chart_series *series, bool is_open)
{
    const int number = series->colour / COLOURS % MARKERS;
    return is_open ? hollow_marks[number] : filled_marks[number];
}

static const char *dashes_of(const struct chart_series *series)
{
    return series->style == CHART_SOLID ? "solid" : series->style == CHART_DASHED ? "(10,5)" : "(4,5)";
}

// Stores the points of one kind: all, the hollow or the filled ones. *count: how many there are.
enum which { ALL_POINTS, HOLLOW, FILLED };
static enum status store(struct plot *plot, const struct chart_series *series, enum which which,
                         size_t *count, char file[PLOT_FILE_BYTES])
{
    double *pairs = malloc((2 * series->count + 2) * sizeof *pairs);
    if (!pairs)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    *count = 0;
    for (size_t k = 0; k < series->count; k++) {
        const struct chart_point *point = &series->points[k];
        if (which != ALL_POINTS && point->is_open != (which == HOLLOW))
            continue;
        pairs[2 * *count] = point->x;
        pairs[2 * *count + 1] = point->y;
        ++*count;
    }
    const enum status status =
        *count > 0 ? plot_data(plot, pairs, 2 * *count * sizeof *pairs, file) : STATUS_OK;
    free(pairs);
    return status;
}

static const char binary_clause[] = "binary format='%double%double' using 1:2";

static enum status script_line(struct plot *plot, const struct chart_series *series, const char *lead)
{
    char file[PLOT_FILE_BYTES], quoted[QUOTED_BYTES];
    size_t count;
    CHECK(store(plot, series, ALL_POINTS, &count, file));
    fprintf(plot->script, "%s'%s' %s with lines dashtype %s linewidth 1.4 linecolor rgb '%s' title %s", lead,
            file, binary_clause, dashes_of(series), colour_of(series),
            style_quote(series->name, 100, quoted, sizeof quoted));
    return STATUS_OK;
}

static enum status script_points(struct plot *plot, const struct chart_series *series, bool is_titled,
                                 const char *lead)
{
    char file[PLOT_FILE_BYTES], quoted[QUOTED_BYTES];
    for (enum which which = HOLLOW; which <= FILLED; which++) {
        size_t count;
        CHECK(store(plot, series, which, &count, file));
        if (count == 0)
            continue;
        fprintf(plot->script, "%s'%s' %s with points pointtype %d pointsize %.2f linecolor rgb '%s' %s%s",
                lead, file, binary_clause, mark_of(series, which == HOLLOW),
                (series->style == CHART_ALONE ? 1.5 : 0.9) * plot->scale, colour_of(series),
                is_titled ? "title " : "notitle",
                is_titled ? style_quote(series->name, 100, quoted, sizeof quoted) : "");
        lead = ", ";
        is_titled = false;
    }
    return STATUS_OK;
}

static enum status script_lines(struct plot *plot, const struct chart_panel *panel)
{
    const struct range x = range_of(panel, true, panel->is_x_logarithmic, 0.04),
                       y = range_of(panel, false, panel->is_y_logarithmic, 0.06);
    const char *lead = "plot ";
    script_axis(plot, 'x', x.low, x.high, panel->is_x_logarithmic, panel->x_step_least);
    script_axis(plot, 'y', y.low, y.high, panel->is_y_logarithmic, 0);
    script_axis_name(plot, 'y', panel->y_name);
    script_limits(plot, panel);
    script_marks(plot, panel);
    for (size_t s = 0; s < panel->series_count; s++) {
        const struct chart_series *series = &panel->series[s];
        const bool has_line = series->style != CHART_ALONE;
        if (series->count == 0)
            continue;
        if (has_line)
            CHECK(script_line(plot, series, lead));
        if (series->style != CHART_IDEAL)
            CHECK(script_points(plot, series, !has_line, has_line ? ", " : lead));
        lead = ", ";
    }
    fprintf(plot->script, lead[0] == 'p' ? "plot NaN notitle\n" : "\n");
    return STATUS_OK;
}

// ---- names

static void script_names(struct plot *plot, char axis, char (*names)[CHART_TEXT_BYTES], size_t count)
{
    char quoted[QUOTED_BYTES];
    const double end = (double)count - 0.5, start = -0.5;
    fprintf(plot->script, "unset logscale %c\nset %crange [%.1f:%.1f]\nset %ctics (", axis, axis,
            axis == 'x' ? start : end, axis == 'x' ? end : start, axis);
    for (size_t k = 0; k < count; k++)
        fprintf(plot->script, "%s%s %zu", k > 0 ? ", " : "",
                style_quote(names[k], (size_t)(names_most_px / letter_px), quoted, sizeof quoted), k);
    fprintf(plot->script, ")\n");
}

// The values beside the marks; of two series one above and one below.
static void script_texts(struct plot *plot, const struct chart_panel *panel)
{
    char quoted[QUOTED_BYTES], font[64];
    plot_font(plot, 11, false, font);
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++) {
            const struct chart_point *point = &panel->series[s].points[k];
            fprintf(plot->script,
                    "set label %s at first %.10g,first %.10g left offset character 0.9,%s front font '%s' "
                    "textcolor rgb '%s'\n",
                    style_quote(point->text, 40, quoted, sizeof quoted), point->x, point->y,
                    panel->series_count == 1 ? "0"
                    : s == 0                 ? "0.42"
                                             : "-0.42",
                    font, colour_of(&panel->series[s]));
        }
}

static enum status script_bars(struct plot *plot, const struct chart_series *series, const char *lead)
{
    char file[PLOT_FILE_BYTES], quoted[QUOTED_BYTES];
    size_t count;
    CHECK(store(plot, series, ALL_POINTS, &count, file));
    if (count > 0)
        fprintf(plot->script,
                "%s'%s' binary format='%%double%%double' using 1:2:(0):1:($2-0.3):($2+0.3) with boxxyerror "
                "fillstyle solid 0.75 noborder linecolor rgb '%s' title %s",
                lead, file, colour_of(series), style_quote(series->name, 100, quoted, sizeof quoted));
    return STATUS_OK;
}

static enum status script_beside_names(struct plot *plot, const struct chart_panel *panel)
{
    const struct range x = range_of(panel, true, panel->is_x_logarithmic, 0.2);
    const char *lead = "plot ";
    script_axis(plot, 'x', x.low, x.high, panel->is_x_logarithmic, 0);
    script_names(plot, 'y', panel->names, panel->name_count);
    fprintf(plot->script, "unset ylabel\n");
    script_texts(plot, panel);
    for (size_t s = 0; s < panel->series_count; s++) {
        if (panel->series[s].count == 0)
            continue;
        CHECK(panel->kind == CHART_BARS ? script_bars(plot, &panel->series[s], lead)
                                        : script_points(plot, &panel->series[s], true, lead));
        lead = ", ";
    }
    fprintf(plot->script, lead[0] == 'p' ? "plot NaN notitle\n" : "\n");
    return STATUS_OK;
}

// The best is white, five times as much and more is dark.
static void script_cells(struct plot *plot, const struct chart_panel *panel)
{
    char quoted[QUOTED_BYTES], font[64];
    plot_font(plot, 10, false, font);
    script_names(plot, 'x', panel->columns, panel->column_count);
    script_names(plot, 'y', panel->names, panel->name_count);
    script_axis_name(plot, 'y', panel->y_name);
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++) {
            const struct chart_point *point = &panel->series[s].points[k];
            const double share = fmin(1, log(fmax(1, point->value)) / log(5));
            const size_t colour = (size_t)(share * (STYLE_COLOURS - 4));
            fprintf(
                plot->script,
                "set object rectangle from first %.1f,first %.1f to first %.1f,first %.1f back fillcolor rgb "
                "'%s' fillstyle solid noborder\n",
                point->x - 0.5, point->y - 0.5, point->x + 0.5, point->y + 0.5, style_sequential[colour]);
            fprintf(plot->script,
                    "set label %s at first %.10g,first %.10g center front font '%s' textcolor rgb '%s'\n",
                    style_quote(point->text, 40, quoted, sizeof quoted), point->x, point->y, font,
                    colour > STYLE_COLOURS / 2 ? "#ffffff" : "#1b1b1b");
        }
    fprintf(plot->script, "plot NaN notitle\n");
}

// ---- the whole

// At the left over the panel; an aside in grey at its right. `width`: of the panel at a scale of 1, pixels.
static void script_title(struct plot *plot, const struct chart_panel *panel, double width)
{
    char quoted[QUOTED_BYTES], font[64];
    const double aside = 8 * (double)fmin(60, (double)strlen(panel->aside));
    fprintf(plot->script, "set label %s at graph 0,1 offset character 0,0.75 left font '%s'\n",
            style_quote(panel->title, (size_t)fmax(16, (width - aside) / 9.2), quoted, sizeof quoted),
            plot_font(plot, 13, true, font));
    fprintf(plot->script, "set label %s at graph 1,1 offset character 0,0.75 right font '%s' %s\n",
            style_quote(panel->aside, 60, quoted, sizeof quoted), plot_font(plot, 11.5, false, font),
            panels_grey);
}

static enum status script_panel(struct plot *plot, const struct chart_panel *panel, double width)
{
    fprintf(plot->script, "unset label\nunset arrow\nunset object\n");
    script_title(plot, panel, width);
    script_axis_name(plot, 'x', panel->x_name);
    if (panel->kind == CHART_LINES)
        return script_lines(plot, panel);
    if (panel->kind != CHART_CELLS)
        return script_beside_names(plot, panel);
    script_cells(plot, panel);
    return STATUS_OK;
}

// The key of a group, at the right of its first panel. `top`: in pixels.
static void script_key(struct plot *plot, const struct chart_panel *panel, double top)
{
    char quoted[QUOTED_BYTES], font[64];
    const double x = plot->width_px - (key_px - 20) * plot->scale;
    plot_font(plot, 12, false, font);
    for (size_t s = 0; has_key(panel) && s < panel->series_count; s++) {
        const struct chart_series *series = &panel->series[s];
        const double y = 1 - (top + (double)s * line_px * plot->scale) / plot->height_px,
                     middle = (x + 17 * plot->scale) / plot->width_px, from = x / plot->width_px,
                     to = (x + 34 * plot->scale) / plot->width_px;
        const bool has_line = panel->kind == CHART_LINES && series->style != CHART_ALONE && series->count > 0;
        if (has_line)
            fprintf(plot->script,
                    "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead dashtype %s linewidth 1.4 "
                    "linecolor rgb '%s'\n",
                    from, y, to, y, dashes_of(series), colour_of(series));
        if (series->style != CHART_IDEAL)
            fprintf(plot->script,
                    "set label '' at screen %.6f,%.6f point pointtype %d pointsize %.2f linecolor rgb '%s'\n",
                    middle, y, mark_of(series, false), 1.1 * plot->scale, colour_of(series));
        fprintf(plot->script, "set label %s at screen %.6f,%.6f left font '%s' textcolor rgb '#333333'\n",
                style_quote(series->name, (size_t)((key_px - 66) / 9), quoted, sizeof quoted),
                to + 8 * plot->scale / plot->width_px, y, font);
    }
}

static enum status script_chart(struct plot *plot, const struct chart *chart, const struct plot_box *boxes)
{
    char font[64];
    const double scale = plot->scale;
    fprintf(plot->script,
            "set multiplot\nset grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\nunset "
            "key\nset tics font '%s'\n",
            plot_font(plot, 12, false, font));
    for (size_t k = 0; k < chart->panel_count; k++) {
        plot_box(plot, &(struct plot_box){boxes[k].left * scale, boxes[k].top * scale, boxes[k].width * scale,
                                          boxes[k].height * scale});
        CHECK(script_panel(plot, &chart->panels[k], boxes[k].width));
    }
    fprintf(plot->script,
            "unset label\nunset arrow\nunset object\nunset border\nunset tics\nunset xlabel\nunset "
            "ylabel\nunset grid\nunset logscale\nset xrange [0:1]\nset yrange [0:1]\n");
    for (size_t k = 0; k < chart->panel_count; k++)
        if (k == 0 || chart->panels[k].group != chart->panels[k - 1].group)
            script_key(plot, &chart->panels[k], (boxes[k].top + 8) * scale);
    plot_heading(plot, chart->title, chart->second, left_px * scale, plot->width_px - left_px * scale);
    fprintf(plot->script, "plot NaN notitle\n");
    return STATUS_OK;
}

enum status chart_draw(const struct chart *chart, const char *folder, const char *name, int width_px)
{
    struct plot plot;
    struct plot_box *boxes = calloc(chart->panel_count + 1, sizeof *boxes);
    if (!boxes)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    lay_out(chart, boxes);
    enum status status =
        plot_start(&plot, folder, name, width_px, chart_height(chart, width_px), width_px / 1600.);
    if (status == STATUS_OK)
        status = script_chart(&plot, chart, boxes);
    free(boxes);
    return plot_finish(&plot, status);
}
