// The order of particles in a solver's arrays (see the header).
#include "gpu/order.h"

#include <string.h>

void gpu_order_by_id(const struct gpu_order *order, size_t count)
{
    for (size_t k = 0; order->index && k < count; k++)
        order->ids[k] = order->index[k] = (unsigned)k;
}

enum status gpu_order_take(const struct gpu_order *order, size_t count, const char *particle)
{
    if (!order->index)
        return STATUS_OK;
    memset(order->index, 0xff, count * sizeof *order->index);
    for (size_t k = 0; k < count; k++) {
        const unsigned id = order->ids[k];
        if (id >= count || order->index[id] != ~0u)
            return FAIL(STATUS_DATA, "the stored order names %s %u, which %s", particle, id,
                        id >= count ? "does not exist" : "it has named before");
        order->index[id] = (unsigned)k;
    }
    return STATUS_OK;
}
