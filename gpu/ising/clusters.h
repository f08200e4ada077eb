// Cluster updates on the device (models/ising/state.h, CLUSTERS), as the solver sees them: a part of its
// memory plan, and work that begins on a stream.
#ifndef FATHOM_GPU_ISING_CLUSTERS_H
#define FATHOM_GPU_ISING_CLUSTERS_H

#include "gpu/ising/kernels.h"
#include "models/ising/solver.h"

struct ising_device_clusters;

// Whether lattices of this setup can be labelled; else why not.
bool ising_device_clusters_has(const struct ising_setup *setup, char *why, size_t bytes);
enum status ising_device_clusters_plan(const struct ising_setup *setup, struct memory_plan *plan,
                                       const char *prefix, struct ising_device_clusters **clusters);
enum status ising_device_clusters_warm_up(struct ising_device_clusters *clusters);
void ising_device_clusters_destroy(struct ising_device_clusters *clusters); // NULL is fine

// Updates first_sweep … first_sweep + sweeps − 1. flipped: on the device, [replicas]: SWENDSEN_WANG: is set
// to Σ size² of the last update; WOLFF: sizes are added to it. key, bond_threshold: ising_key, T(1 −
// e^{−2β|J|}).
enum status ising_device_clusters_run(struct ising_device_clusters *clusters,
                                      const struct ising_device_lattice *lattice,
                                      const struct philox_key *key, uint64_t bond_threshold,
                                      uint32_t first_sweep, int64_t sweeps, long long *flipped,
                                      cudaStream_t stream);

// Whether lattices are small enough for many updates and their measurements to be one launch; then likewise
// with a record [replicas][ISING_MEASURE_NUMBERS] after each `every` updates, one after the other to
// `measures`, of which `sweeps` is a multiple. WOLFF: a measurement takes what is in `flipped`.
bool ising_device_clusters_measures(const struct ising_device_clusters *clusters);
enum status ising_device_clusters_run_measured(struct ising_device_clusters *clusters,
                                               const struct ising_device_lattice *lattice,
                                               const struct philox_key *key, uint64_t bond_threshold,
                                               uint32_t first_sweep, int64_t sweeps, int64_t every,
                                               long long *measures, long long *flipped, cudaStream_t stream);

#endif
