// The report of a gas run: the sections of its page, the order of its pictures, its figures.
#include "report/gas/report.h"

#include "report/tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the pictures

static enum status draw_all(struct report *report, const struct report_particles *particles,
                            const struct result_file *structure, struct gas_growth *growth)
{
    struct gas_box box;
    const bool has_box = report_gas_read_box(report->run, &box);
    const double count = json_number(json_member(report->run, "particles"), "count");
    const size_t all = count > 0 ? (size_t)count : particles->count;
    CHECK(report_gas_read_growth(structure, growth));
    if (report_gas_is_one_cluster(growth, (double)all))
        report_gas_free_growth(growth);
    if (particles->frames > 0 && !has_box)
        CHECK(report_gas_estimate_box(particles, &box));
    if (particles->frames > 0)
        CHECK(report_gas_draw_stages(report, particles, &box, growth));
    CHECK(report_gas_draw_phase(report, &box));
    CHECK(report_gas_draw_series(report, all));
    return report_gas_draw_structure(report, structure, growth);
}

static enum status draw_pictures(struct report *report)
{
    static const struct report_gas_figures unknown = {NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                                                      NAN, NAN, NAN, NAN, NAN, NAN};
    struct report_particles particles = {0};
    struct result_file *structure = NULL;
    struct gas_growth growth = {0};
    bool is_found;
    *(struct report_gas_figures *)report->state = unknown;
    enum status status = report_particles_open(report->options.directory, &particles, &is_found);
    if (status == STATUS_OK)
        status = report_open_file(report, report->options.directory, "structure.nc", &structure);
    if (status == STATUS_OK)
        status = draw_all(report, &particles, structure, &growth);
    report_gas_free_growth(&growth);
    result_close(structure);
    report_particles_close(&particles);
    return status;
}

static bool recognise(const struct report *report)
{
    return result_find(report->files.diagnostics, "pressure") != NULL;
}

// ---- the page

static void write_mean_tile(FILE *page, double mean, double error, const char *label)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "mean of the second half";
    if (!isfinite(mean))
        return;
    // With two digits of the error, or with four digits if there is no error.
    const int decimals = error > 0 ? (int)fmin(fmax(1 - floor(log10(error)), 0), 12) : 0;
    snprintf(text, sizeof text, error > 0 ? "%.*f" : "%.*g", error > 0 ? decimals : 4, mean);
    if (error > 0)
        snprintf(note, sizeof note, "± %.2g, second half", error);
    report_tile(page, text, label, note);
}

static void write_cluster_tile(FILE *page, const struct report_gas_figures *gas)
{
    char note[STYLE_TEXT_BYTES];
    snprintf(note, sizeof note, "particles; at the start %.0f", gas->first_largest_cluster);
    report_tile_count(page, gas->largest_cluster, "largest cluster at the end", note);
}

// The error of the force by regions, measured by the run.
static void write_error_tile(FILE *page, const struct report *report)
{
    const cJSON *regions = json_member(report->run, "regions"), *error = json_member(regions, "force_error");
    char note[STYLE_TEXT_BYTES];
    snprintf(note, sizeof note, "rms; near %.4g, far %.4g, order %.0f", json_number(regions, "near_cells"),
             json_number(regions, "far_cells"), json_number(regions, "order"));
    report_tile_number(page, "%.2g", json_number(error, "rms"), "error beyond near cells", note);
}

// Whether the energy is conserved: no damped wall and no thermostat. Without run.json this is unknown
// (false).
static bool conserves_energy(const struct report *report)
{
    struct gas_box box;
    bool is_damped = !report_gas_read_box(report->run, &box);
    for (int side = 0; side < GAS_REPORT_SIDES; side++)
        is_damped = is_damped || strcmp(box.walls[side], "damped") == 0;
    return !is_damped && strcmp(json_text(report->run, "thermostat"), "none") == 0;
}

static void write_figures(FILE *page, const struct report *report)
{
    const struct report_gas_figures *gas = report->state;
    const double count = json_number(json_member(report->run, "particles"), "count"),
                 density = json_number(report->run, "density");
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    snprintf(note, sizeof note, isfinite(density) ? "%.24s, density %.3g" : "%.24s",
             json_text(report->run, "potential"), density);
    report_tile_count(page, count, "particles", note);
    if (report->duration_s > 0) {
        snprintf(text, sizeof text, "%.4g", report->duration_s);
        snprintf(note, sizeof note, "%.24s, %.24s", json_text(report->run, "integrator"),
                 json_text(report->run, "method"));
        report_tile(page, text, "of model time", report->run ? note : "");
    }
    write_mean_tile(page, gas->temperature, gas->temperature_error, "temperature");
    write_mean_tile(page, gas->pressure, gas->pressure_error, "pressure");
    write_mean_tile(page, gas->potential, gas->potential_error, "potential energy per particle");
    if (conserves_energy(report))
        report_tile_number(page, "%.2g", gas->energy_drift, "drift of the energy",
                           "per particle, over the run");
    write_cluster_tile(page, gas);
    write_error_tile(page, report);
    if (gas->limited > 0)
        report_tile_count(page, gas->limited, "times a limiter acted", "they change the energy");
}

static void add_json(cJSON *root, const struct report *report)
{
    const struct report_gas_figures *gas = report->state;
    json_add_number(root, "largest_energy_change", gas->energy_change);
    json_add_number(root, "energy_drift", gas->energy_drift);
    json_add_number(root, "temperature", gas->temperature);
    json_add_number(root, "temperature_error", gas->temperature_error);
    json_add_number(root, "pressure", gas->pressure);
    json_add_number(root, "pressure_error", gas->pressure_error);
    json_add_number(root, "potential_energy", gas->potential);
    json_add_number(root, "potential_energy_error", gas->potential_error);
    json_add_number(root, "largest_cluster_at_start", gas->first_largest_cluster);
    json_add_number(root, "largest_cluster_at_end", gas->largest_cluster);
    json_add_number(root, "radial_distribution_peak", gas->peak);
    json_add_number(root, "radial_distribution_peak_radius", gas->peak_radius);
    json_add_number(root, "limited", gas->limited);
}

static const char *const files[] = {"trajectory.nc", "final.nc", "structure.nc", NULL};

static const struct report_section sections[] = {
    [GAS_PARTICLES] = {.heading = "Particles"},
    [GAS_FORCE] = {.heading = "Along the external force"},
    [GAS_DIAGNOSTICS] = {.heading = "Energy, temperature and pressure"},
    [GAS_STRUCTURE] = {.heading = "Structure and clusters"},
    {.heading = NULL},
};

static const struct report_stage stages[] = {
    {"move_s", "kicks, drifts, walls, thermostat"},      {"sort_s", "sort into cells"},
    {"lists_s", "neighbour lists, or moments of cells"}, {"force_s", "forces of pairs"},
    {"regions_s", "forces of middle and far cells"},     {NULL, NULL},
};

const struct report_model report_gas = {.name = "gas",
                                        .files = files,
                                        .recognise = recognise,
                                        .state_bytes = sizeof(struct report_gas_figures),
                                        .draws_beside = true,
                                        .pictures = draw_pictures,
                                        .sections = sections,
                                        .stages = stages,
                                        .figures = write_figures,
                                        .json = add_json};
