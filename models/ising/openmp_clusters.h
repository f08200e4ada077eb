// Shared by the parts of SWENDSEN_WANG of the fast CPU version: labels of sites, and rows of open bonds.
#ifndef FATHOM_MODELS_ISING_OPENMP_CLUSTERS_H
#define FATHOM_MODELS_ISING_OPENMP_CLUSTERS_H

#include "models/ising/openmp_solver.h"

// The highest bit of a size: the cluster flips. A lattice has fewer than 2³¹ sites.
#define ISING_FLIPS 0x80000000u
// The highest bit of a root's label: other ranks have parts of its cluster, too. The other bits are its
// number in struct ising_borders.
#define ISING_SHARED 0x80000000u

// Clusters of which several ranks have parts (openmp_borders.c): the roots of this rank's parts, numbered in
// each replica from 0. There are at most as many as sites in two rows.
struct ising_borders {
    uint32_t most;               // roots of a replica
    uint32_t *counts;            // [replicas]
    uint32_t *roots;             // [replicas][most]
    uint32_t *labels;            // [replicas][most]: of the whole cluster, as far as it is known yet
    int64_t *sizes;              // [replicas][most]: of the whole cluster, if its label is the root
    uint32_t *numbers;           // [replicas][2][columns]: of the roots of the first and of the last own row
    uint8_t *edges_above;        // [replicas][columns + 1]: as those of strips, of the row above the own ones
    uint8_t *rows;               // [replicas][three rows]
    uint32_t *messages;          // [RIMS][replicas][columns]
    struct ising_part *parts[2]; // [replicas · most]
};

// A rank has the labels and sizes of its own rows. Sites are numbered on the whole lattice.
struct ising_clusters {
    struct solver *solver;
    int64_t strips;           // of a replica
    uint32_t *labels, *sizes; // [replicas][own rows][columns] (memory_plan_add_rows); a size is at its label
    int64_t *squares;         // [replicas][strips]: Σ size²
    // [replicas][strips][columns + 1]: the open bonds from the last row to the next strip: one for each
    // column, downward; one to the right (helical boundary)
    uint8_t *edges;
    uint8_t *rows; // [replicas][strips][ROW_KINDS][row_bytes]
    size_t row_bytes;
    struct ising_borders *borders; // openmp_borders.c; NULL: of one rank
};

static inline uint64_t ising_own_sites(const struct solver *s)
{
    return (uint64_t)(ising_own_rows(s) * s->setup.physics->lattice.columns);
}

static inline uint32_t *ising_labels_of(const struct ising_clusters *c, int64_t replica)
{
    return c->labels + (uint64_t)replica * ising_own_sites(c->solver);
}

static inline uint32_t *ising_sizes_of(const struct ising_clusters *c, int64_t replica)
{
    return c->sizes + (uint64_t)replica * ising_own_sites(c->solver);
}

// strip: of all replicas.
static inline uint8_t *ising_edges_of(const struct ising_clusters *c, size_t strip)
{
    return c->edges + strip * ((size_t)c->solver->setup.physics->lattice.columns + 1);
}

// The root of a site in this rank, when strips are joined. A shared root has a label that is no site.
static inline uint32_t ising_root_of(const uint32_t *labels, uint32_t site)
{
    for (uint32_t label; (label = labels[site]) != site && !(label & ISING_SHARED);)
        site = label;
    return site;
}

static inline void ising_spread_row(const struct solver *s, int64_t replica, int64_t row, uint8_t *spins)
{
    const struct ising_words *l = &s->layout;
    s->functions->spread(&s->words[ising_word_at(l, replica, 0, row, 0)],
                         &s->words[ising_word_at(l, replica, 1, row, 0)], l->words, l->bits, spins);
}

// The open bonds of a row of the whole lattice to the right and down. Sets own[columns].
static inline void ising_open_row(const struct solver *s, int64_t replica, int64_t row, uint8_t *own,
                                  const uint8_t *below, uint8_t *open)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const struct ising_bond_row bonds = {(uint64_t)replica * ising_sites(lattice) +
                                             (uint64_t)(row * lattice->columns),
                                         lattice->columns, own, below, open};
    own[lattice->columns] = lattice->boundary == ISING_HELICAL ? below[0] : own[0];
    s->functions->open_bonds(&s->rule.key, s->sweep, s->bond_threshold, s->rule.unlike, &bonds);
}

// ---- openmp_borders.c: clusters of which several ranks have parts. One rank: nothing.

enum status ising_borders_plan(struct ising_clusters *c, struct memory_plan *plan, const char *prefix);
// After the strips of every rank are joined: finds the labels of the clusters that cross its borders.
enum status ising_borders_join(struct ising_clusters *c);
// After the roots' sizes are added up. is_measured: their sums over all ranks are wanted.
enum status ising_borders_part(struct ising_clusters *c, bool is_measured);
// What is to be added to Σ size² over the roots of this rank, for clusters that are whole.
int64_t ising_borders_squares(const struct ising_clusters *c, size_t replica);

// The label of the whole cluster of a root.
static inline uint32_t ising_cluster_of(const struct ising_clusters *c, int64_t replica, uint32_t root)
{
    const struct ising_borders *b = c->borders;
    const uint32_t label = ising_labels_of(c, replica)[root];
    return label & ISING_SHARED ? b->labels[(size_t)replica * b->most + (label & ~ISING_SHARED)] : root;
}

#endif
