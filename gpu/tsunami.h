// The tsunami's CUDA back end.
#ifndef FATHOM_GPU_TSUNAMI_H
#define FATHOM_GPU_TSUNAMI_H

#include "models/tsunami/solver.h"

extern const struct tsunami_backend tsunami_backend_cuda;

#endif
