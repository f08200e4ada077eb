// The memory plan's allocators for device and pinned memory, and CUDA's errors as statuses.
#ifndef FATHOM_GPU_MEMORY_H
#define FATHOM_GPU_MEMORY_H

#include "core/memory_plan.h"
#include "core/status.h"

#include <cuda_runtime_api.h>

// Makes the plan's device and pinned kinds the GPU's (device number `device`, from 0), and that one the
// calling thread's. Before anything is reserved; STATUS_SYSTEM if it cannot be used here, saying why.
enum status gpu_memory_use(struct memory_plan *plan, int device);

// An array of a plan, in a table of them.
struct gpu_array {
    void *pointer; // the address of the pointer that the plan sets
    enum memory_kind kind;
    enum element element;
    size_t rows, columns; // 0 of either: not wanted
    const char *name;     // after the plan's prefix
};

enum status gpu_memory_plan(struct memory_plan *plan, const char *prefix, const struct gpu_array *arrays,
                            size_t count);
#define GPU_PLAN_ARRAYS(plan, prefix, arrays)                                                                \
    gpu_memory_plan((plan), (prefix), (arrays), sizeof(arrays) / sizeof *(arrays))

// Bytes read and written a second by a plain copy within a device, which becomes the calling thread's; median
// of several. Allocates for itself, as much as keeps caches out: before any seal. STATUS_SYSTEM if the device
// cannot be used or has no room.
enum status gpu_measure_copy(int device, double *bytes_per_s);

// Waits for an event, asleep in between: the runtime's own way of waiting asleep allocates at every wait, and
// its other way keeps a core busy.
cudaError_t gpu_wait(cudaEvent_t event);

// Passes on what CUDA refused as a status. `what` says what the GPU was asked for: "the GPU refused WHAT:
// ...". An error of work begun earlier comes back from whatever is asked next.
#define CUDA_CHECK(call, what)                                                                               \
    do {                                                                                                     \
        const cudaError_t cuda_error_ = (call);                                                              \
        if (cuda_error_ != cudaSuccess)                                                                      \
            return FAIL(STATUS_SYSTEM, "the GPU refused %s: %s (%s)", (what),                                \
                        cudaGetErrorString(cuda_error_), cudaGetErrorName(cuda_error_));                     \
    } while (0)

#endif
