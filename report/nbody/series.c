// Energy, virial ratio, Lagrangian radii and conserved quantities against time, in an N-body report. The
// series are those of diagnostics.nc.
#include "report/curves.h"
#include "report/nbody/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENERGY, RADII, ENERGY_ERROR, VIRIAL, MOMENTUM, ANGULAR, PANELS };

// The variables of the file.
enum { KINETIC, POTENTIAL, MOMENTA, ANGULAR_MOMENTA, SCALE, VIRIAL_RATIO, VARIABLES };
static const struct curve_variable variables[VARIABLES] = {
    {"energy_kinetic", 1},     {"energy_potential", 1},
    {"momentum", NBODY_SPACE}, {"angular_momentum", NBODY_SPACE},
    {"momentum_scale", 1},     {"virial_ratio", 1}};

// Vectors are [count][3], radii [count][shares], all others [count]. Owned; NULL where the file has none.
struct series {
    const struct result_file *file;
    size_t count, shares;
    double *time, *values[VARIABLES], *radii, *share;
    double *total;                            // energy
    double *momentum_change, *angular_change; // |P − P₀|, |L − L₀|
};

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (size_t axis = 0; axis < NBODY_SPACE; axis++)
        sum += pow(a[axis] - b[axis], 2);
    return sqrt(sum);
}

// The total energy, and how far the momenta are from their first values.
static enum status derive(struct series *s)
{
    s->total = calloc(3 * s->count + 1, sizeof *s->total);
    if (!s->total)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
    const double *momenta = s->values[MOMENTA], *angular = s->values[ANGULAR_MOMENTA];
    s->momentum_change = s->total + s->count;
    s->angular_change = s->total + 2 * s->count;
    for (size_t k = 0; k < s->count; k++) {
        if (s->values[KINETIC] && s->values[POTENTIAL])
            s->total[k] = s->values[KINETIC][k] + s->values[POTENTIAL][k];
        s->momentum_change[k] = momenta ? distance(momenta + NBODY_SPACE * k, momenta) : NAN;
        s->angular_change[k] = angular ? distance(angular + NBODY_SPACE * k, angular) : NAN;
    }
    return STATUS_OK;
}

static enum status read_series(struct series *s)
{
    const struct result_variable *radii = result_find(s->file, "lagrangian_radius");
    CHECK(result_read_all(s->file, "time", &s->time, &s->count));
    CHECK(curves_read(s->file, variables, VARIABLES, s->count, s->values));
    if (radii && radii->rank == 2 && result_find(s->file, "mass_fraction")) {
        CHECK(result_read_all(s->file, "mass_fraction", &s->share, &s->shares));
        const struct curve_variable radius = {"lagrangian_radius", s->shares};
        if (s->shares > 1)
            CHECK(curves_read(s->file, &radius, 1, s->count, &s->radii));
    }
    return derive(s);
}

static void free_series(struct series *s)
{
    for (size_t k = 0; k < VARIABLES; k++)
        free(s->values[k]);
    free(s->time);
    free(s->radii);
    free(s->share);
    free(s->total);
}

// ---- the panels

static enum status fill_radii(const struct report *report, const struct series *s, struct curve_panel *panel)
{
    if (!s->radii || !(s->radii[s->shares / 2] > s->radii[0])) // of two or three bodies they are one curve
        return STATUS_OK;
    const struct nbody_unit unit = report_nbody_length_unit(report, s->radii[s->shares / 2]);
    snprintf(panel->unit, sizeof panel->unit, "%s", unit.name);
    for (size_t c = 0; c < s->shares && c < CURVES_MAX; c++) {
        char name[32];
        snprintf(name, sizeof name, "%g %%", 100 * s->share[c]);
        double *values;
        CHECK(curves_add(panel, CURVE_LINE, name, &values));
        for (size_t k = 0; k < s->count; k++)
            values[k] = s->radii[k * s->shares + c] / unit.size;
    }
    return STATUS_OK;
}

