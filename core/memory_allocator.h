// Where the blocks of a memory plan come from: kinds of memory, and who gives them. Independent of plans.
#ifndef FATHOM_CORE_MEMORY_ALLOCATOR_H
#define FATHOM_CORE_MEMORY_ALLOCATOR_H

#include "core/status.h"

#include <stddef.h>

enum memory_kind {
    MEMORY_HOST,
    MEMORY_PINNED, // host memory that a device can copy to; ordinary host memory without a device
    MEMORY_DEVICE,
    MEMORY_LIBRARY, // ceiling of what a library allocates by itself: counted against the limit, not reserved
    MEMORY_PROGRAM, // what the process holds before the run: counted against the job's limit
    MEMORY_DEVICE_LIBRARY, // as MEMORY_LIBRARY, of a device
    MEMORY_KINDS
};

struct memory_allocator {
    void *context;
    // Reserves one zeroed block, aligned as arrays are. STATUS_SYSTEM if the system refuses.
    enum status (*reserve)(void *context, size_t bytes, void **block);
    void (*release)(void *context, void *block, size_t bytes);
    // Returns the bytes that could be reserved now; SIZE_MAX = unknown.
    size_t (*available)(void *context);
    // (optional) Names the limit behind `available`, for messages: "this machine has free".
    void (*name_limit)(void *context, char *text, size_t bytes);
    // (optional) Makes a block of this allocator, which no one uses any more, one of `bytes`, zeroed as by
    // reserve. On failure the block is released. Blocks are kept from run to run only with it.
    enum status (*renew)(void *context, size_t had_bytes, size_t bytes, void **block);
};

#endif
