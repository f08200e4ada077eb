// The serial reference of the N-body model: double, plain, written from the equations of state.h. THE
// SPECIFICATION: the fast versions are tested against it, and it shares no arithmetic with them. Its tree is
// reference_tree.c.
#include "models/nbody/reference.h"

#include "core/clock.h"
#include "models/arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct solver {
    struct nbody_setup setup;
    struct nbody_body *bodies;          // by id; with a tree in the order of the tree
    uint32_t *ids, *places;             // the id of the body at a place; the place of a body by id
    double (*acceleration)[NBODY_AXES]; // of the present bodies, in their order
    struct nbody_field *field;          // of the last evaluation
    bool is_evaluated;                  // `field` is that of the present bodies, with potentials
    struct reference_tree *tree;
    struct nbody_stage_times times;
};

static bool has_tree(const struct solver *s)
{
    return s->setup.physics->method == NBODY_BARNES_HUT;
}

static enum status reference_plan(const struct nbody_setup *setup, struct memory_plan *plan,
                                  const char *prefix, struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the reference solver");
    s->setup = *setup;
    const size_t n = setup->count;
    const struct array_row arrays[] = {
        {ELEMENT_F64, n, sizeof *s->bodies / sizeof(double), &s->bodies, "reference bodies"},
        {ELEMENT_F64, n, NBODY_AXES, &s->acceleration, "reference acceleration"},
        {ELEMENT_F64, n, sizeof *s->field / sizeof(double), &s->field, "reference field"},
        {ELEMENT_I32, n, 1, &s->ids, "reference ids"},
        {ELEMENT_I32, n, 1, &s->places, "reference places"},
    };
    CHECK(ARRAYS_PLAN(plan, prefix, arrays));
    return has_tree(s) ? reference_tree_plan(&s->setup, plan, prefix, &s->tree) : STATUS_OK;
}

static void reference_get(const struct solver *s, size_t first, size_t count, struct nbody_body *bodies)
{
    for (size_t k = 0; k < count; k++)
        bodies[k] = s->bodies[s->places[first + k]];
}

static void reference_set(struct solver *s, size_t first, size_t count, const struct nbody_body *bodies)
{
    for (size_t id = first; id < first + count; id++) {
        s->bodies[id] = bodies[id - first];
        s->ids[id] = s->places[id] = (uint32_t)id;
    }
}

static void reference_get_field(const struct solver *s, size_t first, size_t count, struct nbody_field *field)
{
    for (size_t k = 0; k < count; k++) {
        const size_t place = s->places[first + k];
        for (int axis = 0; axis < NBODY_AXES; axis++)
            field[k].acceleration[axis] = s->acceleration[place][axis];
        field[k].potential = s->is_evaluated ? s->field[place].potential : (double)NAN;
    }
}

// ---- the field

// Every pair: a_i = Σ_j m_j r_ij / (|r_ij|² + ε²)^{3/2}, φ_i = −Σ_{j≠i} m_j / (|r_ij|² + ε²)^{1/2}.
static void sum_pairs(struct solver *s)
{
    const double softening = s->setup.physics->softening;
    for (size_t i = 0; i < s->setup.count; i++) {
        struct nbody_field sum = {{0, 0, 0}, 0};
        for (size_t j = 0; j < s->setup.count; j++) {
            const struct nbody_body *body = &s->bodies[j];
            double r[NBODY_AXES], square = softening * softening;
            for (int axis = 0; axis < NBODY_AXES; axis++) {
                r[axis] = body->position[axis] - s->bodies[i].position[axis];
                square += r[axis] * r[axis];
            }
            if (j == i || square == 0)
                continue;
            const double distance = sqrt(square);
            for (int axis = 0; axis < NBODY_AXES; axis++)
                sum.acceleration[axis] += body->mass * r[axis] / (square * distance);
            sum.potential -= body->mass / distance;
        }
        s->field[i] = sum;
    }
}

static void note_places(struct solver *s)
{
    for (size_t place = 0; place < s->setup.count; place++)
        s->places[s->ids[place]] = (uint32_t)place;
}

static void build_tree(struct solver *s)
{
    if (!has_tree(s))
        return;
    reference_tree_build(s->tree, s->bodies, s->ids);
    note_places(s);
}

