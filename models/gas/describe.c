// Describes a gas run in run.json and in the plan's JSON: particles, physics, method, diagnostics, stages,
// lists.
#include "models/describe_record.h"
#include "models/gas/instance.h"
#include "models/gas/method.h"
#include "models/gas/params_private.h"

#include <cjson/cJSON.h>

static void describe_particles(const struct gas *g, cJSON *report)
{
    const struct gas_params *p = &g->params;
    const double *box = p->physics.box;
    cJSON *particles = cJSON_AddObjectToObject(report, "particles");
    cJSON_AddNumberToObject(particles, "count", (double)p->count);
    if (g->output.trajectory_count > 0)
        cJSON_AddNumberToObject(particles, "in_trajectory", (double)g->output.trajectory_count);
    cJSON_AddItemToObject(report, "box", cJSON_CreateDoubleArray(box, GAS_AXES));
    cJSON_AddNumberToObject(report, "density", (double)p->count / (box[GAS_X] * box[GAS_Y]));
}

static void describe_physics(const struct gas *g, cJSON *report)
{
    static const char *const thermostats[] = {
        [GAS_NO_THERMOSTAT] = "none", [GAS_LANGEVIN] = "langevin", [GAS_BUSSI] = "bussi"};
    const struct gas_physics *physics = &g->params.physics;
    cJSON_AddStringToObject(report, "potential", gas_potential_names[physics->potential]);
    if (physics->cut_off > 0)
        cJSON_AddNumberToObject(report, "cut_off", physics->cut_off);
    if (physics->softening > 0)
        cJSON_AddNumberToObject(report, "softening", physics->softening);
    if (gas_core(physics) > 0)
        cJSON_AddNumberToObject(report, "core", gas_core(physics));
    if (physics->gravity[GAS_X] != 0 || physics->gravity[GAS_Y] != 0)
        cJSON_AddItemToObject(report, "gravity", cJSON_CreateDoubleArray(physics->gravity, GAS_AXES));
    cJSON *walls = cJSON_AddObjectToObject(report, "walls");
    for (int side = 0; side < GAS_SIDES; side++)
        cJSON_AddStringToObject(walls, gas_side_names[side], gas_wall_names[physics->walls[side]]);
    cJSON_AddStringToObject(report, "integrator",
                            physics->integrator == GAS_LEAPFROG ? "leapfrog" : "symplectic-euler");
    cJSON_AddStringToObject(report, "thermostat", thermostats[physics->thermostat]);
    if (physics->thermostat != GAS_NO_THERMOSTAT)
        cJSON_AddNumberToObject(report, "temperature", physics->temperature);
    cJSON_AddNumberToObject(report, "degrees_of_freedom", gas_degrees(physics, g->params.count));
}

static void describe_error(const struct gas_regions_error *error, cJSON *regions)
{
    if (error->samples == 0)
        return;
    cJSON *object = cJSON_AddObjectToObject(regions, "force_error");
    cJSON_AddNumberToObject(object, "samples", error->samples);
    cJSON_AddItemToObject(object, "rms", describe_number(error->rms));
    cJSON_AddItemToObject(object, "largest", describe_number(error->largest));
    cJSON_AddStringToObject(object, "judged_in",
                            "root mean squares of the force from beyond the near cells, at the start");
}

static void describe_method(const struct gas *g, cJSON *report)
{
    const struct gas_physics *physics = &g->params.physics;
    const struct gas_regions *regions = &physics->regions;
    cJSON_AddStringToObject(report, "method", physics->method == GAS_CELLS ? "cells" : "all-pairs");
    if (gas_has_regions(physics)) {
        cJSON *object = cJSON_AddObjectToObject(report, "regions");
        cJSON_AddNumberToObject(object, "columns", regions->columns);
        cJSON_AddNumberToObject(object, "rows", regions->rows);
        cJSON_AddNumberToObject(object, "near_cells", regions->near);
        cJSON_AddNumberToObject(object, "far_cells", regions->far);
        cJSON_AddNumberToObject(object, "order", regions->order);
        describe_error(&g->regions_error, object);
    }
    if (gas_has_lists(physics)) {
        cJSON_AddNumberToObject(report, "skin", physics->lists.skin);
        cJSON_AddNumberToObject(report, "neighbours_at_most", physics->lists.neighbours);
    }
}

static void describe_diagnostics(const struct gas *g, cJSON *report)
{
    const struct gas_series *series = &g->series;
    if (series->records == 0)
        return;
    cJSON *diagnostics = cJSON_AddObjectToObject(report, "diagnostics");
    describe_record(&g->diagnostics, diagnostics, "start", series->first, series->first_time);
    describe_record(&g->diagnostics, diagnostics, "end", series->last, series->last_time);
    // An energy is known at the records only.
    cJSON *records = cJSON_AddObjectToObject(diagnostics, "records");
    cJSON_AddNumberToObject(records, "largest_energy_change", series->largest_change);
    cJSON_AddNumberToObject(records, "largest_energy_change_time", series->largest_change_time);
    cJSON_AddItemToObject(records, "energy_drift", describe_number(gas_energy_drift(series)));
}

static void describe_counts(const struct gas *g, cJSON *report)
{
    const struct gas_counts *counts = &g->counts;
    const struct gas_limiters *limiters = &g->params.physics.limiters;
    if (counts->pairs > 0)
        cJSON_AddNumberToObject(report, "interactions_per_step", counts->pairs);
    if (counts->rebuilds > 0) {
        cJSON *lists = cJSON_AddObjectToObject(report, "lists");
        cJSON_AddNumberToObject(lists, "rebuilds", (double)counts->rebuilds);
        cJSON_AddNumberToObject(lists, "largest", (double)counts->largest_list);
        cJSON_AddNumberToObject(lists, "mean", counts->neighbours);
    }
    if (limiters->energy <= 0 && limiters->jump <= 0)
        return;
    cJSON *limited = cJSON_AddObjectToObject(report, "limiters");
    cJSON_AddNumberToObject(limited, "energy", (double)counts->limited_energy);
    cJSON_AddNumberToObject(limited, "jumps", (double)counts->limited_jumps);
}

static const char *const stage_names[GAS_STAGES] = {[GAS_STAGE_MOVE] = "move_s",
                                                    [GAS_STAGE_SORT] = "sort_s",
                                                    [GAS_STAGE_LISTS] = "lists_s",
                                                    [GAS_STAGE_FORCE] = "force_s",
                                                    [GAS_STAGE_REGIONS] = "regions_s"};

void gas_describe(void *instance, cJSON *report)
{
    const struct gas *g = instance;
    describe_particles(g, report);
    describe_physics(g, report);
    describe_method(g, report);
    describe_diagnostics(g, report);
    describe_stages(report, g->stage_times.steps, stage_names, g->stage_times.seconds, GAS_STAGES);
    describe_counts(g, report);
    check_describe(&g->base, report);
}
