// Sweeps of small lattices, 32 spins a word: a block holds a lattice in shared memory for all its sweeps. A
// thread has a word of each sublattice; each of the four threads of a quad draws a digit for all four words,
// and they exchange them.
#include "gpu/ising/small.cuh"
#include "gpu/launch.cuh"

namespace ising {
namespace {

// A quad of lanes: lane `part` draws digit first + part of four, for four words.
struct share {
    drawer from;
    unsigned part;
};

// The random words of one word's digits first … first + 3: the four lanes' four words, transposed.
DEVICE void draw_shared(const philox_key &key, const share &quad, int sublattice, int first,
                        uint32_t digits[4][1])
{
    uint32_t drawn[4];
    draw(key, quad.from, ising_purpose(ISING_USE_SPINS, sublattice, first + static_cast<int>(quad.part)),
         drawn);
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

#define WORD        uint32_t
#define WORDS(name) name
#define EACH(u)     static_cast<uint32_t>(u)
#define QUADS       const share &
// Lanes exchange digits: all lanes of a warp continue together.
#define ANY(w)   __any_sync(ALL_LANES, (w) != 0)
#define DIGITS   4
#define TOGETHER 1
#define DRAW_DIGITS(rule, quads, sweep, sublattice, first, random)                                           \
    (static_cast<void>(sweep), draw_shared((rule)->key, quads, sublattice, first, random))
#define RULE                                  small_rule
#define DIGIT_MASK(rule, threshold, digit)    ((rule)->digits.threshold[digit])
#define AT_DIGIT(rule, threshold, digit, set) ((rule)->digits.threshold[digit] & (set))
#define WORD_FUNCTION                         DEVICE
#include "models/ising/word.inc"

template <bool is_general>
__global__ void __launch_bounds__(MOST_THREADS) small_kernel(const __grid_constant__ small_view view)
{
    extern __shared__ uint32_t spins[]; // [2][rows][words]
    __shared__ unsigned sums[2][2];
    const ising_words &l = view.layout;
    const small_thread thread =
        thread_of(l, static_cast<uint64_t>(blockIdx.x) * static_cast<uint64_t>(l.rows * l.words));
    const int sublattices = l.is_helical ? 4 : 2;
    int64_t since = 0, record = 0;
    take_lattice(view, spins);
    if (threadIdx.x < 4)
        sums[threadIdx.x / 2][threadIdx.x % 2] = 0;
    __syncthreads();
    for (int64_t k = 0; k < view.sweeps; k++) {
        const uint32_t sweep = view.first_sweep + static_cast<uint32_t>(k);
        const share quad = {drawer_of(view.rule.key, thread.quad, sweep), threadIdx.x % 4};
        for (int sublattice = 0; sublattice < sublattices; sublattice++) {
            const int plane = ising_sublattice_plane(l.is_helical, sublattice, thread.row);
            const bool is_active = thread.is_active && plane >= 0;
            small_flip flip = {};
            if (is_active)
                flip = flip_of(l, spins, thread, plane);
            if (is_general)
                flip_each(&view.rule, quad, sweep, sublattice, flip.valid, flip.neighbours, flip.own);
            else
                flip_alike(&view.rule, quad, sweep, sublattice, flip.valid, flip.neighbours, flip.own);
            if (is_active)
                spins[flip.place.own] = flip.own[0];
            __syncthreads();
        }
        if (view.every == 0 || ++since < view.every)
            continue;
        measure_lattice(view, spins, thread, record++, sums);
        since = 0;
    }
    give_lattice(view, spins);
}

small_rule small_rule_of(const ising_rule &rule)
{
    small_rule with_digits;
    static_cast<ising_rule &>(with_digits) = rule;
    const auto all_bits = [](uint64_t threshold, int digit) {
        return threshold >> (31 - digit) & 1 ? 0xffffffffu : 0u;
    };
    for (int digit = 0; digit < 32; digit++) {
        with_digits.digits.three[digit] = all_bits(rule.three, digit);
        with_digits.digits.four[digit] = all_bits(rule.four, digit);
        for (int up = 0; up < 2; up++)
            for (int n = 0; n < 5; n++)
                with_digits.digits.thresholds[up][n][digit] = all_bits(rule.thresholds[up][n], digit);
    }
    return with_digits;
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
           word_threads(layout) <= MOST_THREADS;
}

extern "C" cudaError_t ising_small_run(const struct ising_device_lattice *lattice,
                                       const struct ising_rule *rule, uint32_t first_sweep, int64_t sweeps,
                                       int64_t every, long long *measures, cudaStream_t stream)
{
    const ising_words &l = lattice->layout;
    const small_view view = {l, small_rule_of(*rule), lattice->words, first_sweep, sweeps, every, measures};
    const unsigned blocks = static_cast<unsigned>(l.replicas), threads = word_threads(l);
    if (ahead_fits(l))
        return ahead_begin(view, stream);
    if (rule->is_general)
        small_kernel<true><<<blocks, threads, lattice_bytes(l), stream>>>(view);
    else
        small_kernel<false><<<blocks, threads, lattice_bytes(l), stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_small_load(void)
{
    const cudaError_t error = ahead_load();
    return error == cudaSuccess ? kernels::load(small_kernel<true>, small_kernel<false>) : error;
}
