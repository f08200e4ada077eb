// Sweeps of small lattices that are too few to keep the device busy: the time from one sublattice to the next
// decides. Some warps flip the spins, a word a thread; meanwhile others draw the random words of the next
// sublattice. A barrier a sublattice.
#include "gpu/ising/small.cuh"
#include "gpu/launch.cuh"

namespace ising {
namespace {

// Digits that are drawn ahead; threads whose spins need more draw them themselves.
constexpr unsigned AHEAD = 16;
// Threads with a word each, and those that draw, a digit of a quad each: few enough for a block's registers.
constexpr unsigned MOST_WORD_THREADS = 96, MOST_AHEAD_THREADS = MOST_WORD_THREADS * (1 + AHEAD / 4);
// Blocks beyond which the device is busy anyway (an H200 has 132 multiprocessors).
constexpr int64_t MOST_BLOCKS = 128;

// The masks that every sublattice needs, in registers: other lookups take longer than their use.
struct ahead_rule : ising_rule {
    uint32_t masks_three[AHEAD], masks_four[AHEAD];
    const small_rule *all;
};

DEVICE uint32_t held(uint32_t value)
{
    asm volatile("" : "+r"(value)); // or the compiler would load it again each time
    return value;
}

DEVICE ahead_rule ahead_rule_of(const small_rule &rule)
{
    ahead_rule held_rule;
    static_cast<ising_rule &>(held_rule) = rule;
    held_rule.all = &rule;
    for (unsigned d = 0; d < AHEAD; d++) {
        held_rule.masks_three[d] = held(rule.digits.three[d]);
        held_rule.masks_four[d] = held(rule.digits.four[d]);
    }
    return held_rule;
}

// A word's digits. Those of a sublattice are [AHEAD/4][words' threads + 1], four in each; the additional one
// avoids bank conflicts of the writers.
struct ahead_digits {
    uint32_t drawn[AHEAD];
    uint64_t quad;
    uint32_t sweep;
};

DEVICE ahead_digits digits_of(const uint4 *of_thread, unsigned pitch, uint64_t quad, uint32_t sweep)
{
    ahead_digits digits = {{}, quad, sweep};
    for (unsigned four = 0; four < AHEAD / 4; four++) {
        const uint4 drawn = of_thread[four * pitch];
        digits.drawn[4 * four] = drawn.x;
        digits.drawn[4 * four + 1] = drawn.y;
        digits.drawn[4 * four + 2] = drawn.z;
        digits.drawn[4 * four + 3] = drawn.w;
    }
    return digits;
}

// Of one word. Rarely needed, so not inlined: it would cost registers.
__device__ __noinline__ void draw_late(philox_key key, uint64_t quad, uint32_t sweep, uint32_t sublattice,
                                       uint32_t *late)
{
#pragma unroll 1
    for (unsigned d = 0; d < AHEAD; d++) {
        const philox_counter drawn = ising_random_quad(
            key, quad, sweep,
            ising_purpose(ISING_USE_SPINS, static_cast<int>(sublattice), static_cast<int>(AHEAD + d)));
        const unsigned part = threadIdx.x % 4;
        late[d] = part < 2 ? drawn.v[part == 0 ? 0 : 1] : drawn.v[part == 2 ? 2 : 3];
    }
}

DEVICE void take_digits(const philox_key &key, const ahead_digits &ahead, int sublattice, int first,
                        uint32_t (&digits)[AHEAD][1])
{
    uint32_t late[AHEAD];
    if (first != 0)
        draw_late(key, ahead.quad, ahead.sweep, static_cast<uint32_t>(sublattice), late);
    for (unsigned d = 0; d < AHEAD; d++)
        digits[d][0] = first != 0 ? late[d] : ahead.drawn[d];
}

#define WORD        uint32_t
#define WORDS(name) name
#define EACH(u)     static_cast<uint32_t>(u)
#define QUADS       const ahead_digits &
#define ANY(w)      ((w) != 0)
#define DIGITS      static_cast<int>(AHEAD)
#define TOGETHER    1
#define DRAW_DIGITS(rule, quads, sweep, sublattice, first, random)                                           \
    (static_cast<void>(sweep), take_digits((rule)->key, quads, sublattice, first, random))
#define UNROLLED _Pragma("unroll")
#define RULE     ahead_rule
#define DIGIT_MASK(rule, threshold, digit)                                                                   \
    ((digit) < DIGITS ? (rule)->masks_##threshold[(digit) % DIGITS] : (rule)->all->digits.threshold[digit])
#define AT_DIGIT(rule, threshold, digit, set) ((rule)->all->digits.threshold[digit] & (set))
#define WORD_FUNCTION                         DEVICE
#include "models/ising/word.inc"

// The digit of a quad that a thread draws for each sublattice.
struct ahead_drawer {
    uint64_t quad;
    int digit;
    unsigned place; // of the digit of its first word
};

DEVICE ahead_drawer drawer_of_thread(uint64_t first_quad, unsigned word_threads)
{
    const unsigned number = threadIdx.x - word_threads, quad = number / AHEAD, digit = number % AHEAD;
    return {first_quad + quad, static_cast<int>(digit),
            (digit / 4 * (word_threads + 1) + 4 * quad) * 4 + digit % 4};
}

DEVICE void draw_sublattice(const philox_key &key, const ahead_drawer &drawer, uint32_t sweep, int sublattice,
                            uint4 *drawn)
{
    const philox_counter words =
        ising_random_quad(key, drawer.quad, sweep, ising_purpose(ISING_USE_SPINS, sublattice, drawer.digit));
    uint32_t *const to = reinterpret_cast<uint32_t *>(drawn) + drawer.place;
    for (unsigned k = 0; k < 4; k++)
        to[4 * k] = words.v[k];
}

// HELICAL: a row has spins in two of the four sublattices.
template <bool is_helical> struct ahead_sublattices {
    static constexpr int count = is_helical ? 4 : 2;
    static DEVICE bool has(int sublattice, unsigned row)
    {
        return !is_helical || (row & 1) == static_cast<unsigned>(sublattice & 1);
    }
    static DEVICE int plane(int sublattice, unsigned row)
    {
        return ising_sublattice_plane(is_helical, sublattice, row);
    }
};

template <bool is_general, bool is_helical>
__global__ void __launch_bounds__(MOST_AHEAD_THREADS)
    ahead_kernel(const __grid_constant__ small_view view, unsigned word_threads)
{
    extern __shared__ uint4 drawn[]; // random words of two sublattices; spins
    __shared__ unsigned sums[2][2];
    using sublattices = ahead_sublattices<is_helical>;
    const ising_words &l = view.layout;
    const unsigned pitch = word_threads + 1, of_sublattice = AHEAD / 4 * pitch;
    uint32_t *const spins = reinterpret_cast<uint32_t *>(drawn + 2 * of_sublattice);
    const uint64_t first_word = static_cast<uint64_t>(blockIdx.x) * static_cast<uint64_t>(l.rows * l.words);
    const small_thread thread = thread_of(l, first_word);
    const bool has_word = threadIdx.x < word_threads; // whole warps
    const ahead_drawer drawer = drawer_of_thread(first_word / 4, word_threads);
    const ahead_rule rule = ahead_rule_of(view.rule);
    int64_t since = 0, record = 0;
    take_lattice(view, spins);
    if (threadIdx.x < 4)
        sums[threadIdx.x / 2][threadIdx.x % 2] = 0;
    if (!has_word)
        draw_sublattice(rule.key, drawer, view.first_sweep, 0, drawn);
    __syncthreads();
    for (int64_t k = 0; k < view.sweeps; k++) {
        const uint32_t sweep = view.first_sweep + static_cast<uint32_t>(k);
#pragma unroll
        for (int sublattice = 0; sublattice < sublattices::count; sublattice++) {
            const bool is_last = sublattice == sublattices::count - 1;
            if (has_word && thread.is_active && sublattices::has(sublattice, thread.row)) {
                const ahead_digits digits = digits_of(drawn + sublattice % 2 * of_sublattice + threadIdx.x,
                                                      pitch, thread.quad, sweep);
                small_flip flip = flip_of(l, spins, thread, sublattices::plane(sublattice, thread.row));
                if (is_general)
                    flip_each(&rule, digits, sweep, sublattice, flip.valid, flip.neighbours, flip.own);
                else
                    flip_alike(&rule, digits, sweep, sublattice, flip.valid, flip.neighbours, flip.own);
                spins[flip.place.own] = flip.own[0];
            } else if (!has_word) {
                draw_sublattice(rule.key, drawer, is_last ? sweep + 1 : sweep, is_last ? 0 : sublattice + 1,
                                drawn + (sublattice + 1) % 2 * of_sublattice);
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

template <bool is_general>
void begin(const small_view &view, unsigned blocks, unsigned with_words, size_t bytes, cudaStream_t stream)
{
    const unsigned threads = with_words * (1 + AHEAD / 4);
    if (view.layout.is_helical)
        ahead_kernel<is_general, true><<<blocks, threads, bytes, stream>>>(view, with_words);
    else
        ahead_kernel<is_general, false><<<blocks, threads, bytes, stream>>>(view, with_words);
}

} // namespace

bool ahead_fits(const ising_words &layout)
{
    return word_threads(layout) <= MOST_WORD_THREADS && layout.replicas <= MOST_BLOCKS;
}

cudaError_t ahead_begin(const small_view &view, cudaStream_t stream)
{
    const unsigned with_words = word_threads(view.layout),
                   blocks = static_cast<unsigned>(view.layout.replicas);
    const size_t bytes = 2 * AHEAD / 4 * (with_words + 1) * sizeof(uint4) + lattice_bytes(view.layout);
    if (view.rule.is_general)
        begin<true>(view, blocks, with_words, bytes, stream);
    else
        begin<false>(view, blocks, with_words, bytes, stream);
    return cudaGetLastError();
}

cudaError_t ahead_load()
{
    return kernels::load(ahead_kernel<true, true>, ahead_kernel<true, false>, ahead_kernel<false, true>,
                         ahead_kernel<false, false>);
}

} // namespace ising
