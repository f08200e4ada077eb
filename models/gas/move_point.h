// Walls, noise and Bussi's factor for one particle, of the FAST versions (the processor's and the GPU's). In
// double; the reference does not use it. Compiled for host and device (core/host_device.h).
#ifndef FATHOM_MODELS_GAS_MOVE_POINT_H
#define FATHOM_MODELS_GAS_MOVE_POINT_H

#include "core/host_device.h"
#include "models/gas/normals.h"

#include <math.h>

// Most reflections of a particle in a drift; beyond, it stays where the last one leaves it.
enum { GAS_FOLDS = 64 };

// The wall that x is beyond: 0 the lower, 1 the upper, −1 none.
static FATHOM_HOST_DEVICE int gas_beyond(double x, double length)
{
    return x < 0 ? 0 : x > length ? 1 : -1;
}

// A_PRIORI, before the step. a: the acceleration.
static FATHOM_HOST_DEVICE void gas_apply_a_priori_walls(const struct gas_physics *physics, const double *x,
                                                        const double *a, double *v)
{
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double next = x[axis] + v[axis] * physics->step + a[axis] * physics->step * physics->step;
        const int side = gas_beyond(next, physics->box[axis]);
        if (side >= 0 && physics->walls[2 * axis + side] == GAS_A_PRIORI)
            v[axis] = -v[axis];
    }
}

// FIELD_CORRECTED: x + vt + at²/2 from `start`, reflected at the wall as often as it meets it; v has had a ·
// kick_time added already.
static FATHOM_HOST_DEVICE void gas_reflect_parabola(double wall, double outward, double time,
                                                    double kick_time, double a, double start, double *x,
                                                    double *v)
{
    double speed = *v - a * kick_time, left = time;
    for (int k = 0; k < GAS_FOLDS; k++) {
        const double end = start + speed * left + a * left * left / 2;
        if (outward * (end - wall) <= 0) {
            *x = end;
            *v = speed + a * left - a * (time - kick_time);
            return;
        }
        const double square = speed * speed + 2 * a * (wall - start);
        const double meeting = square > 0 ? sqrt(square) : 0, sum = speed + outward * meeting;
        left -= sum != 0 ? 2 * (wall - start) / sum : 0;
        start = wall;
        speed = -outward * meeting;
    }
    *x = wall; // it no longer gets off the wall
    *v = -a * (time - kick_time);
}

// All walls but A_PRIORI, SOFT and FIELD_CORRECTED, once. Whether the particle may have met another.
static FATHOM_HOST_DEVICE bool gas_meet_wall(const struct gas_physics *physics, int axis, int side, double *x,
                                             double *v)
{
    const double length = physics->box[axis], wall = side == 0 ? 0 : length;
    const enum gas_wall kind = physics->walls[2 * axis + side];
    if (kind == GAS_PERIODIC)
        x[axis] -= length * floor(x[axis] / length);
    if (kind == GAS_VELOCITY_FLIP && (side == 0 ? v[axis] < 0 : v[axis] > 0))
        v[axis] = -v[axis];
    if (kind == GAS_REFLECT || kind == GAS_DAMPED || kind == GAS_FLIP_AND_MIRROR) {
        x[axis] = 2 * wall - x[axis];
        v[axis] = -v[axis];
    }
    if (kind == GAS_DAMPED)
        for (int k = 0; k < GAS_AXES; k++)
            v[k] *= 1 - physics->damping;
    return kind == GAS_REFLECT || kind == GAS_DAMPED;
}

