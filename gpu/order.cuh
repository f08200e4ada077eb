// Kernels on the order of particles: where each lies in the arrays, by id.
#ifndef FATHOM_GPU_ORDER_CUH
#define FATHOM_GPU_ORDER_CUH

#include "gpu/launch.cuh"

namespace order {
namespace {

enum { THREADS = 256 };

__global__ void __launch_bounds__(THREADS) index_kernel(const unsigned *ids, unsigned count, unsigned *index)
{
    const unsigned k = blockIdx.x * THREADS + threadIdx.x;
    if (k < count)
        index[ids[k]] = k;
}

// Sets index [count] from ids [count]; NULL: does nothing, the order is that of the ids.
inline cudaError_t find_index(const unsigned *ids, size_t count, unsigned *index, cudaStream_t stream)
{
    if (index)
        index_kernel<<<kernels::blocks_for(count, THREADS), THREADS, 0, stream>>>(
            ids, static_cast<unsigned>(count), index);
    return cudaGetLastError();
}

} // namespace
} // namespace order

#endif
