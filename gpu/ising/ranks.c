// What the ranks of a run have of the lattice on their devices: own rows and one more on each side, which
// neighbours exchange (gpu/exchange.h); and what goes around the ring of ranks through the hosts. One rank
// has no part of this.
#include "gpu/ising/ranks.h"

#include "gpu/memory.h"
#include "parallel/ranks.h"
#include "parallel/ring.h"
#include "parallel/shares.h"

// Of an array's parts of which rows are exchanged; the runtime copies with a pitch of less than 2 GiB only.
#define STRIDE_MAX ((size_t)1 << 30)

static int64_t own_rows(const struct solver *s)
{
    return s->lattice.end - s->lattice.first;
}

void ising_device_ranks_set(struct solver *s)
{
    struct ising_device_lattice *lattice = &s->lattice;
    struct ising_words *l = &lattice->layout;
    lattice->end = l->rows;
    if (!s->setup.shares)
        return;
    const struct share *own = &s->setup.shares[s->setup.ranks->rank];
    lattice->first = own->first;
    lattice->end = own->end;
    lattice->first_held = own->first - 1;
    l->held = own->end - own->first + 2;
    l->above_first = -1;
    l->below_last = l->rows;
}

// ---- rows of neighbours

struct parts {
    void *memory; // [count][held rows], the first of which is first_held
    size_t count, row_bytes;
};

static size_t stride_of(const struct solver *s, const struct parts *parts)
{
    return (size_t)s->lattice.layout.held * parts->row_bytes;
}

// Pieces for the first and the last own row of each part.
static size_t count_pieces(const struct solver *s, const struct parts *parts)
{
    return stride_of(s, parts) <= STRIDE_MAX ? 1 : parts->count;
}

static void set_piece(const struct solver *s, const struct parts *parts, size_t part,
                      struct gpu_exchange_piece *piece)
{
    char *const memory = (char *)parts->memory + part * stride_of(s, parts);
    const size_t bytes = parts->row_bytes, own = (size_t)own_rows(s);
    const bool is_alone = count_pieces(s, parts) > 1;
    *piece = (struct gpu_exchange_piece){
        .send = {[GPU_EXCHANGE_LOW] = memory + bytes, [GPU_EXCHANGE_HIGH] = memory + own * bytes},
        .receive = {[GPU_EXCHANGE_LOW] = memory, [GPU_EXCHANGE_HIGH] = memory + (own + 1) * bytes},
        .bytes = bytes,
        .count = is_alone ? 1 : parts->count,
        .stride = is_alone ? bytes : stride_of(s, parts)};
}

static enum status exchange_parts(struct solver *s, const struct parts *parts, cudaStream_t stream)
{
    struct gpu_exchange_piece pieces[GPU_EXCHANGE_PIECES_MAX];
    const size_t count = count_pieces(s, parts);
    for (size_t k = 0; k < count; k++)
        set_piece(s, parts, k, &pieces[k]);
    return gpu_exchange_rows(&s->gather.exchange, pieces, (int)count, stream);
}

static struct parts word_parts(const struct solver *s)
{
    const struct ising_words *l = &s->lattice.layout;
    return (struct parts){s->words_memory, 2 * (size_t)l->replicas, (size_t)l->words * sizeof(uint32_t)};
}

static struct parts plain_parts(const struct solver *s)
{
    return (struct parts){s->plain.spins, ising_plain_parts(&s->plain), ising_plain_row_bytes(&s->plain)};
}

static struct parts cluster_parts(const struct solver *s)
{
    const struct clusters_arrays *a = &s->clusters.arrays;
    return (struct parts){a->rows, (size_t)s->lattice.layout.replicas,
                          (size_t)a->row_words * sizeof *a->rows};
}

enum status ising_exchange_rows(struct solver *s)
{
    const struct parts parts = cluster_parts(s);
    return s->setup.shares ? exchange_parts(s, &parts, s->timeline.compute) : STATUS_OK;
}

