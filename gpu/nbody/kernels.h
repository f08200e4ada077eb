// The bodies on the device, and the kernels that move them or sum over all pairs. Each function only begins
// its work on the stream. Independent of the memory plan and of solvers.
#ifndef FATHOM_GPU_NBODY_KERNELS_H
#define FATHOM_GPU_NBODY_KERNELS_H

#include "core/element.h"
#include "gpu/extern_c.h"
#include "models/nbody/state.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

// In the run's precision: body = {x, y, z, m}, velocity and field = 4 numbers too ({vx, vy, vz, 0}, {ax, ay,
// az, φ}), aligned to 16. [count] each, in the tree's order with BARNES_HUT, else by id. `spare_*`: as many
// again, which a sort moves the bodies to before the pointers are exchanged. Only a tree has `id` and spares;
// else they are NULL.
struct nbody_device_bodies {
    size_t count;
    enum element precision;
    void *body, *velocity, *field;
    unsigned *id;
    void *spare_body, *spare_velocity;
    unsigned *spare_id;
};

// direct.cu: field of bodies by direct summation, in a fixed order. Each of the first `whole` groups of
// bodies gets all sources in one block of threads; each of the rest has `splits` blocks, whose sums lie in
// `scratch` (device, scratch_numbers doubles; NULL if 0).
struct nbody_direct {
    const struct nbody_physics *physics; // the caller's
    unsigned whole, splits;
    size_t scratch_numbers;
    double *scratch; // the caller's to plan
    // One of several ranks: its bodies first … end − 1, what its blocks leave to each other, and how often it
    // computed. end 0: one rank, and the rest is empty.
    size_t first, end, carried_numbers;
    unsigned blocks, launches;
    double *carried; // the caller's to plan: [carried_numbers]
    unsigned *left;  // the caller's to plan: [blocks], 0 at first
};
// Sets all that is not the caller's for `count` bodies, and loads the kernels on the thread's device. `first`
// and `end`: of one of several ranks; methods for comparison have none.
cudaError_t nbody_direct_choose(struct nbody_direct *direct, const struct nbody_physics *physics,
                                size_t count, size_t first, size_t end, enum element precision, int device);
// Into `field` [count]; of several ranks, what belongs to others is undefined then. Without has_acceleration,
// or without has_potential, that part of the field is not written. At most as many bodies as it was chosen
// for.
cudaError_t nbody_device_direct_forces(struct nbody_direct *direct, const struct nbody_device_bodies *bodies,
                                       void *field, int has_acceleration, int has_potential,
                                       cudaStream_t stream);

// move.cu: moves the bodies by the field at the end of a step (`ends`), at the beginning of one (`begins`),
// or both, with the same bits as one after the other. Leapfrog: a kick at each, and the drift at the
// beginning. NBODY_SOURCE_STEP: all at the beginning.
cudaError_t nbody_move(const struct nbody_physics *physics, const struct nbody_device_bodies *bodies,
                       int ends, int begins, cudaStream_t stream);
cudaError_t nbody_move_load(enum element precision);

EXTERN_C_END

#endif
