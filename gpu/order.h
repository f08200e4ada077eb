// The order of the particles in a solver's arrays, if it is not that of their ids. Independent of models.
#ifndef FATHOM_GPU_ORDER_H
#define FATHOM_GPU_ORDER_H

#include "core/status.h"

#include <stddef.h>

// Both arrays are on the host, [count]; NULL: the order is that of the ids.
struct gpu_order {
    unsigned *ids;   // by index in the arrays
    unsigned *index; // by id
};

static inline size_t gpu_order_index(const struct gpu_order *order, size_t id)
{
    return order->index ? order->index[id] : id;
}

// Sets the order to that of the ids.
void gpu_order_by_id(const struct gpu_order *order, size_t count);

// Sets `index` from `ids`. STATUS_DATA if the ids are not 0 … count − 1, each once. `particle`: the word for
// a particle in the message.
enum status gpu_order_take(const struct gpu_order *order, size_t count, const char *particle);

#endif
