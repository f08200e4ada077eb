// Launches: by precision, the number of blocks, and kernels loaded ahead of their first launch, which would
// allocate.
#ifndef FATHOM_GPU_LAUNCH_CUH
#define FATHOM_GPU_LAUNCH_CUH

#include "core/element.h"

#include <cuda_runtime.h>

namespace kernels {

// Calls work(Real()) with the Real of a precision, ELEMENT_F32 or ELEMENT_F64.
template <typename Work> auto with_real(enum element precision, const Work &work)
{
    return precision == ELEMENT_F32 ? work(float()) : work(double());
}

// The same where `work` launches kernels.
template <typename Work> cudaError_t launch(enum element precision, const Work &work)
{
    with_real(precision, work);
    return cudaGetLastError();
}

// The same with work(Real(), Out()), where records are of another type.
template <typename Work> cudaError_t launch(enum element precision, enum element record, const Work &work)
{
    return launch(precision, [&](auto real) { with_real(record, [&](auto out) { work(real, out); }); });
}

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
