// How a run of the gas model is divided among ranks: each moves its share of the particles. Rank 0 makes the
// results; each rank saves its particles of a checkpoint.
#include "models/gas/instance.h"

#include "io/checkpoint_set.h"

#include <stdlib.h>

static enum status check_divided(const struct gas *g)
{
    return g->backend->is_divided
               ? STATUS_OK
               : job_fail(g->base.job, "backend",
                          "%s: it has no run of several ranks (here %d); openmp is expected",
                          g->backend->head.name, g->base.ranks->count);
}

enum status gas_ranks_cut(struct gas *g)
{
    const struct ranks *ranks = g->base.ranks;
    const size_t groups = (g->params.count + GAS_GROUP_PARTICLES - 1) / GAS_GROUP_PARTICLES;
    const struct shares_request request = {.rows = (int64_t)groups,
                                           .ranks = ranks->count,
                                           .parts = ranks->parts,
                                           .least = 1,
                                           .what = "groups of 64 particles"};
    _Static_assert((int)GAS_GROUP_PARTICLES == 64, "the number is in the text");
    if (ranks->count == 1)
        return STATUS_OK;
    CHECK(check_divided(g));
    g->shares = calloc((size_t)ranks->count, sizeof *g->shares);
    if (!g->shares)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", ranks->count);
    CHECK_ABOUT(shares_cut(&request, g->shares), "%s: particles", job_path(g->base.job));
    return STATUS_OK;
}

struct gas_range gas_own_particles(const struct gas_setup *setup)
{
    if (!setup->shares)
        return (struct gas_range){0, setup->count};
    const struct share *own = &setup->shares[setup->ranks->rank];
    const size_t end = (size_t)own->end * GAS_GROUP_PARTICLES;
    return (struct gas_range){(size_t)own->first * GAS_GROUP_PARTICLES,
                              end < setup->count ? end : setup->count};
}

// The solver's arrays, which come first, have a number of each particle, but the last one, its counts; that
// and the rest is the same on all ranks, or rank 0's.
void gas_checkpoint_rows(void *instance, struct checkpoint_rows *rows)
{
    struct gas *g = instance;
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    const struct gas_range own = gas_own_particles(&g->setup);
    if (!g->backend->is_divided)
        return;
    const int count = g->backend->head.checkpoint_arrays(g->base.solver, arrays);
    for (int k = 0; k < count - 1; k++)
        rows[k] = (struct checkpoint_rows){.row_bytes = arrays[k].bytes / (own.end - own.first),
                                           .first = own.first,
                                           .end = own.end,
                                           .rows = g->params.count};
}

void gas_ranks_divide_stream(const struct gas *g, struct stream *stream)
{
    if (g->shares)
        stream->division =
            (struct stream_division){.dividing = STREAM_OF_FIRST, .holds_all = gas_makes_results(g)};
}
