// Rows of which each rank has some, to all ranks: afterwards every rank has all of them, or those that it
// reads, in one array of its own. For what all ranks read: positions or forces of bodies. By the thread that
// computes, on all ranks together. Independent of models.
#ifndef FATHOM_PARALLEL_ALLGATHER_H
#define FATHOM_PARALLEL_ALLGATHER_H

#include "parallel/ranks.h"
#include "parallel/shares.h"

#include <stddef.h>

enum { ALLGATHER_ARRAYS_MAX = 16 };

// [row] of all rows; the own ones are there before.
struct allgather_array {
    void *data;
    size_t row_bytes;
};

// `shares`: the rows of each rank, the same on all ranks. Each rank sends its rows to each other one, where
// they lie. Returns when all rows have arrived. One rank: does nothing.
enum status allgather_rows(struct ranks *ranks, const struct share *shares,
                           const struct allgather_array *arrays, int count);

// Bytes that this rank sends in it.
double allgather_bytes(const struct ranks *ranks, const struct share *shares,
                       const struct allgather_array *arrays, int count);

// The rows that a rank reads, in at most ALLGATHER_RANGES ranges, which do not overlap and may be empty.
enum { ALLGATHER_RANGES = 2 };
struct allgather_need {
    struct share ranges[ALLGATHER_RANGES];
};

// As allgather_rows, but each rank gets only what it reads of the others' rows: needs[rank], the same on all
// ranks.
enum status allgather_needed(struct ranks *ranks, const struct share *shares,
                             const struct allgather_need *needs, const struct allgather_array *arrays,
                             int count);

#endif
