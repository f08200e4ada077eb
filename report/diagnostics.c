// Mass, energy, heat and extremes against time in a report. Knows diagnostics.nc's variables; writes gnuplot
// scripts.
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One panel of diagnostics: up to three curves that share an axis.
struct curves {
    const char *title, *unit;
    const char *variables[3], *names[3];
    bool is_logarithmic;
    double factor; // from the file's unit to this
};

static const struct curves known_curves[] = {
    {"Volume above the level of rest", "m³", {"mass"}, {"volume"}, false, 1},
    {"Energy", "J", {"energy_kinetic", "energy_potential"}, {"kinetic", "potential"}, false, 1},
    {"Largest elevation anywhere", "m", {"max_abs_eta"}, {"largest |η|"}, true, 1},
    {"Largest speed anywhere", "m/s", {"max_speed"}, {"largest speed"}, false, 1},
    {"Largest Courant number", "", {"courant"}, {"Courant number"}, false, 1},
};
static const struct curves heat_curves[] = {
    {"Largest temperature", "°C", {"largest_temperature"}, {"largest"}, false, 1},
    {"Heat above the reference temperature", "J", {"heat"}, {"heat"}, false, 1},
    {"Power of the source", "W", {"source_power"}, {"power"}, false, 1},
    {"Largest thermal dose", "CEM43 (min)", {"largest_dose"}, {"dose"}, true, 1},
    {"Volume above 43 °C", "cm³", {"hot_volume"}, {"volume"}, false, 1e6},
    {"Volume with the dose of a lesion", "cm³", {"lesion_volume"}, {"volume"}, false, 1e6},
};
static const char *const curve_colours[] = {"#1f5f99", "#d9772b", "#444444"};

// The outermost grid's: the nested ones are parts of it.
static const struct result_file *diagnostics_of(const struct report *report)
{
    return report->grids[0].diagnostics;
}

static bool is_series(const struct report *report, const char *name)
{
    const struct result_variable *variable = name ? result_find(diagnostics_of(report), name) : NULL;
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
        CHECK(result_read_all(diagnostics_of(report), curves->variables[c], &data->values[c], &length));
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
static bool has_number(const struct report *report, const char *name)
{
    double *values;
    size_t length;
    bool is_there = false;
    if (!is_series(report, name) ||
        result_read_all(diagnostics_of(report), name, &values, &length) != STATUS_OK)
        return false;
    for (size_t k = 0; k < length; k++)
        is_there |= isfinite(values[k]);
    free(values);
    return is_there;
}

// Those that the run kept; its file has places and indices too, which are no curves.
static size_t list_heat_curves(const struct report *report, struct curves list[CURVES_MAX])
{
    size_t count = 0;
    for (size_t k = 0; k < sizeof heat_curves / sizeof *heat_curves; k++)
        if (has_number(report, heat_curves[k].variables[0]))
            list[count++] = heat_curves[k];
    return count;
}

static size_t list_curves(const struct report *report, struct curves list[CURVES_MAX])
{
    if (report->heat.is_heat)
        return list_heat_curves(report, list);
    size_t count = 0, known = sizeof known_curves / sizeof *known_curves;
    for (size_t k = 0; k < known; k++)
        if (is_series(report, known_curves[k].variables[0]))
            list[count++] = known_curves[k];
    for (size_t v = 0; diagnostics_of(report) && v < result_variable_count(diagnostics_of(report)); v++) {
        const struct result_variable *variable = result_variable_at(diagnostics_of(report), v);
        bool is_known = !is_series(report, variable->name);
        for (size_t k = 0; k < known; k++)
            for (int c = 0; c < 3 && known_curves[k].variables[c]; c++)
                is_known = is_known || strcmp(variable->name, known_curves[k].variables[c]) == 0;
        if (!is_known && count < CURVES_MAX)
            list[count++] = (struct curves){variable->name,   variable->units, {variable->name},
                                            {variable->name}, false,           1};
    }
    return count;
}

static enum status script_diagnostics(struct plot *plot, struct report *report, const struct panels *panels,
                                      const struct curves *list, size_t count, const double *times_s,
                                      size_t length)
{
    panels_begin(plot);
    for (size_t k = 0; k < count; k++) {
        panels_box(plot, panels, k);
        CHECK(script_diagnostic(plot, report, &list[k], times_s, length, k + panels->columns >= count));
    }
    panels_empty_plot(plot);
    panels_heading(plot, report, panels->left, "Diagnostics");
    fprintf(plot->script, "plot NaN notitle\n");
    return STATUS_OK;
}

static enum status note_volume(struct report *report)
{
    double *values;
    size_t length;
    if (!is_series(report, "mass"))
        return STATUS_OK;
    CHECK(result_read_all(diagnostics_of(report), "mass", &values, &length));
    if (length > 0)
        report->volume_change = values[length - 1] - values[0];
    free(values);
    return STATUS_OK;
}

enum status report_draw_diagnostics(struct report *report)
{
    struct curves list[CURVES_MAX];
    size_t count = list_curves(report, list);
    if (count == 0 || !result_find(diagnostics_of(report), "time"))
        return STATUS_OK;
    CHECK(note_volume(report));
    double *times_s;
    size_t length;
    CHECK(result_read_all(diagnostics_of(report), "time", &times_s, &length));
    double scale = report->options.width_px / 1600.;
    struct panels panels = panels_layout(report->options.width_px, scale, count, 230);
    struct report_picture *picture =
        length > 1 ? report_add_picture(report, REPORT_DIAGNOSTICS, "diagnostics.png",
                                        report->options.width_px, panels_height(&panels))
                   : NULL;
    enum status status = STATUS_OK;
    if (picture) {
        snprintf(picture->title, sizeof picture->title, "Diagnostics");
        snprintf(
            picture->caption, sizeof picture->caption, "%s",
            report->heat.is_heat
                ? "Extremes and totals over the whole volume against time. Heat leaves with the blood and "
                  "through the faces that let it pass."
                : "Totals over the whole area against time. Waves that leave through open edges take volume "
                  "and energy with them.");
        struct plot plot;
        status = report_start_picture(report, picture, scale, &plot);
        if (status == STATUS_OK)
            status = script_diagnostics(&plot, report, &panels, list, count, times_s, length);
        status = plot_finish(&plot, status);
    }
    free(times_s);
    return status;
}
