// The bodies on the device, and the kernels that move them or sum over every pair, as C and C++ see them;
// each only begins its work on the stream given. Knows no memory plan and no solver.
#ifndef FATHOM_GPU_NBODY_KERNELS_H
#define FATHOM_GPU_NBODY_KERNELS_H

#include "core/element.h"
#include "models/nbody/state.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// In the run's precision: body = {x, y, z, m}, velocity and field = 4 numbers too ({vx, vy, vz, 0}, {ax, ay,
// az, φ}), aligned to 16. [count] each, in the tree's order with BARNES_HUT, else by id. `spare_*`: as many
// again, for a sort to move bodies to; the two change places (the pointers here do). Only a tree has `id` and
// spares; else they are NULL.
struct nbody_device_bodies {
    size_t count;
    enum element precision;
    void *body, *velocity, *field;
    unsigned *id;
    void *spare_body, *spare_velocity;
    unsigned *spare_id;
};

// direct.cu: field of bodies by every pair, sums in a fixed order. Bodies are taken in groups; the first
// `whole` groups get all sources in one block of threads each, of the rest each has `splits` blocks, whose
// sums lie in `scratch` (device, scratch_numbers doubles; NULL if 0).
struct nbody_direct {
    const struct nbody_physics *physics; // the caller's
    unsigned whole, splits;
    size_t scratch_numbers;
    double *scratch; // the caller's to plan
};
// Fills in all but the scratch for so many bodies, and has the device, which is the thread's, load the
// kernels.
cudaError_t nbody_direct_choose(struct nbody_direct *direct, const struct nbody_physics *physics,
                                size_t count, enum element precision, int device);
// Into `field` [count]. Without has_acceleration, or without has_potential, that part of the field stays as
// it is. At most as many bodies as it was chosen for.
cudaError_t nbody_device_direct_forces(const struct nbody_direct *direct,
                                       const struct nbody_device_bodies *bodies, void *field,
                                       int has_acceleration, int has_potential, cudaStream_t stream);

// move.cu: what a step does with the field at its end (`ends`) and at its beginning (`begins`); both is the
// end of one and the beginning of the next, with the same bits as one after the other. Leapfrog: a kick at
// each, and the drift at the beginning. The step of NBODY_SOURCE_STEP: all at its beginning.
cudaError_t nbody_move(const struct nbody_physics *physics, const struct nbody_device_bodies *bodies,
                       int ends, int begins, cudaStream_t stream);
cudaError_t nbody_move_load(enum element precision);

#ifdef __cplusplus
}
#endif

#endif
