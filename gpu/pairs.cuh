// All pairs: what every target gets from every source, added up in a fixed order. The sources pass through shared memory in
// tiles, a thread holds several targets in registers, and where there are few targets the sources are shared out among blocks of
// threads, whose sums are put together afterwards. Knows neither what a source is nor what it gives.
//
// A `Pair` says that:
//   source                       what lies in memory, 16 or 32 bytes, aligned to 16
//   target, sum                  what a thread holds of a target and adds up for it, in registers
//   TERMS                        numbers in a sum
//   target_of(source)            ; a target is a source seen from the other side
//   nothing()                    a sum to begin with
//   idle_source(source)          one that gives nothing, made from one that is there
//   add(sum, target, i, source, j)   adds what source j gives target i
//   term(sum, k)                 a term as a double
// A tile's sums are in the pair's own precision; tiles are added in double.
#ifndef FATHOM_GPU_PAIRS_CUH
#define FATHOM_GPU_PAIRS_CUH

#include <cuda_runtime.h>

namespace pairs {

enum { TILE = 256 };

// What the blocks of a launch are: the first `whole` groups of targets take all tiles of the sources, each in a block; of the
// rest each has `splits` blocks, which share the tiles.
struct layout {
    unsigned targets, sources, groups, whole, splits;
};

inline __host__ __device__ unsigned tiles_of(unsigned sources)
{
    return (sources + TILE - 1) / TILE;
}

inline __host__ __device__ unsigned blocks_of(const layout &l)
{
    return l.whole + (l.groups - l.whole) * l.splits;
}

// A block's work: its group, and the tiles from `first` on before `end`.
struct share {
    unsigned group, split, first, end;
};

inline __host__ __device__ share share_of(const layout &l, unsigned block)
{
    const unsigned tiles = tiles_of(l.sources);
    if (block < l.whole)
        return {block, 0, 0, tiles};
    const unsigned rest = l.groups - l.whole, split = (block - l.whole) / rest;
    const unsigned long long all = tiles;
    return {l.whole + (block - l.whole) % rest, split, static_cast<unsigned>(all * split / l.splits),
            static_cast<unsigned>(all * (split + 1) / l.splits)};
}

template <typename Pair, int THREADS>
__device__ __forceinline__ void fetch_tile(const Pair &pair, const typename Pair::source *sources,
                                           unsigned count, unsigned tile,
                                           typename Pair::source (&held)[TILE / THREADS])
{
#pragma unroll
    for (int k = 0; k < TILE / THREADS; k++) {
        const unsigned j = tile * TILE + k * THREADS + threadIdx.x;
        const typename Pair::source source = sources[j < count ? j : 0];
        held[k] = j < count ? source : pair.idle_source(source);
    }
}

template <typename Pair, int THREADS>
__device__ __forceinline__ void store_tile(const typename Pair::source (&held)[TILE / THREADS],
                                           typename Pair::source *tile)
{
#pragma unroll
    for (int k = 0; k < TILE / THREADS; k++)
        tile[k * THREADS + threadIdx.x] = held[k];
}

// Sources of one tile to all of a thread's targets.
template <typename Pair, int TARGETS, int UNROLL>
__device__ __forceinline__ void add_tile(const Pair &pair, const typename Pair::source *tile,
                                         unsigned first_source,
                                         const typename Pair::target (&targets)[TARGETS],
                                         const unsigned (&numbers)[TARGETS],
                                         double (&totals)[TARGETS][Pair::TERMS])
{
    typename Pair::sum sums[TARGETS];
#pragma unroll
    for (int t = 0; t < TARGETS; t++)
        sums[t] = pair.nothing();
#pragma unroll 1
    for (unsigned first = 0; first < TILE; first += UNROLL)
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            const typename Pair::source source = tile[first + u];
#pragma unroll
            for (int t = 0; t < TARGETS; t++)
                pair.add(sums[t], targets[t], numbers[t], source, first_source + first + u);
        }
#pragma unroll
    for (int t = 0; t < TARGETS; t++)
#pragma unroll
        for (int k = 0; k < Pair::TERMS; k++)
            totals[t][k] += pair.term(sums[t], k);
}

