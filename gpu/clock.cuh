// The time as a kernel reads it. Independent of models.
#ifndef FATHOM_GPU_CLOCK_CUH
#define FATHOM_GPU_CLOCK_CUH

#include "gpu/inline.cuh"

namespace kernels {

DEVICE unsigned long long now_ns()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}

} // namespace kernels

#endif