// x += v time, with what the walls do. a: the acceleration at the step's beginning; v has had a · kick_time
// already.
static FATHOM_HOST_DEVICE void gas_drift(const struct gas_physics *physics, double time, double kick_time,
                                         const double *a, double *x, double *v)
{
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double start = x[axis], length = physics->box[axis];
        x[axis] += v[axis] * time;
        int side = gas_beyond(x[axis], length);
        if (side < 0)
            continue;
        if (physics->walls[2 * axis + side] == GAS_FIELD_CORRECTED) {
            gas_reflect_parabola(side == 0 ? 0 : length, side == 0 ? -1 : 1, time, kick_time, a[axis], start,
                                 &x[axis], &v[axis]);
            continue;
        }
        for (int k = 0; side >= 0 && k < GAS_FOLDS; k++)
            side = gas_meet_wall(physics, axis, side, x, v) ? gas_beyond(x[axis], length) : -1;
    }
}

// Gravity and soft walls: adds to the force, and gives the potential.
static FATHOM_HOST_DEVICE double gas_outer_force(const struct gas_physics *physics, double mass,
                                                 const double *x, double *force)
{
    double potential = 0;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double length = physics->box[axis];
        const int side = gas_beyond(x[axis], length);
        force[axis] += mass * physics->gravity[axis];
        potential -= mass * physics->gravity[axis] * x[axis];
        if (side >= 0 && physics->walls[2 * axis + side] == GAS_SOFT) {
            const double depth = x[axis] - (side == 0 ? 0 : length);
            force[axis] -= physics->stiffness * depth;
            potential += physics->stiffness * depth * depth / 2;
        }
    }
    return potential;
}

// ---- noise

// Square of the width of LANGEVIN's noise times the mass. decay: e^{−γΔt}.
static FATHOM_HOST_DEVICE double gas_noise_spread(const struct gas_physics *physics, double decay)
{
    return (1 - decay * decay) * physics->temperature;
}

// LANGEVIN's change of a velocity.
static FATHOM_HOST_DEVICE void gas_add_noise(const struct gas_physics *physics, double decay, double mass,
                                             int64_t step, uint64_t id, double *v)
{
    const double width = sqrt(gas_noise_spread(physics, decay) / mass);
    double normals[GAS_AXES];
    gas_normals((uint64_t)step, id, physics->seed, normals);
    for (int axis = 0; axis < GAS_AXES; axis++)
        v[axis] = decay * v[axis] + width * normals[axis];
}

static FATHOM_HOST_DEVICE double gas_bussi_draw(const struct gas_physics *physics, int64_t step,
                                                uint64_t draw, double *uniform)
{
    const uint64_t high = (uint64_t)1 << 63 | draw;
    const struct philox_counter words = philox4x32(
        philox_counter_from((uint64_t)step, high | (uint64_t)1 << 62), philox_key_from_seed(physics->seed));
    double normals[GAS_AXES];
    gas_normals((uint64_t)step, high, physics->seed, normals);
    *uniform = philox_double(words.v[0], words.v[1]);
    return normals[GAS_X];
}

// BUSSI's α, of the kinetic energy (Marsaglia and Tsang's gamma variate, doi:10.1145/358407.358414).
static FATHOM_HOST_DEVICE double gas_bussi_factor(const struct gas_physics *physics, int64_t step,
                                                  double degrees, double kinetic)
{
    double uniform;
    uint64_t draw = 0;
    const double r1 = gas_bussi_draw(physics, step, draw++, &uniform);
    const double d = (degrees - 1) / 2 - 1.0 / 3, width = 1 / sqrt(9 * d);
    double rest = -1;
    while (rest < 0) {
        const double x = gas_bussi_draw(physics, step, draw++, &uniform), w = 1 + width * x, v = w * w * w;
        if (v > 0 && log(uniform) < x * x / 2 + d - d * v + d * log(v))
            rest = 2 * d * v;
    }
    const double c = exp(-physics->step / physics->relaxation_time);
    const double share = (1 - c) * (physics->temperature / 2) / kinetic;
    const double square = c + share * (r1 * r1 + rest) + 2 * r1 * sqrt(c * share);
    const double factor = square > 0 ? sqrt(square) : 0;
    return r1 + sqrt(c / share) >= 0 ? factor : -factor;
}

#endif
