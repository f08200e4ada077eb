// What models/check.h compares of an N-body run: position and velocity of every body, judged in the scales of
// nbody_find_scale.
#include "models/nbody/instance.h"

#include <math.h>
#include <stdio.h>

enum { POSITION, VELOCITY, QUANTITIES };

static const char *units_of(const void *instance, int quantity)
{
    const struct nbody_units *units = &((const struct nbody *)instance)->params.units;
    return quantity == POSITION ? units->length_name : units->velocity_name;
}

static enum status copy(void *instance, int64_t step)
{
    struct nbody *n = instance;
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    (void)step;
    for (size_t block = 0; block < nbody_blocks(n); block++) {
        const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
        n->backend->get(n->base.solver, first, count, bodies);
        nbody_backend_reference.set(n->base.reference, first, count, bodies);
    }
    return solver_touch(&nbody_backend_reference.head, n->base.reference, false);
}

// The components of one quantity of a body; `unit` turns them into the results' units.
static void compare_components(struct nbody *n, int quantity, int64_t id, int64_t step,
                               const struct nbody_body *body, const double *values, const double *references,
                               double scale, double unit)
{
    const double length = n->params.units.length;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double difference = values[axis] - references[axis];
        const struct check_pair pair = {values[axis] * unit, references[axis] * unit, difference * unit,
                                        fabs(difference) / scale};
        struct check_quantity *q = check_difference(&n->base, quantity, step, pair);
        if (!q)
            continue;
        q->column = id;
        q->x = body->position[NBODY_X] * length;
        q->y = body->position[NBODY_Y] * length;
        q->z = body->position[NBODY_Z] * length;
    }
}

static int64_t compare(void *instance, int64_t step)
{
    struct nbody *n = instance;
    const struct nbody_units *units = &n->params.units;
    struct nbody_body *fast = nbody_scratch_bodies(n), *slow = nbody_scratch_other_bodies(n);
    for (size_t block = 0; block < nbody_blocks(n); block++) {
        const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
        n->backend->get(n->base.solver, first, count, fast);
        nbody_backend_reference.get(n->base.reference, first, count, slow);
        for (size_t k = 0; k < count; k++) {
            const int64_t id = (int64_t)(first + k);
            compare_components(n, POSITION, id, step, &fast[k], fast[k].position, slow[k].position,
                               n->scale.length, units->length);
            compare_components(n, VELOCITY, id, step, &fast[k], fast[k].velocity, slow[k].velocity,
                               n->scale.velocity, units->velocity);
        }
    }
    return (int64_t)n->params.count;
}

static double tolerance(const void *instance)
{
    return ((const struct nbody *)instance)->params.check_tolerance;
}

static void complain(const void *instance, const struct check_quantity *q, char *text, size_t bytes)
{
    const struct nbody *n = instance;
    snprintf(text, bytes,
             "a component of the %s of body %lld is %.9g, the reference's %.9g: they differ by %.3g of the "
             "system's %s (allowed: %g)",
             q->name, (long long)q->column, q->value, q->reference, q->size,
             q == &n->base.check.quantities[POSITION] ? "half-mass radius" : "speed at that radius",
             n->base.check.tolerance);
}

const struct check_operations nbody_check = {
    .places = CHECK_BODIES,
    .step = "step",
    .units = "1", // parts of nbody_scale
    .quantities = {[POSITION] = {"position", NULL}, [VELOCITY] = {"velocity", NULL}},
    .quantity_count = QUANTITIES,
    .units_of = units_of,
    .copy = copy,
    .compare = compare,
    .tolerance = tolerance,
    .complain = complain,
    .judged_in = "positions: half-mass radii at the start; velocities: sqrt(G M / that radius)",
};