// The scales of the momenta: Σ m|v|, and the same times the radius of half the mass, or |L₀| if that is more
// (of a planet and a star half of the mass is the star); the largest over the run, because at a cold
// start they are 0.
static void momentum_scales(const struct series *s, double *linear, double *angular)
{
    static const double zero[NBODY_SPACE];
    const double *scale = s->values[SCALE];
    *linear = 0;
    *angular = s->values[ANGULAR_MOMENTA] && s->count > 0 ? distance(s->values[ANGULAR_MOMENTA], zero) : 0;
    for (size_t k = 0; k < s->count && scale; k++) {
        *linear = fmax(*linear, scale[k]);
        if (s->radii)
            *angular = fmax(*angular, scale[k] * s->radii[k * s->shares + s->shares / 2]);
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

static enum status fill_panels(struct report *report, const struct series *s,
                               struct curve_panel panels[PANELS])
{
    struct report_bodies *state = report->state;
    const double *kinetic = s->values[POTENTIAL] ? s->values[KINETIC] : NULL,
                 *potential = s->values[KINETIC] ? s->values[POTENTIAL] : NULL,
                 *total = kinetic ? s->total : NULL, first = s->total[0];
    double linear, angular;
    momentum_scales(s, &linear, &angular);
    const struct curve_row rows[] = {
        {ENERGY, CURVE_LINE, "kinetic", kinetic, 1, 0},
        {ENERGY, CURVE_LINE, "potential", potential, 1, 0},
        {ENERGY, CURVE_LINE, "total", total, 1, 0},
        {ENERGY_ERROR, CURVE_LINE, "", total, first != 0 ? fabs(first) : NAN, first},
        {VIRIAL, CURVE_LINE, "", s->values[VIRIAL_RATIO], 1, 0},
        {MOMENTUM, CURVE_LINE, "", s->values[MOMENTA] && linear > 0 ? s->momentum_change : NULL, linear, 0},
        {ANGULAR, CURVE_LINE, "", s->values[ANGULAR_MOMENTA] && angular > 0 ? s->angular_change : NULL,
         angular, 0},
    };
    snprintf(panels[ENERGY].unit, sizeof panels[ENERGY].unit, "%s", state->is_si ? "J" : "");
    CHECK(curves_fill(panels, rows, sizeof rows / sizeof *rows));
    CHECK(fill_radii(report, s, &panels[RADII]));
    state->energy_change = largest_of(&panels[ENERGY_ERROR]);
    state->momentum_change = largest_of(&panels[MOMENTUM]);
    state->angular_change = largest_of(&panels[ANGULAR]);
    state->virial_ratio = s->values[VIRIAL_RATIO] ? s->values[VIRIAL_RATIO][s->count - 1] : NAN;
    return STATUS_OK;
}

enum status report_nbody_draw_series(struct report *report)
{
    static const struct curves_picture picture = {
        NBODY_DIAGNOSTICS, "diagnostics.png", "Energy, radii, and conserved quantities",
        "Energies with the softened potential; radii around the centre of mass that hold a share of the "
        "mass; errors: changes since the start, where r½ is the radius of half the mass."};
    struct curve_panel panels[PANELS] = {
        [ENERGY] = {.title = "Energy", .has_zero = true},
        [RADII] = {.title = "Radii that hold a share of the mass", .is_logarithmic = true},
        [ENERGY_ERROR] = {.title = "Energy error", .formula = "ΔE/|E₀|", .has_zero = true},
        [VIRIAL] = {.title = "Virial ratio", .formula = "2K/|W|"},
        [MOMENTUM] = {.title = "Momentum error", .formula = "|ΔP|/Σm|v|", .has_zero = true},
        [ANGULAR] = {.title = "Angular momentum error",
                     .formula = "|ΔL|/max(|L₀|, r½Σm|v|)",
                     .has_zero = true},
    };
    struct series s = {.file = report->files.diagnostics};
    if (!result_find(s.file, "time"))
        return STATUS_OK;
    enum status status = read_series(&s);
    if (status == STATUS_OK && s.count > 1) {
        char time_name[STYLE_TEXT_BYTES];
        const struct nbody_unit time = report_nbody_time_unit(report, fabs(s.time[s.count - 1]));
        snprintf(time_name, sizeof time_name, "time (%s)", time.name[0] ? time.name : "N-body units");
        for (size_t k = 0; k < PANELS; k++) {
            panels[k].count = s.count;
            panels[k].x = s.time;
            panels[k].x_unit = time.size;
            panels[k].x_name = time_name;
        }
        status = fill_panels(report, &s, panels);
        if (status == STATUS_OK)
            status = curves_draw(report, &picture, panels, PANELS);
    }
    curves_free(panels, PANELS);
    free_series(&s);
    return status;
}
