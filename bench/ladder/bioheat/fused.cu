// The rungs that make three steps in shared memory: a block loads all points on which its own depend, and
// computes what it needs of them, part of it in other blocks, too.
#include "bench/ladder/bioheat/view.cuh"

#include <cmath>

namespace heat_ladder {
namespace {

enum { STEPS = 3, PASSES = STEPS * HEAT_COLOURS };

// How far, in each pass, the computed points reach beyond the block's own along each axis, downwards and
// upwards, and how far the loaded ones do.
struct reach {
    int passes;
    int below[PASSES], above[PASSES], load_below, load_above;
};

// Steps into a second array: each needs two more points on each side.
reach plain_reach(int steps)
{
    reach r = {};
    r.passes = steps;
    for (int k = 0; k < steps; k++)
        r.below[k] = r.above[k] = HEAT_RIM * (steps - 1 - k);
    r.load_below = r.load_above = HEAT_RIM * steps;
    return r;
}

// Colour after colour, backwards: a point of colour c needs, one below and two above, those of colour c − 1,
// and one above and two below those of c + 1, as the pass before left them.
reach coloured_reach(int steps)
{
    reach r = {};
    int below[HEAT_COLOURS] = {0}, above[HEAT_COLOURS] = {0}; // of each colour, from here on
    r.passes = steps * HEAT_COLOURS;
    for (int pass = r.passes - 1; pass >= 0; pass--) {
        const int c = pass % HEAT_COLOURS, next = (c + 1) % HEAT_COLOURS, last = (c + 2) % HEAT_COLOURS;
        r.below[pass] = below[c];
        r.above[pass] = above[c];
        below[last] = max(below[last], below[c] + 1);
        above[last] = max(above[last], above[c] + 2);
        below[next] = max(below[next], below[c] + 2);
        above[next] = max(above[next], above[c] + 1);
    }
    for (int c = 0; c < HEAT_COLOURS; c++) {
        r.load_below = max(r.load_below, below[c]);
        r.load_above = max(r.load_above, above[c]);
    }
    return r;
}

// A box of points in shared memory, x fastest.
struct tile {
    point first;
    int columns, rows, planes;
};

// The block's points with so many more on each side.
__device__ tile tile_of(int below, int above)
{
    const int columns = blockDim.x, rows = blockDim.y, planes = blockDim.z, more = below + above;
    return {{HEAT_RIM + static_cast<int>(blockIdx.x) * columns - below,
             HEAT_RIM + static_cast<int>(blockIdx.y) * rows - below,
             HEAT_RIM + static_cast<int>(blockIdx.z) * planes - below},
            columns + more,
            rows + more,
            planes + more};
}

__device__ int place_in(const tile &own, const point &p)
{
    return ((p.z - own.first.z) * own.rows + p.y - own.first.y) * own.columns + p.x - own.first.x;
}

__device__ bool is_there(const view &all, const point &p)
{
    return min(min(p.x, p.y), p.z) >= 0 && p.x < all.columns && p.y < all.rows && p.z < all.planes;
}

__device__ bool is_computed(const view &all, const point &p)
{
    return min(min(p.x, p.y), p.z) >= HEAT_RIM && is_inner(all, p);
}

__device__ float advanced_in(const tile &own, const float *values, const view &all, const point &p)
{
    return heat_ladder_advanced_at(values + place_in(own, p), own.columns,
                                   static_cast<ptrdiff_t>(own.columns) * own.rows,
                                   all.coefficient[place_of(all, p)]);
}

// Calls work(point) for the points of a box that are in the grid, all threads in turns.
template <typename Work> __device__ void for_each(const view &all, const tile &box, const Work &work)
{
    for (int z = threadIdx.z; z < box.planes; z += blockDim.z)
        for (int y = threadIdx.y; y < box.rows; y += blockDim.y)
            for (int x = threadIdx.x; x < box.columns; x += blockDim.x) {
                const point p = {box.first.x + x, box.first.y + y, box.first.z + z};
                if (is_there(all, p))
                    work(p);
            }
    __syncthreads();
}

__global__ void __launch_bounds__(BLOCK_MOST) steps_kernel(const view all, const reach r)
{
    extern __shared__ float shared[];
    tile own = tile_of(r.load_below, r.load_above);
    float *values = shared, *next = shared + own.columns * own.rows * own.planes;
    for_each(all, own, [&](const point &p) { values[place_in(own, p)] = all.from[place_of(all, p)]; });
    for (int k = 0; k < r.passes - 1; k++) {
        const tile smaller = tile_of(r.below[k], r.above[k]);
        for_each(all, smaller, [&](const point &p) {
            next[place_in(smaller, p)] =
                is_computed(all, p) ? advanced_in(own, values, all, p) : values[place_in(own, p)];
        });
        float *const free_values = values;
        values = next;
        next = free_values;
        own = smaller;
    }
    const point p = own_point();
    if (is_inner(all, p))
        all.to[place_of(all, p)] = advanced_in(own, values, all, p);
}

// Updates the colour's points of a box, of those that are computed.
__device__ void update_colour(const view &all, const tile &own, const tile &box, int colour, float *values)
{
    const int first_x = max(box.first.x, HEAT_RIM), first_y = max(box.first.y, HEAT_RIM),
              first_z = max(box.first.z, HEAT_RIM);
    const int end_x = min(box.first.x + box.columns, all.columns - HEAT_RIM),
              end_y = min(box.first.y + box.rows, all.rows - HEAT_RIM),
              end_z = min(box.first.z + box.planes, all.planes - HEAT_RIM);
    for (int z = first_z + threadIdx.z; z < end_z; z += blockDim.z)
        for (int y = first_y + threadIdx.y; y < end_y; y += blockDim.y)
            for (int x = heat_ladder_first_of_colour(first_x, y, z, colour) + HEAT_COLOURS * threadIdx.x;
                 x < end_x; x += HEAT_COLOURS * blockDim.x) {
                const point p = {x, y, z};
                values[place_in(own, p)] = advanced_in(own, values, all, p);
            }
    __syncthreads();
}

__global__ void __launch_bounds__(BLOCK_MOST) coloured_kernel(const view all, const reach r)
{
    extern __shared__ float values[];
    const tile own = tile_of(r.load_below, r.load_above);
    for_each(all, own, [&](const point &p) { values[place_in(own, p)] = all.from[place_of(all, p)]; });
    for (int k = 0; k < r.passes; k++)
        update_colour(all, own, tile_of(r.below[k], r.above[k]), k % HEAT_COLOURS, values);
    const point p = own_point();
    if (is_inner(all, p))
        all.to[place_of(all, p)] = values[place_in(own, p)];
}

size_t points_of(const int block[LADDER_AXES], int more)
{
    return static_cast<size_t>(block[0] + more) * (block[1] + more) * (block[2] + more);
}

// The step's points go from the first array into the second, those of the next one back.
size_t bytes_of(const int block[LADDER_AXES], int steps)
{
    const size_t second = steps > 1 ? points_of(block, 2 * HEAT_RIM * (steps - 1)) : 0;
    return (points_of(block, 2 * HEAT_RIM * steps) + second) * sizeof(float);
}

size_t coloured_bytes_of(const int block[LADDER_AXES], int steps)
{
    const reach r = coloured_reach(steps);
    return points_of(block, r.load_below + r.load_above) * sizeof(float);
}

// As many launches of three steps as go into the count, then one of what is left.
template <typename Kernel>
cudaError_t advance(heat_ladder_device *device, int count, Kernel kernel, reach (*reach_of)(int),
                    size_t (*shared_bytes)(const int *, int))
{
    const cudaError_t error = allow_shared(kernel, shared_bytes(device->block, STEPS));
    while (count > 0 && error == cudaSuccess) {
        const int steps = count < STEPS ? count : STEPS;
        const size_t bytes = shared_bytes(device->block, steps);
        kernel<<<blocks_over(device), block_of(device), bytes, device->stream>>>(view_of(device),
                                                                                 reach_of(steps));
        device->now = 1 - device->now;
        count -= steps;
    }
    return error == cudaSuccess ? cudaGetLastError() : error;
}

// The points that all blocks together compute along an axis, in a pass.
double computed_along(int length, int block, int below, int above)
{
    double sum = 0;
    for (int first = HEAT_RIM; first < length - HEAT_RIM; first += block)
        sum += min(first + block + above, length - HEAT_RIM) - max(first - below, static_cast<int>(HEAT_RIM));
    return sum;
}

// Operations of a step: of all points that are computed in a launch of three, by a third. A colour has a
// third of the points.
void count_all(const ladder_case *wanted, const reach &r, ladder_counts *counts)
{
    const double of_point = counts->operations / counts->work;
    double points = 0;
    for (int k = 0; k < r.passes; k++) {
        double box = 1;
        for (int axis = 0; axis < LADDER_AXES; axis++)
            box *= computed_along(static_cast<int>(wanted->size[axis]), wanted->block[LADDER_AXES - 1 - axis],
                                  r.below[k], r.above[k]);
        points += box * STEPS / r.passes;
    }
    counts->operations = of_point * points / STEPS;
}

} // namespace
} // namespace heat_ladder

using namespace heat_ladder;

extern "C" size_t heat_ladder_fused_bytes(const int block[LADDER_AXES])
{
    return bytes_of(block, STEPS);
}

extern "C" size_t heat_ladder_fused_colours_bytes(const int block[LADDER_AXES])
{
    return coloured_bytes_of(block, STEPS);
}

extern "C" void heat_ladder_fused_count(const ladder_case *wanted, ladder_counts *counts)
{
    count_all(wanted, plain_reach(STEPS), counts);
}

extern "C" void heat_ladder_fused_colours_count(const ladder_case *wanted, ladder_counts *counts)
{
    count_all(wanted, coloured_reach(STEPS), counts);
}

extern "C" cudaError_t heat_ladder_fused_advance(heat_ladder_device *device, int count)
{
    return advance(device, count, steps_kernel, plain_reach, bytes_of);
}

extern "C" cudaError_t heat_ladder_fused_colours_advance(heat_ladder_device *device, int count)
{
    return advance(device, count, coloured_kernel, coloured_reach, coloured_bytes_of);
}
