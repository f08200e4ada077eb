// Figures and tables of a gas run on a report's page, from run.json and from what the series say. Needs none
// of their parts: what is there is shown.
#include "report/gas/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cJSON *part(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static void write_mean_tile(FILE *page, double mean, double error, const char *label)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "mean of the second half";
    if (!isfinite(mean))
        return;
    // Two digits of the error, or four of the mean.
    const int decimals = error > 0 ? (int)fmin(fmax(1 - floor(log10(error)), 0), 12) : 0;
    snprintf(text, sizeof text, error > 0 ? "%.*f" : "%.*g", error > 0 ? decimals : 4, mean);
    if (error > 0)
        snprintf(note, sizeof note, "± %.2g, second half", error);
    report_html_tile(page, text, label, note);
}

static void write_size_tile(FILE *page, double value, const char *label, const char *note)
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(value))
        return;
    snprintf(text, sizeof text, "%.2g", value);
    report_html_tile(page, text, label, note);
}

static void write_count_tile(FILE *page, double count, const char *label, const char *note)
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(count))
        return;
    snprintf(text, sizeof text, count >= 1e6 ? "%.3g million" : "%.0f", count >= 1e6 ? count / 1e6 : count);
    report_html_tile(page, text, label, note);
}

static void write_cluster_tile(FILE *page, const struct report_gas *gas)
{
    char note[STYLE_TEXT_BYTES];
    snprintf(note, sizeof note, "particles; at the start %.0f", gas->first_largest_cluster);
    write_count_tile(page, gas->largest_cluster, "largest cluster at the end", note);
}

// How wrong the force of the regions is, as the run measured it.
static void write_error_tile(FILE *page, const struct report *report)
{
    const cJSON *regions = part(report->run, "regions"), *error = part(regions, "force_error");
    char note[STYLE_TEXT_BYTES];
    snprintf(note, sizeof note, "rms; near %.4g, far %.4g, order %.0f",
             report_json_number(regions, "near_cells"), report_json_number(regions, "far_cells"),
             report_json_number(regions, "order"));
    write_size_tile(page, report_json_number(error, "rms"), "error beyond near cells", note);
}

// Nothing takes or gives energy but errors. Of a run without run.json that is not known.
static bool keeps_energy(const struct report *report)
{
    struct gas_box box;
    bool is_damped = !gas_read_box(report->run, &box);
    for (int side = 0; side < GAS_REPORT_SIDES; side++)
        is_damped = is_damped || strcmp(box.walls[side], "damped") == 0;
    return !is_damped && strcmp(report_json_text(report->run, "thermostat"), "none") == 0;
}

void report_html_gas_figures(FILE *page, const struct report *report)
{
    const struct report_gas *gas = &report->gas;
    const double count = report_json_number(part(report->run, "particles"), "count"),
                 density = report_json_number(report->run, "density");
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    snprintf(note, sizeof note, isfinite(density) ? "%.24s, density %.3g" : "%.24s",
             report_json_text(report->run, "potential"), density);
    write_count_tile(page, count, "particles", note);
    if (report->duration_s > 0) {
        snprintf(text, sizeof text, "%.4g", report->duration_s);
        snprintf(note, sizeof note, "%.24s, %.24s", report_json_text(report->run, "integrator"),
                 report_json_text(report->run, "method"));
        report_html_tile(page, text, "of model time", report->run ? note : "");
    }
    write_mean_tile(page, gas->temperature, gas->temperature_error, "temperature");
    write_mean_tile(page, gas->pressure, gas->pressure_error, "pressure");
    write_mean_tile(page, gas->potential, gas->potential_error, "potential energy a particle");
    if (keeps_energy(report))
        write_size_tile(page, gas->energy_drift, "drift of the energy", "a particle, over the run");
    write_cluster_tile(page, gas);
    write_error_tile(page, report);
    if (gas->limited > 0)
        write_count_tile(page, gas->limited, "times a limiter acted", "the energy is not the gas's own");
}

void report_html_gas_phases(FILE *page, const struct report *report)
{
    static const struct report_phase phases[] = {
        {"move_s", "kicks, drifts, walls, thermostat"},          {"sort_s", "sort into cells"},
        {"lists_s", "lists of neighbours, or moments of cells"}, {"force_s", "forces of pairs"},
        {"regions_s", "forces of middle and far cells"},
    };
    report_html_phases(page, report, phases, sizeof phases / sizeof *phases);
}
