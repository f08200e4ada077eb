// Blocks that a process keeps from one run to the next: a system takes long to give memory, and longer still
// to give a device's. A block is kept whole when its plan is released, and made the next plan's by its
// allocator's `renew`. A process with a single run keeps none. Not thread-safe, as plans are not.
#ifndef FATHOM_CORE_MEMORY_SPARE_H
#define FATHOM_CORE_MEMORY_SPARE_H

#include "core/memory_allocator.h"

#include <stdbool.h>

// From here on blocks are kept: of each kind up to so many bytes, and a sixteenth of what is free.
void memory_spare_begin(size_t bytes_most);

// Keeps a block of a plan that is released. False: it is the caller's to release.
bool memory_spare_keep(enum memory_kind kind, const struct memory_allocator *allocator, void *block,
                       size_t bytes);

// A block for a plan, as of `reserve`: the kept one of this kind, if there is one, else a new one.
enum status memory_spare_reserve(enum memory_kind kind, const struct memory_allocator *allocator,
                                 size_t bytes, void **block);

// What is kept for plans with this allocator. It is free to them.
size_t memory_spare_bytes(enum memory_kind kind, const struct memory_allocator *allocator);
// What the process holds of the host's memory without a run.
size_t memory_spare_host_bytes(void);

// Gives all of it back to the system.
void memory_spare_release(void);

#endif
