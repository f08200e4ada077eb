// Replaces exchange_nccl.c in a build without NCCL.
#include "gpu/exchange_nccl.h"

#include "gpu/nccl.h"

#include <string.h>

enum status gpu_exchange_nccl_plan(struct gpu_exchange_nccl *way, struct memory_plan *plan)
{
    char why[256];
    (void)plan;
    const char *const wanted = way->ranks->wanted_transport;
    if (!wanted || strcmp(wanted, "nccl") != 0)
        return STATUS_OK;
    (void)gpu_nccl_describe(why, sizeof why);
    return FAIL(STATUS_CONFIGURATION, "transport nccl cannot be had: NCCL is %s", why);
}

enum status gpu_exchange_nccl_open(struct gpu_exchange_nccl *way, cudaStream_t stream)
{
    (void)way;
    (void)stream;
    return FAIL(STATUS_SOFTWARE, "an exchange by NCCL in a build without it");
}

void gpu_exchange_nccl_close(struct gpu_exchange_nccl *way)
{
    (void)way;
}

enum status gpu_exchange_nccl_rows(struct gpu_exchange_nccl *way, const struct gpu_exchange_piece *pieces,
                                   int count, size_t bytes, cudaStream_t stream)
{
    (void)pieces;
    (void)count;
    (void)bytes;
    return gpu_exchange_nccl_open(way, stream);
}

enum status gpu_exchange_nccl_finish(struct gpu_exchange_nccl *way)
{
    (void)way;
    return STATUS_OK;
}
