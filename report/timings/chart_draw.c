// Draws a page of a chart (chart.h) by gnuplot: axes, marks and texts, at the places of chart_layout.c.
#include "report/timings/chart.h"

#include "report/panels.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 8, MARKS = 4, QUOTED_BYTES = 4 * CHART_TEXT_BYTES };
static const char *const colours[COLOURS] = {"#1f5f99", "#d9772b", "#1d7a45", "#b0123b",
                                             "#6f4fa3", "#7a5230", "#c2549f", "#444444"};
// gnuplot's numbers of filled marks and of the same hollow: circle, square, triangle, diamond.
static const int filled_marks[MARKS] = {7, 5, 9, 13}, hollow_marks[MARKS] = {6, 4, 8, 12};
static const char limit_colour[] = "#8a7a1f", mark_colour[] = "#777777", ideal_colour[] = "#888888",
                  text_colour[] = "#333333", grey[] = "#666666";
static const double letters_pt = 10.5, tics_pt = 11, axis_pt = 11.5;
// Of two series beside names, one stands above the middle of its row and one below; in parts of a row.
static const double apart = 0.22;

// ---- texts

enum align { LEFT, CENTRE, RIGHT };

// With its middle at x, y: pixels of a picture 1600 wide.
static void put_text(struct plot *plot, double x, double y, enum align align, double points, bool is_bold,
                     const char *colour, const char *text)
{
    static const char *const words[] = {"left", "center", "right"};
    char quoted[QUOTED_BYTES], font[64];
    fprintf(plot->script, "set label %s at screen %.6f,%.6f %s font '%s' textcolor rgb '%s'\n",
            style_quote(text, TEXT_LINE_BYTES, quoted, sizeof quoted), x * plot->scale / plot->width_px,
            1 - y * plot->scale / plot->height_px, words[align], plot_font(plot, points, is_bold, font),
            colour);
}

// Lines from `top` on; returns where the next one would begin.
static double put_lines(struct plot *plot, double x, double top, double points, bool is_bold,
                        const char *colour, const struct text_lines *lines)
{
    const double step = text_size_line_px(points);
    for (size_t k = 0; k < lines->count; k++, top += step)
        put_text(plot, x, top + step / 2, LEFT, points, is_bold, colour, lines->text[k]);
    return top;
}

// ---- axes

struct axis {
    double low, high;
    bool is_logarithmic;
};

static double place_on(const struct axis *axis, double value)
{
    return axis->is_logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                : (value - axis->low) / (axis->high - axis->low);
}

static void extend(struct axis *axis, double value)
{
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

static void extend_by(struct axis *axis, const struct chart_panel *panel, bool is_x)
{
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++) {
            const struct chart_point *point = &panel->series[s].points[k];
            extend(axis, is_x ? point->x : point->y);
            if (is_x && point->has_from)
                extend(axis, point->from);
        }
    for (size_t k = 0; k < panel->limit_count && !is_x; k++)
        extend(axis, panel->limits[k].at);
    for (size_t k = 0; k < panel->mark_count && is_x; k++)
        extend(axis, panel->marks[k].at);
}

// Of the values, with a margin: of this panel, and of those that share its axes. A group of lines has one
// axis x.
static struct axis axis_of(const struct chart *chart, const struct chart_panel *panel, bool is_x,
                           double margin)
{
    struct axis axis = {INFINITY, -INFINITY, is_x ? panel->is_x_logarithmic : panel->is_y_logarithmic};
    for (size_t p = 0; p < chart->panel_count; p++)
        if (&chart->panels[p] == panel || (panel->scale > 0 && chart->panels[p].scale == panel->scale) ||
            (is_x && panel->kind == CHART_LINES && chart->panels[p].group == panel->group))
            extend_by(&axis, &chart->panels[p], is_x);
    if (!(axis.high >= axis.low))
        return (struct axis){1, 10, axis.is_logarithmic};
    if (!axis.is_logarithmic) {
        axis.low = fmin(0, axis.low);
        axis.high = fmax(0, axis.high);
        const double space = margin * (axis.high > axis.low ? axis.high - axis.low : 1);
        return (struct axis){axis.low < 0 ? axis.low - space : 0, axis.high + space, false};
    }
    const double factor = axis.high > axis.low ? fmax(1.1, pow(axis.high / axis.low, margin)) : 2;
    return (struct axis){axis.low / factor, axis.high * factor, true};
}

