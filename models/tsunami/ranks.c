// How a tsunami run is divided among ranks: each has some rows of the grid, as much work as the others; of
// several grids the small ones are whole on every rank, where that is faster. The still depth, the source's
// grids and travel times are whole on every rank; state, records and sums are divided. Independent of
// solvers.
#include "models/tsunami/ranks.h"

#include "core/log.h"
#include "io/checkpoint_set.h"
#include "models/tsunami/instance.h"
#include "parallel/relay.h"
#include "parallel/shares.h"

#include <stdlib.h>
#include <string.h>

// ---- shares

// What cannot be divided yet.
static enum status check_divided(const struct tsunami_level *t, int ranks)
{
    const struct tsunami_physics *physics = &t->params.physics;
    const struct job *job = t->job;
    if (!t->backend->least_rows)
        return job_fail(job, "backend",
                        "%s cannot divide a run with \"%s\" among ranks yet (%d were started): openmp can",
                        t->backend->head.name, tsunami_method_name(physics->method), ranks);
    return STATUS_OK;
}

// Where the shore moves a dry node costs what a wet one does, in rows that have water.
static void weigh_rows(struct tsunami_level *t)
{
    for (size_t row = 0; tsunami_level_floods(t) && row < t->params.window.ny; row++)
        t->row_work[row] = t->row_work[row] > 0 ? (double)t->params.window.nx : 0;
}

static enum status cut(struct tsunami_level *t)
{
    const size_t nx = t->params.window.nx, ny = t->params.window.ny;
    const struct shares_request request = {.rows = (int64_t)ny,
                                           .ranks = t->ranks->count,
                                           .parts = t->ranks->parts,
                                           .weights = t->row_work,
                                           .least =
                                               (int64_t)t->backend->least_rows(&t->params.physics, nx, ny),
                                           .what = "rows of the grid"};
    t->shares = calloc((size_t)request.ranks, sizeof *t->shares);
    if (!t->shares)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", request.ranks);
    CHECK_ABOUT(shares_cut(&request, t->shares), "%s: domain", job_path(t->job));
    const struct share own = t->shares[t->ranks->rank];
    t->own = (struct tsunami_rows){(size_t)own.first, (size_t)own.end};
    for (size_t row = t->own.first; row < t->own.end; row++)
        t->ranks->work += t->row_work[row]; // of all grids together
    return STATUS_OK;
}

// Steps of a small grid take as long on a part of a device as on all of it, and ranks would wait for each
// other after each of them. A run of one grid is divided however small it is: else nothing would be.
static bool is_whole(const struct tsunami *run, const struct tsunami_level *t)
{
    const char *text = getenv("FATHOM_TEST_WHOLE_NODES"); // for tests: of every back end
    const size_t nodes = t->params.window.nx * t->params.window.ny,
                 most = text ? (size_t)strtoull(text, NULL, 10) : t->backend->whole_nodes;
    return run->level_count > 1 && nodes <= most;
}

static void keep_whole(struct tsunami *run, struct tsunami_level *t)
{
    t->ranks = &run->alone;
    for (size_t row = 0; row < t->own.end; row++)
        run->base.ranks->work += t->row_work[row];
}

enum status tsunami_ranks_divide(struct tsunami *run)
{
    struct ranks *ranks = run->base.ranks;
    int divided = 0;
    run->alone = (struct ranks){.count = 1};
    for (int k = 0; k < run->level_count; k++) {
        struct tsunami_level *t = run->levels[k];
        t->ranks = ranks;
        t->own = (struct tsunami_rows){0, t->params.window.ny};
        if (ranks->count == 1)
            continue;
        CHECK(check_divided(t, ranks->count));
        weigh_rows(t);
        if (is_whole(run, t)) {
            keep_whole(run, t);
            continue;
        }
        CHECK(cut(t));
        divided++;
    }
    if (ranks->count > 1 && divided == 0)
        ranks->used_transport = "none";
    if (ranks->count > 1) { // of the outermost grid, whose state has rows beyond its edges
        ranks->first_row = (int64_t)run->levels[0]->own.first;
        ranks->end_row = (int64_t)run->levels[0]->own.end;
    }
    return STATUS_OK;
}

void tsunami_ranks_log(const struct tsunami *run)
{
    int whole = 0;
    for (int k = 0; k < run->level_count; k++)
        whole += run->levels[k]->ranks == &run->alone;
    if (whole > 0)
        log_info("%d of %d grids are too small to be divided: each rank computes all of their rows", whole,
                 run->level_count);
}

void tsunami_ranks_divide_stream(const struct tsunami_level *t, struct stream *stream, size_t first,
                                 size_t end)
{
    if (t->shares)
        stream->division = (struct stream_division){
            .dividing = STREAM_ROWS, .holds_all = t->ranks->rank == 0, .axis = 0, .first = first, .end = end};
}

int tsunami_ranks_owner(const struct tsunami_level *t, size_t row)
{
    return t->shares ? shares_owner(t->shares, t->ranks->count, (int64_t)row) : 0;
}

// ---- values that one rank has

enum status tsunami_ranks_give_row(const struct tsunami_level *t, size_t row, double *values, size_t count)
{
    const int owner = tsunami_ranks_owner(t, row);
    if (owner == 0)
        return STATUS_OK;
    if (t->ranks->rank == owner)
        return ranks_send(t->ranks, TRANSPORT_STEPS, 0, TSUNAMI_TAG_ROW, values, count * sizeof *values);
    if (t->ranks->rank == 0)
        return ranks_receive(t->ranks, TRANSPORT_STEPS, owner, TSUNAMI_TAG_ROW, values,
                             count * sizeof *values);
    return STATUS_OK;
}

// Numbers ≥ 0 are in the order of their bits.
enum status tsunami_ranks_largest(struct ranks *ranks, double *value)
{
    int64_t bits;
    *value += 0.0; // −0 has others
    memcpy(&bits, value, sizeof bits);
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, &bits, 1));
    memcpy(value, &bits, sizeof bits);
    return STATUS_OK;
}

enum status tsunami_ranks_collect(struct tsunami_level *t)
{
    const struct tsunami_point_set *points = &t->records.points;
    if (!t->shares)
        return STATUS_OK;
    for (size_t k = 0; k < points->count; k++)
        if (!tsunami_has_row(t->own, points->places[k].row))
            ranks_forget((double *)&points->states[k], TSUNAMI_POINT_NUMBERS);
    CHECK(ranks_join(t->ranks, TRANSPORT_STEPS, (double *)points->states,
                     (int64_t)points->count * TSUNAMI_POINT_NUMBERS));
    return tsunami_source_level_note(t);
}

enum status tsunami_gather_counts(struct ranks *ranks, double counts[2])
{
    double all[2] = {0, 0};
    const struct relay_part part = {all, sizeof all};
    CHECK(relay_take(ranks, &part, 1));
    for (int k = 0; k < 2; k++) {
        all[k] += counts[k];
        counts[k] = 0;
    }
    CHECK(relay_pass(ranks, &part, 1));
    if (ranks->rank == 0)
        memcpy(counts, all, sizeof all);
    return STATUS_OK;
}
