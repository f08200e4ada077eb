// Sensors against time in a heat report: temperature, and dose if the run has it. The series are those of
// sensors.nc.
#include "report/bioheat/report.h"
#include "report/panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENSORS_DRAWN_MAX = 10 };
static const char *const colours[SENSORS_DRAWN_MAX] = {"#1f5f99", "#d9772b", "#1d7a45", "#b0123b", "#6f4fa3",
                                                       "#7a5230", "#c2549f", "#5c6670", "#9a8f16", "#1b98a6"};

struct sensors {
    struct result_file *file;
    size_t records, stations;
    double *times_s;
    double *values; // [record][station]
    char **names;
    size_t name_count;
};

static void close_sensors(struct sensors *s)
{
    result_free_texts(s->names, s->name_count);
    free(s->times_s);
    free(s->values);
    result_close(s->file);
}

static enum status script_curves(struct plot *plot, const struct sensors *s, double time_unit_s, bool is_dose)
{
    const size_t drawn = s->stations < SENSORS_DRAWN_MAX ? s->stations : SENSORS_DRAWN_MAX;
    float *xy = malloc((s->records + 1) * 2 * sizeof *xy);
    if (!xy)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the sensors");
    enum status status = STATUS_OK;
    for (size_t k = 0; k < drawn && status == STATUS_OK; k++) {
        for (size_t r = 0; r < s->records; r++) {
            const double value = s->values[r * s->stations + k];
            xy[2 * r] = (float)(s->times_s[r] / time_unit_s);
            xy[2 * r + 1] = is_dose && !(value > 0) ? NAN : (float)value;
        }
        status = plot_xy(plot, k == 0 ? "plot " : ", ", xy, s->records,
                         "with lines linewidth 1.5 linecolor rgb '%s'", colours[k]);
    }
    fprintf(plot->script, "\n");
    free(xy);
    return status;
}

// The names, in the curves' colours, at the right of the panel.
static void script_names(struct plot *plot, const struct sensors *s)
{
    const size_t drawn = s->stations < SENSORS_DRAWN_MAX ? s->stations : SENSORS_DRAWN_MAX;
    char font[64], quoted[REPORT_TEXT_BYTES];
    plot_font(plot, 13, true, font);
    for (size_t k = 0; k < drawn; k++)
        fprintf(plot->script,
                "set label %zu %s at graph 1,1 offset character 1.5,%.2f left font '%s' textcolor rgb '%s'\n",
                20 + k,
                style_quote(s->names && k < s->name_count ? s->names[k] : "", 18, quoted, sizeof quoted),
                -0.8 - 1.5 * (double)k, font, colours[k]);
}

// Least and greatest finite value, of those above 0 for a dose.
static bool range_of(const struct sensors *s, bool is_dose, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = 0; k < s->records * s->stations; k++)
        if (isfinite(s->values[k]) && (!is_dose || s->values[k] > 0)) {
            *low = fmin(*low, s->values[k]);
            *high = fmax(*high, s->values[k]);
        }
    return *high >= *low;
}

static enum status script_panel(struct plot *plot, const struct sensors *s, bool is_dose, double low,
                                double high, bool has_label)
{
    const struct style_time_unit unit = style_time_unit(s->times_s[s->records - 1] - s->times_s[0]);
    fprintf(plot->script, "unset label\n");
    panels_title(plot, is_dose ? "Thermal dose" : "Temperature", "");
    panels_time_axis(plot, s->times_s[0], s->times_s[s->records - 1], unit, 12, has_label);
    if (is_dose) {
        low = fmax(low, high * 1e-6);
        fprintf(plot->script,
                "set logscale y\nset format y '%%g'\nset yrange [%.8g:%.8g]\nset ytics auto\nset ylabel "
                "'CEM43 (min)' offset 0.6,0\n",
                pow(10, floor(log10(low))), pow(10, ceil(log10(high * 1.0001))));
    } else {
        const double margin = fmax(0.06 * (high - low), 0.01);
        fprintf(plot->script,
                "unset logscale y\nset yrange [%.8g:%.8g]\nset ytics %.8g\nset ylabel '°C' offset 0.6,0\n",
                low - margin, high + margin, style_step(high - low + 2 * margin, 7));
    }
    script_names(plot, s);
    return script_curves(plot, s, unit.seconds, is_dose);
}

static enum status script_variable(struct plot *plot, struct sensors *s, bool is_dose, bool has_label)
{
    double low, high;
    size_t length;
    free(s->values);
    s->values = NULL;
    CHECK(result_read_all(s->file, is_dose ? "dose" : "temperature", &s->values, &length));
    if (length != s->records * s->stations || !range_of(s, is_dose, &low, &high))
        return STATUS_OK;
    return script_panel(plot, s, is_dose, low, high, has_label);
}

// The panels: temperature, and the dose if the run has it. One variable is read at a time.
struct content {
    struct sensors *sensors;
    size_t count;
};

static enum status script_shown(struct plot *plot, const struct report *report, const void *content, size_t k)
{
    const struct content *c = content;
    (void)report;
    return script_variable(plot, c->sensors, k > 0, k + 1 == c->count);
}

static enum status draw(struct report *report, struct sensors *s)
{
    const double scale = report_scale(report);
    const struct content content = {s, result_find(s->file, "dose") ? 2 : 1};
    char caption[128];
    struct panels layout = panels_layout(report->options.width_px, scale, 1, 380);
    layout.right = 210 * scale;
    layout.width = report->options.width_px - layout.left - layout.right;
    layout.rows = content.count;
    snprintf(caption, sizeof caption, "Temperature%s at the sensors against time%s.",
             content.count > 1 ? " and thermal dose (logarithmic)" : "",
             s->stations > SENSORS_DRAWN_MAX ? "; the first ten of them" : "");
    return panels_draw(report, &(struct panels_picture){.section = HEAT_SENSORS,
                                                        .file = "sensors.png",
                                                        .title = "Sensors",
                                                        .caption = caption,
                                                        .layout = &layout,
                                                        .count = content.count,
                                                        .content = &content,
                                                        .panel = script_shown});
}

enum status report_bioheat_draw_sensors(struct report *report)
{
    struct report_heat *heat = report->state;
    struct sensors s = {0};
    enum status status = report_open_file(report, report->options.directory, "sensors.nc", &s.file);
    const struct result_variable *variable = result_find(s.file, "temperature");
    if (status == STATUS_OK && variable && variable->rank == 2 && variable->lengths[0] > 1 &&
        variable->lengths[1] > 0) {
        s.stations = variable->lengths[1];
        status = result_read_all(s.file, "time", &s.times_s, &s.records);
        if (status == STATUS_OK && result_find(s.file, "name"))
            status = result_read_texts(s.file, "name", &s.names, &s.name_count);
        if (status == STATUS_OK && s.records == variable->lengths[0])
            status = draw(report, &s);
    }
    heat->sensors = s.stations;
    close_sensors(&s);
    return status;
}
