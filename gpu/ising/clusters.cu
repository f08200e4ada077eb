// Cluster updates of lattices of many tiles (models/ising/state.h, CLUSTERS), in three kernels: each tile is
// labelled by itself, and its clusters that touch no edge are decided; the others are joined across the edges
// by union-find in memory, at their least sites; then the tiles' sites are flipped. Clusters of which several
// ranks have parts are joined in between (clusters_borders.cu).
#include "gpu/ising/clusters_view.cuh"
#include "gpu/launch.cuh"

namespace ising {
namespace {

constexpr unsigned SLOTS = CLUSTERS_SLOTS, SIDE = CLUSTERS_TILE;
static_assert(TILE == SIDE && SLOTS == TILE_THREADS, "a thread a slot; 252 sites at the edge");
constexpr unsigned NO_SLOT = CLUSTERS_SLOTS - 1;
// Of a tile's entry: the cluster touches the edge; then its low bits become the slot, otherwise whether it
// flips.
constexpr unsigned AT_EDGE = 0x8000u;

// ---- tiles

struct tile_place {
    int64_t replica, row_word; // the first of its words of rows
    tile_extent extent;
};

DEVICE tile_place tile_place_of(const clusters_view &view, int64_t number)
{
    const clusters_arrays &a = view.arrays;
    const uint32_t line = static_cast<uint32_t>(number) / static_cast<uint32_t>(a.tiles_across);
    const uint32_t replica = line / static_cast<uint32_t>(a.tiles_down);
    const uint32_t across = static_cast<uint32_t>(number) - line * static_cast<uint32_t>(a.tiles_across);
    const uint32_t x = across * TILE, y = (line - replica * static_cast<uint32_t>(a.tiles_down)) * TILE;
    const uint32_t rows = view.own_rows;
    tile_place place;
    place.replica = replica;
    place.row_word = (replica * view.layout.held + view.first_row + y) * a.row_words + across;
    place.extent.width = view.columns - x < TILE ? view.columns - x : TILE;
    place.extent.height = rows - y < TILE ? rows - y : TILE;
    place.extent.first_site = replica * view.own_sites + y * view.columns + x;
    place.extent.columns = view.columns;
    place.extent.shift = shift_of(view, replica);
    return place;
}

// WOLFF: the label of the seed's cluster; TILE_SITES if the seed is outside the tile.
DEVICE unsigned seed_label(const clusters_view &view, const tile &t, const tile_place &place)
{
    const uint32_t random = ising_random_word(view.rule.key, static_cast<uint64_t>(place.replica), view.sweep,
                                              ising_purpose(ISING_USE_SEED, 0, 0));
    const uint32_t in_replica = static_cast<uint32_t>(ising_random_below(random, view.sites)) -
                                view.first_row * view.columns,
                   seed = static_cast<uint32_t>(place.replica) * view.own_sites + in_replica;
    if (in_replica >= view.own_sites || seed < place.extent.first_site)
        return TILE_SITES;
    const uint32_t from = seed - place.extent.first_site, y = from / view.columns,
                   x = from - y * view.columns;
    return x < place.extent.width && y < place.extent.height ? label_of(t, y * TILE + x) : TILE_SITES;
}

// Gives a cluster at the edge a slot; returns its entry.
DEVICE unsigned take_slot(const clusters_view &view, int64_t number, unsigned *slots, uint32_t site,
                          unsigned length)
{
    const unsigned slot = atomicAdd(slots, 1u);
    view.arrays.roots[number * CLUSTERS_SLOTS + slot] = site;
    view.arrays.lengths[number * CLUSTERS_SLOTS + slot] = static_cast<uint16_t>(length);
    view.arrays.parents[site] = site;
    view.arrays.sizes[site] = 0;
    if (view.arrays.marks)
        view.arrays.marks[site] = CLUSTERS_NO_NODE;
    return AT_EDGE | slot;
}

// Decides each cluster of the tile, or gives it a slot; returns this thread's part of the sum.
DEVICE unsigned long long settle(const clusters_view &view, tile &t, const tile_place &place, int64_t number,
                                 unsigned *slots)
{
    const uint32_t purpose = ising_purpose(ISING_USE_FLIPS, 0, 0);
    const unsigned seed = view.rule.is_wolff ? seed_label(view, t, place) : TILE_SITES;
    unsigned long long sum = 0;
    for (unsigned k = threadIdx.x; k < t.roots_count; k += TILE_THREADS) {
        const unsigned label = t.roots[k], entry = entry_of(t, label), length = entry & (AT_EDGE - 1);
        const uint32_t site = site_of(place.extent, label);
        const bool is_at_edge = entry & AT_EDGE;
        if (label == seed)
            view.arrays.seeds[place.replica] = is_at_edge ? site : NO_SITE;
        if (is_at_edge) {
            entry_of(t, label) = static_cast<uint16_t>(take_slot(view, number, slots, site, length));
            continue;
        }
        const bool flips =
            view.rule.is_wolff
                ? label == seed
                : ising_random_word(view.rule.key, site + place.extent.shift, view.sweep, purpose) & 1;
        if (view.rule.is_wolff)
            sum += flips ? length : 0;
        else
            sum += static_cast<unsigned long long>(length) * length;
        entry_of(t, label) = flips;
    }
    return sum;
}

__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    label_kernel(const __grid_constant__ clusters_view view)
{
    __shared__ tile t;
    __shared__ unsigned slots;
    __shared__ unsigned long long sum;
    const int64_t number = blockIdx.x;
    const tile_place place = tile_place_of(view, number);
    const tile_extent &extent = place.extent;
    if (threadIdx.x < extent.height)
        t.rows[threadIdx.x] = view.arrays.rows[place.row_word + threadIdx.x * view.arrays.row_words];
    if (threadIdx.x == 0) {
        slots = 0;
        sum = 0;
    }
    __syncthreads();
    begin_labels(t, extent, {view.rule.key, view.rule.threshold, view.rule.unlike}, view.sweep);
    join_runs(t, extent);
    __syncthreads();
    count_sites(t, extent, [&](unsigned x, unsigned length, unsigned y) {
        return x == 0 || x + length == extent.width || y == 0 || y == extent.height - 1 ? AT_EDGE : 0u;
    });
    const unsigned long long own = settle(view, t, place, number, &slots);
    __syncthreads();
    for (unsigned y = threadIdx.x / 32; y < extent.height; y += TILE_WARPS) {
        bool flips[2];
        for (int half = 0; half < 2; half++) {
            const unsigned x = 32 * half + threadIdx.x % 32;
            const unsigned entry = x < extent.width ? entry_of(t, label_of(t, y * TILE + x)) : 0;
            flips[half] = entry == 1;
            if (x < extent.width)
                view.arrays.slots[extent.first_site + y * extent.columns + x] =
                    static_cast<uint8_t>(entry & AT_EDGE ? entry & NO_SLOT : NO_SLOT);
        }
        const uint64_t flipped = whole_warp(flips[0], flips[1]);
        if (threadIdx.x % 32 == 0 && flipped)
            view.arrays.rows[place.row_word + y * view.arrays.row_words] = t.rows[y] ^ flipped;
    }
    if (threadIdx.x == 0)
        view.arrays.counts[number] = slots;
    if (view.flipped)
        add_to_total(own, &sum, view.flipped + place.replica);
}

// ---- edges: a thread a bond that leaves its tile

struct bond {
    uint32_t x, y, other_x, other_y, direction; // y of the own rows, from 0; direction 0: right, 1: down
    bool is_beyond;                             // leads to another rank (clusters_borders.cu)
    int64_t replica;
};

// First the bonds to the right from each column of tiles, then those down from each row of tiles.
DEVICE bond bond_of(const clusters_view &view, int64_t number)
{
    const clusters_arrays &a = view.arrays;
    const uint32_t rows = view.own_rows, columns = view.columns;
    const int64_t to_right = view.layout.replicas * a.tiles_across * rows;
    bond b;
    b.direction = number >= to_right;
    const uint32_t own = static_cast<uint32_t>(b.direction ? number - to_right : number);
    const uint32_t length = b.direction ? columns : rows, edge = own / length, place = own - edge * length;
    const uint32_t edges = static_cast<uint32_t>(b.direction ? a.tiles_down : a.tiles_across);
    const uint32_t end = b.direction ? rows : columns, replica = edge / edges;
    const uint32_t beyond = (edge - replica * edges + 1) * TILE, last = (beyond < end ? beyond : end) - 1;
    b.replica = replica;
    b.x = b.direction ? place : last;
    b.y = b.direction ? last : place;
    const uint32_t below = b.y + 1 < rows ? b.y + 1 : 0;
    const bool is_seam = !b.direction && b.x + 1 == columns;
    b.other_x = b.direction ? b.x : is_seam ? 0 : b.x + 1;
    const bool is_down = b.direction || (is_seam && view.layout.is_helical);
    b.other_y = is_down ? below : b.y;
    b.is_beyond = is_down && below == 0 && view.arrays.marks;
    return b;
}

__global__ void __launch_bounds__(TILE_THREADS)
    join_kernel(const __grid_constant__ clusters_view view, int64_t bonds)
{
    const int64_t number = blockIdx.x * static_cast<int64_t>(TILE_THREADS) + threadIdx.x;
    uint32_t own = 0, other = 0;
    if (number < bonds) {
        const bond b = bond_of(view, number);
        const uint32_t replica = static_cast<uint32_t>(b.replica),
                       site = replica * view.own_sites + b.y * view.columns + b.x + shift_of(view, replica);
        const uint32_t differ =
            spin_of(view, b.replica, b.x, b.y) ^ spin_of(view, b.replica, b.other_x, b.other_y);
        if (!b.is_beyond && is_open(view, site, b.direction, differ)) {
            own = root_in_tile(view, b.replica, b.x, b.y);
            other = root_in_tile(view, b.replica, b.other_x, b.other_y);
        }
    }
    // Adjacent bonds often join the same clusters.
    const uint32_t own_before = __shfl_up_sync(ALL_LANES, own, 1);
    const uint32_t other_before = __shfl_up_sync(ALL_LANES, other, 1);
    const bool is_repeated = threadIdx.x % 32 != 0 && own == own_before && other == other_before;
    if (own != other && !is_repeated)
        unite(view.arrays.parents, own, other);
}

// ---- flips

// Adds to a cluster's size; returns the growth of Σ size²: (a + b)² − a² when b is added. All lanes call it;
// `root` is NO_SITE in those without a cluster. Lanes of one cluster add together: most tiles have parts of
// the largest cluster.
DEVICE unsigned long long add_size(uint32_t *sizes, uint32_t root, unsigned length)
{
    const unsigned same = __match_any_sync(ALL_LANES, root);
    const unsigned together = __reduce_add_sync(same, length);
    if (root == NO_SITE || static_cast<unsigned>(__ffs(static_cast<int>(same))) != threadIdx.x % 32 + 1)
        return 0;
    const unsigned long long before = atomicAdd(&sizes[root], together);
    return (2 * before + together) * together;
}

// The number of the least site of the whole cluster, of which this rank's part has its least site at `root`.
DEVICE uint32_t label_of_part(const clusters_view &view, int64_t replica, uint32_t root)
{
    const clusters_arrays &a = view.arrays;
    const uint32_t node = a.marks && root != NO_SITE ? a.marks[root] : CLUSTERS_NO_NODE;
    return node == CLUSTERS_NO_NODE ? root + shift_of(view, static_cast<uint32_t>(replica))
                                    : a.border_labels[node];
}

// Whether the cluster of the thread's slot flips, and the thread's part of the sum.
DEVICE bool slot_flips(const clusters_view &view, int64_t replica, int64_t number, unsigned long long *sum)
{
    const clusters_arrays &a = view.arrays;
    const int64_t slot = number * CLUSTERS_SLOTS + threadIdx.x;
    const bool is_taken = threadIdx.x < a.counts[number];
    const uint32_t root = is_taken ? final_root_of(a.parents, a.roots[slot]) : NO_SITE;
    const unsigned length = is_taken ? a.lengths[slot] : 0;
    if (view.rule.is_wolff) {
        const uint32_t seed = a.seeds[replica];
        const bool flips =
            is_taken && seed != NO_SITE &&
            (a.marks ? label_of_part(view, replica, root) == seed : root == final_root_of(a.parents, seed));
        *sum = flips ? length : 0;
        return flips;
    }
    if (view.flipped)
        *sum = add_size(a.sizes, root, length);
    return is_taken && (ising_random_word(view.rule.key, label_of_part(view, replica, root), view.sweep,
                                          ising_purpose(ISING_USE_FLIPS, 0, 0)) &
                        1);
}

__global__ void __launch_bounds__(TILE_THREADS) flip_kernel(const __grid_constant__ clusters_view view)
{
    __shared__ bool flips[CLUSTERS_SLOTS];
    __shared__ unsigned long long sum;
    const int64_t number = blockIdx.x;
    const tile_place place = tile_place_of(view, number);
    const tile_extent &extent = place.extent;
    unsigned long long own = 0;
    flips[threadIdx.x] = slot_flips(view, place.replica, number, &own);
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (unsigned y = threadIdx.x / 32; y < extent.height; y += TILE_WARPS) {
        const unsigned x = threadIdx.x % 32;
        const uint8_t *const slots = view.arrays.slots + extent.first_site + y * extent.columns;
        const uint64_t flipped =
            whole_warp(x < extent.width && flips[slots[x]], x + 32 < extent.width && flips[slots[x + 32]]);
        if (x == 0 && flipped)
            view.arrays.rows[place.row_word + y * view.arrays.row_words] ^= flipped;
    }
    if (view.flipped)
        add_to_total(own, &sum, view.flipped + place.replica);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" cudaError_t clusters_label(const struct clusters_arrays *arrays,
                                      const struct ising_device_lattice *lattice,
                                      const struct clusters_rule *rule, uint32_t sweep, long long *flipped,
                                      cudaStream_t stream)
{
    const clusters_view view = clusters_view_of(arrays, lattice, rule, sweep, flipped);
    const int64_t bonds =
        view.layout.replicas * (arrays->tiles_across * view.own_rows + arrays->tiles_down * view.columns);
    label_kernel<<<static_cast<unsigned>(arrays->tiles), TILE_THREADS, 0, stream>>>(view);
    join_kernel<<<kernels::blocks_for(bonds, TILE_THREADS), TILE_THREADS, 0, stream>>>(view, bonds);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_flip(const struct clusters_arrays *arrays,
                                     const struct ising_device_lattice *lattice,
                                     const struct clusters_rule *rule, uint32_t sweep, long long *flipped,
                                     cudaStream_t stream)
{
    const clusters_view view = clusters_view_of(arrays, lattice, rule, sweep, flipped);
    flip_kernel<<<static_cast<unsigned>(arrays->tiles), TILE_THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_load(void)
{
    const cudaError_t error = clusters_rows_load();
    return error == cudaSuccess ? kernels::load(label_kernel, join_kernel, flip_kernel) : error;
}
