// The data of the Ising model for its solvers: spins on a square lattice, their layout in words, and the
// random numbers that decide about flips. With these rules all back ends compute the same spins, bit for bit.
// Independent of jobs, files and memory plans. H = −J Σ_<ij> s_i s_j − B Σ_i s_i, s = ±1 (k_B = 1).
#ifndef FATHOM_MODELS_ISING_STATE_H
#define FATHOM_MODELS_ISING_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Site i = x + y·columns. PERIODIC: neighbours modulo columns and rows. HELICAL: i ± 1 and i ± columns modulo
// columns·rows.
enum ising_boundary { ISING_PERIODIC, ISING_HELICAL };

// METROPOLIS, HEAT_BATH: sweeps by sublattices, spins in words (WORDS, DECISIONS). METROPOLIS_INTEGER: the
// same sublattices, but one 32-bit integer for each spin, compared with a threshold: an independent chain.
// METROPOLIS_RANDOM: a sweep chooses N sites at random, one after the other, as Karkoulis' (2010) program for
// processors. WOLFF, SWENDSEN_WANG: clusters (CLUSTERS). A sweep of WOLFF is one cluster.
enum ising_method {
    ISING_METROPOLIS,
    ISING_METROPOLIS_INTEGER,
    ISING_METROPOLIS_RANDOM,
    ISING_HEAT_BATH,
    ISING_WOLFF,
    ISING_SWENDSEN_WANG,
    ISING_METHODS
};

// SUBLATTICES. The number of columns is even; so is that of rows for methods by sublattices. PERIODIC: two
// sublattices, first the sites of even x + y, then those of odd. HELICAL: four, by (x mod 2, y mod 2): (0,0),
// (1,1), (1,0), (0,1). No two sites of a sublattice are neighbours.
//
// WORDS. Spins are stored in two planes, of even and of odd x; in row y of a plane, spin k is the one at x =
// 2k + plane. A row has columns/2 = bits · words spins; `bits` is the largest divisor of columns/2 that is ≤
// 32. Spin k is bit k / words of word k mod words; 1 means up. Its neighbours in the row are at the same bit
// of the same or an adjacent word, except for the first and the last word, where the bits rotate by one. In a
// row, all sites of a sublattice belong to the same plane.
//
// DECISIONS. Random words are Philox4x32-10 outputs (core/philox.h) under the key of the seed and β's number
// (ising_key). Word g = (replica·rows + y)·words + w of a sublattice has output g mod 4 of the counter {⌊g/4⌋
// low, high, sweep, sublattice | digit << 2 | ISING_USE_SPINS << 8}. Bernoulli bits of a threshold T (0 …
// 2³²; p = T/2³²), which may differ from spin to spin: the binary digits 31, 30, … of T are compared with the
// bits of the words of digit 0, 1, …. At the first difference the bit is 1 if T's digit is 1, else 0. Without
// a difference it is 0; for T = 2³² it is 1. METROPOLIS_INTEGER: a spin's word is g = (replica·rows +
// y)·(columns/2) + k of digit 0; it flips if that word < T(min(1, e^{−βΔE})). METROPOLIS_RANDOM: attempt n of
// a sweep (n = replica·N + its number) chooses the site ⌊u N⌋ with the word g = 2n, and flips it if the word
// 2n + 1 is below that threshold. METROPOLIS: a spin flips with T(min(1, e^{−βΔE})) of its own value and its
// neighbours'; for B = 0 that is T(e^{−4β|J|}) with three satisfied neighbours, T(e^{−8β|J|}) with four, and
// always with fewer. HEAT_BATH: up with T(1/(1 + e^{−2β(Jh + B)})), h the sum of the neighbours. T(p) = ⌊p
// 2³² + ½⌋ in double, once on the host: the error of p is ≤ 2⁻³³.
//
// CLUSTERS, B = 0. The bond from site i to the right (direction 0) or down (1) is open if its ends are
// satisfied and its random word < T(1 − e^{−2β|J|}): word g = 2i + direction (replicas follow each other), as
// above, sweep = the cluster update, ISING_USE_BONDS. SWENDSEN_WANG: all sites that are joined by open bonds
// form a cluster, whose number is its smallest site; it flips if the lowest bit of the word g = number,
// ISING_USE_FLIPS, is 1. WOLFF: the site ⌊u N⌋ of u = word · 2⁻³² (g = replica, ISING_USE_SEED) and its
// cluster flip.
enum { ISING_USE_SPINS, ISING_USE_BONDS, ISING_USE_FLIPS, ISING_USE_SEED, ISING_USE_START };

static inline bool ising_has_clusters(enum ising_method method)
{
    return method == ISING_WOLFF || method == ISING_SWENDSEN_WANG;
}

struct ising_lattice {
    int64_t columns, rows;
    int64_t replicas; // number of independent lattices
    enum ising_boundary boundary;
};

struct ising_physics {
    struct ising_lattice lattice;
    double coupling, field; // J, B
    enum ising_method method;
    uint64_t seed;
};

// Words of a row of a plane, and the spins of each (columns/2 = bits · words).
static inline int ising_word_bits(int64_t columns)
{
    for (int bits = 32; bits > 1; bits--)
        if (columns / 2 % bits == 0)
            return bits;
    return 1;
}

static inline int64_t ising_row_words(int64_t columns)
{
    return columns / 2 / ising_word_bits(columns);
}

static inline int ising_sublattices(enum ising_boundary boundary)
{
    return boundary == ISING_PERIODIC ? 2 : 4;
}

static inline uint64_t ising_sites(const struct ising_lattice *lattice)
{
    return (uint64_t)lattice->columns * (uint64_t)lattice->rows;
}

// Number of words of one replica, in both planes.
static inline size_t ising_lattice_words(const struct ising_lattice *lattice)
{
    return 2 * (size_t)lattice->rows * (size_t)ising_row_words(lattice->columns);
}

// T(p) of DECISIONS.
static inline uint64_t ising_threshold(double probability)
{
    return (uint64_t)(probability * 4294967296.0 + 0.5);
}

#endif
