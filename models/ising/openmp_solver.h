// Shared by the parts of the fast CPU version. Spins are stored in words (state.h). A sweep treats batches of
// words; the result has the same bits for any number of threads.
#ifndef FATHOM_MODELS_ISING_OPENMP_SOLVER_H
#define FATHOM_MODELS_ISING_OPENMP_SOLVER_H

#include "models/ising/openmp_isa.h"
#include "models/ising/solver.h"

struct ising_clusters;

struct solver {
    struct ising_setup setup;
    const struct ising_functions *functions;
    int threads;
    struct ising_words layout;
    struct ising_rule rule;
    uint64_t bond_threshold;         // T(1 − e^{−2β|J|})
    uint32_t *words;                 // [replicas][2][rows][words]
    int64_t *flipped;                // [replicas]: cluster sizes for the next measurement
    uint8_t *bytes;                  // [replicas][rows][columns], if ising_has_bytes(method); else NULL
    uint32_t *queue;                 // [replicas][N + 1], of WOLFF
    uint8_t *is_stale;               // [replicas], of WOLFF: bytes are newer than words
    struct ising_clusters *clusters; // openmp_clusters.c; NULL: none
    int64_t *sums; // [rows of all replicas][2]: bonds that are not satisfied by J > 0, spins up
    struct ising_stage_times times;
    uint32_t sweep;
    int sublattice;
};

// openmp_spins.c: does sweep number `sweep` of METROPOLIS or HEAT_BATH.
void ising_sweep_spins(struct solver *s);

// openmp_bytes.c. METROPOLIS_INTEGER, METROPOLIS_RANDOM and WOLFF work on bytes, one for each spin. After a
// touch the words are spread to bytes; after the sweeps the bytes are gathered into words (WOLFF: only those
// of stale replicas).
bool ising_has_bytes(enum ising_method method);
enum status ising_bytes_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
void ising_bytes_spread(struct solver *s);
void ising_bytes_gather(struct solver *s);
void ising_bytes_sweep(struct solver *s); // sweep number `sweep`; not for WOLFF

// openmp_wolff.c
enum status ising_wolff_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
void ising_wolff_update(struct solver *s);

// openmp_clusters.c: SWENDSEN_WANG
enum status ising_clusters_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
void ising_clusters_update(struct solver *s); // does update number `sweep`

// The neighbours of a site.
enum { ISING_BESIDE_RIGHT, ISING_BESIDE_BELOW, ISING_BESIDE_LEFT, ISING_BESIDE_ABOVE };

static inline void ising_sites_beside(const struct ising_lattice *lattice, uint64_t site, uint64_t beside[4])
{
    const uint64_t sites = ising_sites(lattice), columns = (uint64_t)lattice->columns;
    beside[ISING_BESIDE_RIGHT] = site + 1 < sites ? site + 1 : 0;
    beside[ISING_BESIDE_LEFT] = site > 0 ? site - 1 : sites - 1;
    beside[ISING_BESIDE_BELOW] = site + columns < sites ? site + columns : site + columns - sites;
    beside[ISING_BESIDE_ABOVE] = site >= columns ? site - columns : site + sites - columns;
    if (lattice->boundary == ISING_PERIODIC) {
        const uint32_t x = (uint32_t)site % (uint32_t)columns;
        beside[ISING_BESIDE_RIGHT] = x + 1 < columns ? site + 1 : site + 1 - columns;
        beside[ISING_BESIDE_LEFT] = x > 0 ? site - 1 : site + columns - 1;
    }
}

// The position of a site's spin in the words.
struct ising_bit {
    int64_t word;
    int bit;
};
static inline struct ising_bit ising_bit_of(const struct ising_words *l, int64_t replica, int64_t x,
                                            int64_t y)
{
    const int64_t k = x / 2;
    return (struct ising_bit){ising_word_at(l, replica, (int)(x & 1), y, k % l->words), (int)(k / l->words)};
}

static inline uint32_t ising_spin(const struct solver *s, int64_t replica, int64_t x, int64_t y)
{
    const struct ising_bit at = ising_bit_of(&s->layout, replica, x, y);
    return s->words[at.word] >> at.bit & 1;
}

#endif
