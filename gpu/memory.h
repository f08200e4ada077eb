// The memory plan's allocators of device and pinned memory, waiting for events, and CUDA's errors as
// statuses.
#ifndef FATHOM_GPU_MEMORY_H
#define FATHOM_GPU_MEMORY_H

#include "core/memory_plan.h"
#include "core/status.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>

// Lets the plan allocate device and pinned memory on device number `device` (from 0), which becomes the
// calling thread's. Before the reserve; STATUS_SYSTEM, with the reason, if the device cannot be used.
enum status gpu_memory_use(struct memory_plan *plan, int device);

// A row of a table of arrays to plan.
struct gpu_array {
    void *pointer; // the address of the pointer that the plan sets
    enum memory_kind kind;
    enum element element;
    size_t rows, columns; // 0 of either: not wanted
    const char *name;     // in the plan it follows the prefix
};

enum status gpu_memory_plan(struct memory_plan *plan, const char *prefix, const struct gpu_array *arrays,
                            size_t count);
#define GPU_PLAN_ARRAYS(plan, prefix, arrays)                                                                \
    gpu_memory_plan((plan), (prefix), (arrays), sizeof(arrays) / sizeof *(arrays))

// Returns a number of a host array in the run's precision, ELEMENT_F32 or ELEMENT_F64.
static inline double gpu_real(const void *array, enum element precision, size_t index)
{
    return precision == ELEMENT_F32 ? (double)((const float *)array)[index] : ((const double *)array)[index];
}

static inline void gpu_set_real(void *array, enum element precision, size_t index, double value)
{
    if (precision == ELEMENT_F32)
        ((float *)array)[index] = (float)value;
    else
        ((double *)array)[index] = value;
}

// Finds out, without waiting, whether an event has passed.
enum status gpu_is_over(cudaEvent_t event, bool *is_over);
// Waits for an event, sleeping between queries: the runtime's blocking wait allocates at every call, and its
// spinning wait keeps a core busy.
cudaError_t gpu_wait(cudaEvent_t event);

// Returns a status if the call fails: "the GPU refused WHAT: ...". The error of earlier asynchronous work is
// reported by the next call.
#define CUDA_CHECK(call, what)                                                                               \
    do {                                                                                                     \
        const cudaError_t cuda_error_ = (call);                                                              \
        if (cuda_error_ != cudaSuccess)                                                                      \
            return FAIL(STATUS_SYSTEM, "a CUDA call failed (%s): %s (%s)", (what),                           \
                        cudaGetErrorString(cuda_error_), cudaGetErrorName(cuda_error_));                     \
    } while (0)

#endif
