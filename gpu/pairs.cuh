// Sums over all pairs: the contributions of every source to every target, added in a fixed order. The sources
// pass through shared memory in tiles. A thread holds several targets in registers. If there are few targets,
// the sources are divided among several thread blocks, whose sums are added afterwards. Independent of the
// force law.
//
// A `Pair` defines:
//   source                       a source in memory: 8, 16 or 32 bytes, aligned to 8 or 16
//   target, sum                  a target and its sum, in a thread's registers
//   TERMS                        numbers in a sum
//   target_of(source)            the target at the position of a source
//   nothing()                    a sum of 0
//   idle_source(source)          a source like this one, but without effect
//   add(sum, target, i, source, j)   adds the contribution of source j to target i
//   term(sum, k)                 a term as a double
// A tile's sums are in the pair's own precision; tiles are added in double.
#ifndef FATHOM_GPU_PAIRS_CUH
#define FATHOM_GPU_PAIRS_CUH

#include "gpu/inline.cuh"

namespace pairs {

enum { TILE = 256 };

// The blocks of a launch: each of the first `whole` groups of targets has one block, which adds all tiles of
// the sources; each of the other groups has `splits` blocks, among which the tiles are divided.
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

// By THREADS threads, of which this one has the number `thread`.
template <typename Pair, int THREADS>
DEVICE void fetch_tile(const Pair &pair, const typename Pair::source *sources, unsigned count, unsigned tile,
                       typename Pair::source (&held)[TILE / THREADS], unsigned thread)
{
#pragma unroll
    for (int k = 0; k < TILE / THREADS; k++) {
        const unsigned j = tile * TILE + k * THREADS + thread;
        const typename Pair::source source = sources[j < count ? j : 0];
        held[k] = j < count ? source : pair.idle_source(source);
    }
}

template <typename Pair, int THREADS>
DEVICE void store_tile(const typename Pair::source (&held)[TILE / THREADS], typename Pair::source *tile,
                       unsigned thread)
{
#pragma unroll
    for (int k = 0; k < TILE / THREADS; k++)
        tile[k * THREADS + thread] = held[k];
}

// Adds the contributions of one tile's sources to all targets of a thread.
template <typename Pair, int TARGETS, int UNROLL>
DEVICE void add_tile(const Pair &pair, const typename Pair::source *tile, unsigned first_source,
                     const typename Pair::target (&targets)[TARGETS], const unsigned (&numbers)[TARGETS],
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

// Adds the contributions of tiles first … end − 1, by all threads of a block, of which each has its targets.
template <typename Pair, int TARGETS, int THREADS, int UNROLL>
DEVICE void add_tiles(const Pair &pair, const typename Pair::source *__restrict__ sources, unsigned count,
                      unsigned first, unsigned end, const typename Pair::target (&targets)[TARGETS],
                      const unsigned (&numbers)[TARGETS], double (&totals)[TARGETS][Pair::TERMS])
{
    __shared__ alignas(16) typename Pair::source tiles[2][TILE];
    typename Pair::source held[TILE / THREADS];
    fetch_tile<Pair, THREADS>(pair, sources, count, first, held, threadIdx.x);
    store_tile<Pair, THREADS>(held, tiles[0], threadIdx.x);
    int side = 0;
    for (unsigned tile = first; tile < end; tile++, side ^= 1) {
        __syncthreads();
        const bool has_next = tile + 1 < end;
        if (has_next) // loads the next tile while this one is added
            fetch_tile<Pair, THREADS>(pair, sources, count, tile + 1, held, threadIdx.x);
        add_tile<Pair, TARGETS, UNROLL>(pair, tiles[side], tile * TILE, targets, numbers, totals);
        if (has_next)
            store_tile<Pair, THREADS>(held, tiles[side ^ 1], threadIdx.x);
    }
}

// Store: (target, split, totals) → memory. If there are several splits, the caller adds their totals.
template <typename Pair, int TARGETS, int THREADS, int BLOCKS, int UNROLL, typename Store>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    tiles_kernel(const Pair pair, const typename Pair::source *__restrict__ sources, const layout l,
                 const Store store)
{
    const share mine = share_of(l, blockIdx.x);
    typename Pair::target targets[TARGETS];
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
    add_tiles<Pair, TARGETS, THREADS, UNROLL>(pair, sources, l.sources, mine.first, mine.end, targets,
                                              numbers, totals);
#pragma unroll
    for (int t = 0; t < TARGETS; t++)
        if (numbers[t] < l.targets)
            store(numbers[t], mine.split, totals[t]);
}

// The simplest form, for comparison: one thread for each target; sources are read from global memory.
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

// A Store. Targets from `first` on have several splits; their totals are kept in scratch,
// [split][term][target], until gather adds them. Totals of other targets are stored at once. Put: (target,
// totals) → memory.
template <int TERMS, typename Put> struct keeper {
    Put put;
    double *scratch;
    unsigned first, count;

    DEVICE double *place(unsigned i, unsigned split, int term) const
    {
        return scratch + (static_cast<size_t>(split) * TERMS + term) * (count - first) + (i - first);
    }
    DEVICE void operator()(unsigned i, unsigned split, const double *totals) const
    {
        if (i < first) {
            put(i, totals);
            return;
        }
#pragma unroll
        for (int k = 0; k < TERMS; k++)
            *place(i, split, k) = totals[k];
    }
};

enum { GATHER_THREADS = 128 };

template <int TERMS, typename Put>
__global__ void __launch_bounds__(GATHER_THREADS)
    gather_kernel(const keeper<TERMS, Put> keep, unsigned splits)
{
    const unsigned i = keep.first + blockIdx.x * GATHER_THREADS + threadIdx.x;
    double totals[TERMS] = {};
    if (i >= keep.count)
        return;
    for (unsigned s = 0; s < splits; s++)
#pragma unroll
        for (int k = 0; k < TERMS; k++)
            totals[k] += *keep.place(i, s, k);
    keep.put(i, totals);
}

// Adds up the totals of several splits; does nothing if there are none.
template <int TERMS, typename Put>
void gather(const keeper<TERMS, Put> &keep, unsigned splits, cudaStream_t stream)
{
    if (keep.first >= keep.count)
        return;
    const unsigned blocks = (keep.count - keep.first + GATHER_THREADS - 1) / GATHER_THREADS;
    gather_kernel<TERMS, Put><<<blocks, GATHER_THREADS, 0, stream>>>(keep, splits);
}

// ---- one rank of several

// The groups of a launch that a rank computes, with the bits that a launch of all groups has: a target's sum
// over tiles keeps its order, also where several blocks make it one after the other. The tiles of all groups
// are one line, which is cut evenly among the blocks, however many groups there are. A block goes along its
// piece of the line backwards: it begins with the sums that the next block goes on with, and ends with those
// that it takes over itself. No sum is longer than a block's piece, so that the block before is mostly done
// with what this one then waits for.
struct part {
    layout all;
    unsigned first, end;               // groups
    unsigned blocks;                   // at most as many as run at a time
    unsigned first_target, end_target; // those stored
    double *carried;                   // [block][number]: what it leaves to the next one
    unsigned *left;                    // [block]: the last launch in which it was left
    unsigned launch;                   // this one's number; of the first one 1
};

// Tiles of one sum, those from `first` on before `end`: a whole group's, or those of a split.
struct piece {
    unsigned group, split, first, end;
    bool begins, ends; // the sum
};

// The last piece of the line before `end`, but not from before `begin`.
inline __host__ __device__ piece last_piece(const part &p, unsigned long long begin, unsigned long long end)
{
    const unsigned tiles = tiles_of(p.all.sources);
    const unsigned long long all = tiles, start = (end - 1) / all * all;
    const unsigned group = p.first + static_cast<unsigned>((end - 1) / all);
    const unsigned until = static_cast<unsigned>(end - start),
                   splits = group < p.all.whole ? 1 : p.all.splits;
    unsigned split = static_cast<unsigned>(static_cast<unsigned long long>(until - 1) * splits / all);
    while (all * (split + 1) / splits < until) // the share of `split` ends before the last tile
        split++;
    const unsigned from = static_cast<unsigned>(all * split / splits),
                   to = static_cast<unsigned>(all * (split + 1) / splits);
    const unsigned low = begin > start + from ? static_cast<unsigned>(begin - start) : from;
    return {group, split, low, until, low == from, until == to};
}

DEVICE void leave(const part &p)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p.left + blockIdx.x), "r"(p.launch)
                     : "memory");
}

