// The exchange of rows between devices (see the header).
#include "gpu/exchange.h"

#include "core/clock.h"
#include "gpu/memory.h"
#include "parallel/tags.h"

#include <stdint.h>
#include <string.h>

enum { LOW = GPU_EXCHANGE_LOW, HIGH = GPU_EXCHANGE_HIGH, SIDES = GPU_EXCHANGE_SIDES };

// What a rank tells its neighbours of its buffers: the handle of the memory that they lie in, and where.
struct introduction {
    cudaIpcMemHandle_t handle;
    uint64_t landing, flags; // bytes from the memory's beginning
    int32_t is_there;        // the handle could be made
};

static int other_side(int side)
{
    return SIDES - 1 - side;
}

static void find_neighbours(struct gpu_exchange *e, bool is_ring)
{
    const int rank = e->ranks->rank, count = e->ranks->count;
    e->neighbours[LOW] = rank > 0 ? rank - 1 : is_ring ? count - 1 : -1;
    e->neighbours[HIGH] = rank + 1 < count ? rank + 1 : is_ring ? 0 : -1;
}

enum { COPIED, FORKED, JOINED, BESIDE, MADE };

static enum status make_events(struct gpu_exchange *e)
{
    cudaEvent_t *const events[] = {[COPIED] = &e->copied, [FORKED] = &e->forked, [JOINED] = &e->joined};
    int lowest, highest;
    for (; e->made < BESIDE; e->made++)
        CUDA_CHECK(cudaEventCreateWithFlags(events[e->made], cudaEventDisableTiming), "an event");
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "to order its work");
    CUDA_CHECK(cudaStreamCreateWithPriority(&e->beside, cudaStreamNonBlocking, highest), "a stream");
    e->made = MADE;
    return STATUS_OK;
}

