// Series of a heat run's page: profiles through the hottest cell, sensors, and the run as a whole over time.
#include "report/bioheat/report.h"

#include "io/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 3000, CURVES_MAX = 10 };
static const char *const colours[CURVES_MAX] = {"#2f81c7", "#d9772b", "#2b9a5c", "#d1495b", "#8a63c7",
                                                "#9a6a42", "#c2549f", "#75828d", "#a89c1c", "#1b98a6"};

static cJSON *begin_chart(cJSON *web, const char *id, const char *choice, struct style_time_unit unit)
{
    cJSON *charts = cJSON_GetObjectItem(web, "charts");
    if (!charts)
        charts = cJSON_AddArrayToObject(web, "charts");
    cJSON *chart = json_append_object(charts);
    cJSON_AddStringToObject(chart, "id", id);
    cJSON_AddStringToObject(chart, "choice", choice);
    cJSON_AddStringToObject(chart, "time_unit", unit.name);
    cJSON_AddNumberToObject(chart, "time_unit_s", unit.seconds);
    cJSON_AddArrayToObject(chart, "series");
    return chart;
}

// One choice of a chart: its curves, in its own unit.
static cJSON *add_series(cJSON *chart, const char *name, const char *title, const char *unit)
{
    cJSON *item = json_append_object(cJSON_GetObjectItem(chart, "series"));
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddStringToObject(item, "title", title);
    cJSON_AddStringToObject(item, "unit", unit);
    cJSON_AddArrayToObject(item, "curves");
    return item;
}

// To six digits: more than any result has.
static cJSON *number_of(double value)
{
    char text[40];
    if (!isfinite(value))
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "%.6g", value);
    return cJSON_CreateNumber(strtod(text, NULL));
}

// Values at abscissae, every `stride` of them; thinned out above SAMPLES_MAX.
static void add_curve(cJSON *series, const char *name, const char *colour, const double *at,
                      const double *values, size_t count, size_t stride)
{
    const size_t skip = (count + SAMPLES_MAX - 1) / SAMPLES_MAX;
    cJSON *curve = json_append_object(cJSON_GetObjectItem(series, "curves"));
    cJSON_AddStringToObject(curve, "name", name);
    cJSON_AddStringToObject(curve, "colour", colour);
    cJSON *times = cJSON_AddArrayToObject(curve, "times_s"), *list = cJSON_AddArrayToObject(curve, "values");
    for (size_t k = 0; k < count; k += skip) {
        cJSON_AddItemToArray(times, number_of(at[k]));
        cJSON_AddItemToArray(list, number_of(values[k * stride]));
    }
}

// ---- profiles

// A cell that profiles pass through, and its name: "the hottest cell (cortical bone)".
struct profile_place {
    size_t cell[HEAT_AXES];
    char name[96];
};

static enum status read_line(const struct heat_volume *v, const struct profile_place *place,
                             const char *variable, int axis, double *values)
{
    size_t start[HEAT_AXES], count[HEAT_AXES] = {1, 1, 1};
    memcpy(start, place->cell, sizeof start);
    start[axis] = 0;
    count[axis] = v->cells[axis];
    return result_read(v->file, variable, start, count, values);
}

// Positions along an axis, around the warm part.
static void set_axis(const struct heat_volume *v, int axis, cJSON *series)
{
    static const char names[] = "zyx";
    char text[32];
    snprintf(text, sizeof text, "%c", names[axis]);
    cJSON_AddStringToObject(series, "across", text);
    cJSON_AddStringToObject(series, "across_unit", "mm");
    if (!v->has_close)
        return;
    const double *mm = v->axes_mm[axis];
    const double ends[2] = {mm[v->close.first[axis]], mm[v->close.first[axis] + v->close.count[axis] - 1]};
    cJSON_AddItemToObject(series, "range", cJSON_CreateDoubleArray(ends, 2));
}

