// Sweeps of small lattices, 32 spins a word: a block keeps a lattice in shared memory and makes all its sweeps. A thread has a word of each phase; the
// four threads of a quad draw a digit each for all four words, and exchange them.
#include "gpu/ising_draw.cuh"
#include "gpu/ising_small.h"
#include "gpu/load.cuh"

namespace ising {
namespace {

constexpr unsigned MOST_THREADS = 1024, ALL_LANES = 0xffffffffu;
// Threads below which the multiprocessors are not busy: then several digits are drawn at a time, so as not to wait for each other.
constexpr int64_t FEW_THREADS = 65536;

// What the lanes of a quad share: lane `part` draws digit first + part of four, for four words.
struct share {
    drawer from;
    unsigned part;
};

// The random words of one word's digits first … first + 3: the four lanes' four words, transposed.
__device__ __forceinline__ void draw_four(const philox_key &key, const share &quad, int phase, int first,
                                          uint32_t digits[4][1])
{
    uint32_t drawn[4];
    draw(key, quad.from, ising_purpose(ISING_USE_SPINS, phase, first + static_cast<int>(quad.part)), drawn);
    const bool is_high = quad.part & 2, is_odd = quad.part & 1;
    const uint32_t even = __shfl_xor_sync(ALL_LANES, is_high ? drawn[0] : drawn[2], 2);
    const uint32_t odd = __shfl_xor_sync(ALL_LANES, is_high ? drawn[1] : drawn[3], 2);
    // Of lanes 0 or 1, and of 2 or 3: their words for the even and the odd lane of this pair.
    const uint32_t low[2] = {is_high ? even : drawn[0], is_high ? odd : drawn[1]};
    const uint32_t high[2] = {is_high ? drawn[2] : even, is_high ? drawn[3] : odd};
    const uint32_t other_low = __shfl_xor_sync(ALL_LANES, is_odd ? low[0] : low[1], 1);
    const uint32_t other_high = __shfl_xor_sync(ALL_LANES, is_odd ? high[0] : high[1], 1);
    digits[0][0] = is_odd ? other_low : low[0];
    digits[1][0] = is_odd ? low[1] : other_low;
    digits[2][0] = is_odd ? other_high : high[0];
    digits[3][0] = is_odd ? high[1] : other_high;
}

template <int count>
__device__ __forceinline__ void draw_shared(const philox_key &key, const share &quad, int phase, int first,
                                            uint32_t (&digits)[count][1])
{
#pragma unroll
    for (int k = 0; k < count; k += 4)
        draw_four(key, quad, phase, first + k, &digits[k]);
}

#define WORD        uint32_t
#define WORDS(name) name
#define EACH(u)     static_cast<uint32_t>(u)
#define QUADS       const share &
// Lanes exchange digits: none goes before the others of its warp.
#define ANY(w) __any_sync(ALL_LANES, (w) != 0)
#define DRAW_ALL(rule, quads, sweep, phase, first, random)                                                   \
    (static_cast<void>(sweep), draw_shared((rule)->key, quads, phase, first, random))

namespace sparing {
#define DIGITS        4
#define TOGETHER      1
#define DRAW_DIGITS   DRAW_ALL
#define WORD_FUNCTION __device__ __forceinline__
#include "models/ising/word.h"
#undef DIGITS
} // namespace sparing
namespace hasty {
#define DIGITS        16
#define TOGETHER      1
#define DRAW_DIGITS   DRAW_ALL
#define WORD_FUNCTION __device__ __forceinline__
#include "models/ising/word.h"
#undef DIGITS
} // namespace hasty

struct small_view {
    ising_words layout;
    ising_rule rule;
    uint32_t *words;
    uint32_t first_sweep;
    int64_t sweeps, every;
    long long *measures;
};

// Where a thread's word of a plane is, and its neighbours, in the block's lattice.
struct small_place {
    unsigned own, at[ISING_NEIGHBOUR_WORDS], seam;
    bool is_end; // of the row
};

__device__ __forceinline__ small_place place_of(const ising_words &l, int plane, unsigned row, unsigned word)
{
    const struct ising_neighbour_places places = ising_neighbour_places(&l, 0, plane, row, word);
    small_place place;
    place.own = static_cast<unsigned>(ising_word_at(&l, 0, plane, row, word));
    for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++)
        place.at[n] = static_cast<unsigned>(places.at[n]);
    place.is_end = places.seam >= 0;
    place.seam = place.is_end ? static_cast<unsigned>(places.seam) : 0;
    return place;
}

__device__ __forceinline__ void neighbours_of(const ising_words &l, const uint32_t *spins, int plane,
                                              const small_place &place,
                                              uint32_t neighbours[ISING_NEIGHBOUR_WORDS])
{
    for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++)
        neighbours[n] = spins[place.at[n]];
    const uint32_t outside = spins[place.seam];
    if (place.is_end)
        neighbours[ISING_OTHER_SIDE] = ising_turn_round(l.bits, plane, neighbours[ISING_OTHER_SIDE], outside);
}

