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

static struct part part_of(const struct allgather_array *array, const struct share *share, size_t piece)
{
    const size_t bytes = (size_t)(share->end - share->first) * array->row_bytes;
    const size_t before = piece * TRANSPORT_MESSAGE_MAX;
    if (before >= bytes)
        return (struct part){0};
    return (struct part){(char *)array->data + (size_t)share->first * array->row_bytes + before,
                         ranks_piece(bytes - before)};
}

struct gathering {
    struct ranks *ranks;
    const struct share *shares;
    const struct allgather_array *arrays;
    int count;
    struct transport_request requests[REQUESTS];
};

// To the rank that is `distance` further on, from the one that is as far back. Messages of one rank to
// another are in the order of the arrays, on both sides.
static enum status post(struct gathering *g, int distance, size_t piece, int *posted)
{
    struct ranks *ranks = g->ranks;
    const int to = (ranks->rank + distance) % ranks->count,
              from = (ranks->rank + ranks->count - distance) % ranks->count;
    for (int k = 0; k < g->count; k++) {
        const struct part theirs = part_of(&g->arrays[k], &g->shares[from], piece),
                          ours = part_of(&g->arrays[k], &g->shares[ranks->rank], piece);
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

enum status allgather_rows(struct ranks *ranks, const struct share *shares,
                           const struct allgather_array *arrays, int count)
{
    assert(count > 0 && count <= ALLGATHER_ARRAYS_MAX);
    struct gathering gathering = {.ranks = ranks, .shares = shares, .arrays = arrays, .count = count};
    const int at_once = REQUESTS / (2 * count);
    if (ranks->count == 1)
        return STATUS_OK;
    const double begin_s = clock_now_s();
    for (int first = 1; first < ranks->count; first += at_once)
        CHECK(
            swap_pieces(&gathering, first, first + at_once < ranks->count ? first + at_once : ranks->count));
    ranks->exchange_wait_s += clock_now_s() - begin_s;
    ranks->exchange_bytes += allgather_bytes(ranks, shares, arrays, count);
    ranks->exchanges++;
    return STATUS_OK;
}

double allgather_bytes(const struct ranks *ranks, const struct share *shares,
                       const struct allgather_array *arrays, int count)
{
    const struct share *own = &shares[ranks->rank];
    double bytes = 0;
    for (int k = 0; k < count; k++)
        bytes += (double)(own->end - own->first) * (double)arrays[k].row_bytes;
    return bytes * (ranks->count - 1);
}
