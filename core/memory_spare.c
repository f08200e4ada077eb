// Kept blocks (see the header).
#include "core/memory_spare.h"

enum { SHARE = 16 };

static size_t bytes_most;
static struct {
    struct memory_allocator allocator;
    void *block; // NULL: none
    size_t bytes;
} spares[MEMORY_LIBRARY];

void memory_spare_begin(size_t bytes)
{
    bytes_most = bytes;
}

static void release(enum memory_kind kind)
{
    if (spares[kind].block)
        spares[kind].allocator.release(spares[kind].allocator.context, spares[kind].block,
                                       spares[kind].bytes);
    spares[kind].block = NULL;
}

static bool is_of(enum memory_kind kind, const struct memory_allocator *allocator)
{
    return spares[kind].block && spares[kind].allocator.renew == allocator->renew &&
           spares[kind].allocator.context == allocator->context;
}

bool memory_spare_keep(enum memory_kind kind, const struct memory_allocator *allocator, void *block,
                       size_t bytes)
{
    if (bytes > bytes_most || !allocator->renew)
        return false;
    release(kind);
    if (bytes > allocator->available(allocator->context) / SHARE)
        return false;
    spares[kind].allocator = *allocator;
    spares[kind].block = block;
    spares[kind].bytes = bytes;
    return true;
}

enum status memory_spare_reserve(enum memory_kind kind, const struct memory_allocator *allocator,
                                 size_t bytes, void **block)
{
    if (!is_of(kind, allocator)) {
        release(kind);
        return allocator->reserve(allocator->context, bytes, block);
    }
    void *kept = spares[kind].block;
    spares[kind].block = NULL;
    CHECK(allocator->renew(allocator->context, spares[kind].bytes, bytes, &kept));
    *block = kept;
    return STATUS_OK;
}

size_t memory_spare_bytes(enum memory_kind kind, const struct memory_allocator *allocator)
{
    return is_of(kind, allocator) ? spares[kind].bytes : 0;
}

size_t memory_spare_host_bytes(void)
{
    return spares[MEMORY_HOST].block ? spares[MEMORY_HOST].bytes : 0;
}

void memory_spare_release(void)
{
    for (int kind = 0; kind < MEMORY_LIBRARY; kind++)
        release((enum memory_kind)kind);
}
