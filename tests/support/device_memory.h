// Ordinary memory that passes for a device's in a memory plan, and keeps count.
// Header only.
#ifndef FATHOM_TESTS_SUPPORT_DEVICE_MEMORY_H
#define FATHOM_TESTS_SUPPORT_DEVICE_MEMORY_H

#include "core/memory_plan.h"
#include "tests/support/asserts.h"

struct device_memory {
    size_t available_bytes;
    int reserved, released, most_held; // blocks; at a time
};

static inline enum status device_memory_reserve(void *context, size_t bytes, void **block)
{
    struct device_memory *memory = context;
    memory->reserved++;
    if (memory->reserved - memory->released > memory->most_held)
        memory->most_held = memory->reserved - memory->released;
    *block = aligned_alloc(MEMORY_ALIGNMENT, bytes);
    assert_non_null(*block);
    memset(*block, 0, bytes);
    return STATUS_OK;
}

static inline void device_memory_release(void *context, void *block, size_t bytes)
{
    ((struct device_memory *)context)->released++;
    free(block);
}

static inline size_t device_memory_available(void *context)
{
    return ((const struct device_memory *)context)->available_bytes;
}

// The plan's device memory comes from there; it must outlive the plan.
static inline void device_memory_use(struct device_memory *memory, struct memory_plan *plan)
{
    plan->allocators[MEMORY_DEVICE] = (struct memory_allocator){
        memory, device_memory_reserve, device_memory_release, device_memory_available, NULL, NULL};
}

#endif
