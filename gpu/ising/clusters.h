// Cluster updates on the device (models/ising/state.h, CLUSTERS), for the solver: their part of the
// memory plan, and work that begins on a stream.
#ifndef FATHOM_GPU_ISING_CLUSTERS_H
#define FATHOM_GPU_ISING_CLUSTERS_H

#include "gpu/ising/clusters_kernels.h"
#include "models/ising/solver.h"

struct ising_device_clusters {
    struct clusters_arrays arrays;
    // Lattices are small enough for many updates and their measurements to be one launch.
    bool is_small;
    bool is_wolff;
    uint32_t unlike;
};

// Whether lattices of this setup can be labelled; if not, `why` gets the reason.
bool ising_device_clusters_has(const struct ising_setup *setup, char *why, size_t bytes);
// Of the lattice only its rows are read.
enum status ising_device_clusters_plan(const struct ising_setup *setup,
                                       const struct ising_device_lattice *lattice, struct memory_plan *plan,
                                       const char *prefix, struct ising_device_clusters *clusters);
enum status ising_device_clusters_warm_up(struct ising_device_clusters *clusters);

// Of one rank: updates first_sweep … first_sweep + sweeps − 1. flipped: on the device, [replicas]:
// SWENDSEN_WANG: is set to Σ size² of the last update; WOLFF: sizes are added to it. key, bond_threshold:
// ising_key, T(1 − e^{−2β|J|}).
enum status ising_device_clusters_run(struct ising_device_clusters *clusters,
                                      const struct ising_device_lattice *lattice,
                                      const struct philox_key *key, uint64_t bond_threshold,
                                      uint32_t first_sweep, int64_t sweeps, long long *flipped,
                                      cudaStream_t stream);

// Of small lattices: likewise, with a record [replicas][ISING_MEASURE_NUMBERS] after each `every` updates,
// one after the other to `measures`; `sweeps` is a multiple of `every`. WOLFF: a measurement takes the sizes
// in `flipped`.
enum status ising_device_clusters_run_measured(struct ising_device_clusters *clusters,
                                               const struct ising_device_lattice *lattice,
                                               const struct philox_key *key, uint64_t bond_threshold,
                                               uint32_t first_sweep, int64_t sweeps, int64_t every,
                                               long long *measures, long long *flipped, cudaStream_t stream);

#endif
