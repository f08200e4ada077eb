// Which tiles move (see the header).
#include "models/tsunami/moving.h"

#include "core/clock.h"
#include "models/tsunami/ranks.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"

#include <string.h>

struct cut {
    const struct share *shares;
    int ranks;
    size_t rows; // of tiles
    tsunami_tile_extent *extent;
    const void *solver;
};

// The rows of tiles of which a rank has rows.
static struct tsunami_rows tiles_of(const struct cut *cut, int rank)
{
    struct tsunami_rows tiles = {0, cut->rows};
    const size_t first = (size_t)cut->shares[rank].first, end = (size_t)cut->shares[rank].end;
    while (cut->extent(cut->solver, tiles.first).end <= first)
        tiles.first++;
    while (cut->extent(cut->solver, tiles.end - 1).first >= end)
        tiles.end--;
    return tiles;
}

static struct tsunami_rows and_beside(const struct cut *cut, struct tsunami_rows tiles)
{
    tiles.first -= tiles.first > 0;
    tiles.end += tiles.end < cut->rows;
    return tiles;
}

// Whether the ranks beside `rank` and itself have all rows of the tiles that it needs to know.
static bool suffice_neighbours(const struct cut *cut, int rank)
{
    const struct tsunami_rows tiles = and_beside(cut, tiles_of(cut, rank));
    const size_t first = cut->extent(cut->solver, tiles.first).first,
                 end = cut->extent(cut->solver, tiles.end - 1).end;
    return shares_owner(cut->shares, cut->ranks, (int64_t)first) >= rank - 1 &&
           shares_owner(cut->shares, cut->ranks, (int64_t)end - 1) <= rank + 1;
}

static struct tsunami_rows common(struct tsunami_rows a, struct tsunami_rows b)
{
    struct tsunami_rows both = {a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
    if (both.end < both.first)
        both.end = both.first;
    return both;
}

static size_t tiles_in(const struct tsunami_moving *moving, struct tsunami_rows rows)
{
    return (rows.end - rows.first) * moving->columns;
}

enum status tsunami_moving_plan(struct tsunami_moving *moving, const struct tsunami_setup *setup,
                                size_t columns, size_t rows, tsunami_tile_extent *extent, const void *solver,
                                struct memory_plan *plan, const char *prefix)
{
    static const char *const names[] = {"tile is moving to the south", "tile is moving to the north"};
    if (!setup->shares)
        return STATUS_OK;
    const struct cut cut = {setup->shares, setup->ranks->count, rows, extent, solver};
    const int rank = setup->ranks->rank;
    *moving = (struct tsunami_moving){.ranks = setup->ranks, .columns = columns, .rows = rows};
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, rows, columns, (void **)&moving->merged,
                          "%stile is moving anywhere", prefix));
    moving->is_of_neighbours = setup->geometry->edges[TSUNAMI_SOUTH] != TSUNAMI_EDGE_PERIODIC;
    for (int r = 0; r < cut.ranks; r++)
        moving->is_of_neighbours = moving->is_of_neighbours && suffice_neighbours(&cut, r);
    for (int k = 0; k < 2 && moving->is_of_neighbours; k++) {
        struct tsunami_moving_side *side = &moving->sides[k];
        side->rank = k == 0 ? rank - 1 : rank + 1;
        if (side->rank < 0 || side->rank == cut.ranks)
            continue;
        const struct tsunami_rows mine = tiles_of(&cut, rank), theirs = tiles_of(&cut, side->rank);
        side->sent = common(mine, and_beside(&cut, theirs));
        side->received = common(theirs, and_beside(&cut, mine));
        setup->ranks->planned_step_bytes += (double)tiles_in(moving, side->sent);
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, side->received.end - side->received.first,
                              columns, (void **)&side->theirs, "%s%s", prefix, names[k]));
    }
    return STATUS_OK;
}

// Some at a time.
enum status tsunami_moving_merge_all(struct ranks *ranks, const uint8_t *own, uint8_t *all, size_t count)
{
    enum { AT_ONCE = 1024 };
    for (size_t k = 0; k < count; k += AT_ONCE) {
        int64_t values[AT_ONCE];
        const size_t part = count - k < AT_ONCE ? count - k : AT_ONCE;
        for (size_t i = 0; i < part; i++)
            values[i] = own[k + i];
        CHECK(ranks_largest(ranks, TRANSPORT_STEPS, values, (int)part));
        for (size_t i = 0; i < part; i++)
            all[k + i] = ranks->is_measuring ? 1 : (uint8_t)values[i];
    }
    return STATUS_OK;
}

enum status tsunami_moving_begin(struct tsunami_moving *moving, const uint8_t *own)
{
    moving->request_count = 0;
    for (int k = 0; k < 2; k++) {
        struct tsunami_moving_side *side = &moving->sides[k];
        if (tiles_in(moving, side->received) > 0)
            CHECK(ranks_post_receive(moving->ranks, TRANSPORT_STEPS, side->rank, TSUNAMI_TAG_MOVING,
                                     side->theirs, tiles_in(moving, side->received),
                                     &moving->requests[moving->request_count++]));
        if (tiles_in(moving, side->sent) > 0)
            CHECK(ranks_post_send(moving->ranks, TRANSPORT_STEPS, side->rank, TSUNAMI_TAG_MOVING,
                                  own + side->sent.first * moving->columns, tiles_in(moving, side->sent),
                                  &moving->requests[moving->request_count++]));
        moving->ranks->exchange_bytes += (double)tiles_in(moving, side->sent);
    }
    return STATUS_OK;
}

enum status tsunami_moving_end(struct tsunami_moving *moving, const uint8_t *own)
{
    const double begin_s = clock_now_s();
    CHECK(ranks_wait(moving->ranks, moving->requests, moving->request_count));
    moving->ranks->exchange_wait_s += clock_now_s() - begin_s;
    memcpy(moving->merged, own, moving->rows * moving->columns);
    for (int k = 0; k < 2; k++) {
        const struct tsunami_moving_side *side = &moving->sides[k];
        uint8_t *merged = moving->merged + side->received.first * moving->columns;
        for (size_t i = 0; i < tiles_in(moving, side->received); i++)
            merged[i] = side->theirs[i] > merged[i] ? side->theirs[i] : merged[i];
    }
    if (moving->ranks->is_measuring)
        memset(moving->merged, 1, moving->rows * moving->columns);
    return STATUS_OK;
}

enum status tsunami_moving_merge(struct tsunami_moving *moving, const uint8_t *own)
{
    if (!moving->is_of_neighbours)
        return tsunami_moving_merge_all(moving->ranks, own, moving->merged, moving->rows * moving->columns);
    CHECK(tsunami_moving_begin(moving, own));
    return tsunami_moving_end(moving, own);
}
