// Lists and regions of a CUDA gas solver: their part of the memory plan, and their kernels in order. Host
// code. All memory is planned, CUB's temporaries too; nothing comes back to the host.
#ifndef FATHOM_GPU_GAS_METHOD_H
#define FATHOM_GPU_GAS_METHOD_H

#include "gpu/exchange.h"
#include "gpu/gas/lists.h"
#include "gpu/gas/regions.h"
#include "models/gas/solver.h"

// THE REGIONS of state.h (regions.h).
struct gas_device_regions {
    struct gas_setup setup;
    struct gas_law law;
    struct gas_device_grid grid;
    struct region_arrays arrays;
    bool has_lists;
    double *pairs;                 // pinned
    struct gpu_exchange *exchange; // of several ranks: far cells are summed beside near pairs; NULL: one rank
};
enum status gas_device_regions_plan(const struct gas_setup *setup, struct memory_plan *plan,
                                    const char *prefix, struct gas_device_regions *regions);
// Builds the lists of near and middle cells; loads kernels. After the reserve.
enum status gas_device_regions_warm_up(struct gas_device_regions *regions, cudaStream_t stream);
// Sorts the particles (each step), and sums up the cells. `sorted` (NULL: none) is recorded between the two.
enum status gas_device_regions_sort(struct gas_device_regions *regions,
                                    struct gas_device_particles *particles, cudaEvent_t *sorted,
                                    cudaStream_t stream);
// Forces into `force`, of the particles as the last sort left them: first of near pairs, with the fields of
// far cells, then those of cells are added. `far_begins` (NULL: none) is recorded between near pairs
// (GAS_STAGE_FORCE) and the other cells (GAS_STAGE_REGIONS).
enum status gas_device_regions_near(struct gas_device_regions *regions,
                                    const struct gas_device_particles *particles, double *force,
                                    cudaEvent_t *far_begins, cudaStream_t stream);
enum status gas_device_regions_cells(struct gas_device_regions *regions,
                                     const struct gas_device_particles *particles, double *force,
                                     cudaStream_t stream);
// Energies into `energy`, likewise.
enum status gas_device_regions_energies(struct gas_device_regions *regions,
                                        const struct gas_device_particles *particles,
                                        gas_device_energy energy, cudaStream_t stream);
double gas_device_regions_pairs(const struct gas_device_regions *regions); // for gas_counts, after a run

// THE LISTS of state.h (lists.h). What moves the particles marks the lists as stale with a token. `renew`
// sorts and rebuilds the lists if they carry the token of this renewal, or if it `must`: the device decides.
// A list that is too short raises the error flag.
struct gas_device_lists {
    struct lists_arrays arrays;
    struct gas_device_grid grid;
    unsigned *host_summary; // pinned
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
                                  struct gas_device_lists *lists);
enum status gas_device_lists_renew(struct gas_device_lists *lists, struct gas_device_particles *particles,
                                   const struct gas_renewal *renewal, cudaStream_t stream);
enum status gas_device_lists_sums(struct gas_device_lists *lists,
                                  const struct gas_device_particles *particles, double *force,
                                  gas_device_energy energy, cudaStream_t stream);
// Neighbours and pairs, of the lists as they are (of several ranks, of this rank's); waits.
enum status gas_device_lists_count(struct gas_device_lists *lists, struct gas_counts *counts,
                                   cudaStream_t stream);

#endif
