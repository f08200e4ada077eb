// The rungs on a device (device.cu; without CUDA device_none.c), as lattice.h calls them. Each function
// returns NULL, or why it failed.
#ifndef FATHOM_BENCH_LADDER_ISING_DEVICE_H
#define FATHOM_BENCH_LADDER_ISING_DEVICE_H

#include "bench/ladder/ising/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *ising_ladder_device_open(struct ising_ladder *lattice);
const char *ising_ladder_device_set(struct ising_ladder *lattice, const int32_t *spins);
const char *ising_ladder_device_advance(struct ising_ladder *lattice, uint32_t first, int count,
                                        int32_t *energy, int32_t *magnetisation);
const char *ising_ladder_device_get(struct ising_ladder *lattice, int32_t *spins);
void ising_ladder_device_close(struct ising_ladder *lattice);

#ifdef __cplusplus
}
#endif

#endif
