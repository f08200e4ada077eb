// Functions on the spins of many words at a time, compiled once for each instruction set (models/isa.h).
#ifndef FATHOM_MODELS_ISING_OPENMP_ISA_H
#define FATHOM_MODELS_ISING_OPENMP_ISA_H

#include "models/isa.h"
#include "models/ising/place.h"
#include "models/ising/rule.h"

// Number of words of a sublattice that are treated together: a multiple of the lanes of every instruction
// set.
enum { ISING_BATCH = 64 };

// Each four of the words form a quad (state.h, DECISIONS).
struct ising_batch {
    uint64_t quads[ISING_BATCH / 4];
    uint32_t spins[ISING_BATCH], neighbours[ISING_NEIGHBOUR_WORDS][ISING_BATCH];
    uint32_t valid[ISING_BATCH]; // mask of the spins that exist
};

// The spins of a row, one in each byte: [columns], followed by this padding for vectors.
enum { ISING_ROW_MORE = ISING_BATCH };

// Bits of the open bonds of a row's sites, to the right and down.
enum { ISING_OPEN_RIGHT = 1, ISING_OPEN_DOWN = 2 };

struct ising_bond_row {
    uint64_t first_site; // through all replicas
    int64_t columns;
    const uint8_t *own, *below; // spins; own[columns] is the neighbour of the last
    uint8_t *open;              // [columns]
};

// The words of a row in both planes, and those of the row below. beside_first: the neighbours, on the
// OTHER_SIDE (place.h), of the first word of even x.
struct ising_measured_row {
    const uint32_t *even, *odd, *even_below, *odd_below;
    uint32_t beside_first;
    int64_t words;
};

// `unlike`: number of bonds with unlike ends: those to the right, to the left and below for spins of even x,
// and those below for spins of odd x. `up`: number of spins up.
struct ising_row_counts {
    int64_t unlike, up;
};

struct ising_functions {
    const char *instruction_set;
    void (*flip)(const struct ising_rule *rule, uint32_t sweep, int sublattice, struct ising_batch *batch);
    // Draws the random words of each quad.
    void (*draw)(const struct philox_key *key, const uint64_t quads[ISING_BATCH / 4], uint32_t sweep,
                 uint32_t purpose, uint32_t words[ISING_BATCH]);
    // Only draws `words` random words; returns their exclusive or.
    uint32_t (*draw_only)(uint64_t words);
    void (*open_bonds)(const struct philox_key *key, uint32_t sweep, uint64_t threshold, uint32_t unlike,
                       const struct ising_bond_row *row);
    // Convert the two planes of a row, [words] each, to its spins, and back.
    void (*spread)(const uint32_t *even, const uint32_t *odd, int64_t words, int bits, uint8_t *spins);
    void (*gather)(const uint8_t *spins, int64_t words, int bits, uint32_t *even, uint32_t *odd);
    struct ising_row_counts (*count_row)(const struct ising_measured_row *row);
};

ISA_TABLES(ising_functions);

#endif
