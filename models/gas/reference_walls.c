// The reference's walls: WALLS of state.h.
#include "models/gas/reference.h"

#include <math.h>

// On an axis, the wall that x is beyond: 0 the lower, 1 the upper, −1 none.
static int beyond(double x, double length)
{
    return x < 0 ? 0 : x > length ? 1 : -1;
}

static enum gas_wall wall_of(const struct gas_physics *physics, int axis, int side)
{
    return physics->walls[2 * axis + side];
}

static double place_of(const struct gas_physics *physics, int axis, int side)
{
    return side == 0 ? 0 : physics->box[axis];
}

void reference_apply_a_priori_walls(const struct gas_physics *physics, const double *acceleration,
                                    struct gas_particle *particle)
{
    const double step = physics->step;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double next =
            particle->position[axis] + particle->velocity[axis] * step + acceleration[axis] * step * step;
        const int side = beyond(next, physics->box[axis]);
        if (side >= 0 && wall_of(physics, axis, side) == GAS_A_PRIORI)
            particle->velocity[axis] = -particle->velocity[axis];
    }
}

enum {
    FOLDS = 64
}; // times that a particle may meet walls in a drift; one that does more often is where the last leaves it

// The parabola of the step, whose beginning's velocity has had `kick_time` of the acceleration's time added,
// reflected at the wall `side` as often as it meets it. A particle that no longer gets off the wall rests
// there.
static void reflect_parabola(const struct gas_physics *physics, int axis, int side, double time,
                             double kick_time, double acceleration, double start,
                             struct gas_particle *particle)
{
    const double wall = place_of(physics, axis, side), outward = side == 0 ? -1 : 1;
    double v = particle->velocity[axis] - acceleration * kick_time, left = time;
    for (int k = 0; k < FOLDS; k++) {
        const double end = start + v * left + acceleration * left * left / 2;
        if (outward * (end - wall) <= 0) {
            particle->position[axis] = end;
            particle->velocity[axis] = v + acceleration * left - acceleration * (time - kick_time);
            return;
        }
        const double speed = sqrt(fmax(v * v + 2 * acceleration * (wall - start), 0));
        const double sum = v + outward * speed;
        left -= sum != 0 ? 2 * (wall - start) / sum : 0;
        start = wall;
        v = -outward * speed;
    }
    particle->position[axis] = wall;
    particle->velocity[axis] = -acceleration * (time - kick_time);
}

// REFLECT and DAMPED, and VELOCITY_FLIP and FLIP_AND_MIRROR, once. True if another check is needed.
static bool meet_wall(const struct gas_physics *physics, int axis, int side, struct gas_particle *particle)
{
    double *const x = &particle->position[axis], *const v = &particle->velocity[axis];
    const bool is_leaving = side == 0 ? *v < 0 : *v > 0;
    switch (wall_of(physics, axis, side)) {
    case GAS_REFLECT:
        *x = 2 * place_of(physics, axis, side) - *x;
        *v = -*v;
        return true;
    case GAS_DAMPED:
        *x = 2 * place_of(physics, axis, side) - *x;
        *v = -*v;
        for (int k = 0; k < GAS_AXES; k++)
            particle->velocity[k] *= 1 - physics->damping;
        return true;
    case GAS_VELOCITY_FLIP:
        *v = is_leaving ? -*v : *v;
        return false;
    case GAS_FLIP_AND_MIRROR:
        *x = 2 * place_of(physics, axis, side) - *x;
        *v = -*v;
        return false;
    case GAS_PERIODIC:
        *x -= physics->box[axis] * floor(*x / physics->box[axis]);
        return false;
    case GAS_A_PRIORI:
    case GAS_SOFT:
    case GAS_FIELD_CORRECTED:
    case GAS_WALLS:
        break;
    }
    return false;
}

void reference_drift(const struct gas_physics *physics, double time, double kick_time,
                     const double *acceleration, struct gas_particle *particle)
{
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double start = particle->position[axis];
        particle->position[axis] += particle->velocity[axis] * time;
        int side = beyond(particle->position[axis], physics->box[axis]);
        if (side >= 0 && wall_of(physics, axis, side) == GAS_FIELD_CORRECTED) {
            reflect_parabola(physics, axis, side, time, kick_time, acceleration[axis], start, particle);
            side = -1;
        }
        for (int k = 0; side >= 0 && k < FOLDS; k++)
            side = meet_wall(physics, axis, side, particle)
                       ? beyond(particle->position[axis], physics->box[axis])
                       : -1;
    }
}

void reference_add_soft_walls(const struct gas_physics *physics, const double *position,
                              struct gas_field *field)
{
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const int side = beyond(position[axis], physics->box[axis]);
        if (side < 0 || wall_of(physics, axis, side) != GAS_SOFT)
            continue;
        const double depth = position[axis] - place_of(physics, axis, side);
        field->force[axis] -= physics->stiffness * depth;
        field->potential += physics->stiffness * depth * depth / 2;
    }
}
