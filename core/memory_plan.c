// The memory plan: a list of arrays, one block per kind.
#include "core/memory_plan.h"

#include "core/memory_limits.h"
#include "core/memory_spare.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

atomic_bool memory_is_sealed;
_Thread_local bool memory_thread_may_allocate;

const char *memory_kind_name(enum memory_kind kind)
{
    static const char *const names[MEMORY_KINDS] = {"host",    "pinned",  "device",
                                                    "library", "program", "device library"};
    return names[kind];
}

const char *memory_bytes_text(size_t bytes, char text[MEMORY_TEXT_BYTES])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    double amount = (double)bytes;
    size_t unit = 0;
    while (amount >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        amount /= 1000;
        unit++;
    }
    (void)snprintf(text, MEMORY_TEXT_BYTES, "%.3g %s", amount, bytes == 1 ? "byte" : units[unit]);
    return text;
}

static enum status populate(void *address, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    char text[MEMORY_TEXT_BYTES];
    if (madvise(address, bytes, MADV_POPULATE_WRITE) != 0 && errno == ENOMEM) {
        munmap(address, bytes);
        return FAIL(STATUS_SYSTEM, "the system does not have %s of free memory (%zu bytes)",
                    memory_bytes_text(bytes, text), bytes);
    }
#else
    (void)address;
    (void)bytes;
#endif
    return STATUS_OK;
}

// Host blocks are mapped, not malloc'ed: page-aligned, zeroed, and given back to the system on release. They
// are populated at once, so that a missing page shows before the run and not during it.
static enum status reserve_host(void *context, size_t bytes, void **block)
{
    char text[MEMORY_TEXT_BYTES];
    (void)context;
    void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED)
        return FAIL(STATUS_SYSTEM, "the system refused %s of memory (%zu bytes): %s",
                    memory_bytes_text(bytes, text), bytes, strerror(errno));
    (void)madvise(address, bytes, MADV_HUGEPAGE); // fewer TLB misses; a refusal costs speed only
    CHECK(populate(address, bytes));
    *block = address;
    return STATUS_OK;
}

// Pages that are there are cleared in place; the system adds or takes others.
static enum status renew_host(void *context, size_t had_bytes, size_t bytes, void **block)
{
    char text[MEMORY_TEXT_BYTES];
    (void)context;
    void *address = mremap(*block, had_bytes, bytes, MREMAP_MAYMOVE);
    if (address == MAP_FAILED) {
        const int error = errno;
        munmap(*block, had_bytes);
        return FAIL(STATUS_SYSTEM, "the system refused %s of memory (%zu bytes): %s",
                    memory_bytes_text(bytes, text), bytes, strerror(error));
    }
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), kept = had_bytes < bytes ? had_bytes : bytes;
    memset(address, 0, (kept + page - 1) / page * page);
    CHECK(populate(address, bytes));
    *block = address;
    return STATUS_OK;
}

static void release_host(void *context, void *block, size_t bytes)
{
    (void)context;
    munmap(block, bytes);
}

static size_t available_host(void *context)
{
    (void)context;
    return memory_limits_find("").available;
}

static void name_host_limit(void *context, char *text, size_t bytes)
{
    (void)context;
    snprintf(text, bytes, "%s", memory_limits_find("").name);
}

void memory_plan_begin(struct memory_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    const struct memory_allocator host = {NULL,           reserve_host,    release_host,
                                          available_host, name_host_limit, renew_host};
    plan->allocators[MEMORY_HOST] = host;
    plan->allocators[MEMORY_PINNED] = host;
}