// Ticks at powers of two, if at least two of them, or the number one alone, lie on the axis.
static void script_powers_of_two(struct plot *plot, const struct axis *axis)
{
    const char *lead = "set xtics (";
    const double low = pow(2, ceil(log2(axis->low)));
    if (low > 1 && 2 * low > axis->high)
        return;
    for (double at = low; at <= axis->high; at *= 2, lead = ", ")
        fprintf(plot->script, "%s'%.0f' %.0f", lead, at, at);
    fprintf(plot->script, ")\n");
}

static void script_axis(struct plot *plot, char name, const struct axis *axis)
{
    panels_value_axis(plot, name, axis->low, axis->high, axis->is_logarithmic, 6);
}

// The name of the axis x stands under the middle of the panel; that of y beside it, upright.
static void put_axis_name(struct plot *plot, const struct plot_box *box, const char *name)
{
    put_text(plot, box->left + box->width / 2, box->top + box->height + 46, CENTRE, axis_pt, false,
             text_colour, name);
}

static void script_y_name(struct plot *plot, const struct plot_box *box, const char *name)
{
    char quoted[QUOTED_BYTES], font[64];
    fprintf(plot->script,
            "set label %s at screen %.6f,%.6f center rotate by 90 font '%s' textcolor rgb '%s'\n",
            style_quote(name, TEXT_LINE_BYTES, quoted, sizeof quoted),
            (box->left - 82) * plot->scale / plot->width_px,
            1 - (box->top + box->height / 2) * plot->scale / plot->height_px,
            plot_font(plot, axis_pt, false, font), text_colour);
}

// ---- marks and limits: thin lines with letters outside of the frame

// Moves letters that would touch apart: places in pixels, in any order.
static void spread(double *places, size_t count, double least)
{
    for (size_t round = 0; round < count; round++)
        for (size_t k = 1; k < count; k++)
            for (size_t other = 0; other < k; other++)
                if (fabs(places[k] - places[other]) < least)
                    places[k] = places[other] + 1.001 * least;
}

enum { LETTERS_MAX = 26 };

static void script_marks(struct plot *plot, const struct chart_panel *panel, const struct chart_place *place,
                         const struct axis *x)
{
    double places[LETTERS_MAX];
    const size_t count = panel->mark_count < LETTERS_MAX ? panel->mark_count : LETTERS_MAX;
    for (size_t k = 0; k < count; k++) {
        places[k] = fmin(1, fmax(0, place_on(x, panel->marks[k].at))) * place->box.width;
        fprintf(plot->script,
                "set arrow from first %.10g,graph 0 to first %.10g,graph 1 nohead back dashtype (3,9) "
                "linewidth 1 linecolor rgb '%s'\n",
                panel->marks[k].at, panel->marks[k].at, mark_colour);
    }
    spread(places, count, 13);
    for (size_t k = 0; k < count; k++)
        put_text(plot, place->box.left + places[k], place->box.top - 10, CENTRE, letters_pt, true,
                 limit_colour, (char[]){(char)(place->letter + (char)k), '\0'});
}

static void script_limits(struct plot *plot, const struct chart_panel *panel, const struct chart_place *place,
                          const struct axis *y)
{
    double places[LETTERS_MAX];
    const size_t count = panel->limit_count < LETTERS_MAX ? panel->limit_count : LETTERS_MAX;
    for (size_t k = 0; k < count; k++) {
        places[k] = (1 - place_on(y, panel->limits[k].at)) * place->box.height;
        fprintf(plot->script,
                "set arrow from graph 0,first %.10g to graph 1,first %.10g nohead back dashtype (8,9) "
                "linewidth 1.2 "
                "linecolor rgb '%s'\n",
                panel->limits[k].at, panel->limits[k].at, limit_colour);
    }
    spread(places, count, 16);
    for (size_t k = 0; k < count; k++)
        put_text(plot, place->box.left + place->box.width + 10, place->box.top + places[k], CENTRE,
                 letters_pt, true, limit_colour,
                 (char[]){(char)(place->letter + (char)panel->mark_count + (char)k), '\0'});
}

// ---- series

static const char *colour_of(const struct chart_series *series)
{
    return series->style == CHART_IDEAL ? ideal_colour : colours[series->colour % COLOURS];
}

static int mark_of(const struct chart_series *series, bool is_open)
{
    return is_open ? hollow_marks[series->mark % MARKS] : filled_marks[series->mark % MARKS];
}

static const char *dashes_of(const struct chart_series *series)
{
    return series->style == CHART_SOLID ? "solid" : series->style == CHART_DASHED ? "(10,5)" : "(4,5)";
}

