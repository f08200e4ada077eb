// Energy, temperature, pressure and clusters of a gas against time, and the structure at the end, in a
// report. Knows diagnostics.nc and structure.nc.
#include "report/curves.h"
#include "report/gas/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- over time

// As they stand in diagnostics.nc. Owned; NULL where the file has none.
struct series {
    const struct result_file *file;
    size_t count;
    double particles; // what energies are divided by
    double *time, *kinetic, *potential, *momentum, *temperature, *pressure, *limited;
};

static enum status read_series(struct series *s)
{
    CHECK(result_read_all(s->file, "time", &s->time, &s->count));
    CHECK(curves_read(s->file, s->count, "energy_kinetic", 1, &s->kinetic));
    CHECK(curves_read(s->file, s->count, "energy_potential", 1, &s->potential));
    CHECK(curves_read(s->file, s->count, "momentum", GAS_REPORT_AXES, &s->momentum));
    CHECK(curves_read(s->file, s->count, "temperature", 1, &s->temperature));
    CHECK(curves_read(s->file, s->count, "pressure", 1, &s->pressure));
    return curves_read(s->file, s->count, "limited", 1, &s->limited);
}

static void free_series(struct series *s)
{
    double *const all[] = {s->time,        s->kinetic,  s->potential, s->momentum,
                           s->temperature, s->pressure, s->limited};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

static double energy_of(const struct series *s, size_t k)
{
    return (s->kinetic[k] + s->potential[k]) / s->particles;
}

// Means of the run's second half, with the error that ten blocks of it tell: their means hardly depend on
// each other.
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

// The slope of the straight line nearest to the energies, times the length of the run.
static double drift_of(const struct series *s)
{
    double time = 0, energy = 0, products = 0, squares = 0;
    for (size_t k = 0; k < s->count; k++) {
        time += s->time[k] / (double)s->count;
        energy += (energy_of(s, k) - energy_of(s, 0)) / (double)s->count;
    }
    for (size_t k = 0; k < s->count; k++) {
        products += (s->time[k] - time) * (energy_of(s, k) - energy_of(s, 0) - energy);
        squares += (s->time[k] - time) * (s->time[k] - time);
    }
    return squares > 0 ? products / squares * (s->time[s->count - 1] - s->time[0]) : NAN;
}

static void note_figures(struct report_gas *gas, const struct series *s)
{
    note_mean(s->temperature, s->count, &gas->temperature, &gas->temperature_error);
    note_mean(s->pressure, s->count, &gas->pressure, &gas->pressure_error);
    if (s->limited)
        gas->limited = s->limited[s->count - 1];
    if (!s->kinetic || !s->potential)
        return;
    note_mean(s->potential, s->count, &gas->potential, &gas->potential_error);
    gas->potential /= s->particles;
    gas->potential_error /= s->particles;
    gas->energy_drift = drift_of(s);
    gas->energy_change = 0;
    for (size_t k = 0; k < s->count; k++)
        gas->energy_change = fmax(gas->energy_change, fabs(energy_of(s, k) - energy_of(s, 0)));
}

static bool copy_curve(struct curve_panel *panel, const char *name, const double *values, double scale)
{
    double *copy = values ? curve_add(panel, CURVE_LINE, name) : NULL;
    for (size_t k = 0; k < panel->count && copy; k++)
        copy[k] = values[k] * scale;
    return copy || !values;
}

static bool fill_energy(const struct series *s, struct curve_panel *panel, struct curve_panel *change)
{
    panel->title = "Energy";
    panel->formula = s->particles > 1 ? "per particle" : NULL;
    panel->has_zero = true;
    change->title = "Change of the energy";
    change->formula = s->particles > 1 ? "(E − E₀)/N" : "E − E₀";
    change->has_zero = true;
    if (!s->kinetic || !s->potential)
        return true;
    if (!copy_curve(panel, "kinetic", s->kinetic, 1 / s->particles) ||
        !copy_curve(panel, "potential", s->potential, 1 / s->particles))
        return false;
    double *total = curve_add(panel, CURVE_LINE, "total"), *changes = curve_add(change, CURVE_LINE, "");
    for (size_t k = 0; k < s->count && total && changes; k++) {
        total[k] = energy_of(s, k);
        changes[k] = total[k] - energy_of(s, 0);
    }
    return total && changes;
}

static bool fill_temperature(const struct report *report, const struct series *s, struct curve_panel *panel)
{
    const double wanted = report_json_number(report->run, "temperature");
    panel->title = "Temperature";
    panel->formula = "2K / degrees of freedom";
    panel->has_key = true;
    if (!copy_curve(panel, "gas", s->temperature, 1) || !s->temperature || !isfinite(wanted))
        return panel->curve_count > 0 || !s->temperature;
    double *line = curve_add(panel, CURVE_DASHED, "thermostat");
    for (size_t k = 0; k < s->count && line; k++)
        line[k] = wanted;
    return line;
}

// Only of a box that is periodic all round: walls take momentum.
static bool fill_momentum(const struct report *report, const struct series *s, struct curve_panel *panel)
{
    struct gas_box box;
    char walls[4 * (GAS_WALL_BYTES + 12)];
    panel->title = "Momentum";
    panel->formula = s->particles > 1 ? "|P|/N" : "|P|";
    panel->has_zero = true;
    if (!s->momentum || !gas_read_box(report->run, &box) ||
        strcmp(gas_walls_text(&box, walls, sizeof walls), "periodic") != 0)
        return true;
    double *size = curve_add(panel, CURVE_LINE, "");
    for (size_t k = 0; k < s->count && size; k++)
        size[k] = hypot(s->momentum[2 * k], s->momentum[2 * k + 1]) / s->particles;
    return size;
}

static bool fill_clusters(const struct gas_growth *growth, struct curve_panel *panel)
{
    *panel = (struct curve_panel){.title = "Size of clusters",
                                  .formula = "particles",
                                  .count = growth->count,
                                  .x = growth->times,
                                  .x_unit = 1,
                                  .x_name = "time",
                                  .is_logarithmic = true};
    return copy_curve(panel, "largest", growth->largest, 1) && copy_curve(panel, "mean", growth->mean, 1);
}

enum { ENERGY, TEMPERATURE, ENERGY_CHANGE, PRESSURE, MOMENTUM, LIMITED, TIME_PANELS };

static enum status draw_series(struct report *report, const struct series *s,
                               struct curve_panel panels[TIME_PANELS])
{
    static const struct curves_picture picture = {REPORT_DIAGNOSTICS, "diagnostics.png",
                                                  "Energy, temperature and pressure",
                                                  "Energies per particle; the temperature of all particles' "
                                                  "kinetic energy; the pressure by the virial."};
    for (size_t k = 0; k < TIME_PANELS; k++)
        panels[k] = (struct curve_panel){.count = s->count, .x = s->time, .x_unit = 1, .x_name = "time"};
    panels[PRESSURE].title = "Pressure";
    panels[LIMITED].title = "Times that a limiter acted";
    const bool has_limiters = s->limited && s->limited[s->count - 1] > 0;
    return fill_energy(s, &panels[ENERGY], &panels[ENERGY_CHANGE]) &&
                   fill_temperature(report, s, &panels[TEMPERATURE]) &&
                   copy_curve(&panels[PRESSURE], "", s->pressure, 1) &&
                   fill_momentum(report, s, &panels[MOMENTUM]) &&
                   copy_curve(&panels[LIMITED], "", has_limiters ? s->limited : NULL, 1)
               ? report_draw_curves(report, &picture, panels, TIME_PANELS)
               : FAIL(STATUS_SYSTEM, "report: not enough memory for the diagnostics");
}

enum status report_draw_gas_series(struct report *report, size_t particles)
{
    struct series s = {.file = report_outermost(report)->diagnostics,
                       .particles = particles > 0 ? (double)particles : 1};
    struct curve_panel panels[TIME_PANELS] = {0};
    if (!result_find(s.file, "time"))
        return STATUS_OK;
    enum status status = read_series(&s);
    if (status == STATUS_OK && s.count > 1) {
        note_figures(&report->gas, &s);
        status = draw_series(report, &s, panels);
    }
    curves_free(panels, TIME_PANELS);
    free_series(&s);
    return status;
}

// ---- the structure

enum { DISTANCES, SPEEDS, CLUSTERS, SIZES, STRUCTURE_PANELS };

// One record of a variable over time and an axis of its own; *values is owned by the caller.
static enum status read_record(const struct result_file *file, const char *name, size_t record,
                               double *values)
{
    const struct result_variable *v = result_find(file, name);
    return result_read(file, name, (size_t[]){record, 0}, (size_t[]){1, v->lengths[1]}, values);
}

// The axis, and the number of records that a variable has over it; 0 if there is none.
static enum status read_axis(const struct result_file *file, const char *name, const char *axis,
                             struct curve_panel *panel, double **x, size_t *records)
{
    const struct result_variable *v = result_find(file, name);
    *records = 0;
    if (!v || v->rank != 2 || !result_find(file, axis))
        return STATUS_OK;
    CHECK(result_read_all(file, axis, x, &panel->count));
    if (panel->count != v->lengths[1])
        return FAIL(STATUS_DATA, "%s: %s and %s differ in length", result_path(file), axis, name);
    panel->x = *x;
    panel->x_unit = 1;
    *records = v->lengths[0];
    return STATUS_OK;
}

static enum status no_memory(void)
{
    return FAIL(STATUS_SYSTEM, "report: not enough memory for the structure");
}

static enum status fill_distances(struct report_gas *gas, const struct result_file *file,
                                  struct curve_panel *panel, double **x)
{
    size_t records;
    panel->title = "Radial distribution";
    panel->formula = "g(r)";
    panel->x_name = "distance r";
    panel->has_zero = panel->has_x_zero = true;
    CHECK(read_axis(file, "radial_distribution", "radius", panel, x, &records));
    if (records == 0)
        return STATUS_OK;
    double *g = curve_add(panel, CURVE_LINE, "");
    if (!g)
        return no_memory();
    CHECK(read_record(file, "radial_distribution", records - 1, g));
    gas->peak = 0;
    for (size_t k = 0; k < panel->count; k++)
        if (g[k] > gas->peak) {
            gas->peak = g[k];
            gas->peak_radius = panel->x[k];
        }
    return STATUS_OK;
}

static enum status fill_speeds(const struct result_file *file, struct curve_panel *panel, double **x)
{
    size_t records;
    panel->title = "Speeds";
    panel->formula = "density of v √(m/T)";
    panel->x_name = "reduced speed v √(m/T)";
    panel->has_zero = panel->has_x_zero = panel->has_key = true;
    CHECK(read_axis(file, "speed_density", "speed", panel, x, &records));
    const struct result_variable *maxwell = result_find(file, "maxwell");
    if (records == 0)
        return STATUS_OK;
    double *density = curve_add(panel, CURVE_BARS, "gas");
    if (!density)
        return no_memory();
    CHECK(read_record(file, "speed_density", records - 1, density));
    if (!maxwell || maxwell->rank != 1 || maxwell->lengths[0] != panel->count)
        return STATUS_OK;
    double *law = curve_add(panel, CURVE_DASHED, "Maxwell (2-D)");
    return law ? result_read(file, "maxwell", (size_t[]){0}, (size_t[]){panel->count}, law) : no_memory();
}

// How many clusters there are of each size, at up to four times.
static enum status fill_sizes(const struct result_file *file, struct curve_panel *panel, double **x)
{
    size_t records;
    panel->title = "Number of clusters by size";
    panel->formula = "classes 1, 2–3, 4–7, …";
    panel->x_name = "particles of a cluster, least of the class";
    panel->is_logarithmic = panel->is_x_logarithmic = panel->has_key = true;
    CHECK(read_axis(file, "cluster_count", "cluster_size", panel, x, &records));
    const size_t times = records < GAS_STAGES ? records : GAS_STAGES;
    for (size_t k = 0; k < times; k++) {
        const size_t record = times > 1 ? k * (records - 1) / (times - 1) : 0;
        double time;
        char name[CURVE_UNIT_BYTES];
        CHECK(result_read(file, "time", (size_t[]){record}, (size_t[]){1}, &time));
        snprintf(name, sizeof name, "t = %.6g", time);
        double *counts = curve_add(panel, CURVE_MARKS, name);
        if (!counts)
            return no_memory();
        CHECK(read_record(file, "cluster_count", record, counts));
        for (size_t c = 0; c < panel->count; c++)
            counts[c] = counts[c] > 0 ? counts[c] : NAN; // not on a logarithmic axis
    }
    return STATUS_OK;
}

enum status report_draw_gas_structure(struct report *report, const struct result_file *structure,
                                      const struct gas_growth *growth)
{
    static const struct curves_picture picture = {
        REPORT_GAUGES, "structure.png", "Structure",
        "The mean radial distribution (1: evenly spread), speeds beside Maxwell's distribution of two "
        "dimensions; the largest cluster, and the mean size of the cluster that a particle is of; how many "
        "clusters there are of each size."};
    struct curve_panel panels[STRUCTURE_PANELS] = {0};
    double *axes[STRUCTURE_PANELS] = {NULL};
    if (growth->count > 0) {
        report->gas.largest_cluster = growth->largest[growth->count - 1];
        report->gas.first_largest_cluster = growth->largest[0];
    }
    enum status status = fill_distances(&report->gas, structure, &panels[DISTANCES], &axes[DISTANCES]);
    if (status == STATUS_OK)
        status = fill_speeds(structure, &panels[SPEEDS], &axes[SPEEDS]);
    if (status == STATUS_OK && growth->count > 0 && !fill_clusters(growth, &panels[CLUSTERS]))
        status = no_memory();
    if (status == STATUS_OK && growth->count > 0)
        status = fill_sizes(structure, &panels[SIZES], &axes[SIZES]);
    if (status == STATUS_OK)
        status = report_draw_curves(report, &picture, panels, STRUCTURE_PANELS);
    curves_free(panels, STRUCTURE_PANELS);
    for (size_t k = 0; k < STRUCTURE_PANELS; k++)
        free(axes[k]);
    return status;
}
