// The arithmetic of models/gas/point.h as kernels use it, in float and in double, and a pair's energy in double. Knows no kernel.
#ifndef FATHOM_GPU_GAS_POINT_CUH
#define FATHOM_GPU_GAS_POINT_CUH

#include "models/gas/law.h"

#include <cuda_runtime.h>

#define NUMBER(c)  static_cast<REAL>(c)
#define KEPT(c, x) ((c) ? (x) : static_cast<REAL>(0))

// The device's own 1/√ has all of a float's digits but the last, and about 20 bits of a double's: e of point.h is then below
// 2⁻¹⁸, and its cube below what a double can tell from 1.
#define REAL          float
#define POINT(name)   name##_f32
#define MADD(a, b, c) fmaf(a, b, c)
#define GUESS_ORDER   0
#include "models/gas/point.h"
#undef REAL
#undef POINT
#undef MADD
#undef GUESS_ORDER

#define REAL          double
#define POINT(name)   name##_f64
#define MADD(a, b, c) fma(a, b, c)
#define GUESS_ORDER   2
#include "models/gas/point.h"
#undef REAL
#undef POINT
#undef MADD
#undef GUESS_ORDER
#undef NUMBER
#undef KEPT

namespace gas {

// 1/√, to be mended; what is below the least of the normal numbers counts as 0.
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

__device__ __forceinline__ float fused(float a, float b, float c)
{
    return fmaf(a, b, c);
}

__device__ __forceinline__ double fused(double a, double b, double c)
{
    return fma(a, b, c);
}

// `law`: struct gas_law in this arithmetic, made on the host (law_of) or on the device.
template <typename Real> struct point;

#define POINT_OF(Real, suffix)                                                                               \
    template <> struct point<Real> {                                                                         \
        using law = law_##suffix;                                                                            \
        static __host__ __device__ __forceinline__ law law_of(const gas_law &from)                           \
        {                                                                                                    \
            law made;                                                                                        \
            make_law_##suffix(&from, &made);                                                                 \
            return made;                                                                                     \
        }                                                                                                    \
        template <gas_law_kind kind> static __device__ __forceinline__ Real force(const law &law, Real s)    \
        {                                                                                                    \
            return pair_force_##suffix(kind, &law, s, guess(s));                                             \
        }                                                                                                    \
        static __device__ __forceinline__ Real inverse(Real s) { return inverse_##suffix(s, guess(s)); }     \
        static __device__ __forceinline__ void add_multipole(Real x, Real y, Real inverse, Real bare,        \
                                                             Real count, Real square_x, Real square_y,       \
                                                             Real *field_x, Real *field_y)                   \
        {                                                                                                    \
            add_multipole_##suffix(x, y, inverse, bare, count, square_x, square_y, field_x, field_y);        \
        }                                                                                                    \
    }
POINT_OF(float, f32);
POINT_OF(double, f64);
#undef POINT_OF

// U of a pair at r² = `square`, as law.h has it. Diagnostics are rare: plain, in double.
template <gas_law_kind kind>
__device__ __forceinline__ double pair_potential(const gas_law &law, double square)
{
    const double s = square + law.softening_square;
    if (kind == GAS_LAW_LOG)
        return s > 0 ? law.attraction / 2 * log(s) : 0;
    const bool is_within = s < law.end_square;
    if (kind == GAS_LAW_NEAR) {
        const double attraction = law.attraction + (is_within ? law.attraction2 : 0);
        const double repulsion = law.everywhere + (is_within ? law.within : 0);
        const double bare = (attraction != 0 ? attraction / 2 * log(s) : 0) + repulsion / 2 / s;
        return is_within ? bare - law.last_potential + (s - law.end_square) * (law.last_f / 2) : bare;
    }
    if (kind == GAS_LAW_NONE || !is_within)
        return 0;
    const double q = law.sixth / (s * s * s);
    return 4 * law.depth * (q * q - q) - law.last_potential -
           (sqrt(s) - sqrt(law.end_square)) * law.last_slope;
}

// Half of a pair's energy and of its r·F: what each of the two is given.
template <gas_law_kind kind>
__device__ __forceinline__ void add_pair_energy(const gas_law &law, const point<double>::law &made,
                                                double square, double &potential, double &virial)
{
    const double s = square + law.softening_square;
    potential += pair_potential<kind>(law, square) / 2;
    virial += point<double>::force<kind>(made, s) * square / 2;
}

} // namespace gas

// Runs CALL(kind) with the law's kind as a constant.
#define GAS_FOR_LAW(kind, CALL)                                                                              \
    switch (kind) {                                                                                          \
    case GAS_LAW_LOG:                                                                                        \
        CALL(GAS_LAW_LOG);                                                                                   \
        break;                                                                                               \
    case GAS_LAW_NEAR:                                                                                       \
        CALL(GAS_LAW_NEAR);                                                                                  \
        break;                                                                                               \
    case GAS_LAW_LENNARD_JONES:                                                                              \
        CALL(GAS_LAW_LENNARD_JONES);                                                                         \
        break;                                                                                               \
    case GAS_LAW_FORCE_SHIFTED:                                                                              \
        CALL(GAS_LAW_FORCE_SHIFTED);                                                                         \
        break;                                                                                               \
    case GAS_LAW_NONE:                                                                                       \
    case GAS_LAWS:                                                                                           \
        break;                                                                                               \
    }

#endif
