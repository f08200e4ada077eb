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

// What the blocks of a launch are: `groups` of targets × `splits` of the tiles of the sources.
struct layout {
    unsigned targets, sources, groups, splits;
};

inline __host__ __device__ unsigned tiles_of(unsigned sources)
{
    return (sources + TILE - 1) / TILE;
}

// The tiles of split s are those from first_tile(s) to that of s + 1.
inline __host__ __device__ unsigned first_tile(const layout &l, unsigned split)
{
    return static_cast<unsigned>(static_cast<unsigned long long>(tiles_of(l.sources)) * split / l.splits);
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
#pragma unroll UNROLL
    for (unsigned j = 0; j < TILE; j++) {
        const typename Pair::source source = tile[j];
#pragma unroll
        for (int t = 0; t < TARGETS; t++)
            pair.add(sums[t], targets[t], numbers[t], source, first_source + j);
    }
#pragma unroll
    for (int t = 0; t < TARGETS; t++)
#pragma unroll
        for (int k = 0; k < Pair::TERMS; k++)
            totals[t][k] += pair.term(sums[t], k);
}

// Block b takes group b mod groups and split b / groups; Store: (target, split, totals) → memory.
template <typename Pair, int TARGETS, int THREADS, int BLOCKS, int UNROLL, typename Store>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    tiles_kernel(const Pair pair, const typename Pair::source *__restrict__ sources, const layout l,
                 const Store store)
{
    __shared__ typename Pair::source tiles[2][TILE];
    const unsigned group = blockIdx.x % l.groups, split = blockIdx.x / l.groups;
    const unsigned last = first_tile(l, split + 1);
    typename Pair::target targets[TARGETS];
    typename Pair::source held[TILE / THREADS];
    unsigned numbers[TARGETS];
    double totals[TARGETS][Pair::TERMS];
#pragma unroll
    for (int t = 0; t < TARGETS; t++) {
        numbers[t] = (group * TARGETS + t) * THREADS + threadIdx.x;
        targets[t] = pair.target_of(sources[numbers[t] < l.targets ? numbers[t] : 0]);
#pragma unroll
        for (int k = 0; k < Pair::TERMS; k++)
            totals[t][k] = 0;
    }
    unsigned tile = first_tile(l, split);
    fetch_tile<Pair, THREADS>(pair, sources, l.sources, tile, held);
    store_tile<Pair, THREADS>(held, tiles[0]);
    for (int side = 0; tile < last; tile++, side ^= 1) {
        __syncthreads();
        const bool has_next = tile + 1 < last;
        if (has_next) // on its way while this one is added
            fetch_tile<Pair, THREADS>(pair, sources, l.sources, tile + 1, held);
        add_tile<Pair, TARGETS, UNROLL>(pair, tiles[side], tile * TILE, targets, numbers, totals);
        if (has_next)
            store_tile<Pair, THREADS>(held, tiles[side ^ 1]);
    }
#pragma unroll
    for (int t = 0; t < TARGETS; t++)
        if (numbers[t] < l.targets)
            store(numbers[t], split, totals[t]);
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

// Into how many splits the sources go, so that `resident` blocks (that run at a time) are busy to the end: the split whose
// longest chain of tiles, with what a block costs besides, is the shortest; the fewest of equals. At most `most`.
inline unsigned choose_splits(unsigned groups, unsigned tiles, unsigned resident, unsigned most)
{
    unsigned best = 1;
    double shortest = 0;
    for (unsigned splits = 1; splits <= most && splits <= tiles; splits++) {
        const unsigned long long blocks = static_cast<unsigned long long>(groups) * splits;
        const double waves = static_cast<double>((blocks + resident - 1) / resident);
        const double length = waves * ((tiles + splits - 1) / splits + 0.25);
        if (splits == 1 || length < 0.995 * shortest) {
            best = splits;
            shortest = length;
        }
    }
    return best;
}

} // namespace pairs

#endif
