// The arithmetic of models/gas/point.inc as kernels use it, in float and in double, and a pair's energy in
// double. Knows no kernel.
#ifndef FATHOM_GPU_GAS_POINT_CUH
#define FATHOM_GPU_GAS_POINT_CUH

#include "gpu/guess.cuh"
#include "models/gas/law.h"

#include <cuda_runtime.h>

#define NUMBER(c)  static_cast<REAL>(c)
#define KEPT(c, x) ((c) ? (x) : static_cast<REAL>(0))

// The device's own 1/√ has all of a float's digits but the last, and about 20 bits of a double's: e of
// point.h is then below 2⁻¹⁸, and its cube below what a double can tell from 1.
#define REAL          float
#define POINT(name)   name##_f32
#define MADD(a, b, c) fmaf(a, b, c)
#define GUESS_ORDER   0
#include "models/gas/point.inc"
#undef REAL
#undef POINT
#undef MADD
#undef GUESS_ORDER

#define REAL          double
#define POINT(name)   name##_f64
#define MADD(a, b, c) fma(a, b, c)
#define GUESS_ORDER   2
#include "models/gas/point.inc"
#undef REAL
#undef POINT
#undef MADD
#undef GUESS_ORDER
#undef NUMBER
#undef KEPT

namespace gas {

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

// Σ ln s as the logarithm of a product, whose exponent is taken away at each factor: a multiplication instead
// of a logarithm.
struct log_sum {
    double mantissa; // 1 … 2
    int exponent;

    __device__ __forceinline__ void clear()
    {
        mantissa = 1;
        exponent = 0;
    }
    __device__ __forceinline__ void add(double s)
    {
        const double product = mantissa * s;
        const int high = __double2hiint(product);
        exponent += (high >> 20) - 1023;
        mantissa = __hiloint2double((high & 0xfffff) | 0x3ff00000, __double2loint(product));
    }
    __device__ __forceinline__ double total() const { return log(mantissa) + 0.69314718055994531 * exponent; }
};

// Half of the energies of pairs (law.h) and of their r·F: what each of the two is given. In double.
struct energy_sum {
    double rest, virial; // rest: energies without their logarithms, not halved
    log_sum all, within; // of s: of all pairs; of those within the cut-off

    __device__ __forceinline__ void clear()
    {
        rest = virial = 0;
        all.clear();
        within.clear();
    }
    template <gas_law_kind kind>
    __device__ __forceinline__ void add(const gas_law &law, const point<double>::law &made, double square)
    {
        const double s = square + law.softening_square;
        const bool is_within = s < law.end_square;
        virial += point<double>::force<kind>(made, s) * square / 2;
        if (kind == GAS_LAW_LOG) {
            if (s > 0)
                all.add(s);
        } else if (kind == GAS_LAW_NEAR) {
            const double inverse = point<double>::inverse(s);
            all.add(s);
            rest += law.everywhere / 2 * inverse;
            if (is_within) {
                within.add(s);
                rest +=
                    law.within / 2 * inverse - law.last_potential + (s - law.end_square) * (law.last_f / 2);
            }
        } else if (is_within) {
            const double inverse = point<double>::inverse(s), q = law.sixth * (inverse * inverse * inverse);
            rest += 4 * law.depth * (q * q - q) - law.last_potential;
            if (kind == GAS_LAW_FORCE_SHIFTED)
                rest -= (sqrt(s) - sqrt(law.end_square)) * law.last_slope;
        }
    }
    template <gas_law_kind kind> __device__ __forceinline__ double potential(const gas_law &law) const
    {
        double sum = rest;
        if (kind == GAS_LAW_LOG || kind == GAS_LAW_NEAR)
            sum += law.attraction / 2 * all.total();
        if (kind == GAS_LAW_NEAR)
            sum += law.attraction2 / 2 * within.total();
        return sum / 2;
    }
};

} // namespace gas

#endif
