// A grid in run.json and in the plan's JSON: its nodes, its physics, its results. Independent of the state.
#include "models/tsunami/instance.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

static void describe_grid(const struct tsunami_level *t, cJSON *report)
{
    const struct grid_window *w = &t->params.window;
    cJSON *grid = cJSON_AddObjectToObject(report, "grid");
    cJSON_AddStringToObject(grid, "bathymetry", t->params.bathymetry_path);
    cJSON_AddStringToObject(grid, "coordinates", w->is_geographic ? "degrees" : "metres");
    if (t->params.crs) {
        char crs[24];
        snprintf(crs, sizeof crs, "EPSG:%d", t->params.crs);
        cJSON_AddStringToObject(grid, "crs", crs);
    }
    cJSON_AddNumberToObject(grid, "nx", (double)w->nx);
    cJSON_AddNumberToObject(grid, "ny", (double)w->ny);
    cJSON_AddNumberToObject(grid, "x_first", w->x[0]);
    cJSON_AddNumberToObject(grid, "x_last", w->x[w->nx - 1]);
    cJSON_AddNumberToObject(grid, "y_first", w->y[0]);
    cJSON_AddNumberToObject(grid, "y_last", w->y[w->ny - 1]);
    cJSON_AddNumberToObject(grid, "wet_nodes", (double)t->survey.wet_nodes);
    cJSON_AddNumberToObject(grid, "deepest_m", t->survey.deepest_m);
    cJSON_AddNumberToObject(grid, "step_limit_s", t->survey.step_limit_s);
    cJSON_AddNumberToObject(grid, "smoothed_nodes", (double)t->conditioning.changed_nodes);
    cJSON_AddNumberToObject(grid, "steep_pairs_left", (double)t->conditioning.steep_pairs_left);
    cJSON_AddNumberToObject(grid, "largest_smoothing_m", t->conditioning.largest_change_m);
}

static void describe_physics(const struct tsunami_level *t, cJSON *report)
{
    const struct tsunami_params *p = &t->params;
    cJSON *physics = cJSON_AddObjectToObject(report, "physics");
    cJSON_AddStringToObject(physics, "method", tsunami_method_name(p->physics.method));
    if (tsunami_method_has_cells(p->physics.method))
        cJSON_AddStringToObject(physics, "limiter", tsunami_limiter_name(p->physics.limiter));
    cJSON_AddBoolToObject(physics, "coriolis", p->physics.has_coriolis);
    cJSON_AddBoolToObject(physics, "curvature", p->physics.has_curvature);
    cJSON_AddBoolToObject(physics, "dispersion", p->physics.has_dispersion);
    if (tsunami_physics_has_eddies(&p->physics)) {
        const bool is_constant = p->physics.eddy_viscosity_m2_s > 0;
        cJSON *eddies = cJSON_AddObjectToObject(physics, "eddy_viscosity");
        cJSON_AddStringToObject(eddies, "type", is_constant ? "constant" : "smagorinsky");
        cJSON_AddNumberToObject(eddies, is_constant ? "value_m2_s" : "coefficient",
                                is_constant ? p->physics.eddy_viscosity_m2_s : p->physics.smagorinsky);
    }
    cJSON_AddNumberToObject(physics, "manning_n", p->physics.manning_n);
    if (tsunami_level_floods(t)) {
        cJSON_AddNumberToObject(physics, "minimum_depth_m", p->physics.minimum_depth_m);
        cJSON_AddNumberToObject(physics, "wet_depth_m", p->wet_depth_m);
    } else {
        cJSON_AddNumberToObject(physics, "wall_depth_m", p->physics.wall_depth_m);
    }
}

static void add_diagnostics(cJSON *parent, const char *name, const struct tsunami_diagnostics *d)
{
    cJSON *object = cJSON_AddObjectToObject(parent, name);
    cJSON_AddNumberToObject(object, "volume_m3", d->volume_m3);
    cJSON_AddNumberToObject(object, "energy_kinetic_j", d->energy_kinetic_j);
    cJSON_AddNumberToObject(object, "energy_potential_j", d->energy_potential_j);
    cJSON_AddNumberToObject(object, "max_abs_eta_m", d->max_abs_eta_m);
    cJSON_AddNumberToObject(object, "max_speed_m_s", d->max_speed_m_s);
    cJSON_AddNumberToObject(object, "courant", d->courant);
}

// "run": of every step, where maxima are kept (of the surface only its highest place). "records": the largest
// of the diagnostics' records, for the rest.
static void describe_extremes(const struct tsunami_level *t, cJSON *diagnostics)
{
    cJSON *run = cJSON_AddObjectToObject(diagnostics, "run"),
          *records = cJSON_AddObjectToObject(diagnostics, "records");
    if (!isnan(t->highest_m))
        cJSON_AddNumberToObject(run, "max_eta_m", t->highest_m);
    if (!isnan(t->fastest_m_s))
        cJSON_AddNumberToObject(run, "max_speed_m_s", t->fastest_m_s);
    else
        cJSON_AddNumberToObject(records, "max_speed_m_s", t->largest.max_speed_m_s);
    cJSON_AddNumberToObject(records, "max_abs_eta_m", t->largest.max_abs_eta_m);
    cJSON_AddNumberToObject(records, "courant", t->largest.courant);
}