static enum status add_profile(const struct heat_volume *v, const struct profile_place *place,
                               const char *variable, int axis, cJSON *chart)
{
    static const char *const letters[HEAT_AXES] = {"z", "y", "x"};
    const bool is_dose = strcmp(variable, "dose") == 0;
    const size_t cells = v->cells[axis];
    char name[64], choice[sizeof name + sizeof place->name + 16];
    double *values = malloc(cells * sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a line of %zu cells", cells);
    const enum status status = read_line(v, place, variable, axis, values);
    snprintf(name, sizeof name, "%s along %s", is_dose ? "Thermal dose" : "Largest temperature",
             letters[axis]);
    snprintf(choice, sizeof choice, "%s, through %s", name, place->name);
    if (status == STATUS_OK) {
        cJSON *series = add_series(chart, choice, is_dose ? "Thermal dose" : "Largest temperature",
                                   is_dose ? "CEM43 (min)" : "°C");
        set_axis(v, axis, series);
        if (is_dose)
            cJSON_AddBoolToObject(series, "is_logarithmic", true);
        for (size_t i = 0; i < cells && is_dose; i++)
            values[i] = values[i] > 0 ? values[i] : NAN;
        add_curve(series, name, colours[is_dose ? 4 : 3], v->axes_mm[axis], values, cells, 1);
    }
    free(values);
    return status;
}

// The tissue's name is that of its label in maxima.nc.
static void name_tissue(const struct report *report, const struct heat_volume *v, const char *what,
                        struct profile_place *place)
{
    const cJSON *item;
    double label = NAN;
    snprintf(place->name, sizeof place->name, "%s", what);
    if (!result_find(v->file, "label") ||
        result_read(v->file, "label", place->cell, (size_t[]){1, 1, 1}, &label) != STATUS_OK)
        return;
    cJSON_ArrayForEach(item, json_member(json_member(report->run, "media"), "tissues"))
    {
        if (json_number(item, "label") == label)
            snprintf(place->name, sizeof place->name, "%s (%.60s)", what, json_text(item, "name"));
    }
}

// The hottest cell, which often lies in bone, and the cell nearest to the target if the job has one.
static size_t find_places(const struct report *report, const struct heat_volume *v,
                          struct profile_place places[2])
{
    static const char *const keys[HEAT_AXES] = {"z_m", "y_m", "x_m"};
    const cJSON *target = json_member(report->run, "target");
    memcpy(places[0].cell, v->hottest, sizeof places[0].cell);
    name_tissue(report, v, "the hottest cell", &places[0]);
    for (int axis = 0; axis < HEAT_AXES; axis++) {
        const double at_mm = 1e3 * json_number(target, keys[axis]);
        size_t nearest = 0;
        if (!isfinite(at_mm))
            return 1;
        for (size_t i = 1; i < v->cells[axis]; i++)
            if (fabs(v->axes_mm[axis][i] - at_mm) < fabs(v->axes_mm[axis][nearest] - at_mm))
                nearest = i;
        places[1].cell[axis] = nearest;
    }
    name_tissue(report, v, "the target", &places[1]);
    return 2;
}

static enum status add_profiles(const struct report *report, const struct heat_volume *v)
{
    static const char *const variables[] = {"max_temperature", "dose"};
    const struct style_time_unit unit = {"s", 1};
    struct profile_place places[2];
    const size_t place_count = find_places(report, v, places);
    cJSON *chart = NULL;
    for (size_t n = 0; n < place_count * 2; n++)
        for (int axis = HEAT_AXES - 1; axis >= 0; axis--) {
            const char *variable = variables[n % 2];
            if (!result_find(v->file, variable) || v->cells[axis] < 2)
                continue;
            if (!chart)
                chart = begin_chart(report->web, "heat-profiles", "Profile:", unit);
            CHECK(add_profile(v, &places[n / 2], variable, axis, chart));
        }
    return STATUS_OK;
}

// ---- sensors

struct sensors {
    struct result_file *file;
    size_t records, stations, name_count;
    double *times_s;
    char **names;
};

// Ten curves at most in one picture.
static enum status add_variable(const struct sensors *s, bool is_dose, cJSON *chart)
{
    double *values;
    size_t length;
    CHECK(result_read_all(s->file, is_dose ? "dose" : "temperature", &values, &length));
    for (size_t first = 0; first < s->stations && length == s->records * s->stations; first += CURVES_MAX) {
        const size_t end = first + CURVES_MAX < s->stations ? first + CURVES_MAX : s->stations;
        const char *title = is_dose ? "Thermal dose" : "Temperature";
        char name[96];
        snprintf(name, sizeof name, s->stations > CURVES_MAX ? "%s, sensors %zu to %zu" : "%s", title,
                 first + 1, end);
        cJSON *series = add_series(chart, name, title, is_dose ? "CEM43 (min)" : "°C");
        if (is_dose)
            cJSON_AddBoolToObject(series, "is_logarithmic", true);
        for (size_t k = first; k < end; k++) {
            for (size_t r = 0; r < s->records && is_dose; r++)
                if (!(values[r * s->stations + k] > 0))
                    values[r * s->stations + k] = NAN;
            add_curve(series, k < s->name_count ? s->names[k] : "", colours[k - first], s->times_s,
                      values + k, s->records, s->stations);
        }
    }
    free(values);
    return STATUS_OK;
}

static enum status add_sensors(struct report *report)
{
    struct sensors s = {0};
    enum status status = report_open_file(report, report->options.directory, "sensors.nc", &s.file);
    const struct result_variable *variable = result_find(s.file, "temperature");
    if (status == STATUS_OK && variable && variable->rank == 2 && variable->lengths[0] > 1) {
        s.stations = variable->lengths[1];
        status = result_read_all(s.file, "time", &s.times_s, &s.records);
        if (status == STATUS_OK && result_find(s.file, "name"))
            status = result_read_texts(s.file, "name", &s.names, &s.name_count);
        if (status == STATUS_OK && s.records == variable->lengths[0]) {
            cJSON *chart = begin_chart(report->web, "heat-sensors",
                                       "Sensors:", style_time_unit(s.times_s[s.records - 1] - s.times_s[0]));
            status = add_variable(&s, false, chart);
            if (status == STATUS_OK && result_find(s.file, "dose"))
                status = add_variable(&s, true, chart);
        }
    }
    result_free_texts(s.names, s.name_count);
    free(s.times_s);
    result_close(s.file);
    return status;
}

// ---- the run

static enum status add_diagnostic(const struct result_file *file, const double *times_s, size_t records,
                                  size_t k, cJSON *chart)
{
    static const struct {
        const char *variable, *title, *unit;
        double factor;
        bool is_logarithmic;
    } all[] = {{"source_power", "Power in the last step before each record", "W", 1, false},
               {"largest_temperature", "Largest temperature", "°C", 1, false},
               {"largest_dose", "Largest thermal dose", "CEM43 (min)", 1, true},
               {"hot_volume", "Volume above 43 °C", "mm³", 1e9, false},
               {"lesion_volume", "Volume with the dose of a lesion", "mm³", 1e9, false},
               {"heat", "Heat above the reference temperature", "J", 1, false}};
    double *values;
    size_t length;
    if (k >= sizeof all / sizeof *all || !result_find(file, all[k].variable))
        return STATUS_OK;
    CHECK(result_read_all(file, all[k].variable, &values, &length));
    bool has_any = false;
    for (size_t r = 0; r < length; r++) {
        values[r] = all[k].is_logarithmic && !(values[r] > 0) ? NAN : values[r] * all[k].factor;
        has_any |= isfinite(values[r]);
    }
    if (length == records && has_any) {
        cJSON *series = add_series(chart, all[k].title, all[k].title, all[k].unit);
        if (all[k].is_logarithmic)
            cJSON_AddBoolToObject(series, "is_logarithmic", true);
        add_curve(series, all[k].title, colours[k % CURVES_MAX], times_s, values, records, 1);
    }
    free(values);
    return STATUS_OK;
}

static enum status add_diagnostics(struct report *report)
{
    enum { SERIES = 6 };
    const struct result_file *file = report->files.diagnostics;
    double *times_s;
    size_t records;
    if (!result_find(file, "time"))
        return STATUS_OK;
    CHECK(result_read_all(file, "time", &times_s, &records));
    enum status status = STATUS_OK;
    if (records > 1) {
        cJSON *chart = begin_chart(report->web, "heat-run",
                                   "The run:", style_time_unit(times_s[records - 1] - times_s[0]));
        for (size_t k = 0; k < SERIES && status == STATUS_OK; k++)
            status = add_diagnostic(file, times_s, records, k, chart);
    }
    free(times_s);
    return status;
}

enum status report_bioheat_web_charts(struct report *report, const struct heat_volume *volume)
{
    if (volume && volume->is_maximum)
        CHECK(add_profiles(report, volume));
    CHECK(add_sensors(report));
    return add_diagnostics(report);
}
