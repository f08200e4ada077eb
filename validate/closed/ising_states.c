// Every state of a small lattice (see the header).
#include "validate/closed/ising_states.h"

#include <math.h>

// Σ s s' over its bonds, and Σ s.
struct state {
    int bonds, spins;
};

static struct state measure_state(const struct ising_system *system, unsigned bits)
{
    const int columns = system->columns, sites = columns * system->rows;
    struct state state = {0, 0};
    for (int site = 0; site < sites; site++) {
        const int next = (site + 1) % columns == 0 ? site + 1 - columns : site + 1;
        const int right = system->is_helical ? (site + 1) % sites : next, down = (site + columns) % sites;
        const int spin = (bits >> site & 1) ? 1 : -1;
        state.spins += spin;
        state.bonds += spin * ((bits >> right & 1) ? 1 : -1) + spin * ((bits >> down & 1) ? 1 : -1);
    }
    return state;
}

struct ising_means ising_count_states(const struct ising_system *system, double beta)
{
    const int sites = system->columns * system->rows;
    const double n = sites, least = -2 * fabs(system->coupling) - fabs(system->field);
    double z = 0, energy = 0,
           energy2 = 0; // energies above the least possible one: a variance is a small difference
    struct ising_means means = {0};
    for (unsigned bits = 0; bits < 1u << sites; bits++) {
        const struct state state = measure_state(system, bits);
        const double m = state.spins / n;
        const double e = -(system->coupling * state.bonds + system->field * state.spins) / n - least;
        const double weight = exp(-beta * n * e);
        z += weight;
        energy += weight * e;
        energy2 += weight * e * e;
        means.magnetisation += weight * m;
        means.absolute += weight * fabs(m);
        means.square += weight * m * m;
        means.fourth += weight * m * m * m * m;
    }
    means.magnetisation /= z;
    means.absolute /= z;
    means.square /= z;
    means.fourth /= z;
    means.energy = energy / z + least;
    means.specific_heat = beta * beta * n * (energy2 / z - energy / z * (energy / z));
    means.susceptibility = beta * n * (means.square - means.absolute * means.absolute);
    means.binder = 1 - means.fourth / (3 * means.square * means.square);
    return means;
}
