// The heat model's CUDA back ends, as gpu/register.c hands them to the models.
#ifndef FATHOM_GPU_BIOHEAT_BACKEND_H
#define FATHOM_GPU_BIOHEAT_BACKEND_H

#include "models/bioheat/solver.h"

extern const struct bioheat_backend bioheat_backend_cuda, bioheat_backend_cuda_plain;

#endif
