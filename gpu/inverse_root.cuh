// The device's own 1/√, and what else models/nbody/point.inc and models/gas/point.inc need there. Knows no
// kernel.
#ifndef FATHOM_GPU_INVERSE_ROOT_CUH
#define FATHOM_GPU_INVERSE_ROOT_CUH

#include "models/precision.h"

#include <cuda_runtime.h>

// Has all of a float's digits but the last, and about 20 bits of a double's; what is below the least of the
// normal numbers counts as 0.
__device__ __forceinline__ float inverse_root_guess(float square)
{
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
    return root;
}

__device__ __forceinline__ double inverse_root_guess(double square)
{
    double root;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(root) : "d"(square));
    return root;
}

// a·b + c, fused.
__host__ __device__ __forceinline__ float madd(float a, float b, float c)
{
    return fmaf(a, b, c);
}

__host__ __device__ __forceinline__ double madd(double a, double b, double c)
{
    return fma(a, b, c);
}

// Of a double the error e is below 2⁻¹⁸, and its cube below the resolution of a double at 1.
template <typename Real> constexpr int inverse_root_order = sizeof(Real) == sizeof(float) ? 0 : 2;

#define NUMBER(c)        static_cast<Real>(c)
#define MADD(a, b, c)    madd((a), (b), (c))
#define KEPT(c, x)       ((c) ? (x) : static_cast<Real>(0))
#define REFINEMENT_ORDER inverse_root_order<Real>

#endif
