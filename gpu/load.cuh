// Kernels loaded ahead: what a launch would otherwise do the first time, allocating. Knows no kernel.
#ifndef FATHOM_GPU_LOAD_CUH
#define FATHOM_GPU_LOAD_CUH

#include <cuda_runtime.h>

namespace kernels {

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
