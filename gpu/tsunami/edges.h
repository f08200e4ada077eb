// The kernel that computes a nested grid's boundary data from its parent's state. Independent of memory plan
// and solver.
#ifndef FATHOM_GPU_TSUNAMI_EDGES_H
#define FATHOM_GPU_TSUNAMI_EDGES_H

#include "gpu/extern_c.h"
#include "gpu/tsunami/kernels.h"
#include "gpu/tsunami/results_kernels.h"

EXTERN_C_BEGIN

// One node of a given edge: its position in the parent (struct tsunami_link), its side, and its number there.
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

// Sets slot `slot` of the edges from the parent's state at the links. links: on the device.
cudaError_t tsunami_launch_gather(const struct device_parent *parent,
                                  const struct device_edge edges[TSUNAMI_SIDES],
                                  const struct device_link *links, int count, int slot, cudaStream_t stream);

// Of a divided parent: the ranks' values of one slot, [ranks][values], become slot `slot` of the edges. One
// rank knows a value, which is −0 on the others.
cudaError_t tsunami_launch_join_edges(const struct device_edge edges[TSUNAMI_SIDES], const double *blocks,
                                      int values, int ranks, int slot, cudaStream_t stream);

EXTERN_C_END

#endif