struct small_thread {
    bool is_there; // has a word of the lattice
    unsigned row;
    uint64_t quad;
    small_place places[2]; // of its row's planes
};

__device__ __forceinline__ small_thread thread_of(const ising_words &l, uint64_t first_word)
{
    const unsigned in_phase = static_cast<unsigned>(l.rows * l.words), words = static_cast<unsigned>(l.words);
    const int number = static_cast<int>(threadIdx.x) - static_cast<int>(first_word % 4);
    small_thread thread;
    thread.is_there = number >= 0 && number < static_cast<int>(in_phase);
    const unsigned own = thread.is_there ? static_cast<unsigned>(number) : 0;
    thread.row = own / words;
    thread.quad = first_word / 4 + threadIdx.x / 4;
    for (int plane = 0; plane < 2; plane++)
        thread.places[plane] = place_of(l, plane, thread.row, own % words);
    return thread;
}

template <bool is_general, bool is_hasty>
__device__ __forceinline__ void turn_word(const small_view &view, const share &quad, uint32_t sweep,
                                          int phase, bool is_there,
                                          const uint32_t neighbours[1][ISING_NEIGHBOUR_WORDS],
                                          uint32_t spins[1])
{
    const uint32_t valid[1] = {is_there ? ising_word_mask(view.layout.bits) : 0};
    if (is_general)
        sparing::turn_each(&view.rule, quad, sweep, phase, valid, neighbours, spins);
    else if (is_hasty)
        hasty::turn_alike(&view.rule, quad, sweep, phase, valid, neighbours, spins);
    else
        sparing::turn_alike(&view.rule, quad, sweep, phase, valid, neighbours, spins);
}

// Of the block's lattice as it stands. Two sets of sums take turns: who adds to one does not wait for the other to be read.
__device__ __forceinline__ void measure_lattice(const ising_words &l, const uint32_t *spins,
                                                const small_thread &thread, unsigned (*sums)[2],
                                                long long *measure)
{
    unsigned unlike = 0, up = 0;
    if (thread.is_there)
        for (int plane = 0; plane < 2; plane++) {
            uint32_t neighbours[ISING_NEIGHBOUR_WORDS];
            const uint32_t own = spins[thread.places[plane].own];
            neighbours_of(l, spins, plane, thread.places[plane], neighbours);
            up += __popc(own);
            unlike += __popc(own ^ neighbours[ISING_BELOW]);
            if (plane == 0)
                unlike +=
                    __popc(own ^ neighbours[ISING_SAME_SIDE]) + __popc(own ^ neighbours[ISING_OTHER_SIDE]);
        }
    unlike = __reduce_add_sync(ALL_LANES, unlike);
    up = __reduce_add_sync(ALL_LANES, up);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&(*sums)[0], unlike);
        atomicAdd(&(*sums)[1], up);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const long long sites = 2 * l.rows * l.words * l.bits;
        measure[0] = 2 * sites - 2 * static_cast<long long>((*sums)[0]);
        measure[1] = 2 * static_cast<long long>((*sums)[1]) - sites;
        (*sums)[0] = (*sums)[1] = 0;
    }
}

