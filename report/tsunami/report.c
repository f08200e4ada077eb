// The report of a tsunami: the sections of its page, the order of its pictures, its figures.
#include "report/tsunami/report.h"

#include "report/diagnostics.h"
#include "report/page.h"
#include "report/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct report_waves *report_tsunami_waves(const struct report *report)
{
    return report->state;
}

const char *report_tsunami_position(const struct report *report, double x, double y, int decimals,
                                    char text[STYLE_TEXT_BYTES])
{
    if (!isfinite(x) || !isfinite(y))
        text[0] = '\0';
    else if (report_tsunami_waves(report)->is_geographic)
        style_place(x, y, decimals, text);
    else
        snprintf(text, STYLE_TEXT_BYTES, "x %.6g, y %.6g", x, y);
    return text;
}

// ---- the pictures

// Whether a result file has longitudes in degrees; else positions are in metres.
static bool is_geographic(const struct report *report)
{
    const struct result_file *files[] = {report->files.maxima, report->files.fields,
                                         report->files.deformation, report->files.gauges};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const struct result_variable *longitude = result_find(files[k], "lon");
        if (longitude && strncmp(longitude->units, "degree", 6) == 0)
            return true;
    }
    return false;
}

// The gauges' arrivals use the lowest threshold of the maps. Without a map it is 1 cm, far above rounding
// errors.
static enum status read_threshold(const struct result_file *maxima, double *threshold_m)
{
    const struct result_variable *threshold = result_find(maxima, "threshold");
    double *values_m;
    size_t count;
    *threshold_m = 0.01;
    if (!threshold || threshold->rank != 1 || threshold->lengths[0] == 0)
        return STATUS_OK;
    CHECK(result_read_all(maxima, "threshold", &values_m, &count));
    *threshold_m = values_m[0];
    for (size_t k = 1; k < count; k++)
        *threshold_m = fmin(*threshold_m, values_m[k]);
    free(values_m);
    return STATUS_OK;
}

static enum status draw_pictures(struct report *report)
{
    static const struct report_diagnostic panels[] = {
        {"Volume above the still sea level", "m³", {"mass"}, {"volume"}, false, 1},
        {"Energy", "J", {"energy_kinetic", "energy_potential"}, {"kinetic", "potential"}, false, 1},
        {"Largest elevation anywhere", "m", {"max_abs_eta"}, {"largest |η|"}, true, 1},
        {"Largest speed anywhere", "m/s", {"max_speed"}, {"largest speed"}, false, 1},
        {"Largest Courant number", "", {"courant"}, {"Courant number"}, false, 1},
    };
    static const struct report_diagnostics diagnostics = {
        TSUNAMI_DIAGNOSTICS,
        "Totals over the whole area against time. Waves that leave through open boundaries take volume and "
        "energy with them.",
        panels, sizeof panels / sizeof *panels, true};
    struct report_waves *waves = report_tsunami_waves(report);
    CHECK(report_tsunami_open_grids(report));
    waves->is_geographic = is_geographic(report);
    waves->far_field_m = report->options.far_field_m;
    if (waves->far_field_m > 0 && !waves->is_geographic)
        return FAIL(STATUS_USAGE,
                    "--far-field: %s is a run on a plane; the correction needs longitudes and latitudes",
                    report->options.directory);
    const cJSON *combined = json_member(report->run, "combination");
    const cJSON *depth = combined ? json_member(combined, "far_field_depth_m") : NULL;
    if (waves->far_field_m > 0 && depth && depth->valuedouble > 0)
        return FAIL(STATUS_USAGE, "--far-field: the gauges of %s are corrected already (fathom combine)",
                    report->options.directory);
    CHECK(read_threshold(report->files.maxima, &waves->arrival_threshold_m));
    CHECK(report_tsunami_read_gauges(report));
    CHECK(report_tsunami_read_forecast(report));
    CHECK(report_tsunami_draw_maps(report));
    CHECK(report_tsunami_draw_floods(report));
    CHECK(report_tsunami_draw_gauges(report));
    CHECK(report_tsunami_draw_animation(report));
    return report_draw_diagnostics(report, &diagnostics);
}

// ---- the page

static bool has_nested_grids(const struct report *report)
{
    return report_tsunami_waves(report)->grid_count > 1;
}

static bool has_land(const struct report *report)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    return waves->grid_count == 1 && waves->grids[0].is_flooding;
}

