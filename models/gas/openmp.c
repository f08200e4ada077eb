// The fast CPU version of the gas: particles as one array per component, in double; pairs vectorised in
// openmp_pairs.c, openmp_lists.c or openmp_regions.c, the rest of a step in openmp_move.c. This file: the
// plan, the order of a step, input and output.
#include "models/gas/method.h"
#include "models/gas/openmp_move.h"
#include "models/gas/openmp_pairs_isa.h"

#include "core/clock.h"
#include "models/arrays.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct solver {
    struct gas_setup setup;
    int threads;
    struct gas_law law;
    const struct sweep_functions *sweep;
    struct gas_arrays particles;
    double *other[GAS_AXES]; // forces of evaluate by every pair; NULL without regions
    bool shows_other;
    uint32_t *index_of_id; // index in the arrays, by id
    double *terms;
    struct gas_neighbours *lists;      // NULL: none
    struct gas_field_regions *regions; // NULL: none
    struct gas_division division;
    struct gas_finding found;
    int64_t found_phase;              // enum phase
    struct gas_counts counts, listed; // listed: of the lists, as of the last fetch
    struct gas_stage_times times;
};

// In this order errors are found within a step.
enum phase { PHASE_MOVE, PHASE_LISTS, PHASE_FORCE, PHASE_GUARD };

// ---- plan

