// The gas model's CUDA back end, as gpu/register.c hands it to the models.
#ifndef FATHOM_GPU_GAS_BACKEND_H
#define FATHOM_GPU_GAS_BACKEND_H

#include "models/gas/solver.h"

extern const struct gas_backend gas_backend_cuda;

#endif