template <bool is_general, bool is_hasty>
__global__ void __launch_bounds__(MOST_THREADS) small_kernel(const __grid_constant__ small_view view)
{
    extern __shared__ uint32_t spins[]; // [2][rows][words]
    __shared__ unsigned sums[2][2];
    const ising_words &l = view.layout;
    const unsigned in_phase = static_cast<unsigned>(l.rows * l.words);
    const int64_t replica = blockIdx.x;
    const uint64_t first_word = static_cast<uint64_t>(replica) * in_phase;
    uint32_t *const words = view.words + 2 * first_word;
    for (unsigned k = threadIdx.x; k < 2 * in_phase; k += blockDim.x)
        spins[k] = words[k];
    if (threadIdx.x < 4)
        sums[threadIdx.x / 2][threadIdx.x % 2] = 0;
    const small_thread thread = thread_of(l, first_word);
    const int phases = l.is_helical ? 4 : 2;
    int64_t since = 0, record = 0;
    __syncthreads();
    for (int64_t k = 0; k < view.sweeps; k++) {
        const uint32_t sweep = view.first_sweep + static_cast<uint32_t>(k);
        const share quad = {drawer_of(view.rule.key, thread.quad, sweep), threadIdx.x % 4};
        for (int phase = 0; phase < phases; phase++) {
            const int plane = ising_phase_plane(l.is_helical, phase, thread.row);
            const bool is_there = thread.is_there && plane >= 0;
            const small_place place = plane == 1 ? thread.places[1] : thread.places[0];
            uint32_t neighbours[1][ISING_NEIGHBOUR_WORDS], own[1] = {spins[place.own]};
            neighbours_of(l, spins, plane == 1, place, neighbours[0]);
            turn_word<is_general, is_hasty>(view, quad, sweep, phase, is_there, neighbours, own);
            if (is_there)
                spins[place.own] = own[0];
            __syncthreads();
        }
        if (view.every == 0 || ++since < view.every)
            continue;
        measure_lattice(l, spins, thread, &sums[record % 2],
                        view.measures + (record * l.replicas + replica) * ISING_MEASURE_NUMBERS);
        record++;
        since = 0;
    }
    for (unsigned k = threadIdx.x; k < 2 * in_phase; k += blockDim.x)
        words[k] = spins[k];
}

unsigned threads_for(const ising_words &l)
{
    const int64_t in_phase = l.rows * l.words, needed = in_phase % 4 == 0 ? in_phase : in_phase + 3;
    return static_cast<unsigned>((needed + 31) / 32 * 32);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" bool ising_small_fits(const struct ising_physics *physics)
{
    const ising_words layout = ising_words_of(&physics->lattice);
    if (physics->method != ISING_METROPOLIS && physics->method != ISING_HEAT_BATH)
        return false;
    return layout.rows <= MOST_THREADS && layout.rows * layout.words <= MOST_THREADS &&
           threads_for(layout) <= MOST_THREADS;
}

extern "C" cudaError_t ising_small_run(const struct ising_device_lattice *lattice,
                                       const struct ising_rule *rule, uint32_t first_sweep, int64_t sweeps,
                                       int64_t every, long long *measures, cudaStream_t stream)
{
    const ising_words &l = lattice->layout;
    const small_view view = {l, *rule, lattice->words, first_sweep, sweeps, every, measures};
    const unsigned threads = threads_for(l), blocks = static_cast<unsigned>(l.replicas);
    const size_t bytes = 2 * static_cast<size_t>(l.rows * l.words) * sizeof(uint32_t);
    if (rule->is_general)
        small_kernel<true, false><<<blocks, threads, bytes, stream>>>(view);
    else if (l.replicas * threads < FEW_THREADS)
        small_kernel<false, true><<<blocks, threads, bytes, stream>>>(view);
    else
        small_kernel<false, false><<<blocks, threads, bytes, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_small_load(void)
{
    return kernels::load(small_kernel<true, false>, small_kernel<false, true>, small_kernel<false, false>);
}
