// The order of a heat run's pictures, and what its page says of the hottest cell.
#include "report/bioheat/report.h"

#include <math.h>

static void note_hottest(struct report *report, const struct heat_volume *v)
{
    struct report_heat *heat = &report->heat;
    *(v->is_maximum ? &heat->largest_c : &heat->end_c) = v->hottest_c;
    for (int axis = 0; axis < HEAT_AXES; axis++)
        (v->is_maximum ? heat->place_mm : heat->end_place_mm)[axis] = v->axes_mm[axis][v->hottest[axis]];
    if (!v->is_maximum)
        return;
    double at_s;
    const struct result_variable *time = result_find(v->file, "time_of_max");
    if (time && time->rank == HEAT_AXES &&
        result_read(v->file, time->name, v->hottest, (size_t[]){1, 1, 1}, &at_s) == STATUS_OK)
        heat->at_s = at_s;
}

// What the run's records say, where it kept no map of largest temperatures.
static void note_run(struct report *report)
{
    static const char *const groups[] = {"run", "records"};
    const cJSON *diagnostics = cJSON_GetObjectItemCaseSensitive(report->run, "diagnostics");
    for (size_t k = 0; k < sizeof groups / sizeof *groups && !isfinite(report->heat.largest_c); k++) {
        const cJSON *group = cJSON_GetObjectItemCaseSensitive(diagnostics, groups[k]);
        report->heat.largest_c = report_json_number(group, "largest_temperature_degC");
        report->heat.at_s = report_json_number(group, "largest_temperature_at_s");
        report->heat.largest_is_of_records = k > 0 && isfinite(report->heat.largest_c);
    }
}

enum status report_draw_heat(struct report *report)
{
    struct heat_volume volume = {0};
    bool is_there;
    enum status status = heat_open_volume(report_outermost(report), &volume, &is_there);
    if (status == STATUS_OK && is_there && isfinite(volume.hottest_c)) {
        note_hottest(report, &volume);
        status = report_draw_heat_slices(report, &volume);
        if (status == STATUS_OK)
            status = report_draw_heat_frames(report, &volume);
    }
    note_run(report);
    if (status == STATUS_OK)
        status = report_draw_heat_sensors(report);
    heat_close_volume(&volume);
    return status;
}
