// Clusters within a tile of up to 64 x 64 sites (models/ising/state.h, CLUSTERS): a block labels it in shared
// memory. The bits of a row's bonds give its runs of connected sites; runs are joined downwards by
// union-find. Labels always lead to lesser ones, so a cluster's label is its least site. After the labelling
// of images by Playne and Hawick (2018, doi:10.1109/TPDS.2018.2799216) and by Hennequin, Lacassagne, Cabaret
// and Meunier (2018, doi:10.1109/DASIP.2018.8596835).
#ifndef FATHOM_GPU_ISING_LABELS_CUH
#define FATHOM_GPU_ISING_LABELS_CUH

#include "gpu/inline.cuh"
#include "models/ising/random.h"

namespace ising {
namespace {

constexpr unsigned TILE = 64, TILE_SITES = TILE * TILE, TILE_THREADS = 256, TILE_WARPS = TILE_THREADS / 32;
// Resident on a multiprocessor: as many as fit into 228 KiB of shared memory; registers must not allow fewer.
constexpr unsigned TILE_BLOCKS = 6;
constexpr unsigned ALL_LANES = 0xffffffffu;

struct bond_rule {
    philox_key key;
    uint64_t threshold; // T(1 − e^{−2β|J|})
    uint32_t unlike;    // all bits with J < 0
};

struct tile_extent {
    unsigned width, height;       // ≤ TILE
    uint32_t first_site, columns; // place of its first site; from a row to the next
    uint32_t shift;               // from a place to the number of the site among all replicas'
};

// A cluster's entry, at its label: the number of sites; later the caller's.
struct tile {
    uint64_t rows[TILE];              // spins
    uint64_t right[TILE], down[TILE]; // bit x: whether the bond from (x, y) is open
    uint32_t labels[TILE_SITES];      // of a run's first site; other sites lead to it
    uint32_t entries[TILE_SITES / 2]; // 16 bits each
    uint16_t roots[TILE_SITES];
    unsigned roots_count;
    uint8_t joins[TILE_WARPS][TILE]; // of each warp's row: sites whose bonds join runs
};

DEVICE uint64_t bits_below(unsigned count)
{
    return count >= 64 ? ~static_cast<uint64_t>(0) : (static_cast<uint64_t>(1) << count) - 1;
}

DEVICE uint64_t whole_warp(bool low, bool high)
{
    return __ballot_sync(ALL_LANES, low) | static_cast<uint64_t>(__ballot_sync(ALL_LANES, high)) << 32;
}

DEVICE uint16_t &entry_of(tile &t, unsigned label)
{
    return reinterpret_cast<uint16_t *>(t.entries)[label];
}

DEVICE uint32_t site_of(const tile_extent &extent, unsigned label)
{
    return extent.first_site + label / TILE * extent.columns + label % TILE;
}

struct drawn_bonds {
    uint64_t right, down;
};

// The drawn bonds of 64 sites from `first_site`, an even number, on; by a warp, a lane a quad of words.
DEVICE drawn_bonds draw_bonds(const bond_rule &rule, uint32_t first_site, uint32_t sweep)
{
    const unsigned lane = threadIdx.x % 32;
    const philox_counter words =
        ising_random_quad(rule.key, first_site / 2 + lane, sweep, ising_purpose(ISING_USE_BONDS, 0, 0));
    unsigned drawn = 0; // of two sites: right, down, right, down
    for (int k = 0; k < 4; k++)
        drawn |= static_cast<unsigned>(words.v[k] < rule.threshold) << k;
    const unsigned of_site = 2 * (lane % 2);
    const unsigned low = __shfl_sync(ALL_LANES, drawn, static_cast<int>(lane / 2)) >> of_site;
    const unsigned high = __shfl_sync(ALL_LANES, drawn, static_cast<int>(16 + lane / 2)) >> of_site;
    return {whole_warp(low & 1, high & 1), whole_warp(low & 2, high & 2)};
}

// A lane has sites lane and 32 + lane of a row: half 0 and 1.
DEVICE bool bit_of_half(uint64_t row, unsigned half)
{
    return static_cast<uint32_t>(row >> (32 * half)) >> (threadIdx.x % 32) & 1;
}

// The first site of the run of the lane's site. Does not depend on the site's own bit.
DEVICE unsigned run_start(uint64_t right, unsigned half)
{
    const uint32_t before = (1u << (threadIdx.x % 32)) - 1, closed_low = ~static_cast<uint32_t>(right);
    if (half == 0)
        return 32 - static_cast<unsigned>(__clz(static_cast<int>(closed_low & before)));
    const uint32_t closed = ~static_cast<uint32_t>(right >> 32) & before;
    return closed ? 64 - static_cast<unsigned>(__clz(static_cast<int>(closed)))
                  : 32 - static_cast<unsigned>(__clz(static_cast<int>(closed_low)));
}

// The number of sites, before `width`, of the run that begins with x.
DEVICE unsigned run_length(uint64_t right, unsigned x, unsigned width)
{
    const unsigned closed = static_cast<unsigned>(__ffsll(static_cast<long long>(~(right >> x))));
    return closed == 0 || closed > width - x ? width - x : closed;
}

// The root of a label when no more labels are joined.
DEVICE uint32_t final_root_of(const volatile uint32_t *labels, uint32_t site)
{
    for (uint32_t next = labels[site]; next != site; next = labels[site])
        site = next;
    return site;
}

// Labels are read and written without a lock while others lower them, so that racecheck reports each of these
// accesses; all are volatile or atomic, of one word.
//
// The root while other threads may join labels. Each label on the path is set to the next but one, to shorten
// the path. Other threads may do the same at once, or lower a label of the path: a thread that lowers a label
// continues to join the label that was there before (unite).
DEVICE uint32_t root_of(volatile uint32_t *labels, uint32_t site)
{
    uint32_t next = labels[site];
    while (next != site) {
        const uint32_t after = labels[next];
        if (after != next)
            labels[site] = after;
        site = next;
        next = after;
    }
    return site;
}

// May be called by many threads at once: a label that another thread lowered meanwhile is joined too.
DEVICE void unite(uint32_t *labels, uint32_t a, uint32_t b)
{
    for (;;) {
        a = root_of(labels, a);
        b = root_of(labels, b);
        if (a == b)
            return;
        const uint32_t high = a > b ? a : b, low = a > b ? b : a;
        const uint32_t before = atomicMin(&labels[high], low);
        if (before == high)
            return;
        a = before;
        b = low;
    }
}

// Rows of a warp: a strip of the tile.
struct strip {
    unsigned first, end;
};
DEVICE strip strip_of_warp(const tile_extent &extent)
{
    const unsigned rows = (extent.height + TILE_WARPS - 1) / TILE_WARPS, first = threadIdx.x / 32 * rows;
    return {first, first + rows < extent.height ? first + rows : extent.height};
}

// Bonds of the tile, whose rows of spins are set, and labels of runs. Bonds that leave the tile (the last
// column's to the right, the last row's down) are those drawn. All threads; ends with a barrier.
DEVICE void begin_labels(tile &t, const tile_extent &extent, const bond_rule &rule, uint32_t sweep)
{
    const unsigned lane = threadIdx.x % 32;
    const uint64_t differ = rule.unlike ? ~static_cast<uint64_t>(0) : 0;
    const uint64_t last = static_cast<uint64_t>(1) << (extent.width - 1);
    const strip strip_rows = strip_of_warp(extent);
    for (unsigned y = strip_rows.first; y < strip_rows.end; y++) {
        const drawn_bonds drawn =
            draw_bonds(rule, extent.first_site + extent.shift + y * extent.columns, sweep);
        const uint64_t own = t.rows[y], below = y + 1 < extent.height ? t.rows[y + 1] : own ^ differ;
        const uint64_t right = drawn.right & (~(own ^ own >> 1 ^ differ) | last) & bits_below(extent.width);
        if (lane == 0) {
            t.right[y] = right;
            t.down[y] = drawn.down & ~(own ^ below ^ differ) & bits_below(extent.width);
        }
#pragma unroll
        for (unsigned half = 0; half < 2; half++)
            t.labels[y * TILE + 32 * half + lane] = y * TILE + run_start(right, half);
    }
    for (unsigned k = threadIdx.x; k < extent.height * TILE / 2; k += TILE_THREADS)
        t.entries[k] = 0;
    if (threadIdx.x == 0)
        t.roots_count = 0;
    __syncthreads();
}

// The first site of the run of site x.
DEVICE unsigned run_start_at(uint64_t right, unsigned x)
{
    const uint64_t closed = ~right & ((static_cast<uint64_t>(1) << x) - 1);
    return 64 - static_cast<unsigned>(__clzll(static_cast<long long>(closed)));
}

// Joins the runs of a row to those of the row below. By a warp, whose lanes divide the bonds that do so, less
// than half of a row's.
DEVICE void join_down(tile &t, unsigned y)
{
    const uint64_t right = t.right[y], right_below = t.right[y + 1], down = t.down[y];
    // Of bonds that join the same runs, only the first is used.
    const uint64_t joins = down & ~((down & right & right_below) << 1);
    const unsigned count = static_cast<unsigned>(__popcll(static_cast<long long>(joins)));
    uint8_t *const places = t.joins[threadIdx.x / 32];
#pragma unroll
    for (unsigned half = 0; half < 2; half++) {
        const unsigned x = 32 * half + threadIdx.x % 32;
        const uint64_t before = joins & ((static_cast<uint64_t>(1) << x) - 1);
        if (bit_of_half(joins, half))
            places[__popcll(static_cast<long long>(before))] = static_cast<uint8_t>(x);
    }
    __syncwarp();
#pragma unroll 1
    for (unsigned k = threadIdx.x % 32; k < count; k += 32)
        unite(t.labels, y * TILE + run_start_at(right, places[k]),
              (y + 1) * TILE + run_start_at(right_below, places[k]));
    __syncwarp();
}

// Joins the runs within the tile: row by row in each strip, which keeps paths short; then the strips. All
// threads; no barrier at the end.
DEVICE void join_runs(tile &t, const tile_extent &extent)
{
    const strip strip_rows = strip_of_warp(extent);
    for (unsigned y = strip_rows.first; y + 1 < strip_rows.end; y++)
        join_down(t, y);
    __syncthreads();
    if (strip_rows.first < strip_rows.end && strip_rows.end < extent.height)
        join_down(t, strip_rows.end - 1);
}

// Gives each run its cluster's label, counts the sites of the clusters, and lists the clusters. `mark(x,
// length, y)`: bits to set in the entry of a run's cluster. All threads; ends with a barrier.
template <typename Mark> DEVICE void count_sites(tile &t, const tile_extent &extent, const Mark &mark)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned y = threadIdx.x / 32; y < extent.height; y += TILE_WARPS) {
        const uint64_t right = t.right[y], starts = ~(right << 1) & bits_below(extent.width);
#pragma unroll
        for (unsigned half = 0; half < 2; half++) {
            const unsigned x = 32 * half + lane, site = y * TILE + x;
            unsigned root = TILE_SITES;
            if (bit_of_half(starts, half)) {
                root = final_root_of(t.labels, site);
                static_cast<volatile uint32_t *>(t.labels)[site] = root; // others may be on their way over it
                const unsigned length = run_length(right, x, extent.width), shift = 16 * (root % 2);
                const unsigned marks = mark(x, length, y);
                atomicAdd(&t.entries[root / 2], length << shift);
                if (marks)
                    atomicOr(&t.entries[root / 2], marks << shift);
            }
            const unsigned roots = __ballot_sync(ALL_LANES, root == site);
            unsigned place = 0;
            if (lane == 0 && roots)
                place = atomicAdd(&t.roots_count, static_cast<unsigned>(__popc(roots)));
            place = __shfl_sync(ALL_LANES, place, 0);
            if (root == site)
                t.roots[place + static_cast<unsigned>(__popc(roots & ((1u << lane) - 1)))] =
                    static_cast<uint16_t>(site);
        }
    }
    __syncthreads();
}

// After count_sites: the label of any site's cluster.
DEVICE unsigned label_of(const tile &t, unsigned site)
{
    return t.labels[t.labels[site]];
}

// Adds a block's sum to a total in memory. All threads.
DEVICE void add_to_total(unsigned long long value, unsigned long long *block_sum, long long *total)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(ALL_LANES, value, static_cast<unsigned>(step));
    if (threadIdx.x % 32 == 0 && value != 0)
        atomicAdd(block_sum, value);
    __syncthreads();
    if (threadIdx.x == 0 && *block_sum != 0)
        atomicAdd(reinterpret_cast<unsigned long long *>(total), *block_sum);
}

} // namespace
} // namespace ising

#endif
