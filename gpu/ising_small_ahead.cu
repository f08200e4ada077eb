// Sweeps of small lattices that are too few to keep the device busy: what counts is how soon a phase follows the one before. Some warps turn the spins, a word a
// thread; others draw, meanwhile, the random words of the next phase. A barrier a phase.
#include "gpu/ising_small.cuh"
#include "gpu/load.cuh"

namespace ising {
namespace {

// Digits that are drawn ahead; the few spins that need more draw them for themselves.
constexpr unsigned AHEAD = 16;
// Of the words' threads; beyond, threads for drawing are too few.
constexpr unsigned MOST_WORD_THREADS = 256;
// Blocks beyond which the device is busy anyway (an H200 has 132 multiprocessors).
constexpr int64_t MOST_BLOCKS = 128;

// The random words of a phase: [AHEAD][words' threads].
struct ahead_digits {
    const uint32_t *drawn;
    unsigned pitch;
    uint64_t quad;
    uint32_t sweep;
};

__device__ __forceinline__ void take_digits(const philox_key &key, const ahead_digits &ahead, int phase,
                                            int first, uint32_t (&digits)[AHEAD][1])
{
    for (unsigned d = 0; d < AHEAD; d++) {
        if (first == 0) {
            digits[d][0] = ahead.drawn[d * ahead.pitch + threadIdx.x];
        } else {
            const philox_counter drawn =
                ising_random_quad(key, ahead.quad, ahead.sweep,
                                  ising_purpose(ISING_USE_SPINS, phase, first + static_cast<int>(d)));
            const unsigned part = threadIdx.x % 4;
            digits[d][0] = part < 2 ? drawn.v[part == 0 ? 0 : 1] : drawn.v[part == 2 ? 2 : 3];
        }
    }
}

#define WORD        uint32_t
#define WORDS(name) name
#define EACH(u)     static_cast<uint32_t>(u)
#define QUADS       const ahead_digits &
#define ANY(w)      ((w) != 0)
#define DIGITS      AHEAD
#define TOGETHER    1
#define DRAW_DIGITS(rule, quads, sweep, phase, first, random)                                                \
    (static_cast<void>(sweep), take_digits((rule)->key, quads, phase, first, random))
#define RULE                                  small_rule
#define DIGIT_MASK(rule, threshold, digit)    ((rule)->digits.threshold[digit])
#define AT_DIGIT(rule, threshold, digit, set) ((rule)->digits.threshold[digit] & (set))
#define WORD_FUNCTION                         __device__ __forceinline__
#include "models/ising/word.h"

// By the threads from `drawers` on, `step` of them: digits of all quads from `first_quad` on.
__device__ __forceinline__ void draw_phase(const philox_key &key, uint64_t first_quad, uint32_t sweep,
                                           int phase, unsigned word_threads, uint32_t *drawn)
{
    const unsigned quads = word_threads / 4;
    for (unsigned k = threadIdx.x - word_threads; k < quads * AHEAD; k += blockDim.x - word_threads) {
        const unsigned digit = k / quads, quad = k - digit * quads;
        const philox_counter words = ising_random_quad(
            key, first_quad + quad, sweep, ising_purpose(ISING_USE_SPINS, phase, static_cast<int>(digit)));
        reinterpret_cast<uint4 *>(drawn)[digit * quads + quad] = {words.v[0], words.v[1], words.v[2],
                                                                  words.v[3]};
    }
}

template <bool is_general>
__global__ void __launch_bounds__(MOST_THREADS)
    ahead_kernel(const __grid_constant__ small_view view, unsigned word_threads)
{
    extern __shared__ uint4 shared[]; // random words of two phases, spins
    __shared__ unsigned sums[2][2];
    uint32_t *const drawn = reinterpret_cast<uint32_t *>(shared);
    uint32_t *const spins = drawn + 2 * AHEAD * word_threads;
    const ising_words &l = view.layout;
    const uint64_t first_word = static_cast<uint64_t>(blockIdx.x) * static_cast<uint64_t>(l.rows * l.words);
    const small_thread thread = thread_of(l, first_word);
    const int phases = l.is_helical ? 4 : 2;
    const bool has_word = threadIdx.x < word_threads; // whole warps
    int64_t since = 0, record = 0;
    take_lattice(view, spins);
    if (threadIdx.x < 4)
        sums[threadIdx.x / 2][threadIdx.x % 2] = 0;
    if (!has_word)
        draw_phase(view.rule.key, first_word / 4, view.first_sweep, 0, word_threads, drawn);
    __syncthreads();
    for (int64_t k = 0; k < view.sweeps; k++) {
        const uint32_t sweep = view.first_sweep + static_cast<uint32_t>(k);
        for (int phase = 0; phase < phases; phase++) {
            uint32_t *const now = drawn + phase % 2 * AHEAD * word_threads;
            uint32_t *const next = drawn + (phase + 1) % 2 * AHEAD * word_threads;
            if (has_word) {
                const ahead_digits digits = {now, word_threads, thread.quad, sweep};
                small_turn turn = begin_turn(l, spins, thread, phase);
                if (is_general)
                    turn_each(&view.rule, digits, sweep, phase, turn.valid, turn.neighbours, turn.own);
                else
                    turn_alike(&view.rule, digits, sweep, phase, turn.valid, turn.neighbours, turn.own);
                if (turn.is_there)
                    spins[turn.place.own] = turn.own[0];
            } else if (phase + 1 < phases) {
                draw_phase(view.rule.key, first_word / 4, sweep, phase + 1, word_threads, next);
            } else {
                draw_phase(view.rule.key, first_word / 4, sweep + 1, 0, word_threads, next);
            }
            __syncthreads();
        }
        if (view.every == 0 || ++since < view.every)
            continue;
        measure_lattice(view, spins, thread, record++, sums);
        since = 0;
    }
    give_lattice(view, spins);
}

} // namespace

bool ahead_fits(const ising_words &layout)
{
    return word_threads(layout) <= MOST_WORD_THREADS && layout.replicas <= MOST_BLOCKS;
}

cudaError_t ahead_begin(const small_view &view, cudaStream_t stream)
{
    const unsigned with_words = word_threads(view.layout), all = with_words * (1 + AHEAD / 4);
    const unsigned blocks = static_cast<unsigned>(view.layout.replicas);
    const unsigned threads = all < MOST_THREADS ? all : MOST_THREADS;
    const size_t bytes = 2 * AHEAD * with_words * sizeof(uint32_t) + lattice_bytes(view.layout);
    if (view.rule.is_general)
        ahead_kernel<true><<<blocks, threads, bytes, stream>>>(view, with_words);
    else
        ahead_kernel<false><<<blocks, threads, bytes, stream>>>(view, with_words);
    return cudaGetLastError();
}

cudaError_t ahead_load()
{
    return kernels::load(ahead_kernel<true>, ahead_kernel<false>);
}

} // namespace ising
