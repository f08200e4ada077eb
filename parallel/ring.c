// Messages around a ring (see the header).
#include "parallel/ring.h"

#include "core/clock.h"
#include "parallel/tags.h"

static enum status wait_for(struct ranks *ranks, struct transport_request *requests, int count)
{
    const double begin_s = clock_now_s();
    CHECK(ranks_wait(ranks, requests, count));
    ranks->exchange_wait_s += clock_now_s() - begin_s;
    ranks->exchanges++;
    return STATUS_OK;
}

static int rank_above(const struct ranks *ranks)
{
    return (ranks->rank + ranks->count - 1) % ranks->count;
}

static int rank_below(const struct ranks *ranks)
{
    return (ranks->rank + 1) % ranks->count;
}

// What goes up comes from below, with its own tag: of two ranks both messages have the same ends.
static enum status swap_piece(struct ranks *ranks, const struct ring_messages *m, size_t at, size_t bytes)
{
    struct transport_request requests[4];
    const int above = rank_above(ranks), below = rank_below(ranks);
    CHECK(ranks_post_receive(ranks, TRANSPORT_STEPS, below, TAG_UP, (char *)m->from_below + at, bytes,
                             &requests[0]));
    CHECK(ranks_post_receive(ranks, TRANSPORT_STEPS, above, TAG_DOWN, (char *)m->from_above + at, bytes,
                             &requests[1]));
    CHECK(ranks_post_send(ranks, TRANSPORT_STEPS, above, TAG_UP, (const char *)m->to_above + at, bytes,
                          &requests[2]));
    CHECK(ranks_post_send(ranks, TRANSPORT_STEPS, below, TAG_DOWN, (const char *)m->to_below + at, bytes,
                          &requests[3]));
    ranks->exchange_bytes += 2 * (double)bytes;
    return wait_for(ranks, requests, 4);
}

enum status ring_swap(struct ranks *ranks, const struct ring_messages *messages)
{
    if (ranks->count == 1)
        return STATUS_OK;
    for (size_t at = 0, piece; at < messages->bytes; at += piece) {
        piece = ranks_piece(messages->bytes - at);
        CHECK(swap_piece(ranks, messages, at, piece));
    }
    return STATUS_OK;
}

enum status ring_pass(struct ranks *ranks, const void *data, void *from, size_t bytes)
{
    if (ranks->count == 1)
        return STATUS_OK;
    for (size_t at = 0, piece; at < bytes; at += piece) {
        struct transport_request requests[2];
        piece = ranks_piece(bytes - at);
        CHECK(ranks_post_receive(ranks, TRANSPORT_STEPS, rank_below(ranks), TAG_PASS, (char *)from + at,
                                 piece, &requests[0]));
        CHECK(ranks_post_send(ranks, TRANSPORT_STEPS, rank_above(ranks), TAG_PASS, (const char *)data + at,
                              piece, &requests[1]));
        ranks->exchange_bytes += (double)piece;
        CHECK(wait_for(ranks, requests, 2));
    }
    return STATUS_OK;
}
