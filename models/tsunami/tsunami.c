// The tsunami model's descriptor: from job to instance to steps. The physics is in the solvers (reference.c,
// openmp.c), the sources in source.c, the results in output.c.
#include "models/tsunami/tsunami.h"

#include "core/log.h"
#include "models/tsunami/bench.h"
#include "models/tsunami/instance.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Share of the linear limit that an automatic step uses: room for the wave's own height and speed.
static const double courant_margin = 0.9;
// An automatic step is shortened by up to this factor so that outputs fall on steps exactly.
static const double largest_shortening = 0.8;

// The longest step below the limit that lets the most frequent output fall on steps exactly, if that costs
// little: a part of its interval, or a multiple where the interval is shorter than a step. Else a round
// figure.
static double automatic_step_s(const struct tsunami *t, double limit_s)
{
    const struct tsunami_params *p = &t->params;
    double interval_s = p->duration_s;
    if (p->fields_every_s > 0)
        interval_s = fmin(interval_s, p->fields_every_s);
    if (p->gauges.count > 0)
        interval_s = fmin(interval_s, p->gauges_every_s);
    const double fitting_s = interval_s >= limit_s ? interval_s / ceil(interval_s / limit_s * (1 - 1e-12))
                                                   : interval_s * floor(limit_s / interval_s);
    if (fitting_s >= largest_shortening * limit_s)
        return fitting_s;
    const double unit = pow(10, floor(log10(limit_s)) - 1);
    return fmin(p->duration_s, floor(limit_s / unit) * unit);
}

static void warn_of_coarse_output(const struct tsunami *t, const char *key, double every_s)
{
    if (every_s > 0 && every_s < t->step_s * (1 - 1e-12))
        log_warning("%s: every %g s is shorter than the time step: there is a record every step, %g s", key,
                    every_s, t->step_s);
}

static enum status choose_step(struct tsunami *t, const struct job *job)
{
    const struct tsunami_params *p = &t->params;
    const struct tsunami_survey *s = &t->survey;
    if (isnan(p->step_s)) {
        t->step_s = automatic_step_s(t, courant_margin * s->step_limit_s);
    } else {
        if (p->step_s > s->step_limit_s)
            return job_fail(job, "time.step",
                            "%g s is unstable: the limit is %.4g s, set by the water %.0f m deep at (%g, %g)",
                            p->step_s, s->step_limit_s, s->limit_depth_m, s->limit_x, s->limit_y);
        t->step_s = p->step_s;
    }
    const double steps = ceil(p->duration_s / t->step_s * (1 - 1e-12));
    if (!(steps < 1e15))
        return job_fail(job, "time", "%g s in steps of %g s are more steps than can be counted",
                        p->duration_s, t->step_s);
    t->steps = (int64_t)steps;
    warn_of_coarse_output(t, "output.fields", p->fields_every_s);
    warn_of_coarse_output(t, "output.gauges", p->gauges.count > 0 ? p->gauges_every_s : 0);
    return STATUS_OK;
}

static void tsunami_destroy(void *instance)
{
    struct tsunami *t = instance;
    if (!t)
        return;
    if (t->solver)
        t->backend->destroy(t->solver);
    if (t->reference)
        tsunami_backend_reference.destroy(t->reference);
    tsunami_output_free(t);
    tsunami_params_free(&t->params);
    free(t);
}

static enum status create(struct tsunami *t, const struct job *job)
{
    CHECK(tsunami_params_read(job, &t->params));
    t->backend = t->params.backend;
    CHECK_ABOUT(tsunami_survey(t), "%s: domain.bathymetry", job_path(job));
    if (t->params.gauges.count > 0)
        CHECK(
            gauge_list_check(&t->params.gauges, job_string(job, "output.gauges.file"), TSUNAMI_GAUGE_REACH));
    return choose_step(t, job);
}

static enum status tsunami_create(const struct job *job, void **instance)
{
    struct tsunami *t = calloc(1, sizeof *t);
    if (!t)
        return FAIL(STATUS_SYSTEM, "no memory for the tsunami model");
    enum status status = create(t, job);
    if (status != STATUS_OK) {
        tsunami_destroy(t);
        return status;
    }
    *instance = t;
    return STATUS_OK;
}

static void list_inputs(const struct tsunami *t, struct model_plan *plan)
{
    const struct tsunami_params *p = &t->params;
    const char *const paths[] = {p->bathymetry_path,   p->faults_path,  p->sift_path,
                                 p->displacement_path, p->initial_path, p->gauges_path};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
        if (paths[k][0])
            plan->input_files[plan->input_count++] = paths[k];
}