static void describe_results(const struct tsunami_level *t, cJSON *report)
{
    if (!t->has_first)
        return;
    cJSON *diagnostics = cJSON_AddObjectToObject(report, "diagnostics");
    describe_extremes(t, diagnostics);
    add_diagnostics(diagnostics, "start", &t->first);
    add_diagnostics(diagnostics, "end", &t->last);
    cJSON_AddNumberToObject(diagnostics, "volume_drift_m3", t->last.volume_m3 - t->first.volume_m3);
    cJSON_AddNumberToObject(diagnostics, "still_water_m3", t->still_water_m3);
    cJSON_AddStringToObject(diagnostics, "volume_drift_note",
                            "water above rest at the end less that at the start: what came and left through "
                            "the edges, and the scheme's own drift, which is reported and not corrected");
    double computed, skipped;
    t->backend->work(t->solver, &computed, &skipped);
    cJSON_AddNumberToObject(diagnostics, "node_steps_computed", computed);
    cJSON_AddNumberToObject(diagnostics, "node_steps_skipped", skipped);
    if (t->check && t->check->moments > 0) {
        const struct check_quantity *worst = check_worst(t->check);
        cJSON *check = cJSON_AddObjectToObject(report, "reference_check");
        cJSON_AddNumberToObject(check, "steps", (double)t->check->moments);
        cJSON_AddNumberToObject(check, "largest_difference_m", worst->size);
        cJSON_AddNumberToObject(check, "tolerance_m", t->params.check_tolerance_m);
        cJSON_AddNumberToObject(check, "after_step", (double)worst->step);
        cJSON_AddNumberToObject(check, "x", worst->x);
        cJSON_AddNumberToObject(check, "y", worst->y);
    }
}

static void describe_gauges(const struct tsunami_level *t, cJSON *report)
{
    cJSON *list = cJSON_AddArrayToObject(report, "gauges");
    for (size_t k = 0; k < t->params.gauges.count; k++) {
        const struct gauge *gauge = &t->params.gauges.gauges[k];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", gauge->name);
        cJSON_AddStringToObject(item, "description", gauge->description);
        cJSON_AddNumberToObject(item, "x", gauge->x);
        cJSON_AddNumberToObject(item, "y", gauge->y);
        cJSON_AddNumberToObject(item, "node_x", gauge->node_x);
        cJSON_AddNumberToObject(item, "node_y", gauge->node_y);
        cJSON_AddNumberToObject(item, "node_depth_m", gauge->node_depth_m);
        cJSON_AddNumberToObject(item, "depth_m", gauge->depth_m);
        cJSON_AddBoolToObject(item, "is_interpolated", gauge->place.weights[gauge->place.nearest] < 1);
        cJSON_AddNumberToObject(item, "distance_m", gauge->distance_m);
        if (t->gauge_levels_m) {
            cJSON_AddNumberToObject(item, "level_at_start_m", t->gauge_levels_m[t->params.gauges.count + k]);
            cJSON_AddNumberToObject(item, "level_m", t->gauge_levels_m[k]);
            cJSON_AddNumberToObject(item, "level_from_s",
                                    fmax(0, tsunami_source_end_s(t->params.source) - t->start_s));
        }
        if (gauge->observed_file[0]) {
            cJSON *observed = cJSON_AddObjectToObject(item, "observed");
            cJSON_AddStringToObject(observed, "file", gauge->observed_file);
            cJSON_AddNumberToObject(observed, "time_column", gauge->observed_time_column);
            cJSON_AddNumberToObject(observed, "value_column", gauge->observed_value_column);
            cJSON_AddNumberToObject(observed, "skip_lines", gauge->observed_skip_lines);
        }
        cJSON_AddItemToArray(list, item);
    }
}

static void describe_left_out(const struct tsunami_level *t, cJSON *report)
{
    const struct gauge_list *list = &t->params.gauges;
    if (list->left_out_count == 0)
        return;
    cJSON *left_out = cJSON_AddArrayToObject(report, "gauges_left_out");
    for (size_t k = 0; k < list->left_out_count; k++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", list->left_out[k].name);
        cJSON_AddNumberToObject(item, "x", list->left_out[k].x);
        cJSON_AddNumberToObject(item, "y", list->left_out[k].y);
        cJSON_AddStringToObject(item, "reason",
                                list->left_out[k].is_on_land ? "on land" : "outside the domain");
        cJSON_AddItemToArray(left_out, item);
    }
}

void tsunami_level_describe(const struct tsunami_level *t, cJSON *report)
{
    describe_grid(t, report);
    describe_physics(t, report);
    if (!t->parent)
        tsunami_source_describe(t->params.source, t->params.earth_radius_m, report);
    describe_results(t, report);
    tsunami_runup_describe(t, report);
    describe_gauges(t, report);
    describe_left_out(t, report);
}
