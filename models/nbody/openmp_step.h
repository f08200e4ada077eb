// What the fast CPU version does with the bodies but for their forces, in one precision: part of openmp.c. Included with REAL (a
// number) and POINT(name) defined.

#define NUMBER(c)     ((REAL)(c))
#define MADD(a, b, c) ((a) * (b) + (c))
#define GUESS_ORDER   0
#include "models/nbody/point.h"

static void POINT(get)(const struct nbody_arrays *from, size_t place, struct nbody_body *body)
{
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        body->position[axis] = (double)((const REAL *)from->position[axis])[place];
        body->velocity[axis] = (double)((const REAL *)from->velocity[axis])[place];
    }
    body->mass = (double)((const REAL *)from->mass)[place];
}

static void POINT(set)(struct nbody_arrays *to, size_t place, const struct nbody_body *body)
{
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        ((REAL *)to->position[axis])[place] = (REAL)body->position[axis];
        ((REAL *)to->velocity[axis])[place] = (REAL)body->velocity[axis];
    }
    ((REAL *)to->mass)[place] = (REAL)body->mass;
}

static void POINT(get_field)(const struct nbody_arrays *from, size_t place, bool has_potential,
                             struct nbody_field *field)
{
    for (int axis = 0; axis < NBODY_AXES; axis++)
        field->acceleration[axis] = (double)((const REAL *)from->acceleration[axis])[place];
    field->potential = has_potential ? (double)((const REAL *)from->potential)[place] : (double)NAN;
}

static void POINT(pad)(struct nbody_arrays *bodies)
{
    for (size_t k = bodies->count; k < bodies->padded; k++) {
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            ((REAL *)bodies->position[axis])[k] = ((REAL *)bodies->position[axis])[bodies->count - 1];
            ((REAL *)bodies->velocity[axis])[k] = 0;
        }
        ((REAL *)bodies->mass)[k] = 0;
    }
}

static void POINT(add)(REAL *to, const REAL *rate, double time, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++)
        to[k] = POINT(moved)(to[k], rate[k], (REAL)time);
}

static void POINT(kick)(struct nbody_arrays *bodies, double time, size_t first, size_t end)
{
    for (int axis = 0; axis < NBODY_AXES; axis++)
        POINT(add)(bodies->velocity[axis], bodies->acceleration[axis], time, first, end);
}

static void POINT(drift)(struct nbody_arrays *bodies, double time, size_t first, size_t end)
{
    for (int axis = 0; axis < NBODY_AXES; axis++)
        POINT(add)(bodies->position[axis], bodies->velocity[axis], time, first, end);
}

static void POINT(step_source)(struct nbody_arrays *bodies, double time, size_t first, size_t end)
{
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        REAL *x = bodies->position[axis], *v = bodies->velocity[axis];
        const REAL *a = bodies->acceleration[axis];
        for (size_t k = first; k < end; k++) {
            x[k] = POINT(moved_twice)(x[k], v[k], a[k], (REAL)time);
            v[k] = POINT(moved)(v[k], a[k], (REAL)time);
        }
    }
}

#undef NUMBER
#undef MADD
#undef GUESS_ORDER
