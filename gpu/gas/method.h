// What the parts of the CUDA version of the gas model offer each other: particles, sort and direct sums
// (kernels.h), lists and regions. Host code; kernels take pointers. All memory is planned (CUB's temporaries
// too); nothing comes back to the host.
#ifndef FATHOM_GPU_GAS_METHOD_H
#define FATHOM_GPU_GAS_METHOD_H

#include "gpu/frames.h"
#include "gpu/gas/kernels.h"
#include "models/gas/solver.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// regions*.c/.cu: THE REGIONS of state.h.
struct gas_device_regions;
enum status gas_device_regions_plan(const struct gas_setup *setup, struct memory_plan *plan,
                                    const char *prefix, struct gas_device_regions **regions);
// Makes the lists of near and middle cells and sends them; loads kernels. After the reserve.
enum status gas_device_regions_warm_up(struct gas_device_regions *regions,
                                       const struct gas_device_particles *particles, cudaStream_t stream);
void gas_device_regions_destroy(struct gas_device_regions *regions);
// Sorts the particles (each step), and sums up the cells. `sorted` (NULL: none) is recorded between the two.
enum status gas_device_regions_sort(struct gas_device_regions *regions,
                                    const struct gas_device_particles *particles, cudaEvent_t *sorted,
                                    cudaStream_t stream);
// Forces into `force`, energies into `energy`; either may be NULL. Of the particles as the last sort left
// them. `far_begins` (NULL: none) is recorded between near pairs (GAS_STAGE_FORCE) and the other cells
// (GAS_STAGE_REGIONS), or the other way round if that is faster.
enum status gas_device_regions_sums(struct gas_device_regions *regions,
                                    const struct gas_device_particles *particles, double *force,
                                    gas_device_energy energy, cudaEvent_t *far_begins, cudaStream_t stream);
double gas_device_regions_pairs(const struct gas_device_regions *regions); // for gas_counts, after a run

// lists*.c/.cu: THE LISTS of state.h. Whoever moves particles says so in `stale`; `renew` sorts and makes the
// lists anew where `stale` is the token of this renewal, or where it `must`; the device decides alone. What
// it finds crowded raises the error flag.
struct gas_device_lists;
// What moving particles has to know: places at the sort (device), and where to put the token. After the
// reserve.
struct gas_device_staleness {
    double *places;
    unsigned *stale;
};
struct gas_renewal {
    bool must;
    unsigned token;
    int64_t done; // steps
    struct gas_error_flag *error_flag;
    struct gas_device_counts *counts;
    cudaEvent_t *sorted; // NULL: none; recorded between sort and lists
};
enum status gas_device_lists_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                                  struct gas_device_lists **lists);
void gas_device_lists_destroy(struct gas_device_lists *lists);
struct gas_device_staleness gas_device_lists_staleness(const struct gas_device_lists *lists);
enum status gas_device_lists_renew(struct gas_device_lists *lists,
                                   const struct gas_device_particles *particles,
                                   const struct gas_renewal *renewal, cudaStream_t stream);
enum status gas_device_lists_sums(struct gas_device_lists *lists,
                                  const struct gas_device_particles *particles, double *force,
                                  gas_device_energy energy, cudaStream_t stream);
// Neighbours and pairs, of the lists as they are; waits.
enum status gas_device_lists_count(struct gas_device_lists *lists, struct gas_counts *counts,
                                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
