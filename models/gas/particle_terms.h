// A particle's contribution to the diagnostics of a state, and the results of the sums. The host and the
// devices use the same code, so that both give the same bits. In double precision; independent of solvers and
// of the order of the particles.
#ifndef FATHOM_MODELS_GAS_PARTICLE_TERMS_H
#define FATHOM_MODELS_GAS_PARTICLE_TERMS_H

#include "core/host_device.h"
#include "models/gas/state.h"

// Each is added up over all particles in blocks of 4096 by id (core/statistics.h).
enum gas_term {
    GAS_TERM_KINETIC,
    GAS_TERM_POTENTIAL,
    GAS_TERM_MOMENTUM,                              // 2
    GAS_TERM_VIRIAL = GAS_TERM_MOMENTUM + GAS_AXES, // Σ_{i<j} r·F
    GAS_TERMS
};

// `potential` and `virial`: as a back end's field has them (models/gas/solver.h).
static FATHOM_HOST_DEVICE void gas_terms_of_particle(double mass, const double *velocity, double potential,
                                                     double virial, double *terms)
{
    const double vx = velocity[GAS_X], vy = velocity[GAS_Y];
    terms[GAS_TERM_KINETIC] = 0.5 * (mass * (vx * vx + vy * vy));
    terms[GAS_TERM_POTENTIAL] = potential;
    terms[GAS_TERM_MOMENTUM + GAS_X] = mass * vx;
    terms[GAS_TERM_MOMENTUM + GAS_Y] = mass * vy;
    terms[GAS_TERM_VIRIAL] = virial;
}

// Makes the record [GAS_DIAGNOSTICS] from the sums [GAS_TERMS]. `degrees`: from gas_degrees; `limited`: how
// often the limiters have acted so far.
static FATHOM_HOST_DEVICE void gas_record_of_terms(const struct gas_physics *physics, double count,
                                                   double degrees, double limited, const double *sums,
                                                   double *record)
{
    const double area = physics->box[GAS_X] * physics->box[GAS_Y];
    const double temperature = 2 * sums[GAS_TERM_KINETIC] / degrees;
    const double ideal = physics->thermostat == GAS_NO_THERMOSTAT ? temperature : physics->temperature;
    record[GAS_KINETIC] = sums[GAS_TERM_KINETIC];
    record[GAS_POTENTIAL] = sums[GAS_TERM_POTENTIAL];
    record[GAS_MOMENTUM + GAS_X] = sums[GAS_TERM_MOMENTUM + GAS_X];
    record[GAS_MOMENTUM + GAS_Y] = sums[GAS_TERM_MOMENTUM + GAS_Y];
    record[GAS_TEMPERATURE] = temperature;
    record[GAS_PRESSURE] = count * ideal / area + sums[GAS_TERM_VIRIAL] / (2 * area);
    record[GAS_LIMITED] = limited;
}

#endif
