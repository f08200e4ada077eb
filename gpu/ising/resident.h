// Many sweeps of lattices of middling size, and their measurements, in one launch. Begins its work on a
// stream; memory is the caller's.
#ifndef FATHOM_GPU_ISING_RESIDENT_H
#define FATHOM_GPU_ISING_RESIDENT_H

#include "gpu/ising/kernels.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether the thread's device has room for a thread for each four words of a sublattice at once, and the
// method is METROPOLIS or HEAT_BATH.
bool ising_resident_fits(const struct ising_physics *physics);

// As ising_small_run (small.h), but for `measures`: they are added to, so all 0 before.
cudaError_t ising_resident_run(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                               uint32_t first_sweep, int64_t sweeps, int64_t every, long long *measures,
                               cudaStream_t stream);
cudaError_t ising_resident_load(void);

#ifdef __cplusplus
}
#endif

#endif
