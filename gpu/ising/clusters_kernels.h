// The kernels of cluster updates. Private to gpu/ising/clusters*.
#ifndef FATHOM_GPU_ISING_CLUSTERS_KERNELS_H
#define FATHOM_GPU_ISING_CLUSTERS_KERNELS_H

#include "gpu/extern_c.h"
#include "gpu/ising/kernels.h"

#include <stdbool.h>

EXTERN_C_BEGIN

enum { CLUSTERS_TILE = 64, CLUSTERS_SLOTS = 256 }; // at most 252 clusters of a tile touch its edge
#define CLUSTERS_NO_NODE 0xffffffffu

// The rule at a temperature.
struct clusters_rule {
    struct philox_key key;
    uint64_t threshold; // T(1 − e^{−2β|J|})
    uint32_t unlike;    // all bits with J < 0
    bool is_wolff;
};

// Of lattices divided into tiles. Sites are numbered through all replicas, < 2³¹; of several ranks each has
// its own rows, and their sites have places in memory. Each cluster of a tile that touches the tile's edge
// has a slot.
struct clusters_arrays {
    int64_t row_words, tiles_across, tiles_down, tiles; // tiles: of all replicas
    uint64_t *rows;    // [replicas][held rows][row_words]: the spins in their order, 64 sites a word
    uint32_t *parents; // [sites]: of the least site of a cluster in its tile: a lesser site of the cluster
    uint32_t *sizes;   // [sites]: of clusters, at their least sites
    uint8_t *slots;    // [sites]: slot of the site's cluster in its tile; CLUSTERS_SLOTS − 1: it has none
    uint32_t *roots;   // [tiles][CLUSTERS_SLOTS]: least sites
    uint16_t *lengths; // [tiles][CLUSTERS_SLOTS]: numbers of sites
    uint32_t *counts;  // [tiles]: numbers of slots
    uint32_t *seeds;   // [replicas]: WOLFF: least site, in its tile, of the seed's cluster if that has a slot

    // ---- of several ranks (clusters_borders.cu). Nodes are the sites of the first and of the last own row:
    // [2][replicas][columns]. A part is what a rank has of a cluster. NULL: one rank.
    int rank, ranks;
    int64_t nodes, block_words; // of a rank
    uint32_t *marks;          // [sites]: at the least site of a part: its first node from which a bond leads
                              // to another rank
    uint32_t *node_places;    // [nodes]: the least sites of the nodes' parts
    uint32_t *border_labels;  // [nodes]: at the first node of a part: number of the cluster's least site
    uint32_t *blocks;         // [ranks][block_words]: what each rank tells all others
    uint32_t *sizes_of_parts; // [ranks][nodes]: likewise, at the first node of a part
    // [ranks · nodes]: of the nodes of all ranks: a lesser one in the same cluster; at the least one the
    // cluster's label and size
    uint32_t *node_parents, *node_labels, *node_sizes;
};

// clusters_rows.cu: the spins' words into rows, and back.
cudaError_t clusters_spread(const struct clusters_arrays *arrays, const struct ising_device_lattice *lattice,
                            cudaStream_t stream);
cudaError_t clusters_gather(const struct clusters_arrays *arrays, const struct ising_device_lattice *lattice,
                            cudaStream_t stream);
cudaError_t clusters_rows_load(void);

// An update of the rows: labels, then flips. `flipped` NULL: not wanted.
cudaError_t clusters_label(const struct clusters_arrays *arrays, const struct ising_device_lattice *lattice,
                           const struct clusters_rule *rule, uint32_t sweep, long long *flipped,
                           cudaStream_t stream);
cudaError_t clusters_flip(const struct clusters_arrays *arrays, const struct ising_device_lattice *lattice,
                          const struct clusters_rule *rule, uint32_t sweep, long long *flipped,
                          cudaStream_t stream);
cudaError_t clusters_load(void); // of the rows, too

// clusters_borders.cu: of several ranks. Between labels and flips: `tell` fills this rank's block; when all
// ranks' blocks are here, `merge` finds the labels of the clusters that cross borders.
cudaError_t clusters_tell(const struct clusters_arrays *arrays, const struct ising_device_lattice *lattice,
                          const struct clusters_rule *rule, uint32_t sweep, cudaStream_t stream);
cudaError_t clusters_merge(const struct clusters_arrays *arrays, const struct ising_device_lattice *lattice,
                           const struct clusters_rule *rule, uint32_t sweep, cudaStream_t stream);
// After the flips, of SWENDSEN_WANG: likewise with the sizes of parts. To `flipped`, which has the squares of
// this rank's parts, is added what makes the sum over all ranks that of whole clusters.
cudaError_t clusters_tell_sizes(const struct clusters_arrays *arrays, cudaStream_t stream);
cudaError_t clusters_merge_sizes(const struct clusters_arrays *arrays,
                                 const struct ising_device_lattice *lattice, long long *flipped,
                                 cudaStream_t stream);
cudaError_t clusters_borders_load(void);

// clusters_small.cu: of lattices that are one tile.
bool clusters_small_fits(const struct ising_words *layout);
cudaError_t clusters_small_run(const struct ising_device_lattice *lattice, const struct clusters_rule *rule,
                               uint32_t first_sweep, int64_t sweeps, int64_t every, long long *measures,
                               long long *flipped, cudaStream_t stream);
cudaError_t clusters_small_load(void);

EXTERN_C_END

#endif
