// Launches: how many blocks, and kernels loaded ahead, which a launch would otherwise do the first time,
// allocating. Knows no kernel.
#ifndef FATHOM_GPU_LAUNCH_CUH
#define FATHOM_GPU_LAUNCH_CUH

#include <cuda_runtime.h>

namespace kernels {

// Blocks that hold `count` items.
inline unsigned blocks_for(long long count, long long in_block)
{
    return static_cast<unsigned>((count + in_block - 1) / in_block);
}

// Has the thread's device load each of them; the first error.
template <typename... Kernels> cudaError_t load(Kernels... each)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaSuccess;
    ((error = error == cudaSuccess ? cudaFuncGetAttributes(&attributes, each) : error), ...);
    return error;
}

} // namespace kernels

#endif