static void write_height_tile(FILE *page, const struct report *report, const char *label, double height_m,
                              double x, double y)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES];
    if (!isfinite(height_m))
        return;
    if (report_tsunami_waves(report)->is_geographic)
        style_position(x, y, note);
    else
        snprintf(note, sizeof note, "at x %.5g, y %.5g", x, y);
    report_tile(page, style_length(height_m, text), label, note);
}

double report_tsunami_magnitude(const struct report *report, bool *is_stated)
{
    const cJSON *source = json_member(report->run, "source");
    *is_stated = json_member(source, "earthquake") ||
                 isfinite(json_number(json_member(source, "finite_fault"), "moment_n_m"));
    return json_number(source, *is_stated ? "moment_magnitude" : "moment_magnitude_at_40_gpa");
}

static void write_magnitude_tile(FILE *page, const struct report *report)
{
    const cJSON *source = json_member(report->run, "source");
    bool is_stated;
    const double magnitude = report_tsunami_magnitude(report, &is_stated),
                 faults = json_number(source, "faults");
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    if (!isfinite(magnitude))
        return;
    snprintf(text, sizeof text, "Mw %.2f", magnitude);
    if (isfinite(faults))
        snprintf(note, sizeof note, "%.0f fault%s%s", faults, faults == 1 ? "" : "s",
                 is_stated ? "" : ", rigidity 40 GPa");
    report_tile(page, text, "earthquake", note);
}

// The time of day and the date of the origin.
static void write_origin_tile(FILE *page, const struct report *report)
{
    char text[RESULT_UNITS_BYTES + 8], date[16], clock[40];
    double epoch_s;
    if (!report_page_epoch(report, &epoch_s) || !report_page_origin(report, text, sizeof text) ||
        strlen(text) < 20)
        return;
    snprintf(date, sizeof date, "%.10s", text);
    snprintf(clock, sizeof clock, "%.8s UTC", text + 11);
    report_tile(page, clock, "origin time", date);
}

// The worst place and the first arrival: of the forecast points, else of the gauges.
static void write_point_tiles(FILE *page, const struct report *report)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const struct report_point *worst = report_tsunami_worst_point(&waves->forecast),
                              *first = report_tsunami_first_point(&waves->forecast);
    const struct report_gauge *high = NULL, *early = NULL;
    char text[STYLE_TEXT_BYTES];
    for (size_t k = 0; k < waves->gauge_count; k++) {
        const struct report_gauge *gauge = &waves->gauges[k];
        if (isfinite(gauge->maximum_m) && (!high || gauge->maximum_m > high->maximum_m))
            high = gauge;
        if (isfinite(gauge->arrival_s) && (!early || gauge->arrival_s < early->arrival_s))
            early = gauge;
    }
    if (worst)
        report_tile(page, style_length(report_tsunami_point_height_m(worst), text),
                    isfinite(worst->coastal_height_m) ? "worst point, at the coast" : "worst point",
                    worst->name);
    else if (high && waves->forecast.point_count == 0)
        report_tile(page, style_length(high->maximum_m, text), "highest gauge", high->name);
    if (first)
        report_tile(page, style_duration(first->arrival_s, text), "earliest arrival", first->name);
    else if (early && waves->forecast.point_count == 0)
        report_tile(page, style_duration(early->arrival_s, text), "earliest arrival", early->name);
}

static void write_figures(FILE *page, const struct report *report)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const struct report_grid *grid = &waves->grids[0];
    struct report_run_up highest = {.highest_m = NAN};
    char note[STYLE_TEXT_BYTES];
    size_t observed = 0;
    write_magnitude_tile(page, report);
    write_origin_tile(page, report);
    write_point_tiles(page, report);
    write_height_tile(page, report, "largest elevation, above the sea at rest", grid->largest_m,
                      grid->largest_x, grid->largest_y);
    for (size_t g = 0; g < waves->grid_count; g++)
        if (isfinite(waves->grids[g].run_up.highest_m) &&
            !(waves->grids[g].run_up.highest_m <= highest.highest_m))
            highest = waves->grids[g].run_up;
    write_height_tile(page, report, "highest run-up", highest.highest_m, highest.x, highest.y);
    report_tile_duration(page, report);
    for (size_t k = 0; k < waves->gauge_count; k++)
        observed += waves->gauges[k].observed.count > 0;
    snprintf(note, sizeof note, observed ? "%zu with observations" : "none with observations", observed);
    if (waves->gauge_count > 0)
        report_tile_number(page, "%.0f", (double)waves->gauge_count,
                           waves->gauge_count == 1 ? "gauge" : "gauges", note);
}

