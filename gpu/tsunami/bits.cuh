// Small things of all of the tsunami's kernels, whatever the precision: neighbours in a warp, and whether a
// value is or changed from zero. Knows no scheme.
#ifndef FATHOM_GPU_TSUNAMI_BITS_CUH
#define FATHOM_GPU_TSUNAMI_BITS_CUH

#include <cuda_runtime.h>

namespace tsunami {

static __device__ __forceinline__ unsigned bits_of(float x)
{
    return __float_as_uint(x);
}

// Of a double: its sign, and whether any other bit is set.
static __device__ __forceinline__ unsigned bits_of(double x)
{
    return (unsigned)__double2hiint(x) | (unsigned)__double2loint(x) >> 1 | (unsigned)__double2loint(x);
}

// Not 0 but for the sign if the two differ; a zero that changed its sign did not.
static __device__ __forceinline__ unsigned changed_bits(float now, float before)
{
    return now != before ? 1u : 0u;
}

static __device__ __forceinline__ unsigned changed_bits(double now, double before)
{
    return now != before ? 1u : 0u;
}

// The value of the lane before (step −1) or after (+1).
template <typename Real> static __device__ __forceinline__ Real from_lane(Real value, int step)
{
    return step < 0 ? __shfl_up_sync(0xffffffffu, value, 1) : __shfl_down_sync(0xffffffffu, value, 1);
}

// Where a row or column beyond an edge is read: on the other side, or mirrored; further out, anything that is
// there.
static __device__ __forceinline__ int wrapped_or_mirrored(int index, int count, int is_periodic)
{
    if (index < 0)
        index = is_periodic ? index + count : -1 - index;
    else if (index >= count)
        index = is_periodic ? index - count : 2 * count - 1 - index;
    return min(max(index, 0), count - 1);
}

} // namespace tsunami

#endif
