// The CUDA back ends of all models, for gpu/register.c.
#ifndef FATHOM_GPU_BACKENDS_H
#define FATHOM_GPU_BACKENDS_H

#include "models/bioheat/solver.h"
#include "models/gas/solver.h"
#include "models/ising/solver.h"
#include "models/nbody/solver.h"
#include "models/tsunami/solver.h"

extern const struct bioheat_backend bioheat_backend_cuda, bioheat_backend_cuda_plain;
extern const struct gas_backend gas_backend_cuda;
extern const struct ising_backend ising_backend_cuda;
extern const struct nbody_backend nbody_backend_cuda;
extern const struct tsunami_backend tsunami_backend_cuda, tsunami_backend_cuda_plain;

#endif
