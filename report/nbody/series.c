// Energy, virial ratio, Lagrangian radii and what is conserved, against time, in an N-body report. Knows
// diagnostics.nc.
#include "report/curves.h"
#include "report/nbody/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PANELS_MAX = 6 };

// As they stand in the file; vectors [count][3], radii [count][shares]. Owned; NULL where the file has none.
struct series {
    const struct result_file *file;
    size_t count, shares;
    double *time, *kinetic, *potential, *momentum, *angular, *centre, *scale, *virial, *radii, *share;
};

static enum status read_series(struct series *s)
{
    const struct result_variable *radii = result_find(s->file, "lagrangian_radius");
    CHECK(result_read_all(s->file, "time", &s->time, &s->count));
    CHECK(curves_read(s->file, s->count, "energy_kinetic", 1, &s->kinetic));
    CHECK(curves_read(s->file, s->count, "energy_potential", 1, &s->potential));
    CHECK(curves_read(s->file, s->count, "momentum", NBODY_SPACE, &s->momentum));
    CHECK(curves_read(s->file, s->count, "angular_momentum", NBODY_SPACE, &s->angular));
    CHECK(curves_read(s->file, s->count, "centre_of_mass", NBODY_SPACE, &s->centre));
    CHECK(curves_read(s->file, s->count, "momentum_scale", 1, &s->scale));
    CHECK(curves_read(s->file, s->count, "virial_ratio", 1, &s->virial));
    if (!radii || radii->rank != 2 || !result_find(s->file, "mass_fraction"))
        return STATUS_OK;
    CHECK(result_read_all(s->file, "mass_fraction", &s->share, &s->shares));
    return s->shares > 1 ? curves_read(s->file, s->count, "lagrangian_radius", s->shares, &s->radii)
                         : STATUS_OK;
}

