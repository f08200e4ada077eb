// The error of a solver's accelerations: a sample of bodies against direct summation in double. For
// benchmarks and validation.
#ifndef FATHOM_MODELS_NBODY_FORCE_ERROR_H
#define FATHOM_MODELS_NBODY_FORCE_ERROR_H

#include "models/nbody/solver.h"

// Bodies of the sample: `count` of `of`, evenly spread over the ids (body k is k · of / count).
static inline size_t nbody_sample_id(size_t k, size_t count, size_t of)
{
    return (size_t)((uint64_t)k * of / count);
}

// acceleration [samples][NBODY_AXES] of the sample among bodies [count], by direct summation in double.
// Positions and masses are first rounded to the solver's precision, so that the difference is the error of
// the arithmetic alone. The bits do not depend on the number of threads. `samples`: 1 … count.
void nbody_exact_accelerations(size_t count, const struct nbody_body *bodies, enum element precision,
                               double softening, size_t samples, double (*acceleration)[NBODY_AXES]);

// |a − exact| / |exact| of each sample (0 where both are 0), a by the solver's get_field.
void nbody_relative_errors(const struct nbody_backend *backend, const struct solver *solver, size_t count,
                           size_t samples, double (*exact)[NBODY_AXES], double *error);

#endif
