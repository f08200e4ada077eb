// Energies, momentum, temperature and pressure of the present state, with the same bits for any number of
// threads; the series of records; and the error messages of the guard.
#include "core/log.h"
#include "models/gas/instance.h"
#include "models/gas/particle_terms.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

// Change of a conserved energy, as a share of the kinetic energy, beyond which the run warns once.
static const double change_worth_a_warning = 0.1;

enum status gas_diagnostics_plan(struct gas *g, struct memory_plan *memory)
{
    const size_t scratch = (size_t)g->threads * GAS_BLOCK;
    const size_t numbers = sizeof(struct gas_particle) / sizeof(double);
    if (!gas_makes_results(g))
        return STATUS_OK;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, scratch, numbers, (void **)&g->particles,
                          "scratch particles"));
    if (g->params.outputs.diagnostics_every <= 0 || g->backend->capture)
        return STATUS_OK;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, scratch,
                          sizeof(struct gas_field) / sizeof(double), (void **)&g->fields, "scratch fields"));
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, GAS_TERMS, block_sum_bytes(g->params.count),
                           (void **)&g->sums, "diagnostic sums");
}

struct gas_particle *gas_scratch_particles(const struct gas *g)
{
    return g->particles + (size_t)omp_get_thread_num() * GAS_BLOCK;
}

// ---- sums

struct diagnosis {
    struct gas *g;
    struct block_sum sums[GAS_TERMS];
};

static void sum_block(void *context, size_t block)
{
    struct diagnosis *d = context;
    struct gas *g = d->g;
    const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
    struct gas_particle *particles = gas_scratch_particles(g);
    struct gas_field *fields = g->fields + (size_t)omp_get_thread_num() * GAS_BLOCK;
    g->backend->get(g->base.solver, first, count, particles);
    g->backend->get_field(g->base.solver, first, count, fields);
    for (size_t k = 0; k < count; k++) {
        double terms[GAS_TERMS];
        gas_terms_of_particle(particles[k].mass, particles[k].velocity, fields[k].potential, fields[k].virial,
                              terms);
        for (int term = 0; term < GAS_TERMS; term++)
            block_sum_add(&d->sums[term], first + k, terms[term]);
    }
}

enum status gas_diagnose(struct gas *g, double values[GAS_RECORD_VALUES])
{
    struct diagnosis d = {.g = g};
    double totals[GAS_TERMS];
    const size_t count = g->params.count, bytes = block_sum_bytes(count);
    CHECK(g->backend->evaluate(g->base.solver, false));
    CHECK(instance_fetch(&g->base));
    if (!gas_makes_results(g))
        return STATUS_OK;
    for (size_t k = 0; k < GAS_TERMS; k++)
        CHECK(block_sum_init(&d.sums[k], count, (char *)g->sums + k * bytes, bytes));
    team_for(g->threads, gas_blocks(g), sum_block, &d);
    for (size_t k = 0; k < GAS_TERMS; k++)
        totals[k] = block_sum_total(&d.sums[k]);
    g->backend->stages(g->base.solver, &g->stage_times, &g->counts);
    const int64_t limited = g->counts.limited_energy + g->counts.limited_jumps;
    gas_record_of_terms(&g->params.physics, (double)count, gas_degrees(&g->params.physics, count),
                        (double)limited, totals, values);
    return STATUS_OK;
}

// ---- records

bool gas_is_energy_kept(const struct gas_physics *physics)
{
    bool is_kept = physics->thermostat == GAS_NO_THERMOSTAT && physics->limiters.energy <= 0 &&
                   physics->limiters.jump <= 0;
    for (int side = 0; side < GAS_SIDES; side++)
        is_kept = is_kept && physics->walls[side] != GAS_DAMPED;
    return is_kept;
}

