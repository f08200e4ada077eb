// The descriptor of the gas model: it creates, plans, starts and advances a run. The physics is in the
// solvers (reference.c, openmp.c), the start in initial.c, the results in output.c, diagnostics.c and
// structure.c.
#include "models/gas/gas.h"

#include "models/gas/initial.h"
#include "models/gas/instance.h"
#include "models/gas/method.h"
#include "models/gas/params_private.h"
#include "models/limits.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

// Work per second, for the estimate of a run's time: pairs of direct summation; with cells the operations
// that gas_operations counts; in both cases at most the particles that can be moved and sorted.
struct rates {
    double pairs, operations, particles;
};
static const struct rates reference_rates = {5e7, 6e8, 1e7}, openmp_rates = {2e9, 2.4e10, 4e7},
                          device_rates = {1e12, 1.2e13, 5e9};

static void gas_destroy(void *instance)
{
    struct gas *g = instance;
    gas_params_free(&g->params);
    free(g->shares);
}

static enum status gas_create(void *instance, const struct job *job)
{
    struct gas *g = instance;
    CHECK(gas_params_read(job, &g->params));
    g->backend = g->params.backend;
    g->base.backend = &g->backend->head;
    g->base.check_steps = g->params.outputs.check_steps;
    g->base.check_tolerance = g->params.check_tolerance;
    return particles_cut(&g->base, g->params.count, "groups of 64 particles", g->backend->is_divided,
                         "openmp or cuda", &g->shares);
}

// As many threads as have 60 µs of work each in a step. With less work the team's barriers (six or more in a
// step, ten in a sort of the lists) cost more than the threads save. A thread with AVX-512 takes 25 ns per
// particle and 0.04 ns per operation.
static int gas_threads_worth(const void *instance)
{
    const struct gas *g = instance;
    const double step_s = 25e-9 * (double)g->params.count + 0.04e-9 * gas_operations(&g->params);
    return (int)fmin(fmax(step_s / 60e-6 / g->base.ranks->count, 1), 4096);
}

// ---- the plan

// Whether a step evaluates all pairs; the reference does so within a cut-off, too.
static bool is_by_pairs(const struct gas *g)
{
    const struct gas_physics *physics = &g->params.physics;
    return physics->potential != GAS_NO_FORCE &&
           (physics->method == GAS_ALL_PAIRS ||
            (g->backend == &gas_backend_reference && !gas_has_regions(physics)));
}

static double estimate_rate(const struct gas *g)
{
    const struct rates *rates = g->backend == &gas_backend_reference ? &reference_rates
                                : g->backend->head.has_devices       ? &device_rates
                                                                     : &openmp_rates;
    if (is_by_pairs(g))
        return rates->pairs;
    const double particles = (double)g->params.count;
    return g->params.physics.potential == GAS_NO_FORCE
               ? rates->particles
               : fmin(rates->particles, rates->operations * particles / gas_operations(&g->params));
}

static enum status plan_solvers(struct gas *g, struct memory_plan *memory)
{
    const struct gas_params *p = &g->params;
    g->setup = (struct gas_setup){.physics = &p->physics,
                                  .count = p->count,
                                  .has_masses = p->has_masses,
                                  .mass = p->mass,
                                  .precision = p->precision,
                                  .device = p->device,
                                  .ranks = g->base.ranks,
                                  .shares = g->shares};
    CHECK(g->backend->plan(&g->setup, memory, "", &g->base.solver));
    CHECK(gas_results_plan(g, memory));
    g->base.reference_backend = &gas_backend_reference.head;
    if (p->outputs.check_steps == 0 || !gas_makes_results(g))
        return STATUS_OK;
    g->check_setup = g->setup;
    g->check_setup.precision = ELEMENT_F64;
    return gas_backend_reference.plan(&g->check_setup, memory, "check ", &g->base.reference);
}

static const char *references_of(const struct gas_physics *physics)
{
    switch (physics->thermostat) {
    case GAS_LANGEVIN:
        return "Leimkuhler & Matthews, J. Chem. Phys. 138, 174102 (2013)";
    case GAS_BUSSI:
        return "Bussi, Donadio & Parrinello, J. Chem. Phys. 126, 014101 (2007)";
    case GAS_NO_THERMOSTAT:
        break;
    }
    return "Verlet, Phys. Rev. 159, 98 (1967)";
}

static enum status add_limits(const struct gas *g, struct model_plan *plan)
{
    static const char key[] = "limits.energy_change";
    if (job_has(g->base.job, key) && !gas_is_energy_kept(&g->params.physics))
        return job_fail(g->base.job, key,
                        "a thermostat, a limiter or a damped wall changes the energy of this gas");
    return limits_add(plan, g->base.job,
                      (struct watch_limit){.key = key,
                                           .what = "change of the energy per particle",
                                           .variables = {"energy_change"},
                                           .kind = WATCH_MAGNITUDE,
                                           .from_s = -INFINITY});
}

