// Sums over arrays of which each rank has a part, with the same bits as block_sum_total of one rank: the
// blocks of core/statistics.h are cut by global index, a block that several ranks share is continued by one
// after the other, and the blocks' sums are added in the order of their index.
//
// A chain goes through the ranks in order: each gets the lanes of the block that it shares with the rank
// before, and the total of all blocks before; it adds its own and passes both on. The last one has the sum,
// and all get it.
//
// A model: sums_bytes in its plan; sums_init; for every sum sums_clear, sums_add for its own
// elements, sums_totals for all sums at once (one chain), called on all ranks.
#ifndef FATHOM_PARALLEL_SUMS_H
#define FATHOM_PARALLEL_SUMS_H

#include "core/statistics.h"
#include "parallel/ranks.h"

enum { RANK_SUMS_MAX = 32 }; // in one chain

struct rank_sum {
    uint64_t first, end, count; // elements first … end − 1 of `count` are this rank's
    uint64_t first_block;
    double *lanes; // of the blocks from first_block on; the caller's memory
    // Elements of a first block that another rank began: they wait for its lanes.
    bool is_continued;
    double *head; // [STATISTICS_BLOCK]
};

// Bytes of memory for the elements first … end − 1.
size_t sums_bytes(uint64_t first, uint64_t end);
// Takes `memory` and clears it. Too little → STATUS_SOFTWARE.
enum status sums_init(struct rank_sum *sum, uint64_t first, uint64_t end, uint64_t count, void *memory,
                      size_t bytes);
// Takes `memory` with what a device has put there in place of sums_add: STATISTICS_BLOCK doubles, of which,
// if another rank began the first block, this rank's elements in it are set, each at its place in the block;
// then the lanes of all blocks, STATISTICS_LANES each (of such a first block anything). Not for sums_add.
enum status sums_take(struct rank_sum *sum, uint64_t first, uint64_t end, uint64_t count, void *memory,
                      size_t bytes);
void sums_clear(struct rank_sum *sum);

// Adds element `index` (global, first … end − 1), once. Elements without a value may be left out. Only one
// thread at a time may add to a block, in ascending order of index.
static inline void sums_add(struct rank_sum *sum, uint64_t index, double value)
{
    const uint64_t block = index / STATISTICS_BLOCK - sum->first_block;
    if (block == 0 && sum->is_continued)
        sum->head[index % STATISTICS_BLOCK] = value;
    else
        sum->lanes[block * STATISTICS_LANES + index % STATISTICS_LANES] += value;
}

// The totals of `count` ≤ RANK_SUMS_MAX sums, on all ranks. The sums must be cleared before they are used
// again.
enum status sums_totals(struct ranks *ranks, struct rank_sum *const *sums, int count, double *totals);
// The same on another thread's channel.
enum status sums_totals_on(struct ranks *ranks, enum transport_channel channel, struct rank_sum *const *sums,
                           int count, double *totals);

#endif
