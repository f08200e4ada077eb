// The kernel that waits for neighbours after a launch (peers.c). Independent of solvers.
#ifndef FATHOM_GPU_TSUNAMI_PEERS_H
#define FATHOM_GPU_TSUNAMI_PEERS_H

#include "gpu/exchange_kernels.h"

EXTERN_C_BEGIN

// Until all of these tiles of neighbours, by place in the grid's tiling, have made so many steps.
struct tsunami_settled {
    unsigned long long *made, steps;
    int first[GPU_EXCHANGE_SIDES], end[GPU_EXCHANGE_SIDES];
    const int *failure; // as in struct device_peers
    unsigned long long *waited_ns;
};

cudaError_t tsunami_launch_settle(const struct tsunami_settled *settled, cudaStream_t stream);

EXTERN_C_END

#endif
