// The descriptor of the N-body model: it creates, plans, starts and advances a run. The physics is in the
// solvers (reference.c, openmp.c), the start in initial.c, the results in output.c and diagnostics.c.
#include "models/nbody/nbody.h"

#include "models/limits.h"
#include "models/nbody/initial.h"
#include "models/nbody/instance.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Work per second, for the estimate of a run's time: pairs of a direct sum, bodies of a tree.
struct rates {
    double pairs, bodies;
};
static const struct rates reference_rates = {1e8, 1e4}, openmp_rates = {3e9, 5e5}, device_rates = {1e12, 1e8};

static void nbody_destroy(void *instance)
{
    struct nbody *n = instance;
    nbody_params_free(&n->params);
    free(n->shares);
}

static enum status nbody_create(void *instance, const struct job *job)
{
    struct nbody *n = instance;
    CHECK(nbody_params_read(job, &n->params));
    n->backend = n->params.backend;
    n->base.backend = &n->backend->head;
    n->base.check_steps = n->params.outputs.check_steps;
    n->base.check_tolerance = n->params.check_tolerance;
    _Static_assert((int)NBODY_GROUP_BODIES == (int)PARTICLES_GROUP, "ranks divide groups of bodies");
    return particles_cut(&n->base, n->params.count, "groups of 64 bodies", n->backend->is_divided,
                         "openmp or cuda", &n->shares);
}

// ---- the plan

static bool is_tree(const struct nbody *n)
{
    return n->params.physics.method == NBODY_BARNES_HUT;
}

static double estimate_rate(const struct nbody *n)
{
    const struct rates *rates = n->backend == &nbody_backend_reference ? &reference_rates
                                : n->backend->head.has_devices         ? &device_rates
                                                                       : &openmp_rates;
    return is_tree(n) ? rates->bodies : rates->pairs;
}

static enum status plan_solvers(struct nbody *n, struct memory_plan *memory)
{
    char why[256];
    n->setup = (struct nbody_setup){.physics = &n->params.physics,
                                    .count = n->params.count,
                                    .precision = n->params.precision,
                                    .device = n->params.device,
                                    .ranks = n->base.ranks,
                                    .shares = n->shares};
    if (n->backend->has_method && !n->backend->has_method(&n->setup, why, sizeof why))
        return job_fail(n->base.job, "method.name", "%s has no %s %s", n->backend->head.name,
                        nbody_method_names[n->setup.physics->method], why);
    CHECK(n->backend->plan(&n->setup, memory, "", &n->base.solver));
    CHECK(nbody_results_plan(n, memory));
    n->base.reference_backend = &nbody_backend_reference.head;
    if (n->params.outputs.check_steps == 0 || !nbody_makes_results(n))
        return STATUS_OK;
    n->check_setup = n->setup;
    n->check_setup.precision = ELEMENT_F64;
    return nbody_backend_reference.plan(&n->check_setup, memory, "check ", &n->base.reference);
}

static enum status nbody_plan(void *instance, struct memory_plan *memory, struct model_plan *plan)
{
    struct nbody *n = instance;
    const struct nbody_params *p = &n->params;
    n->threads = omp_get_max_threads();
    const double bodies = (double)p->count;
    const bool is_reference = n->backend == &nbody_backend_reference;
    *plan = (struct model_plan){
        .steps = p->steps,
        .step_s = p->step * p->units.time,
        .time_unit = p->units.is_si ? NULL : "time units",
        .time_origin = "", // millions of years fit no calendar
        .backend = n->backend->head.name,
        .instruction_set = backend_instruction_set(&n->backend->head),
        .precision = p->precision == ELEMENT_F64 || is_reference ? "double" : "single",
        .work_per_step = is_tree(n) ? bodies : bodies * bodies,
        .work_unit = is_tree(n) ? "body-steps/s" : "interactions/s",
        .estimated_rate = estimate_rate(n),
        .references = is_tree(n) ? "Aarseth, MNRAS 126 (1963); Barnes & Hut, Nature 324 (1986)"
                                 : "Aarseth, MNRAS 126 (1963)",
    };
    plan->input_count = nbody_initial_inputs(p->initial, plan->input_files);
    if (nbody_makes_results(n))
        CHECK(nbody_initial_plan(p->initial, memory));
    CHECK(nbody_diagnostics_plan(n, memory));
    CHECK(nbody_output_plan(n, memory, plan));
    CHECK(limits_add(plan, n->base.job,
                     (struct watch_limit){.key = "limits.energy_error",
                                          .what = "relative change of the energy",
                                          .variables = {"energy_error"},
                                          .kind = WATCH_MAGNITUDE,
                                          .from_s = -INFINITY}));
    return plan_solvers(n, memory);
}

static int nbody_checkpoint_arrays(void *instance, struct checkpoint_array *arrays)
{
    struct nbody *n = instance;
    int count = n->backend->head.checkpoint_arrays(n->base.solver, arrays);
    arrays[count++] = (struct checkpoint_array){"diagnostics so far", &n->series, sizeof n->series};
    // Always saved, because the job's check may be changed between the legs of a run.
    arrays[count++] = (struct checkpoint_array){CHECK_RECORD_NAME, &n->base.check, sizeof n->base.check};
    return count;
}

// ---- the run

static enum status nbody_prepare(void *instance)
{
    const struct nbody *n = instance;
    return nbody_makes_results(n) ? nbody_initial_prepare(n->params.initial) : STATUS_OK;
}

static enum status nbody_start(void *instance)
{
    struct nbody *n = instance;
    if (nbody_makes_results(n)) // the other ranks get its bodies
        CHECK(nbody_initial_apply(n->params.initial, &n->params.units, n->backend, n->base.solver));
    CHECK(solver_touch(&n->backend->head, n->base.solver, false));
    CHECK(instance_fetch(&n->base));
    if (nbody_makes_results(n))
        particles_output_start(&n->output);
    if (n->base.reference)
        nbody_find_scale(n);
    return STATUS_OK;
}

static enum status nbody_finish(void *context, int64_t step)
{
    struct nbody *n = context;
    struct nbody_nonfinite found = {.step = -1};
    (void)step;
    if (n->backend->finish)
        CHECK(n->backend->finish(n->base.solver, &found));
    // run.json is written after the arrays were released.
    n->backend->stages(n->base.solver, &n->stage_times, &n->tree_counts);
    return nbody_judge(n, &found);
}

// The solver's arrays, which come first, have a number of each body; the rest is the same on all ranks, or
// rank 0's.
static void nbody_checkpoint_rows(void *instance, struct checkpoint_rows *rows)
{
    struct nbody *n = instance;
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    if (!n->backend->is_divided)
        return;
    const int count = n->backend->head.checkpoint_arrays(n->base.solver, arrays);
    particles_checkpoint_rows(arrays, count, particles_own(n->setup.shares, n->setup.ranks, n->setup.count),
                              n->params.count, rows);
}

const struct model nbody_model = {
    .name = "nbody",
    .summary = "gravity of many bodies: direct summation or a Barnes-Hut tree",
    .keys = &nbody_keys,
    .instance_bytes = sizeof(struct nbody),
    .create = nbody_create,
    .destroy = nbody_destroy,
    .plan = nbody_plan,
    .checkpoint_arrays = nbody_checkpoint_arrays,
    .checkpoint_rows = nbody_checkpoint_rows,
    .prepare = nbody_prepare,
    .start = nbody_start,
    .capture = nbody_capture,
    .await = nbody_await,
    .finish = nbody_finish,
    .guard = nbody_guard,
    .await_keeps_state = true,
    .check = &nbody_check,
    .describe = nbody_describe,
};
