// What the ranks of a run of the fast CPU version exchange. Every rank has arrays for all particles and sorts
// all of them, so that all have the same order. Moves and forces, which take long, are divided: a rank makes
// those of its particles, and gets the positions of the others that they need. One rank has no part of this.
#include "models/gas/method.h"
#include "models/gas/openmp_pairs_isa.h"
#include "models/gas/openmp_sweeps_isa.h"

#include "models/arrays.h"

#include <stdlib.h>

// Then groups are cut where loops over particles are cut on one rank, too.
_Static_assert((int)PARTICLES_GROUP == (int)PAIR_TARGETS && PARTICLES_GROUP % PAIR_GROUP == 0 &&
                   (int)PARTICLES_GROUP == (int)SWEEP_PARTICLES,
               "a group is what is worked on together");

enum { ARRAYS = 16, NUMBER = sizeof(double) };

struct gathered {
    struct allgather_array arrays[ARRAYS];
    int count;
};

static void add_numbers(struct gathered *gathered, double *const *numbers)
{
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (numbers[axis])
            gathered->arrays[gathered->count++] = (struct allgather_array){numbers[axis], NUMBER};
}

// ---- the plan

static enum gas_exchange exchange_of(const struct gas_physics *physics)
{
    return gas_has_regions(physics)             ? GAS_SORT_ALWAYS
           : gas_has_lists(physics)             ? GAS_PASS_NEEDED
           : physics->potential == GAS_NO_FORCE ? GAS_PASS_NOTHING
                                                : GAS_PASS_ALL;
}

static bool has_kinetic(const struct gas_physics *physics)
{
    return physics->thermostat == GAS_BUSSI || physics->limiters.energy > 0;
}

// Sent in a step by the shares at the start; 0: it depends on the state.
static double step_bytes(const struct gas_division *d, const struct gas_physics *physics)
{
    const int before = physics->limiters.jump > 0 ? GAS_AXES : 0;
    const int numbers[] = {[GAS_PASS_ALL] = GAS_AXES, [GAS_SORT_ALWAYS] = 2 * GAS_AXES + before};
    if (d->exchange == GAS_PASS_NEEDED || d->exchange == GAS_PASS_NOTHING)
        return 0;
    const struct allgather_array particle = {
        NULL, (size_t)(numbers[d->exchange] + (has_kinetic(physics) ? 1 : 0)) * NUMBER};
    return allgather_bytes(d->ranks, d->shares, &particle, 1);
}

static void set_shares(struct gas_division *d, const struct share *groups, struct gas_arrays *particles)
{
    for (int r = 0; r < d->ranks->count; r++) {
        const struct particles_range share = particles_in(&groups[r], d->count);
        d->shares[r] = (struct share){(int64_t)share.first, (int64_t)share.end};
    }
    particles->own = particles_in(&groups[d->ranks->rank], d->count);
}

enum status gas_division_plan(struct gas_division *d, const struct gas_setup *setup,
                              struct gas_arrays *particles, struct memory_plan *plan, const char *prefix)
{
    const struct gas_physics *physics = setup->physics;
    particles->own = (struct particles_range){0, setup->count};
    if (!setup->shares)
        return STATUS_OK;
    const size_t ranks = (size_t)setup->ranks->count;
    d->ranks = setup->ranks;
    d->count = setup->count;
    d->groups = (setup->count + PARTICLES_GROUP - 1) / PARTICLES_GROUP;
    d->exchange = exchange_of(physics);
    d->start = setup->shares;
    d->shares = calloc(ranks, sizeof *d->shares);
    d->cut = calloc(ranks, sizeof *d->cut);
    d->needs = calloc(ranks, sizeof *d->needs);
    if (!d->shares || !d->cut || !d->needs)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %zu ranks", ranks);
    set_shares(d, setup->shares, particles);
    const bool has_work = d->exchange == GAS_PASS_NEEDED || d->exchange == GAS_SORT_ALWAYS;
    const struct array_row arrays[] = {
        {ELEMENT_F64, 1, has_work ? d->groups : 0, &d->work, "work of groups"},
        {ELEMENT_F64, 1, has_kinetic(physics) ? d->count : 0, &d->kinetic, "kinetic energies"},
    };
    CHECK(ARRAYS_PLAN(plan, prefix, arrays));
    setup->ranks->planned_step_bytes = step_bytes(d, physics);
    return STATUS_OK;
}

void gas_division_free(struct gas_division *d)
{
    free(d->shares);
    free(d->cut);
    free(d->needs);
}

// ---- particles

enum status gas_division_copy(struct gas_division *d, struct gas_arrays *particles)
{
    if (!d->ranks)
        return STATUS_OK;
    double *const arrays[] = {particles->position[GAS_X], particles->position[GAS_Y],
                              particles->velocity[GAS_X], particles->velocity[GAS_Y], particles->mass};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k])
            CHECK(ranks_share(d->ranks, TRANSPORT_STEPS, arrays[k], d->count * sizeof *arrays[k]));
    for (size_t k = 0; k < d->count; k++)
        particles->id[k] = (uint32_t)k;
    d->is_joined = true;
    return STATUS_OK;
}

enum status gas_division_load(struct gas_division *d, struct gas_arrays *particles, double *const *at_sort)
{
    struct gathered all = {.count = 0};
    double *const masses[GAS_AXES] = {particles->mass, NULL};
    if (!d->ranks)
        return STATUS_OK;
    add_numbers(&all, particles->position);
    add_numbers(&all, particles->velocity);
    add_numbers(&all, particles->force);
    add_numbers(&all, masses);
    if (at_sort)
        add_numbers(&all, at_sort);
    all.arrays[all.count++] = (struct allgather_array){particles->id, sizeof *particles->id};
    set_shares(d, d->start, particles);
    CHECK(allgather_rows(d->ranks, d->shares, all.arrays, all.count));
    d->is_joined = true;
    return STATUS_OK;
}

