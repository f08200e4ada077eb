// The rungs of the Ising ladder: the programs of D. N. Karkoulis (Monte Carlo simulations on GPU, diploma
// thesis, NTUA, Athens 2010, 4.1 to 4.4), each written anew from their description. An int a spin, helical
// boundary, J = 1, B = 0; energy and magnetisation after every sweep, as there. No run uses them: they
// stand for comparison, and are not tuned beyond what the thesis describes.
//
// HOST: serial; a sweep picks N sites at random. On a device a thread owns 2 × 2 sites: GLOBAL reads spins
// from global memory, TEXTURE through a one-dimensional texture; STAGED copies a thread's site to shared
// memory and back, besides. A sweep there has two launches, black and white, whose threads race where the
// seam of a helical lattice joins sites of one colour; here it has four, one for each site of the 2 × 2,
// of which none is a neighbour of another.
//
// PHILOX: the model's random numbers (models/ising/state.h), so that HOST makes the spins of metropolis-
// random, and the others those of metropolis-integer, bit for bit. MINSTD: the thesis' generator
// (minstd.h), with a seed for each thread; a number is drawn only where it is needed.
#ifndef FATHOM_BENCH_LADDER_ISING_RUNG_H
#define FATHOM_BENCH_LADDER_ISING_RUNG_H

#include "models/ising/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ising_ladder_memory {
    ISING_LADDER_HOST,
    ISING_LADDER_GLOBAL,
    ISING_LADDER_TEXTURE,
    ISING_LADDER_STAGED
};
enum ising_ladder_draws { ISING_LADDER_PHILOX, ISING_LADDER_MINSTD };

// The numbers that decide a flip for s·Σ s' = 2 and 4: in float for MINSTD, thresholds for PHILOX.
struct ising_ladder_chance {
    float probability;
    uint32_t threshold;
};
enum { ISING_LADDER_CHANCES = 5 }; // index s·Σ s'; only 2 and 4 are used

struct ising_ladder_setup {
    enum ising_ladder_memory memory;
    enum ising_ladder_draws draws;
    int side;             // L: a power of two, at least twice the longer side of a block
    int block_x, block_y; // threads of a block; a device's
    double beta;
    uint64_t seed;
};

// A lattice of one rung.
struct ising_ladder {
    struct ising_ladder_setup setup;
    struct ising_ladder_chance chance[ISING_LADDER_CHANCES];
    struct philox_key key;
    int32_t *spins; // [side][side], of the host
    int64_t seed;   // of the host's generator
    struct ising_ladder_device *device;
};

#endif
