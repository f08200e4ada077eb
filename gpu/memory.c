// Device and pinned memory for the plan: one block each, made before the seal, given back at the end.
#include "gpu/memory.h"

#include "gpu/device.h"

#include <stdint.h>
#include <string.h>

static enum status reserve_device(void *context, size_t bytes, void **block)
{
    (void)context;
    CUDA_CHECK(cudaMalloc(block, bytes), "device memory");
    CUDA_CHECK(cudaMemset(*block, 0, bytes), "to clear its memory");
    return STATUS_OK;
}

static void release_device(void *context, void *block, size_t bytes)
{
    (void)context;
    (void)bytes;
    (void)cudaFree(block);
}

static size_t available_device(void *context)
{
    (void)context;
    size_t free_bytes = 0, total_bytes = 0;
    return cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess ? free_bytes : 0;
}

static enum status reserve_pinned(void *context, size_t bytes, void **block)
{
    (void)context;
    CUDA_CHECK(cudaMallocHost(block, bytes), "pinned host memory");
    memset(*block, 0, bytes);
    return STATUS_OK;
}

static void release_pinned(void *context, void *block, size_t bytes)
{
    (void)context;
    (void)bytes;
    (void)cudaFreeHost(block);
}

// The host's own figure is checked for all of its memory together.
static size_t available_unknown(void *context)
{
    (void)context;
    return SIZE_MAX;
}

enum status gpu_memory_use(struct memory_plan *plan)
{
    char devices[512];
    if (gpu_describe(devices, sizeof devices) == 0)
        return FAIL(STATUS_SYSTEM, "the cuda back end cannot run here: %s", devices);
    plan->allocators[MEMORY_DEVICE] =
        (struct memory_allocator){NULL, reserve_device, release_device, available_device};
    plan->allocators[MEMORY_PINNED] =
        (struct memory_allocator){NULL, reserve_pinned, release_pinned, available_unknown};
    return STATUS_OK;
}
