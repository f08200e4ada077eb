// The device's lists of neighbours, as C and C++ see them. Private to gpu/gas_lists.{c,cu}.
#ifndef FATHOM_GPU_GAS_LISTS_H
#define FATHOM_GPU_GAS_LISTS_H

#include "gpu/gas/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// Device arrays are the plan's. Neighbour k of particle i: neighbours[k · pitch + i].
struct lists_arrays {
    const struct gas_physics *physics; // the caller's
    enum element precision;
    size_t count, pitch;
    unsigned most;
    unsigned blocks; // of a kernel that often has nothing to do
    unsigned *neighbours, *lengths;
    unsigned *stale;   // is the token of a renewal if a particle has moved too far
    unsigned *summary; // [LISTS_SUMMARY]
};
enum { LISTS_TOTAL_LOW, LISTS_TOTAL_HIGH, LISTS_LONGEST, LISTS_SUMMARY };

// Loads the kernels; fills in `blocks`.
cudaError_t lists_choose(struct lists_arrays *lists, int device);
// Lists by grid->places and grid->starts. Unless `must`, does nothing where *stale is not `token`. Counts
// itself.
cudaError_t lists_build(const struct lists_arrays *lists, const struct gas_device_grid *grid,
                        const struct gas_device_particles *particles, int must, unsigned token,
                        long long done, struct gas_error_flag *error_flag, struct gas_device_counts *counts,
                        cudaStream_t stream);
cudaError_t lists_sum(const struct lists_arrays *lists, const struct gas_device_particles *particles,
                      double *force, gas_device_energy energy, cudaStream_t stream);
cudaError_t lists_summarize(const struct lists_arrays *lists, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
