// Kernels of the Ising model on the device. Work is begun on a stream; memory is the caller's.
#ifndef FATHOM_GPU_ISING_KERNELS_H
#define FATHOM_GPU_ISING_KERNELS_H

#include "models/ising/place.h"
#include "models/ising/rule.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ising_device_lattice {
    struct ising_words layout;
    uint32_t *words; // [replicas][2][rows][words], aligned to 256
};

// spins.cu: one sweep of METROPOLIS or HEAT_BATH, sublattice by sublattice.
cudaError_t ising_device_sweep(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                               uint32_t sweep, cudaStream_t stream);
cudaError_t ising_device_load_sweeps(void);

// measure.cu. Sums of integers: the same in any order.
enum { ISING_MEASURE_NUMBERS = 3 }; // struct ising_measure as long long: bonds, spins, clusters
// `measures` [replicas][ISING_MEASURE_NUMBERS]: bonds and spins; clusters are set to 0.
cudaError_t ising_device_measure(const struct ising_device_lattice *lattice, long long *measures,
                                 cudaStream_t stream);
// The clusters of `measures`, out of `flipped` [replicas], which is then set to 0 if `clears`.
cudaError_t ising_device_measure_clusters(const struct ising_device_lattice *lattice, long long *flipped,
                                          int clears, long long *measures, cudaStream_t stream);
// Bits beyond a word's spins are set to 0.
cudaError_t ising_device_mask(const struct ising_device_lattice *lattice, cudaStream_t stream);
cudaError_t ising_device_load_measures(void);

// correlate.cu. Σ s s' at up to so many distances, in x and in y: `sums` [replicas][2][count].
enum { ISING_DISTANCES = 16 };
struct ising_device_distances {
    int count;
    int64_t distance[ISING_DISTANCES];
};
cudaError_t ising_device_correlate(const struct ising_device_lattice *lattice,
                                   const struct ising_device_distances *distances, long long *sums,
                                   cudaStream_t stream);
// Σ s of each row, then of each column: `sums` [replicas][rows + columns].
cudaError_t ising_device_add_lines(const struct ising_device_lattice *lattice, long long *sums,
                                   cudaStream_t stream);
cudaError_t ising_device_load_correlations(void);

#ifdef __cplusplus
}
#endif

#endif
