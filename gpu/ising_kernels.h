// The Ising model's spins on the device, and the kernels that turn and count them, as C and C++ see them; each only begins its work on the stream
// given. Knows no memory plan and no solver.
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

// ising_spins.cu: one sweep of METROPOLIS or HEAT_BATH, phase by phase.
cudaError_t ising_device_sweep(const struct ising_device_lattice *lattice, const struct ising_rule *rule,
                               uint32_t sweep, cudaStream_t stream);
cudaError_t ising_device_load_sweeps(void);

// ising_measure.cu. A replica's bonds and spins are added up by blocks of ISING_MEASURE_THREADS, then over the blocks: integers, the same in any order.
// `measures`: [replicas][3] as struct ising_measure; the third is left alone. Added to, so set to 0 before: see ising_device_measure.
cudaError_t ising_device_measure(const struct ising_device_lattice *lattice, long long *measures,
                                 cudaStream_t stream);
cudaError_t ising_device_load_measures(void);

#ifdef __cplusplus
}
#endif

#endif
