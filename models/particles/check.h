// The comparison of models/check.h for particles, in two dimensions or three: positions and velocities, with
// differences relative to a length and a speed of the system. Independent of models and back ends.
#ifndef FATHOM_MODELS_PARTICLES_CHECK_H
#define FATHOM_MODELS_PARTICLES_CHECK_H

#include "models/check.h"
#include "models/particles/output.h"

// The quantities of the record, in this order.
enum particles_checked { PARTICLES_CHECKED_POSITION, PARTICLES_CHECKED_VELOCITY, PARTICLES_CHECKED };

struct particles_check {
    size_t count;
    int axes;                         // 2: the third component is not compared
    double scales[PARTICLES_CHECKED]; // to which differences are relative, in the run's units
    double units[PARTICLES_CHECKED];  // the run's unit in units of the results
    double periods[PARTICLES_AXES];   // sides of periodic axes, in the run's units; 0: not periodic
    // Particles first … first + count − 1 (count ≤ PARTICLES_BLOCK) of the run's solver, or of the reference,
    // in the run's units.
    void (*get)(void *instance, bool of_reference, size_t first, size_t count,
                struct particles_sample *samples);
};

// The `compare` of models/check.h.
int64_t particles_check_compare(struct instance *instance, int64_t step, const struct particles_check *check);

// The `complain` of models/check.h.
void particles_check_complain(const void *instance, const struct check_quantity *q, char *text, size_t bytes);

#endif
