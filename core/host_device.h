// Macros for functions that are written once and compiled for the host and for a device: their qualifier, and
// whether a fused multiply-add is an instruction where they run.
#ifndef FATHOM_CORE_HOST_DEVICE_H
#define FATHOM_CORE_HOST_DEVICE_H

// Stands after `static`: the function is always inlined, and callable from host and device where the compiler
// makes code for both.
#ifdef __CUDACC__
#define FATHOM_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define FATHOM_HOST_DEVICE inline __attribute__((always_inline))
#endif

#if defined(__FMA__) || defined(__CUDA_ARCH__) || defined(__ARM_FEATURE_FMA)
#define FATHOM_HAS_FMA 1
#else
#define FATHOM_HAS_FMA 0
#endif

#endif
