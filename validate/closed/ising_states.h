// The Ising model on lattices so small that all states can be enumerated: H = −J Σ s s' − B Σ s, at any J and
// B.
#ifndef FATHOM_VALIDATE_CLOSED_ISING_STATES_H
#define FATHOM_VALIDATE_CLOSED_ISING_STATES_H

#include <stdbool.h>

enum { ISING_STATES_SITES_MAX = 20 };

struct ising_system {
    int columns, rows; // at most ISING_STATES_SITES_MAX sites
    // neighbours i ± 1 and i ± columns modulo columns·rows; else each row and column is a ring
    bool is_helical;
    double coupling, field;
};

// Per site.
struct ising_means {
    double energy, specific_heat;                   // β² var(E)/N
    double magnetisation, absolute, square, fourth; // ⟨m⟩, ⟨|m|⟩, ⟨m²⟩, ⟨m⁴⟩
    double susceptibility;                          // β N (⟨m²⟩ − ⟨|m|⟩²)
    double binder;                                  // 1 − ⟨m⁴⟩/(3⟨m²⟩²)
};

// The sum over all 2^(columns·rows) states with their weights e^{−βE}.
struct ising_means ising_count_states(const struct ising_system *system, double beta);

#endif