// Which points are plotted.
enum which { ALL_POINTS, HOLLOW, FILLED };

// Plots points as `format` says, if there are any; then *lead becomes ", ". Those of an interval's beginning,
// too.
static enum status plot_points(struct plot *plot, const struct chart_series *series, enum which which,
                               const char *format, const char **lead)
{
    float *xy = malloc((4 * series->count + 2) * sizeof *xy);
    size_t count = 0;
    if (!xy)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    for (size_t k = 0; k < series->count; k++) {
        const struct chart_point *point = &series->points[k];
        if (which != ALL_POINTS && point->is_open != (which == HOLLOW))
            continue;
        for (int end = point->has_from ? 0 : 1; end < 2; end++, count++) {
            xy[2 * count] = (float)(end == 1 ? point->x : point->from);
            xy[2 * count + 1] = (float)point->y;
        }
    }
    enum status status = STATUS_OK;
    if (count > 0) {
        status = plot_xy(plot, *lead, xy, count, "%s", format);
        *lead = ", ";
    }
    free(xy);
    return status;
}

static enum status script_line(struct plot *plot, const struct chart_series *series, const char **lead)
{
    char format[128];
    snprintf(format, sizeof format, "with lines dashtype %s linewidth 1.4 linecolor rgb '%s'",
             dashes_of(series), colour_of(series));
    return plot_points(plot, series, ALL_POINTS, format, lead);
}

static enum status script_points(struct plot *plot, const struct chart_series *series, const char **lead)
{
    for (enum which which = HOLLOW; which <= FILLED; which++) {
        char format[128];
        snprintf(format, sizeof format, "with points pointtype %d pointsize %.2f linecolor rgb '%s'",
                 mark_of(series, which == HOLLOW), (series->style == CHART_ALONE ? 1.4 : 0.9) * plot->scale,
                 colour_of(series));
        CHECK(plot_points(plot, series, which, format, lead));
    }
    return STATUS_OK;
}

static void end_plot(struct plot *plot, const char *lead)
{
    fprintf(plot->script, lead[0] == 'p' ? "plot NaN notitle\n" : "\n");
}

static enum status script_lines(struct plot *plot, const struct chart *chart, const struct chart_panel *panel,
                                const struct chart_place *place)
{
    const struct axis x = axis_of(chart, panel, true, 0.04), y = axis_of(chart, panel, false, 0.06);
    const char *lead = "plot ";
    script_axis(plot, 'x', &x);
    if (panel->has_whole_x)
        script_powers_of_two(plot, &x);
    script_axis(plot, 'y', &y);
    script_limits(plot, panel, place, &y);
    script_marks(plot, panel, place, &x);
    script_y_name(plot, &place->box, panel->y_name);
    for (size_t s = 0; s < panel->series_count; s++) {
        const struct chart_series *series = &panel->series[s];
        if (series->style != CHART_ALONE && series->count > 1)
            CHECK(script_line(plot, series, &lead));
        if (series->style != CHART_IDEAL)
            CHECK(script_points(plot, series, &lead));
    }
    end_plot(plot, lead);
    return STATUS_OK;
}

// ---- names

// The names stand at the left of the panel, each at its row.
static void script_names(struct plot *plot, const struct chart_panel *panel, const struct plot_box *box)
{
    const double row = box->height / fmax(2, (double)panel->name_count);
    fprintf(plot->script, "unset logscale y\nset yrange [%.1f:-0.5]\nset ytics ('' 0",
            fmax(2, (double)panel->name_count) - 0.5);
    for (size_t k = 1; k < panel->name_count; k++)
        fprintf(plot->script, ", '' %zu", k);
    fprintf(plot->script, ")\n");
    for (size_t k = 0; k < panel->name_count; k++) {
        const struct text_lines lines = chart_name_lines(panel->names[k]);
        const double step = text_size_line_px(chart_name_pt);
        double y = box->top + ((double)k + 0.5) * row - ((double)lines.count - 1) / 2 * step;
        for (size_t line = 0; line < lines.count; line++, y += step)
            put_text(plot, box->left - 10, y, RIGHT, chart_name_pt, false, text_colour, lines.text[line]);
    }
}

// Of two series one is above the middle of the row and one below.
static double shift_of(const struct chart_panel *panel, size_t s)
{
    return panel->series_count < 2 ? 0 : s == 0 ? -apart : apart;
}