static void keep_change(struct gas *g, const double *values, double time)
{
    struct gas_series *series = &g->series;
    const double change = values[GAS_ENERGY_CHANGE];
    const double kinetic = fmax(values[GAS_KINETIC], series->first[GAS_KINETIC]) / (double)g->params.count;
    if (!(fabs(change) > series->largest_change))
        return;
    series->largest_change = fabs(change);
    series->largest_change_time = time;
    if (!gas_is_energy_kept(&g->params.physics) || series->is_warned ||
        fabs(change) <= change_worth_a_warning * kinetic)
        return;
    series->is_warned = 1;
    log_warning(
        "the energy has changed by %.2g a particle at time %g, where it should be conserved (kinetic energy: "
        "%.2g a particle): a smaller time.step, or a potential and walls that conserve it, help",
        change, time, kinetic);
}

// Sums for a straight line's fit, by Welford (1962): the time may be large beside its changes.
static void add_to_line(struct gas_series *series, double time, double change)
{
    const double from_mean = time - series->mean_time;
    series->mean_time += from_mean / (double)series->records;
    series->mean_change += (change - series->mean_change) / (double)series->records;
    series->time_squares += from_mean * (time - series->mean_time);
    series->time_changes += from_mean * (change - series->mean_change);
}

double gas_energy_drift(const struct gas_series *series)
{
    return series->records > 2
               ? series->time_changes / series->time_squares * (series->last_time - series->first_time)
               : 0;
}

void gas_diagnostics_complete(struct gas *g, double values[GAS_RECORD_VALUES], double time)
{
    struct gas_series *series = &g->series;
    values[GAS_TOTAL_ENERGY] = values[GAS_KINETIC] + values[GAS_POTENTIAL];
    const double start = series->records > 0 ? series->first[GAS_TOTAL_ENERGY] : values[GAS_TOTAL_ENERGY];
    values[GAS_ENERGY_CHANGE] = (values[GAS_TOTAL_ENERGY] - start) / (double)g->params.count;
    if (series->records++ == 0) {
        memcpy(series->first, values, sizeof series->first);
        series->first_time = time;
    }
    memcpy(series->last, values, sizeof series->last);
    series->last_time = time;
    add_to_line(series, time - series->first_time, values[GAS_ENERGY_CHANGE]);
    keep_change(g, values, time);
}

// ---- the guard

// Of each error: what follows "particle 7" (and its partner), and what may help.
static const char *const error_texts[GAS_ERRORS][2] = {
    [GAS_NOT_FINITE] = {"has a position or a velocity that is not finite",
                        "a smaller time.step or a softer potential may help"},
    [GAS_ESCAPED] = {"has left the box", "a smaller time.step, or walls that reflect, may help"},
    [GAS_TOO_FAST] = {"went further in one step than a cell or the cut-off is wide",
                      "a smaller time.step may help"},
    [GAS_CROWDED] = {"has more neighbours than its list holds",
                     "a larger method.neighbours or a smaller method.skin may help"},
    [GAS_OVERLAPPING] = {"are at one point, or so near that their energy is not finite",
                         "particles further apart at the start, or a smaller time.step, may help"},
};

enum status gas_judge(const struct gas *g, const struct gas_finding *found)
{
    const double *x = found->particle.position, *v = found->particle.velocity;
    char who[64];
    if (found->error == GAS_NO_ERROR)
        return STATUS_OK;
    if (found->partner >= 0)
        snprintf(who, sizeof who, "particles %lld and %lld", (long long)found->id, (long long)found->partner);
    else
        snprintf(who, sizeof who, "particle %lld", (long long)found->id);
    return FAIL(STATUS_DATA, "after step %lld (time %g) %s %s: %s (%.9g, %.9g), velocity (%g, %g); %s",
                (long long)found->step, gas_time(g, found->step), who, error_texts[found->error][0],
                found->partner >= 0 ? "the first is at" : "it is at", x[GAS_X], x[GAS_Y], v[GAS_X], v[GAS_Y],
                error_texts[found->error][1]);
}

enum status gas_guard(void *context, int64_t step)
{
    struct gas *g = context;
    struct gas_finding found = {.error = GAS_NO_ERROR, .partner = -1};
    CHECK(g->backend->guard(g->base.solver, step, &found));
    return gas_judge(g, &found);
}