// Blocks begin in the order of their numbers, so that the one before this is there.
DEVICE void await_left(const part &p)
{
    unsigned launch = 0;
    if (threadIdx.x == 0)
        while (launch != p.launch)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                         : "=r"(launch)
                         : "l"(p.left + blockIdx.x - 1)
                         : "memory");
    __syncthreads();
}

// Tiles first … last − 1 of two teams of threads with the same targets, which take turns; the first has the
// totals, to which it adds both teams' sums in the order of the tiles. So a device with few targets has more
// threads, and the bits are the same.
template <typename Pair, int TARGETS, int THREADS, int UNROLL>
DEVICE void add_in_teams(const Pair &pair, const typename Pair::source *__restrict__ sources, unsigned count,
                         unsigned first, unsigned last, const typename Pair::target (&targets)[TARGETS],
                         const unsigned (&numbers)[TARGETS], double (&totals)[TARGETS][Pair::TERMS])
{
    __shared__ alignas(16) typename Pair::source tiles[2][2][TILE];
    __shared__ double passed[TARGETS * Pair::TERMS][THREADS];
    const unsigned team = threadIdx.x / THREADS, thread = threadIdx.x % THREADS;
    typename Pair::source held[TILE / THREADS];
    int side = 0;
    fetch_tile<Pair, THREADS>(pair, sources, count, first + team, held, thread);
    store_tile<Pair, THREADS>(held, tiles[0][team], thread);
    for (unsigned tile = first + team; tile - team < last; tile += 2, side ^= 1) {
        double terms[TARGETS][Pair::TERMS] = {};
        __syncthreads();
        fetch_tile<Pair, THREADS>(pair, sources, count, tile + 2, held, thread);
        if (tile < last)
            add_tile<Pair, TARGETS, UNROLL>(pair, tiles[side][team], tile * TILE, targets, numbers, terms);
        store_tile<Pair, THREADS>(held, tiles[side ^ 1][team], thread);
#pragma unroll
        for (int n = 0; n < TARGETS * Pair::TERMS; n++)
            if (team == 1)
                passed[n][thread] = terms[n / Pair::TERMS][n % Pair::TERMS];
        __syncthreads();
        const bool has_second = tile + 1 < last;
#pragma unroll
        for (int n = 0; n < TARGETS * Pair::TERMS; n++)
            if (team == 0) {
                double &total = totals[n / Pair::TERMS][n % Pair::TERMS];
                total += terms[n / Pair::TERMS][n % Pair::TERMS];
                if (has_second)
                    total += passed[n][thread];
            }
    }
}

