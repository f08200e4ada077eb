// The mark of a function that kernels call and that is always inlined.
#ifndef FATHOM_GPU_INLINE_CUH
#define FATHOM_GPU_INLINE_CUH

#include <cuda_runtime.h>

#define DEVICE __device__ __forceinline__

#endif
