// Gauges against time in a report: panels with observations, and the record section. Writes gnuplot scripts
// from the figures of gauges.c.
#include "report/tsunami/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char model_colour[] = "#1f5f99", observed_colour[] = "#d9772b", mark_colour[] = "#b0123b";

// ---- a panel for each gauge

// The times of a gauge's panel: from a little before the arrival, long enough for the first waves.
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

// The range of the model, and of the observations after the arrival; before it a record may hold seismic
// waves that would compress everything else.
static void gauge_range(const struct report_gauge *gauge, double begin_s, double end_s, double least_m,
                        double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    const struct panels_series *both[] = {&gauge->model, &gauge->observed};
    for (int which = 0; which < 2; which++)
        for (size_t k = 0; k < both[which]->count; k++) {
            double time_s = both[which]->times_s[k], value = both[which]->values_m[k];
            double from_s = which == 1 && isfinite(gauge->first_peak_s) ? 0.8 * gauge->first_peak_s : begin_s;
            if (time_s < fmax(begin_s, from_s) || time_s > end_s || !isfinite(value))
                continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    if (!(*high >= *low))
        *low = *high = 0;
    const double lacking_m = fmax(0, 2 * least_m - (*high - *low));
    *low -= lacking_m / 2;
    *high += lacking_m / 2;
    const double margin = 0.12 * (*high - *low);
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
    char place[STYLE_TEXT_BYTES] = "", depth[STYLE_TEXT_BYTES], suffix[96];
    const struct report_waves *waves = report_tsunami_waves(report);
    const char *grid = report_tsunami_grid_suffix(&waves->grids[gauge->grid], suffix);
    if (waves->gauges_have_positions && waves->is_geographic)
        style_position(gauge->longitude, gauge->latitude, place);
    else if (waves->gauges_have_positions)
        snprintf(place, sizeof place, "x %.4g m, y %.4g m", gauge->longitude, gauge->latitude);
    if (gauge->depth_m < 0)
        snprintf(text, bytes, "%s · on land, %.60s high%s", place, style_length(-gauge->depth_m, depth),
                 grid);
    else if (isfinite(gauge->depth_m))
        snprintf(text, bytes, "%s · depth %.60s%s", place, style_length(gauge->depth_m, depth), grid);
    else
        snprintf(text, bytes, "%s%s", place, grid);
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
    struct panel_points points;
    const size_t most = (size_t)(width_px / 2);
    fprintf(plot->script, "plot 0 with lines linewidth 0.5 linecolor rgb '#999999' notitle");
    if (gauge->observed.count > 0) {
        CHECK(panels_thin_out(&gauge->observed, begin_s, end_s, time_unit.seconds, unit, most, &points));
        const enum status status = points.count > 0
                                       ? plot_xy(plot, ", ", points.xy, points.count,
                                                 "with points pointtype 7 pointsize %.2f linecolor rgb '%s'",
                                                 0.55 * plot->scale, observed_colour)
                                       : STATUS_OK;
        free(points.xy);
        CHECK(status);
    }
    CHECK(panels_thin_out(&gauge->model, begin_s, end_s, time_unit.seconds, unit, most, &points));
    const enum status status = plot_xy(plot, ", ", points.xy, points.count,
                                       "with lines linewidth 1.3 linecolor rgb '%s'", model_colour);
    free(points.xy);
    fprintf(plot->script, "\n");
    return status;
}

static enum status script_gauge(struct plot *plot, const struct report *report,
                                const struct report_gauge *gauge, const struct panels *panels,
                                bool has_time_label)
{
    double begin_s, end_s, low, high;
    gauge_window(report, gauge, &begin_s, &end_s);
    gauge_range(gauge, begin_s, end_s, report_tsunami_least_height_m(report_tsunami_waves(report)), &low,
                &high);
    const char *unit_name;
    double unit = level_unit(fmax(fabs(low), fabs(high)), &unit_name);
    struct style_time_unit time_unit = style_time_unit(report->duration_s);
    char aside[4 * STYLE_TEXT_BYTES];
    gauge_aside(report, gauge, aside, sizeof aside);
    fprintf(plot->script, "unset label\n");
    panels_title(plot, gauge->name, aside);
    panels_time_axis(plot, begin_s, end_s, time_unit, 7, has_time_label);
    fprintf(plot->script,
            "set yrange [%.8g:%.8g]\nset ytics %.8g\nset ylabel 'elevation (%s)' offset 0.6,0\n", low / unit,
            high / unit, style_step((high - low) / unit, 5), unit_name);
    if (!isfinite(gauge->maximum_m))
        fprintf(plot->script,
                "set label 3 'dry throughout' at graph 0.5,0.5 center textcolor rgb '#666666'\n");
    bool in_view = gauge->first_peak_s >= begin_s && gauge->first_peak_s <= end_s;
    script_peak(plot, in_view ? gauge->first_peak_s : NAN, gauge->first_peak_m, time_unit, unit, mark_colour);
    in_view = gauge->observed_peak_s >= begin_s && gauge->observed_peak_s <= end_s;
    script_peak(plot, in_view ? gauge->observed_peak_s : NAN, gauge->observed_peak_m, time_unit, unit,
                observed_colour);
    return script_gauge_lines(plot, gauge, begin_s, end_s, time_unit, unit, panels->width);
}

// The panels of some gauges in one picture.
struct gauge_picture {
    struct panels layout;
    const struct report_gauge *gauges;
    size_t count;
};

static enum status script_gauge_panel(struct plot *plot, const struct report *report, const void *content,
                                      size_t k)
{
    const struct gauge_picture *p = content;
    return script_gauge(plot, report, &p->gauges[k], &p->layout, k + p->layout.columns >= p->count);
}

static void script_legend(struct plot *plot, const void *content)
{
    static const struct panels_legend_entry legend[] = {{"▼", "first peak", mark_colour, 120},
                                                        {"━━", "model", model_colour, 105},
                                                        {"●", "observed", observed_colour, 0}};
    const struct gauge_picture *p = content;
    bool has_observed = false;
    for (size_t k = 0; k < p->count; k++)
        has_observed |= p->gauges[k].observed.count > 0;
    panels_legend(plot, p->layout.right, legend, has_observed ? 3 : 2);
}

static enum status draw_gauge_picture(struct report *report, size_t first, size_t count, size_t number)
{
    const struct gauge_picture content = {
        panels_layout(report->options.width_px, report_scale(report), count, 190),
        report_tsunami_waves(report)->gauges + first, count};
    char file[64], title[64];
    snprintf(file, sizeof file, "gauges_%zu.png", number);
    snprintf(title, sizeof title, "Gauges %zu to %zu", first + 1, first + count);
    return panels_draw(
        report,
        &(struct panels_picture){
            .section = TSUNAMI_GAUGES,
            .file = file,
            .title = title,
            .heading = count > 1 ? "Gauges" : "Gauge",
            .caption =
                "Elevation at the gauges: model (line) and observations (dots) where there are any, from "
                "shortly before the arrival. Triangles mark the first peak. Each panel has its own axes.",
            .layout = &content.layout,
            .count = count,
            .content = &content,
            .panel = script_gauge_panel,
            .legend = script_legend});
}

// ---- the record section: every gauge over the whole run, one above the other in the order of arrival

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

// All traces of the record section.
struct section {
    struct panels panels;
    const struct order *order;
    size_t count;
};

static enum status script_trace(struct plot *plot, const struct report_gauge *gauge,
                                const struct report *report, size_t place, bool is_first)
{
    const double full_m =
        fmax(report_tsunami_gauge_size_m(gauge), report_tsunami_least_height_m(report_tsunami_waves(report)));
    struct panel_points points;
    CHECK(panels_thin_out(&gauge->model, 0, report->duration_s, style_time_unit(report->duration_s).seconds,
                          full_m, 800, &points));
    for (size_t k = 0; k < points.count; k++)
        points.xy[2 * k + 1] = (float)place + 0.62f * points.xy[2 * k + 1];
    const enum status status = plot_xy(plot, is_first ? "" : ", ", points.xy, points.count,
                                       "with filledcurves y1=%zu fillcolor rgb '#b01f5f99'", place);
    free(points.xy);
    fprintf(
        plot->script,
        ", '' binary format='%%float%%float' using 1:2 with lines linewidth 0.9 linecolor rgb '%s' notitle",
        model_colour);
    return status;
}

// The name of a gauge at the left of its trace, its highest level at the right.
static void script_trace_texts(struct plot *plot, const struct report *report,
                               const struct report_gauge *gauge, double y, const char *font)
{
    const double least_m = report_tsunami_least_height_m(report_tsunami_waves(report));
    const bool is_still = report_tsunami_gauge_size_m(gauge) < least_m;
    char text[REPORT_TEXT_BYTES], height[STYLE_TEXT_BYTES];
    fprintf(plot->script, "set label %s at graph 0,first %.1f right offset character -1,0 font '%s'\n",
            style_quote(gauge->name, 16, text, sizeof text), y, font);
    fprintf(plot->script,
            "set label '%s%s' at graph 1,first %.1f left offset character 1,0 font '%s' textcolor rgb "
            "'#666666'\n",
            is_still ? "< " : "", style_length(is_still ? least_m : gauge->maximum_m, height), y, font);
}

static enum status script_section(struct plot *plot, const struct report *report,
                                  const struct report_picture *picture, const void *content)
{
    const struct section *s = content;
    const struct report_gauge *gauges = report_tsunami_waves(report)->gauges;
    const size_t count = s->count;
    char font[64];
    (void)picture;
    panels_box(plot, &s->panels, 0);
    panels_heading(plot, report, s->panels.left, "All gauges, in the order of arrival");
    panels_time_axis(plot, 0, report->duration_s, style_time_unit(report->duration_s), 13, true);
    plot_font(plot, 12.5, false, font);
    fprintf(plot->script,
            "set border 1\nset tics font '%s'\nunset ytics\nset yrange [-0.7:%.1f]\nset grid xtics linecolor "
            "rgb '#e4e4e4' linewidth 0.6 linetype 1\n",
            font, (double)count - 0.2);
    for (size_t k = 0; k < count; k++)
        script_trace_texts(plot, report, &gauges[s->order[k].gauge], (double)(count - 1 - k), font);
    fprintf(plot->script, "plot ");
    for (size_t k = 0; k < count; k++)
        CHECK(script_trace(plot, &gauges[s->order[k].gauge], report, count - 1 - k, k == 0));
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

static enum status draw_section(struct report *report)
{
    enum { TRACES_MAX = 40, TRACES_MIN = 3 };
    const struct report_waves *waves = report_tsunami_waves(report);
    const double scale = report_scale(report);
    const size_t count = waves->gauge_count < TRACES_MAX ? waves->gauge_count : TRACES_MAX;
    if (count < TRACES_MIN)
        return STATUS_OK;
    struct order order[TRACES_MAX] = {0};
    for (size_t k = 0; k < count; k++)
        order[k] = (struct order){waves->gauges[k].arrival_s, k};
    qsort(order, count, sizeof *order, compare_arrivals);
    struct section section = {panels_layout(report->options.width_px, scale, 1, 46 * (double)count + 30),
                              order, count};
    section.panels.left = 190 * scale;
    section.panels.right = 128 * scale;
    section.panels.width = report->options.width_px - section.panels.left - section.panels.right;
    section.panels.top = 84 * scale;
    struct report_picture picture =
        report_picture_of(TSUNAMI_GAUGES, "gauges_all.png", "All gauges over the whole run",
                          report->options.width_px, panels_height(&section.panels));
    char least[STYLE_TEXT_BYTES];
    snprintf(picture.caption, sizeof picture.caption,
             "All gauges over the whole run in the order of arrival, each scaled by its own largest value, "
             "or by %s where that is less; the number on the right is the highest level.",
             style_length(report_tsunami_least_height_m(waves), least));
    return report_draw(report, &picture, script_section, &section);
}

enum status report_tsunami_draw_gauges(struct report *report)
{
    enum { PER_PICTURE = 10 };
    const struct report_waves *waves = report_tsunami_waves(report);
    const size_t drawn =
        waves->gauge_count < REPORT_GAUGES_DRAWN_MAX ? waves->gauge_count : REPORT_GAUGES_DRAWN_MAX;
    if (drawn == 0 || waves->gauges[0].model.count < 2)
        return STATUS_OK;
    CHECK(draw_section(report));
    for (size_t first = 0; first < drawn; first += PER_PICTURE)
        CHECK(draw_gauge_picture(report, first, drawn - first < PER_PICTURE ? drawn - first : PER_PICTURE,
                                 first / PER_PICTURE + 1));
    if (drawn < waves->gauge_count)
        report_warn(report, "%zu of %zu gauges are drawn; the table has all of them", drawn,
                    waves->gauge_count);
    return STATUS_OK;
}
