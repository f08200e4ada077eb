// Sums across ranks (see the header).
#include "parallel/sums.h"

#include "parallel/tags.h"

#include <assert.h>
#include <string.h>

// What goes from rank to rank.
struct link {
    double lanes[STATISTICS_LANES]; // of a block that is not complete
    double total, compensation;     // of all complete blocks
};

static uint64_t blocks_of(uint64_t first, uint64_t end)
{
    return end > first ? (end - 1) / STATISTICS_BLOCK - first / STATISTICS_BLOCK + 1 : 0;
}

size_t sums_bytes(uint64_t first, uint64_t end)
{
    return (size_t)(blocks_of(first, end) * STATISTICS_LANES + STATISTICS_BLOCK) * sizeof(double);
}

enum status sums_take(struct rank_sum *sum, uint64_t first, uint64_t end, uint64_t count, void *memory,
                      size_t bytes)
{
    assert(first <= end && end <= count);
    if (bytes < sums_bytes(first, end))
        return FAIL(STATUS_SOFTWARE, "sum of %llu elements: %zu bytes of memory given, %zu needed",
                    (unsigned long long)(end - first), bytes, sums_bytes(first, end));
    *sum = (struct rank_sum){.first = first,
                             .end = end,
                             .count = count,
                             .first_block = first / STATISTICS_BLOCK,
                             .head = memory,
                             .lanes = (double *)memory + STATISTICS_BLOCK,
                             .is_continued = first % STATISTICS_BLOCK != 0};
    return STATUS_OK;
}

enum status sums_init(struct rank_sum *sum, uint64_t first, uint64_t end, uint64_t count, void *memory,
                      size_t bytes)
{
    CHECK(sums_take(sum, first, end, count, memory, bytes));
    sums_clear(sum);
    return STATUS_OK;
}

void sums_clear(struct rank_sum *sum)
{
    memset(sum->head, 0, sums_bytes(sum->first, sum->end));
}

// Adds this rank's elements. What is left out is 0 in `head`: lanes begin at +0, and a sum that begins so is
// never −0, so adding 0 does not change it.
static void continue_sum(const struct rank_sum *sum, struct link *link)
{
    const uint64_t blocks = blocks_of(sum->first, sum->end);
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t block_end = (sum->first_block + b + 1) * STATISTICS_BLOCK;
        if (b == 0 && sum->is_continued) {
            const uint64_t last = sum->end < block_end ? sum->end : block_end;
            for (uint64_t i = sum->first; i < last; i++)
                link->lanes[i % STATISTICS_LANES] += sum->head[i % STATISTICS_BLOCK];
        } else {
            memcpy(link->lanes, sum->lanes + b * STATISTICS_LANES, sizeof link->lanes);
        }
        if (sum->end >= block_end || sum->end == sum->count) {
            statistics_add_block(&link->total, &link->compensation, statistics_add_lanes(link->lanes));
            memset(link->lanes, 0, sizeof link->lanes);
        }
    }
}

enum status sums_totals_on(struct ranks *ranks, enum transport_channel channel, struct rank_sum *const *sums,
                           int count, double *totals)
{
    struct link links[RANK_SUMS_MAX] = {0};
    const size_t bytes = (size_t)count * sizeof *links;
    const int last = ranks->count - 1;
    assert(count <= RANK_SUMS_MAX);
    if (ranks->rank > 0)
        CHECK(ranks_receive(ranks, channel, ranks->rank - 1, TAG_CHAIN, links, bytes));
    for (int k = 0; k < count; k++)
        continue_sum(sums[k], &links[k]);
    if (ranks->rank < last)
        CHECK(ranks_send(ranks, channel, ranks->rank + 1, TAG_CHAIN, links, bytes));
    for (int k = 0; k < count; k++)
        totals[k] = links[k].total + links[k].compensation;
    if (ranks->count == 1)
        return STATUS_OK;
    const size_t total_bytes = (size_t)count * sizeof *totals;
    if (ranks->rank == last)
        CHECK(ranks_send(ranks, channel, 0, TAG_TOTALS, totals, total_bytes));
    if (ranks->rank == 0)
        CHECK(ranks_receive(ranks, channel, last, TAG_TOTALS, totals, total_bytes));
    return ranks_share(ranks, channel, totals, total_bytes);
}

enum status sums_totals(struct ranks *ranks, struct rank_sum *const *sums, int count, double *totals)
{
    return sums_totals_on(ranks, TRANSPORT_STEPS, sums, count, totals);
}
