// How a run of the Ising model is divided among ranks: each has some of the rows of every replica, its
// neighbours are those of the rows above and below, and the first and the last rank are neighbours (both
// boundaries). Measurements are sums of integers, the same on all ranks.
#include "models/ising/instance.h"

#include "io/checkpoint_set.h"
#include "parallel/ranks.h"
#include "parallel/tags.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_ROWS = TAG_MODEL };

static enum status check_divided(const struct ising *g)
{
    const struct job *job = g->base.job;
    const struct ising_params *p = &g->params;
    const int ranks = g->base.ranks->count;
    if (!g->backend->is_divided)
        return job_fail(job, "backend", "%s: it has no run of several ranks (here %d); openmp is expected",
                        g->backend->head.name, ranks);
    if (p->physics.method == ISING_METROPOLIS_RANDOM)
        return job_fail(job, "method.name", "%s: its run cannot be divided among %d ranks; start it with one",
                        ising_method_names[p->physics.method], ranks);
    return STATUS_OK;
}

enum status ising_ranks_cut(struct ising *g)
{
    const struct shares_request request = {.rows = g->params.physics.lattice.rows,
                                           .ranks = g->base.ranks->count,
                                           .parts = g->base.ranks->parts,
                                           .least = 1,
                                           .what = "rows of the lattice"};
    g->own = (struct share){0, request.rows};
    if (request.ranks == 1)
        return STATUS_OK;
    CHECK(check_divided(g));
    g->shares = calloc((size_t)request.ranks, sizeof *g->shares);
    if (!g->shares)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", request.ranks);
    CHECK_ABOUT(shares_cut(&request, g->shares), "%s: lattice", job_path(g->base.job));
    g->own = g->shares[g->base.ranks->rank];
    return STATUS_OK;
}

// ---- checkpoints

// The spins are the first array of every back end; all others are the same on all ranks.
void ising_checkpoint_rows(void *instance, struct checkpoint_rows *rows)
{
    const struct ising *g = instance;
    const struct ising_lattice *lattice = &g->params.physics.lattice;
    rows[0] =
        (struct checkpoint_rows){.row_bytes = (size_t)ising_row_words(lattice->columns) * sizeof(uint32_t),
                                 .first = (uint64_t)g->own.first,
                                 .end = (uint64_t)g->own.end,
                                 .rows = (uint64_t)lattice->rows,
                                 .parts = 2 * (uint64_t)lattice->replicas};
}

// ---- all rows on every rank, for the check on the reference

static size_t part_words(const struct ising *g, int rank)
{
    const struct share *share = &g->shares[rank];
    return 2 * ising_replicas(g) * (size_t)(share->end - share->first) *
           (size_t)ising_row_words(g->params.physics.lattice.columns);
}

enum status ising_ranks_plan_check(struct ising *g, struct memory_plan *memory)
{
    size_t most = 0;
    if (!g->shares)
        return STATUS_OK;
    for (int r = 0; r < g->base.ranks->count; r++)
        most = part_words(g, r) > most ? part_words(g, r) : most;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_I32, 1, most, (void **)&g->part_words,
                          "check spins of a rank"));
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_I32, 1, ising_all_words(g), (void **)&g->whole_words,
                           "check spins of all ranks");
}

// [replicas][2][rows of a rank][words] into the whole.
static void put_part(const struct ising *g, int rank, const uint32_t *part)
{
    const struct ising_lattice *lattice = &g->params.physics.lattice;
    const struct share *share = &g->shares[rank];
    const size_t words = (size_t)ising_row_words(lattice->columns);
    const size_t length = (size_t)(share->end - share->first) * words;
    for (size_t plane = 0; plane < 2 * ising_replicas(g); plane++)
        memcpy(g->whole_words + (plane * (size_t)lattice->rows + (size_t)share->first) * words,
               part + plane * length, length * sizeof *part);
}

enum status ising_whole_words(struct ising *g, const uint32_t **words)
{
    struct ranks *ranks = g->base.ranks;
    const uint32_t *own = g->backend->words(g->base.solver);
    *words = own;
    if (!g->shares)
        return STATUS_OK;
    *words = g->whole_words;
    if (ranks->rank > 0)
        CHECK(ranks_send(ranks, TRANSPORT_STEPS, 0, TAG_ROWS, own, part_words(g, ranks->rank) * sizeof *own));
    for (int r = 0; ranks->rank == 0 && r < ranks->count; r++) {
        if (r > 0)
            CHECK(ranks_receive(ranks, TRANSPORT_STEPS, r, TAG_ROWS, g->part_words,
                                part_words(g, r) * sizeof *own));
        put_part(g, r, r == 0 ? own : g->part_words);
    }
    return ranks_share(ranks, TRANSPORT_STEPS, g->whole_words, ising_all_words(g) * sizeof *own);
}
