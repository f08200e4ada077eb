// See device_pairs.h. The author's kernels are Java, which Aparapi translates to OpenCL; these are written
// anew in CUDA C++ after their descriptions. Each thread owns the particles that it writes (the author's "I"
// form), because sums of several threads into one particle would race. His compiler contracts products and
// sums where it can; here they are contracted wherever one follows the other.
#include "bench/ladder/gas/device_pairs.h"

#include "gpu/inverse_root.cuh"
#include "gpu/launch.cuh"

#include <cuda_runtime.h>

#include <cstdlib>

namespace {

enum law { DIVIDED, ROOT, ROOT_CUBED, TWO_FORCES, THREE_FORCES };

struct pairs_view {
    int count;
    float attraction; // A, or A Δt where the law has it in its numerator
    float kick;       // what a sum is multiplied by at the end
    float *at[LADDER_AXES], *velocity[LADDER_AXES];
};

template <int axes> DEVICE void add(float factor, const float (&d)[axes], float (&sum)[axes])
{
#pragma unroll
    for (int axis = 0; axis < axes; axis++)
        sum[axis] = fmaf(factor, d[axis], sum[axis]);
}

// The force of `from` upon `at`. The full model adds each of its forces to the sums by itself, as the
// author's counts of operations say.
template <law law, int axes>
DEVICE void add_pair(float attraction, const float (&at)[axes], const float (&from)[axes], float (&sum)[axes])
{
    float d[axes], s = GAS_LADDER_SOFTENING;
#pragma unroll
    for (int axis = 0; axis < axes; axis++) {
        d[axis] = at[axis] - from[axis];
        s = fmaf(d[axis], d[axis], s);
    }
    if (law == DIVIDED) {
        add(attraction / s, d, sum);
        return;
    }
    const float inverse = approximate_inverse_root(law == ROOT_CUBED ? s * s * s : s * s);
    add(law == TWO_FORCES || law == THREE_FORCES ? attraction * inverse : inverse, d, sum);
    if ((law == TWO_FORCES || law == THREE_FORCES) && s < GAS_LADDER_CUT_OFF) {
        add(GAS_LADDER_REPULSION * (inverse * inverse), d, sum);
        if (law == THREE_FORCES)
            add(GAS_LADDER_ATTRACTION2 * inverse, d, sum);
    }
}

template <int axes> DEVICE void read_place(const pairs_view &view, int id, float (&at)[axes])
{
#pragma unroll
    for (int axis = 0; axis < axes; axis++)
        at[axis] = view.at[axis][id];
}

// A thread has `own` particles side by side; `unroll` turns of the loop over j stand behind one another.
template <law law, int axes, int own, int unroll> __global__ void each_kernel(const pairs_view view)
{
    const int first = own * (blockIdx.x * blockDim.x + threadIdx.x), last = view.count - 1;
    float at[own][axes], from[axes], sum[own][axes] = {};
    if (first > last)
        return;
#pragma unroll
    for (int k = 0; k < own; k++)
        read_place(view, min(first + k, last), at[k]);
    int j = 0;
#pragma unroll 1
    for (; j + unroll <= view.count; j += unroll) {
#pragma unroll
        for (int u = 0; u < unroll; u++) {
            read_place(view, j + u, from);
#pragma unroll
            for (int k = 0; k < own; k++)
                add_pair<law>(view.attraction, at[k], from, sum[k]);
        }
    }
#pragma unroll 1
    for (; j < view.count; j++) { // none where the count is a multiple, as the author's is
        read_place(view, j, from);
#pragma unroll
        for (int k = 0; k < own; k++)
            add_pair<law>(view.attraction, at[k], from, sum[k]);
    }
#pragma unroll
    for (int k = 0; k < own; k++)
#pragma unroll
        for (int axis = 0; axis < axes; axis++)
            if (first + k <= last)
                view.velocity[axis][first + k] += view.kick * sum[k][axis];
}

// A block of threads reads as many particles at a time into shared memory.
template <law law, int axes, int unroll> __global__ void blocked_kernel(const pairs_view view)
{
    extern __shared__ float staged[]; // [axes][threads]
    const int threads = blockDim.x, own = blockIdx.x * threads + threadIdx.x;
    const int at_most = min(own, view.count - 1);
    float at[axes], from[axes], sum[axes] = {};
    read_place(view, at_most, at);
#pragma unroll 1
    for (int begin = 0; begin < view.count; begin += threads) {
        const int here = min(threads, view.count - begin);
        if (threadIdx.x < here)
            for (int axis = 0; axis < axes; axis++)
                staged[axis * threads + threadIdx.x] = view.at[axis][begin + threadIdx.x];
        __syncthreads();
#pragma unroll unroll
        for (int j = 0; j < here; j++) {
#pragma unroll
            for (int axis = 0; axis < axes; axis++)
                from[axis] = staged[axis * threads + j];
            add_pair<law>(view.attraction, at, from, sum);
        }
        __syncthreads();
    }
    for (int axis = 0; axis < axes && own < view.count; axis++)
        view.velocity[axis][own] += view.kick * sum[axis];
}

template <int axes> __global__ void move_kernel(const pairs_view view)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    for (int axis = 0; axis < axes && id < view.count; axis++)
        gas_ladder_move(&view.at[axis][id], &view.velocity[axis][id]);
}

struct recipe {
    void (*forces)(pairs_view);
    law force;
    int axes, own; // particles of a thread
    bool is_blocked;
};

