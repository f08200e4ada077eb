// The way of an exchange by NCCL (see the header).
#include "gpu/exchange_nccl.h"

#include "gpu/memory.h"
#include "gpu/nccl.h"
#include "gpu/nccl_world.h"
#include "gpu/shared_device.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LOW = GPU_EXCHANGE_LOW, HIGH = GPU_EXCHANGE_HIGH, SIDES = GPU_EXCHANGE_SIDES };
enum { PACKING_BLOCKS_MAX = 64 };
// What NCCL takes for itself: see docs/parallel.md, "Memory of the MPI and of NCCL".
static const size_t device_bytes = (size_t)1 << 30, host_bytes = (size_t)512 << 20;
static const char plan_name[] = "NCCL (ceiling)", device_plan_name[] = "device, NCCL (ceiling)";

// The devices' clocks at both ends of an exchange. Exchanges whose clocks are needed again before they are
// over are not timed; the others stand for them.
enum { TIMED = 64 };
struct gpu_exchange_clock {
    cudaEvent_t begin[TIMED], end[TIMED];
    int64_t begun, timed;
    double timed_s;
};

// ---- whether it may be taken

static bool are_on_one_host(const struct ranks *ranks)
{
    for (int r = 1; r < ranks->count; r++)
        if (strcmp(ranks->places[r].host, ranks->places[0].host) != 0)
            return false;
    return true;
}

// Of one host: each rank has the device of its number there, unless the launcher hides the others' devices.
static bool can_reach_neighbours(const struct gpu_exchange_nccl *way)
{
    int own = 0, devices = 0;
    if (cudaGetDevice(&own) != cudaSuccess || cudaGetDeviceCount(&devices) != cudaSuccess)
        return false;
    for (int side = 0; side < SIDES; side++) {
        const int its =
            way->neighbours[side] < 0 ? own : way->ranks->places[way->neighbours[side]].local_rank;
        int can_reach = 1;
        if (its != own && its < devices && cudaDeviceCanAccessPeer(&can_reach, own, its) != cudaSuccess)
            return false;
        if (!can_reach)
            return false;
    }
    return true;
}

static enum status add_memory(struct memory_plan *plan)
{
    if (memory_plan_has(plan, plan_name)) // of another exchange
        return STATUS_OK;
    CHECK(memory_plan_add_library(plan, host_bytes, plan_name));
    return memory_plan_add_device_library(plan, device_bytes, device_plan_name);
}

// Of one rank that is planned: the others, and their devices, are not there.
static bool is_wished(const struct gpu_exchange_nccl *way)
{
    const char *const wanted = way->ranks->wanted_transport;
    if (wanted)
        return strcmp(wanted, "nccl") == 0;
    return !way->ranks->asked && (!are_on_one_host(way->ranks) || !can_reach_neighbours(way));
}

enum status gpu_exchange_nccl_plan(struct gpu_exchange_nccl *way, struct memory_plan *plan)
{
    struct ranks *ranks = way->ranks;
    char why[256] = "";
    int a, b;
    const bool is_wanted = ranks->wanted_transport && strcmp(ranks->wanted_transport, "nccl") == 0;
    if (ranks->wanted_transport && !is_wanted)
        return STATUS_OK;
    int64_t is_some_wish = is_wished(way);
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, &is_some_wish, 1));
    if (!is_some_wish)
        return STATUS_OK;
    int64_t is_missing = !gpu_nccl_describe(why, sizeof why);
    if (is_wanted && is_missing)
        return FAIL(STATUS_SYSTEM, "transport nccl cannot be had: %s", why);
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, &is_missing, 1));
    way->may_be_used = !is_missing;
    if (way->may_be_used && !ranks->asked) {
        CHECK(gpu_find_shared_device(ranks, &a, &b));
        if (is_wanted && a >= 0)
            return FAIL(STATUS_SYSTEM,
                        "transport nccl cannot be had: ranks %d and %d on %s share a device, which NCCL does "
                        "not support",
                        a, b, ranks->places[a].host);
        way->may_be_used = a < 0;
    }
    return way->may_be_used ? add_memory(plan) : STATUS_OK;
}

// ---- an exchange. One message to each neighbour, whatever pieces the rows are in: several messages were
// slower than packing.

// In a ring of two both neighbours are one rank, whose messages come in the order in which it sends: first
// what it sends to its lower side, which comes from the upper one.
static ncclResult_t begin_messages(const struct gpu_exchange_nccl *way, const struct gpu_exchange_piece *rows,
                                   ncclComm_t comm, cudaStream_t stream)
{
    const struct nccl_library *nccl = nccl_library();
    const int *const neighbours = way->neighbours;
    ncclResult_t result = nccl->group_start();
    if (result != ncclSuccess)
        return result;
    for (int side = LOW; side <= HIGH && result == ncclSuccess; side++)
        if (neighbours[side] >= 0)
            result = nccl->send(rows->send[side], rows->bytes, ncclInt8, neighbours[side], comm, stream);
    for (int side = HIGH; side >= LOW && result == ncclSuccess; side--)
        if (neighbours[side] >= 0)
            result =
                nccl->receive(rows->receive[side], rows->bytes, ncclInt8, neighbours[side], comm, stream);
    const ncclResult_t ended = nccl->group_end();
    return result == ncclSuccess ? ended : result;
}

static char *packed_at(const struct gpu_exchange_nccl *way, int turn, int side)
{
    return *way->packed + (size_t)(turn * SIDES + side) * way->message_bytes;
}

