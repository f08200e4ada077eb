// What the parts of the serial reference share. Plain, one byte a spin, written from state.h and from nothing
// else: the specification.
#ifndef FATHOM_MODELS_ISING_REFERENCE_H
#define FATHOM_MODELS_ISING_REFERENCE_H

#include "models/ising/random.h"
#include "models/ising/solver.h"

enum { ISING_RIGHT, ISING_DOWN, ISING_LEFT, ISING_UP, ISING_NEIGHBOURS };

// One replica, and where its random numbers are.
struct reference_replica {
    const struct ising_physics *physics;
    int8_t *spins; // [rows][columns], ±1
    int64_t number;
    struct philox_key key;
    double beta;
};

// The neighbours of a site, in the order above.
void reference_neighbours(const struct ising_lattice *lattice, uint64_t site,
                          uint64_t neighbours[ISING_NEIGHBOURS]);

// reference.c: Σ of the neighbours.
int reference_field(const struct reference_replica *replica, uint64_t site);

// reference_spins.c: a sweep of METROPOLIS, METROPOLIS_INTEGER, METROPOLIS_RANDOM or HEAT_BATH.
void reference_sweep_spins(const struct reference_replica *replica, uint32_t sweep);

// reference_clusters.c: an update of WOLFF or SWENDSEN_WANG; returns what struct ising_measure has of it.
// labels: [2 N].
int64_t reference_update_clusters(const struct reference_replica *replica, uint32_t sweep, uint64_t *labels);

#endif
