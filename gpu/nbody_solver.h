// What the parts of the CUDA version of the N-body model share: the bodies on the device, and what the tree and the direct sums
// offer. Host code; kernels take pointers.
#ifndef FATHOM_GPU_NBODY_SOLVER_H
#define FATHOM_GPU_NBODY_SOLVER_H

#include "gpu/frames.h"
#include "models/nbody/solver.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// In the run's precision: body = {x, y, z, m}, velocity and field = 4 numbers too ({vx, vy, vz, -}, {ax, ay, az, φ}), aligned so that each is one
// load (double: two). [count] each, in the tree's order with BARNES_HUT, else by id. `spare_*`: as many again, for a sort to move bodies to; the two change
// places (the pointers here do).
struct nbody_device_bodies {
    size_t count;
    enum element precision;
    void *body, *velocity, *field;
    unsigned *id;
    void *spare_body, *spare_velocity;
    unsigned *spare_id;
};

// nbody_direct.cu: field of bodies by every pair. `scratch`: as nbody_direct_scratch_bytes says (j split over blocks, sums put together in a fixed
// order); `targets`: only the potential is wanted where has_acceleration is false, and field's accelerations then stay.
size_t nbody_direct_scratch_bytes(const struct nbody_setup *setup, int device);
cudaError_t nbody_direct_forces(const struct nbody_setup *setup, const struct nbody_device_bodies *bodies,
                                void *field, bool has_acceleration, bool has_potential, void *scratch,
                                cudaStream_t stream);

// nbody_tree*.cu/.c. All memory is planned (CUB's temporaries too); nothing comes back to the host.
struct nbody_device_tree;
enum status nbody_device_tree_plan(const struct nbody_setup *setup, struct memory_plan *plan,
                                   const char *prefix, struct nbody_device_tree **tree);
enum status nbody_device_tree_warm_up(struct nbody_device_tree *tree); // loads kernels
void nbody_device_tree_destroy(struct nbody_device_tree *tree);
// Box, keys, sort, the bodies put into the tree's order, cells, their sums. `phases` (NULL, or [NBODY_PHASES + 1] events): event k is
// recorded before phase k in the order of enum nbody_phase, up to the one before NBODY_PHASE_FORCE.
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
