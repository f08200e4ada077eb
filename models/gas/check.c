// The user's own check: steps, spread over the run, made on the reference too from the very state that the
// fast back end had, and compared: position and velocity of every particle. Positions are judged in mean
// distances √(area/N), velocities in the root mean square of the reference's.
#include "models/gas/instance.h"

#include <math.h>
#include <stdio.h>

enum { POSITION, VELOCITY, QUANTITIES };

static void begin_record(struct gas *g)
{
    static const char *const names[QUANTITIES] = {"position", "velocity"};
    struct check_record *record = &g->check;
    snprintf(record->units, sizeof record->units, "1"); // parts of the scales
    record->places = CHECK_PARTICLES;
    record->quantity_count = QUANTITIES;
    for (int k = 0; k < QUANTITIES; k++) {
        struct check_quantity *quantity = &record->quantities[k];
        snprintf(quantity->name, sizeof quantity->name, "%s", names[k]);
        snprintf(quantity->units, sizeof quantity->units, "1");
        quantity->size = -1;
    }
}

enum status gas_check_begin(void *context, int64_t step)
{
    struct gas *g = context;
    struct gas_particle *particles = gas_scratch_particles(g);
    if (g->check.moments == 0)
        begin_record(g);
    CHECK(gas_fetch(g));
    for (size_t block = 0; block < gas_blocks(g); block++) {
        const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
        g->backend->get(g->solver, first, count, particles);
        gas_backend_reference.set(g->reference, first, count, particles);
    }
    CHECK(solver_touch(&gas_backend_reference.head, g->reference, false));
    g->check_begin_step = step;
    return STATUS_OK;
}

// Largest component of the difference. In the nearest image: a particle on a periodic side is as near to the
// other one.
static void compare(struct gas *g, struct check_quantity *q, size_t id, int64_t step,
                    const struct gas_particle *particle, const double *is, const double *should, double scale)
{
    const struct gas_physics *physics = &g->params.physics;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        double difference = is[axis] - should[axis];
        if (q == &g->check.quantities[POSITION] && gas_is_periodic(physics, axis))
            difference -= physics->box[axis] * rint(difference / physics->box[axis]);
        const double size = isnan(difference) ? INFINITY : fabs(difference) / scale;
        q->sum_squares += difference * difference;
        if (size <= q->size) // the first of equal ones is kept
            continue;
        q->size = size;
        q->value = is[axis];
        q->reference = should[axis];
        q->from_step = g->check_begin_step;
        q->step = step;
        q->column = (int64_t)id;
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
        gas_backend_reference.get(g->reference, first, count, particles);
        for (size_t k = 0; k < count; k++) {
            const double *v = particles[k].velocity;
            sum += v[GAS_X] * v[GAS_X] + v[GAS_Y] * v[GAS_Y];
        }
    }
    return sum > 0 ? sqrt(sum / (double)g->params.count) : 1;
}

enum status gas_check_end(void *context, int64_t step)
{
    struct gas *g = context;
    struct gas_particle *is = gas_scratch_particles(g), *should = gas_scratch_other_particles(g);
    struct check_quantity *quantities = g->check.quantities;
    const double *box = g->params.physics.box;
    const double length = sqrt(box[GAS_X] * box[GAS_Y] / (double)g->params.count);
    const int64_t steps = step - g->check_begin_step;
    CHECK(gas_backend_reference.head.advance(g->reference, g->check_begin_step, steps));
    CHECK(gas_fetch(g));
    const double speed = find_speed(g);
    for (size_t block = 0; block < gas_blocks(g); block++) {
        const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
        g->backend->get(g->solver, first, count, is);
        gas_backend_reference.get(g->reference, first, count, should);
        for (size_t k = 0; k < count; k++) {
            compare(g, &quantities[POSITION], first + k, step, &is[k], is[k].position, should[k].position,
                    length);
            compare(g, &quantities[VELOCITY], first + k, step, &is[k], is[k].velocity, should[k].velocity,
                    speed);
        }
    }
    g->check.nodes += (int64_t)g->params.count;
    g->check.moments++;
    g->check.steps += steps;
    return STATUS_OK;
}

enum status gas_check_verdict(struct gas *g)
{
    struct check_record *record = &g->check;
    record->tolerance = g->params.check_tolerance;
    for (int k = 0; record->moments > 0 && k < QUANTITIES; k++) {
        const struct check_quantity *q = &record->quantities[k];
        if (q->size <= record->tolerance)
            continue;
        return FAIL(STATUS_CHECK_FAILED,
                    "the check against the reference failed: after step %lld (repeated from step %lld), a "
                    "component of "
                    "the %s of particle %lld is %.9g, the reference's %.9g: they differ by %.3g of the %s "
                    "(allowed: %g)",
                    (long long)q->step, (long long)q->from_step, q->name, (long long)q->column, q->value,
                    q->reference, q->size,
                    k == POSITION ? "mean distance of particles" : "root mean square speed",
                    record->tolerance);
    }
    return STATUS_OK;
}
