// Kernels that do only one kind of arithmetic, to measure its rate; callable from C.
#ifndef FATHOM_GPU_RATES_KERNELS_H
#define FATHOM_GPU_RATES_KERNELS_H

#include "core/element.h"
#include "gpu/extern_c.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

enum { RATES_THREADS = 256, RATES_CHAINS = 16, RATES_ROUNDS = 1 << 13 };

// Every thread does RATES_ROUNDS operations in each of RATES_CHAINS chains. `sink` (8 bytes on the device) is
// almost never written.
cudaError_t rates_fma(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);
cudaError_t rates_rsqrt(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);
// The operations are random words of Philox4x32-10; `precision` has no effect.
cudaError_t rates_draws(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);

EXTERN_C_END

#endif
