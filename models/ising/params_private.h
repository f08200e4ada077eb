// Shared by params*.c and initial.c, and private to them: the parts of reading a job, in their order.
#ifndef FATHOM_MODELS_ISING_PARAMS_PRIVATE_H
#define FATHOM_MODELS_ISING_PARAMS_PRIVATE_H

#include "models/ising/params.h"

// Limits of what a job may ask for. A random number's counter has 32 bits for the sweep.
#define ISING_SIDE_MIN         4
#define ISING_SIDE_MAX         16777216
#define ISING_REPLICAS_MAX     16777216
#define ISING_SWEEPS_MAX       4294967295.0
#define ISING_TEMPERATURES_MAX 10000
#define ISING_BETA_MIN         1e-6
#define ISING_BETA_MAX         1e6

// Methods that sweep by sublattices, whose sites are not neighbours of each other.
static inline bool ising_has_sublattices(enum ising_method method)
{
    return method != ISING_METROPOLIS_RANDOM && !ising_has_clusters(method);
}

// The block `temperatures`: p->betas (free).
enum status ising_params_read_temperatures(const struct job *job, struct ising_params *p);
// The blocks `sweeps`, `analysis`, `output` and `check`; after everything else. p->distance (free).
enum status ising_params_read_sweeps(const struct job *job, struct ising_params *p);
enum status ising_params_read_outputs(const struct job *job, struct ising_params *p);

// Measurements of a replica at a temperature that are left at least after the thermalisation.
int64_t ising_least_kept(const struct ising_params *p);

// What cannot go together, after everything was read. STATUS_CONFIGURATION.
enum status ising_params_check(const struct job *job, const struct ising_params *p);
// A warning for each key that the job gives and that changes nothing.
void ising_params_warn_of_idle_keys(const struct job *job, const struct ising_params *p);

#endif
