// See points.h.
#include "report/points.h"

#include "report/panels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS_MAX = 12, MARGIN_PX = 236, PANEL_PX = 330 };

struct range {
    double low, high;
};

static enum status no_memory(void)
{
    return FAIL(STATUS_SYSTEM, "report: not enough memory for the points of a picture");
}

enum status points_add(struct points_panel *panel, enum points_style style, const char *colour, size_t count,
                       struct point_set **set)
{
    double *values = panel->set_count < POINTS_SETS_MAX ? calloc(3 * count + 1, sizeof *values) : NULL;
    if (!values)
        return no_memory();
    *set = &panel->sets[panel->set_count++];
    **set = (struct point_set){style, colour, count, values, values + count, values + 2 * count};
    return STATUS_OK;
}

enum status points_outline(struct point_set *set)
{
    size_t first = 0, end = set->count, count = 0;
    const double half = set->count > 1 ? 0.5 * (set->x[1] - set->x[0]) : 0;
    while (first < end && !(set->y[first] > 0))
        first++;
    while (end > first && !(set->y[end - 1] > 0))
        end--;
    const size_t most = 2 * (end - first) + 2;
    double *values = calloc(3 * most, sizeof *values);
    if (!values)
        return no_memory();
    double *const x = values, *const y = values + most;
    for (size_t k = first; k < end; k++) {
        if (k == first)
            x[count++] = set->x[k] - half; // up from the axis
        x[count] = set->x[k] - half;
        y[count++] = set->y[k];
        x[count] = set->x[k] + half;
        y[count++] = set->y[k];
    }
    if (count > 0) {
        x[count] = x[count - 1];
        y[count++] = 0;
    }
    free(set->x);
    *set = (struct point_set){set->style, set->colour, count, x, y, values + 2 * most};
    return STATUS_OK;
}

void points_free(struct points_panel *panels, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        for (int s = 0; s < panels[k].set_count; s++)
            free(panels[k].sets[s].x); // the first of the three
        panels[k].set_count = 0;
    }
}

void points_name(struct points_picture *picture, enum points_style style, const char *colour,
                 const char *format, ...)
{
    if (picture->legend_count == POINTS_LEGEND_MAX)
        return;
    struct points_legend *entry = &picture->legend[picture->legend_count++];
    entry->style = style;
    entry->colour = colour;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(entry->name, sizeof entry->name, format, arguments);
    va_end(arguments);
}

// ---- ranges

static bool has_bars(const struct point_set *set)
{
    return set->style == POINTS_MARKS || set->style == POINTS_HOLLOW;
}

static bool is_shown(const struct points_panel *panel, const struct point_set *set, size_t k)
{
    const double x = set->x[k], y = set->y[k];
    const bool is_within = panel->x_low == panel->x_high || (x >= panel->x_low && x <= panel->x_high);
    return isfinite(x) && isfinite(y) && is_within && (!panel->is_x_logarithmic || x > 0) &&
           (!panel->is_y_logarithmic || y > panel->y_least);
}

