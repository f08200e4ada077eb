// The methods of the Ising model: their names, and what they cannot do.
#ifndef FATHOM_MODELS_ISING_METHOD_H
#define FATHOM_MODELS_ISING_METHOD_H

#include "models/ising/state.h"

// As the keys have them (params.c).
extern const char *const ising_method_names[ISING_METHODS];

// Whether it never leaves spins of which each has two neighbours up and two down (stripes): flipping one
// costs no energy, so each half-sweep flips all spins of its sublattice.
static inline bool ising_keeps_stripes(const struct ising_physics *physics)
{
    return (physics->method == ISING_METROPOLIS || physics->method == ISING_METROPOLIS_INTEGER) &&
           physics->field == 0 && physics->lattice.boundary == ISING_PERIODIC;
}

#endif