enum status gpu_exchange_plan(struct gpu_exchange *exchange, struct ranks *ranks, bool is_ring,
                              size_t message_bytes, struct memory_plan *plan, const char *prefix)
{
    struct gpu_exchange *e = exchange;
    if (ranks->count == 1)
        return STATUS_OK;
    if (message_bytes > TRANSPORT_MESSAGE_MAX)
        return FAIL(STATUS_CONFIGURATION, "%zu bytes to a neighbour are more than one message can hold (%d)",
                    message_bytes, TRANSPORT_MESSAGE_MAX);
    e->ranks = ranks;
    e->plan = plan;
    e->message_bytes = (message_bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    find_neighbours(e, is_ring);
    const struct gpu_array arrays[] = {
        {&e->landing, MEMORY_DEVICE, ELEMENT_U8, (size_t)GPU_EXCHANGE_TURNS * SIDES, e->message_bytes,
         "device rows of neighbours"},
        {&e->flags, MEMORY_DEVICE, ELEMENT_U8, 1, sizeof *e->flags, "device flags of neighbours"},
        {&e->to_send[LOW], MEMORY_PINNED, ELEMENT_U8, 1, e->message_bytes, "rows for the lower neighbour"},
        {&e->to_send[HIGH], MEMORY_PINNED, ELEMENT_U8, 1, e->message_bytes, "rows for the upper neighbour"},
        {&e->received[LOW], MEMORY_PINNED, ELEMENT_U8, 1, e->message_bytes, "rows of the lower neighbour"},
        {&e->received[HIGH], MEMORY_PINNED, ELEMENT_U8, 1, e->message_bytes, "rows of the upper neighbour"},
    };
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    e->nccl = (struct gpu_exchange_nccl){.ranks = ranks,
                                         .neighbours = e->neighbours,
                                         .message_bytes = e->message_bytes,
                                         .packed = &e->landing};
    CHECK(gpu_exchange_nccl_plan(&e->nccl, plan));
    return make_events(e);
}

// What comes from the low side was sent to the high side: in a ring of two ranks both are the same rank.
static enum status swap_messages(struct gpu_exchange *e, const void *const to_send[SIDES],
                                 void *const received[SIDES], size_t bytes)
{
    struct transport_request requests[2 * SIDES];
    int count = 0;
    for (int side = 0; side < SIDES; side++) {
        if (e->neighbours[side] < 0)
            continue;
        CHECK(ranks_post_receive(e->ranks, TRANSPORT_STEPS, e->neighbours[side],
                                 TAG_DEVICE_LOW + other_side(side), received[side], bytes,
                                 &requests[count++]));
        CHECK(ranks_post_send(e->ranks, TRANSPORT_STEPS, e->neighbours[side], TAG_DEVICE_LOW + side,
                              to_send[side], bytes, &requests[count++]));
    }
    return ranks_wait(e->ranks, requests, count);
}

// ---- the way between devices of one host

static bool is_same_host(const struct gpu_exchange *e, int side)
{
    const struct ranks_place *places = e->ranks->places;
    return strcmp(places[e->neighbours[side]].host, places[e->ranks->rank].host) == 0;
}

// Failures are no errors: there is another way.
static bool open_neighbour(struct gpu_exchange *e, int side, const struct introduction *theirs)
{
    const bool is_open =
        is_same_host(e, side) && theirs->is_there &&
        cudaIpcOpenMemHandle(&e->mapped[side], theirs->handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    (void)cudaGetLastError(); // a later call must not find it again
    if (!is_open) {
        e->mapped[side] = NULL;
        return false;
    }
    e->their_landing[side] = (char *)e->mapped[side] + theirs->landing;
    e->their_flags[side] = (struct gpu_exchange_flags *)(void *)((char *)e->mapped[side] + theirs->flags);
    return true;
}

// A handle can be opened once in a process: two ranks in a ring have one neighbour.
static bool is_same_neighbour(const struct gpu_exchange *e)
{
    return e->neighbours[LOW] >= 0 && e->neighbours[LOW] == e->neighbours[HIGH];
}

static bool open_neighbours(struct gpu_exchange *e, const struct introduction theirs[SIDES])
{
    for (int side = 0; side < SIDES; side++) {
        if (e->neighbours[side] < 0)
            continue;
        if (side == HIGH && is_same_neighbour(e)) {
            e->their_landing[HIGH] = e->their_landing[LOW];
            e->their_flags[HIGH] = e->their_flags[LOW];
        } else if (!open_neighbour(e, side, &theirs[side])) {
            return false;
        }
    }
    return true;
}

static bool map_failure(struct gpu_exchange *e)
{
    void *const state = &e->ranks->failure.state; // an atomic int, which the device only reads
    void *seen = NULL;
    struct cudaPointerAttributes known = {.type = cudaMemoryTypeUnregistered};
    bool is_mapped = cudaPointerGetAttributes(&known, state) == cudaSuccess;
    if (is_mapped && known.type == cudaMemoryTypeUnregistered) // not by an exchange of another grid
        is_mapped = e->has_registered =
            cudaHostRegister(state, sizeof e->ranks->failure.state, cudaHostRegisterMapped) == cudaSuccess;
    is_mapped = is_mapped && cudaHostGetDevicePointer(&seen, state, 0) == cudaSuccess;
    (void)cudaGetLastError();
    e->failure = seen;
    return is_mapped;
}

static void close_neighbours(struct gpu_exchange *e)
{
    for (int side = 0; side < SIDES; side++) {
        if (e->mapped[side])
            (void)cudaIpcCloseMemHandle(e->mapped[side]);
        e->mapped[side] = NULL;
    }
    if (e->has_registered)
        (void)cudaHostUnregister(&e->ranks->failure.state);
    e->failure = NULL;
    e->has_registered = false;
}

enum status gpu_exchange_open(struct gpu_exchange *exchange)
{
    struct gpu_exchange *e = exchange;
    struct introduction own = {.is_there = 0}, theirs[SIDES] = {{.is_there = 0}};
    if (!e->ranks || e->is_open)
        return STATUS_OK;
    const char *const wanted = e->ranks->wanted_transport;
    char *const block = e->plan->blocks[MEMORY_DEVICE];
    own.landing = (uint64_t)(e->landing - block);
    own.flags = (uint64_t)((char *)e->flags - block);
    own.is_there = cudaIpcGetMemHandle(&own.handle, block) == cudaSuccess;
    (void)cudaGetLastError();
    CHECK(swap_messages(e, (const void *const[]){&own, &own}, (void *const[]){&theirs[LOW], &theirs[HIGH]},
                        sizeof own));
    int64_t lacks_peers = wanted && strcmp(wanted, "peer") != 0;
    if (!lacks_peers)
        lacks_peers = !open_neighbours(e, theirs) || !map_failure(e);
    CHECK(ranks_largest(e->ranks, TRANSPORT_STEPS, &lacks_peers, 1));
    e->is_peer = lacks_peers == 0;
    if (!e->is_peer)
        close_neighbours(e);
    if (!e->is_peer && wanted && strcmp(wanted, "peer") == 0)
        return FAIL(STATUS_SYSTEM, "transport peer cannot be had: the devices of two neighbouring ranks "
                                   "cannot address each other's memory");
    CUDA_CHECK(gpu_exchange_load(), "to load its kernels");
    if (!e->is_peer && e->nccl.may_be_used)
        CHECK(gpu_exchange_nccl_open(&e->nccl, e->beside));
    e->ranks->used_transport = e->is_peer ? "peer" : e->nccl.is_open ? "nccl" : "mpi";
    e->is_open = true;
    return STATUS_OK;
}

// Differences of addresses: an array may begin outside of its block.
enum status gpu_exchange_swap_addresses(struct gpu_exchange *exchange, void *const *own, int count,
                                        void *theirs[SIDES][GPU_EXCHANGE_ADDRESSES_MAX])
{
    struct gpu_exchange *e = exchange;
    const uintptr_t block = (uintptr_t)e->plan->blocks[MEMORY_DEVICE];
    uint64_t here[GPU_EXCHANGE_ADDRESSES_MAX] = {0}, there[SIDES][GPU_EXCHANGE_ADDRESSES_MAX] = {{0}};
    for (int k = 0; k < count; k++)
        here[k] = (uintptr_t)own[k] - block;
    CHECK(swap_messages(e, (const void *const[]){here, here}, (void *const[]){there[LOW], there[HIGH]},
                        sizeof here));
    for (int side = 0; side < SIDES; side++) {
        const void *mapped = e->mapped[is_same_neighbour(e) ? LOW : side];
        for (int k = 0; k < count; k++)
            theirs[side][k] = e->neighbours[side] < 0 ? NULL : (void *)((uintptr_t)mapped + there[side][k]);
    }
    return STATUS_OK;
}

void gpu_exchange_close(struct gpu_exchange *exchange)
{
    if (exchange->ranks)
        close_neighbours(exchange);
    gpu_exchange_nccl_close(&exchange->nccl);
    const cudaEvent_t events[] = {exchange->copied, exchange->forked, exchange->joined};
    if (exchange->made == MADE)
        (void)cudaStreamDestroy(exchange->beside);
    for (int k = 0; k < exchange->made && k < BESIDE; k++)
        (void)cudaEventDestroy(events[k]);
    exchange->made = 0;
}

enum status gpu_exchange_fork(struct gpu_exchange *exchange, cudaStream_t stream, cudaStream_t *beside)
{
    *beside = exchange->beside;
    CUDA_CHECK(cudaEventRecord(exchange->forked, stream), "to mark its rows");
    CUDA_CHECK(cudaStreamWaitEvent(exchange->beside, exchange->forked, 0), "to order its work");
    return STATUS_OK;
}

enum status gpu_exchange_join(struct gpu_exchange *exchange, cudaStream_t stream)
{
    CUDA_CHECK(cudaEventRecord(exchange->joined, exchange->beside), "to mark its rows");
    CUDA_CHECK(cudaStreamWaitEvent(stream, exchange->joined, 0), "to order its work");
    return STATUS_OK;
}

static struct gpu_exchange_message next_message(struct gpu_exchange *e,
                                                const struct gpu_exchange_piece *pieces, int count)
{
    struct gpu_exchange_message message = {
        .count = count, .number = ++e->number, .flags = e->flags, .failure = e->failure};
    memcpy(message.pieces, pieces, (size_t)count * sizeof *pieces);
    const size_t turn = e->number % GPU_EXCHANGE_TURNS;
    for (int side = 0; side < SIDES; side++) {
        if (e->neighbours[side] < 0)
            continue;
        const size_t here = (turn * SIDES + (size_t)side) * e->message_bytes,
                     there = (turn * SIDES + (size_t)other_side(side)) * e->message_bytes;
        message.here[side] = e->landing + here;
        message.there[side] = e->their_landing[side] + there;
        message.their_number[side] = &e->their_flags[side]->number[other_side(side)];
    }
    return message;
}

static enum status exchange_peers(struct gpu_exchange *e, const struct gpu_exchange_piece *pieces, int count,
                                  bool is_beside, cudaStream_t stream)
{
    enum { BLOCKS_BESIDE = 16, BLOCKS = 64 };
    struct gpu_exchange_message message = next_message(e, pieces, count);
    message.blocks_max = is_beside ? BLOCKS_BESIDE : BLOCKS;
    CUDA_CHECK(gpu_exchange_push(&message, stream), "to send rows to its neighbours");
    CUDA_CHECK(gpu_exchange_pull(&message, stream), "to receive rows of its neighbours");
    return STATUS_OK;
}

// ---- the way through the hosts

static enum status copy_pieces(const struct gpu_exchange *e, const struct gpu_exchange_piece *pieces,
                               int count, bool to_device, cudaStream_t stream)
{
    for (int side = 0; side < SIDES; side++) {
        char *host = to_device ? e->received[side] : e->to_send[side];
        for (int k = 0; k < count && e->neighbours[side] >= 0; k++) {
            const struct gpu_exchange_piece *p = &pieces[k];
            CUDA_CHECK(to_device ? cudaMemcpy2DAsync(p->receive[side], p->stride, host, p->bytes, p->bytes,
                                                     p->count, cudaMemcpyHostToDevice, stream)
                                 : cudaMemcpy2DAsync(host, p->bytes, p->send[side], p->stride, p->bytes,
                                                     p->count, cudaMemcpyDeviceToHost, stream),
                       "to copy rows of its neighbours");
            host += p->bytes * p->count;
        }
    }
    return STATUS_OK;
}

static enum status exchange_hosts(struct gpu_exchange *e, const struct gpu_exchange_piece *pieces, int count,
                                  size_t bytes, cudaStream_t stream)
{
    CHECK(copy_pieces(e, pieces, count, false, stream));
    CUDA_CHECK(cudaEventRecord(e->copied, stream), "to mark its rows");
    CUDA_CHECK(gpu_wait(e->copied), "to copy its rows"); // earlier rows have been copied, too
    const double begin_s = clock_now_s();
    CHECK(swap_messages(e, (const void *const[]){e->to_send[LOW], e->to_send[HIGH]},
                        (void *const[]){e->received[LOW], e->received[HIGH]}, bytes));
    e->ranks->exchange_wait_s += clock_now_s() - begin_s;
    return copy_pieces(e, pieces, count, true, stream);
}

static enum status exchange_rows(struct gpu_exchange *e, const struct gpu_exchange_piece *pieces, int count,
                                 bool is_beside, cudaStream_t stream)
{
    size_t bytes = 0;
    if (!e->ranks)
        return STATUS_OK;
    for (int k = 0; k < count; k++)
        bytes += pieces[k].bytes * pieces[k].count;
    if (count > GPU_EXCHANGE_PIECES_MAX || bytes > e->message_bytes || !e->is_open)
        return FAIL(STATUS_SOFTWARE, "%d pieces with %zu bytes do not fit into a message of %zu", count,
                    bytes, e->message_bytes);
    e->ranks->exchanges++;
    e->ranks->exchange_bytes += (double)bytes * ((e->neighbours[LOW] >= 0) + (e->neighbours[HIGH] >= 0));
    if (e->nccl.is_open)
        return gpu_exchange_nccl_rows(&e->nccl, pieces, count, bytes, stream);
    if (!e->is_peer)
        return exchange_hosts(e, pieces, count, bytes, stream);
    return exchange_peers(e, pieces, count, is_beside, stream);
}

enum status gpu_exchange_rows(struct gpu_exchange *exchange, const struct gpu_exchange_piece *pieces,
                              int count, cudaStream_t stream)
{
    return exchange_rows(exchange, pieces, count, false, stream);
}

enum status gpu_exchange_rows_beside(struct gpu_exchange *exchange, const struct gpu_exchange_piece *pieces,
                                     int count, cudaStream_t stream)
{
    return exchange_rows(exchange, pieces, count, true, stream);
}

enum status gpu_exchange_finish(struct gpu_exchange *exchange)
{
    struct gpu_exchange *e = exchange;
    unsigned long long waited_ns[SIDES];
    if (e->nccl.is_open)
        return gpu_exchange_nccl_finish(&e->nccl);
    if (!e->ranks || !e->is_peer)
        return STATUS_OK;
    CUDA_CHECK(cudaMemcpy(waited_ns, e->flags->waited_ns, sizeof waited_ns, cudaMemcpyDeviceToHost),
               "a copy from the device");
    CUDA_CHECK(cudaMemset(e->flags->waited_ns, 0, sizeof waited_ns), "to clear its memory");
    e->ranks->exchange_wait_s +=
        1e-9 * (double)(waited_ns[LOW] > waited_ns[HIGH] ? waited_ns[LOW] : waited_ns[HIGH]);
    return STATUS_OK;
}
