// The Ising model's CUDA back end (models/ising/solver.h).
#ifndef FATHOM_GPU_ISING_BACKEND_H
#define FATHOM_GPU_ISING_BACKEND_H

#include "models/ising/solver.h"

extern const struct ising_backend ising_backend_cuda;

#endif
