// Energy, temperature and pressure of a gas against time, in a report. The series are those of
// diagnostics.nc.
#include "report/curves.h"
#include "report/gas/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENERGY, TEMPERATURE, ENERGY_CHANGE, PRESSURE, MOMENTUM, LIMITED, PANELS };

// The variables of diagnostics.nc.
enum { KINETIC, POTENTIAL, MOMENTA, TEMPERATURES, PRESSURES, LIMITS, VARIABLES };
static const struct curve_variable variables[VARIABLES] = {
    {"energy_kinetic", 1}, {"energy_potential", 1}, {"momentum", GAS_REPORT_AXES},
    {"temperature", 1},    {"pressure", 1},         {"limited", 1}};

// Vectors are [count][2], all others [count]; owned; NULL if the file has no such variable.
struct series {
    const struct result_file *file;
    size_t count;
    double particles; // the divisor of energies
    double *time, *values[VARIABLES];
    double *energy, *momentum,
        *thermostat; // derived: per particle; per particle; the thermostat's temperature
};

static enum status read_series(const struct report *report, struct series *s)
{
    CHECK(result_read_all(s->file, "time", &s->time, &s->count));
    CHECK(curves_read(s->file, variables, VARIABLES, s->count, s->values));
    s->energy = calloc(3 * s->count + 1, sizeof *s->energy);
    if (!s->energy)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
    s->momentum = s->energy + s->count;
    s->thermostat = s->energy + 2 * s->count;
    const double *kinetic = s->values[KINETIC], *potential = s->values[POTENTIAL], *p = s->values[MOMENTA];
    for (size_t k = 0; k < s->count; k++) {
        s->energy[k] = kinetic && potential ? (kinetic[k] + potential[k]) / s->particles : NAN;
        s->momentum[k] = p ? hypot(p[2 * k], p[2 * k + 1]) / s->particles : NAN;
        s->thermostat[k] = json_number(report->run, "temperature");
    }
    return STATUS_OK;
}

static void free_series(struct series *s)
{
    for (size_t k = 0; k < VARIABLES; k++)
        free(s->values[k]);
    free(s->time);
    free(s->energy);
}

// The mean over the second half of the run. Its error is estimated from the means of ten blocks, which are
// nearly independent.
static void note_mean(const double *values, size_t count, double *mean, double *error)
{
    enum { BLOCKS = 10 };
    const size_t first = count / 2, length = (count - first) / BLOCKS;
    double blocks[BLOCKS] = {0}, sum = 0, squares = 0;
    if (!values || count < 2)
        return;
    for (size_t k = first; k < count; k++)
        sum += values[k];
    *mean = sum / (double)(count - first);
    for (size_t k = 0; k < BLOCKS * length; k++)
        blocks[k / length] += values[count - BLOCKS * length + k] / (double)length;
    for (int b = 0; b < BLOCKS; b++) {
        sum = b == 0 ? blocks[b] : sum + blocks[b];
        squares += blocks[b] * blocks[b];
    }
    if (length > 1)
        *error = sqrt(fmax(squares - sum * sum / BLOCKS, 0) / (BLOCKS * (BLOCKS - 1)));
}

// The slope of the regression line of the energies, times the length of the run.
static double drift_of(const struct series *s)
{
    double time = 0, energy = 0, products = 0, squares = 0;
    for (size_t k = 0; k < s->count; k++) {
        time += s->time[k] / (double)s->count;
        energy += (s->energy[k] - s->energy[0]) / (double)s->count;
    }
    for (size_t k = 0; k < s->count; k++) {
        products += (s->time[k] - time) * (s->energy[k] - s->energy[0] - energy);
        squares += (s->time[k] - time) * (s->time[k] - time);
    }
    return squares > 0 ? products / squares * (s->time[s->count - 1] - s->time[0]) : NAN;
}

