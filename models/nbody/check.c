// The user's own check: steps, spread over the run, made on the reference too from the very state that the
// fast back end had, and compared: position and velocity of every body.
#include "models/nbody/instance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POSITION, VELOCITY, QUANTITIES };

static void begin_record(struct nbody *n)
{
    static const char *const names[QUANTITIES] = {"position", "velocity"};
    const char *const units[QUANTITIES] = {n->params.units.length_name, n->params.units.velocity_name};
    struct check_record *record = &n->check;
    snprintf(record->units, sizeof record->units, "1"); // parts of nbody_scale
    record->places = CHECK_BODIES;
    record->quantity_count = QUANTITIES;
    for (int k = 0; k < QUANTITIES; k++) {
        struct check_quantity *quantity = &record->quantities[k];
        snprintf(quantity->name, sizeof quantity->name, "%s", names[k]);
        snprintf(quantity->units, sizeof quantity->units, "%s", units[k]);
        quantity->size = -1;
    }
}

enum status nbody_check_begin(void *context, int64_t step)
{
    struct nbody *n = context;
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    if (n->check.moments == 0)
        begin_record(n);
    CHECK(nbody_fetch(n));
    for (size_t block = 0; block < nbody_blocks(n); block++) {
        const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
        n->backend->get(n->solver, first, count, bodies);
        nbody_backend_reference.set(n->reference, first, count, bodies);
    }
    CHECK(solver_touch(&nbody_backend_reference.head, n->reference, false));
    n->check_begin_step = step;
    return STATUS_OK;
}

// The first of equal differences in the order of the ids is the one that is kept.
static void compare(struct nbody *n, struct check_quantity *q, size_t id, int64_t step, const double *is,
                    const double *should, double scale, double unit)
{
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double difference = is[axis] - should[axis];
        const double size = isnan(difference) ? INFINITY : fabs(difference) / scale;
        q->sum_squares += difference * unit * (difference * unit);
        if (size <= q->size)
            continue;
        q->size = size;
        q->value = is[axis] * unit;
        q->reference = should[axis] * unit;
        q->from_step = n->check_begin_step;
        q->step = step;
        q->column = (int64_t)id;
    }
}

static void compare_body(struct nbody *n, size_t id, int64_t step, const struct nbody_body *is,
                         const struct nbody_body *should)
{
    const struct nbody_units *units = &n->params.units;
    struct check_quantity *quantities = n->check.quantities;
    const double before[QUANTITIES] = {quantities[POSITION].size, quantities[VELOCITY].size};
    n->check.nodes++;
    compare(n, &quantities[POSITION], id, step, is->position, should->position, n->scale.length,
            units->length);
    compare(n, &quantities[VELOCITY], id, step, is->velocity, should->velocity, n->scale.velocity,
            units->velocity);
    for (int k = 0; k < QUANTITIES; k++) {
        if (quantities[k].size <= before[k])
            continue;
        quantities[k].x = is->position[NBODY_X] * units->length;
        quantities[k].y = is->position[NBODY_Y] * units->length;
        quantities[k].z = is->position[NBODY_Z] * units->length;
    }
}

enum status nbody_check_end(void *context, int64_t step)
{
    struct nbody *n = context;
    struct nbody_body *is = nbody_scratch_bodies(n), *should = nbody_scratch_other_bodies(n);
    const int64_t steps = step - n->check_begin_step;
    CHECK(nbody_backend_reference.head.advance(n->reference, n->check_begin_step, steps));
    CHECK(nbody_fetch(n));
    for (size_t block = 0; block < nbody_blocks(n); block++) {
        const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
        n->backend->get(n->solver, first, count, is);
        nbody_backend_reference.get(n->reference, first, count, should);
        for (size_t k = 0; k < count; k++)
            compare_body(n, first + k, step, &is[k], &should[k]);
    }
    n->check.moments++;
    n->check.steps += steps;
    return STATUS_OK;
}

enum status nbody_check_verdict(struct nbody *n)
{
    struct check_record *record = &n->check;
    record->tolerance = n->params.check_tolerance;
    for (int k = 0; record->moments > 0 && k < QUANTITIES; k++) {
        const struct check_quantity *q = &record->quantities[k];
        if (q->size <= record->tolerance)
            continue;
        return FAIL(
            STATUS_CHECK_FAILED,
            "the check against the reference failed: after step %lld (repeated from step %lld), a "
            "component of the %s of body %lld is %.9g, the reference's %.9g: they differ by %.3g of the "
            "system's %s (allowed: %g)",
            (long long)q->step, (long long)q->from_step, q->name, (long long)q->column, q->value,
            q->reference, q->size, k == POSITION ? "half-mass radius" : "speed at that radius",
            record->tolerance);
    }
    return STATUS_OK;
}
