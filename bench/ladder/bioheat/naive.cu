// The naive rungs: a thread computes a point from global memory.
#include "bench/ladder/bioheat/view.cuh"

namespace heat_ladder {
namespace {

__global__ void __launch_bounds__(BLOCK_MOST) naive_kernel(const view all)
{
    const point p = own_point();
    if (!is_inner(all, p))
        return;
    const int at = place_of(all, p);
    all.to[at] = heat_ladder_advanced_at(all.from + at, all.columns,
                                         static_cast<ptrdiff_t>(all.columns) * all.rows, all.coefficient[at]);
}

// The thread's point is one of three along x, that of the colour: neighbouring threads stride by three.
__global__ void __launch_bounds__(BLOCK_MOST) colour_kernel(const view all, int colour)
{
    point p = own_point();
    const int first = HEAT_RIM + HEAT_COLOURS * (p.x - HEAT_RIM);
    p.x = heat_ladder_first_of_colour(first, p.y, p.z, colour);
    if (!is_inner(all, p))
        return;
    const int at = place_of(all, p);
    all.to[at] = heat_ladder_advanced_at(all.to + at, all.columns,
                                         static_cast<ptrdiff_t>(all.columns) * all.rows, all.coefficient[at]);
}

} // namespace
} // namespace heat_ladder

using namespace heat_ladder;

extern "C" cudaError_t heat_ladder_naive_advance(heat_ladder_device *device, int count)
{
    for (int k = 0; k < count; k++) {
        naive_kernel<<<blocks_over(device), block_of(device), 0, device->stream>>>(view_of(device));
        device->now = 1 - device->now;
    }
    return cudaGetLastError();
}

extern "C" cudaError_t heat_ladder_naive_colours_advance(heat_ladder_device *device, int count)
{
    const int *const block = device->block;
    const dim3 blocks = blocks_over(device, HEAT_COLOURS * block[0], block[1], block[2]);
    for (int k = 0; k < HEAT_COLOURS * count; k++)
        colour_kernel<<<blocks, block_of(device), 0, device->stream>>>(view_of(device), k % HEAT_COLOURS);
    return cudaGetLastError();
}
