// See check.h.
#include "models/particles/check.h"

#include <math.h>
#include <stdio.h>

enum { PIECE = 64 }; // particles on the stack

struct pair {
    int64_t id, step;
    const struct particles_sample *fast, *slow;
};

static void compare_quantity(struct instance *instance, const struct particles_check *check,
                             enum particles_checked quantity, const struct pair *pair)
{
    const bool is_position = quantity == PARTICLES_CHECKED_POSITION;
    const double *values = is_position ? pair->fast->position : pair->fast->velocity,
                 *references = is_position ? pair->slow->position : pair->slow->velocity;
    const double unit = check->units[quantity], length = check->units[PARTICLES_CHECKED_POSITION];
    for (int axis = 0; axis < check->axes; axis++) {
        double difference = values[axis] - references[axis];
        // In the nearest image: a particle on a periodic side is as near to the other one.
        if (is_position && check->periods[axis] > 0)
            difference -= check->periods[axis] * rint(difference / check->periods[axis]);
        struct check_quantity *q = check_difference(
            instance, (int)quantity, pair->step,
            (struct check_pair){values[axis] * unit, references[axis] * unit, difference * unit,
                                fabs(difference) / check->scales[quantity]});
        if (!q)
            continue;
        q->column = pair->id;
        q->x = pair->fast->position[0] * length;
        q->y = pair->fast->position[1] * length;
        q->z = check->axes > 2 ? pair->fast->position[2] * length : 0;
    }
}

int64_t particles_check_compare(struct instance *instance, int64_t step, const struct particles_check *check)
{
    struct particles_sample fast[PIECE], slow[PIECE];
    for (size_t first = 0; first < check->count; first += PIECE) {
        const size_t count = check->count - first < PIECE ? check->count - first : PIECE;
        check->get(instance, false, first, count, fast);
        check->get(instance, true, first, count, slow);
        for (size_t k = 0; k < count; k++) {
            const struct pair pair = {(int64_t)(first + k), step, &fast[k], &slow[k]};
            compare_quantity(instance, check, PARTICLES_CHECKED_POSITION, &pair);
            compare_quantity(instance, check, PARTICLES_CHECKED_VELOCITY, &pair);
        }
    }
    return (int64_t)check->count;
}

void particles_check_complain(const void *instance, const struct check_quantity *q, char *text, size_t bytes)
{
    const struct instance *i = instance;
    const struct check_operations *operations = i->check_operations;
    snprintf(text, bytes,
             "a component of the %s of %s %lld is %.9g, the reference's %.9g: they differ by %.3g of the %s "
             "(allowed: %g)",
             q->name, operations->places == CHECK_BODIES ? "body" : "particle", (long long)q->column,
             q->value, q->reference, q->size, operations->quantities[q - i->check.quantities].scale,
             i->check.tolerance);
}
