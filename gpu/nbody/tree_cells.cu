// The second half of a tree's construction on the device: its cells from the sorted keys, each by its first
// body from the keys nearby; then their sums, from the leaves upwards.
//
// With at most L bodies in a leaf: let c(i) be the depth down to which the keys of bodies i − 1 and i agree,
// and q(i) that of bodies i and i + L (−1 if there is no such body). A cell of depth d begins at i if d >
// c(i). It has more than L bodies if and only if q(i) ≥ d. The deepest divided cell that contains body i has
// the depth D(i) = min(20, largest of q(i − L) … q(i)), because any L + 1 consecutive bodies that include i
// reveal it. So the cells that begin at i have the depths c(i) + 1 … D(i) + 1; the last of them is a leaf.
#include "gpu/nbody/tree.cuh"
#include "gpu/sort.h"

namespace nbody {
namespace {

enum { L = NBODY_LEAF_BODIES, WARPS = TREE_TILE / 32, SUM_THREADS = 128 };
constexpr unsigned SUM_BLOCKS_MAX = 2112;

// ---- which cells begin where

DEVICE int common_depth(unsigned long long a, unsigned long long b)
{
    return a == b ? NBODY_KEY_BITS : (__clzll(static_cast<long long>(a ^ b)) - 1) / 3;
}

// Bit d: a cell of depth d begins at this thread's body. All threads of a tile call it.
__device__ unsigned depths_begun(const unsigned long long *keys, unsigned count)
{
    __shared__ unsigned long long near[L + 1 + TREE_TILE + L];
    __shared__ signed char depth_of_row[TREE_TILE + L]; // q of the bodies from L before the tile on
    const long long first = static_cast<long long>(blockIdx.x) * TREE_TILE;
    for (int k = threadIdx.x; k < L + 1 + TREE_TILE + L; k += TREE_TILE) {
        const long long i = first - L - 1 + k;
        near[k] = i >= 0 && i < count ? keys[i] : 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < TREE_TILE + L; k += TREE_TILE) {
        const long long i = first - L + k;
        const bool is_row = i >= 0 && i + L < count;
        depth_of_row[k] = is_row ? static_cast<signed char>(common_depth(near[k + 1], near[k + 1 + L])) : -1;
    }
    __syncthreads();
    const long long i = first + threadIdx.x;
    if (i >= count)
        return 0;
    int divided = -1;
    for (int k = 0; k <= L; k++)
        divided = max(divided, static_cast<int>(depth_of_row[threadIdx.x + k]));
    divided = min(divided, NBODY_KEY_BITS - 1);
    const int common = i > 0 ? common_depth(near[threadIdx.x + L], near[threadIdx.x + L + 1]) : -1;
    return common > divided ? 0 : (2u << (divided + 1)) - (1u << (common + 1));
}

// In lane d: the number of a warp's bodies that begin a cell of depth d.
DEVICE unsigned begun_in_warp(unsigned depths, unsigned lane)
{
    unsigned mine = 0;
    for (unsigned d = 0; d < TREE_DEPTHS; d++) {
        const unsigned begun = __popc(__ballot_sync(ALL_LANES, depths >> d & 1));
        mine = lane == d ? begun : mine;
    }
    const unsigned leaves = __popc(__ballot_sync(ALL_LANES, depths != 0));
    return lane == TREE_DEPTHS ? leaves : mine;
}

__global__ void __launch_bounds__(TREE_TILE)
    count_kernel(const unsigned long long *keys, unsigned count, unsigned *tile_counts)
{
    __shared__ unsigned begun[WARPS][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned depths = depths_begun(keys, count);
    begun[warp][lane] = begun_in_warp(depths, lane);
    __syncthreads();
    if (threadIdx.x < TREE_ROWS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += begun[w][lane];
        tile_counts[lane * gridDim.x + blockIdx.x] = sum;
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        tile_counts[TREE_ROWS * gridDim.x] = 0;
}

// Number of the first cell of a depth; TREE_DEPTHS: the number of cells.
DEVICE unsigned first_of_depth(const tree_arrays &tree, unsigned depth)
{
    return tree.tile_counts[depth * tree.tiles];
}

// A thread for each body writes the cells that begin with it, downwards: a cell's number is the first of its
// depth plus the cells of that depth before it.
__global__ void __launch_bounds__(TREE_TILE) fill_kernel(const __grid_constant__ tree_arrays tree)
{
    __shared__ unsigned begun[WARPS][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned depths = depths_begun(tree.keys[tree.current], tree.count);
    begun[warp][lane] = begun_in_warp(depths, lane);
    __syncthreads();
    if (threadIdx.x < TREE_DEPTHS) {
        unsigned sum = tree.tile_counts[lane * tree.tiles + blockIdx.x];
        for (int w = 0; w < WARPS; w++) {
            const unsigned own = begun[w][lane];
            begun[w][lane] = sum;
            sum += own;
        }
    }
    __syncthreads();
    const unsigned total = first_of_depth(tree, TREE_DEPTHS), before = (1u << lane) - 1;
    unsigned above = 0, cell = 0; // the cell of the depth above that this body is in; the last cell written
    bool has_cell = false;
    for (unsigned d = 0; d < TREE_DEPTHS; d++) {
        const bool begins = depths >> d & 1;
        const unsigned number = begun[warp][d] + __popc(__ballot_sync(ALL_LANES, begins) & before);
        if (has_cell)
            tree.first_child[cell] = number;
        has_cell = begins;
        if (begins) {
            cell = number;
            tree.start[cell] = blockIdx.x * TREE_TILE + threadIdx.x;
            tree.parent[cell] = above;
        }
        above = number - !begins;
    }
    if (has_cell)
        tree.first_child[cell] = total;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        tree.first_child[total] = total;
}

// ---- sums

// Mass, first and second moments about a point.
struct moments {
    double mass, x, y, z, xx, xy, xz, yy, yz, zz;
};

DEVICE void add_mass(moments &sum, double mass, double x, double y, double z)
{
    sum.mass += mass;
    sum.x = fma(mass, x, sum.x);
    sum.y = fma(mass, y, sum.y);
    sum.z = fma(mass, z, sum.z);
    sum.xx = fma(mass * x, x, sum.xx);
    sum.xy = fma(mass * x, y, sum.xy);
    sum.xz = fma(mass * x, z, sum.xz);
    sum.yy = fma(mass * y, y, sum.yy);
    sum.yz = fma(mass * y, z, sum.yz);
    sum.zz = fma(mass * z, z, sum.zz);
}

// Written by other threads of the launch: bypasses the caches that are not coherent.
DEVICE quad<float> load_fresh(const quad<float> *from)
{
    const float4 four = __ldcg(reinterpret_cast<const float4 *>(from));
    return {four.x, four.y, four.z, four.w};
}

DEVICE quad<double> load_fresh(const quad<double> *from)
{
    const double2 low = __ldcg(reinterpret_cast<const double2 *>(from));
    const double2 high = __ldcg(reinterpret_cast<const double2 *>(from) + 1);
    return {low.x, low.y, high.x, high.y};
}

// The cube of a cell: its middle and its side.
struct cell_cube {
    double x, y, z, side;
};

DEVICE double middle_of(const tree_cube &whole, int axis, double x, int depth, double side)
{
    const unsigned place = place_of(x, whole.corner[axis], whole.scale) >> (NBODY_KEY_BITS - depth);
    return fma(place + 0.5, side, whole.corner[axis]);
}

// `body`: any body of the cell.
template <typename Real> DEVICE cell_cube cube_of(const tree_cube &whole, const quad<Real> &body, int depth)
{
    const double side = whole.side * __longlong_as_double((1023ll - depth) << 52); // · 2^−depth
    return {middle_of(whole, NBODY_X, body.x, depth, side), middle_of(whole, NBODY_Y, body.y, depth, side),
            middle_of(whole, NBODY_Z, body.z, depth, side), side};
}

// The square of the distance from which a cell replaces its bodies.
DEVICE double opening_square(const tree_rule &rule, double side, double offset)
{
    double distance = rule.rule.distance;
    if (rule.rule.opening != NBODY_OPENING_DISTANCE)
        distance = side / rule.rule.theta + (rule.rule.opening == NBODY_OPENING_OFFSET ? offset : 0);
    return distance * distance;
}

// Writes a cell, whose moments are given about its cube's middle. A cell without mass becomes a leaf without
// bodies that is always opened, and so has no effect.
template <typename Real>
__device__ void finish_cell(const tree_arrays &tree, const tree_rule &rule, unsigned cell, tree_link link,
                            const cell_cube &cube, const moments &sum)
{
    const bool is_empty = sum.mass == 0;
    const double share = is_empty ? 0 : 1 / sum.mass, x = sum.x * share, y = sum.y * share, z = sum.z * share;
    const double open = opening_square(rule, cube.side, sqrt(fma(x, x, fma(y, y, z * z))));
    const double xx = fma(-sum.x, x, sum.xx), yy = fma(-sum.y, y, sum.yy), zz = fma(-sum.z, z, sum.zz);
    quad<Real> *const moment = static_cast<quad<Real> *>(tree.moments) + 2 * static_cast<size_t>(cell);
    tree.links[cell] = is_empty ? tree_link{0, TREE_LEAF} : link;
    static_cast<quad<Real> *>(tree.centres)[cell] = {
        static_cast<Real>(cube.x + x), static_cast<Real>(cube.y + y), static_cast<Real>(cube.z + z),
        is_empty ? static_cast<Real>(INFINITY) : static_cast<Real>(open)};
    moment[0] = {static_cast<Real>(3 * xx), static_cast<Real>(3 * fma(-sum.x, y, sum.xy)),
                 static_cast<Real>(3 * fma(-sum.x, z, sum.xz)), static_cast<Real>(3 * yy)};
    moment[1] = {static_cast<Real>(3 * fma(-sum.y, z, sum.yz)), static_cast<Real>(3 * zz),
                 static_cast<Real>(1.5 * (xx + yy + zz)), static_cast<Real>(sum.mass)};
    if (tree.cubes)
        static_cast<quad<Real> *>(tree.cubes)[cell] = {static_cast<Real>(cube.x), static_cast<Real>(cube.y),
                                                       static_cast<Real>(cube.z),
                                                       static_cast<Real>(cube.side / 2)};
}

template <typename Real>
__device__ void sum_leaf(const tree_arrays &tree, const tree_rule &rule, const tree_cube &whole,
                         const quad<Real> *bodies, unsigned leaf, int depth)
{
    const unsigned long long *const keys = tree.keys[tree.current];
    const unsigned start = tree.start[leaf];
    const unsigned long long key = keys[start];
    const cell_cube cube = cube_of(whole, load(bodies + start), depth);
    const int shift = 3 * (NBODY_KEY_BITS - depth);
    moments sum = {};
    unsigned end = start;
    do {
        const quad<Real> body = load(bodies + end);
        add_mass(sum, body.w, body.x - cube.x, body.y - cube.y, body.z - cube.z);
        end++;
    } while (end < tree.count && keys[end] >> shift == key >> shift);
    finish_cell<Real>(tree, rule, leaf, {start, (end - start) | TREE_LEAF}, cube, sum);
}

template <typename Real>
__device__ void sum_children(const tree_arrays &tree, const tree_rule &rule, const tree_cube &whole,
                             const quad<Real> *bodies, unsigned cell, unsigned first, unsigned last,
                             int depth)
{
    const quad<Real> *const centres = static_cast<const quad<Real> *>(tree.centres);
    const quad<Real> *const all_moments = static_cast<const quad<Real> *>(tree.moments);
    const cell_cube cube = cube_of(whole, load(bodies + tree.start[cell]), depth);
    moments sum = {};
    for (unsigned child = first; child < last; child++) {
        const quad<Real> centre = load_fresh(centres + child);
        const quad<Real> low = load_fresh(all_moments + 2 * static_cast<size_t>(child));
        const quad<Real> high = load_fresh(all_moments + 2 * static_cast<size_t>(child) + 1);
        const double third = 1.0 / 3;
        add_mass(sum, high.w, centre.x - cube.x, centre.y - cube.y, centre.z - cube.z);
        sum.xx += third * low.x;
        sum.xy += third * low.y;
        sum.xz += third * low.z;
        sum.yy += third * low.w;
        sum.yz += third * high.x;
        sum.zz += third * high.y;
    }
    finish_cell<Real>(tree, rule, cell, {first, last - first}, cube, sum);
}

// A thread sums up a leaf; the last thread to reach a cell continues with that cell. The order of the sums
// does not depend on which thread it is.
template <typename Real>
__global__ void __launch_bounds__(SUM_THREADS)
    sums_kernel(const __grid_constant__ tree_arrays tree, const __grid_constant__ tree_rule rule,
                const quad<Real> *bodies)
{
    __shared__ unsigned firsts[TREE_DEPTHS];
    if (threadIdx.x < TREE_DEPTHS)
        firsts[threadIdx.x] = first_of_depth(tree, threadIdx.x);
    __syncthreads();
    const tree_cube whole = *tree.cube;
    if (!whole.is_valid)
        return;
    const unsigned total = first_of_depth(tree, TREE_DEPTHS);
    for (size_t k = blockIdx.x * SUM_THREADS + threadIdx.x; k < total; k += gridDim.x * SUM_THREADS) {
        unsigned cell = static_cast<unsigned>(k);
        if (tree.first_child[cell] < tree.first_child[cell + 1])
            continue;
        int depth = 0;
        while (depth < NBODY_KEY_BITS && firsts[depth + 1] <= cell)
            depth++;
        sum_leaf<Real>(tree, rule, whole, bodies, cell, depth);
        while (depth > 0) {
            cell = tree.parent[cell];
            depth--;
            const unsigned first = tree.first_child[cell], last = tree.first_child[cell + 1];
            __threadfence();
            if (atomicAdd(&tree.arrived[cell], 1u) + 1 < last - first)
                break;
            __threadfence();
            tree.arrived[cell] = 0;
            sum_children<Real>(tree, rule, whole, bodies, cell, first, last, depth);
        }
    }
}

cudaError_t add_up_tiles(const tree_arrays &tree, cudaStream_t stream)
{
    size_t bytes = tree.scratch_bytes;
    return gpu_sort_running_sums(tree.scratch, &bytes, tree.tile_counts, TREE_ROWS * tree.tiles + 1, stream);
}

} // namespace
} // namespace nbody

using namespace nbody;

extern "C" cudaError_t device_tree_make_cells(const tree_arrays *tree, cudaStream_t stream)
{
    count_kernel<<<tree->tiles, TREE_TILE, 0, stream>>>(tree->keys[tree->current], tree->count,
                                                        tree->tile_counts);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = add_up_tiles(*tree, stream);
    if (error != cudaSuccess)
        return error;
    fill_kernel<<<tree->tiles, TREE_TILE, 0, stream>>>(*tree);
    return cudaGetLastError();
}

extern "C" cudaError_t device_tree_sum_cells(const tree_arrays *tree, const tree_rule *rule,
                                             const void *bodies, element precision, cudaStream_t stream)
{
    const unsigned needed = kernels::blocks_for(tree->count, SUM_THREADS);
    const unsigned blocks = needed < SUM_BLOCKS_MAX ? needed : SUM_BLOCKS_MAX;
    return kernels::launch(precision, [&](auto real) {
        sums_kernel<<<blocks, SUM_THREADS, 0, stream>>>(*tree, *rule,
                                                        static_cast<const quad<decltype(real)> *>(bodies));
    });
}

extern "C" cudaError_t device_tree_load_cells(const tree_arrays *tree, element precision, cudaStream_t stream)
{
    const cudaError_t error = kernels::with_real(precision, [](auto real) {
        return kernels::load(count_kernel, fill_kernel, sums_kernel<decltype(real)>);
    });
    return error == cudaSuccess ? add_up_tiles(*tree, stream) : error;
}
