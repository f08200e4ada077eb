// Spins in lanes of words: compiled once per instruction set (openmp_isa.c) and chosen at run time by openmp.c. Knows no threads.
#ifndef FATHOM_MODELS_ISING_OPENMP_ISA_H
#define FATHOM_MODELS_ISING_OPENMP_ISA_H

#include "models/ising/place.h"
#include "models/ising/rule.h"

// Words of a phase that are worked on together, a whole number of every set's lanes of quads.
enum { ISING_BATCH = 64 };

// Four by four they are the words of a quad (state.h, DECISIONS).
struct ising_batch {
    uint64_t quads[ISING_BATCH / 4];
    uint32_t spins[ISING_BATCH], neighbours[ISING_NEIGHBOUR_WORDS][ISING_BATCH];
    uint32_t valid[ISING_BATCH]; // the spins that there are
};

struct ising_functions {
    const char *instruction_set;
    void (*turn)(const struct ising_rule *rule, uint32_t sweep, int phase, struct ising_batch *batch);
    // Which of the random words first_word … first_word + ISING_BATCH − 1 (first_word a multiple of 4) are below the threshold.
    void (*draw_below)(const struct philox_key *key, uint64_t first_word, uint32_t sweep, uint32_t purpose,
                       uint64_t threshold, uint8_t below[ISING_BATCH]);
};

extern const struct ising_functions ising_functions_generic, ising_functions_avx2, ising_functions_avx512;

#endif
