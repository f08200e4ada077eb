// Describes an N-body run in run.json and in the plan's JSON: bodies, units, method, diagnostics, stages.
#include "models/describe_record.h"
#include "models/nbody/instance.h"

#include <cjson/cJSON.h>

static void describe_bodies(const struct nbody *n, cJSON *report)
{
    const struct nbody_params *p = &n->params;
    cJSON *bodies = cJSON_AddObjectToObject(report, "bodies");
    cJSON_AddNumberToObject(bodies, "count", (double)p->count);
    if (n->output.trajectory_count > 0)
        cJSON_AddNumberToObject(bodies, "in_trajectory", (double)n->output.trajectory_count);
    cJSON *units = cJSON_AddObjectToObject(report, "units");
    cJSON_AddStringToObject(units, "system", p->units.is_si ? "si" : "nbody");
    if (!p->units.is_si)
        return;
    // What the run computes with: one of its units, in the results'.
    cJSON_AddNumberToObject(units, "length_m", p->units.length);
    cJSON_AddNumberToObject(units, "mass_kg", p->units.mass);
    cJSON_AddNumberToObject(units, "time_s", p->units.time);
}

static void describe_method(const struct nbody *n, cJSON *report)
{
    static const char *const openings[] = {[NBODY_OPENING_OFFSET] = "offset",
                                           [NBODY_OPENING_SIZE] = "size",
                                           [NBODY_OPENING_DISTANCE] = "distance"};
    const struct nbody_params *p = &n->params;
    const struct nbody_tree_rule *tree = &p->physics.tree;
    const bool is_tree = p->physics.method == NBODY_BARNES_HUT;
    cJSON_AddStringToObject(report, "method", nbody_method_names[p->physics.method]);
    cJSON_AddStringToObject(report, "integrator",
                            p->physics.integrator == NBODY_LEAPFROG ? "leapfrog" : "source");
    cJSON_AddNumberToObject(report, "softening", p->physics.softening * p->units.length);
    if (!is_tree)
        return;
    cJSON_AddStringToObject(report, "opening", openings[tree->opening]);
    if (tree->opening == NBODY_OPENING_DISTANCE)
        cJSON_AddNumberToObject(report, "opening_distance", tree->distance * p->units.length);
    else
        cJSON_AddNumberToObject(report, "theta", tree->theta);
    cJSON_AddStringToObject(report, "multipole", tree->has_quadrupole ? "quadrupole" : "monopole");
}

static void describe_diagnostics(const struct nbody *n, cJSON *report)
{
    const struct nbody_series *series = &n->series;
    if (series->records == 0)
        return;
    cJSON *diagnostics = cJSON_AddObjectToObject(report, "diagnostics");
    cJSON_AddStringToObject(diagnostics, "energy_unit", n->params.units.energy_name);
    describe_record(&n->diagnostics, diagnostics, "start", series->first, series->first_time);
    describe_record(&n->diagnostics, diagnostics, "end", series->last, series->last_time);
    // An energy is known at the records only.
    cJSON *records = cJSON_AddObjectToObject(diagnostics, "records");
    cJSON_AddNumberToObject(records, "largest_energy_error", series->largest_error);
    cJSON_AddNumberToObject(records, "largest_energy_error_time", series->largest_error_time);
}

static const char *const stage_names[NBODY_STAGES] = {
    [NBODY_STAGE_BOX] = "box_s",     [NBODY_STAGE_SORT] = "sort_s",
    [NBODY_STAGE_BUILD] = "build_s", [NBODY_STAGE_SUMMARISE] = "summarise_s",
    [NBODY_STAGE_FORCE] = "force_s", [NBODY_STAGE_INTEGRATE] = "integrate_s"};

static void describe_tree(const struct nbody_tree_counts *counts, cJSON *report)
{
    if (counts->cells == 0)
        return;
    cJSON *tree = cJSON_AddObjectToObject(report, "tree");
    cJSON_AddNumberToObject(tree, "cells", (double)counts->cells);
    cJSON_AddNumberToObject(tree, "leaves", (double)counts->leaves);
    cJSON_AddNumberToObject(tree, "cells_planned", (double)counts->cells_planned);
    cJSON_AddNumberToObject(tree, "cell_interactions", counts->cell_interactions);
    cJSON_AddNumberToObject(tree, "body_interactions", counts->body_interactions);
}

void nbody_describe(void *instance, cJSON *report)
{
    const struct nbody *n = instance;
    describe_bodies(n, report);
    describe_method(n, report);
    describe_diagnostics(n, report);
    describe_stages(report, n->stage_times.steps, stage_names, n->stage_times.seconds, NBODY_STAGES);
    describe_tree(&n->tree_counts, report);
    check_describe(&n->base, report);
}