static void widen(struct range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

// Of all points shown, with their error bars. False without any.
static bool ranges_of(const struct points_panel *panel, struct range *x, struct range *y)
{
    *x = *y = (struct range){INFINITY, -INFINITY};
    for (int s = 0; s < panel->set_count; s++) {
        const struct point_set *set = &panel->sets[s];
        for (size_t k = 0; k < set->count; k++) {
            if (!is_shown(panel, set, k))
                continue;
            const double error = has_bars(set) && isfinite(set->error[k]) ? set->error[k] : 0;
            widen(x, set->x[k]);
            widen(y, set->y[k] + error);
            // A bar that reaches 0 does not extend a logarithmic axis.
            widen(y, panel->is_y_logarithmic ? set->y[k] : set->y[k] - error);
        }
    }
    if (panel->x_low != panel->x_high)
        *x = (struct range){panel->x_low, panel->x_high};
    const bool has_points = y->high >= y->low;
    if (has_points && panel->has_zero)
        widen(y, 0);
    return has_points;
}

static struct range widened(const struct range *range, bool is_logarithmic, double share)
{
    if (is_logarithmic) {
        const double factor = fmax(pow(range->high / range->low, share), 1.1);
        return (struct range){range->low / factor, range->high * factor};
    }
    // A difference by rounding alone counts as none: the script has ten digits.
    const double largest = fmax(fabs(range->low), fabs(range->high)), differ = range->high - range->low;
    const double size = differ > 1e-8 * largest ? differ : fmax(largest, 1e-12);
    return (struct range){range->low - share * size, range->high + share * size};
}

// ---- the script

static void script_mark(struct plot *plot, const struct points_panel *panel, const struct range *x)
{
    if (panel->mark != 0 && panel->mark > x->low && panel->mark < x->high)
        fprintf(plot->script,
                "set arrow 1 from first %.10g, graph 0 to first %.10g, graph 1 nohead back linewidth 0.9 "
                "dashtype (9,6) linecolor rgb '#777777'\n",
                panel->mark, panel->mark);
}

// Marks alone: gnuplot's own error bars are blanked around each.
static void style_clause(const struct plot *plot, enum points_style style, char *text, size_t bytes)
{
    const double size = 0.85 * plot->scale;
    switch (style) {
    case POINTS_MARKS:
        snprintf(text, bytes, "using 1:2 with points pointtype 7 pointsize %.2f", size);
        break;
    case POINTS_HOLLOW:
        snprintf(text, bytes, "using 1:2 with points pointtype 6 pointsize %.2f linewidth 1", 1.3 * size);
        break;
    case POINTS_THIN:
        snprintf(text, bytes, "using 1:2 with lines linewidth 0.6");
        break;
    case POINTS_LINE:
        snprintf(text, bytes, "using 1:2 with lines linewidth 1.2");
        break;
    case POINTS_DASHED:
        snprintf(text, bytes, "using 1:2 with lines dashtype (8,5) linewidth 1.2");
        break;
    case POINTS_ACROSS: // of no points
        text[0] = '\0';
        break;
    }
}

// x, y, and the lowest and highest value of the bar.
static enum status write_set(struct plot *plot, const struct points_panel *panel, const struct point_set *set,
                             const struct range *y, char file[PLOT_FILE_BYTES])
{
    enum { COLUMNS = 4 };
    float *rows = malloc((set->count + 1) * COLUMNS * sizeof *rows);
    if (!rows)
        return no_memory();
    for (size_t k = 0; k < set->count; k++) {
        float *row = rows + COLUMNS * k;
        const double error = isfinite(set->error[k]) ? set->error[k] : 0, low = set->y[k] - error,
                     high = set->y[k] + error;
        const bool is_seen = is_shown(panel, set, k);
        row[0] = (float)set->x[k];
        row[1] = is_seen ? (float)set->y[k] : NAN;
        row[2] = (float)(panel->is_y_logarithmic ? fmax(low, y->low) : low);
        row[3] = (float)high;
    }
    const enum status status = plot_data(plot, rows, set->count * COLUMNS * sizeof *rows, file);
    free(rows);
    return status;
}

static enum status script_sets(struct plot *plot, const struct points_panel *panel, const struct range *y)
{
    static const char format[] = "binary format='%float%float%float%float'";
    const char *separator = "plot ";
    for (int s = 0; s < panel->set_count; s++) {
        const struct point_set *set = &panel->sets[s];
        char file[PLOT_FILE_BYTES], style[128];
        if (set->count == 0)
            continue;
        CHECK(write_set(plot, panel, set, y, file));
        if (has_bars(set)) {
            fprintf(plot->script,
                    "%s'%s' %s using 1:3:(0):($4-$3) with vectors heads size graph 0.006,90 linewidth 1 "
                    "linecolor rgb '%s' notitle",
                    separator, file, format, set->colour);
            separator = ", ";
        }
        style_clause(plot, set->style, style, sizeof style);
        fprintf(plot->script, "%s'%s' %s %s linecolor rgb '%s' notitle", separator, file, format, style,
                set->colour);
        separator = ", ";
    }
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

// A logarithmic axis is for values that differ by more than this.
static const double least_factor = 8;

static enum status script_panel(struct plot *plot, const struct points_panel *wanted)
{
    char quoted[256];
    struct range data_x, data_y;
    struct points_panel panel = *wanted;
    ranges_of(&panel, &data_x, &data_y);
    if (panel.is_y_logarithmic && data_y.high < least_factor * data_y.low) {
        panel.is_y_logarithmic = false;
        ranges_of(&panel, &data_x, &data_y);
    }
    const struct range x = panel.x_low != panel.x_high ? data_x
                                                       : widened(&data_x, panel.is_x_logarithmic, 0.02),
                       y = widened(&data_y, panel.is_y_logarithmic, 0.06);
    fprintf(plot->script, "unset label\nunset arrow\nset xlabel %s offset 0,0.3\n",
            style_quote(panel.x_name, 60, quoted, sizeof quoted));
    panels_value_axis(plot, 'x', x.low, x.high, panel.is_x_logarithmic, 8);
    panels_value_axis(plot, 'y', y.low, y.high, panel.is_y_logarithmic, 7);
    panels_title(plot, panel.title, panel.aside ? panel.aside : "");
    script_mark(plot, &panel, &x);
    return script_sets(plot, &panel, &y);
}

static void script_legend(struct plot *plot, const struct panels *layout,
                          const struct points_picture *picture)
{
    static const char *const marks[] = {"●", "○", "─", "━", "╍", "┆"};
    const double left = plot->width_px - layout->right + 28 * plot->scale;
    char font[64], quoted[4 * POINTS_NAME_BYTES];
    plot_font(plot, 13, false, font);
    for (int k = 0; k < picture->legend_count; k++) {
        const struct points_legend *entry = &picture->legend[k];
        const double place = 1 - (layout->top + (10 + 26 * k) * plot->scale) / plot->height_px;
        fprintf(plot->script, "set label %d '%s' at screen %.6f,%.6f left font '%s' textcolor rgb '%s'\n",
                200 + 2 * k, marks[entry->style], left / plot->width_px, place, font, entry->colour);
        fprintf(plot->script, "set label %d %s at screen %.6f,%.6f left font '%s' textcolor rgb '#333333'\n",
                201 + 2 * k, style_quote(entry->name, POINTS_NAME_BYTES, quoted, sizeof quoted),
                (left + 22 * plot->scale) / plot->width_px, place, font);
    }
}

static struct panels lay_out(const struct report *report, double scale, size_t count, bool has_legend)
{
    struct panels layout = panels_layout(report->options.width_px, scale, count, PANEL_PX);
    layout.gap_y = 104 * scale; // each has its abscissa named
    layout.right = (has_legend ? MARGIN_PX : 48) * scale;
    layout.width = (report->options.width_px - layout.left - layout.right -
                    layout.gap_x * (double)(layout.columns - 1)) /
                   (double)layout.columns;
    return layout;
}

// The panels shown, and their layout.
struct content {
    size_t count;
    const struct points_panel *shown[PANELS_MAX];
    struct panels layout;
    const struct points_picture *picture;
};

static enum status script_shown(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct content *c = content;
    (void)report;
    return script_panel(plot, c->shown[k]);
}

static void script_all_names(struct plot *plot, const void *content)
{
    const struct content *c = content;
    script_legend(plot, &c->layout, c->picture);
    fprintf(plot->script, "unset arrow\nset xrange [0:1]\n");
}

enum status points_draw(struct report *report, const struct points_picture *picture,
                        const struct points_panel *panels, size_t count)
{
    struct content content = {.picture = picture};
    struct range x, y;
    for (size_t k = 0; k < count && content.count < PANELS_MAX; k++)
        if (ranges_of(&panels[k], &x, &y))
            content.shown[content.count++] = &panels[k];
    if (content.count == 0)
        return STATUS_OK;
    content.layout = lay_out(report, report_scale(report), content.count, picture->legend_count > 0);
    const struct panels_picture shown = {
        picture->section, picture->file, picture->title, picture->caption, NULL, &content.layout,
        content.count,    &content,      script_shown,   script_all_names, NULL, 0};
    return panels_draw(report, &shown);
}

enum status points_finish(struct report *report, const struct points_picture *picture,
                          struct points_panel *panels, size_t count, enum status filled)
{
    const enum status status = filled == STATUS_OK ? points_draw(report, picture, panels, count) : filled;
    points_free(panels, count);
    return status;
}
