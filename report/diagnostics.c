// Panels of diagnostics.nc against time: see diagnostics.h.
#include "report/diagnostics.h"

#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const curve_colours[] = {"#1f5f99", "#d9772b", "#444444"};

static bool is_series(const struct report *report, const char *name)
{
    const struct result_variable *variable = name ? result_find(report->files.diagnostics, name) : NULL;
    return variable && variable->rank == 1 && !variable->is_text &&
           strcmp(variable->dimensions[0], "time") == 0 && strcmp(variable->name, "time") != 0;
}

struct curve_data {
    size_t count;
    const double *times_s;
    double *values[3];
    double low, high;
};

static enum status read_curves(const struct report *report, const struct report_diagnostic *curves,
                               struct curve_data *data)
{
    data->low = INFINITY;
    data->high = -INFINITY;
    for (int c = 0; c < 3 && curves->variables[c]; c++) {
        size_t length;
        if (!is_series(report, curves->variables[c]))
            continue;
        CHECK(result_read_all(report->files.diagnostics, curves->variables[c], &data->values[c], &length));
        for (size_t k = 0; k < length; k++)
            data->values[c][k] *= curves->factor;
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

static void script_value_axis(struct plot *plot, const struct report_diagnostic *curves,
                              const struct curve_data *data, double unit, const char *prefix)
{
    double low = data->low / unit, high = data->high / unit;
    // Volumes: k, M, G of cubic metres would be read as (km)³; powers of ten are plain.
    if (prefix[0] && strcmp(curves->unit, "m³") == 0)
        fprintf(plot->script, "set ylabel '10%s m³' offset 0.6,0\n",
                unit >= 1e12 ? "¹²" : (unit >= 1e9 ? "⁹" : (unit >= 1e6 ? "⁶" : (unit >= 1e3 ? "³" : "⁰"))));
    else
        fprintf(plot->script, "set ylabel '%s%s' offset 0.6,0\n", prefix, curves->unit);
    if (curves->is_logarithmic && low > 0 && high / low > 5) {
        low = style_round_down(low);
        high = style_round_up(high);
        fprintf(plot->script, "set logscale y\nset yrange [%.8g:%.8g]\n", low, high);
        panels_log_ticks(plot, 'y', low, high, 0);
        return;
    }
    low = fmin(low, curves->variables[1] ? 0 : low);
    // A nearly constant series is drawn as a straight line, not as its rounding errors.
    bool is_flat = !(high - low > 0.01 * fmax(fabs(high), fabs(low)));
    double margin = is_flat ? fmax(1e-3, 0.2 * fabs(high)) : 0.1 * (high - low);
    fprintf(plot->script, "unset logscale y\nset yrange [%.8g:%.8g]\nset ytics %.8g\n", low - margin,
            high + margin, style_step(high - low + 2 * margin, 5));
}

// The names of a panel's curves in their colours, at the right of its title.
static void script_curve_names(struct plot *plot, const struct report_diagnostic *curves,
                               const struct curve_data *data)
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
    const enum status status = plot_xy(plot, is_first ? "plot " : ", ", xy, data->count,
                                       "with lines linewidth 1.4 linecolor rgb '%s'", curve_colours[c]);
    free(xy);
    return status;
}

static enum status script_curves(struct plot *plot, const struct report *report,
                                 const struct report_diagnostic *curves, const struct curve_data *data,
                                 bool has_time_label)
{
    struct style_time_unit time_unit = style_time_unit(report->duration_s);
    const char *prefix = "";
    double magnitude = fmax(fabs(data->low), fabs(data->high)), unit = 1;
    bool has_prefix =
        strcmp(curves->unit, "J") == 0 || (strcmp(curves->unit, "m³") == 0 && magnitude >= 1000);
    if (has_prefix && magnitude > 0)
        unit = style_si_prefix(magnitude, &prefix);
    fprintf(plot->script, "unset label\n");
    panels_title(plot, curves->title, "");
    script_curve_names(plot, curves, data);
    panels_time_axis(plot, 0, report->duration_s, time_unit, 8, has_time_label);
    script_value_axis(plot, curves, data, unit, prefix);
    for (int c = 0, drawn = 0; c < 3; c++)
        if (data->values[c])
            CHECK(script_curve(plot, data, c, time_unit.seconds, unit, drawn++ == 0));
    fprintf(plot->script, "\n");
    return STATUS_OK;
}

static enum status script_diagnostic(struct plot *plot, const struct report *report,
                                     const struct report_diagnostic *curves, const double *times_s,
                                     size_t count, bool has_time_label)
{
    struct curve_data data = {.count = count, .times_s = times_s};
    enum status status = read_curves(report, curves, &data);
    if (status == STATUS_OK && data.high >= data.low)
        status = script_curves(plot, report, curves, &data, has_time_label);
    for (int c = 0; c < 3; c++)
        free(data.values[c]);
    return status;
}

// Whether the run has the series, with at least one finite value.
static bool has_values(const struct report *report, const char *name)
{
    double *values;
    size_t length;
    bool is_finite = false;
    if (!is_series(report, name) ||
        result_read_all(report->files.diagnostics, name, &values, &length) != STATUS_OK)
        return false;
    for (size_t k = 0; k < length; k++)
        is_finite |= isfinite(values[k]);
    free(values);
    return is_finite;
}

// The panels of a picture.
enum { PANELS_MAX = 8 };
struct list {
    size_t count;
    struct report_diagnostic panels[PANELS_MAX];
    struct panels layout;
    double *times_s;
    size_t times;
};

static bool is_listed(const struct report_diagnostics *wanted, const char *name)
{
    for (size_t k = 0; k < wanted->count; k++)
        for (int c = 0; c < 3 && wanted->panels[k].variables[c]; c++)
            if (strcmp(name, wanted->panels[k].variables[c]) == 0)
                return true;
    return false;
}

static void choose_panels(const struct report *report, const struct report_diagnostics *wanted,
                          struct list *list)
{
    const struct result_file *file = report->files.diagnostics;
    for (size_t k = 0; k < wanted->count; k++) {
        const char *name = wanted->panels[k].variables[0];
        if (wanted->has_others ? is_series(report, name) : has_values(report, name))
            list->panels[list->count++] = wanted->panels[k];
    }
    for (size_t v = 0; wanted->has_others && file && v < result_variable_count(file); v++) {
        const struct result_variable *variable = result_variable_at(file, v);
        if (is_series(report, variable->name) && !is_listed(wanted, variable->name) &&
            list->count < PANELS_MAX)
            list->panels[list->count++] = (struct report_diagnostic){
                variable->name, variable->units, {variable->name}, {variable->name}, false, 1};
    }
}

static enum status script_listed(struct plot *plot, const struct report *report, const void *content,
                                 size_t k)
{
    const struct list *list = content;
    return script_diagnostic(plot, report, &list->panels[k], list->times_s, list->times,
                             k + list->layout.columns >= list->count);
}

enum status report_draw_diagnostics(struct report *report, const struct report_diagnostics *wanted)
{
    struct list list = {0};
    choose_panels(report, wanted, &list);
    if (list.count == 0 || !result_find(report->files.diagnostics, "time"))
        return STATUS_OK;
    CHECK(result_read_all(report->files.diagnostics, "time", &list.times_s, &list.times));
    list.layout = panels_layout(report->options.width_px, report_scale(report), list.count, 230);
    const struct panels_picture picture = {.section = wanted->section,
                                           .file = "diagnostics.png",
                                           .title = "Diagnostics",
                                           .caption = wanted->caption,
                                           .layout = &list.layout,
                                           .count = list.count,
                                           .content = &list,
                                           .panel = script_listed};
    const enum status status = list.times > 1 ? panels_draw(report, &picture) : STATUS_OK;
    free(list.times_s);
    return status;
}
