// States of a periodic 4 × 4 lattice, drawn independently with their exact weights e^{−βE}, J = 1: what a
// perfect method would measure.
#ifndef FATHOM_TESTS_SUPPORT_ISING_DRAWS_H
#define FATHOM_TESTS_SUPPORT_ISING_DRAWS_H

#include "core/philox.h"
#include "tests/support/asserts.h"

enum { DRAW_SIDE = 4, DRAW_SITES = 16, DRAW_STATES = 65536 };

struct ising_draws {
    double field;
    double sums[DRAW_STATES]; // of the weights of the states up to here
    uint64_t seed, count;
};

// Bit x + 4y: the spin there; 1: up.
static inline int draw_spin(unsigned state, int x, int y)
{
    return (int)(state >> (x % DRAW_SIDE + DRAW_SIDE * (y % DRAW_SIDE)) & 1) * 2 - 1;
}

static inline int draw_spins(unsigned state)
{
    return 2 * __builtin_popcount(state) - DRAW_SITES;
}

// E/N
static inline double draw_energy(const struct ising_draws *draws, unsigned state)
{
    int bonds = 0;
    for (int y = 0; y < DRAW_SIDE; y++)
        for (int x = 0; x < DRAW_SIDE; x++)
            bonds += draw_spin(state, x, y) * (draw_spin(state, x + 1, y) + draw_spin(state, x, y + 1));
    return -(bonds + draws->field * draw_spins(state)) / DRAW_SITES;
}

static inline struct ising_draws *draws_begin(double beta, double field, uint64_t seed)
{
    struct ising_draws *draws = owned_zeros(1, sizeof *draws);
    double sum = 0;
    draws->field = field;
    draws->seed = seed;
    draws->count = 0;
    for (unsigned state = 0; state < DRAW_STATES; state++)
        draws->sums[state] = sum += exp(-beta * DRAW_SITES * (draw_energy(draws, state) + 2));
    return draws;
}

static inline unsigned draws_next(struct ising_draws *draws)
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(draws->count++, 0), philox_key_from_seed(draws->seed));
    const double sum = philox_double(words.v[0], words.v[1]) * draws->sums[DRAW_STATES - 1];
    unsigned low = 0, high = DRAW_STATES - 1;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (draws->sums[middle] < sum)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