// The end of the axis at which the text beside each mark has space in the frame.
static void leave_space(struct axis *x, const struct chart_panel *panel, double width)
{
    double end = 1;
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++) {
            const struct chart_point *point = &panel->series[s].points[k];
            const double text = text_size_px(point->text, chart_value_pt, false) + 20,
                         free = fmax(0.2, 1 - text / width);
            end = fmax(end, place_on(x, point->x) / free);
        }
    x->high = x->is_logarithmic ? x->low * pow(x->high / x->low, end) : x->low + end * (x->high - x->low);
}

// The values beside the marks.
static void put_values(struct plot *plot, const struct chart_panel *panel, const struct plot_box *box,
                       const struct axis *x)
{
    const double row = box->height / fmax(2, (double)panel->name_count);
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++) {
            const struct chart_point *point = &panel->series[s].points[k];
            put_text(plot, box->left + place_on(x, point->x) * box->width + 10,
                     box->top + (point->y + shift_of(panel, s) + 0.5) * row, LEFT, chart_value_pt, false,
                     colour_of(&panel->series[s]), point->text);
        }
}

static void script_bars(struct plot *plot, const struct chart_series *series)
{
    for (size_t k = 0; k < series->count; k++)
        fprintf(plot->script,
                "set object rectangle from first 0,first %.1f to first %.10g,first %.1f fillcolor rgb '%s' "
                "fillstyle solid 0.75 noborder\n",
                series->points[k].y - 0.3, series->points[k].x, series->points[k].y + 0.3, colour_of(series));
}

// A line between the ends of each interval.
static void script_intervals(struct plot *plot, const struct chart_series *series, double shift)
{
    for (size_t k = 0; k < series->count; k++)
        if (series->points[k].has_from)
            fprintf(plot->script,
                    "set arrow from first %.10g,first %.4g to first %.10g,first %.4g nohead linewidth 1.6 "
                    "linecolor rgb '%s'\n",
                    series->points[k].from, series->points[k].y + shift, series->points[k].x,
                    series->points[k].y + shift, colour_of(series));
}

// With its points above or below the middle of the rows.
static enum status script_shifted(struct plot *plot, const struct chart_series *series, double shift,
                                  const char **lead)
{
    struct chart_series shifted = *series;
    shifted.points = malloc((series->count + 1) * sizeof *shifted.points);
    if (!shifted.points)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    for (size_t k = 0; k < series->count; k++) {
        shifted.points[k] = series->points[k];
        shifted.points[k].y += shift;
    }
    const enum status status = script_points(plot, &shifted, lead);
    free(shifted.points);
    return status;
}

static enum status script_beside_names(struct plot *plot, const struct chart *chart,
                                       const struct chart_panel *panel, const struct plot_box *box)
{
    struct axis x = axis_of(chart, panel, true, 0.06);
    const char *lead = "plot ";
    leave_space(&x, panel, box->width);
    script_axis(plot, 'x', &x);
    script_names(plot, panel, box);
    put_values(plot, panel, box, &x);
    for (size_t s = 0; s < panel->series_count; s++) {
        const struct chart_series *series = &panel->series[s];
        script_intervals(plot, series, shift_of(panel, s));
        if (panel->kind == CHART_BARS)
            script_bars(plot, series);
        else
            CHECK(script_shifted(plot, series, shift_of(panel, s), &lead));
    }
    end_plot(plot, lead);
    return STATUS_OK;
}

// The best is white, five times as much and more is dark.
static void script_cells(struct plot *plot, const struct chart_panel *panel, const struct plot_box *box)
{
    char quoted[QUOTED_BYTES];
    const double row = box->height / fmax(2, (double)panel->name_count),
                 column = box->width / fmax(2, (double)panel->column_count);
    script_names(plot, panel, box);
    fprintf(plot->script, "unset logscale x\nset xrange [-0.5:%.1f]\nset xtics (",
            fmax(2, (double)panel->column_count) - 0.5);
    for (size_t k = 0; k < panel->column_count; k++)
        fprintf(plot->script, "%s%s %zu", k > 0 ? ", " : "",
                style_quote(panel->columns[k], 40, quoted, sizeof quoted), k);
    fprintf(plot->script, ")\n");
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
            put_text(plot, box->left + (point->x + 0.5) * column, box->top + (point->y + 0.5) * row, CENTRE,
                     chart_value_pt, false, colour > STYLE_COLOURS / 2 ? "#ffffff" : "#1b1b1b", point->text);
        }
    fprintf(plot->script, "plot NaN notitle\n");
}

// ---- the whole

