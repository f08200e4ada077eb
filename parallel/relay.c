// See relay.h.
#include "parallel/relay.h"

#include "parallel/tags.h"

enum status relay_take(struct ranks *ranks, const struct relay_part *parts, int count)
{
    for (int k = 0; ranks->rank > 0 && k < count; k++)
        CHECK(
            ranks_receive(ranks, TRANSPORT_STEPS, ranks->rank - 1, TAG_RELAY, parts[k].data, parts[k].bytes));
    return STATUS_OK;
}

enum status relay_pass(struct ranks *ranks, const struct relay_part *parts, int count)
{
    const int last = ranks->count - 1;
    for (int k = 0; last > 0 && k < count; k++) {
        if (ranks->rank < last)
            CHECK(ranks_send(ranks, TRANSPORT_STEPS, ranks->rank + 1, TAG_RELAY, parts[k].data,
                             parts[k].bytes));
        else
            CHECK(ranks_send(ranks, TRANSPORT_STEPS, 0, TAG_RELAYED, parts[k].data, parts[k].bytes));
    }
    for (int k = 0; last > 0 && k < count; k++) {
        if (ranks->rank == 0)
            CHECK(ranks_receive(ranks, TRANSPORT_STEPS, last, TAG_RELAYED, parts[k].data, parts[k].bytes));
        CHECK(ranks_share(ranks, TRANSPORT_STEPS, parts[k].data, parts[k].bytes));
    }
    return STATUS_OK;
}
