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
    struct gas_finding found;
    struct gas_counts counts;
    struct gas_stage_times times;
};

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
    return (struct gas_mover){&s->setup, &s->particles, s->index_of_id, s->terms, s->sweep, s->threads};
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
static void note(struct solver *s, struct gas_first_error first, int64_t partner, int64_t step)
{
    if (s->found.error != GAS_NO_ERROR || first.error == GAS_NO_ERROR)
        return;
    s->found = (struct gas_finding){.error = first.error,
                                    .step = step,
                                    .id = first.id,
                                    .partner = partner,
                                    .particle = particle_at(s, s->index_of_id[first.id])};
}

// The particle nearest to this one, by id.
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
    note(s, first, partner, step);
}

// ---- forces

static void sort(struct solver *s, bool is_loaded, int64_t step)
{
    const double start_s = clock_now_s();
    if (s->regions)
        gas_regions_sort(s->regions, &s->particles, is_loaded);
    else if (s->lists && !is_loaded)
        gas_lists_sort(s->lists, &s->particles);
    note_indices(s);
    const double sorted_s = clock_now_s();
    s->times.seconds[GAS_STAGE_SORT] += sorted_s - start_s;
    if (!s->lists)
        return;
    int64_t crowded;
    gas_lists_build(s->lists, &s->particles, is_loaded, &crowded);
    if (crowded >= 0)
        note(s, (struct gas_first_error){GAS_CROWDED, crowded}, -1, step);
    s->times.seconds[GAS_STAGE_LISTS] += clock_now_s() - sorted_s;
    s->counts.rebuilds += is_loaded ? 0 : 1;
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
    s->found = (struct gas_finding){.error = GAS_NO_ERROR, .step = -1, .partner = -1};
    if (!is_loaded)
        s->counts = (struct gas_counts){.rebuilds = 0};
    sort(s, is_loaded, 0);
    if (!is_loaded)
        sum_forces(s, 0);
    s->shows_other = false;
    s->times = (struct gas_stage_times){.steps = 0};
    return STATUS_OK;
}

static void evaluate_by_pairs(struct solver *s)
{
    struct gas_arrays others = s->particles;
    struct gas_mover mover = mover_of(s);
    others.force[GAS_X] = s->other[GAS_X];
    others.force[GAS_Y] = s->other[GAS_Y];
    mover.particles = &others;
    gas_pairs_sum(&s->setup, s->threads, &s->law, &others, false);
    gas_pairs_sum(&s->setup, s->threads, &s->law, &others, true);
    gas_add_outer(&mover, false);
}

static enum status openmp_evaluate(struct solver *s, bool is_by_pairs)
{
    const struct gas_stage_times times = s->times; // those of steps only
    const struct gas_mover mover = mover_of(s);
    s->shows_other = is_by_pairs && s->regions;
    if (s->shows_other)
        evaluate_by_pairs(s);
    else
        sum_pairs(s, true);
    gas_add_outer(&mover, true);
    s->times = times;
    return STATUS_OK;
}

// ---- steps

static void advance_one(struct solver *s, int64_t step)
{
    const struct gas_mover mover = mover_of(s);
    double start_s = clock_now_s();
    note(s, gas_move_first(&mover, step), -1, step + 1);
    const bool has_to_sort = s->regions || (s->lists && gas_lists_are_stale(s->lists, &s->particles));
    s->times.seconds[GAS_STAGE_MOVE] += clock_now_s() - start_s;
    if (has_to_sort)
        sort(s, false, step + 1);
    sum_forces(s, step + 1);
    start_s = clock_now_s();
    gas_move_last(&mover, step, &s->counts);
    s->times.seconds[GAS_STAGE_MOVE] += clock_now_s() - start_s;
    s->times.steps++;
}

static enum status openmp_advance(struct solver *s, int64_t first_step, int64_t count)
{
    for (int64_t n = 0; n < count; n++)
        advance_one(s, first_step + n);
    return STATUS_OK;
}

// ---- what else a back end has

static int openmp_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    static const char *const names[GAS_AXES][4] = {
        {"position x", "velocity x", "force x", "position x at the sort"},
        {"position y", "velocity y", "force y", "position y at the sort"}};
    const struct gas_arrays *p = &s->particles;
    const size_t bytes = p->count * sizeof(double);
    int count = 0;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        arrays[count++] = (struct checkpoint_array){names[axis][0], p->position[axis], bytes};
        arrays[count++] = (struct checkpoint_array){names[axis][1], p->velocity[axis], bytes};
        arrays[count++] = (struct checkpoint_array){names[axis][2], p->force[axis], bytes};
        if (s->lists)
            arrays[count++] =
                (struct checkpoint_array){names[axis][3], gas_lists_positions(s->lists, axis), bytes};
    }
    if (p->mass)
        arrays[count++] = (struct checkpoint_array){"mass", p->mass, bytes};
    arrays[count++] = (struct checkpoint_array){"ids", p->id, p->count * sizeof *p->id};
    arrays[count++] = (struct checkpoint_array){"counts", &s->counts, sizeof s->counts};
    return count;
}

static enum status openmp_guard(struct solver *s, int64_t step, struct gas_finding *found)
{
    const struct gas_mover mover = mover_of(s);
    note(s, gas_check_particles(&mover), -1, step);
    *found = s->found;
    return STATUS_OK;
}

static void openmp_stages(const struct solver *s, struct gas_stage_times *times, struct gas_counts *counts)
{
    *times = s->times;
    *counts = s->counts;
    if (s->lists)
        gas_lists_count(s->lists, counts);
    else
        counts->pairs = s->regions ? gas_regions_pairs(s->regions)
                                   : (double)s->setup.count * ((double)s->setup.count - 1);
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
    }
    free(s);
}

const struct gas_backend gas_backend_openmp = {
    .head = {.name = "openmp",
             .summary = "all processor cores, vectorised",
             .rank = 0,
             .warm_up = solver_warm_up_team,
             .touch = openmp_touch,
             .advance = openmp_advance,
             .checkpoint_arrays = openmp_checkpoint_arrays,
             .instruction_set = openmp_instruction_set,
             .destroy = openmp_destroy},
    .plan = openmp_plan,
    .get = openmp_get,
    .set = openmp_set,
    .evaluate = openmp_evaluate,
    .get_field = openmp_get_field,
    .guard = openmp_guard,
    .stages = openmp_stages,
};
