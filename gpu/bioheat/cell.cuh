// The arithmetic of the heat model's CUDA kernels at one face and one cell, the same for all of them, so that
// all give the same bits. Only madd fuses a product and a sum. Knows no threads and no tiles.
#ifndef FATHOM_GPU_BIOHEAT_CELL_CUH
#define FATHOM_GPU_BIOHEAT_CELL_CUH

#include "gpu/bioheat/kernels.h"
#include "gpu/inline.cuh"
#include "models/bioheat/results.h"

namespace heat {

DEVICE float madd(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

DEVICE double madd(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

DEVICE float divide(float a, float b)
{
    return __fdividef(a, b);
}

DEVICE double divide(double a, double b)
{
    return a / b;
}

// ---- codes: label, and a bit for each axis

template <typename Code> struct code_traits;
template <> struct code_traits<unsigned char> {
    enum { LABEL_BITS = 5, LABEL_MASK = 31, ALL_BITS = 0xe0, ROW = HEAT_FEW_LABELS };
};
template <> struct code_traits<unsigned short> {
    enum { LABEL_BITS = 8, LABEL_MASK = 255, ALL_BITS = 0x700, ROW = BIOHEAT_LABELS };
};

template <typename Code> DEVICE unsigned label_of(unsigned code)
{
    return code & code_traits<Code>::LABEL_MASK;
}

// Whether all four cells of the face on the cell's low side are of one medium.
template <typename Code> DEVICE bool is_one_medium(unsigned code, int axis)
{
    return (code >> (code_traits<Code>::LABEL_BITS + axis)) & 1;
}

// ---- fluxes through a face, between θ_0 and θ_1, from low to high, less its sign

// Between labels, 12 h times the flux: of the fourth order, k (15 (θ1 − θ0) − (θ2 − θ−1)), where all four
// cells are of one medium; else from two cells, 12 k (θ1 − θ0), where k is the harmonic mean.
template <typename Real> struct alignas(2 * sizeof(Real)) label_law {
    Real inner, outer;
};

template <typename Real> DEVICE label_law<Real> label_law_of(Real k, bool one_medium)
{
    return one_medium ? label_law<Real>{15 * k, k} : label_law<Real>{12 * k, 0};
}

template <typename Real>
DEVICE Real label_flux(const label_law<Real> &law, Real before, Real low, Real high, Real after)
{
    return madd(law.inner, high - low, -(law.outer * (after - before)));
}

// Of full fields, 24 h times the flux (derivation: models/bioheat/reference_space.c): with s = k0 + k1 and o
// = k−1 + k2 the weights of the three differences of θ are −m + (k1 − k0), (258 s − 34 o)/16 and
// −m − (k1 − k0), where m = (17 s − o)/16.
template <typename Real> struct field_law {
    Real middle, mean, slope; // two-point: 24 k, 0, 0
};

template <typename Real> DEVICE field_law<Real> smooth_law_of(Real before, Real low, Real high, Real after)
{
    const Real sum = low + high, outer = before + after;
    return {madd(Real(16.125), sum, -(Real(2.125) * outer)), madd(Real(1.0625), sum, -(Real(0.0625) * outer)),
            high - low};
}

template <typename Real>
DEVICE bool is_smooth(Real contrast_limit, Real before, Real low, Real high, Real after)
{
    const Real inner_least = low < high ? low : high, inner_most = low < high ? high : low;
    const Real outer_least = before < after ? before : after, outer_most = before < after ? after : before;
    const Real least = inner_least < outer_least ? inner_least : outer_least;
    const Real most = inner_most > outer_most ? inner_most : outer_most;
    return most <= contrast_limit * least;
}

template <typename Real>
DEVICE field_law<Real> field_law_of(Real contrast_limit, Real before, Real low, Real high, Real after)
{
    if (is_smooth(contrast_limit, before, low, high, after))
        return smooth_law_of(before, low, high, after);
    const Real sum = low + high;
    return {sum > 0 ? divide(48 * (low * high), sum) : Real(0), Real(0), Real(0)};
}

template <typename Real>
DEVICE Real field_flux(const field_law<Real> &law, Real before, Real low, Real high, Real after)
{
    const Real a = low - before, b = high - low, c = after - high;
    return madd(law.middle, b, madd(law.slope, a - c, -(law.mean * (a + c))));
}

// ---- dose

template <typename Real> struct dose_law {
    Real least_k, passed_k, most_k, weight_min;
    bool remembers;
};

DEVICE float power_of_two(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); // two units in the last place
    return y;
}

DEVICE double power_of_two(double x)
{
    return bioheat_exp2(x);
}

// The sum with a step's dose, for θ ≥ least_k; its sign is ISO's memory.
template <typename Real> DEVICE Real dose_with(const dose_law<Real> &law, Real low, Real theta)
{
    const Real above = theta - law.passed_k;
    bool is_halving = above >= 0;
    if (law.remembers) {
        is_halving = is_halving || signbit(low);
        const Real added = theta > law.most_k ? Real(INFINITY)
                                              : law.weight_min * power_of_two(is_halving ? above : 2 * above);
        const Real sum = fabs(low) + added;
        return is_halving ? -sum : sum;
    }
    return madd(law.weight_min, power_of_two(is_halving ? above : 2 * above), low);
}

template <typename Real> FATHOM_HOST_DEVICE dose_law<Real> dose_law_of(const heat_records &records)
{
    return {static_cast<Real>(records.least_k), static_cast<Real>(records.passed_k),
            static_cast<Real>(records.most_k), static_cast<Real>(records.weight_min),
            records.definition == BIOHEAT_DOSE_ISO};
}

// ---- places

// An index beyond a side: the mirror image or the opposite end. Further out, any valid cell.
DEVICE int mapped(int index, int cells, int is_periodic)
{
    if (index < 0)
        index = is_periodic ? index + cells : -1 - index;
    else if (index >= cells)
        index = is_periodic ? index - cells : 2 * cells - 1 - index;
    return min(max(index, 0), cells - 1);
}

// Whether there is a medium at an index beyond the sides: not beyond convective ones; steps reach beyond no
// fixed one.
DEVICE bool has_medium(const heat_shape &shape, const heat_media &media, int axis, int index)
{
    return (index >= 0 || !media.has_wall[2 * axis]) &&
           (index < shape.cells[axis] || !media.has_wall[2 * axis + 1]);
}

DEVICE long long plane_offset(const heat_step &step, int z)
{
    const int nz = step.shape.cells[BIOHEAT_Z];
    if (z < 0)
        return step.ghosts[z + HEAT_HALO];
    if (z >= nz)
        return step.ghosts[min(z - nz, HEAT_HALO - 1) + HEAT_HALO];
    return z * step.shape.plane;
}

DEVICE long long place_of(const heat_shape &shape, int z, int y, int x)
{
    return z * shape.plane + static_cast<long long>(y) * shape.pitch + x;
}

// Of a thread's cell x in the row of its block, of launches over all own cells (a block along y and z a row).
DEVICE long long own_place(const heat_shape &shape, int x)
{
    return place_of(shape, shape.first_own + static_cast<int>(blockIdx.z), static_cast<int>(blockIdx.y), x);
}

template <typename Value> FATHOM_HOST_DEVICE const Value *array(const void *pointer)
{
    return static_cast<const Value *>(pointer);
}

template <typename Value> FATHOM_HOST_DEVICE Value *array(void *pointer)
{
    return static_cast<Value *>(pointer);
}

// Share of a convective side in a cell of conductivity k: Δt/(ρc Δ) over 1/h + Δ/(2k).
template <typename Real> DEVICE Real wall_share(const heat_media &media, int side, Real gain, Real k)
{
    const Real spacing = static_cast<Real>(media.spacing_m[side / 2]);
    const Real transfer = static_cast<Real>(media.wall_transfer_w_m2_k[side]);
    return k > 0 ? gain / (spacing * (1 / transfer + spacing / (2 * k))) : Real(0);
}

// Whether the cell lies at that side of the grid.
DEVICE bool is_at_side(const heat_shape &shape, int side, int z, int y, int x)
{
    const int at = side / 2 == BIOHEAT_Z ? z : side / 2 == BIOHEAT_Y ? y : x;
    return at == (side % 2 ? shape.cells[side / 2] - 1 : 0);
}

} // namespace heat

#endif
