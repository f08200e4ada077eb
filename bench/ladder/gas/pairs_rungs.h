// The rungs of all pairs on a device. A list, for declarations and for rungs.c: X(IDENTIFIER, NAME, KERNEL,
// OPERATIONS, SUMMARY, DIFFERS).
#ifndef FATHOM_BENCH_LADDER_GAS_PAIRS_RUNGS_H
#define FATHOM_BENCH_LADDER_GAS_PAIRS_RUNGS_H

#include "bench/ladder/ladder.h"

#define GAS_PAIRS_RUNGS(X)                                                                                   \
    X(gas_pairs_divided, "GPUMTI-divided", GAS_PAIRS_DIVIDED, GAS_LADDER_DIVIDED,                            \
      "the processor's program as it is, a division a pair", stays)                                          \
    X(gas_pairs_root, "GPUMTI", GAS_PAIRS_ROOT, GAS_LADDER_ROOT,                                             \
      "a reciprocal root instead of the division, the constant outside the loop", stays)                     \
    X(gas_pairs_u2, "GPUMTI_U2", GAS_PAIRS_U2, GAS_LADDER_ROOT, "unrolled by 2", stays)                      \
    X(gas_pairs_u8, "GPUMTI_U8", GAS_PAIRS_U8, GAS_LADDER_ROOT, "unrolled by 8", stays)                      \
    X(gas_pairs_u16, "GPUMTI_U16", GAS_PAIRS_U16, GAS_LADDER_ROOT, "unrolled by 16", stays)                  \
    X(gas_pairs_sbi4, "GPUMTI_SBi4", GAS_PAIRS_SBI4, GAS_LADDER_ROOT, "4 particles a thread", stays)         \
    X(gas_pairs_sbi4_u8, "GPUMTI_SBi4_U8", GAS_PAIRS_SBI4_U8, GAS_LADDER_ROOT,                               \
      "4 particles a thread, unrolled by 8", stays)                                                          \
    X(gas_pairs_blocked, "GPUMTI-blocked", GAS_PAIRS_BLOCKED, GAS_LADDER_ROOT,                               \
      "a block of particles in shared memory, unrolled by 8", stays)                                         \
    X(gas_pairs_two_forces, "GPUFull/22", GAS_PAIRS_TWO_FORCES, GAS_LADDER_TWO_FORCES,                       \
      "and a repulsion at short range", counted)                                                             \
    X(gas_pairs_three_forces, "GPUFull/28", GAS_PAIRS_THREE_FORCES, GAS_LADDER_THREE_FORCES,                 \
      "and a second attraction at short range", counted)                                                     \
    X(gas_pairs_3d, "GPU3D", GAS_PAIRS_3D, GAS_LADDER_3D_DEVICE, "three dimensions", stays)                  \
    X(gas_pairs_3d_u4, "GPU3D_U4", GAS_PAIRS_3D_U4, GAS_LADDER_3D_DEVICE, "unrolled by 4", stays)            \
    X(gas_pairs_3d_blocked, "GPU3D-blocked", GAS_PAIRS_3D_BLOCKED, GAS_LADDER_3D_DEVICE,                     \
      "a block of particles in shared memory, unrolled by 8", stays)

#define GAS_PAIRS_DECLARE(identifier, ...) extern const struct ladder_rung identifier;
GAS_PAIRS_RUNGS(GAS_PAIRS_DECLARE)
#undef GAS_PAIRS_DECLARE

#endif
