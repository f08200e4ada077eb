// Clusters of which several ranks have parts. Bonds between ranks join the sites of their border rows, the
// nodes. Each rank tells all others of its nodes which of them are in one part of a cluster, that part's
// least site, and which bonds are open. From all ranks' nodes each rank finds the clusters by union-find, as
// the others do: their least sites are those that one rank would find.
#include "gpu/ising/clusters_view.cuh"
#include "gpu/launch.cuh"

namespace ising {
namespace {

constexpr unsigned THREADS = 256;
constexpr uint32_t NO_NODE = CLUSTERS_NO_NODE;
constexpr uint32_t IS_OPEN = 0x80000000u; // of a label: the bond to the row beyond is open

enum { BORDER_ABOVE, BORDER_BELOW, BORDERS };

// What a rank tells: at its nodes that bonds lead from, the first node of the part, else NO_NODE, and the
// number of the part's least site. Of each replica, whether the seam's bond downwards is open (helical
// boundary); WOLFF: of the part with the seed the first node, or NO_NODE, and the least site, or NO_SITE.
struct block {
    uint32_t *firsts, *labels;                  // [nodes]
    uint32_t *seams, *seed_nodes, *seed_labels; // [replicas]
};

DEVICE block block_of(const clusters_view &view, int64_t rank)
{
    const clusters_arrays &a = view.arrays;
    uint32_t *const from = a.blocks + rank * a.block_words;
    const int64_t replicas = view.layout.replicas;
    return {from, from + a.nodes, from + 2 * a.nodes, from + 2 * a.nodes + replicas,
            from + 2 * a.nodes + 2 * replicas};
}

struct node_place {
    int border;
    uint32_t replica, x;
};

DEVICE node_place node_place_of(const clusters_view &view, uint32_t node)
{
    const uint32_t line = node / view.columns, replicas = static_cast<uint32_t>(view.layout.replicas);
    const uint32_t border = line / replicas;
    return {static_cast<int>(border), line - border * replicas, node - line * view.columns};
}

DEVICE uint32_t node_of(const clusters_view &view, int border, uint32_t replica, uint32_t x)
{
    return (static_cast<uint32_t>(border) * static_cast<uint32_t>(view.layout.replicas) + replica) *
               view.columns +
           x;
}

DEVICE int64_t thread_number()
{
    return blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
}

// ---- what this rank tells

// Whether the bond from the last site of the row above a border to the first of the row below it is open
// (helical boundary). y: the row above, of the own rows, from 0.
DEVICE bool is_seam_open(const clusters_view &view, uint32_t replica, int64_t y, uint32_t first_of_row)
{
    const uint32_t differ = spin_of(view, replica, view.columns - 1, y) ^ spin_of(view, replica, 0, y + 1);
    return is_open(view, first_of_row + view.columns - 1, 0, differ);
}

__global__ void __launch_bounds__(THREADS) nodes_kernel(const __grid_constant__ clusters_view view)
{
    const clusters_arrays &a = view.arrays;
    const block own = block_of(view, a.rank);
    if (thread_number() >= a.nodes)
        return;
    const uint32_t node = static_cast<uint32_t>(thread_number()),
                   rows = static_cast<uint32_t>(view.layout.rows);
    const node_place p = node_place_of(view, node);
    const bool is_above = p.border == BORDER_ABOVE;
    // The row above the border.
    const int64_t y = is_above ? -1 : static_cast<int64_t>(view.own_rows) - 1;
    const uint32_t row = is_above ? (view.first_row + rows - 1) % rows : view.first_row + view.own_rows - 1;
    const uint32_t first_of_row = p.replica * view.sites + row * view.columns;
    const uint32_t differ = spin_of(view, p.replica, p.x, y) ^ spin_of(view, p.replica, p.x, y + 1);
    const bool is_down = is_open(view, first_of_row + p.x, 1, differ);
    const bool is_at_seam = view.layout.is_helical && p.x == (is_above ? 0 : view.columns - 1);
    const bool is_seam = is_at_seam && is_seam_open(view, p.replica, y, first_of_row);
    if (!is_above && p.x == view.columns - 1)
        own.seams[p.replica] = is_seam;
    if (!is_down && !is_seam) {
        a.node_places[node] = NO_SITE;
        own.labels[node] = 0;
        return;
    }
    const uint32_t place =
        final_root_of(a.parents, root_in_tile(view, p.replica, p.x, is_above ? 0 : view.own_rows - 1));
    a.node_places[node] = place;
    own.labels[node] = (place + shift_of(view, p.replica)) | (is_down ? IS_OPEN : 0);
    if (*const_cast<volatile uint32_t *>(&a.marks[place]) > node)
        atomicMin(&a.marks[place], node);
}

__global__ void __launch_bounds__(THREADS) parts_kernel(const __grid_constant__ clusters_view view)
{
    const clusters_arrays &a = view.arrays;
    const block own = block_of(view, a.rank);
    const int64_t number = thread_number();
    if (number < a.nodes) {
        const uint32_t place = a.node_places[number];
        own.firsts[number] = place == NO_SITE ? NO_NODE : a.marks[place];
    }
    if (number >= view.layout.replicas)
        return;
    const uint32_t seed = view.rule.is_wolff ? a.seeds[number] : NO_SITE;
    const uint32_t place = seed == NO_SITE ? NO_SITE : final_root_of(a.parents, seed);
    own.seed_nodes[number] = place == NO_SITE ? NO_NODE : a.marks[place];
    own.seed_labels[number] =
        place == NO_SITE ? NO_SITE : place + shift_of(view, static_cast<uint32_t>(number));
}

// ---- the clusters of all ranks' nodes

__global__ void __launch_bounds__(THREADS) begin_merge_kernel(const __grid_constant__ clusters_view view)
{
    const clusters_arrays &a = view.arrays;
    if (thread_number() >= a.ranks * a.nodes)
        return;
    const int64_t rank = thread_number() / a.nodes, node = thread_number() - rank * a.nodes;
    const uint32_t first = block_of(view, rank).firsts[node];
    a.node_parents[thread_number()] =
        static_cast<uint32_t>(first == NO_NODE ? thread_number() : rank * a.nodes + first);
    a.node_labels[thread_number()] = NO_SITE;
    a.node_sizes[thread_number()] = 0;
}

// A thread a site of each rank's last row: the bond down, and that of the seam.
__global__ void __launch_bounds__(THREADS) join_nodes_kernel(const __grid_constant__ clusters_view view)
{
    const clusters_arrays &a = view.arrays;
    const int64_t half = a.nodes / BORDERS;
    if (thread_number() >= a.ranks * half)
        return;
    const int64_t rank = thread_number() / half, next = rank + 1 < a.ranks ? rank + 1 : 0;
    const uint32_t node = static_cast<uint32_t>(half + thread_number() - rank * half);
    const node_place p = node_place_of(view, node);
    const block its = block_of(view, rank);
    const uint32_t own = static_cast<uint32_t>(rank * a.nodes) + node;
    const uint32_t below = static_cast<uint32_t>(next * a.nodes) + node_of(view, BORDER_ABOVE, p.replica, 0);
    if (its.labels[node] & IS_OPEN)
        unite(a.node_parents, own, below + p.x);
    if (p.x == view.columns - 1 && its.seams[p.replica])
        unite(a.node_parents, own, below);
}

// The least of the parts' labels.
__global__ void __launch_bounds__(THREADS) label_nodes_kernel(const __grid_constant__ clusters_view view)
{
    const clusters_arrays &a = view.arrays;
    if (thread_number() >= a.ranks * a.nodes)
        return;
    const int64_t rank = thread_number() / a.nodes, node = thread_number() - rank * a.nodes;
    const block its = block_of(view, rank);
    if (its.firsts[node] == node)
        atomicMin(&a.node_labels[final_root_of(a.node_parents, static_cast<uint32_t>(thread_number()))],
                  its.labels[node] & ~IS_OPEN);
}

// WOLFF: the label of the seed's cluster, if this rank may have a part of it at a tile's edge.
DEVICE uint32_t seed_label_of(const clusters_view &view, int64_t replica)
{
    const clusters_arrays &a = view.arrays;
    for (int64_t rank = 0; rank < a.ranks; rank++) {
        const block its = block_of(view, rank);
        const uint32_t node = its.seed_nodes[replica];
        if (its.seed_labels[replica] != NO_SITE)
            return node == NO_NODE ? its.seed_labels[replica]
                                   : a.node_labels[final_root_of(
                                         a.node_parents, static_cast<uint32_t>(rank * a.nodes) + node)];
    }
    return NO_SITE;
}

__global__ void __launch_bounds__(THREADS) end_merge_kernel(const __grid_constant__ clusters_view view)
{
    const clusters_arrays &a = view.arrays;
    const int64_t number = thread_number();
    if (number < a.nodes && block_of(view, a.rank).firsts[number] == number)
        a.border_labels[number] =
            a.node_labels[final_root_of(a.node_parents, static_cast<uint32_t>(a.rank * a.nodes + number))];
    if (view.rule.is_wolff && number < view.layout.replicas)
        a.seeds[number] = seed_label_of(view, number);
}

// ---- sizes

__global__ void __launch_bounds__(THREADS) part_sizes_kernel(const clusters_arrays a)
{
    if (thread_number() >= a.nodes)
        return;
    const uint32_t *const firsts = a.blocks + a.rank * a.block_words;
    const bool is_first = firsts[thread_number()] == thread_number();
    a.sizes_of_parts[a.rank * a.nodes + thread_number()] =
        is_first ? a.sizes[a.node_places[thread_number()]] : 0;
}

__global__ void __launch_bounds__(THREADS) add_sizes_kernel(const clusters_arrays a)
{
    if (thread_number() >= a.ranks * a.nodes)
        return;
    const uint32_t size = a.sizes_of_parts[thread_number()];
    if (size > 0)
        atomicAdd(&a.node_sizes[final_root_of(a.node_parents, static_cast<uint32_t>(thread_number()))], size);
}

// A cluster's square counts for the rank that has its least node.
__global__ void __launch_bounds__(THREADS) squares_kernel(const __grid_constant__ clusters_view view)
{
    const clusters_arrays &a = view.arrays;
    if (thread_number() >= a.nodes)
        return;
    const int64_t number = a.rank * a.nodes + thread_number();
    const unsigned long long part = a.sizes_of_parts[number], all = a.node_sizes[number];
    if (part == 0)
        return;
    const uint32_t replica = node_place_of(view, static_cast<uint32_t>(thread_number())).replica;
    atomicAdd(reinterpret_cast<unsigned long long *>(view.flipped + replica), all * all - part * part);
}

unsigned blocks_for(int64_t threads)
{
    return kernels::blocks_for(threads, THREADS);
}

int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" cudaError_t clusters_tell(const struct clusters_arrays *arrays,
                                     const struct ising_device_lattice *lattice,
                                     const struct clusters_rule *rule, uint32_t sweep, cudaStream_t stream)
{
    const clusters_view view = clusters_view_of(arrays, lattice, rule, sweep, nullptr);
    nodes_kernel<<<blocks_for(arrays->nodes), THREADS, 0, stream>>>(view);
    parts_kernel<<<blocks_for(larger(arrays->nodes, view.layout.replicas)), THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_merge(const struct clusters_arrays *arrays,
                                      const struct ising_device_lattice *lattice,
                                      const struct clusters_rule *rule, uint32_t sweep, cudaStream_t stream)
{
    const clusters_view view = clusters_view_of(arrays, lattice, rule, sweep, nullptr);
    const int64_t all = arrays->ranks * arrays->nodes;
    begin_merge_kernel<<<blocks_for(all), THREADS, 0, stream>>>(view);
    join_nodes_kernel<<<blocks_for(all / BORDERS), THREADS, 0, stream>>>(view);
    label_nodes_kernel<<<blocks_for(all), THREADS, 0, stream>>>(view);
    end_merge_kernel<<<blocks_for(larger(arrays->nodes, view.layout.replicas)), THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_tell_sizes(const struct clusters_arrays *arrays, cudaStream_t stream)
{
    part_sizes_kernel<<<blocks_for(arrays->nodes), THREADS, 0, stream>>>(*arrays);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_merge_sizes(const struct clusters_arrays *arrays,
                                            const struct ising_device_lattice *lattice, long long *flipped,
                                            cudaStream_t stream)
{
    const clusters_rule none = {};
    const clusters_view view = clusters_view_of(arrays, lattice, &none, 0, flipped);
    add_sizes_kernel<<<blocks_for(arrays->ranks * arrays->nodes), THREADS, 0, stream>>>(*arrays);
    squares_kernel<<<blocks_for(arrays->nodes), THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_borders_load(void)
{
    return kernels::load(nodes_kernel, parts_kernel, begin_merge_kernel, join_nodes_kernel,
                         label_nodes_kernel, end_merge_kernel, part_sizes_kernel, add_sizes_kernel,
                         squares_kernel);
}
