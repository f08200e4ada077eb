// Kernels that do one kind of arithmetic and nothing else, as C sees them.
#ifndef FATHOM_GPU_ARITHMETIC_KERNELS_H
#define FATHOM_GPU_ARITHMETIC_KERNELS_H

#include "core/element.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ARITHMETIC_THREADS = 256, ARITHMETIC_CHAINS = 16, ARITHMETIC_TURNS = 1 << 13 };

// Every thread does ARITHMETIC_TURNS operations in each of ARITHMETIC_CHAINS chains. `sink` (device, 8 bytes)
// is hardly ever written.
cudaError_t arithmetic_fma(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);
cudaError_t arithmetic_rsqrt(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);
// Operations are random words of Philox4x32-10 here; `precision` has no meaning.
cudaError_t arithmetic_draws(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