// The acceleration of the bodies as they stand.
static void accelerate(struct solver *s)
{
    const double start_s = clock_now_s();
    build_tree(s);
    const double built_s = clock_now_s();
    if (has_tree(s))
        reference_tree_forces(s->tree, s->bodies, s->field);
    else
        sum_pairs(s);
    for (size_t i = 0; i < s->setup.count; i++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            s->acceleration[i][axis] = s->field[i].acceleration[axis];
    s->is_evaluated = false;
    s->times.seconds[NBODY_STAGE_BUILD] += has_tree(s) ? built_s - start_s : 0;
    s->times.seconds[NBODY_STAGE_FORCE] += clock_now_s() - built_s;
}

static enum status reference_touch(struct solver *s, bool is_loaded)
{
    if (is_loaded) {
        note_places(s);
        build_tree(s); // the order is that of these bodies' tree already, and stays
        s->is_evaluated = false;
    } else {
        accelerate(s);
    }
    s->times = (struct nbody_stage_times){.steps = 0};
    return STATUS_OK;
}

static enum status reference_evaluate(struct solver *s, bool is_direct)
{
    if (has_tree(s) && !is_direct)
        reference_tree_forces(s->tree, s->bodies, s->field);
    else
        sum_pairs(s);
    s->is_evaluated = true;
    return STATUS_OK;
}

// ---- a step

static void kick(struct solver *s, double time)
{
    for (size_t i = 0; i < s->setup.count; i++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            s->bodies[i].velocity[axis] += s->acceleration[i][axis] * time;
}

static void drift(struct solver *s, double time)
{
    for (size_t i = 0; i < s->setup.count; i++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            s->bodies[i].position[axis] += s->bodies[i].velocity[axis] * time;
}

static void step_leapfrog(struct solver *s, double step)
{
    kick(s, step / 2);
    drift(s, step);
    accelerate(s);
    kick(s, step / 2);
}

// Pavlović's (2016): x += (v + aΔt/2)Δt, v += aΔt, both with a at the old x.
static void step_source(struct solver *s, double step)
{
    for (size_t i = 0; i < s->setup.count; i++)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const double v = s->bodies[i].velocity[axis], a = s->acceleration[i][axis];
            s->bodies[i].position[axis] += (v + a * step / 2) * step;
            s->bodies[i].velocity[axis] += a * step;
        }
    accelerate(s);
}

static enum status reference_advance(struct solver *s, int64_t first_step, int64_t count)
{
    (void)first_step;
    const struct nbody_physics *physics = s->setup.physics;
    for (int64_t n = 0; n < count; n++) {
        const double start_s = clock_now_s(), *seconds = s->times.seconds;
        const double before_s = seconds[NBODY_STAGE_BUILD] + seconds[NBODY_STAGE_FORCE];
        if (physics->integrator == NBODY_LEAPFROG)
            step_leapfrog(s, physics->step);
        else
            step_source(s, physics->step);
        s->times.seconds[NBODY_STAGE_INTEGRATE] +=
            clock_now_s() - start_s - (seconds[NBODY_STAGE_BUILD] + seconds[NBODY_STAGE_FORCE] - before_s);
        s->times.steps++;
    }
    return STATUS_OK;
}

// ---- what else a back end has

static int reference_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t n = s->setup.count;
    int count = 0;
    arrays[count++] = (struct checkpoint_array){"bodies", s->bodies, n * sizeof *s->bodies};
    arrays[count++] = (struct checkpoint_array){"acceleration", s->acceleration, n * sizeof *s->acceleration};
    arrays[count++] = (struct checkpoint_array){"ids", s->ids, n * sizeof *s->ids};
    return count;
}

bool nbody_processor_has_method(const struct nbody_setup *setup, char *why, size_t bytes)
{
    const enum nbody_method method = setup->physics->method;
    if (method == NBODY_DIRECT || method == NBODY_BARNES_HUT)
        return true;
    snprintf(why, bytes, "on a processor: it is a way to use a GPU; take direct");
    return false;
}

static void reference_stages(const struct solver *s, struct nbody_stage_times *times,
                             struct nbody_tree_counts *counts)
{
    *times = s->times;
    *counts = s->tree ? reference_tree_count(s->tree) : (struct nbody_tree_counts){.cells = 0};
}

static void reference_destroy(struct solver *s)
{
    if (s)
        free(s->tree);
    free(s);
}

const struct nbody_backend nbody_backend_reference = {
    .head = {.name = "reference",
             .summary = "serial, double precision, plain: the specification",
             .touch = reference_touch,
             .advance = reference_advance,
             .checkpoint_arrays = reference_checkpoint_arrays,
             .destroy = reference_destroy},
    .has_method = nbody_processor_has_method,
    .plan = reference_plan,
    .get = reference_get,
    .set = reference_set,
    .evaluate = reference_evaluate,
    .get_field = reference_get_field,
    .stages = reference_stages,
};
