// Series against time in a report: gauges with observations, the record section, mass and energy. Knows
// gauges.nc's figures (report_gauges.c) and diagnostics.nc's variables; writes gnuplot scripts.
#include "cli/report_context.h"

#include "cli/report_plot.h"
#include "cli/report_style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model_colour[] = "#1f5f99", observed_colour[] = "#d9772b", mark_colour[] = "#b0123b";

// A picture of panels in columns; pixels.
struct panels {
    size_t columns, rows;
    double left, top, right, bottom, gap_x, gap_y, width, height;
};

static struct panels layout_panels(double picture_width, double scale, size_t count, double height)
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

static int panels_height(const struct panels *panels)
{
    return (int)ceil(panels->top + panels->bottom + (double)panels->rows * (panels->height + panels->gap_y) -
                     panels->gap_y);
}

static void script_panel_box(struct plot *plot, const struct panels *panels, size_t k)
{
    struct plot_box box = {
        .left = panels->left + (double)(k % panels->columns) * (panels->width + panels->gap_x),
        .top = panels->top + (double)(k / panels->columns) * (panels->height + panels->gap_y),
        .width = panels->width,
        .height = panels->height,
    };
    plot_box(plot, &box);
}

static void script_heading(struct plot *plot, const struct report *report, double left, const char *title)
{
    plot_heading(plot, title, report_job_title(report), left, plot->width_px - left);
}

// Colours by name in the upper right corner, in place of a key in every panel. From right to left.
struct legend_entry {
    const char *mark, *name, *colour;
    double width; // at a scale of 1, in pixels
};

static void script_legend(struct plot *plot, double right, const struct legend_entry *entries, size_t count)
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

// Prepares an empty plot over the panels, which carries the labels of the whole picture.
static void script_nothing(struct plot *plot)
{
    fprintf(plot->script, "unset label\nunset border\nunset tics\nunset xlabel\nunset ylabel\nunset grid\n"
                          "unset logscale\nset yrange [0:1]\n");
}

static void script_panel_title(struct plot *plot, const char *title, const char *aside)
{
    char quoted[REPORT_TEXT_BYTES], font[64];
    fprintf(plot->script, "set label 1 %s at graph 0,1 offset character 0,0.75 left font '%s'\n",
            style_quote(title, 40, quoted, sizeof quoted), plot_font(plot, 14, true, font));
    fprintf(plot->script,
            "set label 2 %s at graph 1,1 offset character 0,0.75 right font '%s' textcolor rgb '#666666'\n",
            style_quote(aside, 60, quoted, sizeof quoted), plot_font(plot, 12, false, font));
}

// The time axis in its unit, with round steps; the data stay in that unit too.
static void script_time_axis(struct plot *plot, double begin_s, double end_s, struct style_time_unit unit,
                             int most, bool has_label)
{
    double step_s =
        unit.seconds > 1 ? style_step_time_s(end_s - begin_s, most) : style_step(end_s - begin_s, most);
    if ((end_s - begin_s) / step_s > most + 1) // the preference for hours, on a narrow panel
        step_s *= ceil((end_s - begin_s) / step_s / most);
    fprintf(plot->script, "set xrange [%.10g:%.10g]\nset xtics %.10g,%.10g\n", begin_s / unit.seconds,
            end_s / unit.seconds, ceil(begin_s / step_s - 1e-9) * step_s / unit.seconds,
            step_s / unit.seconds);
    if (has_label)
        fprintf(plot->script, "set xlabel 'time after the start (%s)' offset 0,0.3\n", unit.name);
    else
        fprintf(plot->script, "unset xlabel\n");
}

// Points of a series within a time range, in the axis' units; at most about `most` of them: of each stretch
// the least and the greatest, so that no peak is lost.
struct points {
    size_t count;
    float *xy;
};

static void add_point(struct points *points, double x, double y)
{
    points->xy[2 * points->count] = (float)x;
    points->xy[2 * points->count + 1] = (float)y;
    points->count++;
}