static enum status append(struct memory_plan *plan, struct memory_array array, size_t bytes)
{
    assert(!plan->is_reserved && !plan->is_sealed);
    if (plan->count == MEMORY_ARRAYS_MAX)
        return FAIL(STATUS_CONFIGURATION, "the run needs more than %d arrays", MEMORY_ARRAYS_MAX);
    for (int k = 0; k < plan->count; k++)
        assert(strcmp(plan->arrays[k].name, array.name) != 0);
    array.offset = plan->total[array.kind];
    array.bytes = (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    if (plan->total[array.kind] > SIZE_MAX / 2 - array.bytes)
        return FAIL(STATUS_CONFIGURATION, "the run's memory overflows at array '%s'", array.name);
    plan->total[array.kind] += array.bytes;
    plan->arrays[plan->count++] = array;
    return STATUS_OK;
}

static enum status add_array(struct memory_plan *plan, struct memory_array array, void **pointer)
{
    assert(pointer && array.kind < MEMORY_LIBRARY);
    array.pointer = pointer;
    *pointer = NULL;
    size_t bytes;
    if (__builtin_mul_overflow(array.rows, array.columns, &bytes) ||
        __builtin_mul_overflow(bytes, element_bytes(array.element), &bytes) || bytes > SIZE_MAX / 4)
        return FAIL(STATUS_CONFIGURATION, "array '%s' of %zu × %zu %s is too large to address", array.name,
                    array.rows, array.columns, element_name(array.element));
    return append(plan, array, bytes);
}

enum status memory_plan_add(struct memory_plan *plan, enum memory_kind kind, enum element element,
                            size_t rows, size_t columns, void **pointer, const char *name_format, ...)
{
    struct memory_array array = {.kind = kind, .element = element, .rows = rows, .columns = columns};
    va_list arguments;
    va_start(arguments, name_format);
    vsnprintf(array.name, sizeof array.name, name_format, arguments);
    va_end(arguments);
    return add_array(plan, array, pointer);
}

enum status memory_plan_add_rows(struct memory_plan *plan, enum memory_kind kind, enum element element,
                                 size_t first, size_t end, size_t columns, void **pointer,
                                 const char *name_format, ...)
{
    assert((ptrdiff_t)first <= (ptrdiff_t)end);
    struct memory_array array = {
        .kind = kind, .element = element, .rows = end - first, .columns = columns, .first_row = first};
    va_list arguments;
    va_start(arguments, name_format);
    vsnprintf(array.name, sizeof array.name, name_format, arguments);
    va_end(arguments);
    return add_array(plan, array, pointer);
}

static enum status add_library(struct memory_plan *plan, enum memory_kind kind, size_t bytes,
                               const char *name)
{
    struct memory_array array = {.kind = kind, .element = ELEMENT_U8, .rows = 1, .columns = bytes};
    snprintf(array.name, sizeof array.name, "%s", name);
    return append(plan, array, bytes);
}

enum status memory_plan_add_library(struct memory_plan *plan, size_t bytes, const char *name)
{
    return add_library(plan, MEMORY_LIBRARY, bytes, name);
}

enum status memory_plan_add_device_library(struct memory_plan *plan, size_t bytes, const char *name)
{
    return add_library(plan, MEMORY_DEVICE_LIBRARY, bytes, name);
}

bool memory_plan_has(const struct memory_plan *plan, const char *name)
{
    for (int k = 0; k < plan->count; k++)
        if (strcmp(plan->arrays[k].name, name) == 0)
            return true;
    return false;
}

void memory_plan_add_program(struct memory_plan *plan, size_t bytes)
{
    // Pages of code and of stacks that are only touched later; 4 to 8 MB were measured.
    enum { UNIT_BYTES = 4 << 20, LATER_BYTES = 8 << 20 };
    bytes += bytes > 0 ? LATER_BYTES : 0;
    struct memory_array array = {.kind = MEMORY_PROGRAM, .element = ELEMENT_U8, .rows = 1};
    array.columns = (bytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
    snprintf(array.name, sizeof array.name, "program and libraries");
    if (array.columns > 0 && append(plan, array, array.columns) != STATUS_OK)
        status_clear(); // too many arrays: the next call reports it
}

size_t memory_pitch(size_t columns, enum element element)
{
    const size_t unit = 256 / element_bytes(element);
    size_t pitch = (columns + unit - 1) / unit * unit;
    size_t bytes = pitch * element_bytes(element);
    if (bytes >= 4096 && (bytes & (bytes - 1)) == 0)
        pitch += unit;
    return pitch;
}

size_t memory_plan_host_bytes(const struct memory_plan *plan)
{
    return plan->total[MEMORY_HOST] + plan->total[MEMORY_PINNED] + plan->total[MEMORY_LIBRARY] +
           plan->total[MEMORY_PROGRAM];
}

size_t memory_plan_device_bytes(const struct memory_plan *plan)
{
    return plan->total[MEMORY_DEVICE] + plan->total[MEMORY_DEVICE_LIBRARY];
}

size_t memory_plan_array_bytes(const struct memory_plan *plan)
{
    return plan->total[MEMORY_HOST] + plan->total[MEMORY_PINNED] + plan->total[MEMORY_DEVICE];
}

static bool is_on_device(enum memory_kind kind)
{
    return kind == MEMORY_DEVICE || kind == MEMORY_DEVICE_LIBRARY;
}

// "e (host, 412 MB), ..." for the three largest arrays of the device, or of the host.
static void describe_largest(const struct memory_plan *plan, bool of_device, char *text, size_t text_bytes)
{
    bool taken[MEMORY_ARRAYS_MAX] = {false};
    size_t length = 0;
    text[0] = '\0';
    for (int place = 0; place < 3; place++) {
        int largest = -1;
        for (int k = 0; k < plan->count; k++)
            if (!taken[k] && plan->arrays[k].kind != MEMORY_PROGRAM &&
                is_on_device(plan->arrays[k].kind) == of_device &&
                (largest < 0 || plan->arrays[k].bytes > plan->arrays[largest].bytes))
                largest = k;
        if (largest < 0)
            return;
        taken[largest] = true;
        const struct memory_array *array = &plan->arrays[largest];
        int written = snprintf(text + length, text_bytes - length, "%s%s (%s, %.1f MB)", place ? ", " : "",
                               array->name, memory_kind_name(array->kind), (double)array->bytes / 1e6);
        if (written < 0 || (size_t)written >= text_bytes - length)
            return;
        length += (size_t)written;
    }
}

static enum status refuse_over(const struct memory_plan *plan, bool of_device, size_t needed, size_t limit,
                               const char *limit_name)
{
    if (needed <= limit)
        return STATUS_OK;
    char largest[320];
    describe_largest(plan, of_device, largest, sizeof largest);
    char need[MEMORY_TEXT_BYTES], more[MEMORY_TEXT_BYTES], most[MEMORY_TEXT_BYTES];
    return FAIL(STATUS_SYSTEM,
                "the run needs %s of %s memory (%zu bytes), %s more than %s (%s, %zu bytes); largest: %s",
                memory_bytes_text(needed, need), of_device ? "device" : "host", needed,
                memory_bytes_text(needed - limit, more), limit_name, memory_bytes_text(limit, most), limit,
                largest);
}

size_t memory_plan_available(const struct memory_plan *plan, enum memory_kind kind)
{
    const struct memory_allocator *allocator = &plan->allocators[kind];
    const size_t available = allocator->available(allocator->context);
    size_t spare = memory_spare_bytes(kind, allocator);
    if (kind == MEMORY_HOST)
        spare += memory_spare_bytes(MEMORY_PINNED, &plan->allocators[MEMORY_PINNED]);
    return available > SIZE_MAX - spare ? SIZE_MAX : available + spare;
}

enum status memory_plan_check(const struct memory_plan *plan, size_t host_limit, size_t device_limit)
{
    const size_t host = memory_plan_host_bytes(plan), device = memory_plan_device_bytes(plan);
    CHECK(refuse_over(plan, false, host, host_limit, "the job's limit memory.host"));
    CHECK(refuse_over(plan, true, device, device_limit, "the job's limit memory.device"));
    const struct memory_allocator *of_host = &plan->allocators[MEMORY_HOST];
    char name[MEMORY_LIMIT_NAME_BYTES] = "this machine has free";
    const size_t available = memory_plan_available(plan, MEMORY_HOST);
    // The program's present memory is not free, and is not needed again.
    const size_t wanted = host - plan->total[MEMORY_PROGRAM];
    if (wanted > available && of_host->name_limit)
        of_host->name_limit(of_host->context, name, sizeof name);
    CHECK(refuse_over(plan, false, wanted, available, name));
    if (device > 0)
        CHECK(refuse_over(plan, true, device, memory_plan_available(plan, MEMORY_DEVICE),
                          "the device has free"));
    return STATUS_OK;
}

// Where the whole array would begin: before its first held row, in memory that may be another array's or
// outside the block. Computed as a number: the address itself is never used.
static void *start_of(const struct memory_plan *plan, const struct memory_array *array)
{
    const uintptr_t held = (uintptr_t)plan->blocks[array->kind] + array->offset;
    return (void *)(held - array->first_row * array->columns * element_bytes(array->element));
}

enum status memory_plan_reserve(struct memory_plan *plan, size_t host_limit, size_t device_limit)
{
    assert(!plan->is_reserved && !plan->is_sealed);
    CHECK(memory_plan_check(plan, host_limit, device_limit));
    const struct memory_allocator *allocators = plan->allocators;
    for (int kind = 0; kind < MEMORY_LIBRARY; kind++) {
        if (plan->total[kind] == 0)
            continue;
        enum status status = memory_spare_reserve((enum memory_kind)kind, &allocators[kind],
                                                  plan->total[kind], &plan->blocks[kind]);
        if (status != STATUS_OK) {
            memory_plan_release(plan);
            return status;
        }
    }
    for (int k = 0; k < plan->count; k++) {
        struct memory_array *array = &plan->arrays[k];
        if (array->pointer)
            *array->pointer = start_of(plan, array);
    }
    plan->is_reserved = true;
    return STATUS_OK;
}

void memory_plan_seal(struct memory_plan *plan)
{
    assert(plan->is_reserved && !plan->is_sealed);
    plan->is_sealed = true;
    atomic_store(&memory_is_sealed, true);
}

void memory_plan_release(struct memory_plan *plan)
{
    if (plan->is_sealed)
        atomic_store(&memory_is_sealed, false);
    for (int kind = 0; kind < MEMORY_LIBRARY; kind++)
        if (plan->blocks[kind]) {
            const struct memory_allocator *allocator = &plan->allocators[kind];
            if (!memory_spare_keep((enum memory_kind)kind, allocator, plan->blocks[kind], plan->total[kind]))
                allocator->release(allocator->context, plan->blocks[kind], plan->total[kind]);
            plan->blocks[kind] = NULL;
        }
    if (plan->is_reserved)
        for (int k = 0; k < plan->count; k++)
            if (plan->arrays[k].pointer)
                *plan->arrays[k].pointer = NULL;
    plan->is_reserved = plan->is_sealed = false;
}

size_t memory_plan_used_bytes(const struct memory_plan *plan)
{
    size_t used = 0;
    for (int k = 0; k < plan->count; k++)
        if (plan->arrays[k].pointer && *plan->arrays[k].pointer)
            used += plan->arrays[k].bytes;
    return used;
}

bool memory_plan_is_valid(const struct memory_plan *plan)
{
    size_t next[MEMORY_KINDS] = {0};
    for (int k = 0; k < plan->count; k++) {
        const struct memory_array *array = &plan->arrays[k];
        if (array->offset != next[array->kind] || array->offset % MEMORY_ALIGNMENT != 0 ||
            array->bytes % MEMORY_ALIGNMENT != 0 ||
            array->bytes < array->rows * array->columns * element_bytes(array->element))
            return false;
        next[array->kind] += array->bytes;
        if (!array->pointer)
            continue;
        if (*array->pointer != (plan->is_reserved ? start_of(plan, array) : NULL))
            return false;
    }
    for (int kind = 0; kind < MEMORY_KINDS; kind++)
        if (next[kind] != plan->total[kind])
            return false;
    return true;
}

void memory_plan_print(const struct memory_plan *plan, FILE *stream)
{
    fprintf(stream, "  %-36s %-14s %-8s %10s %10s %16s\n", "array", "kind", "type", "rows", "columns",
            "bytes");
    for (int k = 0; k < plan->count; k++) {
        const struct memory_array *array = &plan->arrays[k];
        fprintf(stream, "  %-36s %-14s %-8s %10zu %10zu %16zu\n", array->name, memory_kind_name(array->kind),
                element_name(array->element), array->rows, array->columns, array->bytes);
    }
    for (int kind = 0; kind < MEMORY_KINDS; kind++)
        if (plan->total[kind] > 0)
            fprintf(stream, "  %-36s %-14s %38zu\n", "total", memory_kind_name((enum memory_kind)kind),
                    plan->total[kind]);
}
