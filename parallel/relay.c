// See relay.h.
#include "parallel/relay.h"

#include "parallel/tags.h"

enum status relay_take_on(struct ranks *ranks, enum transport_channel channel, const struct relay_part *parts,
                          int count)
{
    for (int k = 0; ranks->rank > 0 && k < count; k++)
        CHECK(ranks_receive(ranks, channel, ranks->rank - 1, TAG_RELAY, parts[k].data, parts[k].bytes));
    return STATUS_OK;
}

enum status relay_pass_on(struct ranks *ranks, enum transport_channel channel, const struct relay_part *parts,
                          int count)
{
    const int last = ranks->count - 1;
    for (int k = 0; last > 0 && k < count; k++) {
        if (ranks->rank < last)
            CHECK(ranks_send(ranks, channel, ranks->rank + 1, TAG_RELAY, parts[k].data, parts[k].bytes));
        else
            CHECK(ranks_send(ranks, channel, 0, TAG_RELAYED, parts[k].data, parts[k].bytes));
    }
    for (int k = 0; last > 0 && k < count; k++) {
        if (ranks->rank == 0)
            CHECK(ranks_receive(ranks, channel, last, TAG_RELAYED, parts[k].data, parts[k].bytes));
        CHECK(ranks_share(ranks, channel, parts[k].data, parts[k].bytes));
    }
    return STATUS_OK;
}

enum status relay_take(struct ranks *ranks, const struct relay_part *parts, int count)
{
    return relay_take_on(ranks, TRANSPORT_STEPS, parts, count);
}

enum status relay_pass(struct ranks *ranks, const struct relay_part *parts, int count)
{
    return relay_pass_on(ranks, TRANSPORT_STEPS, parts, count);
}
