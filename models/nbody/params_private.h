// Shared by params*.c, and private to them: the parts of reading a job, and its checks.
#ifndef FATHOM_MODELS_NBODY_PARAMS_PRIVATE_H
#define FATHOM_MODELS_NBODY_PARAMS_PRIVATE_H

#include "models/nbody/params.h"

// The block `output` and the check; after the units.
enum status nbody_params_read_outputs(const struct job *job, struct nbody_params *p);

// Whether the run's precision bears softening and bodies; after everything else but the steps.
// STATUS_CONFIGURATION, STATUS_DATA.
enum status nbody_params_check(const struct job *job, const struct nbody_params *p);

// A warning for each key that the job gives and that changes nothing.
void nbody_params_warn_of_idle_keys(const struct job *job, const struct nbody_params *p);

#endif
