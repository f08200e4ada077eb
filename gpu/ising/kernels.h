// The Ising model's kernels. Each function only begins its work on the stream; memory is the caller's.
#ifndef FATHOM_GPU_ISING_KERNELS_H
#define FATHOM_GPU_ISING_KERNELS_H

#include "gpu/extern_c.h"
#include "models/ising/place.h"
#include "models/ising/rule.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>

EXTERN_C_BEGIN

// A rank's part of a lattice (place.h); of one rank all rows.
struct ising_device_lattice {
    struct ising_words layout;
    uint32_t *words;    // [replicas][2][held rows][words], aligned to 256; where row 0 is, or would be
    int64_t first_held; // the row at the beginning of the memory
    int64_t first, end; // own rows
};

// Rows first, first + step, …
struct ising_row_set {
    int64_t first, step, count;
};

static inline struct ising_row_set ising_own_row_set(const struct ising_device_lattice *lattice)
{
    const struct ising_row_set rows = {lattice->first, 1, lattice->end - lattice->first};
    return rows;
}

// spins.cu: those rows of a sublattice in sweep number `sweep` of METROPOLIS or HEAT_BATH.
cudaError_t ising_device_sublattice(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                                    uint32_t sweep, int sublattice, const struct ising_row_set *rows,
                                    cudaStream_t stream);
// One sweep of all rows.
cudaError_t ising_device_sweep(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                               uint32_t sweep, cudaStream_t stream);
cudaError_t ising_device_load_sweeps(void);

// small.cu: many sweeps of small lattices, and their measurements, in one launch: a block holds a lattice in
// shared memory. Whether the lattice is small enough (256 x 256, and those with no more words), and the
// method METROPOLIS or HEAT_BATH.
bool ising_small_fits(const struct ising_physics *physics);
// Sweeps first_sweep … first_sweep + sweeps − 1. every > 0: after each `every` of them a record
// [replicas][ISING_MEASURE_NUMBERS], one after the other to `measures`, whose clusters are not written;
// `sweeps` is a multiple of `every`. 0: no records.
cudaError_t ising_small_run(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                            uint32_t first_sweep, int64_t sweeps, int64_t every, long long *measures,
                            cudaStream_t stream);
cudaError_t ising_small_load(void);

// resident.cu: the same of lattices of medium size. Whether the thread's device can hold a thread for each
// four words of a sublattice at once, and the method is METROPOLIS or HEAT_BATH.
bool ising_resident_fits(const struct ising_physics *physics);
// Adds to `measures`, which must be 0 before.
cudaError_t ising_resident_run(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                               uint32_t first_sweep, int64_t sweeps, int64_t every, long long *measures,
                               cudaStream_t stream);
cudaError_t ising_resident_load(void);

// measure.cu. Sums of integers: the same in any order.
enum { ISING_MEASURE_NUMBERS = 3 }; // struct ising_measure as long long: bonds, spins, clusters
// `measures` [replicas][ISING_MEASURE_NUMBERS]: bonds and spins of the own rows; clusters are set to 0.
cudaError_t ising_device_measure(const struct ising_device_lattice *lattice, long long *measures,
                                 cudaStream_t stream);
// The clusters of `measures`, from `flipped` [replicas], which is then set to 0 if `clears`.
cudaError_t ising_device_measure_clusters(const struct ising_device_lattice *lattice, long long *flipped,
                                          int clears, long long *measures, cudaStream_t stream);
// Bits beyond a word's spins are set to 0, in all held rows.
cudaError_t ising_device_mask(const struct ising_device_lattice *lattice, cudaStream_t stream);
cudaError_t ising_device_load_measures(void);

// correlate.cu. Σ s s' at up to ISING_DISTANCES distances, in x and in y: `sums` [replicas][2][count].
enum { ISING_DISTANCES = 16 };
struct ising_device_distances {
    int count;
    int64_t distance[ISING_DISTANCES];
};
cudaError_t ising_device_correlate(const struct ising_device_lattice *lattice,
                                   const struct ising_device_distances *distances, long long *sums,
                                   cudaStream_t stream);
// The same of the own rows of a replica with those of a rank, added to `sums`: its rows first … end − 1,
// [2][those rows][words].
struct ising_device_visitor {
    const uint32_t *words;
    int64_t first, end;
};
cudaError_t ising_device_correlate_visitor(const struct ising_device_lattice *lattice, int64_t replica,
                                           const struct ising_device_visitor *visitor,
                                           const struct ising_device_distances *distances, long long *sums,
                                           cudaStream_t stream);
// Σ s of each row, then of each column: `sums` [replicas][rows + columns], of the own rows.
cudaError_t ising_device_add_lines(const struct ising_device_lattice *lattice, long long *sums,
                                   cudaStream_t stream);
cudaError_t ising_device_load_correlations(void);

EXTERN_C_END

#endif
