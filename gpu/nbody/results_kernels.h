// Kernels that compute an N-body run's records from the bodies on the device: trajectories by id,
// diagnostics, and the search for non-finite bodies. Each function only begins its work on the stream. The
// diagnostics use models/nbody/body_terms.h and the block sums of core/statistics.h, and have the host's
// bits. Independent of the memory plan, of solvers and of frames.
#ifndef FATHOM_GPU_NBODY_RESULTS_KERNELS_H
#define FATHOM_GPU_NBODY_RESULTS_KERNELS_H

#include "gpu/extern_c.h"
#include "gpu/nbody/kernels.h"

EXTERN_C_BEGIN

// A state on the device. `index`: of each body in the arrays, by id, set by results_nbody_index; NULL: bodies
// lie by id.
struct results_nbody {
    const struct nbody_device_bodies *bodies;
    unsigned *index; // [count]
};

// Scratch of the diagnostics. Device.
struct results_nbody_scratch {
    double *partial;      // results_nbody_partials
    double *sums;         // [RESULTS_NBODY_SUMS]
    double *distances[2]; // [count]: for a sort
    unsigned *order[2];   // [count]
    void *sorting;        // results_nbody_sorting_bytes
    size_t sorting_bytes;
};
enum { RESULTS_NBODY_SUMS = 14 };

// What a guard found first; later searches do not change it. Sent as a frame's note.
struct results_nbody_finding {
    unsigned long long found; // (1 + the number of steps done) · 2³⁰ + id; 0: nothing was found
    double position[3], velocity[3], mass;
};
enum { RESULTS_NBODY_ID_BITS = 30 };

#define RESULTS_NBODY_NOTHING (~0ULL)

// Sets the index for the present order.
cudaError_t results_nbody_index(const struct results_nbody *state, cudaStream_t stream);

// Positions [atom][3] and, if wanted, velocities [atom][3] and accelerations [atom][3] (those of the bodies'
// own field) of every stride-th body by id, each times its scale.
struct results_nbody_trajectory {
    size_t stride;
    double length_scale, velocity_scale, acceleration_scale;
    int has_velocities, has_accelerations;
    enum element element;
};
cudaError_t results_nbody_trajectory(const struct results_nbody *state,
                                     const struct results_nbody_trajectory *wanted, void *record,
                                     cudaStream_t stream);

size_t results_nbody_partials(size_t count); // doubles
cudaError_t results_nbody_sorting_bytes(size_t count, size_t *bytes);
// A record [NBODY_DIAGNOSTICS]; accelerations from `accelerations`, potentials from `potentials` [count],
// which are fields.
cudaError_t results_nbody_diagnose(const struct results_nbody *state, const void *accelerations,
                                   const void *potentials, const struct results_nbody_scratch *scratch,
                                   double *record, cudaStream_t stream);

// Searches for non-finite bodies in the state after `step` steps. *first (device) is RESULTS_NBODY_NOTHING
// between searches.
cudaError_t results_nbody_guard(const struct results_nbody *state, long long step, unsigned long long *first,
                                struct results_nbody_finding *finding, cudaStream_t stream);

EXTERN_C_END

#endif