static enum status thin_out(const struct report_series *series, double begin_s, double end_s,
                            double time_unit_s, double value_unit, size_t most, struct points *points)
{
    size_t first = 0, end = series->count;
    while (first < end && series->times_s[first] < begin_s)
        first++;
    while (end > first && series->times_s[end - 1] > end_s)
        end--;
    *points = (struct points){0, malloc((2 * most + 4) * 2 * sizeof(float))};
    if (!points->xy)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a series of %zu points", 2 * most);
    size_t stretch = (end - first) / most + 1;
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

static enum status write_points(struct plot *plot, const struct points *points, char file[PLOT_FILE_BYTES])
{
    return plot_data(plot, points->xy, points->count * 2 * sizeof(float), file);
}

// What a gauge's panel shows: from a little before the arrival, long enough for the first waves.
static void gauge_window(const struct report *report, const struct report_gauge *gauge, double *begin_s,
                         double *end_s)
{
    double length_s = fmin(report->duration_s, 6 * 3600);
    *begin_s = 0;
    if (isfinite(gauge->arrival_s))
        *begin_s = fmax(0, gauge->arrival_s - 0.15 * length_s);
    *begin_s = fmin(*begin_s, report->duration_s - length_s);
    double round_s = length_s > 2 * 3600 ? 1800 : (length_s > 600 ? 60 : 0);
    if (round_s > 0)
        *begin_s = floor(*begin_s / round_s) * round_s;
    *end_s = *begin_s + length_s;
}

// Room for the model and for the observations after the arrival; before it a record may hold seismic waves
// that would squeeze everything else.
static void gauge_range(const struct report_gauge *gauge, double begin_s, double end_s, double *low,
                        double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    const struct report_series *both[] = {&gauge->model, &gauge->observed};
    for (int which = 0; which < 2; which++)
        for (size_t k = 0; k < both[which]->count; k++) {
            double time_s = both[which]->times_s[k], value = both[which]->values_m[k];
            double from_s = which == 1 && isfinite(gauge->first_peak_s) ? 0.8 * gauge->first_peak_s : begin_s;
            if (time_s < fmax(begin_s, from_s) || time_s > end_s || !isfinite(value))
                continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    if (!(*high >= *low)) {
        *low = -1e-3;
        *high = 1e-3;
    }
    double margin = *high > *low ? 0.12 * (*high - *low) : fmax(1e-4, 0.1 * fabs(*high));
    *low -= margin;
    *high += 1.6 * margin;
}

// The unit of the level's axis: metres, centimetres or millimetres.
static double level_unit(double magnitude_m, const char **name)
{
    *name = magnitude_m >= 1 ? "m" : (magnitude_m >= 0.01 ? "cm" : "mm");
    return magnitude_m >= 1 ? 1 : (magnitude_m >= 0.01 ? 0.01 : 0.001);
}

static void gauge_aside(const struct report *report, const struct report_gauge *gauge, char *text,
                        size_t bytes)
{
    char place[STYLE_TEXT_BYTES] = "", depth[STYLE_TEXT_BYTES];
    if (report->gauges_have_positions && report->is_geographic)
        style_position(gauge->longitude, gauge->latitude, place);
    else if (report->gauges_have_positions)
        snprintf(place, sizeof place, "x %.4g m, y %.4g m", gauge->longitude, gauge->latitude);
    if (isfinite(gauge->depth_m))
        snprintf(text, bytes, "%s · depth %.60s", place, style_length(gauge->depth_m, depth));
    else
        snprintf(text, bytes, "%s", place);
}

static void script_peak(struct plot *plot, double time_s, double value_m, struct style_time_unit time_unit,
                        double unit, const char *colour)
{
    if (isfinite(time_s))
        fprintf(plot->script,
                "set label '' at %.8g,%.8g front point pointtype 11 pointsize %.2f linecolor rgb '%s' offset "
                "0,0.45\n",
                time_s / time_unit.seconds, value_m / unit, 1.3 * plot->scale, colour);
}

static enum status script_gauge_lines(struct plot *plot, const struct report_gauge *gauge, double begin_s,
                                      double end_s, struct style_time_unit time_unit, double unit,
                                      double width_px)
{
    char file[PLOT_FILE_BYTES];
    struct points points;
    size_t most = (size_t)(width_px / 2);
    fprintf(plot->script, "plot 0 with lines linewidth 0.5 linecolor rgb '#999999' notitle");
    if (gauge->observed.count > 0) {
        CHECK(thin_out(&gauge->observed, begin_s, end_s, time_unit.seconds, unit, most, &points));
        enum status status = write_points(plot, &points, file);
        bool has_points = points.count > 0;
        free(points.xy);
        CHECK(status);
        if (has_points)
            fprintf(plot->script,
                    ", '%s' binary format='%%float%%float' using 1:2 with points pointtype 7 pointsize %.2f "
                    "linecolor rgb '%s' notitle",
                    file, 0.55 * plot->scale, observed_colour);
    }
    CHECK(thin_out(&gauge->model, begin_s, end_s, time_unit.seconds, unit, most, &points));
    enum status status = write_points(plot, &points, file);
    free(points.xy);
    fprintf(plot->script,
            ", '%s' binary format='%%float%%float' using 1:2 with lines linewidth 1.3 linecolor rgb '%s' "
            "notitle\n",
            file, model_colour);
    return status;
}

static enum status script_gauge(struct plot *plot, const struct report *report,
                                const struct report_gauge *gauge, const struct panels *panels,
                                bool has_time_label)
{
    double begin_s, end_s, low, high;
    gauge_window(report, gauge, &begin_s, &end_s);
    gauge_range(gauge, begin_s, end_s, &low, &high);
    const char *unit_name;
    double unit = level_unit(fmax(fabs(low), fabs(high)), &unit_name);
    struct style_time_unit time_unit = style_time_unit(report->duration_s);
    char aside[4 * STYLE_TEXT_BYTES];
    gauge_aside(report, gauge, aside, sizeof aside);
    fprintf(plot->script, "unset label\n");
    script_panel_title(plot, gauge->name, aside);
    script_time_axis(plot, begin_s, end_s, time_unit, 7, has_time_label);
    fprintf(plot->script,
            "set yrange [%.8g:%.8g]\nset ytics %.8g\nset ylabel 'elevation (%s)' offset 0.6,0\n", low / unit,
            high / unit, style_step((high - low) / unit, 5), unit_name);
    bool in_view = gauge->first_peak_s >= begin_s && gauge->first_peak_s <= end_s;
    script_peak(plot, in_view ? gauge->first_peak_s : NAN, gauge->first_peak_m, time_unit, unit, mark_colour);
    in_view = gauge->observed_peak_s >= begin_s && gauge->observed_peak_s <= end_s;
    script_peak(plot, in_view ? gauge->observed_peak_s : NAN, gauge->observed_peak_m, time_unit, unit,
                observed_colour);
    return script_gauge_lines(plot, gauge, begin_s, end_s, time_unit, unit, panels->width);
}

static enum status script_gauges(struct plot *plot, const struct report *report, const struct panels *panels,
                                 size_t first, size_t count)
{
    static const struct legend_entry legend[] = {{"▼", "first peak", mark_colour, 120},
                                                 {"━━", "model", model_colour, 105},
                                                 {"●", "observed", observed_colour, 0}};
    bool has_observed = false;
    char font[64];
    fprintf(plot->script,
            "set multiplot\nset grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\n"
            "unset key\nset tics font '%s'\n",
            plot_font(plot, 12.5, false, font));
    for (size_t k = 0; k < count; k++) {
        script_panel_box(plot, panels, k);
        CHECK(script_gauge(plot, report, &report->gauges[first + k], panels, k + panels->columns >= count));
        has_observed = has_observed || report->gauges[first + k].observed.count > 0;
    }
    script_nothing(plot);
    script_heading(plot, report, panels->left, count > 1 ? "Gauges" : "Gauge");
    script_legend(plot, panels->right, legend, has_observed ? 3 : 2);
    fprintf(plot->script, "plot NaN notitle\n");
    return STATUS_OK;
}

static enum status draw_gauge_picture(struct report *report, size_t first, size_t count, size_t number)
{
    double scale = report->options.width_px / 1600.;
    struct panels panels = layout_panels(report->options.width_px, scale, count, 190);
    char file[64];
    snprintf(file, sizeof file, "gauges_%zu.png", number);
    struct report_picture *picture =
        report_add_picture(report, REPORT_GAUGES, file, report->options.width_px, panels_height(&panels));
    if (!picture)
        return STATUS_OK;
    snprintf(picture->title, sizeof picture->title, "Gauges %zu to %zu", first + 1, first + count);
    snprintf(picture->caption, sizeof picture->caption,
             "Elevation at the gauges: model (line) and observations (dots) where there are any, from "
             "shortly before "
             "the arrival. Triangles mark the first peak. Each panel has its own axes.");
    struct plot plot;
    enum status status = plot_start(&plot, report->pictures_directory, picture->file, picture->width_px,
                                    picture->height_px, scale);
    if (status == STATUS_OK)
        status = script_gauges(&plot, report, &panels, first, count);
    return plot_finish(&plot, status);
}

// The record section: every gauge over the whole run, one above the other in the order of arrival.
struct order {
    double arrival_s;
    size_t gauge;
};

static int compare_arrivals(const void *a, const void *b)
{
    const struct order *p = a, *q = b;
    double x = isnan(p->arrival_s) ? INFINITY : p->arrival_s,
           y = isnan(q->arrival_s) ? INFINITY : q->arrival_s;
    return x != y ? (x > y) - (x < y) : (p->gauge > q->gauge) - (p->gauge < q->gauge);
}

static enum status script_trace(struct plot *plot, const struct report_gauge *gauge, double duration_s,
                                struct style_time_unit time_unit, size_t place, bool is_first)
{
    double magnitude = fmax(fabs(gauge->maximum_m), fabs(gauge->minimum_m));
    struct points points;
    CHECK(thin_out(&gauge->model, 0, duration_s, time_unit.seconds, magnitude > 0 ? magnitude : 1, 800,
                   &points));
    for (size_t k = 0; k < points.count; k++)
        points.xy[2 * k + 1] = (float)place + 0.62f * points.xy[2 * k + 1];
    char file[PLOT_FILE_BYTES];
    enum status status = write_points(plot, &points, file);
    free(points.xy);
    fprintf(
        plot->script,
        "%s'%s' binary format='%%float%%float' using 1:2 with filledcurves y1=%zu fillcolor rgb '#b01f5f99' "
        "notitle, '' binary format='%%float%%float' using 1:2 with lines linewidth 0.9 linecolor rgb '%s' "
        "notitle",
        is_first ? "" : ", ", file, place, model_colour);
    return status;
}

static enum status script_section(struct plot *plot, const struct report *report, const struct order *order,
                                  size_t count, const struct panels *panels)
{
    struct style_time_unit time_unit = style_time_unit(report->duration_s);
    char text[REPORT_TEXT_BYTES], font[64], height[STYLE_TEXT_BYTES];
    script_panel_box(plot, panels, 0);
    script_heading(plot, report, panels->left, "All gauges, in the order of arrival");
    script_time_axis(plot, 0, report->duration_s, time_unit, 13, true);
    plot_font(plot, 12.5, false, font);
    fprintf(plot->script,
            "set border 1\nset tics font '%s'\nunset ytics\nset yrange [-0.7:%.1f]\nset grid xtics linecolor "
            "rgb '#e4e4e4' "
            "linewidth 0.6 linetype 1\n",
            font, (double)count - 0.2);
    for (size_t k = 0; k < count; k++) {
        const struct report_gauge *gauge = &report->gauges[order[k].gauge];
        double y = (double)(count - 1 - k);
        fprintf(plot->script, "set label %s at graph 0,first %.1f right offset character -1,0 font '%s'\n",
                style_quote(gauge->name, 16, text, sizeof text), y, font);
        fprintf(plot->script,
                "set label '%s' at graph 1,first %.1f left offset character 1,0 font '%s' textcolor rgb "
                "'#666666'\n",
                style_length(gauge->maximum_m, height), y, font);
    }
    fprintf(plot->script, "plot ");
    for (size_t k = 0; k < count; k++) {
        const struct report_gauge *gauge = &report->gauges[order[k].gauge];
        CHECK(script_trace(plot, gauge, report->duration_s, time_unit, count - 1 - k, k == 0));
    }
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

static enum status draw_section(struct report *report)
{
    enum { TRACES_MAX = 40, TRACES_MIN = 3 };
    size_t count = report->gauge_count < TRACES_MAX ? report->gauge_count : TRACES_MAX;
    if (count < TRACES_MIN)
        return STATUS_OK;
    struct order order[TRACES_MAX] = {0};
    for (size_t k = 0; k < count; k++)
        order[k] = (struct order){report->gauges[k].arrival_s, k};
    qsort(order, count, sizeof *order, compare_arrivals);
    double scale = report->options.width_px / 1600.;
    struct panels panels = layout_panels(report->options.width_px, scale, 1, 46 * (double)count + 30);
    panels.left = 190 * scale;
    panels.right = 112 * scale;
    panels.width = report->options.width_px - panels.left - panels.right;
    panels.top = 84 * scale;
    struct report_picture *picture = report_add_picture(report, REPORT_GAUGES, "gauges_all.png",
                                                        report->options.width_px, panels_height(&panels));
    if (!picture)
        return STATUS_OK;
    snprintf(picture->title, sizeof picture->title, "All gauges over the whole run");
    snprintf(picture->caption, sizeof picture->caption,
             "Every gauge over the whole run in the order of arrival, each scaled by its own largest value; "
             "the number "
             "on the right is its highest level.");
    struct plot plot;
    enum status status = plot_start(&plot, report->pictures_directory, picture->file, picture->width_px,
                                    picture->height_px, scale);
    if (status == STATUS_OK)
        status = script_section(&plot, report, order, count, &panels);
    return plot_finish(&plot, status);
}

static enum status draw_gauges(struct report *report)
{
    enum { PER_PICTURE = 10 };
    size_t drawn =
        report->gauge_count < REPORT_GAUGES_DRAWN_MAX ? report->gauge_count : REPORT_GAUGES_DRAWN_MAX;
    if (drawn == 0 || report->gauges[0].model.count < 2)
        return STATUS_OK;
    CHECK(draw_section(report));
    for (size_t first = 0; first < drawn; first += PER_PICTURE)
        CHECK(draw_gauge_picture(report, first, drawn - first < PER_PICTURE ? drawn - first : PER_PICTURE,
                                 first / PER_PICTURE + 1));
    if (drawn < report->gauge_count)
        report_warn(report, "%zu of %zu gauges are drawn; the table has them all", drawn,
                    report->gauge_count);
    return STATUS_OK;
}

// One panel of diagnostics: up to three curves that share an axis.
struct curves {
    const char *title, *unit;
    const char *variables[3], *names[3];
    bool is_logarithmic;
};

static const struct curves known_curves[] = {
    {"Volume above the level of rest", "m³", {"mass"}, {"volume"}, false},
    {"Energy", "J", {"energy_kinetic", "energy_potential"}, {"kinetic", "potential"}, false},
    {"Largest elevation anywhere", "m", {"max_abs_eta"}, {"largest |η|"}, true},
    {"Largest speed anywhere", "m/s", {"max_speed"}, {"largest speed"}, false},
    {"Largest Courant number", "", {"courant"}, {"Courant number"}, false},
};
static const char *const curve_colours[] = {"#1f5f99", "#d9772b", "#444444"};

static bool is_series(const struct report *report, const char *name)
{
    const struct result_variable *variable = name ? result_find(report->diagnostics, name) : NULL;
    return variable && variable->rank == 1 && !variable->is_text &&
           strcmp(variable->dimensions[0], "time") == 0 && strcmp(variable->name, "time") != 0;
}

struct curve_data {
    size_t count;
    const double *times_s;
    double *values[3];
    double low, high;
};

static enum status read_curves(const struct report *report, const struct curves *curves,
                               struct curve_data *data)
{
    data->low = INFINITY;
    data->high = -INFINITY;
    for (int c = 0; c < 3 && curves->variables[c]; c++) {
        size_t length;
        if (!is_series(report, curves->variables[c]))
            continue;
        CHECK(result_read_all(report->diagnostics, curves->variables[c], &data->values[c], &length));
        for (size_t k = 0; k < length && k < data->count; k++)
            if (isfinite(data->values[c][k]) && (!curves->is_logarithmic || data->values[c][k] > 0)) {
                data->low = fmin(data->low, data->values[c][k]);
                data->high = fmax(data->high, data->values[c][k]);
            }
    }
    if (data->values[0] && data->values[1] && !data->values[2] && curves->variables[1] &&
        !curves->is_logarithmic) {
        data->values[2] = calloc(data->count + 1, sizeof(double)); // the total of the two
        if (!data->values[2])
            return FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
        for (size_t k = 0; k < data->count; k++) {
            data->values[2][k] = data->values[0][k] + data->values[1][k];
            data->high = fmax(data->high, data->values[2][k]);
        }
    }
    return STATUS_OK;
}

static void script_value_axis(struct plot *plot, const struct curves *curves, const struct curve_data *data,
                              double unit, const char *prefix)
{
    double low = data->low / unit, high = data->high / unit;
    // Volumes: k, M, G of cubic metres would be read as (km)³; powers of ten are plain.
    if (prefix[0] && strcmp(curves->unit, "m³") == 0)
        fprintf(plot->script, "set ylabel '10%s m³' offset 0.6,0\n",
                unit >= 1e12 ? "¹²" : (unit >= 1e9 ? "⁹" : (unit >= 1e6 ? "⁶" : (unit >= 1e3 ? "³" : "⁰"))));
    else
        fprintf(plot->script, "set ylabel '%s%s' offset 0.6,0\n", prefix, curves->unit);
    if (curves->is_logarithmic && low > 0 && high / low > 5) {
        struct style_scale scale = {
            .kind = STYLE_LOG, .low = style_round_down(low), .high = style_round_up(high)};
        double ticks[STYLE_TICKS_MAX];
        size_t count = style_scale_ticks(&scale, ticks);
        fprintf(plot->script, "set logscale y\nset yrange [%.8g:%.8g]\nset ytics (", scale.low, scale.high);
        for (size_t k = 0; k < count; k++)
            fprintf(plot->script, "%s'%g' %.8g", k ? ", " : "", ticks[k], ticks[k]);
        fprintf(plot->script, ")\n");
        return;
    }
    low = fmin(low, curves->variables[1] ? 0 : low);
    // What hardly changes is drawn as a straight line, not as its rounding errors.
    bool is_flat = !(high - low > 0.01 * fmax(fabs(high), fabs(low)));
    double margin = is_flat ? fmax(1e-3, 0.2 * fabs(high)) : 0.1 * (high - low);
    fprintf(plot->script, "unset logscale y\nset yrange [%.8g:%.8g]\nset ytics %.8g\n", low - margin,
            high + margin, style_step(high - low + 2 * margin, 5));
}

// The names of a panel's curves in their colours, at the right of its title.
static void script_curve_names(struct plot *plot, const struct curves *curves, const struct curve_data *data)
{
    char font[64];
    plot_font(plot, 12.5, true, font);
    double offset = 0;
    for (int c = 2; c >= 0 && curves->variables[1]; c--) {
        if (!data->values[c])
            continue;
        const char *name = curves->names[c] ? curves->names[c] : "total";
        fprintf(
            plot->script,
            "set label %d '%s' at graph 1,1 offset character %.1f,0.75 right font '%s' textcolor rgb '%s'\n",
            3 + c, name, -offset, font, curve_colours[c]);
        offset += 0.95 * (double)strlen(name) + 1.5;
    }
}

static enum status script_curve(struct plot *plot, const struct curve_data *data, int c, double time_unit_s,
                                double unit, bool is_first)
{
    float *xy = malloc((data->count + 1) * 2 * sizeof *xy);
    if (!xy)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
    for (size_t k = 0; k < data->count; k++) {
        xy[2 * k] = (float)(data->times_s[k] / time_unit_s);
        xy[2 * k + 1] = (float)(data->values[c][k] / unit);
    }
    char file[PLOT_FILE_BYTES];
    enum status status = plot_data(plot, xy, data->count * 2 * sizeof *xy, file);
    free(xy);
    fprintf(
        plot->script,
        "%s'%s' binary format='%%float%%float' using 1:2 with lines linewidth 1.4 linecolor rgb '%s' notitle",
        is_first ? "plot " : ", ", file, curve_colours[c]);
    return status;
}

static enum status script_curves(struct plot *plot, const struct report *report, const struct curves *curves,
                                 const struct curve_data *data, bool has_time_label)
{
    struct style_time_unit time_unit = style_time_unit(report->duration_s);
    const char *prefix = "";
    double magnitude = fmax(fabs(data->low), fabs(data->high)), unit = 1;
    bool has_prefix =
        strcmp(curves->unit, "J") == 0 || (strcmp(curves->unit, "m³") == 0 && magnitude >= 1000);
    if (has_prefix && magnitude > 0)
        unit = style_si_prefix(magnitude, &prefix);
    fprintf(plot->script, "unset label\n");
    script_panel_title(plot, curves->title, "");
    script_curve_names(plot, curves, data);
    script_time_axis(plot, 0, report->duration_s, time_unit, 8, has_time_label);
    script_value_axis(plot, curves, data, unit, prefix);
    for (int c = 0, drawn = 0; c < 3; c++)
        if (data->values[c])
            CHECK(script_curve(plot, data, c, time_unit.seconds, unit, drawn++ == 0));
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

static enum status script_diagnostic(struct plot *plot, struct report *report, const struct curves *curves,
                                     const double *times_s, size_t count, bool has_time_label)
{
    struct curve_data data = {.count = count, .times_s = times_s};
    enum status status = read_curves(report, curves, &data);
    if (status == STATUS_OK && data.high >= data.low)
        status = script_curves(plot, report, curves, &data, has_time_label);
    for (int c = 0; c < 3; c++)
        free(data.values[c]);
    return status;
}

// The panels that this file can fill: the known ones, then any other series in it.
enum { CURVES_MAX = 8 };
static size_t list_curves(const struct report *report, struct curves list[CURVES_MAX])
{
    size_t count = 0, known = sizeof known_curves / sizeof *known_curves;
    for (size_t k = 0; k < known; k++)
        if (is_series(report, known_curves[k].variables[0]))
            list[count++] = known_curves[k];
    for (size_t v = 0; report->diagnostics && v < result_variable_count(report->diagnostics); v++) {
        const struct result_variable *variable = result_variable_at(report->diagnostics, v);
        bool is_known = !is_series(report, variable->name);
        for (size_t k = 0; k < known; k++)
            for (int c = 0; c < 3 && known_curves[k].variables[c]; c++)
                is_known = is_known || strcmp(variable->name, known_curves[k].variables[c]) == 0;
        if (!is_known && count < CURVES_MAX)
            list[count++] =
                (struct curves){variable->name, variable->units, {variable->name}, {variable->name}, false};
    }
    return count;
}

static enum status script_diagnostics(struct plot *plot, struct report *report, const struct panels *panels,
                                      const struct curves *list, size_t count, const double *times_s,
                                      size_t length)
{
    char font[64];
    fprintf(plot->script,
            "set multiplot\nset grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\n"
            "set tics font '%s'\nset format y '%%g'\n",
            plot_font(plot, 12.5, false, font));
    for (size_t k = 0; k < count; k++) {
        script_panel_box(plot, panels, k);
        CHECK(script_diagnostic(plot, report, &list[k], times_s, length, k + panels->columns >= count));
    }
    script_nothing(plot);
    script_heading(plot, report, panels->left, "Diagnostics");
    fprintf(plot->script, "plot NaN notitle\n");
    return STATUS_OK;
}

static enum status note_volume(struct report *report)
{
    double *values;
    size_t length;
    if (!is_series(report, "mass"))
        return STATUS_OK;
    CHECK(result_read_all(report->diagnostics, "mass", &values, &length));
    if (length > 0)
        report->volume_change = values[length - 1] - values[0];
    free(values);
    return STATUS_OK;
}

static enum status draw_diagnostics(struct report *report)
{
    struct curves list[CURVES_MAX];
    size_t count = list_curves(report, list);
    if (count == 0 || !result_find(report->diagnostics, "time"))
        return STATUS_OK;
    CHECK(note_volume(report));
    double *times_s;
    size_t length;
    CHECK(result_read_all(report->diagnostics, "time", &times_s, &length));
    double scale = report->options.width_px / 1600.;
    struct panels panels = layout_panels(report->options.width_px, scale, count, 230);
    struct report_picture *picture =
        length > 1 ? report_add_picture(report, REPORT_DIAGNOSTICS, "diagnostics.png",
                                        report->options.width_px, panels_height(&panels))
                   : NULL;
    enum status status = STATUS_OK;
    if (picture) {
        snprintf(picture->title, sizeof picture->title, "Diagnostics");
        snprintf(picture->caption, sizeof picture->caption,
                 "Totals over the whole area against time. Waves that leave through open edges take volume "
                 "and energy "
                 "with them.");
        struct plot plot;
        status = plot_start(&plot, report->pictures_directory, picture->file, picture->width_px,
                            picture->height_px, scale);
        if (status == STATUS_OK)
            status = script_diagnostics(&plot, report, &panels, list, count, times_s, length);
        status = plot_finish(&plot, status);
    }
    free(times_s);
    return status;
}

enum status report_draw_series(struct report *report)
{
    CHECK(draw_gauges(report));
    return draw_diagnostics(report);
}