static enum status script_panel(struct plot *plot, const struct chart *chart, const struct chart_panel *panel,
                                const struct chart_place *place)
{
    const struct plot_box *box = &place->box;
    const double scale = plot->scale;
    plot_box(plot, &(struct plot_box){box->left * scale, box->top * scale, box->width * scale,
                                      box->height * scale});
    fprintf(plot->script, "unset label\nunset arrow\nunset object\n");
    const double top =
        put_lines(plot, place->left, place->top, chart_title_pt, true, "#1b1b1b", &place->title);
    put_lines(plot, place->left, top, chart_aside_pt, false, grey, &place->aside);
    put_axis_name(plot, box, panel->x_name);
    if (panel->kind == CHART_LINES)
        return script_lines(plot, chart, panel, place);
    if (panel->kind != CHART_CELLS)
        return script_beside_names(plot, chart, panel, box);
    script_cells(plot, panel, box);
    return STATUS_OK;
}

static void script_entry_mark(struct plot *plot, const struct chart_entry *entry, bool has_lines,
                              double middle)
{
    const struct chart_series *series = entry->series;
    const double y = 1 - middle * plot->scale / plot->height_px,
                 left = entry->left * plot->scale / plot->width_px,
                 end = (entry->left + 34) * plot->scale / plot->width_px;
    if (has_lines && series->style != CHART_ALONE)
        fprintf(plot->script,
                "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead dashtype %s linewidth 1.4 "
                "linecolor rgb '%s'\n",
                left, y, end, y, dashes_of(series), colour_of(series));
    if (series->style != CHART_IDEAL)
        fprintf(plot->script,
                "set label '' at screen %.6f,%.6f point pointtype %d pointsize %.2f linecolor rgb '%s'\n",
                (left + end) / 2, y, mark_of(series, false), 1.1 * plot->scale, colour_of(series));
}

static void script_key(struct plot *plot, const struct chart_key *key)
{
    for (size_t k = 0; k < key->count; k++) {
        const struct chart_entry *entry = &key->entries[k];
        const bool is_note = entry->series && entry->series->style == CHART_NOTE;
        const double middle = entry->top + text_size_line_px(chart_key_pt) / 2;
        if (entry->line)
            put_text(plot, entry->left + 17, middle, CENTRE, letters_pt, true, limit_colour,
                     (char[]){entry->letter, '\0'});
        else if (!is_note)
            script_entry_mark(plot, entry, key->kind == CHART_LINES, middle);
        put_lines(plot, entry->left + (is_note ? 0 : 44), entry->top, chart_key_pt, false,
                  is_note ? grey : text_colour, &entry->text);
    }
}

static void script_heading(struct plot *plot, const struct chart *chart, const struct chart_layout *layout,
                           size_t page)
{
    double top = put_lines(plot, 40, 12, chart_heading_pt, true, "#1b1b1b", &layout->headings[page]);
    for (size_t k = 0; k < chart->line_count; k++)
        top = put_lines(plot, 40, top, chart_line_pt, false, grey, &layout->lines[k]);
}

static enum status script_page(struct plot *plot, const struct chart *chart,
                               const struct chart_layout *layout, size_t page)
{
    char font[64];
    fprintf(plot->script,
            "set multiplot\nset grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\nunset "
            "key\nset tics font '%s'\n",
            plot_font(plot, tics_pt, false, font));
    for (size_t k = 0; k < chart->panel_count; k++)
        if (layout->places[k].page == page)
            CHECK(script_panel(plot, chart, &chart->panels[k], &layout->places[k]));
    fprintf(plot->script, "unset label\nunset arrow\nunset object\nunset border\nunset tics\nunset "
                          "grid\nunset logscale\nset xrange "
                          "[0:1]\nset yrange [0:1]\n");
    script_heading(plot, chart, layout, page);
    for (size_t k = 0; k < layout->key_count; k++)
        if (layout->keys[k].page == page)
            script_key(plot, &layout->keys[k]);
    fprintf(plot->script, "plot NaN notitle\n");
    return STATUS_OK;
}

enum status chart_draw(const struct chart *chart, const struct chart_layout *layout, size_t page,
                       const char *folder, const char *name, int width_px)
{
    struct plot plot;
    enum status status = plot_start(&plot, folder, name, width_px, chart_height_px(layout, page, width_px),
                                    (double)width_px / CHART_WIDTH);
    if (status == STATUS_OK)
        status = script_page(&plot, chart, layout, page);
    return plot_finish(&plot, status);
}
