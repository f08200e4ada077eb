// Shared by the parts of the fast CPU version. Spins are stored in words (state.h). A sweep treats batches of
// words; the result has the same bits for any number of threads.
#ifndef FATHOM_MODELS_ISING_OPENMP_SOLVER_H
#define FATHOM_MODELS_ISING_OPENMP_SOLVER_H

#include "models/ising/openmp_isa.h"
#include "models/ising/solver.h"
#include "parallel/shares.h"

struct ising_clusters;

struct solver {
    struct ising_setup setup;
    const struct ising_functions *functions;
    int threads;
    struct ising_words layout;
    struct ising_rule rule;
    uint64_t bond_threshold;         // T(1 − e^{−2β|J|})
    struct share own;                // rows of this rank
    uint32_t *words;                 // [replicas][2][rows][words] (place.h: of the held rows)
    uint32_t *own_words;             // of several ranks: [replicas][2][own rows][words], as exchanged
    char *rims;                      // of several ranks: rows on their way from and to neighbours
    size_t rim_bytes;                // of each of the four
    uint32_t *visitors[2];           // of several ranks: one lattice's rows of another rank
    int64_t *flipped;                // [replicas]: cluster sizes for the next measurement
    int64_t *counted;                // [replicas]: what the last updates add to them, of this rank
    uint8_t *bytes;                  // [replicas][rows][columns], if ising_has_bytes(method); else NULL
    uint32_t *queue;                 // [replicas][own sites + 1], of WOLFF
    uint32_t *queued;                // [replicas], of WOLFF: sites in the queue, between rounds of ranks
    uint8_t *is_stale;               // [replicas], of WOLFF: bytes are newer than words
    struct ising_clusters *clusters; // openmp_clusters.c; NULL: none
    int64_t *sums; // [own rows of all replicas][2]: bonds that are not satisfied by J > 0, spins up
    struct ising_stage_times times;
    uint32_t sweep;
    int sublattice;
};

// openmp_spins.c: does sweep number `sweep` of METROPOLIS or HEAT_BATH.
enum status ising_sweep_spins(struct solver *s);

// openmp_bytes.c. METROPOLIS_INTEGER, METROPOLIS_RANDOM and WOLFF work on bytes, one for each spin. After a
// touch the words are spread to bytes; after the sweeps the bytes are gathered into words (WOLFF: only those
// of stale replicas).
bool ising_has_bytes(enum ising_method method);
enum status ising_bytes_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
void ising_bytes_spread(struct solver *s);
void ising_bytes_gather(struct solver *s);
enum status ising_bytes_sweep(struct solver *s); // sweep number `sweep`; not for WOLFF

// openmp_ranks.c: what several ranks swap; one rank: nothing. The rows beside the own ones become
// those of the neighbours, of words or of bytes.
static inline int64_t ising_own_rows(const struct solver *s)
{
    return s->own.end - s->own.first;
}
enum status ising_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status ising_swap_words(struct solver *s);
enum status ising_swap_bytes(struct solver *s);
// The rows beside the own ones, of bytes, go back to their ranks; what so came from the rank above (border 0)
// or below (1) for a replica: [columns].
enum status ising_return_bytes(struct solver *s);
const uint8_t *ising_returned_bytes(const struct solver *s, int border, size_t replica);
void ising_take_words(struct solver *s); // own_words → words
void ising_give_words(struct solver *s); // words → own_words
// Each value becomes the sum of all ranks'.
enum status ising_add_ranks(struct solver *s, int64_t *values, size_t count);

// openmp_correlate.c: see solver.h.
enum status ising_correlate(struct solver *s, size_t distances, const int64_t *distance,
                            int64_t *correlations);

// openmp_wolff.c. Adds the sites that it flips to `counted`.
enum status ising_wolff_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
enum status ising_wolff_update(struct solver *s);

// openmp_clusters.c: SWENDSEN_WANG. Does update number `sweep`. is_measured: sets `counted` to Σ size² of the
// clusters; else it is undefined.
enum status ising_clusters_plan(struct solver *s, struct memory_plan *plan, const char *prefix);
void ising_clusters_free(struct ising_clusters *c);
enum status ising_clusters_update(struct solver *s, bool is_measured);

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
