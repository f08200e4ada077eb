// The kernel that takes a nested grid's given edges from its parent's state, as C sees it. Knows no memory
// plan and no solver.
#ifndef FATHOM_GPU_TSUNAMI_EDGES_H
#define FATHOM_GPU_TSUNAMI_EDGES_H

#include "gpu/tsunami/kernels.h"
#include "gpu/tsunami/results_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// One node of a given edge: where it lies in the parent (struct tsunami_link), and which node of which side
// it is.
struct device_link {
    int column, row;
    int side, node;
    double weights[4];
};

// The parent's grid.
struct device_parent {
    struct results_state state;
    double gravity_m_s2, minimum_depth_m;
};

// What the parent's state has at the links becomes slot `slot` of the edges. links: on the device.
cudaError_t tsunami_launch_gather(const struct device_parent *parent,
                                  const struct device_edge edges[TSUNAMI_SIDES],
                                  const struct device_link *links, int count, int slot, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