static enum status plan_solvers(struct tsunami *t, struct memory_plan *memory)
{
    const struct tsunami_setup setup = {.geometry = &t->geometry,
                                        .physics = &t->params.physics,
                                        .records = &t->records,
                                        .depth_m = (const double *const *)&t->depth_m,
                                        .precision = t->params.precision,
                                        .step_s = t->step_s,
                                        .start_s = t->start_s,
                                        .device = t->params.device,
                                        .skips_quiet_tiles = true};
    CHECK(t->backend->plan(&setup, memory, "", &t->solver));
    CHECK(tsunami_results_plan(t, memory));
    if (t->params.check_steps == 0)
        return STATUS_OK;
    struct tsunami_setup check = setup;
    check.records = &t->no_records;
    return tsunami_backend_reference.plan(&check, memory, "check ", &t->reference);
}

static enum status tsunami_plan(void *instance, struct memory_plan *memory, struct model_plan *plan)
{
    struct tsunami *t = instance;
    const bool is_double = t->params.precision == ELEMENT_F64 || t->backend == &tsunami_backend_reference;
    *plan = (struct model_plan){.steps = t->steps,
                                .step_s = t->step_s,
                                .start_s = t->start_s,
                                .backend = t->backend->name,
                                .instruction_set = t->backend->instruction_set(),
                                .precision = is_double ? "double" : "single",
                                .bytes_per_work = 7.0 * (is_double ? sizeof(double) : sizeof(float)),
                                .work_per_step = (double)t->params.window.nx * (double)t->params.window.ny,
                                .work_unit = "node-steps/s",
                                .estimated_rate = t->backend == &tsunami_backend_reference ? 5e6 : 4e8,
                                .references = "Titov & Synolakis (1995, 1998); Okada (1985)",
                                .time_origin = t->params.time_origin};
    list_inputs(t, plan);
    CHECK(tsunami_geometry_plan(t, memory));
    CHECK(tsunami_source_plan(t, memory));
    CHECK(tsunami_diagnostics_plan(t, memory));
    CHECK(tsunami_output_plan(t, memory, plan));
    return plan_solvers(t, memory);
}

static int tsunami_checkpoint_arrays(void *instance, struct checkpoint_array *arrays)
{
    struct tsunami *t = instance;
    const size_t bytes = t->geometry.ny * t->geometry.pitch * sizeof(float);
    int count = t->backend->checkpoint_arrays(t->solver, arrays);
    const struct tsunami_records *r = &t->records;
    static const char *const arrival_names[TSUNAMI_ARRIVALS_MAX] = {"arrival 0", "arrival 1", "arrival 2",
                                                                    "arrival 3", "arrival 4", "arrival 5",
                                                                    "arrival 6", "arrival 7"};
    if (t->params.has_maxima) {
        arrays[count++] = (struct checkpoint_array){"max_eta", r->max_eta_m, bytes};
        arrays[count++] = (struct checkpoint_array){"time_of_max", r->time_of_max_s, bytes};
        arrays[count++] = (struct checkpoint_array){"max_speed", r->max_speed_m_s, bytes};
        arrays[count++] = (struct checkpoint_array){"max_flux", r->max_flux_m2_s, bytes};
    }
    if (t->params.drawdown_m > 0)
        arrays[count++] = (struct checkpoint_array){"first_drawdown", r->first_drawdown_s, bytes};
    for (int a = 0; a < r->arrival_count; a++)
        arrays[count++] = (struct checkpoint_array){arrival_names[a], r->arrival_s[a], bytes};
    if (t->params.has_deformation)
        arrays[count++] = (struct checkpoint_array){"deformation", t->deformation_m,
                                                    t->geometry.nx * t->geometry.ny * sizeof(float)};
    arrays[count++] = (struct checkpoint_array){"first diagnostics", &t->first, sizeof t->first};
    // The verdict is on the whole run: a check that failed before a stop must not be forgotten after it.
    // Always there, for the job's check may be changed between the parts of a run.
    arrays[count++] = (struct checkpoint_array){CHECK_RECORD_NAME, &t->check, sizeof t->check};
    return count;
}

static enum status tsunami_prepare(void *instance)
{
    struct tsunami *t = instance;
    tsunami_geometry_fill(t);
    CHECK(tsunami_read_bathymetry(t));
    CHECK(tsunami_condition_bathymetry(t));
    tsunami_output_depths(t);
    return tsunami_source_read(t);
}

