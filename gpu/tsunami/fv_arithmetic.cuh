// Division, roots and extremes for models/tsunami/fv_point.inc on the device: the processor's approximations,
// in double with Newton's iteration, accurate to a few units in the last place. Full IEEE arithmetic (the
// last bit, subnormals, signed infinities) would cost as much as all other arithmetic and is not needed: a
// difference of zero still gives exactly zero. Knows no scheme.
#ifndef FATHOM_GPU_TSUNAMI_FV_ARITHMETIC_CUH
#define FATHOM_GPU_TSUNAMI_FV_ARITHMETIC_CUH

#include "gpu/inline.cuh"

// The compiler's host pass uses the plain operations; none of it runs there.
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

// 20 bits at first; the iteration is of the third order.
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

// Tiny numbers are returned as they are: a subnormal number has no approximation.
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

#define FV_DIVIDE(a, b)    ((a)*fv_inverse(b))
#define FV_ROOT(x)         fv_root(x)
#define FV_OVER_ROOT(a, x) ((a)*fv_inverse_root(x))
#define FV_MIN(a, b)       fv_smaller((a), (b))
#define FV_MAX(a, b)       fv_larger((a), (b))

#endif

#endif
