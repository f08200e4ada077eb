// Cluster updates of lattices of many tiles (models/ising/state.h, CLUSTERS), in three steps: tiles are labelled by themselves, and clusters that touch no
// edge are done with; those that do are joined across the edges by union-find in memory, at their least sites; then tiles turn their sites.
#include "gpu/ising_clusters_kernels.h"
#include "gpu/ising_labels.cuh"
#include "gpu/load.cuh"

namespace ising {
namespace {

static_assert(TILE == CLUSTERS_TILE && CLUSTERS_SLOTS == TILE_THREADS, "a slot a thread; 252 sites at the edge");
constexpr unsigned NO_SLOT = CLUSTERS_SLOTS - 1;
constexpr uint32_t NO_SEED = 0xffffffffu;
// Of a tile's entry: at the edge (then with the slot in the low bits; before that, the number of sites).
constexpr unsigned AT_EDGE = 0x8000u;
enum { LINES_PER_WARP = 16 };

struct clusters_view {
    ising_words layout;
    uint32_t columns, sites; // of one replica
    clusters_arrays arrays;
    clusters_rule rule;
    uint32_t sweep;
    long long *turned;
};

// ---- spins in their order

// Where site x of a row is: its word within the row's plane, and its bit.
struct spin_place {
    unsigned plane, word, bit;
};

__device__ __forceinline__ spin_place spin_place_of(const ising_words &l, unsigned x)
{
    const unsigned words = static_cast<unsigned>(l.words), k = x / 2;
    return {x % 2, k % words, k / words};
}

// Row `line` of all replicas' in plane 0; plane 1 is rows · words further on.
__device__ __forceinline__ int64_t line_start(const ising_words &l, unsigned line)
{
    const unsigned rows = static_cast<unsigned>(l.rows), replica = line / rows;
    return ising_word_at(&l, replica, 0, line - replica * rows, 0);
}

__global__ void __launch_bounds__(TILE_THREADS) spread_kernel(const __grid_constant__ clusters_view view)
{
    const ising_words &l = view.layout;
    const unsigned lane = threadIdx.x % 32, lines = static_cast<unsigned>(l.replicas * l.rows);
    const int64_t warp = (blockIdx.x * static_cast<int64_t>(TILE_THREADS) + threadIdx.x) / 32;
    const int64_t row_words = view.arrays.row_words, group = warp / row_words, word = warp - group * row_words;
    const int64_t first = group * LINES_PER_WARP, plane = l.rows * l.words;
    const unsigned x[2] = {static_cast<unsigned>(word) * 64 + lane, static_cast<unsigned>(word) * 64 + 32 + lane};
    const spin_place place[2] = {spin_place_of(l, x[0]), spin_place_of(l, x[1])};
    const bool is_there[2] = {x[0] < view.columns, x[1] < view.columns};
    for (int64_t line = first; line < first + LINES_PER_WARP && line < lines; line++) {
        const uint32_t *const words = view.words_of_line(line);
        (void)words;
    }
    (void)plane;
    (void)place;
    (void)is_there;
}
} // namespace
} // namespace ising
