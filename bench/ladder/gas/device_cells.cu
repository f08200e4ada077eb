// See cells_engine.h: on a device, as the author's GPUTiled1, 11, 2 and 3. A thread has a particle, or for
// far cells a cell. As with Aparapi, the particles go to the device and come back in every step, because the
// processor sorts them.
#include "bench/ladder/gas/cells_engine.h"

#include "gpu/launch.cuh"

#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

namespace {

struct engine {
    int threads;
    cudaStream_t stream;
    gas_cells_view view;                   // of the device's arrays
    float *pinned;                         // the host's arrays of the particles while the engine has them
    gas_ladder_particles particles, spare; // those that it took the place of
};

// ---- kernels

template <gas_cells_program program, bool is_unrolled>
__global__ void particles_kernel(const __grid_constant__ gas_cells_view view)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= view.particles)
        return;
    if (program == GAS_CELLS_TILED3 || program == GAS_CELLS_FULL)
        gas_cells_listed(&view, id, program == GAS_CELLS_FULL, is_unrolled);
    else
        gas_cells_searched(&view, id, program == GAS_CELLS_TILED11, program == GAS_CELLS_TILED2);
}

template <gas_cells_tables tables, bool is_unrolled>
__global__ void far_kernel(const __grid_constant__ gas_cells_view view)
{
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell < GAS_CELLS)
        gas_cells_far(&view, cell, tables, is_unrolled);
}

__global__ void move_kernel(const __grid_constant__ gas_cells_view view)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    for (int axis = 0; axis < 2 && id < view.particles; axis++)
        gas_ladder_move(&view.at[axis][id], &view.velocity[axis][id]);
}

using Kernel = void (*)(gas_cells_view);

Kernel kernel_of_particles(const gas_cells_way *way)
{
    switch (way->program) {
    case GAS_CELLS_TILED1:
        return particles_kernel<GAS_CELLS_TILED1, false>;
    case GAS_CELLS_TILED11:
        return particles_kernel<GAS_CELLS_TILED11, false>;
    case GAS_CELLS_TILED2:
        return particles_kernel<GAS_CELLS_TILED2, false>;
    case GAS_CELLS_FULL:
        return particles_kernel<GAS_CELLS_FULL, false>;
    default:
        return way->is_unrolled ? particles_kernel<GAS_CELLS_TILED3, true>
                                : particles_kernel<GAS_CELLS_TILED3, false>;
    }
}

Kernel kernel_of_far(const gas_cells_way *way)
{
    switch (way->tables) {
    case GAS_CELLS_COMPUTED:
        return way->is_unrolled ? far_kernel<GAS_CELLS_COMPUTED, true>
                                : far_kernel<GAS_CELLS_COMPUTED, false>;
    case GAS_CELLS_SQUARES:
        return way->is_unrolled ? far_kernel<GAS_CELLS_SQUARES, true> : far_kernel<GAS_CELLS_SQUARES, false>;
    default:
        return far_kernel<GAS_CELLS_PULLS, false>;
    }
}

// ---- arrays

const char *text_of(cudaError_t error)
{
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

// Makes a device's array of `count` numbers, and copies those of the host into it, if there are any.
template <typename Number>
void make(const engine *own, size_t count, const Number *host, const Number **device, cudaError_t *error)
{
    Number *made = nullptr;
    if (*error == cudaSuccess)
        *error = cudaMalloc(&made, count * sizeof *made);
    if (*error == cudaSuccess && host)
        *error = cudaMemcpyAsync(made, host, count * sizeof *made, cudaMemcpyHostToDevice, own->stream);
    *device = made;
}

template <typename Number>
void make(const engine *own, size_t count, const Number *host, Number **device, cudaError_t *error)
{
    const Number *made = nullptr;
    make(own, count, host, &made, error);
    *device = const_cast<Number *>(made);
}

cudaError_t make_arrays(engine *own, const gas_cells_view &host)
{
    const size_t n = host.particles, table = static_cast<size_t>(GAS_CELLS) * GAS_CELLS;
    gas_cells_view &view = own->view;
    cudaError_t error = cudaSuccess;
    view = host;
    for (int axis = 0; axis < 2; axis++) {
        make(own, n, host.at[axis], &view.at[axis], &error);
        make(own, n, host.velocity[axis], &view.velocity[axis], &error);
        make(own, GAS_CELLS, host.centre[axis], &view.centre[axis], &error);
        make(own, GAS_CELLS, host.far_kick[axis], &view.far_kick[axis], &error);
        make(own, host.pull[axis] ? table : 1, host.pull[axis], &view.pull[axis], &error);
    }
    make(own, host.square ? table : 1, host.square, &view.square, &error);
    make(own, GAS_CELLS + 2, host.begin, &view.begin, &error);
    const size_t lists = host.near ? GAS_CELLS : 0;
    make(own, lists ? lists * host.near_length : 1, host.near, &view.near, &error);
    make(own, lists ? lists * host.middle_length : 1, host.middle, &view.middle, &error);
    return error == cudaSuccess ? cudaStreamSynchronize(own->stream) : error;
}

// Gives the particles arrays from which a device copies fast, with the values that they have.
cudaError_t pin(engine *own, gas_cells *cells)
{
    const size_t n = cells->particles.count;
    own->particles = cells->particles;
    own->spare = cells->spare;
    const cudaError_t error = cudaMallocHost(&own->pinned, 8 * n * sizeof(float));
    if (error != cudaSuccess)
        return error;
    for (int axis = 0; axis < 2; axis++) {
        cells->particles.at[axis] = own->pinned + axis * n;
        cells->particles.velocity[axis] = own->pinned + (2 + axis) * n;
        cells->spare.at[axis] = own->pinned + (4 + axis) * n;
        cells->spare.velocity[axis] = own->pinned + (6 + axis) * n;
        memcpy(cells->particles.at[axis], own->particles.at[axis], n * sizeof(float));
        memcpy(cells->particles.velocity[axis], own->particles.velocity[axis], n * sizeof(float));
    }
    return cudaSuccess;
}

cudaError_t copy_particles(engine *own, const gas_cells *cells, cudaMemcpyKind kind)
{
    const size_t bytes = cells->particles.count * sizeof(float);
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < 4 && error == cudaSuccess; k++) {
        float *const host = k < 2 ? cells->particles.at[k] : cells->particles.velocity[k - 2],
                     *const device = k < 2 ? own->view.at[k] : own->view.velocity[k - 2];
        const bool is_back = kind == cudaMemcpyDeviceToHost;
        error = cudaMemcpyAsync(is_back ? host : device, is_back ? device : host, bytes, kind, own->stream);
    }
    return error;
}

