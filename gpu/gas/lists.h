// The kernels of the neighbour lists. Private to gpu/gas/.
#ifndef FATHOM_GPU_GAS_LISTS_H
#define FATHOM_GPU_GAS_LISTS_H

#include "gpu/extern_c.h"
#include "gpu/gas/kernels.h"

EXTERN_C_BEGIN

// The plan owns the device arrays. Neighbour k of particle i is neighbours[k · pitch + i].
struct lists_arrays {
    const struct gas_physics *physics; // the caller's
    enum element precision;
    size_t count, pitch;
    size_t first, end; // the particles whose lists and sums are made; of one rank all
    unsigned most;
    unsigned blocks; // number of blocks of the kernels that may have nothing to do
    unsigned *neighbours, *lengths;
    unsigned *stale;   // set to the token of a renewal if a particle has moved too far
    unsigned *summary; // [LISTS_SUMMARY]
};
enum { LISTS_TOTAL_LOW, LISTS_TOTAL_HIGH, LISTS_LONGEST, LISTS_SUMMARY };

// Loads the kernels; sets `blocks`.
cudaError_t lists_choose(struct lists_arrays *lists, int device);
// Builds the lists from grid->at_sort and grid->starts, and counts the renewal. If *stale is not `token`, it
// does nothing, unless `must`.
cudaError_t lists_build(const struct lists_arrays *lists, const struct gas_device_grid *grid,
                        const struct gas_device_particles *particles, int must, unsigned token,
                        long long done, struct gas_error_flag *error_flag, struct gas_device_counts *counts,
                        cudaStream_t stream);
cudaError_t lists_sum(const struct lists_arrays *lists, const struct gas_device_particles *particles,
                      double *force, gas_device_energy energy, cudaStream_t stream);
cudaError_t lists_summarize(const struct lists_arrays *lists, cudaStream_t stream);

EXTERN_C_END

#endif
