// What ranks tell each other to solve the dispersion's systems of equations (see the header).
#include "models/tsunami/openmp/dispersion_ranks.h"

#include "core/clock.h"
#include "models/tsunami/ranks.h"

#include <string.h>

static int last_rank(const struct dispersion_ranks *d)
{
    return d->ranks->count - 1;
}

// ---- the plan

// So many blocks that all ranks have work for most of the time; of 16 columns, whole vectors.
static void cut_blocks(struct dispersion_ranks *d)
{
    enum { BLOCKS_PER_RANK = 4, WHOLE = 16 };
    size_t blocks = BLOCKS_PER_RANK * (size_t)d->ranks->count;
    blocks = blocks < DISPERSION_BLOCKS_MAX ? blocks : DISPERSION_BLOCKS_MAX;
    const size_t columns = (d->nx + blocks - 1) / blocks;
    d->block_columns = columns < DISPERSION_BLOCK_LEAST ? (size_t)DISPERSION_BLOCK_LEAST
                                                        : (columns + WHOLE - 1) / WHOLE * WHOLE;
    d->blocks = (int)((d->nx + d->block_columns - 1) / d->block_columns);
}

// Rows that this rank sends in a solution along y, without the last exchange.
static double rows_of_solution(const struct dispersion_ranks *d)
{
    const bool has_north = d->ranks->rank<last_rank(d), has_south = d->ranks->rank> 0;
    double rows = has_north * (d->is_ring ? 3 : 2) + has_south * (d->is_ring ? 2 : 1);
    if (d->is_ring && d->ranks->rank == 0)
        rows += 2;
    if (d->is_ring && d->ranks->rank == last_rank(d))
        rows += last_rank(d);
    return rows;
}

enum status dispersion_ranks_plan(struct dispersion_ranks *d, const struct host_level *host,
                                  struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_setup *setup = &host->setup;
    if (!host->is_divided)
        return STATUS_OK;
    d->ranks = setup->ranks;
    d->nx = setup->geometry->nx;
    d->ny = setup->geometry->ny;
    d->pitch = host->pitch;
    d->element = host->element;
    d->offset = host->halo_offset * host->element;
    d->own = host->own;
    d->is_ring = host->is_ring;
    cut_blocks(d);
    CHECK(exchange_begin_plan(&d->exchange, d->ranks, setup->shares, (int64_t)d->ny, 1, 1));
    if (d->is_ring)
        exchange_close_ring(&d->exchange);
    CHECK(exchange_add(&d->exchange, &d->exchanged, d->pitch * d->element));
    // One solution in even steps, and two in odd ones; the last one of a step is exchanged.
    d->ranks->planned_step_bytes +=
        1.5 * rows_of_solution(d) * (double)(d->nx * d->element) + exchange_message_bytes(&d->exchange);
    return d->is_ring ? memory_plan_add(plan, MEMORY_HOST, setup->precision, 1, d->pitch, &d->last,
                                        "%sdispersion last row", prefix)
                      : STATUS_OK;
}

// ---- messages

void dispersion_ranks_block(const struct dispersion_ranks *d, int block, ptrdiff_t *begin, ptrdiff_t *end)
{
    const size_t first = (size_t)block * d->block_columns, last = first + d->block_columns;
    *begin = (ptrdiff_t)first;
    *end = (ptrdiff_t)(last < d->nx ? last : d->nx);
}

static void keep(struct dispersion_ranks *d, enum status status)
{
    if (d->status == STATUS_OK)
        d->status = status;
}

static void *node_of(const struct dispersion_ranks *d, void *array, ptrdiff_t row, ptrdiff_t column)
{
    const ptrdiff_t k = row * (ptrdiff_t)d->pitch + column;
    return (void *)((uintptr_t)array + d->offset + (uintptr_t)k * d->element);
}

static void wait_for(struct dispersion_ranks *d, struct transport_request *requests, int count)
{
    const double begin_s = clock_now_s();
    if (d->status == STATUS_OK)
        keep(d, ranks_wait(d->ranks, requests, count));
    d->ranks->exchange_wait_s += clock_now_s() - begin_s;
}

// The rank that rows come from, or go to; none: −1.
static int source_of(const struct dispersion_ranks *d)
{
    if (d->is_northward)
        return d->ranks->rank - 1;
    return d->ranks->rank < last_rank(d) ? d->ranks->rank + 1 : -1;
}

static int target_of(const struct dispersion_ranks *d)
{
    if (!d->is_northward)
        return d->ranks->rank - 1;
    return d->ranks->rank < last_rank(d) ? d->ranks->rank + 1 : -1;
}

static int tag_of(const struct dispersion_ranks *d)
{
    return d->is_northward ? TSUNAMI_TAG_ELIMINATED : TSUNAMI_TAG_SUBSTITUTED;
}

