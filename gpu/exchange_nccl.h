// The way of an exchange by NCCL (gpu/exchange.h): between hosts, or where devices of one host cannot address
// each other's memory. Sends and receives are grouped in the stream of the exchange; the host waits for
// nothing. All exchanges of a process share one communicator of all ranks (gpu/nccl_world.h).
#ifndef FATHOM_GPU_EXCHANGE_NCCL_H
#define FATHOM_GPU_EXCHANGE_NCCL_H

#include "core/memory_plan.h"
#include "gpu/exchange_kernels.h"
#include "parallel/ranks.h"

struct gpu_exchange_clock;

// The fields are its own, but those that are the exchange's: they are set before the plan.
struct gpu_exchange_nccl {
    struct ranks *ranks;
    const int *neighbours; // [GPU_EXCHANGE_SIDES]
    size_t message_bytes;
    // Rows that are not in one part are packed: [sent, received][side][message_bytes] of the device.
    char *const *packed;
    bool may_be_used, is_open;
    struct gpu_exchange_clock *clock;
};

// Decides, with all ranks alike, whether it may be used, and declares the memory of NCCL. With
// wanted_transport "nccl": STATUS_CONFIGURATION, STATUS_SYSTEM if it cannot be had.
enum status gpu_exchange_nccl_plan(struct gpu_exchange_nccl *way, struct memory_plan *plan);
// By all ranks; returns when messages of all sizes have been exchanged once on the stream, so that NCCL has
// all memory.
enum status gpu_exchange_nccl_open(struct gpu_exchange_nccl *way, cudaStream_t stream);
void gpu_exchange_nccl_close(struct gpu_exchange_nccl *way);

// As gpu_exchange_rows, of `bytes` bytes in all.
enum status gpu_exchange_nccl_rows(struct gpu_exchange_nccl *way, const struct gpu_exchange_piece *pieces,
                                   int count, size_t bytes, cudaStream_t stream);
// As gpu_exchange_finish.
enum status gpu_exchange_nccl_finish(struct gpu_exchange_nccl *way);

#endif
