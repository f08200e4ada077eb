// The tsunami model's descriptor: a run is its outermost grid and those nested in it (level.c, nesting.c).
// The physics is in the solvers (reference.c, openmp.c), the sources in source.c, the results in output.c.
#include "models/tsunami/tsunami.h"
#include "models/tsunami/rates.h"

#include "core/log.h"
#include "io/checkpoint_set.h"
#include "models/limits.h"
#include "models/tsunami/export_run.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/nesting.h"
#include "models/tsunami/points.h"
#include "models/tsunami/products.h"
#include "models/tsunami/ranks.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Node-steps a second, for the estimate of a run's time.

static void tsunami_destroy(void *instance)
{
    struct tsunami *run = instance;
    tsunami_products_free(run);
    for (int k = run->level_count - 1; k >= 0; k--)
        tsunami_level_destroy(run->levels[k]);
}

// A gauge that is on land in one grid may stand in the water of another.
static enum status settle_gauges(struct tsunami *run)
{
    const struct gauge_list *lists[TSUNAMI_LEVELS_MAX];
    for (int k = 0; k < run->level_count; k++)
        lists[k] = &run->levels[k]->params.gauges;
    for (int k = 0; k < run->level_count; k++) {
        struct tsunami_params *p = &run->levels[k]->params;
        const enum status status = gauge_list_settle(&p->gauges, p->gauges_path, &p->gauge_search, lists,
                                                     (size_t)run->level_count, p->has_inherited_gauges);
        if (status != STATUS_OK) // a nested grid's list is named with its grid
            return p->is_nested ? job_blame(run->levels[k]->job, "output.gauges.file", status) : status;
        gauge_list_warn_left_out(&p->gauges, p->gauges_path, &p->gauge_search);
    }
    return STATUS_OK;
}

// Counts only gauges of the grids' own lists; an inherited gauge is counted with its parent.
static struct tsunami_on_land count_gauges(const struct tsunami *run)
{
    struct tsunami_on_land gauges = {0};
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_params *p = &run->levels[k]->params;
        if (p->has_inherited_gauges)
            continue;
        for (size_t i = 0; i < p->gauges.left_out_count; i++)
            gauges.on_land += p->gauges.left_out[i].is_on_land;
        gauges.all += p->gauges.count;
    }
    gauges.all += gauges.on_land;
    return gauges;
}

// With the wrong sign of the bathymetry gauges and faults lie on land. A single gauge may do so anyway.
static void warn_of_sign(const struct tsunami *run, struct tsunami_on_land faults)
{
    const struct tsunami_on_land gauges = count_gauges(run);
    const bool are_gauges = gauges.on_land > 1 && 2 * gauges.on_land >= gauges.all,
               are_faults = faults.on_land > 0 && 2 * faults.on_land >= faults.all;
    char on_land[2][64] = {"", ""};
    if (are_gauges)
        snprintf(on_land[0], sizeof on_land[0], "%zu of %zu gauges lie on land", gauges.on_land, gauges.all);
    if (are_faults)
        snprintf(on_land[1], sizeof on_land[1], "%zu of %zu faults lie under land", faults.on_land,
                 faults.all);
    if (are_gauges || are_faults)
        job_warn(run->levels[0]->job, "domain.bathymetry", "%s%s%s: is domain.bathymetry.positive right?",
                 on_land[0], are_gauges && are_faults ? ", and " : "", on_land[1]);
}

static enum status tsunami_create(void *instance, const struct job *job)
{
    struct tsunami *run = instance;
    struct tsunami_level *outermost;
    const enum status status = tsunami_level_create(job, "", NULL, &outermost);
    if (outermost)
        run->levels[run->level_count++] = outermost;
    CHECK(status);
    outermost->check = &run->base.check;
    run->base.backend = &outermost->backend->head;
    run->base.check_steps = outermost->params.check_steps;
    run->base.check_tolerance = outermost->params.check_tolerance_m;
    CHECK(tsunami_nesting_create(run, job));
    CHECK(tsunami_relief_compare(run));
    struct tsunami_on_land faults;
    CHECK(tsunami_source_warn_of_land(run, &faults));
    CHECK(tsunami_nesting_check_water(run));
    tsunami_warn_of_idle_keys(run);
    CHECK(settle_gauges(run));
    CHECK(tsunami_points_settle(run));
    warn_of_sign(run, faults);
    return tsunami_ranks_divide(run);
}

// ---- the plan

