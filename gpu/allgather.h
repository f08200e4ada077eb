// Rows of which each rank has some, to the devices of all ranks, in the order of a stream: what
// parallel/allgather.h is for arrays in the host's memory. Parts go around the ring of ranks, in both
// directions at once, by the exchange between neighbouring devices (gpu/exchange.h), in pieces that fit into
// its messages. Independent of models.
#ifndef FATHOM_GPU_ALLGATHER_H
#define FATHOM_GPU_ALLGATHER_H

#include "gpu/exchange.h"
#include "parallel/shares.h"

// Start from {0}, which is one rank: all calls succeed and do nothing. The exchange may serve other rows as
// well.
struct gpu_allgather {
    struct gpu_exchange exchange;
};

enum { GPU_ALLGATHER_ARRAYS_MAX = 4 };

// Rows of an array on the device. The own ones are there before; all are there for later work on the stream.
struct gpu_allgather_array {
    void *data;
    size_t row_bytes, bytes;    // multiples of 4; bytes: of all rows, of which the last may be a shorter one
    const struct share *shares; // [rank], the same on all ranks; each has a row at least. NULL: a row each
};

// Declares buffers for gathers of at most `bytes` bytes, those of all ranks together. Instead of it
// gpu_exchange_plan may plan the exchange, of a ring: parts that are larger than its messages go in pieces.
enum status gpu_allgather_plan(struct gpu_allgather *gather, struct ranks *ranks, size_t bytes,
                               struct memory_plan *plan, const char *prefix);

// As gpu_exchange_open, gpu_exchange_close and gpu_exchange_finish.
enum status gpu_allgather_open(struct gpu_allgather *gather);
void gpu_allgather_close(struct gpu_allgather *gather);
enum status gpu_allgather_finish(struct gpu_allgather *gather);

// Begins it on the stream; by all ranks, with the same shares. The largest array comes first.
enum status gpu_allgather_rows(struct gpu_allgather *gather, const struct gpu_allgather_array *arrays,
                               int count, cudaStream_t stream);

// Bytes that this rank sends in it.
double gpu_allgather_bytes(const struct gpu_allgather *gather, const struct gpu_allgather_array *arrays,
                           int count);

#endif
