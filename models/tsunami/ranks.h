// How a tsunami run is divided among ranks, by rows of its grids, and the values that one rank has and all
// need.
#ifndef FATHOM_MODELS_TSUNAMI_RANKS_H
#define FATHOM_MODELS_TSUNAMI_RANKS_H

#include "core/status.h"
#include "parallel/tags.h"

#include <stddef.h>

struct ranks;
struct stream;
struct tsunami;
struct tsunami_level;

// The tags of the model's messages.
enum tsunami_tag {
    TSUNAMI_TAG_NORTHWARD = TAG_MODEL, // level_runup.c
    TSUNAMI_TAG_SOUTHWARD,
    TSUNAMI_TAG_ROW,        // ranks.c
    TSUNAMI_TAG_ELIMINATED, // openmp/dispersion_ranks.c
    TSUNAMI_TAG_SUBSTITUTED,
    TSUNAMI_TAG_CLOSED,
    TSUNAMI_TAG_SPREAD,
    TSUNAMI_TAG_MOVING // moving.c
};

// After all grids are created: their rows of this rank. STATUS_CONFIGURATION: the run cannot be divided.
enum status tsunami_ranks_divide(struct tsunami *run);
// Says how many grids are not divided.
void tsunami_ranks_log(const struct tsunami *run);

// Rows first … end − 1 of a stream's first axis are this rank's. One rank: nothing.
void tsunami_ranks_divide_stream(const struct tsunami_level *t, struct stream *stream, size_t first,
                                 size_t end);
int tsunami_ranks_owner(const struct tsunami_level *t, size_t row);

// The largest of all ranks' values, all ≥ 0. By all ranks.
enum status tsunami_ranks_largest(struct ranks *ranks, double *value);
// A row's values go from its rank to rank 0. By both.
enum status tsunami_ranks_give_row(const struct tsunami_level *t, size_t row, double *values, size_t count);

// By all ranks: the states of all points and the levels at all gauges, which only their ranks follow.
enum status tsunami_ranks_collect(struct tsunami_level *t);

#endif
