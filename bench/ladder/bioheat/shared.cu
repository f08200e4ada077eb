// The rungs that load a block's points, with two more on each side, into shared memory.
#include "bench/ladder/bioheat/view.cuh"

namespace heat_ladder {
namespace {

enum { POINTS = 8 }; // of a thread, along z

// A block's points with their rims in shared memory, x fastest.
struct tile {
    point first; // of the points with their rims
    int columns, rows, planes;
};

__device__ tile tile_of(int columns, int rows, int planes)
{
    return {{static_cast<int>(blockIdx.x) * columns, static_cast<int>(blockIdx.y) * rows,
             static_cast<int>(blockIdx.z) * planes},
            columns + 2 * HEAT_RIM,
            rows + 2 * HEAT_RIM,
            planes + 2 * HEAT_RIM};
}

__device__ int place_in(const tile &own, const point &p)
{
    return ((p.z - own.first.z) * own.rows + p.y - own.first.y) * own.columns + p.x - own.first.x;
}

__device__ bool is_there(const view &all, const point &p)
{
    return p.x < all.columns && p.y < all.rows && p.z < all.planes;
}

__device__ float advanced_in(const tile &own, const float *values, const view &all, const point &p)
{
    return heat_ladder_advanced_at(values + place_in(own, p), own.columns,
                                   static_cast<ptrdiff_t>(own.columns) * own.rows,
                                   all.coefficient[place_of(all, p)]);
}

// All threads load all points, with the corners, which nothing needs.
__device__ void load_in_turns(const view &all, const tile &own, float *values)
{
    for (int z = threadIdx.z; z < own.planes; z += blockDim.z)
        for (int y = threadIdx.y; y < own.rows; y += blockDim.y)
            for (int x = threadIdx.x; x < own.columns; x += blockDim.x) {
                const point p = {own.first.x + x, own.first.y + y, own.first.z + z};
                if (is_there(all, p))
                    values[place_in(own, p)] = all.from[place_of(all, p)];
            }
    __syncthreads();
}

// The threads at two opposite sides of the block load the rims there.
__device__ void load_sides(const view &all, const point &p, int in_block, int of_block, int length,
                           int distance, int tile_distance, float *here)
{
    const float *const at = all.from + place_of(all, p);
    if (in_block < HEAT_RIM)
        here[-HEAT_RIM * tile_distance] = at[-HEAT_RIM * distance];
    if (in_block >= of_block - HEAT_RIM && length > HEAT_RIM)
        here[HEAT_RIM * tile_distance] = at[HEAT_RIM * distance];
}

__global__ void __launch_bounds__(BLOCK_MOST) shared_kernel(const view all)
{
    extern __shared__ float values[];
    const tile own = tile_of(blockDim.x, blockDim.y, blockDim.z);
    const point p = own_point();
    if (is_there(all, p)) { // beyond the last computed points, too, where those have neighbours
        float *const here = values + place_in(own, p);
        *here = all.from[place_of(all, p)];
        load_sides(all, p, threadIdx.x, blockDim.x, all.columns - p.x, 1, 1, here);
        load_sides(all, p, threadIdx.y, blockDim.y, all.rows - p.y, all.columns, own.columns, here);
        load_sides(all, p, threadIdx.z, blockDim.z, all.planes - p.z, all.columns * all.rows,
                   own.columns * own.rows, here);
    }
    __syncthreads();
    if (is_inner(all, p))
        all.to[place_of(all, p)] = advanced_in(own, values, all, p);
}

__global__ void __launch_bounds__(BLOCK_MOST) borders_kernel(const view all)
{
    extern __shared__ float values[];
    const tile own = tile_of(blockDim.x, blockDim.y, blockDim.z);
    const point p = own_point();
    load_in_turns(all, own, values);
    if (is_inner(all, p))
        all.to[place_of(all, p)] = advanced_in(own, values, all, p);
}

__global__ void __launch_bounds__(BLOCK_MOST) points_kernel(const view all)
{
    extern __shared__ float values[];
    const tile own = tile_of(blockDim.x, blockDim.y, POINTS * blockDim.z);
    point p = own_point();
    load_in_turns(all, own, values);
    p.z = HEAT_RIM + POINTS * (p.z - HEAT_RIM);
    for (int k = 0; k < POINTS && is_inner(all, p); k++, p.z++)
        all.to[place_of(all, p)] = advanced_in(own, values, all, p);
}

// In the rims the colour's points stay out: other blocks write them meanwhile, and no point here needs them.
__device__ void load_for_colour(const view &all, const tile &own, int colour, float *values)
{
    for (int z = threadIdx.z; z < own.planes; z += blockDim.z)
        for (int y = threadIdx.y; y < own.rows; y += blockDim.y)
            for (int x = threadIdx.x; x < own.columns; x += blockDim.x) {
                const point p = {own.first.x + x, own.first.y + y, own.first.z + z};
                const bool is_rim = min(min(x, y), z) < HEAT_RIM || x >= own.columns - HEAT_RIM ||
                                    y >= own.rows - HEAT_RIM || z >= own.planes - HEAT_RIM;
                if (is_there(all, p) && !(is_rim && (p.x + p.y + p.z) % HEAT_COLOURS == colour))
                    values[place_in(own, p)] = all.to[place_of(all, p)];
            }
    __syncthreads();
}

__global__ void __launch_bounds__(BLOCK_MOST) colour_kernel(const view all, int colour)
{
    extern __shared__ float values[];
    const tile own = tile_of(HEAT_COLOURS * blockDim.x, blockDim.y, blockDim.z);
    point p = own_point();
    load_for_colour(all, own, colour, values);
    p.x = heat_ladder_first_of_colour(HEAT_RIM + HEAT_COLOURS * (p.x - HEAT_RIM), p.y, p.z, colour);
    if (is_inner(all, p))
        all.to[place_of(all, p)] = advanced_in(own, values, all, p);
}

size_t bytes_of(int columns, int rows, int planes)
{
    const int rims = 2 * HEAT_RIM;
    return static_cast<size_t>(columns + rims) * (rows + rims) * (planes + rims) * sizeof(float);
}

// Steps of a kernel whose threads have so many points each along z.
template <typename Kernel>
cudaError_t advance(heat_ladder_device *device, int count, Kernel kernel, int points)
{
    const int *const block = device->block;
    const size_t bytes = device->kernel->shared_bytes(block);
    const cudaError_t error = allow_shared(kernel, bytes);
    const dim3 blocks = blocks_over(device, block[0], block[1], points * block[2]);
    for (int k = 0; k < count && error == cudaSuccess; k++) {
        kernel<<<blocks, block_of(device), bytes, device->stream>>>(view_of(device));
        device->now = 1 - device->now;
    }
    return error == cudaSuccess ? cudaGetLastError() : error;
}

} // namespace
} // namespace heat_ladder

