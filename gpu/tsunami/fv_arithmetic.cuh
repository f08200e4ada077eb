// Division, roots and extremes for models/tsunami/fv_point.inc on the device: the device's approximate
// instructions, in double precision refined by one iteration; accurate to a few units in the last place. Full
// IEEE arithmetic (the last bit, subnormals, signed infinities) would cost as much as all other arithmetic.
// It is not needed, because a difference of zero still gives exactly zero. Independent of the scheme.
#ifndef FATHOM_GPU_TSUNAMI_FV_ARITHMETIC_CUH
#define FATHOM_GPU_TSUNAMI_FV_ARITHMETIC_CUH

#include "gpu/inline.cuh"

// When nvcc compiles for the host, the plain operations are used; this code never runs there.
#ifdef __CUDA_ARCH__

DEVICE float fv_inverse(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE float fv_inverse_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE float fv_root(float x)
{
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE float fv_smaller(float a, float b)
{
    float y;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
    return y;
}

DEVICE float fv_larger(float a, float b)
{
    float y;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
    return y;
}

// The approximation has 20 bits; one iteration of third order follows.
DEVICE double fv_inverse(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double residual = __fma_rn(-x, y, 1.0);
    return __fma_rn(y, __fma_rn(residual, residual, residual), y);
}

DEVICE double fv_inverse_root(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double residual = __fma_rn(-x * y, y, 1.0);
    return __fma_rn(y * residual, __fma_rn(residual, 0.375, 0.5), y);
}

// Returns numbers up to 1e-280 unchanged, because the instruction has no approximation for subnormal numbers.
DEVICE double fv_root(double x)
{
    const double y = fv_inverse_root(x), root = x * y;
    return x > 1e-280 ? __fma_rn(0.5 * y, __fma_rn(-root, root, x), root) : x;
}

DEVICE double fv_smaller(double a, double b)
{
    return a < b ? a : b;
}

DEVICE double fv_larger(double a, double b)
{
    return a > b ? a : b;
}

#define FV_DIVIDE(a, b) ((a)*fv_inverse(b))
#define FV_ROOT(x)      fv_root(x)
#define FV_MIN(a, b)    fv_smaller((a), (b))
#define FV_MAX(a, b)    fv_larger((a), (b))

#endif

#endif
