// Flags of moving tiles on their way to neighbouring ranks (see the header).
#include "gpu/tsunami/flags.h"

#include "gpu/launch.cuh"

namespace {

enum { THREADS = 128 };

__host__ __device__ int flags_of(const tsunami_border_flags &f)
{
    return FLAG_ROWS * f.parts * f.columns;
}

// A thread a flag; a side for each of the blocks along y.
__global__ void pack_flags(const __grid_constant__ tsunami_border_flags f)
{
    const int k = static_cast<int>(blockIdx.x * THREADS + threadIdx.x), side = static_cast<int>(blockIdx.y);
    if (f.has_neighbour[side] && k < flags_of(f))
        f.send[side][k] = f.moving[f.sent[side] * f.parts * f.columns + k];
}

__global__ void merge_flags(const __grid_constant__ tsunami_border_flags f)
{
    const int k = static_cast<int>(blockIdx.x * THREADS + threadIdx.x), side = static_cast<int>(blockIdx.y);
    if (!f.has_neighbour[side] || k >= flags_of(f))
        return;
    unsigned char *const flag = &f.into[f.received[side] * f.parts * f.columns + k];
    const unsigned char theirs = f.receive[side][k];
    const int row = k / f.columns;
    if (row >= f.first_kept[side] && row < f.end_kept[side])
        return;
    if (row != f.shared[side] || theirs)
        *flag = theirs;
}

dim3 blocks_of(const tsunami_border_flags *flags)
{
    return dim3(kernels::blocks_for(flags_of(*flags), THREADS), GPU_EXCHANGE_SIDES);
}

} // namespace

extern "C" cudaError_t tsunami_launch_pack_flags(const tsunami_border_flags *flags, cudaStream_t stream)
{
    pack_flags<<<blocks_of(flags), THREADS, 0, stream>>>(*flags);
    return cudaGetLastError();
}

extern "C" cudaError_t tsunami_launch_merge_flags(const tsunami_border_flags *flags, cudaStream_t stream)
{
    merge_flags<<<blocks_of(flags), THREADS, 0, stream>>>(*flags);
    return cudaGetLastError();
}
