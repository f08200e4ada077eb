// What models/check.h compares of a gas: position and velocity of every particle. Positions are judged in
// mean distances √(area/N), velocities in the root mean square of the reference's.
#include "models/gas/instance.h"

#include <math.h>
#include <stdio.h>

enum { POSITION, VELOCITY, QUANTITIES };

static enum status copy(void *instance, int64_t step)
{
    struct gas *g = instance;
    struct gas_particle *particles = gas_scratch_particles(g);
    (void)step;
    for (size_t block = 0; block < gas_blocks(g); block++) {
        const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
        g->backend->get(g->base.solver, first, count, particles);
        gas_backend_reference.set(g->base.reference, first, count, particles);
    }
    return solver_touch(&gas_backend_reference.head, g->base.reference, false);
}

// The components of one quantity of a particle. In the nearest image: a particle on a periodic side is as
// near to the other one.
static void compare_components(struct gas *g, int quantity, int64_t id, int64_t step,
                               const struct gas_particle *particle, const double *values,
                               const double *references, double scale)
{
    const struct gas_physics *physics = &g->params.physics;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        double difference = values[axis] - references[axis];
        if (quantity == POSITION && gas_is_periodic(physics, axis))
            difference -= physics->box[axis] * rint(difference / physics->box[axis]);
        const struct check_pair pair = {values[axis], references[axis], difference, fabs(difference) / scale};
        struct check_quantity *q = check_difference(&g->base, quantity, step, pair);
        if (!q)
            continue;
        q->column = id;
        q->x = particle->position[GAS_X];
        q->y = particle->position[GAS_Y];
    }
}

// Root mean square of the reference's velocities; 1 if all are at rest.
static double find_speed(struct gas *g)
{
    struct gas_particle *particles = gas_scratch_particles(g);
    double sum = 0;
    for (size_t block = 0; block < gas_blocks(g); block++) {
        const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
        gas_backend_reference.get(g->base.reference, first, count, particles);
        for (size_t k = 0; k < count; k++) {
            const double *v = particles[k].velocity;
            sum += v[GAS_X] * v[GAS_X] + v[GAS_Y] * v[GAS_Y];
        }
    }
    return sum > 0 ? sqrt(sum / (double)g->params.count) : 1;
}

static int64_t compare(void *instance, int64_t step)
{
    struct gas *g = instance;
    struct gas_particle *fast = gas_scratch_particles(g), *slow = gas_scratch_other_particles(g);
    const double *box = g->params.physics.box;
    const double length = sqrt(box[GAS_X] * box[GAS_Y] / (double)g->params.count), speed = find_speed(g);
    for (size_t block = 0; block < gas_blocks(g); block++) {
        const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
        g->backend->get(g->base.solver, first, count, fast);
        gas_backend_reference.get(g->base.reference, first, count, slow);
        for (size_t k = 0; k < count; k++) {
            const int64_t id = (int64_t)(first + k);
            compare_components(g, POSITION, id, step, &fast[k], fast[k].position, slow[k].position, length);
            compare_components(g, VELOCITY, id, step, &fast[k], fast[k].velocity, slow[k].velocity, speed);
        }
    }
    return (int64_t)g->params.count;
}

static double tolerance(const void *instance)
{
    return ((const struct gas *)instance)->params.check_tolerance;
}

static void complain(const void *instance, const struct check_quantity *q, char *text, size_t bytes)
{
    const struct gas *g = instance;
    snprintf(
        text, bytes,
        "a component of the %s of particle %lld is %.9g, the reference's %.9g: they differ by %.3g of the "
        "%s (allowed: %g)",
        q->name, (long long)q->column, q->value, q->reference, q->size,
        q == &g->base.check.quantities[POSITION] ? "mean distance of particles" : "root mean square speed",
        g->base.check.tolerance);
}

const struct check_operations gas_check = {
    .places = CHECK_PARTICLES,
    .step = "step",
    .units = "1", // parts of the scales
    .quantities = {[POSITION] = {"position", "1"}, [VELOCITY] = {"velocity", "1"}},
    .quantity_count = QUANTITIES,
    .copy = copy,
    .compare = compare,
    .tolerance = tolerance,
    .complain = complain,
    .judged_in = "positions: mean distances sqrt(area / particles); velocities: their root mean square",
};