static void fill(const struct tsunami *t, float *array, float value)
{
    for (size_t k = 0; array && k < t->geometry.ny * t->geometry.pitch; k++)
        array[k] = value;
}

static void clear_records(struct tsunami *t)
{
    const struct tsunami_records *r = &t->records;
    fill(t, r->max_eta_m, -INFINITY);
    fill(t, r->max_speed_m_s, 0);
    fill(t, r->max_flux_m2_s, 0);
    fill(t, r->time_of_max_s, NAN);
    fill(t, r->first_drawdown_s, NAN);
    for (int a = 0; a < r->arrival_count; a++)
        fill(t, r->arrival_s[a], NAN);
}

static void set_initial_state(struct tsunami *t)
{
    const size_t nx = t->geometry.nx;
    double *rows[TSUNAMI_FIELDS];
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        rows[f] = tsunami_row_buffer(t, f);
    for (size_t j = 0; j < t->geometry.ny; j++) {
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            for (size_t i = 0; i < nx; i++)
                rows[f][i] = t->initial[f] ? (double)t->initial[f][j * nx + i] : 0;
        t->backend->set(t->solver, j, 0, nx, rows[0], rows[1], rows[2]);
    }
    t->backend->touch(t->solver);
}

static enum status tsunami_start(void *instance)
{
    struct tsunami *t = instance;
    clear_records(t);
    CHECK(t->backend->start(t->solver));
    if (t->reference)
        CHECK(tsunami_backend_reference.start(t->reference));
    if (t->initial[0])
        set_initial_state(t);
    if (tsunami_source_moves(t, -INFINITY, t->start_s))
        CHECK(tsunami_source_lift(t, t->backend, t->solver, -INFINITY, t->start_s, true));
    t->backend->record(t->solver, t->start_s);
    // Of the state that record 0 shows. Now, and on the host: the first checkpoint holds it.
    CHECK(tsunami_fetch(t));
    tsunami_diagnose(t, &t->first);
    t->has_first = true;
    return STATUS_OK;
}

static enum status tsunami_warm_up(void *instance)
{
    struct tsunami *t = instance;
    return t->backend->warm_up ? t->backend->warm_up(t->solver) : STATUS_OK;
}

static enum status tsunami_resumed(void *instance, int64_t step)
{
    struct tsunami *t = instance;
    (void)step;
    t->backend->touch(t->solver);
    return t->backend->send_records ? t->backend->send_records(t->solver) : STATUS_OK;
}

static enum status tsunami_advance(void *context, int64_t first_step, int64_t count)
{
    struct tsunami *t = context;
    for (int64_t step = first_step; step < first_step + count; step++) {
        const double from_s = t->start_s + (double)step * t->step_s,
                     to_s = t->start_s + (double)(step + 1) * t->step_s;
        if (!tsunami_source_moves(t, from_s, INFINITY))
            return t->backend->advance(t->solver, step, first_step + count - step);
        CHECK(t->backend->advance(t->solver, step, 1));
        if (tsunami_source_moves(t, from_s, to_s)) {
            CHECK(tsunami_source_lift(t, t->backend, t->solver, from_s, to_s, true));
            t->backend->record(t->solver, to_s);
        }
    }
    return STATUS_OK;
}

static enum status simulation_checkpoint_arrays(void *context, struct checkpoint_array *arrays)
{
    CHECK(tsunami_fetch(context));
    CHECK(tsunami_fetch_records(context));
    (void)tsunami_checkpoint_arrays(context, arrays);
    return STATUS_OK;
}

static enum status tsunami_finish(void *context, int64_t step)
{
    struct tsunami *t = context;
    struct tsunami_unsound found = {.step = -1};
    (void)step;
    CHECK(t->backend->finish(t->solver, &found));
    return tsunami_judge(t, &found);
}

static struct simulation tsunami_simulation(void *instance)
{
    struct tsunami *t = instance;
    const bool is_apart = t->backend->capture != NULL; // the state lies elsewhere, and so do the results
    return (struct simulation){
        .context = t,
        .advance = tsunami_advance,
        .capture = tsunami_capture,
        .send = is_apart ? tsunami_send : NULL,
        .await = is_apart ? tsunami_await : NULL,
        .finish = is_apart ? tsunami_finish : NULL,
        .checkpoint_arrays = simulation_checkpoint_arrays,
        .guard = tsunami_guard,
        .check_begin = t->reference ? tsunami_check_begin : NULL,
        .check_end = t->reference ? tsunami_check_end : NULL,
    };
}

