// A state that one rank after the other continues, in the order of their rows, as one rank continues it
// through all rows: sums and extremes in a given order have the same bits. All ranks have the result.
// Independent of models.
//
//   relay_take(ranks, parts, count);   // what the ranks before made of it; the first rank has its own start
//   ... continue it over the own rows ...
//   relay_pass(ranks, parts, count);   // to the next; the last one's reaches all
//
// The ranks work one after the other meanwhile: not for every step.
#ifndef FATHOM_PARALLEL_RELAY_H
#define FATHOM_PARALLEL_RELAY_H

#include "parallel/ranks.h"

struct relay_part {
    void *data;
    size_t bytes;
};

// By all ranks, with parts of the same sizes. One rank: nothing.
enum status relay_take(struct ranks *ranks, const struct relay_part *parts, int count);
enum status relay_pass(struct ranks *ranks, const struct relay_part *parts, int count);
// The same on another thread's channel.
enum status relay_take_on(struct ranks *ranks, enum transport_channel channel, const struct relay_part *parts,
                          int count);
enum status relay_pass_on(struct ranks *ranks, enum transport_channel channel, const struct relay_part *parts,
                          int count);

#endif
