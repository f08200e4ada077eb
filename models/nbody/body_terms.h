// A body's contribution to the diagnostics of a state, and the results of the sums: one source for the host
// and for devices, so that both give the same bits. Everything in double, G = 1; independent of solvers and
// orders of bodies.
#ifndef FATHOM_MODELS_NBODY_BODY_TERMS_H
#define FATHOM_MODELS_NBODY_BODY_TERMS_H

#include "core/host_device.h"
#include "models/nbody/state.h"

#include <math.h>

// Each is added up over all bodies in blocks of 4096 by id (core/statistics.h).
enum nbody_term {
    NBODY_TERM_MASS,
    NBODY_TERM_KINETIC,
    NBODY_TERM_POTENTIAL,
    NBODY_TERM_MOMENTUM,                                   // 3
    NBODY_TERM_ANGULAR_MOMENTUM = NBODY_TERM_MOMENTUM + 3, // 3
    NBODY_TERM_CENTRE = NBODY_TERM_ANGULAR_MOMENTUM + 3,   // 3: m x
    NBODY_TERM_MOMENTUM_SCALE = NBODY_TERM_CENTRE + 3,
    NBODY_TERM_VIRIAL, // m x·a
    NBODY_TERMS
};

// x, v, a: NBODY_AXES numbers each; `potential`: the body's, by all others.
static FATHOM_HOST_DEVICE void nbody_terms_of_body(double mass, const double *x, const double *v,
                                                   const double *a, double potential, double *terms)
{
    const double speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    terms[NBODY_TERM_MASS] = mass;
    terms[NBODY_TERM_KINETIC] = 0.5 * (mass * speed2);
    terms[NBODY_TERM_POTENTIAL] = 0.5 * (mass * potential);
    for (int k = 0; k < NBODY_AXES; k++) {
        const int next = (k + 1) % NBODY_AXES, last = (k + 2) % NBODY_AXES;
        terms[NBODY_TERM_MOMENTUM + k] = mass * v[k];
        terms[NBODY_TERM_ANGULAR_MOMENTUM + k] = mass * (x[next] * v[last] - x[last] * v[next]);
        terms[NBODY_TERM_CENTRE + k] = mass * x[k];
    }
    terms[NBODY_TERM_MOMENTUM_SCALE] = mass * sqrt(speed2);
    terms[NBODY_TERM_VIRIAL] = mass * (x[0] * a[0] + x[1] * a[1] + x[2] * a[2]);
}

// The record [NBODY_DIAGNOSTICS] of the sums [NBODY_TERMS], but for the Lagrangian radii.
static FATHOM_HOST_DEVICE void nbody_record_of_terms(const double *sums, double *record)
{
    record[NBODY_KINETIC] = sums[NBODY_TERM_KINETIC];
    record[NBODY_POTENTIAL] = sums[NBODY_TERM_POTENTIAL];
    for (int k = 0; k < NBODY_AXES; k++) {
        record[NBODY_MOMENTUM + k] = sums[NBODY_TERM_MOMENTUM + k];
        record[NBODY_ANGULAR_MOMENTUM + k] = sums[NBODY_TERM_ANGULAR_MOMENTUM + k];
        record[NBODY_CENTRE + k] = sums[NBODY_TERM_CENTRE + k] / sums[NBODY_TERM_MASS];
    }
    record[NBODY_MOMENTUM_SCALE] = sums[NBODY_TERM_MOMENTUM_SCALE];
    const double virial = fabs(sums[NBODY_TERM_VIRIAL]); // 0: bodies too far apart for a force
    record[NBODY_VIRIAL_RATIO] = virial > 0 ? 2 * sums[NBODY_TERM_KINETIC] / virial : NAN;
}

// Distance from the centre of mass. A Lagrangian radius of a share is that of the first body, in the order of
// these distances (equal ones by id), at which the mass up to and with it is at least the share times the
// total.
static FATHOM_HOST_DEVICE double nbody_distance(const double *x, const double *centre)
{
    const double dx = x[0] - centre[0], dy = x[1] - centre[1], dz = x[2] - centre[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

// The mass within the Lagrangian radius of a share of the total. A share that the masses meet exactly is met
// whatever the rounding of the total and of the masses: of a thousand equal bodies the tenth holds 1 %. No
// share of one of 2^30 bodies is as small as the slack.
static FATHOM_HOST_DEVICE double nbody_mass_of_share(double share, double total)
{
    return (share - 1e-12) * total;
}

#endif
