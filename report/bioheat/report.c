// The report of heat in tissue: the sections of its page, the order of its pictures, its figures.
#include "report/bioheat/report.h"

#include "report/diagnostics.h"

#include <math.h>

static void note_hottest(struct report *report, const struct heat_volume *v)
{
    struct report_heat *heat = report->state;
    *(v->is_maximum ? &heat->largest_c : &heat->end_c) = v->hottest_c;
    double axes_mm[3], scanner_mm[3]; // x, y, z
    for (int r = 0; r < HEAT_AXES; r++)
        axes_mm[r] = v->axes_mm[HEAT_AXES - 1 - r][v->hottest[HEAT_AXES - 1 - r]];
    report_bioheat_to_scanner(v, axes_mm, scanner_mm);
    for (int r = 0; r < HEAT_AXES; r++)
        (v->is_maximum ? heat->place_mm : heat->end_place_mm)[HEAT_AXES - 1 - r] = scanner_mm[r];
    if (!v->is_maximum)
        return;
    double at_s;
    const struct result_variable *time = result_find(v->file, "time_of_max");
    if (time && time->rank == HEAT_AXES &&
        result_read(v->file, time->name, v->hottest, (size_t[]){1, 1, 1}, &at_s) == STATUS_OK)
        heat->at_s = at_s;
}

// By run.json's diagnostics, where the run kept no map of largest temperatures.
static void note_run(struct report *report)
{
    static const char *const groups[] = {"run", "records"};
    struct report_heat *heat = report->state;
    const cJSON *diagnostics = json_member(report->run, "diagnostics");
    for (size_t k = 0; k < sizeof groups / sizeof *groups && !isfinite(heat->largest_c); k++) {
        const cJSON *group = json_member(diagnostics, groups[k]);
        heat->largest_c = json_number(group, "largest_temperature_degC");
        heat->at_s = json_number(group, "largest_temperature_at_s");
        heat->largest_is_of_records = k > 0 && isfinite(heat->largest_c);
    }
}

static enum status draw_diagnostics(struct report *report)
{
    static const struct report_diagnostic panels[] = {
        {"Largest temperature", "°C", {"largest_temperature"}, {"largest"}, false, 1},
        {"Heat above the reference temperature", "J", {"heat"}, {"heat"}, false, 1},
        {"Power of the source", "W", {"source_power"}, {"power"}, false, 1},
        {"Largest thermal dose", "CEM43 (min)", {"largest_dose"}, {"dose"}, true, 1},
        {"Volume above 43 °C", "cm³", {"hot_volume"}, {"volume"}, false, 1e6},
        {"Volume with the dose of a lesion", "cm³", {"lesion_volume"}, {"volume"}, false, 1e6},
    };
    static const struct report_diagnostics diagnostics = {
        HEAT_DIAGNOSTICS,
        "Extremes and totals over the whole volume against time. Heat leaves with the blood and through the "
        "faces that are not insulated.",
        panels, sizeof panels / sizeof *panels, false};
    return report_draw_diagnostics(report, &diagnostics);
}

// Before anything is drawn, so that a wrong image leaves nothing behind.
static enum status open_anatomy(struct report *report, const struct heat_volume *volume)
{
    const char *path = report->options.anatomy;
    if (!path)
        return STATUS_OK;
    if (!volume)
        return FAIL(STATUS_DATA, "--anatomy %s: the run in %s kept no temperatures of the volume", path,
                    report->options.directory);
    return report_bioheat_open_anatomy(path, volume, &((struct report_heat *)report->state)->anatomy);
}

static void release(struct report *report)
{
    report_bioheat_free_anatomy(((struct report_heat *)report->state)->anatomy);
}

static enum status draw_pictures(struct report *report)
{
    struct heat_volume volume = {0};
    bool is_found;
    *(struct report_heat *)report->state =
        (struct report_heat){.largest_c = NAN, .place_mm = {NAN, NAN, NAN}, .at_s = NAN, .end_c = NAN};
    enum status status = report_bioheat_open_volume(&report->files, &volume, &is_found);
    is_found = is_found && status == STATUS_OK && isfinite(volume.hottest_c);
    if (status == STATUS_OK)
        status = open_anatomy(report, is_found ? &volume : NULL);
    if (status == STATUS_OK && is_found) {
        note_hottest(report, &volume);
        status = report_bioheat_draw_slices(report, &volume);
        if (status == STATUS_OK)
            status = report_bioheat_draw_frames(report, &volume);
    }
    note_run(report);
    if (status == STATUS_OK)
        status = report_bioheat_draw_sensors(report);
    report_bioheat_close_volume(&volume);
    return status == STATUS_OK ? draw_diagnostics(report) : status;
}

static bool recognise(const struct report *report)
{
    return result_find(report->files.diagnostics, "largest_temperature") != NULL;
}

static void add_json(cJSON *root, const struct report *report)
{
    const struct report_heat *heat = report->state;
    json_add_number(root, "largest_temperature_c", heat->largest_c);
    json_add_number(root, "largest_at_s", heat->at_s);
    if (heat->largest_is_of_records)
        cJSON_AddBoolToObject(root, "largest_is_of_records", true);
    cJSON *place = cJSON_AddObjectToObject(root, "largest_place_mm");
    json_add_number(place, "x", heat->place_mm[HEAT_X]);
    json_add_number(place, "y", heat->place_mm[HEAT_Y]);
    json_add_number(place, "z", heat->place_mm[HEAT_Z]);
    const cJSON *findings = json_member(report->run, "findings");
    if (findings)
        cJSON_AddItemToObject(root, "findings", cJSON_Duplicate(findings, 1));
}

static const struct report_section sections[] = {
    [HEAT_SLICES] = {.heading = "Temperature and thermal dose", .web = "heat-volume"},
    [HEAT_TISSUES] = {"Results for each tissue", report_bioheat_has_tissues, report_bioheat_tissue_table},
    [HEAT_PROFILES] = {.heading = "Profiles of the largest values", .web = "heat-profiles"},
    [HEAT_FRAMES] = {.heading = "Over time"},
    [HEAT_SENSORS] = {.heading = "Sensors", .web = "heat-sensors"},
    [HEAT_DIAGNOSTICS] = {.heading = "Heat and extremes", .web = "heat-run"},
    {.heading = NULL},
};

static const struct result_units units[] = {
    {"time", "s"}, {"temperature", "degC"}, {"max_temperature", "degC"}, {"dose", "min"}, {NULL, NULL}};

const struct report_model report_bioheat = {.name = "bioheat",
                                            .units = units,
                                            .recognise = recognise,
                                            .state_bytes = sizeof(struct report_heat),
                                            .has_anatomy = true,
                                            .has_small_lengths = true,
                                            .has_volumes = true,
                                            .pictures = draw_pictures,
                                            .web = report_bioheat_web,
                                            .sections = sections,
                                            .figures = report_bioheat_figures,
                                            .json = add_json,
                                            .release = release};