enum status gas_division_gather(struct gas_division *d, struct gas_arrays *particles)
{
    struct gathered all = {.count = 0};
    if (!d->ranks || d->is_joined)
        return STATUS_OK;
    add_numbers(&all, particles->position);
    add_numbers(&all, particles->velocity);
    add_numbers(&all, particles->before);
    return allgather_rows(d->ranks, d->shares, all.arrays, all.count);
}

enum status gas_division_cut(struct gas_division *d, struct gas_arrays *particles)
{
    if (!d->ranks || !d->work)
        return STATUS_OK;
    const struct shares_request request = {.rows = (int64_t)d->groups,
                                           .ranks = d->ranks->count,
                                           .weights = d->work,
                                           .parts = d->ranks->parts,
                                           .least = 1,
                                           .what = "groups of 64 particles"};
    CHECK(shares_cut(&request, d->cut));
    const struct share *own = &d->cut[d->ranks->rank];
    for (int64_t group = own->first; group < own->end; group++)
        d->ranks->work += d->work[group]; // of all sorts
    set_shares(d, d->cut, particles);
    return STATUS_OK;
}

enum status gas_division_pass(struct gas_division *d, const struct gas_arrays *particles)
{
    struct gathered positions = {.count = 0};
    if (!d->ranks || d->exchange == GAS_PASS_NOTHING)
        return STATUS_OK;
    add_numbers(&positions, particles->position);
    return d->exchange == GAS_PASS_NEEDED
               ? allgather_needed(d->ranks, d->shares, d->needs, positions.arrays, positions.count)
               : allgather_rows(d->ranks, d->shares, positions.arrays, positions.count);
}

// ---- numbers

enum status gas_division_agree(struct gas_division *d, bool *is_set)
{
    int64_t value = *is_set ? 1 : 0;
    if (!d->ranks)
        return STATUS_OK;
    CHECK(ranks_largest(d->ranks, TRANSPORT_STEPS, &value, 1));
    *is_set = value != 0;
    return STATUS_OK;
}

enum status gas_division_join(struct gas_division *d, const struct gas_arrays *particles,
                              struct gas_counts *counts, struct gas_counts *listed)
{
    struct gathered all = {.count = 0};
    int64_t sums[] = {d->acted.limited_energy, d->acted.limited_jumps, (int64_t)listed->pairs};
    if (!d->ranks || d->is_joined)
        return STATUS_OK;
    add_numbers(&all, particles->position);
    add_numbers(&all, particles->velocity);
    add_numbers(&all, particles->force);
    CHECK(allgather_rows(d->ranks, d->shares, all.arrays, all.count));
    CHECK(ranks_add(d->ranks, TRANSPORT_STEPS, sums, 3));
    CHECK(ranks_largest(d->ranks, TRANSPORT_STEPS, &listed->largest_list, 1));
    counts->limited_energy += sums[0];
    counts->limited_jumps += sums[1];
    listed->pairs = (double)sums[2];
    d->acted = (struct gas_counts){.rebuilds = 0};
    d->is_joined = true;
    return STATUS_OK;
}

enum status gas_division_share(struct gas_division *d, double *x, double *y)
{
    const struct allgather_array arrays[] = {{x, NUMBER}, {y, NUMBER}};
    return d->ranks ? allgather_rows(d->ranks, d->shares, arrays, 2) : STATUS_OK;
}

enum status gas_division_share_kinetic(struct gas_division *d)
{
    const struct allgather_array array = {d->kinetic, NUMBER};
    return d->ranks ? allgather_rows(d->ranks, d->shares, &array, 1) : STATUS_OK;
}

// ---- findings

// The largest of all; those of ranks without one are the least number.
static enum status largest_of(struct gas_division *d, bool has_one, int64_t *value)
{
    *value = has_one ? *value : INT64_MIN;
    return ranks_largest(d->ranks, TRANSPORT_STEPS, value, 1);
}

enum status gas_division_agree_on(struct gas_division *d, int64_t phase, struct gas_finding *found)
{
    enum { PHASES = 8 }; // more than there are
    if (!d->ranks)
        return STATUS_OK;
    const int64_t own = -(found->step * PHASES + phase);
    int64_t first = own, id = -found->id;
    CHECK(largest_of(d, found->error != GAS_NO_ERROR, &first));
    if (first == INT64_MIN)
        return STATUS_OK;
    bool is_ours = found->error != GAS_NO_ERROR && first == own;
    CHECK(largest_of(d, is_ours, &id));
    is_ours = is_ours && id == -found->id;
    int64_t numbers[] = {found->error, found->step, found->partner};
    struct gas_particle particle = found->particle;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        CHECK(largest_of(d, is_ours, &numbers[k]));
    double values[] = {particle.position[GAS_X], particle.position[GAS_Y], particle.velocity[GAS_X],
                       particle.velocity[GAS_Y], particle.mass};
    const int64_t count = sizeof values / sizeof *values;
    if (!is_ours)
        ranks_forget(values, count);
    CHECK(ranks_join(d->ranks, TRANSPORT_STEPS, values, count));
    *found = (struct gas_finding){.error = (enum gas_error)numbers[0],
                                  .step = numbers[1],
                                  .id = -id,
                                  .partner = numbers[2],
                                  .particle = {.position = {values[0], values[1]},
                                               .velocity = {values[2], values[3]},
                                               .mass = values[4]}};
    return STATUS_OK;
}
