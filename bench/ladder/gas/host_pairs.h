// The processor's rungs that sum all pairs, named as in the thesis. I: a thread sums what its particles gain;
// J: it subtracts what the others lose; IJ: both, for half of the pairs. Wide: each thread has velocities of
// its own to subtract from. Fission: a loop in several; Mem: results are stored in between; Fusion: some of
// the loops are one again.
#ifndef FATHOM_BENCH_LADDER_GAS_HOST_PAIRS_H
#define FATHOM_BENCH_LADDER_GAS_HOST_PAIRS_H

#include "bench/ladder/ladder.h"

enum { GAS_HOST_STRIDE_MAX = 8 }; // of table 3

extern const struct ladder_rung gas_host_basic, gas_host_mti, gas_host_mtj_array, gas_host_mtj, gas_host_mtij,
    gas_host_mtj_wide, gas_host_mtj_fission, gas_host_mtj_wide_fission, gas_host_mtj_wide_fission_mem,
    gas_host_mtij_wide_fission_mem, gas_host_mtij_wide_fission_fusion_mem, gas_host_mti_fission_mem,
    gas_host_mti_fission_fusion_mem, gas_host_mti_fission_fusion_mem_unroll, gas_host_mti_blocked,
    gas_host_mti_u2, gas_host_mti_root, gas_host_mti_3d, gas_host_mti_3d_vectors;
extern const struct ladder_rung gas_host_mtj_skipping[GAS_HOST_STRIDE_MAX - 1]; // every second j, third, ...

#endif
