// The Ising model's descriptor: how a run is created, planned, started and swept through its temperatures.
// The physics is in the solvers (reference.c, openmp.c), the start in initial.c, the results in output.c,
// results.c and correlations.c; how it is divided among ranks in ranks.c.
#include "models/ising/ising.h"

#include "core/log.h"
#include "models/ising/initial.h"
#include "models/ising/instance.h"

#include <omp.h>
#include <stdlib.h>

static void ising_destroy(void *instance)
{
    struct ising *g = instance;
    ising_params_free(&g->params);
    free(g->table);
    free(g->shares);
}

static enum status ising_create(void *instance, const struct job *job)
{
    struct ising *g = instance;
    CHECK(ising_params_read(job, &g->params));
    g->backend = g->params.backend;
    g->base.backend = &g->backend->head;
    g->base.check_steps = g->params.check_steps;
    return ising_ranks_cut(g);
}

// ---- the plan

// Spins a second, for the estimate of a run's time. WOLFF: unknown, it depends on the size of the clusters.
static const double reference_rates[ISING_METHODS] = {[ISING_METROPOLIS] = 1e7,
                                                      [ISING_METROPOLIS_INTEGER] = 2e7,
                                                      [ISING_METROPOLIS_RANDOM] = 2e7,
                                                      [ISING_HEAT_BATH] = 1e7,
                                                      [ISING_SWENDSEN_WANG] = 1e7},
                    openmp_rates[ISING_METHODS] = {[ISING_METROPOLIS] = 2e9,
                                                   [ISING_METROPOLIS_INTEGER] = 4e8,
                                                   [ISING_METROPOLIS_RANDOM] = 3e7,
                                                   [ISING_HEAT_BATH] = 1e9,
                                                   [ISING_SWENDSEN_WANG] = 2e7},
                    device_rates[ISING_METHODS] = {[ISING_METROPOLIS] = 2e12,
                                                   [ISING_METROPOLIS_INTEGER] = 2e11,
                                                   [ISING_HEAT_BATH] = 8e11,
                                                   [ISING_SWENDSEN_WANG] = 2e10};

static double estimate_rate(const struct ising *g)
{
    const struct ising_physics *physics = &g->params.physics;
    const bool is_reference = g->backend == &ising_backend_reference;
    const bool has_words = physics->method == ISING_METROPOLIS || physics->method == ISING_HEAT_BATH;
    const double *rates = is_reference                   ? reference_rates
                          : g->backend->head.has_devices ? device_rates
                                                         : openmp_rates;
    const double filled = has_words && !is_reference ? ising_word_bits(physics->lattice.columns) / 32.0 : 1;
    return rates[physics->method] * filled;
}

static const char *references_of(enum ising_method method)
{
    static const char *const references[ISING_METHODS] = {
        [ISING_METROPOLIS] = "Metropolis et al., J. Chem. Phys. 21, 1087 (1953); Salmon et al., SC '11 "
                             "(2011), doi:10.1145/2063384.2063405",
        [ISING_METROPOLIS_INTEGER] = "Metropolis et al., J. Chem. Phys. 21, 1087 (1953)",
        [ISING_METROPOLIS_RANDOM] = "Metropolis et al., J. Chem. Phys. 21, 1087 (1953)",
        [ISING_HEAT_BATH] = "Glauber, J. Math. Phys. 4, 294 (1963)",
        [ISING_WOLFF] = "Wolff, Phys. Rev. Lett. 62, 361 (1989)",
        [ISING_SWENDSEN_WANG] = "Swendsen & Wang, Phys. Rev. Lett. 58, 86 (1987)"};
    return references[method];
}

