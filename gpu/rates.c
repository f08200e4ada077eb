// How fast a device's memory and arithmetic alone are (see the header).
#include "gpu/rates.h"

#include "core/statistics.h"
#include "gpu/device.h"
#include "gpu/memory.h"
#include "gpu/rates_kernels.h"

enum { REPEATS = 15, BLOCKS_A_MULTIPROCESSOR = 16 };

#define COPY_BYTES ((size_t)512 << 20) // ten times the largest cache

// What a measurement repeats: it begins `work` operations on the default stream.
struct probe {
    cudaError_t (*begin_work)(const struct probe *probe);
    cudaError_t (*kernel)(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);
    enum element precision;
    double work;
    unsigned blocks;
    void *from, *to; // of a copy; `to` also takes what an arithmetic kernel writes
    cudaEvent_t begin, end;
};

static cudaError_t begin_copy(const struct probe *p)
{
    return cudaMemcpyAsync(p->to, p->from, COPY_BYTES, cudaMemcpyDeviceToDevice, NULL);
}

static cudaError_t begin_arithmetic(const struct probe *p)
{
    return p->kernel(p->precision, p->blocks, p->to, NULL);
}

static enum status run_once(const struct probe *p, double *rate)
{
    float elapsed_ms = 0;
    CUDA_CHECK(cudaEventRecord(p->begin, NULL), "to mark a time");
    CUDA_CHECK(p->begin_work(p), "work to be timed");
    CUDA_CHECK(cudaEventRecord(p->end, NULL), "to mark a time");
    CUDA_CHECK(cudaEventSynchronize(p->end), "to finish what is timed");
    CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, p->begin, p->end), "a time");
    *rate = p->work / ((double)elapsed_ms * 1e-3);
    return STATUS_OK;
}

static enum status run(struct probe *p, size_t bytes, double *rate)
{
    double rates[REPEATS], unused;
    CUDA_CHECK(cudaMalloc(&p->to, bytes), "device memory for a measurement");
    if (!p->kernel) {
        CUDA_CHECK(cudaMalloc(&p->from, bytes), "device memory for a measurement");
        CUDA_CHECK(cudaMemset(p->from, 1, bytes), "to fill its memory");
    }
    CUDA_CHECK(cudaEventCreate(&p->begin), "an event");
    CUDA_CHECK(cudaEventCreate(&p->end), "an event");
    CHECK(run_once(p, &unused)); // the first one is slow
    for (int k = 0; k < REPEATS; k++)
        CHECK(run_once(p, &rates[k]));
    *rate = statistics_median(rates, REPEATS);
    return STATUS_OK;
}

static enum status measure(struct probe probe, size_t bytes, double *rate)
{
    const enum status status = run(&probe, bytes, rate);
    if (probe.begin)
        (void)cudaEventDestroy(probe.begin);
    if (probe.end)
        (void)cudaEventDestroy(probe.end);
    (void)cudaFree(probe.to); // nothing if NULL
    (void)cudaFree(probe.from);
    return status;
}

enum status gpu_measure_copy(int device, double *bytes_per_s)
{
    CHECK(gpu_use(device));
    return measure((struct probe){.begin_work = begin_copy, .work = 2 * (double)COPY_BYTES}, COPY_BYTES,
                   bytes_per_s);
}

static enum status measure_kernel(int device, struct probe probe, double *rate)
{
    int multiprocessors = 0;
    CHECK(gpu_use(device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
               "to report its size");
    probe.begin_work = begin_arithmetic;
    probe.blocks = (unsigned)(multiprocessors * BLOCKS_A_MULTIPROCESSOR);
    probe.work = (double)probe.blocks * RATES_THREADS * RATES_CHAINS * RATES_ROUNDS;
    return measure(probe, sizeof(double), rate);
}

enum status gpu_measure_arithmetic(int device, enum element precision, double *fma_per_s, double *rsqrt_per_s)
{
    CHECK(measure_kernel(device, (struct probe){.kernel = rates_fma, .precision = precision}, fma_per_s));
    return measure_kernel(device, (struct probe){.kernel = rates_rsqrt, .precision = precision}, rsqrt_per_s);
}

enum status gpu_measure_draws(int device, double *words_per_s)
{
    return measure_kernel(device, (struct probe){.kernel = rates_draws, .precision = ELEMENT_F32},
                          words_per_s);
}
