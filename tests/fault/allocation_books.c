// The books of what is allocated (see the header), and the allocators that keep them.
#include "tests/fault/allocation_books.h"

#include "core/memory_plan.h"

#include <errno.h>
#include <execinfo.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef FATHOM_TEST_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

atomic_long forbidden_count;
atomic_size_t forbidden_bytes;
char forbidden_thread[16];
enum { CALLS_MOST = 32 };
static void *calls[CALLS_MOST];
static int call_count;
atomic_long exempt_count;
atomic_llong held_bytes, peak_bytes;
_Thread_local bool is_in_transport;
atomic_long transport_count;
atomic_llong transport_held_bytes, transport_peak_bytes;
atomic_llong forbidden_held_bytes, forbidden_peak_bytes;

atomic_long driver_count;
atomic_llong driver_bytes, driver_held_bytes, driver_peak_bytes;
atomic_long device_count, device_late_count;

void reset_books(void)
{
    atomic_store(&forbidden_count, 0);
    atomic_store(&forbidden_bytes, 0);
    atomic_store(&exempt_count, 0);
    atomic_store(&held_bytes, 0);
    atomic_store(&peak_bytes, 0);
    atomic_store(&transport_count, 0);
    atomic_store(&transport_held_bytes, 0);
    atomic_store(&transport_peak_bytes, 0);
    atomic_store(&forbidden_held_bytes, 0);
    atomic_store(&forbidden_peak_bytes, 0);
    atomic_store(&driver_count, 0);
    atomic_store(&driver_bytes, 0);
    atomic_store(&driver_held_bytes, 0);
    atomic_store(&driver_peak_bytes, 0);
    atomic_store(&device_count, 0);
    atomic_store(&device_late_count, 0);
    (void)backtrace(calls, CALLS_MOST); // allocates when it is called for the first time
    call_count = 0;
}

void print_forbidden_calls(void)
{
    backtrace_symbols_fd(calls, call_count, STDERR_FILENO);
}

#if IS_COUNTING

// The CUDA driver keeps threads of its own, which it names cuda…, and NCCL some named NCCL…: when they
// allocate is not the program's to state. They are counted apart, and what they take must stay a trifle.
static bool is_the_drivers_thread(void)
{
    char name[16] = "";
    return prctl(PR_GET_NAME, name) == 0 && (strncmp(name, "cuda", 4) == 0 || strncmp(name, "NCCL", 4) == 0);
}

static void count_allocation(size_t bytes)
{
    if (!atomic_load(&memory_is_sealed))
        return;
    if (is_the_drivers_thread()) {
        atomic_fetch_add(&driver_count, 1);
        atomic_fetch_add(&driver_bytes, (long long)bytes);
        return;
    }
    if (!memory_thread_may_allocate) {
        if (atomic_fetch_add(&forbidden_count, 1) == 0) {
            atomic_store(&forbidden_bytes, bytes);
            (void)prctl(PR_GET_NAME, forbidden_thread);
            call_count = backtrace(calls, CALLS_MOST);
        }
        return;
    }
    atomic_fetch_add(&exempt_count, 1);
    if (is_in_transport)
        atomic_fetch_add(&transport_count, 1);
}

static void raise_peak(atomic_llong *held, atomic_llong *peak, long long bytes)
{
    const long long now = atomic_fetch_add(held, bytes) + bytes;
    long long before = atomic_load(peak);
    while (now > before && !atomic_compare_exchange_weak(peak, &before, now)) {
    }
}

// What a block really takes, its rounding up included.
static void count_held(long long bytes)
{
    if (!atomic_load(&memory_is_sealed))
        return;
    if (is_in_transport)
        raise_peak(&transport_held_bytes, &transport_peak_bytes, bytes);
    if (memory_thread_may_allocate)
        raise_peak(&held_bytes, &peak_bytes, bytes);
    else if (is_the_drivers_thread())
        raise_peak(&driver_held_bytes, &driver_peak_bytes, bytes);
    else
        raise_peak(&forbidden_held_bytes, &forbidden_peak_bytes, bytes);
}

// glibc's own, under the names it exports for this.
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

static void *counted(void *block, size_t bytes)
{
    count_allocation(bytes);
    if (block)
        count_held((long long)malloc_usable_size(block));
    return block;
}

void *malloc(size_t bytes)
{
    return counted(__libc_malloc(bytes), bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return counted(__libc_calloc(count, bytes), count * bytes);
}

void *realloc(void *block, size_t bytes)
{
    const long long before = block ? (long long)malloc_usable_size(block) : 0;
    void *const moved = __libc_realloc(block, bytes);
    if (moved || bytes == 0)
        count_held(-before);
    return counted(moved, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return counted(__libc_memalign(alignment, bytes), bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return counted(__libc_memalign(alignment, bytes), bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    *block = counted(__libc_memalign(alignment, bytes), bytes);
    return *block ? 0 : ENOMEM;
}

void free(void *block)
{
    if (block)
        count_held(-(long long)malloc_usable_size(block));
    __libc_free(block);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    void *const mapped = (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
    count_allocation(bytes);
    if (mapped != MAP_FAILED)
        count_held((long long)bytes);
    return mapped;
}

int munmap(void *address, size_t bytes)
{
    count_held(-(long long)bytes);
    return (int)syscall(SYS_munmap, address, bytes);
}

#endif

// ---- device and pinned memory: calls of the runtime, which the linker sends here (--wrap)

#ifdef FATHOM_TEST_HAS_CUDA

#define COUNTED(name, parameters, arguments)                                                                 \
    cudaError_t __real_##name parameters;                                                                    \
    cudaError_t __wrap_##name parameters;                                                                    \
    cudaError_t __wrap_##name parameters                                                                     \
    {                                                                                                        \
        atomic_fetch_add(atomic_load(&memory_is_sealed) ? &device_late_count : &device_count, 1);            \
        return __real_##name arguments;                                                                      \
    }

COUNTED(cudaMalloc, (void **block, size_t bytes), (block, bytes))
COUNTED(cudaMallocHost, (void **block, size_t bytes), (block, bytes))
COUNTED(cudaMallocAsync, (void **block, size_t bytes, cudaStream_t stream), (block, bytes, stream))
COUNTED(cudaMallocManaged, (void **block, size_t bytes, unsigned flags), (block, bytes, flags))
COUNTED(cudaHostAlloc, (void **block, size_t bytes, unsigned flags), (block, bytes, flags))
COUNTED(cudaHostRegister, (void *block, size_t bytes, unsigned flags), (block, bytes, flags))

#endif
