// Rows between neighbours (see the header). Rows are contiguous: messages go from and to the arrays.
#include "parallel/exchange.h"

#include "core/clock.h"
#include "parallel/tags.h"

#include <assert.h>

// The tag is TAG_EXCHANGE and the array's number, so that a message can only meet its own.
_Static_assert(TAG_EXCHANGE == 0 && EXCHANGE_ARRAYS_MAX <= (int)TAG_CHAIN, "tags 0 to 63 are the exchange's");

static bool is_closed(const struct exchange *e)
{
    return e->is_ring && e->ranks->count > 1;
}

static bool has_lower(const struct exchange *e)
{
    return e->ranks->rank > 0 || is_closed(e);
}

static bool has_upper(const struct exchange *e)
{
    return e->ranks->rank + 1 < e->ranks->count || is_closed(e);
}

static int lower_of(const struct exchange *e)
{
    return (e->ranks->rank + e->ranks->count - 1) % e->ranks->count;
}

static int upper_of(const struct exchange *e)
{
    return (e->ranks->rank + 1) % e->ranks->count;
}

static void set_held(struct exchange *e)
{
    e->held = e->own;
    if (has_lower(e))
        e->held.first -= e->halo;
    if (has_upper(e))
        e->held.end += e->halo;
}

enum status exchange_begin_plan(struct exchange *exchange, struct ranks *ranks, const struct share *shares,
                                int64_t rows, int reach, int depth)
{
    assert(reach >= 0 && depth >= 1);
    *exchange = (struct exchange){.ranks = ranks,
                                  .own = shares[ranks->rank],
                                  .rows = rows,
                                  .reach = reach,
                                  .depth = depth,
                                  .halo = (int64_t)reach * depth};
    for (int r = 0; ranks->count > 1 && r < ranks->count; r++)
        if (shares[r].end - shares[r].first < exchange->halo)
            return FAIL(STATUS_SOFTWARE,
                        "rank %d has %lld rows, fewer than the %lld that its neighbours read", r,
                        (long long)(shares[r].end - shares[r].first), (long long)exchange->halo);
    set_held(exchange);
    return exchange_is_valid(exchange)
               ? STATUS_OK
               : FAIL(STATUS_SOFTWARE, "the shares of an exchange do not fit together");
}

void exchange_close_ring(struct exchange *exchange)
{
    exchange->is_ring = true;
    set_held(exchange);
}

enum status exchange_add(struct exchange *exchange, void *const *data, size_t row_bytes)
{
    if (exchange->array_count == EXCHANGE_ARRAYS_MAX)
        return FAIL(STATUS_SOFTWARE, "more than %d arrays are to be exchanged", EXCHANGE_ARRAYS_MAX);
    if ((size_t)exchange->halo * row_bytes > TRANSPORT_MESSAGE_MAX)
        return FAIL(STATUS_CONFIGURATION,
                    "%lld rows of %zu bytes are more than one message can hold (%d bytes)",
                    (long long)exchange->halo, row_bytes, TRANSPORT_MESSAGE_MAX);
    exchange->arrays[exchange->array_count++] = (struct exchange_array){data, row_bytes};
    return STATUS_OK;
}

struct share exchange_held(const struct exchange *exchange)
{
    return exchange->held;
}

struct share exchange_valid(const struct exchange *exchange, int steps)
{
    const int64_t lost = (int64_t)exchange->reach * steps;
    struct share valid = exchange->held;
    if (has_lower(exchange))
        valid.first += lost;
    if (has_upper(exchange))
        valid.end -= lost;
    return valid;
}

static char *row_of(const struct exchange_array *array, int64_t row)
{
    return (char *)((uintptr_t)*array->data + (uintptr_t)row * array->row_bytes);
}

static enum status receive_rows(struct exchange *e, int k, int peer, int64_t row)
{
    return ranks_post_receive(e->ranks, TRANSPORT_STEPS, peer, k, row_of(&e->arrays[k], row),
                              (size_t)e->halo * e->arrays[k].row_bytes, &e->requests[e->request_count++]);
}

static enum status send_rows(struct exchange *e, int k, int peer, int64_t row)
{
    const size_t bytes = (size_t)e->halo * e->arrays[k].row_bytes;
    e->bytes += (double)bytes;
    return ranks_post_send(e->ranks, TRANSPORT_STEPS, peer, k, row_of(&e->arrays[k], row), bytes,
                           &e->requests[e->request_count++]);
}

// In a ring of two ranks both neighbours are the same rank: what it sends first, its upper rows, is what is
// received first, as the lower halo.
static enum status post_array(struct exchange *e, int k)
{
    if (has_lower(e))
        CHECK(receive_rows(e, k, lower_of(e), e->held.first));
    if (has_upper(e))
        CHECK(receive_rows(e, k, upper_of(e), e->own.end));
    if (has_upper(e))
        CHECK(send_rows(e, k, upper_of(e), e->own.end - e->halo));
    if (has_lower(e))
        CHECK(send_rows(e, k, lower_of(e), e->own.first));
    return STATUS_OK;
}

enum status exchange_begin(struct exchange *exchange)
{
    struct exchange *e = exchange;
    assert(!e->is_begun);
    e->is_begun = true;
    e->request_count = 0;
    e->exchanges++;
    for (int k = 0; k < e->array_count && e->halo > 0; k++)
        CHECK(post_array(e, k));
    return STATUS_OK;
}

enum status exchange_end(struct exchange *exchange)
{
    assert(exchange->is_begun);
    const double begin_s = clock_now_s();
    CHECK(ranks_wait(exchange->ranks, exchange->requests, exchange->request_count));
    exchange->is_begun = false;
    const double waited_s = clock_now_s() - begin_s;
    exchange->waited_s += waited_s;
    if (exchange->halo > 0 && exchange->ranks->count > 1) {
        exchange->ranks->exchange_wait_s += waited_s;
        exchange->ranks->exchange_bytes += exchange_message_bytes(exchange);
        exchange->ranks->exchanges++;
    }
    return STATUS_OK;
}

bool exchange_is_valid(const struct exchange *exchange)
{
    const struct exchange *e = exchange;
    return e->own.first >= 0 && e->own.first < e->own.end && e->own.end <= e->rows &&
           (is_closed(e) || (e->held.first >= 0 && e->held.end <= e->rows)) &&
           e->held.first == e->own.first - (has_lower(e) ? e->halo : 0) &&
           e->held.end == e->own.end + (has_upper(e) ? e->halo : 0) && !e->is_begun;
}

uint64_t exchange_checksum(const struct exchange *exchange)
{
    uint64_t sum = 14695981039346656037u; // FNV-1a
    for (int k = 0; k < exchange->array_count; k++)
        for (int64_t row = exchange->held.first; row < exchange->held.end; row++) {
            const unsigned char *bytes = (const unsigned char *)row_of(&exchange->arrays[k], row);
            for (size_t b = 0; b < exchange->arrays[k].row_bytes; b++)
                sum = (sum ^ bytes[b]) * 1099511628211u;
        }
    return sum;
}

double exchange_message_bytes(const struct exchange *exchange)
{
    double row_bytes = 0;
    for (int k = 0; k < exchange->array_count; k++)
        row_bytes += (double)exchange->arrays[k].row_bytes;
    return row_bytes * (double)exchange->halo * (has_lower(exchange) + has_upper(exchange));
}
