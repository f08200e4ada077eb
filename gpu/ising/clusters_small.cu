// Cluster updates of lattices of one tile (models/ising/state.h, CLUSTERS): a block holds a lattice in shared
// memory for all its updates and measurements, in one launch.
#include "gpu/ising/clusters_kernels.h"
#include "gpu/ising/labels.cuh"
#include "gpu/launch.cuh"

namespace ising {
namespace {

struct one_view {
    ising_words layout;
    uint32_t *words;
    clusters_rule rule;
    uint32_t first_sweep;
    int64_t sweeps, every;
    long long *measures, *flipped;
};

// The block's totals: of clusters; of bonds between unlike spins; of spins up.
struct one_sums {
    unsigned long long clusters;
    unsigned unlike, up;
};

// ---- spins in their order; a row of a plane is one word

DEVICE void take_rows(const one_view &view, const uint32_t *planes, tile &t, unsigned height)
{
    const unsigned lane = threadIdx.x % 32, columns = 2 * static_cast<unsigned>(view.layout.bits);
    for (unsigned y = threadIdx.x / 32; y < height; y += TILE_WARPS) {
        const uint32_t own = planes[lane % 2 * height + y]; // of the sites of this lane's parity
        const unsigned bit = lane / 2;
        const uint64_t row = whole_warp(own >> bit & 1, own >> (16 + bit) & 1) & bits_below(columns);
        if (lane == 0)
            t.rows[y] = row;
    }
}

DEVICE void give_rows(const one_view &view, uint32_t *planes, const tile &t, unsigned height)
{
    const unsigned lane = threadIdx.x % 32;
    const bool has_site = lane < static_cast<unsigned>(view.layout.bits);
    for (unsigned y = threadIdx.x / 32; y < height; y += TILE_WARPS)
        for (unsigned plane = 0; plane < 2; plane++) {
            const uint32_t spins =
                __ballot_sync(ALL_LANES, has_site && (t.rows[y] >> (2 * lane + plane) & 1));
            if (lane == 0)
                planes[plane * height + y] = spins;
        }
}

// ---- an update

// Bonds across the lattice's boundary.
DEVICE void join_round(const one_view &view, tile &t, const tile_extent &extent)
{
    const unsigned thread = threadIdx.x, right = extent.width - 1, bottom = extent.height - 1;
    const unsigned unlike = view.rule.unlike & 1;
    if (thread < extent.height && t.right[thread] >> right & 1) {
        const unsigned beside = !view.layout.is_helical ? thread : thread < bottom ? thread + 1 : 0;
        if (((t.rows[thread] >> right ^ t.rows[beside]) & 1) == unlike)
            unite(t.labels, thread * TILE + right, beside * TILE);
    }
    const unsigned x = thread - TILE; // other threads, if there are as many
    if (thread >= TILE && x < extent.width && t.down[bottom] >> x & 1 &&
        ((t.rows[bottom] ^ t.rows[0]) >> x & 1) == unlike)
        unite(t.labels, bottom * TILE + x, x);
}

// The label of WOLFF's seed.
DEVICE unsigned seed_label(const one_view &view, const tile &t, const tile_extent &extent, uint32_t sweep)
{
    const uint32_t random =
        ising_random_word(view.rule.key, blockIdx.x, sweep, ising_purpose(ISING_USE_SEED, 0, 0));
    const unsigned seed = static_cast<unsigned>(ising_random_below(random, extent.width * extent.height));
    return label_of(t, seed / extent.width * TILE + seed % extent.width);
}

// Whether each cluster flips, as its entry; returns this thread's part of the sum.
DEVICE unsigned long long decide(const one_view &view, tile &t, const tile_extent &extent, uint32_t sweep)
{
    const unsigned seed = view.rule.is_wolff ? seed_label(view, t, extent, sweep) : 0;
    unsigned long long sum = 0;
    for (unsigned k = threadIdx.x; k < t.roots_count; k += TILE_THREADS) {
        const unsigned label = t.roots[k], length = entry_of(t, label);
        bool flips = label == seed;
        if (view.rule.is_wolff) {
            sum += flips ? length : 0;
        } else {
            flips = ising_random_word(view.rule.key, site_of(extent, label), sweep,
                                      ising_purpose(ISING_USE_FLIPS, 0, 0)) &
                    1;
            sum += static_cast<unsigned long long>(length) * length;
        }
        entry_of(t, label) = flips;
    }
    return sum;
}

// Ends with a barrier.
DEVICE void update(const one_view &view, tile &t, const tile_extent &extent, uint32_t sweep, one_sums &sums)
{
    begin_labels(t, extent, {view.rule.key, view.rule.threshold, view.rule.unlike}, sweep);
    if (threadIdx.x == 0 && !view.rule.is_wolff)
        sums.clusters = 0;
    join_runs(t, extent);
    join_round(view, t, extent);
    __syncthreads();
    count_sites(t, extent, [](unsigned, unsigned, unsigned) { return 0u; });
    unsigned long long own = decide(view, t, extent, sweep);
    for (int step = 16; step > 0; step /= 2)
        own += __shfl_down_sync(ALL_LANES, own, static_cast<unsigned>(step));
    if (threadIdx.x % 32 == 0 && own != 0)
        atomicAdd(&sums.clusters, own);
    __syncthreads();
    for (unsigned y = threadIdx.x / 32; y < extent.height; y += TILE_WARPS) {
        const unsigned x = threadIdx.x % 32, site = y * TILE + x;
        const uint64_t flipped = whole_warp(x < extent.width && entry_of(t, label_of(t, site)),
                                            x + 32 < extent.width && entry_of(t, label_of(t, site + 32)));
        if (x == 0)
            t.rows[y] ^= flipped;
    }
    __syncthreads();
}

// ---- a measurement; a thread a row

DEVICE void measure(const one_view &view, const tile &t, const tile_extent &extent, one_sums &sums,
                    long long *to)
{
    const unsigned y = threadIdx.x, width = extent.width;
    if (y == 0)
        sums.unlike = sums.up = 0;
    __syncthreads();
    if (y < extent.height) {
        const uint64_t own = t.rows[y], below = t.rows[y + 1 < extent.height ? y + 1 : 0];
        const uint64_t beyond = view.layout.is_helical ? below : own;
        const uint64_t beside = own >> 1 | (beyond & 1) << (width - 1);
        atomicAdd(&sums.unlike, static_cast<unsigned>(__popcll(static_cast<long long>(own ^ below)) +
                                                      __popcll(static_cast<long long>(own ^ beside))));
        atomicAdd(&sums.up, static_cast<unsigned>(__popcll(static_cast<long long>(own))));
    }
    __syncthreads();
    if (y != 0)
        return;
    const long long sites = width * extent.height;
    to[0] = 2 * sites - 2 * static_cast<long long>(sums.unlike);
    to[1] = 2 * static_cast<long long>(sums.up) - sites;
    to[2] = static_cast<long long>(sums.clusters);
    if (view.rule.is_wolff)
        sums.clusters = 0;
}

__global__ void __launch_bounds__(TILE_THREADS) small_kernel(const __grid_constant__ one_view view)
{
    __shared__ tile t;
    __shared__ one_sums sums;
    const unsigned height = static_cast<unsigned>(view.layout.rows);
    const unsigned width = 2 * static_cast<unsigned>(view.layout.bits);
    const tile_extent extent = {width, height, blockIdx.x * width * height, width, 0};
    uint32_t *const planes = view.words + static_cast<int64_t>(blockIdx.x) * 2 * height;
    take_rows(view, planes, t, height);
    if (threadIdx.x == 0)
        sums.clusters = static_cast<unsigned long long>(view.flipped[blockIdx.x]);
    __syncthreads();
    int64_t since = 0, record = 0;
    for (int64_t k = 0; k < view.sweeps; k++) {
        update(view, t, extent, view.first_sweep + static_cast<uint32_t>(k), sums);
        if (view.every == 0 || ++since < view.every)
            continue;
        measure(view, t, extent, sums,
                view.measures + (record * view.layout.replicas + blockIdx.x) * ISING_MEASURE_NUMBERS);
        record++;
        since = 0;
    }
    give_rows(view, planes, t, height);
    if (threadIdx.x == 0)
        view.flipped[blockIdx.x] = static_cast<long long>(sums.clusters);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" bool clusters_small_fits(const struct ising_words *layout)
{
    const int64_t columns = 2 * layout->words * layout->bits;
    return layout->words == 1 && columns <= TILE && layout->rows <= TILE &&
           layout->replicas <= INT32_MAX / (columns * layout->rows);
}

extern "C" cudaError_t clusters_small_run(const struct ising_device_lattice *lattice,
                                          const struct clusters_rule *rule, uint32_t first_sweep,
                                          int64_t sweeps, int64_t every, long long *measures,
                                          long long *flipped, cudaStream_t stream)
{
    const one_view view = {lattice->layout, lattice->words, *rule,    first_sweep,
                           sweeps,          every,          measures, flipped};
    small_kernel<<<static_cast<unsigned>(lattice->layout.replicas), TILE_THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_small_load(void)
{
    return kernels::load(small_kernel);
}
