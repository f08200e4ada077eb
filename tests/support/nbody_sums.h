// Energy and momenta of bodies worked out in the test, from the bodies alone; and runs of the back end under
// test. Header only.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_SUMS_H
#define FATHOM_TESTS_SUPPORT_NBODY_SUMS_H

#include "tests/support/nbody_test.h"

// The precisions in which the back end computes: the reference has double alone.
static const enum element nbody_precisions[] = {ELEMENT_F64, ELEMENT_F32};
static inline int nbody_precision_count(void)
{
    return nbody_is_reference() ? 1 : 2;
}

// From `bodies` to `bodies`.
static inline void nbody_run(const struct particle_set_setup *setup, struct nbody_body *bodies, int64_t steps)
{
    struct particle_set *s = particle_set_open(setup);
    particle_set_set(s, bodies);
    particle_set_advance(s, 0, steps);
    particle_set_get(s, bodies);
    particle_set_close(s);
}

struct nbody_sums {
    double kinetic, potential, momentum[NBODY_AXES], angular[NBODY_AXES], momentum_scale;
};

// G = 1, Plummer softening.
static inline struct nbody_sums nbody_sum(size_t count, const struct nbody_body *bodies, double softening)
{
    struct nbody_sums s = {0};
    for (size_t i = 0; i < count; i++) {
        const double *x = bodies[i].position, *v = bodies[i].velocity, m = bodies[i].mass,
                     speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        s.kinetic += 0.5 * m * speed2;
        s.momentum_scale += m * sqrt(speed2);
        for (int k = 0; k < NBODY_AXES; k++) {
            const int next = (k + 1) % NBODY_AXES, last = (k + 2) % NBODY_AXES;
            s.momentum[k] += m * v[k];
            s.angular[k] += m * (x[next] * v[last] - x[last] * v[next]);
        }
        for (size_t j = 0; j < i; j++) {
            const double *y = bodies[j].position, dx = y[0] - x[0], dy = y[1] - x[1], dz = y[2] - x[2];
            s.potential -= m * bodies[j].mass / sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
        }
    }
    return s;
}

static inline double nbody_apart(const double *a, const double *b)
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

#endif
