// The communicator of NCCL that all ranks of a run share, and the thread that starts, watches and ends it
// (gpu/exchange_nccl.h). One in a process, for all of its exchanges.
#ifndef FATHOM_GPU_NCCL_WORLD_H
#define FATHOM_GPU_NCCL_WORLD_H

#include "gpu/nccl_library.h"
#include "parallel/ranks.h"

// Work that may wait for another rank, on the thread. Returns NCCL's result.
struct nccl_work {
    ncclResult_t (*run)(ncclComm_t comm, void *context);
    void *context;
    const char *what; // "NCCL cannot WHAT"
    const char *when; // "20 MB WHEN"
};

// Starts it, by all ranks, on the calling thread's device; or adds a user. STATUS_SYSTEM.
enum status nccl_world_open(struct ranks *ranks);
// Of the last user: ends it. Waits a few seconds at most: what still hangs then ends with the process.
void nccl_world_close(void);

// Returns when it is done; the failure of a rank comes first.
enum status nccl_world_work(const struct nccl_work *work);

// Between these two the calling thread may use the communicator; begin fails when it has been aborted.
enum status nccl_world_begin(ncclComm_t *comm);
// `result` of what was called between: a failure's message names the lost rank if there is one.
enum status nccl_world_end(ncclResult_t result);

#endif
