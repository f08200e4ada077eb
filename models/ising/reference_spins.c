// Sweeps that treat one spin after the other (state.h, DECISIONS): serial, and as simple as possible.
#include "models/ising/reference.h"

#include <math.h>

// Draws a Bernoulli bit with the probability of the threshold: compares the threshold's binary digits with
// those of the bit's random number, most significant first.
static bool is_drawn(const struct reference_replica *r, uint32_t sweep, int sublattice, uint64_t word,
                     int bit, uint64_t threshold)
{
    if (threshold == (uint64_t)1 << 32)
        return true;
    for (int digit = 0; digit < 32; digit++) {
        const uint32_t random =
            ising_random_word(r->key, word, sweep, ising_purpose(ISING_USE_SPINS, sublattice, digit));
        const uint32_t ours = (uint32_t)(threshold >> (31 - digit)) & 1, its = random >> bit & 1;
        if (ours != its)
            return ours == 1;
    }
    return false;
}

// ΔE of a flip.
static double energy_of_flip(const struct reference_replica *r, uint64_t site)
{
    return 2 * r->spins[site] * (r->physics->coupling * reference_field(r, site) + r->physics->field);
}

static uint64_t metropolis_threshold(const struct reference_replica *r, uint64_t site)
{
    const double delta = energy_of_flip(r, site);
    return delta <= 0 ? (uint64_t)1 << 32 : ising_threshold(exp(-r->beta * delta));
}

static int8_t drawn_from_heat_bath(const struct reference_replica *r, uint32_t sweep, int sublattice,
                                   uint64_t site, uint64_t word, int bit)
{
    const double energy = r->physics->coupling * reference_field(r, site) + r->physics->field;
    const uint64_t threshold = ising_threshold(1 / (1 + exp(-2 * r->beta * energy)));
    return is_drawn(r, sweep, sublattice, word, bit, threshold) ? 1 : -1;
}

// Site (x, y) of its sublattice.
static void update_site(const struct reference_replica *r, uint32_t sweep, int sublattice, int64_t x,
                        int64_t y)
{
    const struct ising_lattice *lattice = &r->physics->lattice;
    const int64_t words = ising_row_words(lattice->columns), k = x / 2, row = r->number * lattice->rows + y;
    const uint64_t site = (uint64_t)(y * lattice->columns + x), word = (uint64_t)(row * words + k % words);
    const int bit = (int)(k / words);
    bool flips;
    if (r->physics->method == ISING_HEAT_BATH) {
        r->spins[site] = drawn_from_heat_bath(r, sweep, sublattice, site, word, bit);
        return;
    }
    if (r->physics->method == ISING_METROPOLIS_INTEGER)
        flips =
            ising_random_word(r->key, (uint64_t)(row * (lattice->columns / 2) + k), sweep,
                              ising_purpose(ISING_USE_SPINS, sublattice, 0)) < metropolis_threshold(r, site);
    else
        flips = is_drawn(r, sweep, sublattice, word, bit, metropolis_threshold(r, site));
    if (flips)
        r->spins[site] = (int8_t)-r->spins[site];
}

static bool is_in_sublattice(enum ising_boundary boundary, int sublattice, int64_t x, int64_t y)
{
    static const int columns[] = {0, 1, 1, 0}, rows[] = {0, 1, 0, 1};
    if (boundary == ISING_PERIODIC)
        return (x + y) % 2 == sublattice;
    return x % 2 == columns[sublattice] && y % 2 == rows[sublattice];
}

static void pick_at_random(const struct reference_replica *r, uint32_t sweep)
{
    const uint64_t sites = ising_sites(&r->physics->lattice);
    const uint32_t purpose = ising_purpose(ISING_USE_SPINS, 0, 0);
    for (uint64_t pick = 0; pick < sites; pick++) {
        const uint64_t word = 2 * ((uint64_t)r->number * sites + pick);
        const uint64_t site = ising_random_below(ising_random_word(r->key, word, sweep, purpose), sites);
        if (ising_random_word(r->key, word + 1, sweep, purpose) < metropolis_threshold(r, site))
            r->spins[site] = (int8_t)-r->spins[site];
    }
}

void reference_sweep_spins(const struct reference_replica *r, uint32_t sweep)
{
    const struct ising_lattice *lattice = &r->physics->lattice;
    if (r->physics->method == ISING_METROPOLIS_RANDOM) {
        pick_at_random(r, sweep);
        return;
    }
    for (int sublattice = 0; sublattice < ising_sublattices(lattice->boundary); sublattice++)
        for (int64_t y = 0; y < lattice->rows; y++)
            for (int64_t x = 0; x < lattice->columns; x++)
                if (is_in_sublattice(lattice->boundary, sublattice, x, y))
                    update_site(r, sweep, sublattice, x, y);
}
