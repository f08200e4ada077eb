// The checked parameters of an N-body job, all in the run's units (G = 1). initial.h makes or reads the
// bodies.
#ifndef FATHOM_MODELS_NBODY_PARAMS_H
#define FATHOM_MODELS_NBODY_PARAMS_H

#include "io/job/job.h"
#include "io/path.h"
#include "models/nbody/solver.h"
#include "models/nbody/units.h"
#include "models/particles/params.h"

extern const char *const nbody_method_names[NBODY_METHODS];

struct nbody_initial; // initial.h

struct nbody_params {
    size_t count;
    struct nbody_physics physics; // with the step
    struct nbody_units units;
    struct nbody_initial *initial;
    int64_t steps;
    double duration, step; // in the run's units
    const struct nbody_backend *backend;
    int device;
    enum element precision;
    struct particles_params outputs;
    bool has_direct_potential; // of the diagnostics
    // For positions in half-mass radii r at the start, for velocities in √(GM/r).
    double check_tolerance;
};

// Reads and checks the job and, if it names a file of particles, the file's header and all its numbers
// (count, total mass, size). The job and `p` must not move until nbody_params_free. STATUS_CONFIGURATION,
// STATUS_NO_INPUT, STATUS_DATA with the key, file and index.
enum status nbody_params_read(const struct job *job, struct nbody_params *p);
void nbody_params_free(struct nbody_params *p); // also after a failure

#endif
