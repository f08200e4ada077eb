// The rungs of the ladder of gas, in the order of the source.
#include "bench/ladder/gas/cells_rungs.h"
#include "bench/ladder/gas/gas_common.h"
#include "bench/ladder/gas/host_pairs.h"
#include "bench/ladder/gas/host_pairs_private.h"
#include "bench/ladder/gas/pairs_rungs.h"

#include <math.h>

#define ADDRESS(identifier, ...) &(identifier),

static const struct ladder_rung *const rungs[] = {
    // all pairs on the processor
    &gas_host_basic, &gas_host_mti, &gas_host_mtj_array, &gas_host_mtj, &gas_host_mtij, &gas_host_mtj_wide,
    &gas_host_mtj_fission, &gas_host_mtj_wide_fission, &gas_host_mtj_wide_fission_mem,
    &gas_host_mtij_wide_fission_mem, &gas_host_mtij_wide_fission_fusion_mem, &gas_host_mti_fission_mem,
    &gas_host_mti_fission_fusion_mem, &gas_host_mti_fission_fusion_mem_unroll, &gas_host_mti_blocked,
    &gas_host_mtj_skipping[0], &gas_host_mtj_skipping[1], &gas_host_mtj_skipping[2],
    &gas_host_mtj_skipping[3], &gas_host_mtj_skipping[4], &gas_host_mtj_skipping[5],
    &gas_host_mtj_skipping[6], &gas_host_mti_u2, &gas_host_mti_root, &gas_host_mti_3d,
    &gas_host_mti_3d_vectors,
#ifdef FATHOM_LADDER_CUDA
    // all pairs on a device
    GAS_PAIRS_RUNGS(ADDRESS)
#endif
    // by cells
    GAS_CELLS_HOST_RUNGS(ADDRESS)
#ifdef FATHOM_LADDER_CUDA
        GAS_CELLS_DEVICE_RUNGS(ADDRESS)
#endif
    // the list's end
    NULL};

static void count(const struct ladder_case *wanted, struct ladder_counts *counts)
{
    gas_ladder_count(wanted, GAS_LADDER_DIVIDED, 1, counts);
}

static size_t count_values(const struct ladder_case *wanted)
{
    return 2 * LADDER_AXES * (size_t)wanted->size[0];
}

// Places and velocities in three dimensions, and the rows of each thread: see gas_host_create.
static double count_bytes(const struct ladder_case *wanted)
{
    const double rows = GAS_HOST_ROWS * fmax(1, wanted->threads);
    return (6 + rows) * sizeof(float) * (double)wanted->size[0];
}

const struct ladder_model ladder_gas = {.name = "gas",
                                        .work = "pairs",
                                        .axes = 1,
                                        .size_usual = {16384},
                                        .rungs = rungs,
                                        .count = count,
                                        .count_values = count_values,
                                        .count_bytes = count_bytes};
