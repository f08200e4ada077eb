// See allgather.h.
#include "parallel/allgather.h"

#include "core/clock.h"
#include "parallel/tags.h"

#include <assert.h>

// Messages under way at a time: to and from so many ranks that a rank's arrays fit.
enum { REQUESTS = 512 };

// A piece of a rank's rows in one array; no bytes: it has fewer pieces.
struct part {
    char *data;
    size_t bytes;
};

struct gathering {
    struct ranks *ranks;
    const struct share *shares;
    const struct allgather_need *needs; // NULL: all read everything
    const struct allgather_array *arrays;
    int count;
    struct transport_request requests[REQUESTS];
};

static int ranges_of(const struct gathering *g)
{
    return g->needs ? ALLGATHER_RANGES : 1;
}

// What rank `from` has of the rows that rank `to` reads, in one of their ranges.
static struct share rows_of(const struct gathering *g, int from, int to, int range)
{
    struct share rows = g->shares[from];
    if (!g->needs)
        return rows;
    const struct share *need = &g->needs[to].ranges[range];
    rows.first = rows.first > need->first ? rows.first : need->first;
    rows.end = rows.end < need->end ? rows.end : need->end;
    return rows.first < rows.end ? rows : (struct share){0};
}

static struct part part_of(const struct allgather_array *array, struct share rows, size_t piece)
{
    const size_t bytes = (size_t)(rows.end - rows.first) * array->row_bytes;
    const size_t before = piece * TRANSPORT_MESSAGE_MAX;
    if (before >= bytes)
        return (struct part){0};
    return (struct part){(char *)array->data + (size_t)rows.first * array->row_bytes + before,
                         ranks_piece(bytes - before)};
}

// To the rank that is `distance` further on, from the one that is as far back. Messages of one rank to
// another are in the order of the arrays and ranges, on both sides.
static enum status post(struct gathering *g, int distance, size_t piece, int *posted)
{
    struct ranks *ranks = g->ranks;
    const int to = (ranks->rank + distance) % ranks->count,
              from = (ranks->rank + ranks->count - distance) % ranks->count;
    for (int k = 0; k < g->count * ranges_of(g); k++) {
        const struct allgather_array *array = &g->arrays[k / ranges_of(g)];
        const int range = k % ranges_of(g);
        const struct part theirs = part_of(array, rows_of(g, from, ranks->rank, range), piece),
                          ours = part_of(array, rows_of(g, ranks->rank, to, range), piece);
        if (theirs.bytes > 0)
            CHECK(ranks_post_receive(ranks, TRANSPORT_STEPS, from, TAG_ALLGATHER, theirs.data, theirs.bytes,
                                     &g->requests[(*posted)++]));
        if (ours.bytes > 0)
            CHECK(ranks_post_send(ranks, TRANSPORT_STEPS, to, TAG_ALLGATHER, ours.data, ours.bytes,
                                  &g->requests[(*posted)++]));
    }
    return STATUS_OK;
}

// All ranks have the same pieces at the same distances under way, so none waits for one that waits for it.
static enum status swap_pieces(struct gathering *g, int first, int end)
{
    size_t largest = 0;
    for (int r = 0; r < g->ranks->count; r++)
        for (int k = 0; k < g->count; k++) {
            const size_t bytes = (size_t)(g->shares[r].end - g->shares[r].first) * g->arrays[k].row_bytes;
            largest = bytes > largest ? bytes : largest;
        }
    for (size_t piece = 0; piece * TRANSPORT_MESSAGE_MAX < largest; piece++) {
        int posted = 0;
        for (int distance = first; distance < end; distance++)
            CHECK(post(g, distance, piece, &posted));
        CHECK(ranks_wait(g->ranks, g->requests, posted));
    }
    return STATUS_OK;
}

static enum status gather(struct gathering *g)
{
    struct ranks *ranks = g->ranks;
    const int at_once = REQUESTS / (2 * g->count * ranges_of(g));
    assert(g->count > 0 && g->count <= ALLGATHER_ARRAYS_MAX);
    const double begin_s = clock_now_s();
    for (int first = 1; first < ranks->count; first += at_once)
        CHECK(swap_pieces(g, first, first + at_once < ranks->count ? first + at_once : ranks->count));
    ranks->exchange_wait_s += clock_now_s() - begin_s;
    ranks->exchanges++;
    return STATUS_OK;
}

static double row_bytes_of(const struct allgather_array *arrays, int count)
{
    double bytes = 0;
    for (int k = 0; k < count; k++)
        bytes += (double)arrays[k].row_bytes;
    return bytes;
}

enum status allgather_rows(struct ranks *ranks, const struct share *shares,
                           const struct allgather_array *arrays, int count)
{
    struct gathering gathering = {.ranks = ranks, .shares = shares, .arrays = arrays, .count = count};
    if (ranks->count == 1)
        return STATUS_OK;
    CHECK(gather(&gathering));
    ranks->exchange_bytes += allgather_bytes(ranks, shares, arrays, count);
    return STATUS_OK;
}

double allgather_bytes(const struct ranks *ranks, const struct share *shares,
                       const struct allgather_array *arrays, int count)
{
    const struct share *own = &shares[ranks->rank];
    return (double)(own->end - own->first) * row_bytes_of(arrays, count) * (ranks->count - 1);
}

enum status allgather_needed(struct ranks *ranks, const struct share *shares,
                             const struct allgather_need *needs, const struct allgather_array *arrays,
                             int count)
{
    struct gathering gathering = {
        .ranks = ranks, .shares = shares, .needs = needs, .arrays = arrays, .count = count};
    double rows = 0;
    if (ranks->count == 1)
        return STATUS_OK;
    CHECK(gather(&gathering));
    for (int to = 0; to < ranks->count; to++)
        for (int range = 0; range < ALLGATHER_RANGES && to != ranks->rank; range++) {
            const struct share sent = rows_of(&gathering, ranks->rank, to, range);
            rows += (double)(sent.end - sent.first);
        }
    ranks->exchange_bytes += rows * row_bytes_of(arrays, count);
    return STATUS_OK;
}
