// The device's own 1/√. Knows no kernel.
#ifndef FATHOM_GPU_GUESS_CUH
#define FATHOM_GPU_GUESS_CUH

#include <cuda_runtime.h>

// Has all of a float's digits but the last, and about 20 bits of a double's; what is below the least of the
// normal numbers counts as 0.
__device__ __forceinline__ float guess(float square)
{
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
    return root;
}

__device__ __forceinline__ double guess(double square)
{
    double root;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(root) : "d"(square));
    return root;
}

#endif
