// Marks in the planes of a heat run's page: the hottest cell, the target, the transducer, sensors.
#include "report/bioheat/report.h"

#include "io/json_file.h"

#include <math.h>
#include <stdlib.h>

static void add_mark(cJSON *list, const char *kind, const char *name, const double place_mm[3],
                     double radius_mm)
{
    cJSON *mark = json_append_object(list);
    cJSON_AddStringToObject(mark, "kind", kind);
    cJSON_AddStringToObject(mark, "name", name);
    cJSON *place = cJSON_AddArrayToObject(mark, "place_mm");
    for (int r = 0; r < 3; r++)
        cJSON_AddItemToArray(place, cJSON_CreateNumber(round(1e4 * place_mm[r]) / 1e4));
    if (radius_mm > 0)
        cJSON_AddNumberToObject(mark, "radius_mm", radius_mm);
}

// A scanner position of run.json, {"x_m": …, "y_m": …, "z_m": …}, along the axes of the planes; nothing if it
// is missing.
static void add_place(const struct report *report, const struct heat_volume *v, const char *kind,
                      const char *name, cJSON *list)
{
    double axes_mm[3];
    const cJSON *place = json_member(report->run, kind);
    const double mm[3] = {1e3 * json_number(place, "x_m"), 1e3 * json_number(place, "y_m"),
                          1e3 * json_number(place, "z_m")};
    if (!(isfinite(mm[0]) && isfinite(mm[1]) && isfinite(mm[2])))
        return;
    report_bioheat_to_axes(v, mm, axes_mm);
    add_mark(list, kind, name, axes_mm, 1e3 * json_number(place, "radius_m"));
}

static enum status add_sensors(const struct report *report, const struct heat_volume *v, cJSON *list)
{
    static const char *const axes[3] = {"x", "y", "z"};
    enum { SENSORS_MAX = 200 };
    struct result_file *file;
    double *places_m[3] = {NULL, NULL, NULL};
    char **names = NULL;
    size_t counts[3] = {0, 0, 0}, name_count = 0;
    enum status status = report_open_file(report, report->options.directory, "sensors.nc", &file);
    bool has_all = result_find(file, "name") != NULL;
    for (int r = 0; r < 3; r++)
        has_all = has_all && result_find(file, axes[r]);
    for (int r = 0; r < 3 && has_all && status == STATUS_OK; r++)
        status = result_read_all(file, axes[r], &places_m[r], &counts[r]);
    if (has_all && status == STATUS_OK)
        status = result_read_texts(file, "name", &names, &name_count);
    for (size_t k = 0; k < name_count && k < SENSORS_MAX && status == STATUS_OK; k++)
        if (k < counts[0] && k < counts[1] && k < counts[2]) {
            const double mm[3] = {1e3 * places_m[0][k], 1e3 * places_m[1][k], 1e3 * places_m[2][k]};
            double axes_mm[3];
            report_bioheat_to_axes(v, mm, axes_mm);
            add_mark(list, "sensor", names[k], axes_mm, 0);
        }
    for (int r = 0; r < 3; r++)
        free(places_m[r]);
    result_free_texts(names, name_count);
    result_close(file);
    return status;
}

enum status report_bioheat_web_marks(const struct report *report, const struct heat_volume *v, cJSON *object)
{
    cJSON *list = cJSON_AddArrayToObject(object, "marks");
    double hottest_mm[3];
    for (int r = 0; r < 3; r++)
        hottest_mm[r] = v->axes_mm[HEAT_AXES - 1 - r][v->hottest[HEAT_AXES - 1 - r]];
    add_mark(list, "hottest", v->is_maximum ? "hottest cell" : "hottest cell at the end", hottest_mm, 0);
    add_place(report, v, "target", "target", list);
    add_place(report, v, "transducer", "transducer", list);
    return add_sensors(report, v, list);
}