static enum status plan_solvers(struct ising *g, struct memory_plan *memory)
{
    const struct ising_params *p = &g->params;
    g->setup = (struct ising_setup){
        .physics = &p->physics, .device = p->device, .ranks = g->base.ranks, .shares = g->shares};
    CHECK(g->backend->plan(&g->setup, memory, "", &g->base.solver));
    g->base.reference_backend = &ising_backend_reference.head;
    if (p->check_steps == 0)
        return STATUS_OK;
    CHECK(ising_ranks_plan_check(g, memory));
    return ising_backend_reference.plan(&g->setup, memory, "check ", &g->base.reference);
}

static enum status ising_plan(void *instance, struct memory_plan *memory, struct model_plan *plan)
{
    struct ising *g = instance;
    const struct ising_params *p = &g->params;
    const bool is_wolff = p->physics.method == ISING_WOLFF; // a sweep is a cluster
    g->threads = omp_get_max_threads();
    *plan = (struct model_plan){
        .steps = ising_steps(p),
        .step_s = 1,
        .time_unit = "sweeps",
        .time_origin = "",
        .backend = g->backend->head.name,
        .instruction_set = backend_instruction_set(&g->backend->head),
        .precision = "integer", // spins, and numbers of them; the results of their series are double
        .work_per_step = is_wolff ? (double)ising_replicas(g)
                                  : (double)ising_sites(&p->physics.lattice) * (double)ising_replicas(g),
        .work_unit = is_wolff ? "clusters/s" : "flips/s",
        .estimated_rate = estimate_rate(g),
        .references = references_of(p->physics.method),
    };
    plan->input_count = ising_initial_inputs(p->initial, plan->input_files);
    CHECK(ising_initial_plan(p->initial, memory));
    CHECK(plan_solvers(g, memory));
    CHECK(ising_output_plan(g, memory, plan));
    g->table = calloc(p->temperatures, stream_record_bytes(&g->results.results));
    return g->table ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for the table of temperatures");
}

static int ising_checkpoint_arrays(void *instance, struct checkpoint_array *arrays)
{
    struct ising *g = instance;
    int count = g->backend->head.checkpoint_arrays(g->base.solver, arrays);
    count += ising_results_checkpoint_arrays(&g->results, arrays + count);
    if (g->params.correlations_every > 0)
        count += ising_correlations_checkpoint_arrays(&g->correlations, arrays + count);
    // Always there, for the job's check may be changed between the legs of a run.
    arrays[count++] = (struct checkpoint_array){CHECK_RECORD_NAME, &g->base.check, sizeof g->base.check};
    return count;
}

// ---- the run

static enum status ising_prepare(void *instance)
{
    const struct ising *g = instance;
    return ising_initial_prepare(g->params.initial);
}

// Of the time since the solver's last touch, which begins anew.
static void add_stages(const struct ising *g, struct ising_stage_times *to)
{
    struct ising_stage_times times;
    g->backend->stages(g->base.solver, &times);
    to->sweeps_s += times.sweeps_s;
    to->measures_s += times.measures_s;
    to->clusters_s += times.clusters_s;
    to->sweeps += times.sweeps;
    to->measures += times.measures;
}

// The reference has all rows on every rank.
static enum status begin_anew(const struct ising *g, const struct ising_backend *backend,
                              struct solver *solver, uint32_t temperature)
{
    const struct share all = {0, g->params.physics.lattice.rows},
                       rows = solver == g->base.solver ? g->own : all;
    ising_initial_apply(g->params.initial, temperature, rows.first, rows.end, backend->words(solver));
    return solver_touch(&backend->head, solver, false);
}

static enum status ising_start(void *instance)
{
    struct ising *g = instance;
    ising_results_start(&g->results);
    if (g->params.correlations_every > 0)
        ising_correlations_start(&g->correlations);
    g->backend->set_temperature(g->base.solver, 0, g->params.betas[0]);
    return begin_anew(g, g->backend, g->base.solver, 0);
}

// What comes after a temperature's last sweep (a start of its own) is the first of the next one's.
static enum status ising_resumed(void *instance, int64_t step)
{
    struct ising *g = instance;
    const uint32_t temperature = ising_temperature_of(&g->params, step > 0 ? step - 1 : 0);
    g->backend->set_temperature(g->base.solver, temperature, g->params.betas[temperature]);
    return solver_touch(&g->backend->head, g->base.solver, true);
}