// As tiles_kernel, with one team of threads or two. Carried numbers are in the order of threads, so that a
// warp's lie together.
template <typename Pair, int TARGETS, int THREADS, int BLOCKS, int UNROLL, typename Store, int TEAMS = 1>
__global__ void __launch_bounds__(TEAMS *THREADS, BLOCKS)
    part_kernel(const Pair pair, const typename Pair::source *__restrict__ sources,
                const __grid_constant__ part p, const Store store)
{
    constexpr int NUMBERS = TARGETS * THREADS * Pair::TERMS;
    const unsigned thread = threadIdx.x % THREADS;
    const bool has_totals = threadIdx.x < THREADS;
    __shared__ piece mine; // not in registers, which the sums need
    __shared__ unsigned long long end;
    const unsigned long long line =
        static_cast<unsigned long long>(p.end - p.first) * tiles_of(p.all.sources);
    const unsigned long long begin = line * blockIdx.x / p.blocks;
    if (threadIdx.x == 0)
        end = line * (blockIdx.x + 1) / p.blocks;
    for (;;) {
        typename Pair::target targets[TARGETS];
        unsigned numbers[TARGETS];
        double totals[TARGETS][Pair::TERMS];
        __syncthreads(); // the piece before is done
        if (end <= begin)
            break;
        if (threadIdx.x == 0)
            mine = last_piece(p, begin, end);
        __syncthreads();
        if (!mine.begins)
            await_left(p);
        const bool begins = mine.begins;
        const double *const taken = p.carried + (blockIdx.x - 1) * static_cast<size_t>(NUMBERS);
#pragma unroll
        for (int t = 0; t < TARGETS; t++) {
            numbers[t] = (mine.group * TARGETS + t) * THREADS + thread;
            targets[t] = pair.target_of(sources[numbers[t] < p.all.targets ? numbers[t] : 0]);
#pragma unroll
            for (int k = 0; k < Pair::TERMS; k++)
                totals[t][k] =
                    begins || !has_totals ? 0 : __ldcg(taken + (t * Pair::TERMS + k) * THREADS + thread);
        }
        if constexpr (TEAMS == 2)
            add_in_teams<Pair, TARGETS, THREADS, UNROLL>(pair, sources, p.all.sources, mine.first, mine.end,
                                                         targets, numbers, totals);
        else
            add_tiles<Pair, TARGETS, THREADS, UNROLL>(pair, sources, p.all.sources, mine.first, mine.end,
                                                      targets, numbers, totals);
        double *const given = p.carried + blockIdx.x * static_cast<size_t>(NUMBERS);
        const bool ends = mine.ends;
#pragma unroll
        for (int t = 0; t < TARGETS && has_totals; t++)
            if (!ends) {
#pragma unroll
                for (int k = 0; k < Pair::TERMS; k++)
                    given[(t * Pair::TERMS + k) * THREADS + thread] = totals[t][k];
            } else {
                const unsigned number = (mine.group * TARGETS + t) * THREADS + thread;
                if (number >= p.first_target && number < p.end_target)
                    store(number, mine.split, totals[t]);
            }
        if (!ends)
            leave(p);
        if (threadIdx.x == 0)
            end -= mine.end - mine.first;
    }
}

