// The exchange of rows between the devices of neighbouring ranks, in the order of a stream: what
// parallel/exchange.h is for arrays in the host's memory. Independent of models.
//
// Three ways, by what the devices allow:
//   peer  devices of one host that can address each other's memory (CUDA IPC; over NVLink or PCIe). A kernel
//         writes the rows into a buffer in the neighbour's memory and then a flag with system scope; another
//         waits for the neighbour's flag and copies its rows to where they belong. The host waits for
//         nothing. Two buffers for each side take turns: a rank sends number k + 2 after it has received
//         number k + 1, which the neighbour sent after it had copied number k.
//   mpi   through pinned memory of the hosts and the messages of parallel/ranks.h; the host waits.
//   nccl  between hosts, or where devices of one host cannot address each other's memory
//         (gpu/exchange_nccl.h); the host waits for nothing.
// All ranks take the same one.
//
// A rank that fails or is lost would let its neighbours' kernels wait forever. They look at the state of the
// run's failure in the host's memory, and then go on with wrong rows; the host ends the run at the next
// message between ranks.
#ifndef FATHOM_GPU_EXCHANGE_H
#define FATHOM_GPU_EXCHANGE_H

#include "core/memory_plan.h"
#include "gpu/exchange_kernels.h"
#include "gpu/exchange_nccl.h"
#include "parallel/ranks.h"

// The fields are the exchange's own. Start from {0}, which is an exchange of one rank: all calls succeed and
// do nothing.
struct gpu_exchange {
    struct ranks *ranks;                // NULL: one rank
    int neighbours[GPU_EXCHANGE_SIDES]; // their ranks; −1: none
    size_t message_bytes;               // to each side, at most
    const struct memory_plan *plan;     // of the buffers
    bool is_peer, is_open;
    unsigned number; // exchanges so far
    // peer. landing: [turn][side][message_bytes], what the neighbour at that side sends, then the flags.
    char *landing;
    struct gpu_exchange_flags *flags;
    void *mapped[GPU_EXCHANGE_SIDES]; // the neighbours' memory
    char *their_landing[GPU_EXCHANGE_SIDES];
    struct gpu_exchange_flags *their_flags[GPU_EXCHANGE_SIDES];
    const int *failure;  // the run's, as the device sees it
    bool has_registered; // this exchange did: of several in one process the first
    // mpi
    char *to_send[GPU_EXCHANGE_SIDES], *received[GPU_EXCHANGE_SIDES];
    cudaEvent_t copied;
    struct gpu_exchange_nccl nccl; // it packs rows in landing
    // Work beside the exchange (gpu_exchange_fork).
    cudaStream_t beside;
    cudaEvent_t forked, joined;
    int made; // of the events and the stream
};

// Declares the buffers of an exchange of at most message_bytes bytes to each side. is_ring: the first and the
// last rank are neighbours. Before the reserve, by all ranks. The plan must outlive the exchange.
enum status gpu_exchange_plan(struct gpu_exchange *exchange, struct ranks *ranks, bool is_ring,
                              size_t message_bytes, struct memory_plan *plan, const char *prefix);

// Finds the way and opens it; between the reserve and the seal, by all ranks at the same time.
// STATUS_SYSTEM: the way that was asked for (ranks->wanted_transport) cannot be had.
enum status gpu_exchange_open(struct gpu_exchange *exchange);
void gpu_exchange_close(struct gpu_exchange *exchange);

// Begins, on the stream, to send the pieces and to receive those of the neighbours: by all ranks with pieces
// of the same sizes. Later work on the stream finds them there. Bytes, strides and addresses are
// multiples of 4.
enum status gpu_exchange_rows(struct gpu_exchange *exchange, const struct gpu_exchange_piece *pieces,
                              int count, cudaStream_t stream);

// The same by few blocks of threads, which leave the multiprocessors to the work on other streams. All ranks
// need not choose the same.
enum status gpu_exchange_rows_beside(struct gpu_exchange *exchange, const struct gpu_exchange_piece *pieces,
                                     int count, cudaStream_t stream);

// An exchange beside other work: work on *beside, a stream of the highest priority, begins after what is on
// `stream` by now (fork), and later work on `stream` after what is on *beside by then (join).
enum status gpu_exchange_fork(struct gpu_exchange *exchange, cudaStream_t stream, cudaStream_t *beside);
enum status gpu_exchange_join(struct gpu_exchange *exchange, cudaStream_t stream);

// Where arrays of the neighbour at each side lie, as this device addresses them: those that it names in the
// same place of `own`, its arrays in the plan's device memory (or where they would begin, if it has but a
// part of them). For kernels that write there themselves; is_peer must be set. By all ranks at the same
// time.
enum { GPU_EXCHANGE_ADDRESSES_MAX = 16 };
enum status gpu_exchange_swap_addresses(struct gpu_exchange *exchange, void *const *own, int count,
                                        void *theirs[GPU_EXCHANGE_SIDES][GPU_EXCHANGE_ADDRESSES_MAX]);

// Adds what this rank waited since the last call to ranks->exchange_wait_s. No work may be in progress.
enum status gpu_exchange_finish(struct gpu_exchange *exchange);

#endif
