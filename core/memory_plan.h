// The memory plan: every array of a run is declared before anything is allocated; then each kind of memory is
// reserved once, as one block, and sealed. Independent of models and devices: devices give an allocator per
// kind.
//
// plan: memory_plan_add for every array (no allocation)   →   reserve: one block per kind, or a refusal with
// the table → seal: adding or reserving from here on is a programmer error   →   release. The declaration is
// at once the counting pass and the real one: reserve() walks the same list and fills in each array's
// pointer, so planned and used bytes cannot differ except by a fault, which memory_plan_is_valid() finds.
#ifndef FATHOM_CORE_MEMORY_PLAN_H
#define FATHOM_CORE_MEMORY_PLAN_H

#include "core/element.h"
#include "core/memory_allocator.h"
#include "core/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MEMORY_ARRAYS_MAX = 2048, MEMORY_NAME_MAX = 80, MEMORY_ALIGNMENT = 256, MEMORY_TEXT_BYTES = 24 };

// "host", "device library"; as the plan prints it.
const char *memory_kind_name(enum memory_kind kind);

struct memory_array {
    char name[MEMORY_NAME_MAX];
    enum memory_kind kind;
    enum element element;
    size_t rows, columns; // columns: elements per row, padding included
    size_t first_row;     // of the rows that are held; `rows` is their number
    size_t offset, bytes; // within the kind's block; bytes is a multiple of MEMORY_ALIGNMENT
    void **pointer;       // where the array's address goes on reserve; NULL beyond MEMORY_DEVICE
};

struct memory_plan {
    int count;
    struct memory_array arrays[MEMORY_ARRAYS_MAX];
    size_t total[MEMORY_KINDS]; // bytes planned
    void *blocks[MEMORY_KINDS];
    struct memory_allocator allocators[MEMORY_KINDS];
    bool is_reserved, is_sealed;
};

// Starts an empty plan whose host and pinned kinds are ordinary memory.
void memory_plan_begin(struct memory_plan *plan);

// Declares rows × columns elements under a unique name. *pointer is set to NULL now and to the array on
// reserve; it must stay where it is until the plan is released. More than MEMORY_ARRAYS_MAX arrays, or a size
// that overflows → STATUS_CONFIGURATION.
enum status memory_plan_add(struct memory_plan *plan, enum memory_kind kind, enum element element,
                            size_t rows, size_t columns, void **pointer, const char *name_format, ...)
    __attribute__((format(printf, 7, 8)));

// The same for an array of which only rows first … end − 1 are held, because other processes have the others.
// The pointer is set so that row r of the whole array is at pointer + r · columns, as if all rows were there:
// loops and formulas use the indices of the whole array. Only the held rows may be read or written.
// `first` may be a negative number, converted: row −1 of a ring.
enum status memory_plan_add_rows(struct memory_plan *plan, enum memory_kind kind, enum element element,
                                 size_t first, size_t end, size_t columns, void **pointer,
                                 const char *name_format, ...) __attribute__((format(printf, 8, 9)));

// Declares a library's own memory (MEMORY_LIBRARY).
enum status memory_plan_add_library(struct memory_plan *plan, size_t bytes, const char *name);
// The same of a device (MEMORY_DEVICE_LIBRARY).
enum status memory_plan_add_device_library(struct memory_plan *plan, size_t bytes, const char *name);
// Whether something of that name is declared.
bool memory_plan_has(const struct memory_plan *plan, const char *name);

// Declares what the process holds already (memory_limits_resident; 0: unknown, nothing is declared) and 8 MiB
// that it touches later, rounded up to 4 MiB, because it differs a little from one start to the next.
void memory_plan_add_program(struct memory_plan *plan, size_t bytes);

// Returns the row length in elements: at least `columns`, with rows aligned to 256 bytes, and never a power
// of two ≥ 4096 bytes (rows of such a length fall on the same cache sets and memory channels).
size_t memory_pitch(size_t columns, enum element element);

// Planned bytes on the host (host, pinned, library, program).
size_t memory_plan_host_bytes(const struct memory_plan *plan);
// Planned bytes on the device (device, device library).
size_t memory_plan_device_bytes(const struct memory_plan *plan);

// Bytes that a plan could reserve now of a kind, with what the process keeps for it (core/memory_spare.h); of
// the host with pinned memory.
size_t memory_plan_available(const struct memory_plan *plan, enum memory_kind kind);

// Refuses (STATUS_SYSTEM) a plan that needs more than a limit (bytes; SIZE_MAX = none) or than the machine
// has free, naming the three largest arrays.
enum status memory_plan_check(const struct memory_plan *plan, size_t host_limit, size_t device_limit);

// Calls memory_plan_check; then reserves one zeroed block per kind and fills in every pointer.
enum status memory_plan_reserve(struct memory_plan *plan, size_t host_limit, size_t device_limit);
// From here on, adding or reserving is a programmer error.
void memory_plan_seal(struct memory_plan *plan);
void memory_plan_release(struct memory_plan *plan);

// Planned bytes of arrays (host, pinned, device).
size_t memory_plan_array_bytes(const struct memory_plan *plan);
// Bytes given out as arrays; equals memory_plan_array_bytes after reserve.
size_t memory_plan_used_bytes(const struct memory_plan *plan);

// Returns whether the arrays lie within their blocks, aligned, in order, without overlap, the totals add up,
// and pointers are set exactly if reserved.
bool memory_plan_is_valid(const struct memory_plan *plan);

// Writes an amount for messages, in decimal units: "2.56 MB", "1 byte". Returns `text`.
const char *memory_bytes_text(size_t bytes, char text[MEMORY_TEXT_BYTES]);

// Prints the plan as a table: name, kind, shape, bytes; totals last.
void memory_plan_print(const struct memory_plan *plan, FILE *stream);

// Set while any plan is sealed; the allocation-counting test reads it. A thread that may allocate after the
// seal (the I/O thread, whose libraries do) exempts itself.
extern atomic_bool memory_is_sealed;
extern _Thread_local bool memory_thread_may_allocate;

#endif
