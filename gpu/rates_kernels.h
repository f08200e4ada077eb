// Kernels that do one kind of arithmetic and nothing else, for C.
#ifndef FATHOM_GPU_RATES_KERNELS_H
#define FATHOM_GPU_RATES_KERNELS_H

#include "core/element.h"
#include "gpu/extern_c.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

enum { RATES_THREADS = 256, RATES_CHAINS = 16, RATES_ROUNDS = 1 << 13 };

// Every thread does RATES_ROUNDS operations in each of RATES_CHAINS chains. `sink` (device, 8 bytes) is
// hardly ever written.
cudaError_t rates_fma(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);
cudaError_t rates_rsqrt(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);
// Operations are random words of Philox4x32-10 here; `precision` has no meaning.
cudaError_t rates_draws(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);

EXTERN_C_END

#endif