static void receive_block(struct dispersion_ranks *d, int block)
{
    const ptrdiff_t row = d->is_northward ? (ptrdiff_t)d->own.first - 1 : (ptrdiff_t)d->own.end;
    ptrdiff_t begin, end;
    dispersion_ranks_block(d, block, &begin, &end);
    for (int k = 0; k < d->passed_count && d->status == STATUS_OK; k++)
        keep(d, ranks_post_receive(d->ranks, TRANSPORT_STEPS, source_of(d), tag_of(d),
                                   node_of(d, d->passed[k], row, begin), (size_t)(end - begin) * d->element,
                                   &d->received[block * d->passed_count + k]));
}

static void send_block(struct dispersion_ranks *d, int block)
{
    const ptrdiff_t row = d->is_northward ? (ptrdiff_t)d->own.end - 1 : (ptrdiff_t)d->own.first;
    ptrdiff_t begin, end;
    dispersion_ranks_block(d, block, &begin, &end);
    for (int k = 0; k < d->passed_count && d->status == STATUS_OK; k++) {
        const size_t bytes = (size_t)(end - begin) * d->element;
        keep(d, ranks_post_send(d->ranks, TRANSPORT_STEPS, target_of(d), tag_of(d),
                                node_of(d, d->passed[k], row, begin), bytes, &d->sent[d->sent_count]));
        d->sent_count += d->status == STATUS_OK;
        d->ranks->exchange_bytes += (double)bytes;
    }
}

static void await_block(struct dispersion_ranks *d, int block)
{
    if (source_of(d) >= 0)
        wait_for(d, &d->received[block * d->passed_count], d->passed_count);
}

void dispersion_ranks_begin(struct dispersion_ranks *d, bool is_northward, void *const *arrays, int count)
{
    d->is_northward = is_northward;
    d->passed_count = count;
    d->sent_count = 0;
    memcpy(d->passed, arrays, (size_t)count * sizeof *arrays);
    for (int block = 0; source_of(d) >= 0 && block < d->blocks; block++)
        receive_block(d, block);
    await_block(d, 0);
}

void dispersion_ranks_pass(struct dispersion_ranks *d, int block)
{
    if (target_of(d) >= 0)
        send_block(d, block);
    if (block + 1 < d->blocks) {
        await_block(d, block + 1);
        return;
    }
    wait_for(d, d->sent, d->sent_count);
    d->ranks->exchanges++;
}

// ---- a ring

void dispersion_ranks_close(struct dispersion_ranks *d, void *field, void *far)
{
    struct transport_request requests[2];
    void *const arrays[] = {field, far};
    const size_t bytes = d->nx * d->element;
    const int rank = d->ranks->rank, last = last_rank(d);
    for (int k = 0; k < 2 && d->status == STATUS_OK; k++)
        if (rank == 0)
            keep(d, ranks_post_send(d->ranks, TRANSPORT_STEPS, last, TSUNAMI_TAG_CLOSED,
                                    node_of(d, arrays[k], 0, 0), bytes, &requests[k]));
        else if (rank == last)
            keep(d, ranks_post_receive(d->ranks, TRANSPORT_STEPS, 0, TSUNAMI_TAG_CLOSED,
                                       node_of(d, arrays[k], (ptrdiff_t)d->ny, 0), bytes, &requests[k]));
    if (rank == 0)
        d->ranks->exchange_bytes += 2 * (double)bytes;
    if (rank == 0 || rank == last)
        wait_for(d, requests, 2);
}

void dispersion_ranks_spread(struct dispersion_ranks *d, void *field)
{
    const size_t bytes = d->nx * d->element;
    const int last = last_rank(d);
    if (d->ranks->rank < last) {
        struct transport_request request;
        keep(d, ranks_post_receive(d->ranks, TRANSPORT_STEPS, last, TSUNAMI_TAG_SPREAD, d->last, bytes,
                                   &request));
        wait_for(d, &request, 1);
        return;
    }
    memcpy(d->last, node_of(d, field, (ptrdiff_t)d->ny - 1, 0), bytes);
    for (int rank = 0; rank < last && d->status == STATUS_OK; rank++)
        keep(d, ranks_send(d->ranks, TRANSPORT_STEPS, rank, TSUNAMI_TAG_SPREAD, d->last, bytes));
    d->ranks->exchange_bytes += last * (double)bytes;
}

void dispersion_ranks_exchange(struct dispersion_ranks *d, void *field)
{
    d->exchanged = (void *)((uintptr_t)field + TSUNAMI_HALO_ROWS * d->pitch * d->element);
    if (d->status != STATUS_OK)
        return;
    keep(d, exchange_begin(&d->exchange));
    if (d->status == STATUS_OK)
        keep(d, exchange_end(&d->exchange));
}