static enum status gas_plan(void *instance, struct memory_plan *memory, struct model_plan *plan)
{
    struct gas *g = instance;
    const struct gas_params *p = &g->params;
    const double particles = (double)p->count;
    const bool is_reference = g->backend == &gas_backend_reference;
    g->threads = omp_get_max_threads();
    *plan = (struct model_plan){
        .steps = p->steps,
        .step_s = p->physics.step,
        .time_unit = "time units",
        .time_origin = "", // reduced units fit no calendar
        .backend = g->backend->head.name,
        .instruction_set = backend_instruction_set(&g->backend->head),
        .precision = p->precision == ELEMENT_F64 || is_reference ? "double" : "single",
        .work_per_step = is_by_pairs(g) ? particles * particles : particles,
        .work_unit = is_by_pairs(g) ? "interactions/s" : "particle-steps/s",
        .estimated_rate = estimate_rate(g),
        .references = references_of(&p->physics),
    };
    plan->input_count = gas_initial_inputs(p->initial, plan->input_files);
    if (gas_makes_results(g))
        CHECK(gas_initial_plan(p->initial, memory));
    CHECK(gas_diagnostics_plan(g, memory));
    CHECK(gas_output_plan(g, memory, plan));
    CHECK(add_limits(g, plan));
    return plan_solvers(g, memory);
}

static int gas_checkpoint_arrays(void *instance, struct checkpoint_array *arrays)
{
    struct gas *g = instance;
    int count = g->backend->head.checkpoint_arrays(g->base.solver, arrays);
    arrays[count++] = (struct checkpoint_array){"diagnostics so far", &g->series, sizeof g->series};
    if (g->params.structure.every > 0)
        arrays[count++] = gas_structure_checkpoint(&g->structure);
    if (gas_has_regions(&g->params.physics)) // found at the start, which a resumed run does not compute
        arrays[count++] =
            (struct checkpoint_array){"regions' error", &g->regions_error, sizeof g->regions_error};
    // Always saved, because the job's check may be changed between the legs of a run.
    arrays[count++] = (struct checkpoint_array){CHECK_RECORD_NAME, &g->base.check, sizeof g->base.check};
    return count;
}

// ---- the run

static enum status gas_prepare(void *instance)
{
    const struct gas *g = instance;
    return gas_makes_results(g) ? gas_initial_prepare(g->params.initial) : STATUS_OK;
}

static enum status find_error(struct gas *g)
{
    CHECK(g->backend->evaluate(g->base.solver, false));
    CHECK(instance_fetch(&g->base));
    if (!gas_makes_results(g))
        return STATUS_OK;
    g->regions_error =
        gas_find_regions_error(g->backend, g->base.solver, &g->setup, g->threads, g->particles, GAS_BLOCK);
    return STATUS_OK;
}

static enum status gas_start(void *instance)
{
    struct gas *g = instance;
    if (gas_makes_results(g)) // the other ranks get its particles
        gas_initial_apply(g->params.initial, g->backend, g->base.solver);
    CHECK(solver_touch(&g->backend->head, g->base.solver, false));
    CHECK(instance_fetch(&g->base));
    if (gas_makes_results(g))
        gas_output_start(g);
    if (gas_has_regions(&g->params.physics))
        CHECK(find_error(g));
    // Particles that overlap at the start are reported before the first record, at step 0.
    return gas_guard(g, 0);
}

static enum status gas_finish(void *context, int64_t step)
{
    struct gas *g = context;
    struct gas_finding found = {.error = GAS_NO_ERROR, .partner = -1};
    (void)step;
    if (g->backend->finish)
        CHECK(g->backend->finish(g->base.solver, &found));
    if (g->shares) // the counts of all ranks
        CHECK(instance_fetch(&g->base));
    // run.json is written after the arrays were released.
    g->backend->stages(g->base.solver, &g->stage_times, &g->counts);
    return gas_judge(g, &found);
}

// The solver's arrays, which come first, have a number of each particle, but the last one, its counts; that
// and the rest is the same on all ranks, or rank 0's.
static void gas_checkpoint_rows(void *instance, struct checkpoint_rows *rows)
{
    struct gas *g = instance;
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    if (!g->backend->is_divided)
        return;
    const int count = g->backend->head.checkpoint_arrays(g->base.solver, arrays);
    particles_checkpoint_rows(arrays, count - 1,
                              particles_own(g->setup.shares, g->setup.ranks, g->setup.count), g->params.count,
                              rows);
}

const struct model gas_model = {
    .name = "gas",
    .summary = "particles in a box: Lennard-Jones and Balen's (2016) potentials, walls, thermostats",
    .keys = &gas_keys,
    .instance_bytes = sizeof(struct gas),
    .create = gas_create,
    .destroy = gas_destroy,
    .threads_worth = gas_threads_worth,
    .plan = gas_plan,
    .checkpoint_arrays = gas_checkpoint_arrays,
    .checkpoint_rows = gas_checkpoint_rows,
    .prepare = gas_prepare,
    .start = gas_start,
    .capture = gas_capture,
    .await = gas_await,
    .finish = gas_finish,
    .guard = gas_guard,
    .await_keeps_state = true,
    .check = &gas_check,
    .describe = gas_describe,
};