static struct gpu_exchange_piece packed_piece(const struct gpu_exchange_nccl *way, size_t bytes)
{
    return (struct gpu_exchange_piece){.send = {packed_at(way, 0, LOW), packed_at(way, 0, HIGH)},
                                       .receive = {packed_at(way, 1, LOW), packed_at(way, 1, HIGH)},
                                       .bytes = bytes,
                                       .count = 1,
                                       .stride = bytes};
}

static enum status pack(const struct gpu_exchange_nccl *way, const struct gpu_exchange_piece *pieces,
                        int count, bool is_after, cudaStream_t stream)
{
    struct gpu_exchange_message message = {.count = count, .blocks_max = PACKING_BLOCKS_MAX};
    memcpy(message.pieces, pieces, (size_t)count * sizeof *pieces);
    for (int side = 0; side < SIDES; side++) {
        if (way->neighbours[side] < 0)
            continue;
        message.there[side] = packed_at(way, 0, side);
        message.here[side] = packed_at(way, 1, side);
    }
    CUDA_CHECK(is_after ? gpu_exchange_pull(&message, stream) : gpu_exchange_push(&message, stream),
               "to pack rows");
    return STATUS_OK;
}

// Reads the clocks of an earlier exchange, if it is over.
static enum status read_clock(struct gpu_exchange_clock *clock, int64_t slot)
{
    bool is_over;
    float ms = 0;
    CHECK(gpu_is_over(clock->end[slot], &is_over));
    if (!is_over)
        return STATUS_OK;
    CUDA_CHECK(cudaEventElapsedTime(&ms, clock->begin[slot], clock->end[slot]), "to time an exchange");
    clock->timed++;
    clock->timed_s += 1e-3 * (double)ms;
    return STATUS_OK;
}

enum status gpu_exchange_nccl_rows(struct gpu_exchange_nccl *way, const struct gpu_exchange_piece *pieces,
                                   int count, size_t bytes, cudaStream_t stream)
{
    struct gpu_exchange_clock *clock = way->clock;
    const struct gpu_exchange_piece packed = packed_piece(way, bytes);
    const bool is_packed = count != 1 || pieces[0].count != 1;
    const int64_t slot = clock->begun % TIMED;
    ncclComm_t comm;
    if (is_packed)
        CHECK(pack(way, pieces, count, false, stream));
    if (clock->begun >= TIMED)
        CHECK(read_clock(clock, slot));
    clock->begun++;
    CUDA_CHECK(cudaEventRecord(clock->begin[slot], stream), "to mark its rows");
    CHECK(nccl_world_begin(&comm));
    const bool before = memory_thread_may_allocate;
    memory_thread_may_allocate = true; // NCCL, on its own account
    const ncclResult_t result = begin_messages(way, is_packed ? &packed : pieces, comm, stream);
    memory_thread_may_allocate = before;
    CHECK(nccl_world_end(result));
    CUDA_CHECK(cudaEventRecord(clock->end[slot], stream), "to mark its rows");
    return is_packed ? pack(way, pieces, count, true, stream) : STATUS_OK;
}

enum status gpu_exchange_nccl_finish(struct gpu_exchange_nccl *way)
{
    struct gpu_exchange_clock *clock = way->clock;
    const int64_t last = clock->begun < TIMED ? clock->begun : TIMED;
    for (int64_t k = 0; k < last; k++)
        CHECK(read_clock(clock, k));
    if (clock->timed > 0)
        way->ranks->exchange_wait_s += clock->timed_s * (double)clock->begun / (double)clock->timed;
    clock->begun = clock->timed = 0;
    clock->timed_s = 0;
    return STATUS_OK;
}

// ---- its beginning and its end

// The largest message and the smallest: NCCL makes its connections when they are first used.
struct warm_up {
    const struct gpu_exchange_nccl *way;
    cudaStream_t stream;
};

static ncclResult_t warm_up(ncclComm_t comm, void *context)
{
    const struct warm_up *first = context;
    const struct gpu_exchange_nccl *way = first->way;
    const size_t sizes[] = {way->message_bytes, sizeof(int32_t)};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const struct gpu_exchange_piece piece = packed_piece(way, sizes[k]);
        const ncclResult_t result = begin_messages(way, &piece, comm, first->stream);
        if (result != ncclSuccess)
            return result;
    }
    return cudaStreamSynchronize(first->stream) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

static enum status make_clock(struct gpu_exchange_clock **clock)
{
    *clock = calloc(1, sizeof **clock);
    if (!*clock)
        return FAIL(STATUS_SYSTEM, "no memory for the clocks of exchanges");
    for (int k = 0; k < TIMED; k++) {
        CUDA_CHECK(cudaEventCreate(&(*clock)->begin[k]), "an event");
        CUDA_CHECK(cudaEventCreate(&(*clock)->end[k]), "an event");
    }
    return STATUS_OK;
}

enum status gpu_exchange_nccl_open(struct gpu_exchange_nccl *way, cudaStream_t stream)
{
    struct warm_up first = {way, stream};
    const struct nccl_work work = {warm_up, &first, "exchange rows for the first time",
                                   "for the first exchange"};
    CHECK(make_clock(&way->clock));
    CHECK(nccl_world_open(way->ranks));
    CHECK(nccl_world_work(&work));
    way->is_open = true;
    return STATUS_OK;
}

void gpu_exchange_nccl_close(struct gpu_exchange_nccl *way)
{
    struct gpu_exchange_clock *clock = way->clock;
    if (way->is_open)
        nccl_world_close();
    way->is_open = false;
    for (int k = 0; clock && k < TIMED; k++) {
        if (clock->begin[k])
            (void)cudaEventDestroy(clock->begin[k]);
        if (clock->end[k])
            (void)cudaEventDestroy(clock->end[k]);
    }
    free(clock);
    way->clock = NULL;
}