static enum status plan_particles(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct gas_arrays *p = &s->particles;
    const size_t n = p->count = s->setup.count;
    const size_t before = s->setup.physics->limiters.jump > 0 ? n : 0;
    const size_t other = gas_has_regions(s->setup.physics) ? n : 0, masses = s->setup.has_masses ? n : 0;
    const struct array_row arrays[] = {
        {ELEMENT_F64, 1, n, &p->position[GAS_X], "position x"},
        {ELEMENT_F64, 1, n, &p->velocity[GAS_X], "velocity x"},
        {ELEMENT_F64, 1, n, &p->force[GAS_X], "force x"},
        {ELEMENT_F64, 1, before, &p->before[GAS_X], "velocity before x"},
        {ELEMENT_F64, 1, other, &s->other[GAS_X], "force x by direct summation"},
        {ELEMENT_F64, 1, n, &p->position[GAS_Y], "position y"},
        {ELEMENT_F64, 1, n, &p->velocity[GAS_Y], "velocity y"},
        {ELEMENT_F64, 1, n, &p->force[GAS_Y], "force y"},
        {ELEMENT_F64, 1, before, &p->before[GAS_Y], "velocity before y"},
        {ELEMENT_F64, 1, other, &s->other[GAS_Y], "force y by direct summation"},
        {ELEMENT_F64, 1, masses, &p->mass, "mass"},
        {ELEMENT_F64, 1, n, &p->potential, "potential"},
        {ELEMENT_F64, 1, n, &p->virial, "virial"},
        {ELEMENT_F64, 1, n, &s->terms, "terms of sums"},
        {ELEMENT_I32, 1, n, &p->id, "ids"},
        {ELEMENT_I32, 1, n, &s->index_of_id, "index by id"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

static enum status openmp_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                               struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    s->setup = *setup;
    s->threads = omp_get_max_threads();
    s->law = gas_law_of(setup->physics);
    s->sweep = ISA_TABLE(sweep_functions);
    CHECK(plan_particles(s, plan, prefix));
    CHECK(gas_division_plan(&s->division, &s->setup, &s->particles, plan, prefix));
    if (gas_has_regions(setup->physics))
        return gas_regions_plan(&s->setup, s->threads, plan, prefix, &s->regions);
    return gas_has_lists(setup->physics) ? gas_lists_plan(&s->setup, s->threads, plan, prefix, &s->lists)
                                         : STATUS_OK;
}

// ---- in and out

static struct gas_particle particle_at(const struct solver *s, size_t index)
{
    const struct gas_arrays *p = &s->particles;
    return (struct gas_particle){.position = {p->position[GAS_X][index], p->position[GAS_Y][index]},
                                 .velocity = {p->velocity[GAS_X][index], p->velocity[GAS_Y][index]},
                                 .mass = p->mass ? p->mass[index] : s->setup.mass};
}

static void openmp_get(const struct solver *s, size_t first, size_t count, struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++)
        particles[k] = particle_at(s, s->index_of_id[first + k]);
}

static void openmp_set(struct solver *s, size_t first, size_t count, const struct gas_particle *particles)
{
    struct gas_arrays *p = &s->particles;
    for (size_t k = 0; k < count; k++) {
        const size_t id = first + k;
        for (int axis = 0; axis < GAS_AXES; axis++) {
            p->position[axis][id] = particles[k].position[axis];
            p->velocity[axis][id] = particles[k].velocity[axis];
        }
        if (p->mass)
            p->mass[id] = particles[k].mass;
        p->id[id] = s->index_of_id[id] = (uint32_t)id;
    }
}

static void openmp_get_field(const struct solver *s, size_t first, size_t count, struct gas_field *field)
{
    double *const *force = s->shows_other ? s->other : s->particles.force;
    for (size_t k = 0; k < count; k++) {
        const size_t index = s->index_of_id[first + k];
        field[k] = (struct gas_field){.force = {force[GAS_X][index], force[GAS_Y][index]},
                                      .potential = s->particles.potential[index],
                                      .virial = s->particles.virial[index]};
    }
}

static struct gas_mover mover_of(struct solver *s)
{
    return (struct gas_mover){&s->setup, &s->particles, s->index_of_id, s->terms,
                              s->sweep,  s->threads,    &s->division};
}

static void note_piece(void *context, size_t item)
{
    struct solver *s = context;
    for (size_t index = item * GAS_PIECE; index < gas_piece_end(s->particles.count, item); index++)
        s->index_of_id[s->particles.id[index]] = (uint32_t)index;
}

static void note_indices(struct solver *s)
{
    gas_for_pieces(s->threads, s->particles.count, note_piece, s);
}

// ---- findings

// step: number of completed steps.
static void note(struct solver *s, enum phase phase, struct gas_first_error first, int64_t partner,
                 int64_t step)
{
    if (s->found.error != GAS_NO_ERROR || first.error == GAS_NO_ERROR)
        return;
    s->found_phase = phase;
    s->found = (struct gas_finding){.error = first.error,
                                    .step = step,
                                    .id = first.id,
                                    .partner = partner,
                                    .particle = particle_at(s, s->index_of_id[first.id])};
}

// The particle nearest to this one, by id. Of several ranks one may not have the last positions of particles
// that are further away than the lists reach.
static int64_t nearest_of(const struct solver *s, int64_t id)
{
    const struct gas_physics *physics = s->setup.physics;
    const struct gas_particle particle = particle_at(s, s->index_of_id[id]);
    double least = INFINITY;
    int64_t nearest = -1;
    for (size_t other = 0; other < s->setup.count; other++) {
        double square = 0;
        for (int axis = 0; axis < GAS_AXES; axis++) {
            double r = particle.position[axis] - s->particles.position[axis][s->index_of_id[other]];
            if (gas_is_periodic(physics, axis))
                r -= physics->box[axis] * round(r / physics->box[axis]);
            square += r * r;
        }
        if ((int64_t)other != id && square < least) {
            least = square;
            nearest = (int64_t)other;
        }
    }
    return nearest;
}

// A non-finite force on a particle with a finite position: two particles overlap.
static void note_force(struct solver *s, struct gas_first_error first, int64_t step)
{
    if (s->found.error != GAS_NO_ERROR || first.error == GAS_NO_ERROR)
        return;
    const int64_t partner = nearest_of(s, first.id); // −1: the position is not finite
    if (partner >= 0)
        first.error = GAS_OVERLAPPING;
    note(s, PHASE_FORCE, first, partner, step);
}

// ---- forces

// Cuts the sorted particles by the work that they are.
static enum status cut(struct solver *s)
{
    struct gas_division *d = &s->division;
    if (!d->work)
        return STATUS_OK;
    memset(d->work, 0, d->groups * sizeof *d->work);
    if (s->regions)
        gas_regions_find_work(s->regions, d->work);
    else
        gas_lists_find_work(s->lists, d->work);
    CHECK(gas_division_cut(d, &s->particles));
    for (int r = 0; s->lists && r < d->ranks->count; r++)
        d->needs[r] = gas_lists_need(
            s->lists, (struct particles_range){(size_t)d->shares[r].first, (size_t)d->shares[r].end});
    return STATUS_OK;
}

static enum status sort(struct solver *s, bool is_loaded, int64_t step)
{
    const double start_s = clock_now_s();
    CHECK(gas_division_gather(&s->division, &s->particles));
    if (s->regions)
        gas_regions_sort(s->regions, &s->particles, is_loaded);
    else if (s->lists)
        gas_lists_sort(s->lists, &s->particles, is_loaded);
    note_indices(s);
    CHECK(cut(s));
    const double sorted_s = clock_now_s();
    s->times.seconds[GAS_STAGE_SORT] += sorted_s - start_s;
    if (!s->lists)
        return STATUS_OK;
    int64_t crowded;
    gas_lists_build(s->lists, &s->particles, &crowded);
    if (crowded >= 0)
        note(s, PHASE_LISTS, (struct gas_first_error){GAS_CROWDED, crowded}, -1, step);
    s->times.seconds[GAS_STAGE_LISTS] += clock_now_s() - sorted_s;
    s->counts.rebuilds += is_loaded ? 0 : 1;
    return STATUS_OK;
}

static void sum_pairs(struct solver *s, bool has_energy)
{
    if (s->regions) {
        gas_regions_sum(s->regions, &s->law, &s->particles, has_energy, &s->times);
        return;
    }
    const double start_s = clock_now_s();
    if (s->lists)
        gas_lists_sum(s->lists, &s->law, &s->particles, has_energy);
    else
        gas_pairs_sum(&s->setup, s->threads, &s->law, &s->particles, has_energy);
    s->times.seconds[GAS_STAGE_FORCE] += clock_now_s() - start_s;
}

static void sum_forces(struct solver *s, int64_t step)
{
    const struct gas_mover mover = mover_of(s);
    sum_pairs(s, false);
    s->shows_other = false;
    note_force(s, gas_add_outer(&mover, false), step);
}

static enum status openmp_touch(struct solver *s, bool is_loaded)
{
    double *const at_sort[GAS_AXES] = {s->lists ? gas_lists_positions(s->lists, GAS_X) : NULL,
                                       s->lists ? gas_lists_positions(s->lists, GAS_Y) : NULL};
    s->found = (struct gas_finding){.error = GAS_NO_ERROR, .step = -1, .partner = -1};
    if (is_loaded) {
        CHECK(gas_division_load(&s->division, &s->particles, at_sort));
    } else {
        s->counts = s->division.acted = (struct gas_counts){.rebuilds = 0};
        CHECK(gas_division_copy(&s->division, &s->particles));
    }
    CHECK(sort(s, is_loaded, 0));
    if (!is_loaded)
        sum_forces(s, 0);
    s->shows_other = s->division.is_joined = false;
    s->times = (struct gas_stage_times){.steps = 0};
    return STATUS_OK;
}

// Regions are sorted in every step, so each rank has all positions.
static enum status evaluate_by_pairs(struct solver *s)
{
    struct gas_arrays others = s->particles;
    struct gas_mover mover = mover_of(s);
    others.force[GAS_X] = s->other[GAS_X];
    others.force[GAS_Y] = s->other[GAS_Y];
    mover.particles = &others;
    gas_pairs_sum(&s->setup, s->threads, &s->law, &others, false);
    gas_pairs_sum(&s->setup, s->threads, &s->law, &others, true);
    gas_add_outer(&mover, false);
    return gas_division_share(&s->division, s->other[GAS_X], s->other[GAS_Y]);
}

static enum status openmp_evaluate(struct solver *s, bool is_by_pairs)
{
    const struct gas_stage_times times = s->times; // those of steps only
    const struct gas_mover mover = mover_of(s);
    s->shows_other = is_by_pairs && s->regions;
    if (s->shows_other)
        CHECK(evaluate_by_pairs(s));
    else
        sum_pairs(s, true);
    gas_add_outer(&mover, true);
    s->times = times;
    return gas_division_share(&s->division, s->particles.potential, s->particles.virial);
}

// ---- steps

// Sorts the particles if they have to be; else ranks get the positions that they need.
static enum status order(struct solver *s, int64_t step)
{
    const double start_s = clock_now_s();
    bool has_to_sort = s->regions || (s->lists && gas_lists_are_stale(s->lists, &s->particles));
    if (s->lists)
        CHECK(gas_division_agree(&s->division, &has_to_sort));
    s->times.seconds[GAS_STAGE_MOVE] += clock_now_s() - start_s;
    return has_to_sort ? sort(s, false, step + 1) : gas_division_pass(&s->division, &s->particles);
}

static enum status advance_one(struct solver *s, int64_t step)
{
    const struct gas_mover mover = mover_of(s);
    double start_s = clock_now_s();
    s->division.is_joined = false;
    note(s, PHASE_MOVE, gas_move_first(&mover, step), -1, step + 1);
    s->times.seconds[GAS_STAGE_MOVE] += clock_now_s() - start_s;
    CHECK(order(s, step));
    sum_forces(s, step + 1);
    start_s = clock_now_s();
    CHECK(gas_move_last(&mover, step, s->division.ranks ? &s->division.acted : &s->counts));
    s->times.seconds[GAS_STAGE_MOVE] += clock_now_s() - start_s;
    s->times.steps++;
    return STATUS_OK;
}

static enum status openmp_advance(struct solver *s, int64_t first_step, int64_t count)
{
    for (int64_t n = 0; n < count; n++)
        CHECK(advance_one(s, first_step + n));
    return STATUS_OK;
}

// ---- what else a back end has

static void count_listed(const struct solver *s, struct gas_counts *listed)
{
    *listed = (struct gas_counts){.rebuilds = 0};
    if (s->lists)
        gas_lists_count(s->lists, listed);
}

static enum status openmp_fetch(struct solver *s)
{
    if (!s->division.ranks || s->division.is_joined)
        return STATUS_OK;
    count_listed(s, &s->listed);
    return gas_division_join(&s->division, &s->particles, &s->counts, &s->listed);
}

// Of the rank's particles.
static void *own_part(const struct solver *s, void *data, size_t bytes)
{
    return data ? (char *)data + particles_own(s->setup.shares, s->setup.ranks, s->setup.count).first * bytes
                : NULL;
}

static int openmp_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    static const char *const names[GAS_AXES][4] = {
        {"position x", "velocity x", "force x", "position x at the sort"},
        {"position y", "velocity y", "force y", "position y at the sort"}};
    const struct gas_arrays *p = &s->particles;
    const struct particles_range own = particles_own(s->setup.shares, s->setup.ranks, s->setup.count);
    const size_t held = own.end - own.first, bytes = held * sizeof(double);
    int count = 0;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        double *const data[] = {p->position[axis], p->velocity[axis], p->force[axis],
                                s->lists ? gas_lists_positions(s->lists, axis) : NULL};
        for (int k = 0; k < (s->lists ? 4 : 3); k++)
            arrays[count++] =
                (struct checkpoint_array){names[axis][k], own_part(s, data[k], sizeof(double)), bytes};
    }
    if (s->setup.has_masses)
        arrays[count++] = (struct checkpoint_array){"mass", own_part(s, p->mass, sizeof(double)), bytes};
    arrays[count++] =
        (struct checkpoint_array){"ids", own_part(s, p->id, sizeof *p->id), held * sizeof *p->id};
    arrays[count++] = (struct checkpoint_array){"counts", &s->counts, sizeof s->counts};
    return count;
}

