// What the parts of the CUDA version of the N-body model offer each other: the bodies and the direct sums
// (kernels.h), and the tree. Host code; kernels take pointers.
#ifndef FATHOM_GPU_NBODY_METHOD_H
#define FATHOM_GPU_NBODY_METHOD_H

#include "gpu/frames.h"
#include "gpu/nbody/kernels.h"
#include "models/nbody/solver.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// tree*.cu/.c. All memory is planned (CUB's temporaries too); nothing comes back to the host.
struct nbody_device_tree;
enum status nbody_device_tree_plan(const struct nbody_setup *setup, struct memory_plan *plan,
                                   const char *prefix, struct nbody_device_tree **tree);
enum status nbody_device_tree_warm_up(struct nbody_device_tree *tree); // loads kernels
void nbody_device_tree_destroy(struct nbody_device_tree *tree);
// Box, keys, sort, the bodies put into the tree's order, cells, their sums. `phases` (NULL, or [NBODY_STAGES
// + 1] events): event k is recorded before phase k in the order of enum nbody_stage, up to the one before
// NBODY_STAGE_FORCE.
enum status nbody_device_tree_build(struct nbody_device_tree *tree, struct nbody_device_bodies *bodies,
                                    cudaEvent_t *phases, cudaStream_t stream);
// Into `field` [count], in the order of the bodies.
enum status nbody_device_tree_forces(struct nbody_device_tree *tree, const struct nbody_device_bodies *bodies,
                                     void *field, bool has_potential, cudaStream_t stream);
// After the stream was waited for.
enum status nbody_device_tree_count(struct nbody_device_tree *tree, struct nbody_tree_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