// Writes for example "48 faults, moment magnitude 8.96 (rigidity 40 GPa), largest slip 44.6 m, largest uplift
// 20 m"; results of earlier versions have the magnitude alone.
static void write_source(FILE *page, const struct report *report)
{
    char text[200] = "";
    const cJSON *source = json_member(report->run, "source");
    bool is_stated;
    const double faults = json_number(source, "faults"), slip_m = json_number(source, "largest_slip_m"),
                 uplift_m = json_number(source, "largest_uplift_m"),
                 magnitude = report_tsunami_magnitude(report, &is_stated);
    if (isfinite(faults)) {
        int used = snprintf(text, sizeof text, "%.0f fault%s", faults, faults == 1 ? "" : "s");
        if (isfinite(magnitude))
            used += snprintf(text + used, sizeof text - (size_t)used, ", moment magnitude %.2f%s", magnitude,
                             is_stated ? "" : " (rigidity 40 GPa)");
        if (isfinite(slip_m) && isfinite(uplift_m))
            snprintf(text + used, sizeof text - (size_t)used, ", largest slip %.3g m, largest uplift %.3g m",
                     slip_m, uplift_m);
    }
    report_page_row(page, "Source", text);
}

// Degrees in minutes or seconds of arc: 20′, 30″.
static void describe_spacing(double spacing, bool is_geographic, char *text, size_t bytes)
{
    if (!is_geographic)
        snprintf(text, bytes, "%.6g m", spacing);
    else if (spacing * 60 >= 0.999)
        snprintf(text, bytes, "%.4g′", spacing * 60);
    else
        snprintf(text, bytes, "%.4g″", spacing * 3600);
}

static void write_grid(FILE *page, const struct report *report)
{
    char text[200], steps[2][40];
    const cJSON *grid = json_member(report->run, "grid");
    const bool is_geographic = strcmp(json_text(grid, "coordinates"), "degrees") == 0;
    const double n[2] = {json_number(grid, "nx"), json_number(grid, "ny")},
                 first[2] = {json_number(grid, "x_first"), json_number(grid, "y_first")},
                 last[2] = {json_number(grid, "x_last"), json_number(grid, "y_last")};
    if (!(n[0] > 1 && n[1] > 1))
        return;
    for (int k = 0; k < 2; k++)
        describe_spacing((last[k] - first[k]) / (n[k] - 1), is_geographic, steps[k], sizeof steps[k]);
    const bool is_square = strcmp(steps[0], steps[1]) == 0;
    snprintf(text, sizeof text, "%.0f × %.0f nodes, spacing %s%s%s", n[0], n[1], steps[0],
             is_square ? "" : " × ", is_square ? "" : steps[1]);
    report_page_row(page, "Grid", text);
    const char *unit = is_geographic ? "°" : " m";
    snprintf(text, sizeof text, "%s %.6g … %.6g%s, %s %.6g … %.6g%s", is_geographic ? "longitude" : "x",
             first[0], last[0], unit, is_geographic ? "latitude" : "y", first[1], last[1], unit);
    if (isfinite(first[0]) && isfinite(last[0]) && isfinite(first[1]) && isfinite(last[1]))
        report_page_row(page, "Area", text);
    report_page_row(page, "Bathymetry", json_text(grid, "bathymetry"));
}

static void write_summary(FILE *page, const struct report *report)
{
    write_source(page, report);
    write_grid(page, report);
}

// ---- for programs

static void add_gauge(cJSON *list, const struct report_waves *waves, const struct report_gauge *gauge)
{
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "name", gauge->name);
    if (waves->grid_count > 1)
        cJSON_AddStringToObject(object, "grid", waves->grids[gauge->grid].name);
    json_add_number(object, waves->is_geographic ? "longitude_degree" : "x_m", gauge->longitude);
    json_add_number(object, waves->is_geographic ? "latitude_degree" : "y_m", gauge->latitude);
    json_add_number(object, "distance_m", gauge->distance_m);
    json_add_number(object, "depth_m", gauge->depth_m);
    json_add_number(object, "arrival_s", gauge->arrival_s);
    json_add_number(object, "first_peak_s", gauge->first_peak_s);
    json_add_number(object, "first_peak_m", gauge->first_peak_m);
    json_add_number(object, "maximum_s", gauge->maximum_s);
    json_add_number(object, "maximum_m", gauge->maximum_m);
    json_add_number(object, "minimum_m", gauge->minimum_m);
    if (gauge->observed.count == 0)
        return;
    json_add_number(object, "observed_peak_s", gauge->observed_peak_s);
    json_add_number(object, "observed_peak_m", gauge->observed_peak_m);
}

