// Helpers of the tsunami's kernels in both precisions: the bits of values, values of other lanes of a warp,
// indices beyond an edge. Independent of the scheme.
#ifndef FATHOM_GPU_TSUNAMI_BITS_CUH
#define FATHOM_GPU_TSUNAMI_BITS_CUH

#include "gpu/inline.cuh"

namespace tsunami {

DEVICE unsigned bits_of(float x)
{
    return __float_as_uint(x);
}

// Combines the bits of a double: bits 0 to 30 of the result are all 0 only for ±0.
DEVICE unsigned bits_of(double x)
{
    return (unsigned)__double2hiint(x) | (unsigned)__double2loint(x) >> 1 | (unsigned)__double2loint(x);
}

// 1 if the two values differ, else 0. +0 and −0 are equal.
DEVICE unsigned changed_bits(float now, float before)
{
    return now != before ? 1u : 0u;
}

DEVICE unsigned changed_bits(double now, double before)
{
    return now != before ? 1u : 0u;
}

// The value in the previous lane (step −1) or the next one (+1).
template <typename Real> DEVICE Real from_lane(Real value, int step)
{
    return step < 0 ? __shfl_up_sync(0xffffffffu, value, 1) : __shfl_down_sync(0xffffffffu, value, 1);
}

// The index whose values a row or column beyond an edge takes: at a periodic edge the one on the opposite
// side, else the mirrored one. Indices still outside are limited to the valid range.
DEVICE int wrapped_or_mirrored(int index, int count, int is_periodic)
{
    if (index < 0)
        index = is_periodic ? index + count : -1 - index;
    else if (index >= count)
        index = is_periodic ? index - count : 2 * count - 1 - index;
    return min(max(index, 0), count - 1);
}

} // namespace tsunami

#endif
