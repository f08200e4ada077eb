// The memory plan's allocators for device and pinned memory, and CUDA's errors as statuses.
#ifndef FATHOM_GPU_MEMORY_H
#define FATHOM_GPU_MEMORY_H

#include "core/memory_plan.h"
#include "core/status.h"

#include <cuda_runtime_api.h>

// Makes the plan's device and pinned kinds the GPU's. Before anything is reserved; STATUS_SYSTEM without a usable device.
enum status gpu_memory_use(struct memory_plan *plan);

#define CUDA_CHECK(call, what)                                                                               \
    do {                                                                                                     \
        const cudaError_t cuda_error_ = (call);                                                              \
        if (cuda_error_ != cudaSuccess)                                                                      \
            return FAIL(STATUS_SYSTEM, "the GPU refused %s: %s", (what), cudaGetErrorString(cuda_error_));   \
    } while (0)

#endif
