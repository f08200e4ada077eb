// The device's approximate 1/√, and the macros that models/nbody/point.inc and models/gas/point.inc need.
#ifndef FATHOM_GPU_INVERSE_ROOT_CUH
#define FATHOM_GPU_INVERSE_ROOT_CUH

#include "gpu/inline.cuh"
#include "models/precision.h"

#include <cuda_runtime.h>

// Accurate to all digits but the last of a float, to about 20 bits of a double; subnormal numbers count as 0.
DEVICE float approximate_inverse_root(float square)
{
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
    return root;
}

DEVICE double approximate_inverse_root(double square)
{
    double root;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(root) : "d"(square));
    return root;
}

// a·b + c, fused.
FATHOM_HOST_DEVICE float madd(float a, float b, float c)
{
    return fmaf(a, b, c);
}

FATHOM_HOST_DEVICE double madd(double a, double b, double c)
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
