// Kernels that make a gas run's records where the particles lie: trajectories by id, diagnostics, and what an
// error flag was about. As C sees them; each only begins its work on the stream given. With
// models/gas/particle_terms.h and the block sums of core/statistics.h the diagnostics have the bits that the
// host would give from the same state and field. Knows no memory plan, no solver and no frames.
#ifndef FATHOM_GPU_GAS_RESULTS_KERNELS_H
#define FATHOM_GPU_GAS_RESULTS_KERNELS_H

#include "gpu/gas/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// A state on the device. `places`: where each particle lies, by id, made by results_gas_places; NULL:
// particles lie by id.
struct results_gas {
    const struct gas_physics *physics;
    const struct gas_device_particles *particles;
    double mass; // of all, unless each has its own
    unsigned *places;
};

// As the particles lie now.
cudaError_t results_gas_places(const struct results_gas *state, cudaStream_t stream);

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

// What the error flag was about, sticky. Travels as a frame's note.
struct results_gas_finding {
    long long step;
    int error, id, partner, unused;
    double position[GAS_AXES], velocity[GAS_AXES], mass;
};
// Does nothing where there is no error flag, or where it is known already.
cudaError_t results_gas_find(const struct results_gas *state, const struct gas_error_flag *error_flag,
                             struct results_gas_finding *finding, cudaStream_t stream);
cudaError_t results_gas_load(void);

#ifdef __cplusplus
}
#endif

#endif