const recipe recipes[GAS_PAIRS_KERNELS] = {
    // in the order of enum gas_pairs_kernel
    {each_kernel<DIVIDED, 2, 1, 1>, DIVIDED, 2, 1, false},
    {each_kernel<ROOT, 2, 1, 1>, ROOT, 2, 1, false},
    {each_kernel<ROOT, 2, 1, 2>, ROOT, 2, 1, false},
    {each_kernel<ROOT, 2, 1, 8>, ROOT, 2, 1, false},
    {each_kernel<ROOT, 2, 1, 16>, ROOT, 2, 1, false},
    {each_kernel<ROOT, 2, 4, 1>, ROOT, 2, 4, false},
    {each_kernel<ROOT, 2, 4, 8>, ROOT, 2, 4, false},
    {blocked_kernel<ROOT, 2, 8>, ROOT, 2, 1, true},
    {each_kernel<TWO_FORCES, 2, 1, 1>, TWO_FORCES, 2, 1, false},
    {each_kernel<THREE_FORCES, 2, 1, 1>, THREE_FORCES, 2, 1, false},
    {each_kernel<ROOT_CUBED, 3, 1, 1>, ROOT_CUBED, 3, 1, false},
    {each_kernel<ROOT_CUBED, 3, 1, 4>, ROOT_CUBED, 3, 1, false},
    {blocked_kernel<ROOT_CUBED, 3, 8>, ROOT_CUBED, 3, 1, true},
};

const char *text_of(cudaError_t error)
{
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

} // namespace

struct gas_pairs {
    const recipe *how;
    int threads;
    cudaStream_t stream;
    float *arrays; // all of the view's
    pairs_view view;
};

namespace {

void set_view(gas_pairs *pairs, size_t count)
{
    const law force = pairs->how->force;
    const float attraction = gas_ladder_attraction(count, pairs->how->axes);
    pairs->view.count = static_cast<int>(count);
    pairs->view.attraction = attraction;
    pairs->view.kick = GAS_LADDER_STEP;
    if (force == DIVIDED) {
        pairs->view.attraction = attraction * GAS_LADDER_STEP;
        pairs->view.kick = 1;
    } else if (force == ROOT || force == ROOT_CUBED) {
        pairs->view.kick = attraction * GAS_LADDER_STEP;
    }
    for (int axis = 0; axis < pairs->how->axes; axis++) {
        pairs->view.at[axis] = pairs->arrays + axis * count;
        pairs->view.velocity[axis] = pairs->arrays + (pairs->how->axes + axis) * count;
    }
}

// Copies places and velocities to the device or back, and waits.
const char *copy(gas_pairs *pairs, const gas_ladder_particles *particles, cudaMemcpyKind kind)
{
    const size_t bytes = particles->count * sizeof(float);
    cudaError_t error = cudaSuccess;
    for (int axis = 0; axis < 2 * pairs->how->axes && error == cudaSuccess; axis++) {
        const bool is_place = axis < pairs->how->axes;
        const int of = is_place ? axis : axis - pairs->how->axes;
        float *const host = is_place ? particles->at[of] : particles->velocity[of],
                     *const device = is_place ? pairs->view.at[of] : pairs->view.velocity[of];
        const bool is_back = kind == cudaMemcpyDeviceToHost;
        error = cudaMemcpyAsync(is_back ? host : device, is_back ? device : host, bytes, kind, pairs->stream);
    }
    return text_of(error == cudaSuccess ? cudaStreamSynchronize(pairs->stream) : error);
}

} // namespace

extern "C" int gas_pairs_axes(gas_pairs_kernel kernel)
{
    return recipes[kernel].axes;
}

extern "C" const char *gas_pairs_open(gas_pairs_kernel kernel, int threads, int device,
                                      const gas_ladder_particles *particles, gas_pairs **pairs)
{
    gas_pairs *const made = *pairs = static_cast<gas_pairs *>(calloc(1, sizeof *made));
    if (!made)
        return "no memory for the rung";
    made->how = &recipes[kernel];
    made->threads = threads;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = cudaStreamCreate(&made->stream);
    if (error == cudaSuccess)
        error = cudaMalloc(&made->arrays, 2 * made->how->axes * particles->count * sizeof(float));
    if (error != cudaSuccess)
        return text_of(error);
    set_view(made, particles->count);
    return copy(made, particles, cudaMemcpyHostToDevice);
}

extern "C" const char *gas_pairs_step(gas_pairs *pairs, int count)
{
    const recipe *const how = pairs->how;
    const size_t bytes = how->is_blocked ? how->axes * pairs->threads * sizeof(float) : 0;
    const unsigned force_blocks = kernels::blocks_for(pairs->view.count, how->own * pairs->threads),
                   move_blocks = kernels::blocks_for(pairs->view.count, pairs->threads);
    for (int k = 0; k < count; k++) {
        how->forces<<<force_blocks, pairs->threads, bytes, pairs->stream>>>(pairs->view);
        if (how->axes == 2)
            move_kernel<2><<<move_blocks, pairs->threads, 0, pairs->stream>>>(pairs->view);
        else
            move_kernel<3><<<move_blocks, pairs->threads, 0, pairs->stream>>>(pairs->view);
    }
    const cudaError_t error = cudaGetLastError();
    return text_of(error == cudaSuccess ? cudaStreamSynchronize(pairs->stream) : error);
}

extern "C" const char *gas_pairs_get(gas_pairs *pairs, gas_ladder_particles *particles)
{
    return copy(pairs, particles, cudaMemcpyDeviceToHost);
}

extern "C" void gas_pairs_close(gas_pairs *pairs)
{
    if (!pairs)
        return;
    cudaFree(pairs->arrays);
    if (pairs->stream)
        cudaStreamDestroy(pairs->stream);
    free(pairs);
}
