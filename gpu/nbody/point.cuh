// The arithmetic of models/nbody/point.inc as kernels use it, in float and in double, and how bodies lie in
// memory. Knows no kernel.
#ifndef FATHOM_GPU_NBODY_POINT_CUH
#define FATHOM_GPU_NBODY_POINT_CUH

#include "gpu/guess.cuh"

#include <cfloat>
#include <cuda_runtime.h>

#define NUMBER(c) static_cast<REAL>(c)

// The device's own 1/√ has all of a float's digits but the last, and about 20 bits of a double's: e of
// point.h is then below 2⁻¹⁸, and its cube below what a double can tell from 1.
#define REAL          float
#define POINT(name)   name##_f32
#define MADD(a, b, c) fmaf(a, b, c)
#define GUESS_ORDER   0
#include "models/nbody/point.inc"
#undef REAL
#undef POINT
#undef MADD
#undef GUESS_ORDER

#define REAL          double
#define POINT(name)   name##_f64
#define MADD(a, b, c) fma(a, b, c)
#define GUESS_ORDER   2
#include "models/nbody/point.inc"
#undef REAL
#undef POINT
#undef MADD
#undef GUESS_ORDER
#undef NUMBER

namespace nbody {

// A body {x, y, z, m}, a velocity {vx, vy, vz, 0}, a field {ax, ay, az, φ}: one load of 16 bytes, or two.
template <typename Real> struct alignas(16) quad {
    Real x, y, z, w;
};

// Through the cache for what no kernel of the launch writes.
__device__ __forceinline__ quad<float> load(const quad<float> *from)
{
    const float4 v = __ldg(reinterpret_cast<const float4 *>(from));
    return {v.x, v.y, v.z, v.w};
}

__device__ __forceinline__ quad<double> load(const quad<double> *from)
{
    const double2 low = __ldg(reinterpret_cast<const double2 *>(from));
    const double2 high = __ldg(reinterpret_cast<const double2 *>(from) + 1);
    return {low.x, low.y, high.x, high.y};
}

template <typename Real> struct point;

#define POINT_OF(Real, suffix, smallest)                                                                     \
    template <> struct point<Real> {                                                                         \
        using vector = vector_##suffix;                                                                      \
        static constexpr Real least = smallest;                                                              \
        static __device__ __forceinline__ Real softened_square(const vector &r, Real softening_square)       \
        {                                                                                                    \
            return softened_square_##suffix(r, softening_square);                                            \
        }                                                                                                    \
        static __device__ __forceinline__ Real mended(Real guess, Real square)                               \
        {                                                                                                    \
            return mended_##suffix(guess, square);                                                           \
        }                                                                                                    \
        static __device__ __forceinline__ void add_pull(const vector &r, Real square, Real guess, Real mass, \
                                                        vector &sum)                                         \
        {                                                                                                    \
            add_pull_##suffix(r, square, guess, mass, &sum);                                                 \
        }                                                                                                    \
        static __device__ __forceinline__ void add_cell(const vector &r, Real inverse, Real mass,            \
                                                        const Real *s, Real half_trace, vector &sum,         \
                                                        Real *potential)                                     \
        {                                                                                                    \
            add_cell_##suffix(r, inverse, mass, s, half_trace, &sum, potential);                             \
        }                                                                                                    \
        static __device__ __forceinline__ Real moved(Real at, Real rate, Real time)                          \
        {                                                                                                    \
            return moved_##suffix(at, rate, time);                                                           \
        }                                                                                                    \
        static __device__ __forceinline__ Real moved_twice(Real at, Real velocity, Real acceleration,        \
                                                           Real time)                                        \
        {                                                                                                    \
            return moved_twice_##suffix(at, velocity, acceleration, time);                                   \
        }                                                                                                    \
    }
POINT_OF(float, f32, FLT_MIN);
POINT_OF(double, f64, DBL_MIN);
#undef POINT_OF

} // namespace nbody

#endif
