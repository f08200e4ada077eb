// The tsunami's CUDA back ends: the fast one, and the plain one that it is measured against.
#ifndef FATHOM_GPU_TSUNAMI_BACKEND_H
#define FATHOM_GPU_TSUNAMI_BACKEND_H

#include "models/tsunami/solver.h"

extern const struct tsunami_backend tsunami_backend_cuda, tsunami_backend_cuda_plain;

#endif
