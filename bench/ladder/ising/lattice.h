// A lattice of any rung (rung.h). Each function returns NULL, or why it failed (a text that stays).
#ifndef FATHOM_BENCH_LADDER_ISING_LATTICE_H
#define FATHOM_BENCH_LADDER_ISING_LATTICE_H

#include "bench/ladder/ising/rung.h"

// Makes a lattice with all spins up. *lattice is to be closed even if this fails.
const char *ising_ladder_open(struct ising_ladder *lattice, const struct ising_ladder_setup *setup);
// Sets the spins, ±1, [side][side].
const char *ising_ladder_set(struct ising_ladder *lattice, const int32_t *spins);
// Makes `count` sweeps from number `first` on; energy and magnetisation of the whole lattice after each.
const char *ising_ladder_advance(struct ising_ladder *lattice, uint32_t first, int count, int32_t *energy,
                                 int32_t *magnetisation);
const char *ising_ladder_get(struct ising_ladder *lattice, int32_t *spins);
void ising_ladder_close(struct ising_ladder *lattice);

// Why a rung cannot have this setup; NULL: it can.
const char *ising_ladder_refusal(const struct ising_ladder_setup *setup);

#endif
