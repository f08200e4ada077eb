// Device and pinned memory for the plan: one block each, allocated before the seal, freed at the end.
#include "gpu/memory.h"

#include "gpu/device.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

static enum status clear_device(void *block, size_t bytes)
{
    CUDA_CHECK(cudaMemset(block, 0, bytes), "to clear its memory");
    CUDA_CHECK(cudaDeviceSynchronize(), "to finish clearing its memory"); // before other streams use it
    return STATUS_OK;
}

static enum status reserve_device(void *context, size_t bytes, void **block)
{
    CHECK(gpu_use((int)(intptr_t)context)); // the context of an allocator is the device's number
    CUDA_CHECK(cudaMalloc(block, bytes), "device memory");
    return clear_device(*block, bytes);
}

// Waits for the device: no copy to or from a released block may be under way, even after a run that failed.
static void settle(void *context)
{
    (void)cudaSetDevice((int)(intptr_t)context);
    (void)cudaDeviceSynchronize();
}

static void release_device(void *context, void *block, size_t bytes)
{
    (void)bytes;
    settle(context);
    (void)cudaFree(block);
}

// A device cannot change a block's size.
static enum status renew_device(void *context, size_t had_bytes, size_t bytes, void **block)
{
    if (bytes != had_bytes) {
        release_device(context, *block, had_bytes);
        return reserve_device(context, bytes, block);
    }
    settle(context);
    const enum status status = clear_device(*block, bytes);
    if (status != STATUS_OK)
        release_device(context, *block, bytes);
    return status;
}

static size_t available_device(void *context)
{
    return gpu_free_bytes((int)(intptr_t)context);
}

static enum status reserve_pinned(void *context, size_t bytes, void **block)
{
    CHECK(gpu_use((int)(intptr_t)context));
    CUDA_CHECK(cudaMallocHost(block, bytes), "pinned host memory");
    memset(*block, 0, bytes);
    return STATUS_OK;
}

static void release_pinned(void *context, void *block, size_t bytes)
{
    (void)bytes;
    settle(context);
    (void)cudaFreeHost(block);
}

static enum status renew_pinned(void *context, size_t had_bytes, size_t bytes, void **block)
{
    if (bytes != had_bytes) {
        release_pinned(context, *block, had_bytes);
        return reserve_pinned(context, bytes, block);
    }
    settle(context);
    memset(*block, 0, bytes);
    return STATUS_OK;
}

// The memory plan checks the host's memory as a whole.
static size_t available_unknown(void *context)
{
    (void)context;
    return SIZE_MAX;
}

enum status gpu_memory_use(struct memory_plan *plan, int device)
{
    void *const context = (void *)(intptr_t)device;
    CHECK(gpu_use(device));
    plan->allocators[MEMORY_DEVICE] = (struct memory_allocator){
        context, reserve_device, release_device, available_device, NULL, renew_device};
    plan->allocators[MEMORY_PINNED] = (struct memory_allocator){
        context, reserve_pinned, release_pinned, available_unknown, NULL, renew_pinned};
    return STATUS_OK;
}

enum status gpu_memory_plan(struct memory_plan *plan, const char *prefix, const struct gpu_array *arrays,
                            size_t count)
{
    for (const struct gpu_array *a = arrays; a < arrays + count; a++)
        if (a->rows > 0 && a->columns > 0)
            CHECK(memory_plan_add(plan, a->kind, a->element, a->rows, a->columns, a->pointer, "%s%s", prefix,
                                  a->name));
    return STATUS_OK;
}

enum status gpu_is_over(cudaEvent_t event, bool *is_over)
{
    const cudaError_t error = cudaEventQuery(event);
    *is_over = error == cudaSuccess;
    if (error == cudaErrorNotReady) {
        (void)cudaGetLastError(); // not a failure, and not to be reported by the next launch
        return STATUS_OK;
    }
    CUDA_CHECK(error, "to query an event");
    return STATUS_OK;
}

cudaError_t gpu_wait(cudaEvent_t event)
{
    // Pauses: short at first, for a few copies; then long enough to leave the core to other threads.
    for (long nap_ns = 5000;; nap_ns = nap_ns < 100000 ? 2 * nap_ns : nap_ns) {
        const cudaError_t error = cudaEventQuery(event);
        if (error != cudaErrorNotReady)
            return error;
        (void)cudaGetLastError(); // as in gpu_is_over
        (void)nanosleep(&(struct timespec){0, nap_ns}, NULL);
    }
}