enum status ising_exchange_words(struct solver *s)
{
    const struct parts parts = word_parts(s);
    return s->setup.shares ? exchange_parts(s, &parts, s->timeline.compute) : STATUS_OK;
}

// ---- the plan

static enum status check_pieces(const struct solver *s, const struct parts *parts)
{
    if (count_pieces(s, parts) <= GPU_EXCHANGE_PIECES_MAX)
        return STATUS_OK;
    return FAIL(STATUS_CONFIGURATION,
                "lattice.replicas: the ranks of back end cuda cannot exchange the rows of %lld replicas of "
                "this size; take fewer replicas or more ranks",
                (long long)s->lattice.layout.replicas);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

enum status ising_device_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    struct ranks *ranks = s->setup.ranks;
    if (!s->setup.shares)
        return STATUS_OK;
    const struct parts words = word_parts(s);
    struct parts swept = words;
    if (s->way == ISING_PLAIN)
        swept = plain_parts(s);
    if (s->way == ISING_CLUSTERS)
        swept = cluster_parts(s);
    CHECK(check_pieces(s, &words));
    CHECK(check_pieces(s, &swept));
    size_t bytes = larger(words.count * words.row_bytes, swept.count * swept.row_bytes);
    if (s->way == ISING_CLUSTERS)
        bytes = larger(bytes, (size_t)s->clusters.arrays.block_words * sizeof(uint32_t));
    else
        ranks->planned_step_bytes =
            2.0 * ising_sublattices(lattice->boundary) * (double)(swept.count * swept.row_bytes);
    return gpu_exchange_plan(&s->gather.exchange, ranks, true, bytes, plan, prefix);
}

enum status ising_device_ranks_open(struct solver *s)
{
    return gpu_allgather_open(&s->gather);
}

void ising_device_ranks_close(struct solver *s)
{
    gpu_allgather_close(&s->gather);
}

// ---- sweeps. The first and the last own row of a sublattice are swept and exchanged beside the rows
// between. Neither reads what the other writes; the next sublattice of each reads rows of both.

static enum status begin_rows(struct solver *s, uint32_t sweep, int sublattice,
                              const struct ising_row_set *rows, cudaStream_t stream)
{
    if (rows->count > 0)
        CUDA_CHECK(s->is_plain
                       ? ising_plain_sublattice(&s->plain, &s->rule, sweep, sublattice, rows, stream)
                       : ising_device_sublattice(&s->lattice, &s->rule, sweep, sublattice, rows, stream),
                   "to sweep");
    return STATUS_OK;
}

static enum status begin_sublattice(struct solver *s, uint32_t sweep, int sublattice,
                                    const struct parts *parts, cudaStream_t *beside)
{
    const int64_t first = s->lattice.first, rows = own_rows(s);
    const struct ising_row_set outer = {first, rows > 1 ? rows - 1 : 1, rows > 1 ? 2 : 1},
                               inner = {first + 1, 1, rows - 2};
    const cudaStream_t compute = s->timeline.compute;
    CHECK(begin_rows(s, sweep, sublattice, &outer, *beside));
    CHECK(begin_rows(s, sweep, sublattice, &inner, compute));
    // It waits for the outer rows, not for their exchange.
    CHECK(gpu_exchange_join(&s->gather.exchange, compute));
    CHECK(exchange_parts(s, parts, *beside));
    return gpu_exchange_fork(&s->gather.exchange, compute, beside);
}

// The rows of the neighbours are those of the present spins, before and after.
enum status ising_begin_divided(struct solver *s, uint32_t first_sweep, int count)
{
    const struct parts parts = s->is_plain ? plain_parts(s) : word_parts(s);
    const int sublattices = ising_sublattices(s->setup.physics->lattice.boundary);
    const cudaStream_t compute = s->timeline.compute;
    cudaStream_t beside;
    CHECK(gpu_exchange_fork(&s->gather.exchange, compute, &beside));
    for (int n = 0; n < count; n++)
        for (int sublattice = 0; sublattice < sublattices; sublattice++)
            CHECK(begin_sublattice(s, first_sweep + (uint32_t)n, sublattice, &parts, &beside));
    return gpu_exchange_join(&s->gather.exchange, compute);
}