static void free_series(struct series *s)
{
    double *const all[] = {s->time,  s->kinetic, s->potential, s->momentum, s->angular,
                           s->scale, s->virial,  s->radii,     s->share,    s->centre};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

// ---- the panels

static bool fill_energy(const struct report *report, const struct series *s, struct curve_panel *panel)
{
    panel->title = "Energy";
    snprintf(panel->unit, sizeof panel->unit, "%s", report->nbody.is_si ? "J" : "");
    if (!s->kinetic || !s->potential)
        return true;
    double *kinetic = curve_add(panel, CURVE_LINE, "kinetic"),
           *potential = curve_add(panel, CURVE_LINE, "potential"),
           *total = curve_add(panel, CURVE_LINE, "total");
    for (size_t k = 0; k < s->count && kinetic && potential && total; k++) {
        kinetic[k] = s->kinetic[k];
        potential[k] = s->potential[k];
        total[k] = kinetic[k] + potential[k];
    }
    panel->has_zero = true;
    return total != NULL;
}

static bool fill_energy_error(const struct series *s, struct curve_panel *panel)
{
    panel->title = "Energy error";
    panel->formula = "ΔE/|E₀|";
    if (!s->kinetic || !s->potential)
        return true;
    const double first = s->kinetic[0] + s->potential[0];
    double *change = curve_add(panel, CURVE_LINE, "");
    for (size_t k = 0; k < s->count && change; k++)
        change[k] = (s->kinetic[k] + s->potential[k] - first) / (first != 0 ? fabs(first) : NAN);
    panel->has_zero = true;
    return change != NULL;
}

static bool fill_virial(const struct series *s, struct curve_panel *panel)
{
    panel->title = "Virial ratio";
    panel->formula = "2K/|W|";
    double *ratio = s->virial ? curve_add(panel, CURVE_LINE, "") : NULL;
    for (size_t k = 0; k < s->count && ratio; k++)
        ratio[k] = s->virial[k];
    return ratio || !s->virial;
}

static bool fill_radii(const struct report *report, const struct series *s, struct curve_panel *panel)
{
    panel->title = "Radii that hold a share of the mass";
    panel->is_logarithmic = true;
    if (!s->radii || !(s->radii[s->shares / 2] > s->radii[0])) // of two or three bodies they are one curve
        return true;
    const struct nbody_unit unit = nbody_length_unit(report, s->radii[s->shares / 2]);
    snprintf(panel->unit, sizeof panel->unit, "%s", unit.name);
    for (size_t c = 0; c < s->shares && c < CURVES_MAX; c++) {
        char name[32];
        snprintf(name, sizeof name, "%g %%", 100 * s->share[c]);
        double *values = curve_add(panel, CURVE_LINE, name);
        if (!values)
            return false;
        for (size_t k = 0; k < s->count; k++)
            values[k] = s->radii[k * s->shares + c] / unit.size;
    }
    return true;
}

static double length_of(const double *vectors, size_t k)
{
    double sum = 0;
    for (size_t axis = 0; axis < NBODY_SPACE; axis++)
        sum += pow(vectors[NBODY_SPACE * k + axis] - vectors[axis], 2);
    return sqrt(sum);
}

// Of a vector, from its first value, as a part of a scale.
static bool fill_change(const struct series *s, const double *vectors, double scale,
                        struct curve_panel *panel)
{
    double *change = vectors && scale > 0 ? curve_add(panel, CURVE_LINE, "") : NULL;
    for (size_t k = 0; k < s->count && change; k++)
        change[k] = length_of(vectors, k) / scale;
    panel->has_zero = true;
    return change || !vectors || !(scale > 0);
}

static double magnitude_of(const double *vector)
{
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

// What the momenta are measured by: Σ m|v|, and the same times the radius of half the mass, or L₀ if that is
// more (of a planet and a star half of the mass is the star); the largest over the run, since a cold start
// has none.
static void momentum_scales(const struct series *s, double *linear, double *angular)
{
    *linear = 0;
    *angular = s->angular && s->count > 0 ? magnitude_of(s->angular) : 0;
    for (size_t k = 0; k < s->count && s->scale; k++) {
        *linear = fmax(*linear, s->scale[k]);
        if (s->radii)
            *angular = fmax(*angular, s->scale[k] * s->radii[k * s->shares + s->shares / 2]);
    }
}

static double largest_of(const struct curve_panel *panel)
{
    double largest = panel->curve_count > 0 ? 0 : NAN;
    for (size_t k = 0; k < panel->count && panel->curve_count > 0; k++)
        if (isfinite(panel->curves[0].values[k]))
            largest = fmax(largest, fabs(panel->curves[0].values[k]));
    return largest;
}

enum { ENERGY, RADII, ENERGY_ERROR, VIRIAL, MOMENTUM, ANGULAR };

static enum status fill_panels(struct report *report, const struct series *s,
                               struct curve_panel panels[PANELS_MAX])
{
    double linear, angular;
    momentum_scales(s, &linear, &angular);
    panels[MOMENTUM].title = "Momentum error";
    panels[MOMENTUM].formula = "|ΔP|/Σm|v|";
    panels[ANGULAR].title = "Angular momentum error";
    panels[ANGULAR].formula = "|ΔL|/max(|L₀|, r½Σm|v|)";
    const bool is_filled = fill_energy(report, s, &panels[ENERGY]) &&
                           fill_energy_error(s, &panels[ENERGY_ERROR]) && fill_virial(s, &panels[VIRIAL]) &&
                           fill_radii(report, s, &panels[RADII]) &&
                           fill_change(s, s->momentum, linear, &panels[MOMENTUM]) &&
                           fill_change(s, s->angular, angular, &panels[ANGULAR]);
    if (!is_filled)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
    struct report_nbody *n = &report->nbody;
    n->energy_change = largest_of(&panels[ENERGY_ERROR]);
    n->momentum_change = largest_of(&panels[MOMENTUM]);
    n->angular_change = largest_of(&panels[ANGULAR]);
    n->virial_ratio = s->virial && s->count > 0 ? s->virial[s->count - 1] : NAN;
    return STATUS_OK;
}

enum status report_draw_nbody_series(struct report *report)
{
    static const struct curves_picture picture = {
        REPORT_DIAGNOSTICS, "diagnostics.png", "Energy, radii, and what is conserved",
        "Energies with the softened potential; radii about the centre of mass that hold a share of the mass; "
        "errors: what changed since the start, where r½ is the radius of half the mass."};
    struct series s = {.file = report_outermost(report)->diagnostics};
    struct curve_panel panels[PANELS_MAX] = {0};
    if (!result_find(s.file, "time"))
        return STATUS_OK;
    enum status status = read_series(&s);
    if (status == STATUS_OK && s.count > 1) {
        char time_name[STYLE_TEXT_BYTES];
        const struct nbody_unit time = nbody_time_unit(report, fabs(s.time[s.count - 1]));
        snprintf(time_name, sizeof time_name, "time (%s)", time.name[0] ? time.name : "N-body units");
        for (size_t k = 0; k < PANELS_MAX; k++)
            panels[k] =
                (struct curve_panel){.count = s.count, .x = s.time, .x_unit = time.size, .x_name = time_name};
        status = fill_panels(report, &s, panels);
        if (status == STATUS_OK)
            status = report_draw_curves(report, &picture, panels, PANELS_MAX);
    }
    curves_free(panels, PANELS_MAX);
    free_series(&s);
    return status;
}