// ---- the engine

const char *open_engine(gas_cells *cells, int threads, int device, void **own)
{
    engine *const made = static_cast<engine *>(calloc(1, sizeof *made));
    *own = made;
    if (!made)
        return "no memory for the rung";
    made->threads = threads;
    cudaError_t error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = cudaStreamCreate(&made->stream);
    if (error == cudaSuccess)
        error = pin(made, cells);
    return text_of(error == cudaSuccess ? make_arrays(made, gas_cells_look(cells)) : error);
}

const char *wait_for(void *of)
{
    return text_of(cudaStreamSynchronize(static_cast<engine *>(of)->stream));
}

const char *run_stage(void *of, gas_cells *cells, gas_cells_stage stage)
{
    engine *const own = static_cast<engine *>(of);
    const unsigned particle_blocks = kernels::blocks_for(own->view.particles, own->threads),
                   cell_blocks = kernels::blocks_for(GAS_CELLS, own->threads);
    cudaError_t error;
    switch (stage) {
    case GAS_CELLS_STAGE_TO:
        error = cudaMemcpyAsync(const_cast<int *>(own->view.begin), cells->begin,
                                (GAS_CELLS + 2) * sizeof(int), cudaMemcpyHostToDevice, own->stream);
        return text_of(error == cudaSuccess ? copy_particles(own, cells, cudaMemcpyHostToDevice) : error);
    case GAS_CELLS_STAGE_BACK:
        error = copy_particles(own, cells, cudaMemcpyDeviceToHost);
        return error == cudaSuccess ? wait_for(own) : text_of(error);
    case GAS_CELLS_STAGE_FAR:
        kernel_of_far(&cells->way)<<<cell_blocks, own->threads, 0, own->stream>>>(own->view);
        break;
    default:
        kernel_of_particles(&cells->way)<<<particle_blocks, own->threads, 0, own->stream>>>(own->view);
        move_kernel<<<particle_blocks, own->threads, 0, own->stream>>>(own->view);
    }
    return text_of(cudaGetLastError());
}

const char *read_far_kicks(void *of, gas_cells *cells)
{
    const engine *const own = static_cast<engine *>(of);
    cudaError_t error = cudaSuccess;
    for (int axis = 0; axis < 2 && error == cudaSuccess; axis++)
        error = cudaMemcpyAsync(cells->far_kick[axis], own->view.far_kick[axis], GAS_CELLS * sizeof(float),
                                cudaMemcpyDeviceToHost, own->stream);
    return error == cudaSuccess ? wait_for(of) : text_of(error);
}

void close_engine(void *of, gas_cells *cells)
{
    engine *const own = static_cast<engine *>(of);
    if (!own)
        return;
    const gas_cells_view &view = own->view;
    for (int axis = 0; axis < 2; axis++) {
        cudaFree(view.at[axis]);
        cudaFree(view.velocity[axis]);
        cudaFree(const_cast<float *>(view.centre[axis]));
        cudaFree(const_cast<float *>(view.pull[axis]));
        cudaFree(view.far_kick[axis]);
    }
    cudaFree(const_cast<float *>(view.square));
    cudaFree(const_cast<int *>(view.begin));
    cudaFree(const_cast<int *>(view.near));
    cudaFree(const_cast<int *>(view.middle));
    if (own->pinned) {
        cells->particles = own->particles;
        cells->spare = own->spare;
        cudaFreeHost(own->pinned);
    }
    if (own->stream)
        cudaStreamDestroy(own->stream);
    free(own);
}

} // namespace

extern "C" const gas_cells_engine gas_cells_device = {open_engine, run_stage, wait_for, read_far_kicks,
                                                      close_engine};
