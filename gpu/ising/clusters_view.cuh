// What the kernels of cluster updates of many tiles work on, and where a site is. A rank numbers the sites of
// its own rows from 0, replica after replica: their places in memory; rules and labels of other ranks know
// sites by their numbers in all replicas' whole lattices. Of one rank both are the same. Private to
// gpu/ising/clusters*.cu.
#ifndef FATHOM_GPU_ISING_CLUSTERS_VIEW_CUH
#define FATHOM_GPU_ISING_CLUSTERS_VIEW_CUH

#include "gpu/ising/clusters_kernels.h"
#include "gpu/ising/labels.cuh"

namespace ising {
namespace {

constexpr uint32_t NO_SITE = 0xffffffffu;

struct clusters_view {
    ising_words layout;
    uint32_t columns, sites;                 // of one replica
    uint32_t first_row, own_rows, own_sites; // own_sites: of one replica
    clusters_arrays arrays;                  // its rows: where row 0 is, or would be
    clusters_rule rule;
    uint32_t sweep;
    long long *flipped;
};

inline clusters_view clusters_view_of(const clusters_arrays *arrays, const ising_device_lattice *lattice,
                                      const clusters_rule *rule, uint32_t sweep, long long *flipped)
{
    clusters_view view = {};
    view.layout = lattice->layout;
    view.columns = static_cast<uint32_t>(2 * lattice->layout.words * lattice->layout.bits);
    view.sites = view.columns * static_cast<uint32_t>(lattice->layout.rows);
    view.first_row = static_cast<uint32_t>(lattice->first);
    view.own_rows = static_cast<uint32_t>(lattice->end - lattice->first);
    view.own_sites = view.columns * view.own_rows;
    view.arrays = *arrays;
    view.arrays.rows -= lattice->first_held * arrays->row_words;
    view.rule = *rule;
    view.sweep = sweep;
    view.flipped = flipped;
    return view;
}

// From a place in a replica to the site's number.
DEVICE uint32_t shift_of(const clusters_view &view, uint32_t replica)
{
    return replica * (view.sites - view.own_sites) + view.first_row * view.columns;
}

// y: of the own rows, from 0; −1 and own_rows are the rows beside them, of several ranks.
DEVICE uint32_t spin_of(const clusters_view &view, int64_t replica, uint32_t x, int64_t y)
{
    const int64_t line = replica * view.layout.held + view.first_row + y;
    return view.arrays.rows[line * view.arrays.row_words + x / TILE] >> (x % TILE) & 1;
}

// The least place, in its tile, of the cluster of a site at the edge.
DEVICE uint32_t root_in_tile(const clusters_view &view, int64_t replica, uint32_t x, uint32_t y)
{
    const clusters_arrays &a = view.arrays;
    const int64_t number = (replica * a.tiles_down + y / TILE) * a.tiles_across + x / TILE;
    const uint32_t place = static_cast<uint32_t>(replica) * view.own_sites + y * view.columns + x;
    return a.roots[number * CLUSTERS_SLOTS + a.slots[place]];
}

// Whether a bond is open whose ends differ or not. site: its left or upper end; direction: 0 right, 1 down.
DEVICE bool is_open(const clusters_view &view, uint32_t site, uint32_t direction, uint32_t differ)
{
    const uint64_t word = 2 * static_cast<uint64_t>(site) + direction;
    return differ == (view.rule.unlike & 1) &&
           ising_random_word(view.rule.key, word, view.sweep, ising_purpose(ISING_USE_BONDS, 0, 0)) <
               view.rule.threshold;
}

} // namespace
} // namespace ising

#endif
