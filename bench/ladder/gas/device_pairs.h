// The rungs of all pairs on a device: Balen (2016), chapters 7 and 10 (device_pairs.cu), as pairs_rungs.c
// calls them. Each function returns NULL, or why it failed.
#ifndef FATHOM_BENCH_LADDER_GAS_DEVICE_PAIRS_H
#define FATHOM_BENCH_LADDER_GAS_DEVICE_PAIRS_H

#include "bench/ladder/gas/gas_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// The number of the kernel in device_pairs.cu's list.
enum gas_pairs_kernel {
    GAS_PAIRS_DIVIDED, // the processor's program as it is: a division a pair
    GAS_PAIRS_ROOT,    // 1/√(s·s); the constant outside the loop
    GAS_PAIRS_U2,      // the loop over j unrolled by 2, 8, 16
    GAS_PAIRS_U8,
    GAS_PAIRS_U16,
    GAS_PAIRS_SBI4,    // four particles i a thread
    GAS_PAIRS_SBI4_U8, // and j unrolled by 8
    GAS_PAIRS_BLOCKED, // j in shared memory, a block at a time
    GAS_PAIRS_TWO_FORCES,
    GAS_PAIRS_THREE_FORCES,
    GAS_PAIRS_3D,
    GAS_PAIRS_3D_U4,
    GAS_PAIRS_3D_BLOCKED,
    GAS_PAIRS_KERNELS
};

struct gas_pairs;

int gas_pairs_axes(enum gas_pairs_kernel kernel); // 2 or 3

// Copies the particles to device number `device`; blocks have `threads` threads. *pairs is NULL, or to be
// closed, even after a failure.
const char *gas_pairs_open(enum gas_pairs_kernel kernel, int threads, int device,
                           const struct gas_ladder_particles *particles, struct gas_pairs **pairs);
const char *gas_pairs_step(struct gas_pairs *pairs, int count); // and waits for them
const char *gas_pairs_get(struct gas_pairs *pairs, struct gas_ladder_particles *particles);
void gas_pairs_close(struct gas_pairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
