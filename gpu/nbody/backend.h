// The N-body model's CUDA back end, as gpu/register.c hands it to the models.
#ifndef FATHOM_GPU_NBODY_BACKEND_H
#define FATHOM_GPU_NBODY_BACKEND_H

#include "models/nbody/solver.h"

extern const struct nbody_backend nbody_backend_cuda;

#endif
