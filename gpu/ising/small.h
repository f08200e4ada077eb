// Many sweeps of small lattices, and their measurements, in one launch: a block keeps a lattice where it
// computes. Begins its work on a stream; memory is the caller's.
#ifndef FATHOM_GPU_ISING_SMALL_H
#define FATHOM_GPU_ISING_SMALL_H

#include "gpu/ising/kernels.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether the lattice is small enough (256 x 256, and what has no more words), and the method METROPOLIS or
// HEAT_BATH.
bool ising_small_fits(const struct ising_physics *physics);

// Sweeps first_sweep … first_sweep + sweeps − 1. every > 0: after each `every` of them a record
// [replicas][ISING_MEASURE_NUMBERS], one after the other to `measures`, in which clusters are left alone;
// sweeps is a multiple of it. 0: none.
cudaError_t ising_small_run(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                            uint32_t first_sweep, int64_t sweeps, int64_t every, long long *measures,
                            cudaStream_t stream);
cudaError_t ising_small_load(void);

#ifdef __cplusplus
}
#endif

#endif