static void add_grid(cJSON *list, const struct report_waves *waves, const struct report_grid *grid)
{
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "name", grid->name);
    if (grid->parent >= 0)
        cJSON_AddStringToObject(object, "parent", waves->grids[grid->parent].name);
    json_add_number(object, "largest_elevation_m", grid->largest_m);
    if (!grid->is_flooding)
        return;
    json_add_number(object, "run_up_m", grid->run_up.highest_m);
    json_add_number(object, "inundation_m", grid->run_up.inundation_m);
    json_add_number(object, "flooded_area_m2", grid->run_up.flooded_area_m2);
    json_add_number(object, "largest_flow_depth_m", grid->largest_flow_m);
}

static void add_json(cJSON *root, const struct report *report)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    json_add_number(root, "largest_elevation_m", waves->grids[0].largest_m);
    json_add_number(root, "arrival_threshold_m", waves->arrival_threshold_m);
    if (waves->far_field_m > 0)
        json_add_number(root, "far_field_depth_m", waves->far_field_m);
    cJSON *gauges = cJSON_AddArrayToObject(root, "gauges");
    for (size_t k = 0; k < waves->gauge_count; k++)
        add_gauge(gauges, waves, &waves->gauges[k]);
    if (!has_nested_grids(report) && !has_land(report))
        return;
    cJSON *grids = cJSON_AddArrayToObject(root, "grids");
    for (size_t g = 0; g < waves->grid_count; g++)
        add_grid(grids, waves, &waves->grids[g]);
}

static void release(struct report *report)
{
    report_tsunami_free_gauges(report->state);
    report_tsunami_close_grids(report->state);
    report_tsunami_free_forecast(&report_tsunami_waves(report)->forecast);
}

static const struct report_section sections[] = {
    [TSUNAMI_POINTS] = {"Forecast points", report_tsunami_has_points, report_tsunami_point_table, NULL},
    [TSUNAMI_AMPLITUDE] = {.heading = "Amplitude and arrival", .web = "tsunami-map"},
    [TSUNAMI_GRIDS] = {"Nested grids", has_nested_grids, report_tsunami_grid_table, NULL},
    [TSUNAMI_LAND] = {"Water on land", has_land, report_tsunami_grid_table, NULL},
    [TSUNAMI_SNAPSHOTS] = {.heading = "Snapshots of the sea surface"},
    [TSUNAMI_GAUGES] = {.heading = "Gauges", .table = report_tsunami_gauge_table, .web = "tsunami-gauges"},
    [TSUNAMI_SOURCE] = {.heading = "Source and other maxima"},
    [TSUNAMI_DIAGNOSTICS] = {.heading = "Mass and energy"},
    {.heading = NULL},
};

static const struct result_units units[] = {{"time", "s"},
                                            {"eta", "m"},
                                            {"u", "m s-1"},
                                            {"v", "m s-1"},
                                            {"depth", "m"},
                                            {"max_eta", "m"},
                                            {"max_depth", "m"},
                                            {"max_speed", "m s-1"},
                                            {"max_flux", "m2 s-1"},
                                            {"threshold", "m"},
                                            {"arrival", "s"},
                                            {"time_of_max", "s"},
                                            {"first_drawdown", "s"},
                                            {"travel_time", "s"},
                                            {"earliest", "s"},
                                            {"duration", "s"},
                                            {"first_crest_time", "s"},
                                            {"crest_time", "s"},
                                            {"trough_time", "s"},
                                            {"deformation", "m"},
                                            {"distance", "m"},
                                            {"first_crest", "m"},
                                            {"crest", "m"},
                                            {"trough", "m"},
                                            {"source_level", "m"},
                                            {"coastal_height", "m"},
                                            {"max_abs_eta", "m"},
                                            {"energy_kinetic", "J"},
                                            {"energy_potential", "J"},
                                            {NULL, NULL}};

const struct report_model report_tsunami = {.name = "tsunami",
                                            .units = units,
                                            .state_bytes = sizeof(struct report_waves),
                                            .has_far_field = true,
                                            .has_scale = true,
                                            .has_animation = true,
                                            .pictures = draw_pictures,
                                            .web = report_tsunami_web,
                                            .sections = sections,
                                            .figures = write_figures,
                                            .summary = write_summary,
                                            .json = add_json,
                                            .release = release};
