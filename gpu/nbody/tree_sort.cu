// The first half of a tree's construction on the device: the bodies' cube, their keys, the sort (CUB's,
// stable), and the bodies in the new order.
#include "gpu/nbody/tree.cuh"
#include "gpu/sort.h"

namespace nbody {
namespace {

enum { THREADS = 256 };

// ---- the cube

// The least value; the largest is minus the least of the negatives. NaN is ignored.
DEVICE double least_of_warp(double value)
{
    for (int step = 16; step > 0; step /= 2)
        value = fmin(value, __shfl_xor_sync(ALL_LANES, value, step));
    return value;
}

// Of a block's threads; the result is in thread 0.
__device__ void least_of_block(double (&least)[TREE_SIDES])
{
    __shared__ double warps[THREADS / 32][TREE_SIDES];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int side = 0; side < TREE_SIDES; side++) {
        least[side] = least_of_warp(least[side]);
        if (lane == 0)
            warps[warp][side] = least[side];
    }
    __syncthreads();
    for (int side = 0; side < TREE_SIDES; side++)
        for (int w = 0; threadIdx.x == 0 && w < THREADS / 32; w++)
            least[side] = fmin(least[side], warps[w][side]);
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    boxes_kernel(const quad<Real> *bodies, unsigned count, double *boxes)
{
    double least[TREE_SIDES] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        const quad<Real> body = load(bodies + i);
        const double at[NBODY_AXES] = {body.x, body.y, body.z};
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            least[axis] = fmin(least[axis], at[axis]);
            least[NBODY_AXES + axis] = fmin(least[NBODY_AXES + axis], -at[axis]);
        }
    }
    least_of_block(least);
    for (int side = 0; threadIdx.x == 0 && side < TREE_SIDES; side++)
        boxes[blockIdx.x * TREE_SIDES + side] = least[side];
}

__global__ void __launch_bounds__(THREADS) cube_kernel(const double *boxes, unsigned count, tree_cube *cube)
{
    double least[TREE_SIDES] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        for (int side = 0; side < TREE_SIDES; side++)
            least[side] = fmin(least[side], boxes[i * TREE_SIDES + side]);
    least_of_block(least);
    if (threadIdx.x > 0)
        return;
    double longest = 0;
    for (int axis = 0; axis < NBODY_AXES; axis++)
        longest = fmax(longest, -least[NBODY_AXES + axis] - least[axis]);
    const double side = longest > 0 ? longest * (1 + 0x1p-20) : 1;
    bool is_valid = isfinite(side);
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        cube->corner[axis] = (least[axis] - least[NBODY_AXES + axis]) / 2 - side / 2;
        is_valid = is_valid && isfinite(cube->corner[axis]);
    }
    cube->side = side;
    cube->scale = (1 << NBODY_KEY_BITS) / side;
    cube->is_valid = is_valid;
}

// ---- keys

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    keys_kernel(const quad<Real> *bodies, unsigned count, const tree_cube *cube, unsigned long long *keys,
                unsigned *order)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const quad<Real> body = load(bodies + i);
    const double scale = cube->scale;
    keys[i] = nbody_tree_key(place_of(body.x, cube->corner[NBODY_X], scale),
                             place_of(body.y, cube->corner[NBODY_Y], scale),
                             place_of(body.z, cube->corner[NBODY_Z], scale));
    order[i] = i;
}

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    reorder_kernel(unsigned count, const unsigned *order, const quad<Real> *bodies,
                   const quad<Real> *velocities, const unsigned *ids, quad<Real> *new_bodies,
                   quad<Real> *new_velocities, unsigned *new_ids)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const unsigned from = order[i];
    new_bodies[i] = load(bodies + from);
    new_velocities[i] = load(velocities + from);
    new_ids[i] = ids[from];
}

cudaError_t sort_by_keys(tree_arrays &tree, cudaStream_t stream)
{
    gpu_sort_values order = {{tree.order[0], tree.order[1]}, tree.count, tree.current};
    size_t bytes = tree.scratch_bytes;
    const cudaError_t error =
        gpu_sort_by_integers(tree.scratch, &bytes, tree.keys, 3 * NBODY_KEY_BITS, &order, stream);
    tree.current = order.current;
    return error;
}

} // namespace
} // namespace nbody

using namespace nbody;

extern "C" cudaError_t device_tree_scratch_bytes(unsigned count, unsigned tiles, size_t *bytes)
{
    unsigned long long *const keys[2] = {nullptr, nullptr};
    gpu_sort_values order = {{nullptr, nullptr}, count, 0};
    size_t sort_bytes = 0, sum_bytes = 0;
    cudaError_t error = gpu_sort_by_integers(nullptr, &sort_bytes, keys, 3 * NBODY_KEY_BITS, &order, nullptr);
    if (error == cudaSuccess)
        error = gpu_sort_running_sums(nullptr, &sum_bytes, nullptr, TREE_ROWS * tiles + 1, nullptr);
    *bytes = sort_bytes > sum_bytes ? sort_bytes : sum_bytes;
    return error;
}

extern "C" cudaError_t device_tree_find_cube(const tree_arrays *tree, const void *bodies, element precision,
                                             cudaStream_t stream)
{
    const unsigned needed = kernels::blocks_for(tree->count, THREADS), most = TREE_BOX_BLOCKS;
    const unsigned blocks = needed < most ? needed : most;
    return kernels::launch(precision, [&](auto real) {
        boxes_kernel<<<blocks, THREADS, 0, stream>>>(static_cast<const quad<decltype(real)> *>(bodies),
                                                     tree->count, tree->boxes);
        cube_kernel<<<1, THREADS, 0, stream>>>(tree->boxes, blocks, tree->cube);
    });
}

extern "C" cudaError_t device_tree_sort(tree_arrays *tree, const void *bodies, element precision,
                                        cudaStream_t stream)
{
    const cudaError_t error = kernels::launch(precision, [&](auto real) {
        keys_kernel<<<kernels::blocks_for(tree->count, THREADS), THREADS, 0, stream>>>(
            static_cast<const quad<decltype(real)> *>(bodies), tree->count, tree->cube,
            tree->keys[tree->current], tree->order[tree->current]);
    });
    return error == cudaSuccess ? sort_by_keys(*tree, stream) : error;
}

extern "C" cudaError_t device_tree_load_sort(tree_arrays *tree, element precision, cudaStream_t stream)
{
    const cudaError_t error = kernels::with_real(precision, [](auto real) {
        typedef decltype(real) Real;
        return kernels::load(boxes_kernel<Real>, cube_kernel, keys_kernel<Real>, reorder_kernel<Real>);
    });
    return error == cudaSuccess ? sort_by_keys(*tree, stream) : error;
}

extern "C" cudaError_t device_tree_reorder(const tree_arrays *tree, const nbody_device_bodies *bodies,
                                           cudaStream_t stream)
{
    const nbody_device_bodies &b = *bodies;
    return kernels::launch(b.precision, [&](auto real) {
        typedef quad<decltype(real)> four;
        reorder_kernel<<<kernels::blocks_for(tree->count, THREADS), THREADS, 0, stream>>>(
            tree->count, tree->order[tree->current], static_cast<const four *>(b.body),
            static_cast<const four *>(b.velocity), b.id, static_cast<four *>(b.spare_body),
            static_cast<four *>(b.spare_velocity), b.spare_id);
    });
}