// The part of targets first … end − 1, of which there is at least one: blocks for a device that runs
// `resident` at a time. A sum that is longer than a block's piece would go through three blocks, which then
// wait.
inline part part_of(const layout &l, unsigned a_group, unsigned first, unsigned end, unsigned resident)
{
    part p = {l, first / a_group, (end + a_group - 1) / a_group, 1, first, end, nullptr, nullptr, 0};
    const unsigned groups = p.end - p.first,
                   sums = p.first < l.whole ? groups : groups * (l.splits < resident ? l.splits : resident);
    p.blocks = sums < resident ? sums : resident;
    return p;
}

// Estimates the duration of a launch, in units of the time of a tile, if `resident` blocks run at a time.
// Each block has an additional cost of 0.25 tiles.
inline double duration_of(const layout &l, unsigned resident)
{
    const unsigned tiles = tiles_of(l.sources), split_blocks = (l.groups - l.whole) * l.splits;
    const unsigned waves = (split_blocks + resident - 1) / resident;
    const double overhead = 0.25;
    return l.whole / resident * (tiles + overhead) + waves * ((tiles + l.splits - 1) / l.splits + overhead);
}

// Chooses the layout with the shortest estimated duration: either no group is whole, or the largest multiple
// of `resident` groups; and among the numbers of splits with about the same duration the smallest. The number
// of split targets times splits is at most `most`.
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
            if (duration_of(l, resident) < 0.995 * duration_of(best, resident))
                best = l;
    }
    return best;
}

// A layout, stored for launches of as many targets as it was chosen for, or fewer.
struct chosen {
    unsigned whole, splits;
    unsigned resident;      // blocks that run at a time
    size_t scratch_numbers; // doubles that a keeper's scratch holds
};

// Chooses a layout for this kernel on the calling thread's device. The targets are the sources.
template <typename Kernel>
cudaError_t choose(Kernel kernel, int threads, unsigned a_group, int terms, size_t targets, int device,
                   chosen *to)
{
    // Largest number of split targets times splits: 96 MiB with three terms.
    constexpr size_t totals_most = size_t(1) << 22;
    int multiprocessors = 0, resident = 0;
    *to = {0, 1, 0, 0};
    cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0);
    if (error != cudaSuccess)
        return error;
    const unsigned count = static_cast<unsigned>(targets);
    const layout l =
        choose_layout(count, count, a_group, static_cast<unsigned>(multiprocessors * resident), totals_most);
    to->whole = l.splits == 1 ? l.groups : l.whole;
    to->splits = l.splits;
    to->resident = static_cast<unsigned>(multiprocessors * resident);
    if (to->whole < l.groups)
        to->scratch_numbers = static_cast<size_t>(terms) * l.splits * (targets - size_t(to->whole) * a_group);
    return cudaSuccess;
}

// The layout for `count` targets, which are the sources. If they are fewer than those for which the layout
// was chosen, fewer groups are whole, or fewer targets have splits.
inline layout layout_of(unsigned whole, unsigned splits, unsigned count, unsigned a_group)
{
    const unsigned groups = (count + a_group - 1) / a_group;
    return {count, count, groups, splits == 1 || groups < whole ? groups : whole, splits};
}

// The first target that has splits.
inline unsigned first_split(const layout &l, unsigned a_group)
{
    return l.whole < l.groups ? l.whole * a_group : l.targets;
}

} // namespace pairs

#endif
