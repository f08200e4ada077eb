// For the few functions that are written once and compiled for the host and for a device: how they are
// declared, and whether a fused multiply-add is an instruction where they run. Knows no function.
#ifndef FATHOM_CORE_HOST_DEVICE_H
#define FATHOM_CORE_HOST_DEVICE_H

// After `static`: always inlined, callable on both sides where the compiler makes code for both.
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