static void note_figures(struct report_gas_figures *gas, const struct series *s)
{
    note_mean(s->values[TEMPERATURES], s->count, &gas->temperature, &gas->temperature_error);
    note_mean(s->values[PRESSURES], s->count, &gas->pressure, &gas->pressure_error);
    if (s->values[LIMITS])
        gas->limited = s->values[LIMITS][s->count - 1];
    if (!s->values[KINETIC] || !s->values[POTENTIAL])
        return;
    note_mean(s->values[POTENTIAL], s->count, &gas->potential, &gas->potential_error);
    gas->potential /= s->particles;
    gas->potential_error /= s->particles;
    gas->energy_drift = drift_of(s);
    gas->energy_change = 0;
    for (size_t k = 0; k < s->count; k++)
        gas->energy_change = fmax(gas->energy_change, fabs(s->energy[k] - s->energy[0]));
}

// Whether all sides are periodic: only then is the momentum conserved.
static bool is_periodic(const struct report *report)
{
    struct gas_box box;
    char walls[4 * (GAS_WALL_BYTES + 12)];
    return report_gas_read_box(report->run, &box) &&
           strcmp(report_gas_walls_text(&box, walls, sizeof walls), "periodic") == 0;
}

static enum status draw_series(struct report *report, const struct series *s,
                               struct curve_panel panels[PANELS])
{
    static const struct curves_picture picture = {
        GAS_DIAGNOSTICS, "diagnostics.png", "Energy, temperature and pressure",
        "Energies per particle; the temperature from the kinetic energy "
        "of all particles; the pressure from the virial."};
    const double *kinetic = s->values[POTENTIAL] ? s->values[KINETIC] : NULL,
                 *potential = s->values[KINETIC] ? s->values[POTENTIAL] : NULL,
                 *energy = kinetic ? s->energy : NULL, *temperature = s->values[TEMPERATURES],
                 *limits = s->values[LIMITS];
    const struct curve_row rows[] = {
        {ENERGY, CURVE_LINE, "kinetic", kinetic, s->particles, 0},
        {ENERGY, CURVE_LINE, "potential", potential, s->particles, 0},
        {ENERGY, CURVE_LINE, "total", energy, 1, 0},
        {ENERGY_CHANGE, CURVE_LINE, "", energy, 1, s->energy[0]},
        {TEMPERATURE, CURVE_LINE, "gas", temperature, 1, 0},
        {TEMPERATURE, CURVE_DASHED, "thermostat",
         temperature && isfinite(s->thermostat[0]) ? s->thermostat : NULL, 1, 0},
        {PRESSURE, CURVE_LINE, "", s->values[PRESSURES], 1, 0},
        {MOMENTUM, CURVE_LINE, "", s->values[MOMENTA] && is_periodic(report) ? s->momentum : NULL, 1, 0},
        {LIMITED, CURVE_LINE, "", limits && limits[s->count - 1] > 0 ? limits : NULL, 1, 0},
    };
    for (size_t k = 0; k < PANELS; k++) {
        panels[k].count = s->count;
        panels[k].x = s->time;
        panels[k].x_unit = 1;
        panels[k].x_name = "time";
    }
    CHECK(curves_fill(panels, rows, sizeof rows / sizeof *rows));
    return curves_draw(report, &picture, panels, PANELS);
}

enum status report_gas_draw_series(struct report *report, size_t particles)
{
    const bool is_one = particles <= 1;
    struct series s = {.file = report->files.diagnostics, .particles = is_one ? 1 : (double)particles};
    struct curve_panel panels[PANELS] = {
        [ENERGY] = {.title = "Energy", .formula = is_one ? NULL : "per particle", .has_zero = true},
        [TEMPERATURE] = {.title = "Temperature", .formula = "2K / degrees of freedom", .has_key = true},
        [ENERGY_CHANGE] = {.title = "Change of the energy",
                           .formula = is_one ? "E − E₀" : "(E − E₀)/N",
                           .has_zero = true},
        [PRESSURE] = {.title = "Pressure"},
        [MOMENTUM] = {.title = "Momentum", .formula = is_one ? "|P|" : "|P|/N", .has_zero = true},
        [LIMITED] = {.title = "Times that a limiter acted"},
    };
    if (!result_find(s.file, "time"))
        return STATUS_OK;
    enum status status = read_series(report, &s);
    if (status == STATUS_OK && s.count > 1) {
        note_figures(report->state, &s);
        status = draw_series(report, &s, panels);
    }
    curves_free(panels, PANELS);
    free_series(&s);
    return status;
}
