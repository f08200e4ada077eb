// Ranks in a ring: the first and the last are neighbours, too, as the rows of a periodic lattice are. What
// neighbours swap is packed by the caller; for rows of a grid see parallel/exchange.h, which can close a
// ring, too. By the thread that computes, on all ranks together, in the same order on each of them.
//
// A model in a ring holds its own rows and one more on each side: rows first − 1 and end, of which the first
// rank's first is −1 and the last rank's last is the number of rows. Nothing wraps around in its loops.
#ifndef FATHOM_PARALLEL_RING_H
#define FATHOM_PARALLEL_RING_H

#include "parallel/ranks.h"

// Of the same size on all ranks. The rank before has the rows above, the one after it those below.
struct ring_messages {
    const void *to_above, *to_below;
    void *from_above, *from_below;
    size_t bytes;
};

// Returns when all have arrived. One rank: does nothing. With two, both neighbours are the same rank.
enum status ring_swap(struct ranks *ranks, const struct ring_messages *messages);

// Sends `data` to the rank before and receives that of the rank after in `from`, of the same size on all
// ranks: called count − 1 times, with what came last, every rank's data has come by all ranks.
enum status ring_pass(struct ranks *ranks, const void *data, void *from, size_t bytes);

#endif