// Several grids may lie in one file.
static void add_input(struct model_plan *plan, const char *path)
{
    for (int k = 0; k < plan->input_count; k++)
        if (strcmp(plan->input_files[k], path) == 0)
            return;
    plan->input_files[plan->input_count++] = path;
}

static void list_inputs(const struct tsunami *run, struct model_plan *plan)
{
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_params *p = &run->levels[k]->params;
        const char *const paths[] = {p->bathymetry_path, p->gauges_path, p->points.path, p->zones.path};
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
            if (paths[i][0])
                add_input(plan, paths[i]);
    }
    plan->input_count +=
        tsunami_source_inputs(run->levels[0]->params.source, plan->input_files + plan->input_count);
}

// Node-steps in one step of the outermost grid.
static double work_of(const struct tsunami_level *t)
{
    return (double)t->params.window.nx * (double)t->params.window.ny * (double)t->steps_per_outermost;
}

static double rate_of(const struct tsunami_level *t)
{
    return tsunami_rate_host(tsunami_method_name(t->params.physics.method),
                             t->params.backend == &tsunami_backend_reference, t->threads);
}

// The work and the estimated time of all grids together.
static void sum_work(const struct tsunami *run, struct model_plan *plan)
{
    double seconds = 0;
    for (int k = 0; k < run->level_count; k++) {
        plan->work_per_step += work_of(run->levels[k]);
        seconds += work_of(run->levels[k]) / rate_of(run->levels[k]);
    }
    plan->estimated_rate = plan->work_per_step / seconds;
    plan->device_rate = tsunami_rate_device;
}

// A line for each grid.
static void write_details(struct tsunami *run)
{
    size_t used = 0;
    run->details[0] = '\0';
    for (int k = 0; k < run->level_count && run->level_count > 1 && used < sizeof run->details; k++) {
        const struct tsunami_level *t = run->levels[k];
        char parts[64] = "";
        if (t->parent)
            snprintf(parts, sizeof parts, " (%lld to a step of %s)", (long long)t->steps_per_parent,
                     t->parent->name[0] ? t->parent->name : "the outermost");
        used += (size_t)snprintf(run->details + used, sizeof run->details - used,
                                 "%s: %zu x %zu nodes, %s, steps of %g s%s%s\n",
                                 t->parent ? t->name : "outermost grid", t->params.window.nx,
                                 t->params.window.ny, tsunami_method_name(t->params.physics.method),
                                 t->step_s, parts, t->ranks == &run->alone ? ", whole on every rank" : "");
    }
}

static enum status plan_level(struct tsunami *run, struct tsunami_level *t, struct memory_plan *memory,
                              struct model_plan *plan)
{
    int stream = plan->stream_count;
    CHECK(tsunami_level_plan(t, memory, plan));
    for (; stream < plan->stream_count; stream++) {
        run->streams[stream].level = t;
        run->streams[stream].kind = (enum tsunami_stream)(plan->streams[stream] - t->streams);
    }
    return STATUS_OK;
}

// What belongs to the whole run has its streams with the outermost grid.
static enum status plan_products(struct tsunami *run, struct memory_plan *memory, struct model_plan *plan)
{
    struct tsunami_level *outermost = run->levels[0];
    int stream = plan->stream_count;
    CHECK(tsunami_products_plan(run, memory, plan));
    for (; stream < plan->stream_count; stream++) {
        run->streams[stream].level = outermost;
        run->streams[stream].kind = (enum tsunami_stream)(plan->streams[stream] - outermost->streams);
    }
    return STATUS_OK;
}

// Growth of the energy (relative) that no wave has and no rounding: of a run that is unstable, though its
// numbers are finite. Means of velocities at nodes and short waves over steep bottoms make up to 0.5 of it.
static const double doubtful_growth = 3;

// Limits on the drift of conserved quantities, from the end of the source on. Refused with waves given at the
// edges, which bring water and energy.
static enum status add_limits(const struct tsunami *run, struct model_plan *plan)
{
    static const char *const keys[] = {"limits.volume_drift", "limits.energy_growth"};
    const struct tsunami_level *outermost = run->levels[0];
    const struct job *job = outermost->job;
    const double end_s = tsunami_source_end_s(outermost->params.source);
    const bool has_waves = tsunami_source_has_edges(outermost->params.source);
    for (size_t k = 0; has_waves && k < sizeof keys / sizeof *keys; k++)
        if (job_has(job, keys[k]))
            return job_fail(job, keys[k], "waves that come in at an edge (source.edges) change it");
    CHECK(limits_add(plan, job,
                     (struct watch_limit){.key = keys[0],
                                          .what = "relative change of the volume above rest",
                                          .variables = {"mass"},
                                          .kind = WATCH_DRIFT,
                                          .from_s = end_s}));
    return limits_add(plan, job,
                      (struct watch_limit){.key = keys[1],
                                           .what = "relative growth of the energy",
                                           .variables = {"energy_kinetic", "energy_potential"},
                                           .kind = WATCH_GROWTH,
                                           .doubtful = has_waves ? 0 : doubtful_growth,
                                           .from_s = end_s});
}

