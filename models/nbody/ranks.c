// How a run of the N-body model is divided among ranks: every rank has all bodies and computes the field of
// its groups of them. Rank 0 makes the results; each rank saves its bodies of a checkpoint.
#include "models/nbody/instance.h"

#include "io/checkpoint_set.h"

#include <stdlib.h>

static enum status check_divided(const struct nbody *n)
{
    return n->backend->is_divided
               ? STATUS_OK
               : job_fail(n->base.job, "backend",
                          "%s: it has no run of several ranks (here %d); openmp or cuda is expected",
                          n->backend->head.name, n->base.ranks->count);
}

enum status nbody_ranks_cut(struct nbody *n)
{
    const struct ranks *ranks = n->base.ranks;
    const size_t groups = (n->params.count + NBODY_GROUP_BODIES - 1) / NBODY_GROUP_BODIES;
    const struct shares_request request = {.rows = (int64_t)groups,
                                           .ranks = ranks->count,
                                           .parts = ranks->parts,
                                           .least = 1,
                                           .what = "groups of 64 bodies"};
    _Static_assert((int)NBODY_GROUP_BODIES == 64, "the number is in the text");
    if (ranks->count == 1)
        return STATUS_OK;
    CHECK(check_divided(n));
    n->shares = calloc((size_t)ranks->count, sizeof *n->shares);
    if (!n->shares)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", ranks->count);
    CHECK_ABOUT(shares_cut(&request, n->shares), "%s: particles", job_path(n->base.job));
    return STATUS_OK;
}

struct nbody_range nbody_own_bodies(const struct nbody_setup *setup)
{
    if (!setup->shares)
        return (struct nbody_range){0, setup->count};
    const struct share *own = &setup->shares[setup->ranks->rank];
    const size_t end = (size_t)own->end * NBODY_GROUP_BODIES;
    return (struct nbody_range){(size_t)own->first * NBODY_GROUP_BODIES,
                                end < setup->count ? end : setup->count};
}

// The solver's arrays, which come first, have a number of each body; the rest is the same on all ranks, or
// rank 0's.
void nbody_checkpoint_rows(void *instance, struct checkpoint_rows *rows)
{
    struct nbody *n = instance;
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    const struct nbody_range own = nbody_own_bodies(&n->setup);
    if (!n->backend->is_divided)
        return;
    const int count = n->backend->head.checkpoint_arrays(n->base.solver, arrays);
    for (int k = 0; k < count; k++)
        rows[k] = (struct checkpoint_rows){.row_bytes = arrays[k].bytes / (own.end - own.first),
                                           .first = own.first,
                                           .end = own.end,
                                           .rows = n->params.count};
}

void nbody_ranks_divide_stream(const struct nbody *n, struct stream *stream)
{
    if (n->shares)
        stream->division =
            (struct stream_division){.dividing = STREAM_OF_FIRST, .holds_all = nbody_makes_results(n)};
}
