// Device and pinned memory for the plan: one block each, made before the seal, given back at the end.
#include "gpu/memory.h"

#include "core/statistics.h"
#include "gpu/device.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

// The allocators' context is the device's number.
static enum status use(void *context)
{
    return gpu_use((int)(intptr_t)context);
}

static enum status reserve_device(void *context, size_t bytes, void **block)
{
    CHECK(use(context));
    CUDA_CHECK(cudaMalloc(block, bytes), "device memory");
    CUDA_CHECK(cudaMemset(*block, 0, bytes), "to clear its memory");
    CUDA_CHECK(cudaDeviceSynchronize(), "to finish clearing its memory"); // before other streams use it
    return STATUS_OK;
}

// Nothing may be on its way to or from a block that is given back, also after a failure in mid-run.
static void release_device(void *context, void *block, size_t bytes)
{
    (void)bytes;
    (void)cudaSetDevice((int)(intptr_t)context);
    (void)cudaDeviceSynchronize();
    (void)cudaFree(block);
}

static size_t available_device(void *context)
{
    size_t free_bytes = 0, total_bytes = 0;
    if (cudaSetDevice((int)(intptr_t)context) != cudaSuccess)
        return 0;
    return cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess ? free_bytes : 0;
}

static enum status reserve_pinned(void *context, size_t bytes, void **block)
{
    CHECK(use(context));
    CUDA_CHECK(cudaMallocHost(block, bytes), "pinned host memory");
    memset(*block, 0, bytes);
    return STATUS_OK;
}

static void release_pinned(void *context, void *block, size_t bytes)
{
    (void)bytes;
    (void)cudaSetDevice((int)(intptr_t)context);
    (void)cudaDeviceSynchronize();
    (void)cudaFreeHost(block);
}

// The host's own figure is checked for all of its memory together.
static size_t available_unknown(void *context)
{
    (void)context;
    return SIZE_MAX;
}

enum status gpu_memory_use(struct memory_plan *plan, int device)
{
    void *const context = (void *)(intptr_t)device;
    CHECK(gpu_use(device));
    plan->allocators[MEMORY_DEVICE] =
        (struct memory_allocator){context, reserve_device, release_device, available_device, NULL};
    plan->allocators[MEMORY_PINNED] =
        (struct memory_allocator){context, reserve_pinned, release_pinned, available_unknown, NULL};
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

enum { COPY_REPEATS = 15 };

struct copy_bench {
    void *from, *to;
    size_t bytes;
    cudaEvent_t begin, end;
};

static enum status copy_once(const struct copy_bench *bench, double *rate)
{
    float elapsed_ms = 0;
    CUDA_CHECK(cudaEventRecord(bench->begin, NULL), "to mark a time");
    CUDA_CHECK(cudaMemcpyAsync(bench->to, bench->from, bench->bytes, cudaMemcpyDeviceToDevice, NULL),
               "a copy within its memory");
    CUDA_CHECK(cudaEventRecord(bench->end, NULL), "to mark a time");
    CUDA_CHECK(cudaEventSynchronize(bench->end), "to finish a copy");
    CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, bench->begin, bench->end), "a time");
    *rate = 2 * (double)bench->bytes / ((double)elapsed_ms * 1e-3);
    return STATUS_OK;
}

static enum status copy_repeatedly(struct copy_bench *bench, double *bytes_per_s)
{
    double rates[COPY_REPEATS], unused;
    CUDA_CHECK(cudaMalloc(&bench->from, bench->bytes), "device memory for the copy rate");
    CUDA_CHECK(cudaMalloc(&bench->to, bench->bytes), "device memory for the copy rate");
    CUDA_CHECK(cudaMemset(bench->from, 1, bench->bytes), "to fill its memory");
    CUDA_CHECK(cudaEventCreate(&bench->begin), "an event");
    CUDA_CHECK(cudaEventCreate(&bench->end), "an event");
    CHECK(copy_once(bench, &unused)); // the first one is slow
    for (int k = 0; k < COPY_REPEATS; k++)
        CHECK(copy_once(bench, &rates[k]));
    *bytes_per_s = statistics_median(rates, COPY_REPEATS);
    return STATUS_OK;
}

enum status gpu_measure_copy(int device, double *bytes_per_s)
{
    CHECK(gpu_use(device));
    struct copy_bench bench = {.bytes = (size_t)512 << 20}; // ten times the largest cache
    const enum status status = copy_repeatedly(&bench, bytes_per_s);
    if (bench.begin)
        (void)cudaEventDestroy(bench.begin);
    if (bench.end)
        (void)cudaEventDestroy(bench.end);
    (void)cudaFree(bench.to); // nothing if NULL
    (void)cudaFree(bench.from);
    return status;
}

cudaError_t gpu_wait(cudaEvent_t event)
{
    // Short at first: what is waited for is mostly a few copies; then long enough not to matter.
    for (long nap_ns = 5000;; nap_ns = nap_ns < 100000 ? 2 * nap_ns : nap_ns) {
        const cudaError_t error = cudaEventQuery(event);
        if (error != cudaErrorNotReady)
            return error;
        (void)cudaGetLastError(); // no failure: older runtimes keep it, and the next launch would find it
        (void)nanosleep(&(struct timespec){0, nap_ns}, NULL);
    }
}
