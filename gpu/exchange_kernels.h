// The kernels of an exchange between the devices of one host (gpu/exchange.h). Each function only begins its
// work on the stream.
#ifndef FATHOM_GPU_EXCHANGE_KERNELS_H
#define FATHOM_GPU_EXCHANGE_KERNELS_H

#include "gpu/extern_c.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

EXTERN_C_BEGIN

enum { GPU_EXCHANGE_LOW, GPU_EXCHANGE_HIGH, GPU_EXCHANGE_SIDES };
enum { GPU_EXCHANGE_PIECES_MAX = 24, GPU_EXCHANGE_TURNS = 2 };

// Rows of an array, to be sent to the neighbour at each side, and where those go that it sends: `count` parts
// of `bytes` bytes (below 4 GiB together), `stride` bytes apart.
struct gpu_exchange_piece {
    const void *send[GPU_EXCHANGE_SIDES];
    void *receive[GPU_EXCHANGE_SIDES];
    size_t bytes, count, stride;
};

// In device memory, all 0 at first. number: of the last exchange that has arrived, written by the neighbour
// at that side; done: blocks of the present sending kernel that have ended; waited_ns: by this rank.
struct gpu_exchange_flags {
    unsigned number[GPU_EXCHANGE_SIDES];
    unsigned done[GPU_EXCHANGE_SIDES];
    unsigned long long waited_ns[GPU_EXCHANGE_SIDES];
};

// Of one exchange. Of a side without a neighbour `there` and `here` are NULL. Without `flags` the buffers are
// this device's own: rows are packed, or unpacked, and no flag is written or awaited.
struct gpu_exchange_message {
    struct gpu_exchange_piece pieces[GPU_EXCHANGE_PIECES_MAX];
    int count;
    int blocks_max; // of threads, for each side
    unsigned number;
    char *there[GPU_EXCHANGE_SIDES];            // the buffers in the neighbours' memory
    unsigned *their_number[GPU_EXCHANGE_SIDES]; // their flags for this rank
    const char *here[GPU_EXCHANGE_SIDES];       // the own buffers, in which the neighbours write
    struct gpu_exchange_flags *flags;           // the own ones
    const int *failure;                         // host memory; not 0: a rank has failed, do not wait
};

// To the neighbours' buffers, then their flags.
cudaError_t gpu_exchange_push(const struct gpu_exchange_message *message, cudaStream_t stream);
// Waits for the own flags, then copies from the own buffers.
cudaError_t gpu_exchange_pull(const struct gpu_exchange_message *message, cudaStream_t stream);

// Loads the kernels, which may take memory: before the seal.
cudaError_t gpu_exchange_load(void);

EXTERN_C_END

#endif
