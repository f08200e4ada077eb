// How fast a device's arithmetic alone is (see the header).
#include "gpu/arithmetic.h"

#include "core/statistics.h"
#include "gpu/arithmetic_kernels.h"
#include "gpu/device.h"
#include "gpu/memory.h"

enum { REPEATS = 7, BLOCKS_A_MULTIPROCESSOR = 16 };

struct probe {
    void *sink;
    cudaEvent_t begin, end;
    unsigned blocks;
};

typedef cudaError_t arithmetic(enum element precision, unsigned blocks, void *sink, cudaStream_t stream);

static enum status run_once(const struct probe *p, arithmetic *kernel, enum element precision, double *rate)
{
    float elapsed_ms = 0;
    CUDA_CHECK(cudaEventRecord(p->begin, NULL), "to mark a time");
    CUDA_CHECK(kernel(precision, p->blocks, p->sink, NULL), "arithmetic");
    CUDA_CHECK(cudaEventRecord(p->end, NULL), "to mark a time");
    CUDA_CHECK(cudaEventSynchronize(p->end), "to finish arithmetic");
    CUDA_CHECK(cudaEventElapsedTime(&elapsed_ms, p->begin, p->end), "a time");
    *rate = (double)p->blocks * ARITHMETIC_THREADS * ARITHMETIC_CHAINS * ARITHMETIC_TURNS /
            ((double)elapsed_ms * 1e-3);
    return STATUS_OK;
}

static enum status run(const struct probe *p, arithmetic *kernel, enum element precision, double *rate)
{
    double rates[REPEATS], unused;
    CHECK(run_once(p, kernel, precision, &unused)); // the first one is slow
    for (int k = 0; k < REPEATS; k++)
        CHECK(run_once(p, kernel, precision, &rates[k]));
    *rate = statistics_median(rates, REPEATS);
    return STATUS_OK;
}

typedef enum status measurement(const struct probe *p, enum element precision, double rates[2]);

static enum status measure_arithmetic(const struct probe *p, enum element precision, double rates[2])
{
    CHECK(run(p, arithmetic_fma, precision, &rates[0]));
    return run(p, arithmetic_rsqrt, precision, &rates[1]);
}

static enum status measure_draws(const struct probe *p, enum element precision, double rates[2])
{
    return run(p, arithmetic_draws, precision, &rates[0]);
}

static enum status open_probe(struct probe *p, int device)
{
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
               "to report its size");
    p->blocks = (unsigned)(multiprocessors * BLOCKS_A_MULTIPROCESSOR);
    CUDA_CHECK(cudaMalloc(&p->sink, sizeof(double)), "device memory for the arithmetic rate");
    CUDA_CHECK(cudaEventCreate(&p->begin), "an event");
    CUDA_CHECK(cudaEventCreate(&p->end), "an event");
    return STATUS_OK;
}

static enum status measure(measurement *what, int device, enum element precision, double rates[2])
{
    CHECK(gpu_use(device));
    struct probe probe = {0};
    enum status status = open_probe(&probe, device);
    if (status == STATUS_OK)
        status = what(&probe, precision, rates);
    if (probe.begin)
        (void)cudaEventDestroy(probe.begin);
    if (probe.end)
        (void)cudaEventDestroy(probe.end);
    (void)cudaFree(probe.sink); // nothing if NULL
    return status;
}

enum status gpu_measure_arithmetic(int device, enum element precision, double *fma_per_s, double *rsqrt_per_s)
{
    double rates[2] = {0};
    CHECK(measure(measure_arithmetic, device, precision, rates));
    *fma_per_s = rates[0];
    *rsqrt_per_s = rates[1];
    return STATUS_OK;
}

enum status gpu_measure_draws(int device, double *words_per_s)
{
    double rates[2] = {0};
    CHECK(measure(measure_draws, device, ELEMENT_F32, rates));
    *words_per_s = rates[0];
    return STATUS_OK;
}
