// Helpers of the tsunami's kernels in both precisions: the bits of values, neighbours in a warp, indices
// beyond an edge. Knows no scheme.
#ifndef FATHOM_GPU_TSUNAMI_BITS_CUH
#define FATHOM_GPU_TSUNAMI_BITS_CUH

#include "gpu/inline.cuh"

namespace tsunami {

DEVICE unsigned bits_of(float x)
{
    return __float_as_uint(x);
}

// Of a double: its sign, and all other bits combined.
DEVICE unsigned bits_of(double x)
{
    return (unsigned)__double2hiint(x) | (unsigned)__double2loint(x) >> 1 | (unsigned)__double2loint(x);
}

// 1 if the two differ; zeros of different sign do not.
DEVICE unsigned changed_bits(float now, float before)
{
    return now != before ? 1u : 0u;
}

DEVICE unsigned changed_bits(double now, double before)
{
    return now != before ? 1u : 0u;
}

// The value of the lane before (step −1) or after (+1).
template <typename Real> DEVICE Real from_lane(Real value, int step)
{
    return step < 0 ? __shfl_up_sync(0xffffffffu, value, 1) : __shfl_down_sync(0xffffffffu, value, 1);
}

// The index from which a row or column beyond an edge is read: on the opposite side, or mirrored; further
// out, any valid one.
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
