// Kernels that compute a gas run's records from the particles on the device: trajectories by id, diagnostics,
// and the details of an error. Each function only begins its work on the stream. The diagnostics use
// models/gas/particle_terms.h and the block sums of core/statistics.h, and have the host's bits. Independent
// of the memory plan, of solvers and of frames.
#ifndef FATHOM_GPU_GAS_RESULTS_KERNELS_H
#define FATHOM_GPU_GAS_RESULTS_KERNELS_H

#include "gpu/extern_c.h"
#include "gpu/gas/bands.h"

EXTERN_C_BEGIN

// A state on the device. `index`: of each particle in the arrays, by id, set by results_gas_index; NULL:
// particles lie by id.
struct results_gas {
    const struct gas_physics *physics;
    const struct gas_device_particles *particles;
    double mass; // of all, unless each has its own
    unsigned *index;
    const struct gas_bands *bands; // what of the particles is this rank's; NULL: all
};

// Sets the index for the present order.
cudaError_t results_gas_index(const struct results_gas *state, cudaStream_t stream);

// Positions [atom][3] (z = 0) and, if wanted, velocities [atom][3] of every stride-th particle by id.
struct results_gas_trajectory {
    size_t stride;
    int has_velocities;
    enum element element;
};
cudaError_t results_gas_trajectory(const struct results_gas *state,
                                   const struct results_gas_trajectory *wanted, void *record,
                                   cudaStream_t stream);

// A record [GAS_DIAGNOSTICS] of the energies given: of pairs and outer forces. `partial`: device,
// results_gas_partials doubles; `sums`: RESULTS_GAS_SUMS.
enum { RESULTS_GAS_SUMS = 5 };
size_t results_gas_partials(size_t count);
struct results_gas_scratch {
    double *partial, *sums;
};
cudaError_t results_gas_diagnose(const struct results_gas *state, const double *energy,
                                 const struct gas_device_counts *counts,
                                 const struct results_gas_scratch *scratch, double *record,
                                 cudaStream_t stream);

// The details of the first error. Sent as a frame's note.
struct results_gas_finding {
    long long step;
    int error, id, partner, unused;
    double position[GAS_AXES], velocity[GAS_AXES], mass;
};
// Does nothing if the flag is not raised, or the finding is set already. Its error is GAS_ERRORS if another
// rank has the particle.
cudaError_t results_gas_find(const struct results_gas *state, const struct gas_error_flag *error_flag,
                             struct results_gas_finding *finding, cudaStream_t stream);
cudaError_t results_gas_load(void);

EXTERN_C_END

#endif
