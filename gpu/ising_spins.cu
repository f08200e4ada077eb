// Sweeps of the Ising model, 32 spins a word: a thread decides four words at a time, which share the outputs of each call of the generator.
#include "gpu/ising_draw.cuh"
#include "gpu/ising_kernels.h"
#include "gpu/load.cuh"

namespace ising {
namespace {

constexpr unsigned THREADS = 128;
// Quads below which threads are too few to hide how long each waits for itself (a lattice of 2048 x 2048 has 32 768).
constexpr int64_t FEW_QUADS = 200000;

#define WORD        uint32_t
#define WORDS(name) name
#define EACH(u)     static_cast<uint32_t>(u)
#define ANY(w)      ((w) != 0)
#define QUADS       const drawer &
#define DRAW(rule, quads, sweep, purpose, words)                                                             \
    (static_cast<void>(sweep), draw((rule)->key, quads, purpose, words))

// Of many threads each draws a digit at a time; of few, several, so as not to wait.
namespace sparing {
#define DIGITS 1
#include "models/ising/word.h"
#undef DIGITS
} // namespace sparing
namespace hasty {
#define DIGITS 4
#include "models/ising/word.h"
#undef DIGITS
} // namespace hasty

struct sweep_view {
    ising_words layout;
    ising_rule rule;
    uint32_t *words;
    uint32_t sweep;
    int phase;
};

template <bool is_general, bool is_hasty>
__device__ __forceinline__ void decide(const sweep_view &view, uint64_t quad, const uint32_t valid[4],
                                       const uint32_t neighbours[4][ISING_NEIGHBOUR_WORDS], uint32_t spins[4])
{
    const drawer from = drawer_of(view.rule.key, quad, view.sweep);
    if (is_general)
        sparing::turn_each(&view.rule, from, view.sweep, view.phase, valid, neighbours, spins);
    else if (is_hasty)
        hasty::turn_alike(&view.rule, from, view.sweep, view.phase, valid, neighbours, spins);
    else
        sparing::turn_alike(&view.rule, from, view.sweep, view.phase, valid, neighbours, spins);
}

// Rows of whole quads: four words are one load.
template <bool is_general, bool is_hasty>
__global__ void __launch_bounds__(THREADS) sweep_rows_kernel(const __grid_constant__ sweep_view view)
{
    const ising_words &l = view.layout;
    const unsigned quads = static_cast<unsigned>(l.words / 4), in_row = blockIdx.x * blockDim.x + threadIdx.x;
    if (in_row >= quads)
        return;
    const uint32_t mask = ising_word_mask(l.bits), valid[4] = {mask, mask, mask, mask};
    const int64_t first = 4 * static_cast<int64_t>(in_row);
    const unsigned first_line = blockIdx.y * blockDim.y + threadIdx.y;
    for (int64_t line = first_line; line < l.replicas * l.rows; line += gridDim.y * blockDim.y) {
        const int64_t replica = line / l.rows, row = line - replica * l.rows;
        const int plane = ising_phase_plane(l.is_helical, view.phase, row);
        if (plane < 0)
            continue;
        const int64_t above = row == 0 ? l.rows - 1 : row - 1, below = row == l.rows - 1 ? 0 : row + 1;
        uint4 *own = reinterpret_cast<uint4 *>(view.words + ising_word_at(&l, replica, plane, row, first));
        const uint4 s = *own;
        const uint4 up =
            *reinterpret_cast<const uint4 *>(view.words + ising_word_at(&l, replica, plane, above, first));
        const uint4 down =
            *reinterpret_cast<const uint4 *>(view.words + ising_word_at(&l, replica, plane, below, first));
        const uint32_t *beside = view.words + ising_word_at(&l, replica, 1 - plane, row, first);
        const uint4 side = *reinterpret_cast<const uint4 *>(beside);
        uint32_t next;
        if (plane == 0 ? first > 0 : first + 4 < l.words) {
            next = plane == 0 ? beside[-1] : beside[4];
        } else {
            uint32_t turned[ISING_NEIGHBOUR_WORDS];
            ising_neighbour_words(&l, view.words, replica, plane, row, plane == 0 ? 0 : l.words - 1, turned);
            next = turned[ISING_OTHER_SIDE];
        }
        const uint32_t other[4] = {plane == 0 ? next : side.y, plane == 0 ? side.x : side.z,
                                   plane == 0 ? side.y : side.w, plane == 0 ? side.z : next};
        const uint32_t neighbours[4][ISING_NEIGHBOUR_WORDS] = {{side.x, other[0], up.x, down.x},
                                                               {side.y, other[1], up.y, down.y},
                                                               {side.z, other[2], up.z, down.z},
                                                               {side.w, other[3], up.w, down.w}};
        uint32_t spins[4] = {s.x, s.y, s.z, s.w};
        decide<is_general, is_hasty>(view, static_cast<uint64_t>(line) * quads + in_row, valid, neighbours,
                                     spins);
        *own = {spins[0], spins[1], spins[2], spins[3]};
    }
}

// Any rows: a quad may have words of several of them.
template <bool is_general, bool is_hasty>
__global__ void __launch_bounds__(THREADS) sweep_kernel(const __grid_constant__ sweep_view view)
{
    const ising_words &l = view.layout;
    const int64_t all = l.replicas * l.rows * l.words, quads = (all + 3) / 4;
    for (int64_t quad = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x; quad < quads;
         quad += gridDim.x * static_cast<int64_t>(THREADS)) {
        uint32_t spins[4], valid[4], neighbours[4][ISING_NEIGHBOUR_WORDS];
        int64_t at[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int64_t number = 4 * quad + k, line = number / l.words, word = number - line * l.words;
            const int64_t replica = line / l.rows, row = line - replica * l.rows;
            const int plane = number < all ? ising_phase_plane(l.is_helical, view.phase, row) : -1;
            valid[k] = plane < 0 ? 0 : ising_word_mask(l.bits);
            at[k] = -1;
            spins[k] = neighbours[k][0] = neighbours[k][1] = neighbours[k][2] = neighbours[k][3] = 0;
            if (plane < 0)
                continue;
            at[k] = ising_word_at(&l, replica, plane, row, word);
            spins[k] = view.words[at[k]];
            ising_neighbour_words(&l, view.words, replica, plane, row, word, neighbours[k]);
        }
        decide<is_general, is_hasty>(view, static_cast<uint64_t>(quad), valid, neighbours, spins);
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (at[k] >= 0)
                view.words[at[k]] = spins[k];
    }
}

template <bool is_general, bool is_hasty> void begin_phase(const sweep_view &view, cudaStream_t stream)
{
    const ising_words &l = view.layout;
    const int64_t lines = l.replicas * l.rows;
    if (l.words % 4 == 0) {
        // A block has several short rows.
        const unsigned quads = static_cast<unsigned>(l.words / 4), across = quads < THREADS ? quads : THREADS;
        const dim3 threads(across, THREADS / across);
        const int64_t high = (lines + threads.y - 1) / threads.y;
        const dim3 blocks((quads + across - 1) / across, static_cast<unsigned>(high < 65535 ? high : 65535));
        sweep_rows_kernel<is_general, is_hasty><<<blocks, threads, 0, stream>>>(view);
        return;
    }
    const int64_t blocks = ((lines * l.words + 3) / 4 + THREADS - 1) / THREADS;
    sweep_kernel<is_general, is_hasty>
        <<<static_cast<unsigned>(blocks < 1 << 20 ? blocks : 1 << 20), THREADS, 0, stream>>>(view);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" cudaError_t ising_device_sweep(const struct ising_device_lattice *lattice,
                                          const struct ising_rule *rule, uint32_t sweep, cudaStream_t stream)
{
    sweep_view view = {lattice->layout, *rule, lattice->words, sweep, 0};
    const int phases = lattice->layout.is_helical ? 4 : 2;
    const int64_t quads = view.layout.replicas * view.layout.rows * view.layout.words / 4;
    const bool is_small = quads < FEW_QUADS;
    for (view.phase = 0; view.phase < phases; view.phase++)
        if (rule->is_general)
            begin_phase<true, false>(view, stream);
        else if (is_small)
            begin_phase<false, true>(view, stream);
        else
            begin_phase<false, false>(view, stream);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_load_sweeps(void)
{
    return kernels::load(sweep_rows_kernel<false, false>, sweep_rows_kernel<false, true>,
                         sweep_rows_kernel<true, false>, sweep_kernel<false, false>,
                         sweep_kernel<false, true>, sweep_kernel<true, false>);
}
