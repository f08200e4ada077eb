// The fast CPU version of the N-body model: bodies as one array per component, threads over bodies,
// vectorised; forces from openmp_direct.c or openmp_tree.c. This file: the plan, the steps, input and output.
#include "models/nbody/openmp_solver.h"

#include "core/clock.h"
#include "models/arrays.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#define REAL        float
#define POINT(name) name##_f
#include "models/nbody/openmp_step.inc"
#undef REAL
#undef POINT

#define REAL        double
#define POINT(name) name##_d
#include "models/nbody/openmp_step.inc"
#undef REAL
#undef POINT

// Bodies that a thread moves at a time.
enum { MOVED = 4096 };

struct solver {
    struct nbody_setup setup;
    int threads;
    bool is_double, has_potential; // the stored potential belongs to the present positions
    struct nbody_arrays bodies;
    uint32_t *places; // of each body
    struct nbody_groups groups;
    struct nbody_tree *tree;
    struct nbody_stage_times times;
};

static bool has_tree(const struct solver *s)
{
    return s->setup.physics->method == NBODY_BARNES_HUT;
}

// ---- plan

static enum status plan_bodies(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const enum element real = s->setup.precision;
    struct nbody_arrays *b = &s->bodies;
    const size_t n = b->padded;
    const struct array_row arrays[] = {
        {real, 1, n, &b->position[0], "position x"},
        {real, 1, n, &b->velocity[0], "velocity x"},
        {real, 1, n, &b->acceleration[0], "acceleration x"},
        {real, 1, n, &b->position[1], "position y"},
        {real, 1, n, &b->velocity[1], "velocity y"},
        {real, 1, n, &b->acceleration[1], "acceleration y"},
        {real, 1, n, &b->position[2], "position z"},
        {real, 1, n, &b->velocity[2], "velocity z"},
        {real, 1, n, &b->acceleration[2], "acceleration z"},
        {real, 1, n, &b->mass, "mass"},
        {real, 1, n, &b->potential, "potential"},
        {ELEMENT_I32, 1, n, &b->id, "ids"},
        {ELEMENT_I32, 1, n, &s->places, "places"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

static enum status openmp_plan(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                               struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    s->setup = *setup;
    s->threads = omp_get_max_threads();
    s->is_double = setup->precision == ELEMENT_F64;
    s->bodies.count = setup->count;
    s->bodies.padded = (setup->count + NBODY_PAD - 1) / NBODY_PAD * NBODY_PAD;
    CHECK(plan_bodies(s, plan, prefix));
    CHECK(nbody_groups_plan(&s->groups, setup, plan, prefix));
    return has_tree(s) ? nbody_tree_plan(&s->setup, s->threads, plan, prefix, &s->tree) : STATUS_OK;
}

// ---- in and out

static void openmp_get(const struct solver *s, size_t first, size_t count, struct nbody_body *bodies)
{
    for (size_t k = 0; k < count; k++)
        (s->is_double ? get_d : get_f)(&s->bodies, s->places[first + k], &bodies[k]);
}

static void openmp_set(struct solver *s, size_t first, size_t count, const struct nbody_body *bodies)
{
    for (size_t id = first; id < first + count; id++) {
        (s->is_double ? set_d : set_f)(&s->bodies, id, &bodies[id - first]);
        s->bodies.id[id] = s->places[id] = (uint32_t)id;
    }
}

static void openmp_get_field(const struct solver *s, size_t first, size_t count, struct nbody_field *field)
{
    for (size_t k = 0; k < count; k++)
        (s->is_double ? get_field_d : get_field_f)(&s->bodies, s->places[first + k], s->has_potential,
                                                   &field[k]);
}

void nbody_pad(struct nbody_arrays *bodies, enum element precision)
{
    (precision == ELEMENT_F64 ? pad_d : pad_f)(bodies);
}

// ---- work on pieces of the bodies

struct piece_work {
    struct solver *solver;
    void (*move)(struct nbody_arrays *bodies, double time, size_t first, size_t end);
    double time;
};

static size_t piece_end(const struct solver *s, size_t item)
{
    const size_t end = (item + 1) * MOVED;
    return end < s->bodies.count ? end : s->bodies.count;
}

static void move_piece(void *context, size_t item)
{
    const struct piece_work *work = context;
    work->move(&work->solver->bodies, work->time, item * MOVED, piece_end(work->solver, item));
}

static void note_piece(void *context, size_t item)
{
    struct solver *s = context;
    for (size_t place = item * MOVED; place < piece_end(s, item); place++)
        s->places[s->bodies.id[place]] = (uint32_t)place;
}

static void for_pieces(const struct solver *s, void (*body)(void *context, size_t item), void *context)
{
    const size_t pieces = (s->bodies.count + MOVED - 1) / MOVED;
    team_for(pieces > 1 ? s->threads : 1, pieces, body, context);
}

static void move(struct solver *s, double time,
                 void (*how)(struct nbody_arrays *bodies, double time, size_t first, size_t end))
{
    struct piece_work work = {s, how, time};
    const double start_s = clock_now_s();
    for_pieces(s, move_piece, &work);
    s->times.seconds[NBODY_STAGE_INTEGRATE] += clock_now_s() - start_s;
}

// Notes where each body is stored after a change of the order.
static void note_places(struct solver *s)
{
    if (has_tree(s))
        for_pieces(s, note_piece, s);
}

// ---- forces

static void build_tree(struct solver *s)
{
    nbody_pad(&s->bodies, s->setup.precision);
    if (has_tree(s))
        nbody_tree_build(s->tree, &s->bodies, &s->times);
}

static void sum_pairs(struct solver *s, bool has_acceleration, bool has_potential)
{
    const double start_s = clock_now_s();
    nbody_direct_forces(&s->setup, s->threads, &s->bodies, &s->groups, has_acceleration, has_potential);
    s->times.seconds[NBODY_STAGE_FORCE] += clock_now_s() - start_s;
}

// Computes the accelerations at the present positions.
static enum status accelerate(struct solver *s)
{
    build_tree(s);
    if (has_tree(s))
        nbody_tree_forces(s->tree, &s->bodies, &s->groups, false, &s->times);
    else
        sum_pairs(s, true, false);
    s->has_potential = false;
    return nbody_groups_join_accelerations(&s->groups, &s->bodies, s->setup.precision);
}

static enum status openmp_touch(struct solver *s, bool is_loaded)
{
    if (is_loaded) {
        CHECK(nbody_groups_join_bodies(&s->groups, &s->bodies, s->setup.precision));
        build_tree(s); // the bodies already have the order of their tree
    } else {
        CHECK(nbody_groups_copy_bodies(&s->groups, &s->bodies, s->setup.precision));
        CHECK(accelerate(s));
    }
    s->has_potential = false;
    for_pieces(s, note_piece, s); // bodies may come from a checkpoint or from another rank
    s->times = (struct nbody_stage_times){.steps = 0};
    return STATUS_OK;
}

static enum status openmp_evaluate(struct solver *s, bool is_direct)
{
    const struct nbody_stage_times times = s->times; // only the times of steps count
    if (has_tree(s) && !is_direct) {
        struct nbody_arrays bodies = s->bodies;
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies.acceleration[axis] = NULL;
        nbody_tree_forces(s->tree, &bodies, &s->groups, true, &s->times);
    } else {
        sum_pairs(s, false, true);
    }
    s->times = times;
    s->has_potential = true;
    return nbody_groups_join_potentials(&s->groups, &s->bodies, s->setup.precision);
}

// ---- steps

static enum status step_leapfrog(struct solver *s, double step)
{
    move(s, step / 2, s->is_double ? kick_d : kick_f);
    move(s, step, s->is_double ? drift_d : drift_f);
    CHECK(accelerate(s));
    move(s, step / 2, s->is_double ? kick_d : kick_f);
    return STATUS_OK;
}

static enum status openmp_advance(struct solver *s, int64_t first_step, int64_t count)
{
    (void)first_step;
    const struct nbody_physics *physics = s->setup.physics;
    for (int64_t n = 0; n < count; n++) {
        if (physics->integrator == NBODY_LEAPFROG) {
            CHECK(step_leapfrog(s, physics->step));
        } else {
            move(s, physics->step, s->is_double ? step_source_d : step_source_f);
            CHECK(accelerate(s));
        }
        s->times.steps++;
    }
    note_places(s);
    return STATUS_OK;
}

// ---- other functions of the back end

// Of the rank's bodies.
static int openmp_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    static const char *const names[NBODY_AXES][3] = {{"position x", "velocity x", "acceleration x"},
                                                     {"position y", "velocity y", "acceleration y"},
                                                     {"position z", "velocity z", "acceleration z"}};
    const struct nbody_arrays *bodies = &s->bodies;
    const struct particles_range own = particles_own(s->setup.shares, s->setup.ranks, s->setup.count);
    const size_t element = element_bytes(s->setup.precision), first = own.first * element;
    const size_t count = own.end - own.first, bytes = count * element;
    int filled = 0;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        void *const data[] = {bodies->position[axis], bodies->velocity[axis], bodies->acceleration[axis]};
        for (int k = 0; k < 3; k++)
            arrays[filled++] =
                (struct checkpoint_array){names[axis][k], data[k] ? (char *)data[k] + first : NULL, bytes};
    }
    arrays[filled++] =
        (struct checkpoint_array){"mass", bodies->mass ? (char *)bodies->mass + first : NULL, bytes};
    arrays[filled++] = (struct checkpoint_array){"ids", bodies->id ? bodies->id + own.first : NULL,
                                                 count * sizeof *bodies->id};
    return filled;
}

static void openmp_stages(const struct solver *s, struct nbody_stage_times *times,
                          struct nbody_tree_counts *counts)
{
    *times = s->times;
    *counts = s->tree ? nbody_tree_count(s->tree, &s->groups) : (struct nbody_tree_counts){.cells = 0};
}

static void openmp_destroy(struct solver *s)
{
    if (s) {
        nbody_groups_free(&s->groups);
        free(s->tree);
    }
    free(s);
}

const struct nbody_backend nbody_backend_openmp = {
    .head = {.name = "openmp",
             .summary = "all processor cores, vectorised",
             .rank = 0,
             .warm_up = solver_warm_up_team,
             .touch = openmp_touch,
             .advance = openmp_advance,
             .checkpoint_arrays = openmp_checkpoint_arrays,
             .instruction_set = nbody_direct_instruction_set,
             .destroy = openmp_destroy},
    .is_divided = true,
    .has_method = nbody_processor_has_method,
    .plan = openmp_plan,
    .get = openmp_get,
    .set = openmp_set,
    .evaluate = openmp_evaluate,
    .get_field = openmp_get_field,
    .stages = openmp_stages,
};