// Store: (target, split, totals) → memory. A target's totals of several splits are for the caller to add up.
template <typename Pair, int TARGETS, int THREADS, int BLOCKS, int UNROLL, typename Store>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    tiles_kernel(const Pair pair, const typename Pair::source *__restrict__ sources, const layout l,
                 const Store store)
{
    __shared__ typename Pair::source tiles[2][TILE];
    const share mine = share_of(l, blockIdx.x);
    typename Pair::target targets[TARGETS];
    typename Pair::source held[TILE / THREADS];
    unsigned numbers[TARGETS];
    double totals[TARGETS][Pair::TERMS];
#pragma unroll
    for (int t = 0; t < TARGETS; t++) {
        numbers[t] = (mine.group * TARGETS + t) * THREADS + threadIdx.x;
        targets[t] = pair.target_of(sources[numbers[t] < l.targets ? numbers[t] : 0]);
#pragma unroll
        for (int k = 0; k < Pair::TERMS; k++)
            totals[t][k] = 0;
    }
    fetch_tile<Pair, THREADS>(pair, sources, l.sources, mine.first, held);
    store_tile<Pair, THREADS>(held, tiles[0]);
    int side = 0;
    for (unsigned tile = mine.first; tile < mine.end; tile++, side ^= 1) {
        __syncthreads();
        const bool has_next = tile + 1 < mine.end;
        if (has_next) // on its way while this one is added
            fetch_tile<Pair, THREADS>(pair, sources, l.sources, tile + 1, held);
        add_tile<Pair, TARGETS, UNROLL>(pair, tiles[side], tile * TILE, targets, numbers, totals);
        if (has_next)
            store_tile<Pair, THREADS>(held, tiles[side ^ 1]);
    }
#pragma unroll
    for (int t = 0; t < TARGETS; t++)
        if (numbers[t] < l.targets)
            store(numbers[t], mine.split, totals[t]);
}

// The plainest way, to compare with: a target a thread, sources from global memory.
template <typename Pair, int THREADS, typename Store>
__global__ void __launch_bounds__(THREADS)
    naive_kernel(const Pair pair, const typename Pair::source *__restrict__ sources, const layout l,
                 const Store store)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= l.targets)
        return;
    const typename Pair::target target = pair.target_of(sources[i]);
    double totals[Pair::TERMS] = {};
    for (unsigned first = 0; first < l.sources; first += TILE) {
        const unsigned end = first + TILE < l.sources ? first + TILE : l.sources;
        typename Pair::sum sum = pair.nothing();
        for (unsigned j = first; j < end; j++)
            pair.add(sum, target, i, sources[j], j);
#pragma unroll
        for (int k = 0; k < Pair::TERMS; k++)
            totals[k] += pair.term(sum, k);
    }
    store(i, 0, totals);
}

// How long a launch takes, in tiles, if `resident` blocks run at a time; each block costs a little besides.
inline double length_of(const layout &l, unsigned resident)
{
    const unsigned tiles = tiles_of(l.sources), split_blocks = (l.groups - l.whole) * l.splits;
    const unsigned waves = (split_blocks + resident - 1) / resident;
    const double besides = 0.25;
    return l.whole / resident * (tiles + besides) + waves * ((tiles + l.splits - 1) / l.splits + besides);
}

// The layout that keeps `resident` blocks busy to the end: as many groups whole as fill the device so many times, or none, and of
// the rest the fewest splits of those that take about as long. Totals of at most `most` targets times splits are kept.
inline layout choose_layout(unsigned targets, unsigned sources, unsigned a_group, unsigned resident,
                            size_t most)
{
    layout l = {targets, sources, (targets + a_group - 1) / a_group, 0, 1}, best = l;
    const unsigned full = l.groups / resident * resident;
    for (const unsigned whole : {0u, full}) {
        l.whole = whole;
        const size_t rest = targets - (targets < whole * a_group ? targets : whole * a_group);
        for (l.splits = 1; l.splits <= tiles_of(sources) && (l.splits == 1 || rest * l.splits <= most);
             l.splits++)
            if (length_of(l, resident) < 0.995 * length_of(best, resident))
                best = l;
    }
    return best;
}

} // namespace pairs

#endif