static enum status begin_temperature(struct ising *g, const struct ising_backend *backend,
                                     struct solver *solver, uint32_t temperature)
{
    backend->set_temperature(solver, temperature, g->params.betas[temperature]);
    if (g->params.is_tempered)
        return STATUS_OK;
    if (solver == g->base.solver) {
        if (backend->finish) // what was only begun has taken no time yet
            CHECK(backend->finish(solver));
        add_stages(g, &g->past_times);
    }
    return begin_anew(g, backend, solver, temperature);
}

static int64_t next_multiple(int64_t value, int64_t of)
{
    return (value / of + 1) * of;
}

enum status ising_sweep(struct ising *g, const struct ising_backend *backend, struct solver *solver,
                        int64_t first_sweep, int64_t count, bool has_correlations)
{
    const struct ising_params *p = &g->params;
    const int64_t end = first_sweep + count;
    for (int64_t sweep = first_sweep; sweep < end;) {
        const uint32_t temperature = ising_temperature_of(p, sweep);
        const int64_t begin = temperature * p->sweeps.count;
        if (sweep == begin && sweep > 0)
            CHECK(begin_temperature(g, backend, solver, temperature));
        int64_t stop = begin + p->sweeps.count;
        if (has_correlations && begin + next_multiple(sweep - begin, p->correlations_every) < stop)
            stop = begin + next_multiple(sweep - begin, p->correlations_every);
        stop = stop < end ? stop : end;
        CHECK(backend->head.advance(solver, sweep, stop - sweep));
        sweep = stop;
        if (has_correlations && ising_correlations_is_due(&g->correlations, sweep - begin)) {
            CHECK(backend->correlate(solver, p->distances, p->distance, g->correlations.measured));
            ising_correlations_add(&g->correlations);
        }
    }
    return STATUS_OK;
}

static enum status ising_advance(void *context, int64_t first_step, int64_t count)
{
    struct ising *g = context;
    return ising_sweep(g, g->backend, g->base.solver, first_step, count, g->params.correlations_every > 0);
}

static enum status ising_finish(void *context, int64_t step)
{
    struct ising *g = context;
    (void)step;
    if (g->backend->finish)
        CHECK(g->backend->finish(g->base.solver));
    // run.json is written after the arrays were released.
    g->stage_times = g->past_times;
    add_stages(g, &g->stage_times);
    return STATUS_OK;
}

// ---- after the run

// The first temperature that is not reliable was named when it was found.
static void ising_conclude(void *instance)
{
    const struct ising *g = instance;
    const struct ising_verdict *verdict = &g->results.progress.verdict;
    if (verdict->unreliable > 1)
        log_warning("the results of %lld of %lld temperatures, from beta = %.10g to %.10g, are not reliable",
                    (long long)verdict->unreliable, (long long)verdict->temperatures, verdict->first_beta,
                    verdict->last_beta);
}

const struct model ising_model = {
    .name = "ising",
    .summary = "spins on a square lattice: Metropolis, heat bath and clusters, with errors",
    .keys = &ising_keys,
    .instance_bytes = sizeof(struct ising),
    .create = ising_create,
    .destroy = ising_destroy,
    .plan = ising_plan,
    .checkpoint_arrays = ising_checkpoint_arrays,
    .checkpoint_rows = ising_checkpoint_rows,
    .prepare = ising_prepare,
    .start = ising_start,
    .resumed = ising_resumed,
    .advance = ising_advance,
    .capture = ising_capture,
    .send = ising_send,
    .await = ising_await,
    .finish = ising_finish,
    .awaits_always = true,
    .await_keeps_state = true,
    .check = &ising_check,
    .describe = ising_describe,
    .conclude = ising_conclude,
};
