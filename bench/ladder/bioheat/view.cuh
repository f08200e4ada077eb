// What the kernels of the ladder see, and their launches.
#ifndef FATHOM_BENCH_LADDER_BIOHEAT_VIEW_CUH
#define FATHOM_BENCH_LADDER_BIOHEAT_VIEW_CUH

#include "bench/ladder/bioheat/device.h"
#include "bench/ladder/bioheat/point.h"

#include <cuda_runtime.h>

namespace heat_ladder {

enum { BLOCK_MOST = 1024 }; // threads

struct view {
    const float *from, *coefficient; // [z][y][x]
    float *to;                       // the same as `from` where there is one array
    int columns, rows, planes;       // along x, y, z
};

struct point {
    int x, y, z;
};

__device__ inline int place_of(const view &all, const point &p)
{
    return (p.z * all.rows + p.y) * all.columns + p.x;
}

// Is it a point that is computed? None is below the borders: blocks begin at their end.
__device__ inline bool is_inner(const view &all, const point &p)
{
    return p.x < all.columns - HEAT_RIM && p.y < all.rows - HEAT_RIM && p.z < all.planes - HEAT_RIM;
}

// The thread's point where each thread has one.
__device__ inline point own_point()
{
    return {static_cast<int>(HEAT_RIM + blockIdx.x * blockDim.x + threadIdx.x),
            static_cast<int>(HEAT_RIM + blockIdx.y * blockDim.y + threadIdx.y),
            static_cast<int>(HEAT_RIM + blockIdx.z * blockDim.z + threadIdx.z)};
}

inline view view_of(const heat_ladder_device *device)
{
    const int other = device->kernel->has_one_array ? device->now : 1 - device->now;
    return {device->values[device->now],
            device->coefficient,
            device->values[other],
            device->columns,
            device->rows,
            device->planes};
}

inline dim3 block_of(const heat_ladder_device *device)
{
    return dim3(device->block[0], device->block[1], device->block[2]);
}

// Blocks that cover the computed points, with so many points of a block along each axis.
inline dim3 blocks_over(const heat_ladder_device *device, int x, int y, int z)
{
    const int rims = 2 * HEAT_RIM;
    return dim3((device->columns - rims + x - 1) / x, (device->rows - rims + y - 1) / y,
                (device->planes - rims + z - 1) / z);
}

// The same with as many points as threads.
inline dim3 blocks_over(const heat_ladder_device *device)
{
    return blocks_over(device, device->block[0], device->block[1], device->block[2]);
}

// A kernel may have more shared memory in a block than is usual only if it asks for it.
template <typename Kernel> cudaError_t allow_shared(Kernel kernel, size_t bytes)
{
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

} // namespace heat_ladder

#endif
