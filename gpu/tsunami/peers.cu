// Waiting for neighbours after a launch (see the header).
#include "gpu/tsunami/peers.h"

#include "gpu/tsunami/peers.cuh"

namespace {

enum { THREADS = 128 };

__global__ void __launch_bounds__(THREADS) settle_kernel(const __grid_constant__ tsunami_settled w)
{
    __shared__ unsigned waited_ns;
    if (threadIdx.x == 0)
        waited_ns = 0;
    __syncthreads();
    for (int side = 0; side < GPU_EXCHANGE_SIDES; side++)
        for (int k = w.first[side] + (int)threadIdx.x; k < w.end[side]; k += THREADS)
            atomicMax(&waited_ns, tsunami::await_peer(w.made[k], w.steps, w.failure));
    __syncthreads();
    if (threadIdx.x == 0)
        w.waited_ns[1] += waited_ns;
}

} // namespace

extern "C" cudaError_t tsunami_launch_settle(const tsunami_settled *settled, cudaStream_t stream)
{
    settle_kernel<<<1, THREADS, 0, stream>>>(*settled);
    return cudaGetLastError();
}