static enum status tsunami_plan(void *instance, struct memory_plan *memory, struct model_plan *plan)
{
    struct tsunami *run = instance;
    const struct tsunami_level *outermost = run->levels[0];
    const bool is_double = tsunami_level_real(outermost) == ELEMENT_F64;
    bool has_flooding = false;
    for (int k = 0; k < run->level_count; k++)
        has_flooding |= tsunami_level_floods(run->levels[k]);
    *plan = (struct model_plan){
        .steps = outermost->steps,
        .step_s = outermost->step_s,
        .start_s = outermost->start_s,
        .backend = outermost->params.backend->head.name,
        .instruction_set = backend_instruction_set(&outermost->backend->head),
        .precision = is_double ? "double" : "single",
        .bytes_per_work = 7.0 * (is_double ? sizeof(double) : sizeof(float)),
        .work_unit = "node-steps/s",
        .references = has_flooding
                          ? "Titov & Synolakis (1995, 1998); Toro (2001); Audusse et al. (2004); Okada (1985)"
                          : "Titov & Synolakis (1995, 1998); Okada (1985)",
        .time_origin = outermost->params.time_origin[0] ? outermost->params.time_origin : NULL};
    list_inputs(run, plan);
    for (int k = 0; k < run->level_count; k++)
        CHECK(plan_level(run, run->levels[k], memory, plan));
    sum_work(run, plan); // after the number of threads is known
    CHECK(plan_products(run, memory, plan));
    for (int k = 0; k < run->level_count; k++)
        plan->beside_steps_s += tsunami_source_seconds(run->levels[k]);
    CHECK(add_limits(run, plan));
    CHECK(tsunami_run_exports_plan(run, plan));
    write_details(run);
    plan->details = run->details;
    return STATUS_OK;
}

static int tsunami_checkpoint_arrays(void *instance, struct checkpoint_array *arrays)
{
    struct tsunami *run = instance;
    int count = 0;
    for (int k = 0; k < run->level_count; k++)
        count += tsunami_level_checkpoint_arrays(run->levels[k], arrays + count);
    return count;
}

static void tsunami_checkpoint_rows(void *instance, struct checkpoint_rows *rows)
{
    struct tsunami *run = instance;
    int count = 0;
    for (int k = 0; k < run->level_count; k++)
        count += tsunami_level_checkpoint_rows(run->levels[k], rows + count);
}

// ---- the run

static enum status for_each_level(struct tsunami *run, enum status (*act)(struct tsunami_level *t))
{
    for (int k = 0; k < run->level_count; k++)
        CHECK(act(run->levels[k]));
    return STATUS_OK;
}

static enum status tsunami_prepare(void *instance)
{
    struct tsunami *run = instance;
    if (run->level_count > 1 && run->levels[0]->params.check_steps > 0)
        log_info("check.reference_steps: the reference repeats steps of the outermost grid alone");
    tsunami_ranks_log(run);
    CHECK(for_each_level(run, tsunami_level_prepare));
    tsunami_products_prepare(run);
    return STATUS_OK;
}

static enum status tsunami_start(void *instance)
{
    CHECK(for_each_level(instance, tsunami_level_start));
    tsunami_products_start(instance);
    return tsunami_nesting_begin(instance, 0);
}

static enum status tsunami_warm_up(void *instance)
{
    struct tsunami *run = instance;
    for (int k = 0; k < run->level_count; k++) {
        struct tsunami_level *t = run->levels[k];
        CHECK(solver_warm_up(&t->backend->head, t->solver));
    }
    return STATUS_OK;
}

static enum status tsunami_resumed(void *instance, int64_t step)
{
    CHECK(for_each_level(instance, tsunami_level_resumed));
    return tsunami_nesting_begin(instance, step);
}

static enum status tsunami_advance(void *context, int64_t first_step, int64_t count)
{
    struct tsunami *run = context;
    return tsunami_nesting_advance(run, run->levels[0], first_step, count);
}

static enum status tsunami_fetch_levels(void *instance)
{
    CHECK(for_each_level(instance, tsunami_fetch));
    return for_each_level(instance, tsunami_fetch_records);
}

