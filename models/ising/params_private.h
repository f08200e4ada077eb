// The parts of reading a job, in their order. Private to params*.c and initial.c.
#ifndef FATHOM_MODELS_ISING_PARAMS_PRIVATE_H
#define FATHOM_MODELS_ISING_PARAMS_PRIVATE_H

#include "models/ising/params.h"

// Limits of the values in a job. The counter of the random numbers has 32 bits for the sweep.
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

// Reads the block `temperatures` into p->betas, which the caller frees.
enum status ising_params_read_temperatures(const struct job *job, struct ising_params *p);
// Read the blocks `sweeps`, `analysis`, `output` and `check`, after all others. The caller frees p->distance.
enum status ising_params_read_sweeps(const struct job *job, struct ising_params *p);
enum status ising_params_read_outputs(const struct job *job, struct ising_params *p);

// The smallest number of measurements of a replica at a temperature that remain after the thermalisation.
int64_t ising_least_kept(const struct ising_params *p);

// Checks for invalid combinations after all blocks have been read. STATUS_CONFIGURATION.
enum status ising_params_check(const struct job *job, const struct ising_params *p);
// Warns of each key of the job that has no effect.
void ising_params_warn_of_idle_keys(const struct job *job, const struct ising_params *p);

#endif