static void describe_grid(const struct tsunami *t, cJSON *report)
{
    const struct grid_window *w = &t->params.window;
    cJSON *grid = cJSON_AddObjectToObject(report, "grid");
    cJSON_AddStringToObject(grid, "bathymetry", t->params.bathymetry_path);
    cJSON_AddStringToObject(grid, "coordinates", w->is_geographic ? "degrees" : "metres");
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

static void describe_physics(const struct tsunami *t, cJSON *report)
{
    const struct tsunami_params *p = &t->params;
    cJSON *physics = cJSON_AddObjectToObject(report, "physics");
    cJSON_AddStringToObject(physics, "method", p->physics.method == TSUNAMI_VTCS2 ? "vtcs2" : "vtcs2-o2");
    cJSON_AddBoolToObject(physics, "coriolis", p->physics.has_coriolis);
    cJSON_AddBoolToObject(physics, "curvature", p->physics.has_curvature);
    cJSON_AddNumberToObject(physics, "manning_n", p->physics.manning_n);
    cJSON_AddNumberToObject(physics, "wall_depth_m", p->physics.wall_depth_m);
    if (p->faults.count > 0) {
        cJSON *source = cJSON_AddObjectToObject(report, "source");
        cJSON_AddNumberToObject(source, "faults", (double)p->faults.count);
        // 40 GPa: what NOAA's unit sources assume (Gica et al. 2008, NOAA Tech. Memo. OAR PMEL-139).
        cJSON_AddNumberToObject(source, "moment_magnitude_at_40_gpa",
                                fault_table_magnitude(&p->faults, 4e10));
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

static void describe_results(const struct tsunami *t, cJSON *report)
{
    if (!t->has_first)
        return;
    cJSON *diagnostics = cJSON_AddObjectToObject(report, "diagnostics");
    add_diagnostics(diagnostics, "start", &t->first);
    add_diagnostics(diagnostics, "end", &t->last);
    cJSON_AddNumberToObject(diagnostics, "volume_drift_m3", t->last.volume_m3 - t->first.volume_m3);
    cJSON_AddStringToObject(
        diagnostics, "volume_drift_note",
        "water above rest at the end less that at the start: what left through open edges, and the "
        "scheme's own drift, which is reported and not corrected");
    double computed, skipped;
    t->backend->work(t->solver, &computed, &skipped);
    cJSON_AddNumberToObject(diagnostics, "node_steps_computed", computed);
    cJSON_AddNumberToObject(diagnostics, "node_steps_skipped", skipped);
    if (t->checks_made > 0) {
        cJSON *check = cJSON_AddObjectToObject(report, "reference_check");
        cJSON_AddNumberToObject(check, "steps", t->checks_made);
        cJSON_AddNumberToObject(check, "largest_difference_m", t->check_largest_m);
        cJSON_AddNumberToObject(check, "tolerance_m", t->params.check_tolerance_m);
        cJSON_AddNumberToObject(check, "after_step", (double)t->check_step);
        cJSON_AddNumberToObject(check, "x", t->check_x);
        cJSON_AddNumberToObject(check, "y", t->check_y);
    }
}

static void describe_gauges(const struct tsunami *t, cJSON *report)
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
        cJSON_AddNumberToObject(item, "distance_m", gauge->distance_m);
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

static bool tsunami_device(void *instance, const char **name, struct device_times *times)
{
    const struct tsunami *t = instance;
    if (!t->backend->device_name)
        return false;
    *name = t->backend->device_name(t->solver);
    *times = t->backend->times ? t->backend->times(t->solver) : (struct device_times){0};
    return true;
}

static void tsunami_describe(void *instance, cJSON *report)
{
    const struct tsunami *t = instance;
    describe_grid(t, report);
    describe_physics(t, report);
    describe_results(t, report);
    describe_gauges(t, report);
}

const struct model tsunami_model = {
    .name = "tsunami",
    .summary =
        "tsunami propagation over real bathymetry, on the sphere or a plane (MOST's method of splitting)",
    .keys = &tsunami_keys,
    .create = tsunami_create,
    .destroy = tsunami_destroy,
    .plan = tsunami_plan,
    .checkpoint_arrays = tsunami_checkpoint_arrays,
    .warm_up = tsunami_warm_up,
    .prepare = tsunami_prepare,
    .start = tsunami_start,
    .resumed = tsunami_resumed,
    .simulation = tsunami_simulation,
    .describe = tsunami_describe,
    .device = tsunami_device,
    .verdict = tsunami_verdict,
    .bench = tsunami_bench,
};
