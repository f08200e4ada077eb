// The report of an N-body run: the sections of its page, the order of its pictures, its units and figures.
#include "report/nbody/report.h"

#include "report/tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The largest unit in which `largest` is at least `least`.
static struct nbody_unit unit_for(const struct nbody_unit *units, size_t count, double largest, double least)
{
    size_t k = count - 1;
    while (k > 0 && largest < least * units[k].size)
        k--;
    return units[k];
}

struct nbody_unit report_nbody_length_unit(const struct report *report, double largest)
{
    const struct report_bodies *state = report->state;
    // Astronomical unit and parsec: IAU 2012 resolution B2, 2015 resolution B2.
    static const struct nbody_unit units[] = {{"m", 1},
                                              {"km", 1e3},
                                              {"AU", 1.495978707e11},
                                              {"pc", 3.0856775814913673e16},
                                              {"kpc", 3.0856775814913673e19},
                                              {"Mpc", 3.0856775814913673e22}};
    if (!state->is_si)
        return (struct nbody_unit){"", 1};
    return unit_for(units, sizeof units / sizeof *units, largest, 0.5);
}

struct nbody_unit report_nbody_time_unit(const struct report *report, double largest)
{
    const struct report_bodies *state = report->state;
    static const double year_s = 365.25 * 86400; // Julian
    const struct nbody_unit units[] = {{"s", 1},
                                       {"h", 3600},
                                       {"d", 86400},
                                       {"a", year_s},
                                       {"ka", 1e3 * year_s},
                                       {"Ma", 1e6 * year_s},
                                       {"Ga", 1e9 * year_s}};
    if (!state->is_si)
        return (struct nbody_unit){"", 1};
    return unit_for(units, sizeof units / sizeof *units, largest, 2);
}

const char *report_nbody_time_text(const struct nbody_unit *unit, double time, char text[STYLE_TEXT_BYTES])
{
    snprintf(text, STYLE_TEXT_BYTES, "t = %.4g%s%s", time / unit->size, unit->name[0] ? " " : "", unit->name);
    return text;
}

// The units by run.json, else by those of the radii.
static bool is_si(const struct report *report)
{
    const char *system = json_text(json_member(report->run, "units"), "system");
    const struct result_variable *radius = result_find(report->files.diagnostics, "lagrangian_radius");
    return system[0] ? strcmp(system, "si") == 0 : radius && strcmp(radius->units, "m") == 0;
}

static enum status draw_pictures(struct report *report)
{
    struct report_particles bodies = {0};
    bool is_found;
    *(struct report_bodies *)report->state = (struct report_bodies){.is_si = is_si(report),
                                                                    .energy_change = NAN,
                                                                    .momentum_change = NAN,
                                                                    .angular_change = NAN,
                                                                    .virial_ratio = NAN};
    enum status status = report_particles_open(report->options.directory, &bodies, &is_found);
    if (status == STATUS_OK && is_found)
        status = report_nbody_draw_bodies(report, &bodies);
    if (status == STATUS_OK)
        status = report_nbody_draw_series(report);
    report_particles_close(&bodies);
    return status;
}

static bool recognise(const struct report *report)
{
    return result_find(report->files.diagnostics, "lagrangian_radius") != NULL;
}

static void write_figures(FILE *page, const struct report *report)
{
    const struct report_bodies *state = report->state;
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    const double theta = json_number(report->run, "theta");
    snprintf(note, sizeof note, isfinite(theta) ? "%.24s, θ = %g" : "%.24s", json_text(report->run, "method"),
             theta);
    report_tile_count(page, json_number(json_member(report->run, "bodies"), "count"), "bodies", note);
    if (report->duration_s > 0) {
        const struct nbody_unit unit = report_nbody_time_unit(report, report->duration_s);
        snprintf(text, sizeof text, "%.4g%s%s", report->duration_s / unit.size, unit.name[0] ? " " : "",
                 unit.name);
        report_tile(page, text, unit.name[0] ? "of model time" : "of model time (N-body units)", "");
    }
    report_tile_number(page, "%.2g", state->energy_change, "largest |ΔE/E₀|", "over the run");
    report_tile_number(page, "%.2g", state->momentum_change, "largest |ΔP|", "relative to Σ m|v|");
    report_tile_number(page, "%.3f", state->virial_ratio, "virial ratio 2K/|W|", "at the end");
}

static void add_json(cJSON *root, const struct report *report)
{
    const struct report_bodies *state = report->state;
    json_add_number(root, "largest_energy_change", state->energy_change);
    json_add_number(root, "largest_momentum_change", state->momentum_change);
    json_add_number(root, "largest_angular_momentum_change", state->angular_change);
    json_add_number(root, "virial_ratio", state->virial_ratio);
}

static const char *const files[] = {"trajectory.nc", "final.nc", NULL};

static const struct report_section sections[] = {
    [NBODY_BODIES] = {.heading = "Bodies"},
    [NBODY_SNAPSHOTS] = {.heading = "Over time"},
    [NBODY_DIAGNOSTICS] = {.heading = "Energy, radii, and conserved quantities"},
    {.heading = NULL},
};

static const struct report_stage stages[] = {
    {"box_s", "box around the bodies"},
    {"sort_s", "keys and sort"},
    {"build_s", "cells of the tree"},
    {"summarise_s", "masses and moments of the cells"},
    {"force_s", "forces"},
    {"integrate_s", "kicks and drifts"},
    {NULL, NULL},
};

const struct report_model report_nbody = {.name = "nbody",
                                          .files = files,
                                          .recognise = recognise,
                                          .state_bytes = sizeof(struct report_bodies),
                                          .pictures = draw_pictures,
                                          .sections = sections,
                                          .stages = stages,
                                          .figures = write_figures,
                                          .json = add_json};
