// The structure of a gas at the end of a run, and its clusters, in a report. The variables are those of
// structure.nc.
#include "report/curves.h"
#include "report/gas/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DISTANCES, SPEEDS, CLUSTERS, SIZES, PANELS };

// One record of a variable over time and an axis of its own; *values is owned by the caller.
static enum status read_record(const struct result_file *file, const char *name, size_t record,
                               double *values)
{
    const struct result_variable *v = result_find(file, name);
    return result_read(file, name, (size_t[]){record, 0}, (size_t[]){1, v->lengths[1]}, values);
}

// Reads the axis and the number of records of a variable over it; 0 if the variable is missing.
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

static enum status fill_distances(struct report_gas_figures *gas, const struct result_file *file,
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
    double *g;
    CHECK(curves_add(panel, CURVE_LINE, "", &g));
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
    double *density;
    CHECK(curves_add(panel, CURVE_BARS, "gas", &density));
    CHECK(read_record(file, "speed_density", records - 1, density));
    if (!maxwell || maxwell->rank != 1 || maxwell->lengths[0] != panel->count)
        return STATUS_OK;
    double *law;
    CHECK(curves_add(panel, CURVE_DASHED, "Maxwell (2-D)", &law));
    return result_read(file, "maxwell", (size_t[]){0}, (size_t[]){panel->count}, law);
}

// Draws the number of clusters of each size, at up to four times.
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
        double *counts;
        CHECK(curves_add(panel, CURVE_MARKS, name, &counts));
        CHECK(read_record(file, "cluster_count", record, counts));
        for (size_t c = 0; c < panel->count; c++)
            counts[c] = counts[c] > 0 ? counts[c] : NAN; // not on a logarithmic axis
    }
    return STATUS_OK;
}

static enum status fill_clusters(const struct gas_growth *growth, struct curve_panel *panel)
{
    *panel = (struct curve_panel){.title = "Size of clusters",
                                  .formula = "particles",
                                  .count = growth->count,
                                  .x = growth->times,
                                  .x_unit = 1,
                                  .x_name = "time",
                                  .is_logarithmic = true};
    const struct curve_row rows[] = {{0, CURVE_LINE, "largest", growth->largest, 1, 0},
                                     {0, CURVE_LINE, "mean", growth->mean, 1, 0}};
    return curves_fill(panel, rows, sizeof rows / sizeof *rows);
}

enum status report_gas_draw_structure(struct report *report, const struct result_file *structure,
                                      const struct gas_growth *growth)
{
    static const struct curves_picture picture = {
        GAS_STRUCTURE, "structure.png", "Structure",
        "The mean radial distribution (1: uniform), speeds with Maxwell's distribution in two "
        "dimensions; the largest cluster, and the mean size of a particle's cluster; the number of "
        "clusters of each size."};
    struct curve_panel panels[PANELS] = {0};
    double *axes[PANELS] = {NULL};
    struct report_gas_figures *gas = report->state;
    if (growth->count > 0) {
        gas->largest_cluster = growth->largest[growth->count - 1];
        gas->first_largest_cluster = growth->largest[0];
    }
    enum status status = fill_distances(gas, structure, &panels[DISTANCES], &axes[DISTANCES]);
    if (status == STATUS_OK)
        status = fill_speeds(structure, &panels[SPEEDS], &axes[SPEEDS]);
    if (status == STATUS_OK && growth->count > 0)
        status = fill_clusters(growth, &panels[CLUSTERS]);
    if (status == STATUS_OK && growth->count > 0)
        status = fill_sizes(structure, &panels[SIZES], &axes[SIZES]);
    if (status == STATUS_OK)
        status = curves_draw(report, &picture, panels, PANELS);
    curves_free(panels, PANELS);
    for (size_t k = 0; k < PANELS; k++)
        free(axes[k]);
    return status;
}