static enum status openmp_guard(struct solver *s, int64_t step, struct gas_finding *found)
{
    const struct gas_mover mover = mover_of(s);
    note(s, PHASE_GUARD, gas_check_particles(&mover), -1, step);
    *found = s->found;
    return gas_division_agree_on(&s->division, s->found_phase, found);
}

static void openmp_stages(const struct solver *s, struct gas_stage_times *times, struct gas_counts *counts)
{
    *times = s->times;
    *counts = s->counts;
    struct gas_counts listed = s->listed;
    const double count = (double)s->setup.count;
    if (!s->division.ranks)
        count_listed(s, &listed);
    counts->largest_list = listed.largest_list;
    counts->neighbours = listed.pairs / count;
    counts->pairs = s->lists     ? listed.pairs
                    : s->regions ? gas_regions_pairs(s->regions)
                                 : count * (count - 1);
}

static const char *openmp_instruction_set(void)
{
    return ISA_TABLE(pair_functions)->instruction_set;
}

static void openmp_destroy(struct solver *s)
{
    if (s) {
        free(s->lists);
        free(s->regions);
        gas_division_free(&s->division);
    }
    free(s);
}

const struct gas_backend gas_backend_openmp = {
    .head = {.name = "openmp",
             .summary = "all processor cores, vectorised",
             .rank = 0,
             .warm_up = solver_warm_up_team,
             .touch = openmp_touch,
             .fetch = openmp_fetch,
             .advance = openmp_advance,
             .checkpoint_arrays = openmp_checkpoint_arrays,
             .instruction_set = openmp_instruction_set,
             .destroy = openmp_destroy},
    .is_divided = true,
    .plan = openmp_plan,
    .get = openmp_get,
    .set = openmp_set,
    .evaluate = openmp_evaluate,
    .get_field = openmp_get_field,
    .guard = openmp_guard,
    .stages = openmp_stages,
};
