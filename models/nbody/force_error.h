// How wrong a solver's accelerations are: a few bodies against the direct sum in double over all, which is
// cheap however many there are. For benchmarks and validation. Knows no method and no job.
#ifndef FATHOM_MODELS_NBODY_FORCE_ERROR_H
#define FATHOM_MODELS_NBODY_FORCE_ERROR_H

#include "models/nbody/solver.h"

// Bodies that are looked at: `count` of `of`, evenly spread over the ids (body k's is k · of / count).
static inline size_t nbody_sample_id(size_t k, size_t count, size_t of)
{
    return (size_t)((uint64_t)k * of / count);
}

// acceleration [samples][NBODY_AXES] of those among bodies [count], by every pair in double. The bodies count
// as they lie in a solver of that precision, positions and masses rounded to it, so that what differs is the
// solver's arithmetic alone. By all threads; the bits do not depend on how many. `samples`: 1 … count.
void nbody_exact_accelerations(size_t count, const struct nbody_body *bodies, enum element precision,
                               double softening, size_t samples, double (*acceleration)[NBODY_AXES]);

// |a − exact| / |exact| of each sample (0 where both are 0), a by the solver's get_field.
void nbody_relative_errors(const struct nbody_backend *backend, const struct solver *solver, size_t count,
                           size_t samples, double (*exact)[NBODY_AXES], double *error);

#endif