static enum status tsunami_finish(void *context, int64_t step)
{
    struct tsunami *run = context;
    (void)step;
    for (int k = 0; k < run->level_count; k++) {
        struct tsunami_level *t = run->levels[k];
        struct tsunami_invalid found = {.step = -1};
        if (t->backend->finish)
            CHECK(t->backend->finish(t->solver, &found));
        CHECK(tsunami_check_found(t, &found));
        CHECK(tsunami_ranks_collect(t));
    }
    return STATUS_OK;
}

static enum status tsunami_guard(void *context, int64_t step)
{
    struct tsunami *run = context;
    for (int k = 0; k < run->level_count; k++)
        CHECK(tsunami_level_guard(run->levels[k], step * run->levels[k]->steps_per_outermost));
    return STATUS_OK;
}

// ---- after the run

static const char *tsunami_device_name(void *instance)
{
    const struct tsunami_level *outermost = ((const struct tsunami *)instance)->levels[0];
    return outermost->backend->head.device_name(outermost->solver);
}

static struct device_times tsunami_times(void *instance)
{
    const struct tsunami *run = instance;
    struct device_times times = {0};
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_level *t = run->levels[k];
        if (t->parent) // works on the outermost grid's stream, whose times cover it
            continue;
        const struct device_times own = solver_times(&t->backend->head, t->solver);
        times.is_measured = k == 0 ? own.is_measured : times.is_measured && own.is_measured;
        times.compute_s += own.compute_s;
        times.results_s += own.results_s;
        times.copy_s += own.copy_s;
        times.overlap_s += own.overlap_s;
        times.copied_bytes += own.copied_bytes;
        times.uncounted += own.uncounted;
    }
    return times;
}

static cJSON *describe_nested(const struct tsunami_level *t)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", t->name);
    if (t->parent->name[0])
        cJSON_AddStringToObject(object, "parent", t->parent->name);
    else
        cJSON_AddNullToObject(object, "parent");
    cJSON_AddNumberToObject(object, "step_s", t->step_s);
    cJSON_AddNumberToObject(object, "steps_per_parent", (double)t->steps_per_parent);
    cJSON_AddNumberToObject(object, "steps", (double)t->steps);
    tsunami_nesting_describe(t, object);
    tsunami_level_describe(t, object);
    return object;
}

static void tsunami_describe(void *instance, cJSON *report)
{
    const struct tsunami *run = instance;
    tsunami_level_describe(run->levels[0], report);
    if (run->levels[0]->params.time_origin[0])
        cJSON_AddStringToObject(report, "time_origin", run->levels[0]->params.time_origin);
    tsunami_products_describe(run, report);
    tsunami_run_exports_describe(run, report);
    if (run->level_count == 1)
        return;
    cJSON *list = cJSON_AddArrayToObject(report, "nested");
    for (int k = 1; k < run->level_count; k++)
        cJSON_AddItemToArray(list, describe_nested(run->levels[k]));
}

static void tsunami_conclude(void *instance)
{
    const struct tsunami *run = instance;
    for (int k = 0; k < run->level_count; k++) {
        tsunami_runup_log(run->levels[k]);
        if (run->levels[k]->parent)
            tsunami_nesting_warn_of_calm(run->levels[k]);
    }
    tsunami_products_warn(run);
}

const struct model tsunami_model = {
    .name = "tsunami",
    .summary =
        "tsunami propagation and run-up over real bathymetry, on the sphere or a plane, on nested grids",
    .keys = &tsunami_keys,
    .instance_bytes = sizeof(struct tsunami),
    .create = tsunami_create,
    .destroy = tsunami_destroy,
    .plan = tsunami_plan,
    .checkpoint_arrays = tsunami_checkpoint_arrays,
    .checkpoint_rows = tsunami_checkpoint_rows,
    .warm_up = tsunami_warm_up,
    .prepare = tsunami_prepare,
    .start = tsunami_start,
    .resumed = tsunami_resumed,
    .fetch = tsunami_fetch_levels,
    .advance = tsunami_advance,
    .capture = tsunami_capture,
    .send = tsunami_send,
    .await = tsunami_await,
    .finish = tsunami_finish,
    .guard = tsunami_guard,
    .check = &tsunami_check,
    .describe = tsunami_describe,
    .device_name = tsunami_device_name,
    .times = tsunami_times,
    .conclude = tsunami_conclude,
    .write_products = tsunami_run_exports_write,
    .list_products = tsunami_run_exports_list,
};