// ---- sums and correlations

enum status ising_device_add_ranks(struct solver *s, int64_t *values, size_t count)
{
    return s->setup.shares ? ranks_add(s->setup.ranks, TRANSPORT_STEPS, values, (int)count) : STATUS_OK;
}

static size_t most_rows(const struct solver *s)
{
    int64_t most = 0;
    for (int r = 0; r < s->setup.ranks->count; r++) {
        const int64_t rows = s->setup.shares[r].end - s->setup.shares[r].first;
        most = rows > most ? rows : most;
    }
    return (size_t)most;
}

enum status ising_visitors_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    if (!s->setup.shares)
        return STATUS_OK;
    const size_t rows = 2 * most_rows(s), words = (size_t)s->lattice.layout.words;
    const struct gpu_array arrays[] = {
        {&s->visitor, MEMORY_DEVICE, ELEMENT_I32, rows, words, "device rows of another rank"},
        {&s->visitors[0], MEMORY_PINNED, ELEMENT_I32, rows, words, "rows of another rank"},
        {&s->visitors[1], MEMORY_PINNED, ELEMENT_I32, rows, words, "rows of the next other rank"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static enum status fetch_own_rows(struct solver *s, int64_t replica)
{
    const struct ising_words *l = &s->lattice.layout;
    const size_t length = (size_t)(own_rows(s) * l->words);
    for (int plane = 0; plane < 2; plane++)
        CHECK(gpu_timeline_download(&s->timeline, s->visitors[0] + (size_t)plane * length,
                                    s->lattice.words + ising_word_at(l, replica, plane, s->lattice.first, 0),
                                    length * sizeof(uint32_t)));
    return gpu_timeline_finish_compute(&s->timeline);
}

// The partners of a rank's spins may lie in any rank's rows: those of all ranks come by, one after the other.
static enum status correlate_replica(struct solver *s, int64_t replica,
                                     const struct ising_device_distances *distances)
{
    struct ranks *ranks = s->setup.ranks;
    const size_t words = (size_t)s->lattice.layout.words, bytes = 2 * most_rows(s) * words * sizeof(uint32_t);
    CHECK(fetch_own_rows(s, replica));
    for (int hop = 0; hop < ranks->count; hop++) {
        const struct share *rows = &s->setup.shares[(ranks->rank + hop) % ranks->count];
        const struct ising_device_visitor visitor = {s->visitor, rows->first, rows->end};
        if (hop > 0)
            CHECK(ring_pass(ranks, s->visitors[~hop & 1], s->visitors[hop & 1], bytes));
        CHECK(gpu_timeline_upload(&s->timeline, s->visitor, s->visitors[hop & 1],
                                  2 * (size_t)(rows->end - rows->first) * words * sizeof(uint32_t)));
        CUDA_CHECK(ising_device_correlate_visitor(&s->lattice, replica, &visitor, distances, s->sums,
                                                  s->timeline.compute),
                   "the correlations");
        CHECK(gpu_timeline_finish_compute(&s->timeline));
    }
    return STATUS_OK;
}

enum status ising_correlate_ranks(struct solver *s, const struct ising_device_distances *distances)
{
    const size_t sums = 2 * (size_t)s->lattice.layout.replicas * (size_t)distances->count;
    CHECK(gpu_timeline_fill(&s->timeline, s->sums, 0, sums * sizeof *s->sums));
    for (int64_t replica = 0; replica < s->lattice.layout.replicas; replica++)
        CHECK(correlate_replica(s, replica, distances));
    return STATUS_OK;
}
