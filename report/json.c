// `fathom report --json`: what was drawn, and the figures of the run, for programs.
#include "report/context.h"

#include "io/utf8.h"

#include <math.h>
#include <stdio.h>

static void add_figure(cJSON *object, const char *key, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, value);
    else
        cJSON_AddNullToObject(object, key);
}

static void add_gauge(cJSON *list, const struct report *report, const struct report_gauge *gauge)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "name", gauge->name);
    if (report->grid_count > 1)
        cJSON_AddStringToObject(object, "grid", report->grids[gauge->grid].name);
    add_figure(object, report->is_geographic ? "longitude_degree" : "x_m", gauge->longitude);
    add_figure(object, report->is_geographic ? "latitude_degree" : "y_m", gauge->latitude);
    add_figure(object, "distance_m", gauge->distance_m);
    add_figure(object, "depth_m", gauge->depth_m);
    add_figure(object, "arrival_s", gauge->arrival_s);
    add_figure(object, "first_peak_s", gauge->first_peak_s);
    add_figure(object, "first_peak_m", gauge->first_peak_m);
    add_figure(object, "maximum_s", gauge->maximum_s);
    add_figure(object, "maximum_m", gauge->maximum_m);
    add_figure(object, "minimum_m", gauge->minimum_m);
    if (gauge->observed.count > 0) {
        add_figure(object, "observed_peak_s", gauge->observed_peak_s);
        add_figure(object, "observed_peak_m", gauge->observed_peak_m);
    }
}

static void add_grid(cJSON *list, const struct report *report, const struct report_grid *grid)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "name", grid->name);
    if (grid->parent >= 0)
        cJSON_AddStringToObject(object, "parent", report->grids[grid->parent].name);
    add_figure(object, "largest_elevation_m", grid->largest_m);
    if (!grid->is_flooding)
        return;
    add_figure(object, "run_up_m", grid->run_up.highest_m);
    add_figure(object, "inundation_m", grid->run_up.inundation_m);
    add_figure(object, "flooded_area_m2", grid->run_up.flooded_area_m2);
    add_figure(object, "largest_flow_depth_m", grid->largest_flow_m);
}

static void add_waves(cJSON *root, const struct report *report)
{
    add_figure(root, "largest_elevation_m", report->grids[0].largest_m);
    add_figure(root, "arrival_threshold_m", report->arrival_threshold_m);
    cJSON *gauges = cJSON_AddArrayToObject(root, "gauges");
    for (size_t k = 0; k < report->gauge_count; k++)
        add_gauge(gauges, report, &report->gauges[k]);
    cJSON *grids = report_has_grids(report) ? cJSON_AddArrayToObject(root, "grids") : NULL;
    for (size_t g = 0; grids && g < report->grid_count; g++)
        add_grid(grids, report, &report->grids[g]);
}

static void add_heat(cJSON *root, const struct report *report)
{
    add_figure(root, "largest_temperature_c", report->heat.largest_c);
    add_figure(root, "largest_at_s", report->heat.at_s);
    if (report->heat.largest_is_of_records)
        cJSON_AddBoolToObject(root, "largest_is_of_records", true);
    cJSON *place = cJSON_AddObjectToObject(root, "largest_place_mm");
    add_figure(place, "x", report->heat.place_mm[2]);
    add_figure(place, "y", report->heat.place_mm[1]);
    add_figure(place, "z", report->heat.place_mm[0]);
    const cJSON *findings = cJSON_GetObjectItemCaseSensitive(report->run, "findings");
    if (findings)
        cJSON_AddItemToObject(root, "findings", cJSON_Duplicate(findings, 1));
}

static void add_nbody(cJSON *root, const struct report *report)
{
    add_figure(root, "largest_energy_change", report->nbody.energy_change);
    add_figure(root, "largest_momentum_change", report->nbody.momentum_change);
    add_figure(root, "largest_angular_momentum_change", report->nbody.angular_change);
    add_figure(root, "virial_ratio", report->nbody.virial_ratio);
}

static void add_gas(cJSON *root, const struct report *report)
{
    const struct report_gas *gas = &report->gas;
    add_figure(root, "largest_energy_change", gas->energy_change);
    add_figure(root, "energy_drift", gas->energy_drift);
    add_figure(root, "temperature", gas->temperature);
    add_figure(root, "temperature_error", gas->temperature_error);
    add_figure(root, "pressure", gas->pressure);
    add_figure(root, "pressure_error", gas->pressure_error);
    add_figure(root, "potential_energy", gas->potential);
    add_figure(root, "potential_energy_error", gas->potential_error);
    add_figure(root, "largest_cluster_at_start", gas->first_largest_cluster);
    add_figure(root, "largest_cluster_at_end", gas->largest_cluster);
    add_figure(root, "radial_distribution_peak", gas->peak);
    add_figure(root, "radial_distribution_peak_radius", gas->peak_radius);
    add_figure(root, "limited", gas->limited);
}

static void add_model(cJSON *root, const struct report *report)
{
    if (report->ising.is_ising)
        report_add_ising(root, report);
    else if (report->gas.is_gas)
        add_gas(root, report);
    else if (report->nbody.is_nbody)
        add_nbody(root, report);
    else
        report->heat.is_heat ? add_heat(root, report) : add_waves(root, report);
}

enum status report_print_json(const struct report *report, const char *page)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "directory", report->options.directory);
    if (report->options.html)
        cJSON_AddStringToObject(root, "page", page);
    cJSON *pictures = cJSON_AddArrayToObject(root, "pictures");
    for (size_t k = 0; k < report->picture_count; k++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(pictures, object);
        char path[REPORT_PATH_BYTES + 80];
        snprintf(path, sizeof path, "%s/%s", report->pictures_directory, report->pictures[k].file);
        cJSON_AddStringToObject(object, "file", path);
        cJSON_AddStringToObject(object, "title", report->pictures[k].title);
        cJSON_AddStringToObject(object, "caption", report->pictures[k].caption);
        cJSON_AddNumberToObject(object, "width_px", report->pictures[k].width_px);
        cJSON_AddNumberToObject(object, "height_px", report->pictures[k].height_px);
    }
    add_model(root, report);
    cJSON *warnings = cJSON_AddArrayToObject(root, "warnings");
    for (size_t k = 0; k < report->warning_count; k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(report->warnings[k]));
    char *text = utf8_print_json(root);
    bool is_printed = text && puts(text) >= 0 && fflush(stdout) == 0;
    cJSON_free(text);
    cJSON_Delete(root);
    return is_printed ? STATUS_OK : FAIL(STATUS_IO, "report: the JSON could not be printed");
}