using namespace heat_ladder;

extern "C" size_t heat_ladder_shared_bytes(const int block[LADDER_AXES])
{
    return bytes_of(block[0], block[1], block[2]);
}

extern "C" size_t heat_ladder_shared_8_bytes(const int block[LADDER_AXES])
{
    return bytes_of(block[0], block[1], POINTS * block[2]);
}

extern "C" size_t heat_ladder_shared_colours_bytes(const int block[LADDER_AXES])
{
    return bytes_of(HEAT_COLOURS * block[0], block[1], block[2]);
}

extern "C" cudaError_t heat_ladder_shared_advance(heat_ladder_device *device, int count)
{
    return advance(device, count, shared_kernel, 1);
}

extern "C" cudaError_t heat_ladder_shared_borders_advance(heat_ladder_device *device, int count)
{
    return advance(device, count, borders_kernel, 1);
}

extern "C" cudaError_t heat_ladder_shared_8_advance(heat_ladder_device *device, int count)
{
    return advance(device, count, points_kernel, POINTS);
}

extern "C" cudaError_t heat_ladder_shared_colours_advance(heat_ladder_device *device, int count)
{
    const int *const block = device->block;
    const size_t bytes = heat_ladder_shared_colours_bytes(block);
    const cudaError_t error = allow_shared(colour_kernel, bytes);
    const dim3 blocks = blocks_over(device, HEAT_COLOURS * block[0], block[1], block[2]);
    for (int k = 0; k < HEAT_COLOURS * count && error == cudaSuccess; k++)
        colour_kernel<<<blocks, block_of(device), bytes, device->stream>>>(view_of(device), k % HEAT_COLOURS);
    return error == cudaSuccess ? cudaGetLastError() : error;
}
