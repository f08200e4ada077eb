// The update of four words that share their random numbers, wherever they are in the lattice. Knows no launch.
#ifndef FATHOM_GPU_ISING_TURN_CUH
#define FATHOM_GPU_ISING_TURN_CUH

#include "gpu/ising_alike.cuh"
#include "gpu/ising_kernels.h"

namespace ising {
namespace {

#define WORD        uint32_t
#define WORDS(name) name
#define EACH(u)     static_cast<uint32_t>(u)
#define ANY(w)      ((w) != 0)
#define QUADS       const drawer &
#define DRAW(rule, quads, sweep, purpose, words)                                                             \
    (static_cast<void>(sweep), draw((rule)->key, quads, purpose, words))
#define DIGITS 1
#include "models/ising/word.h"
#undef DIGITS
#undef WORD
#undef WORDS
#undef EACH
#undef ANY
#undef QUADS
#undef DRAW

struct sweep_view {
    ising_words layout;
    ising_rule rule;
    alike_rule alike;
    uint32_t *words;
};

inline sweep_view sweep_view_of(const ising_device_lattice &lattice, const ising_rule &rule)
{
    return {lattice.layout, rule, alike_rule_of(rule), lattice.words};
}

// Which of the rules; of few threads each draws several digits at a time, so as not to wait for them one by one.
enum class deciding { GENERAL, ALIKE, ALIKE_OF_FEW };

template <deciding how>
__device__ __forceinline__ void decide(const sweep_view &view, uint64_t quad, uint32_t sweep, int phase,
                                       const uint32_t valid[4],
                                       const uint32_t neighbours[4][ISING_NEIGHBOUR_WORDS], uint32_t spins[4])
{
    if (how == deciding::GENERAL)
        turn_each(&view.rule, drawer_of(view.rule.key, quad, sweep), sweep, phase, valid, neighbours, spins);
    else if (how == deciding::ALIKE)
        turn_alike_quad<8, 1>(view.alike, quad, sweep, phase, valid, neighbours, spins);
    else
        turn_alike_quad<12, 4>(view.alike, quad, sweep, phase, valid, neighbours, spins);
}

// The words beside a quad of a plane's row: one place on (place.h, OTHER_SIDE).
__device__ __forceinline__ void take_other_side(const ising_words &l, const uint32_t *words, int64_t replica,
                                                int plane, int64_t row, int64_t first, const uint4 &side,
                                                uint32_t other[4])
{
    const uint32_t *beside = words + ising_word_at(&l, replica, 1 - plane, row, first);
    uint32_t next;
    if (plane == 0 ? first > 0 : first + 4 < l.words) {
        next = plane == 0 ? beside[-1] : beside[4];
    } else {
        uint32_t turned[ISING_NEIGHBOUR_WORDS];
        ising_neighbour_words(&l, words, replica, plane, row, plane == 0 ? 0 : l.words - 1, turned);
        next = turned[ISING_OTHER_SIDE];
    }
    other[0] = plane == 0 ? next : side.y;
    other[1] = plane == 0 ? side.x : side.z;
    other[2] = plane == 0 ? side.y : side.w;
    other[3] = plane == 0 ? side.z : next;
}

// Rows of whole quads: four words are one load. quad = line · (words of a row / 4) + in_row, line = replica · rows + row.
template <deciding how>
__device__ __forceinline__ void turn_row_quad(const sweep_view &view, uint32_t sweep, int phase,
                                              int64_t replica, int64_t row, unsigned in_row, uint64_t quad)
{
    const ising_words &l = view.layout;
    const int plane = ising_phase_plane(l.is_helical, phase, row);
    if (plane < 0)
        return;
    const uint32_t mask = ising_word_mask(l.bits), valid[4] = {mask, mask, mask, mask};
    const int64_t first = 4 * static_cast<int64_t>(in_row);
    const int64_t above = row == 0 ? l.rows - 1 : row - 1, below = row == l.rows - 1 ? 0 : row + 1;
    const auto at = [&](int of, int64_t line) {
        return reinterpret_cast<uint4 *>(view.words + ising_word_at(&l, replica, of, line, first));
    };
    uint4 *const own = at(plane, row);
    const uint4 s = *own, up = *at(plane, above), down = *at(plane, below), side = *at(1 - plane, row);
    uint32_t other[4];
    take_other_side(l, view.words, replica, plane, row, first, side, other);
    const uint32_t neighbours[4][ISING_NEIGHBOUR_WORDS] = {{side.x, other[0], up.x, down.x},
                                                           {side.y, other[1], up.y, down.y},
                                                           {side.z, other[2], up.z, down.z},
                                                           {side.w, other[3], up.w, down.w}};
    uint32_t spins[4] = {s.x, s.y, s.z, s.w};
    decide<how>(view, quad, sweep, phase, valid, neighbours, spins);
    *own = {spins[0], spins[1], spins[2], spins[3]};
}

// Any rows: a quad may have words of several of them.
template <deciding how>
__device__ __forceinline__ void turn_any_quad(const sweep_view &view, uint32_t sweep, int phase, int64_t quad)
{
    const ising_words &l = view.layout;
    const int64_t all = l.replicas * l.rows * l.words;
    uint32_t spins[4], valid[4], neighbours[4][ISING_NEIGHBOUR_WORDS];
    int64_t at[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int64_t number = 4 * quad + k, line = number / l.words, word = number - line * l.words;
        const int64_t replica = line / l.rows, row = line - replica * l.rows;
        const int plane = number < all ? ising_phase_plane(l.is_helical, phase, row) : -1;
        valid[k] = plane < 0 ? 0 : ising_word_mask(l.bits);
        at[k] = -1;
        spins[k] = neighbours[k][0] = neighbours[k][1] = neighbours[k][2] = neighbours[k][3] = 0;
        if (plane < 0)
            continue;
        at[k] = ising_word_at(&l, replica, plane, row, word);
        spins[k] = view.words[at[k]];
        ising_neighbour_words(&l, view.words, replica, plane, row, word, neighbours[k]);
    }
    decide<how>(view, static_cast<uint64_t>(quad), sweep, phase, valid, neighbours, spins);
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (at[k] >= 0)
            view.words[at[k]] = spins[k];
}

inline int64_t count_quads(const ising_words &l)
{
    return (l.replicas * l.rows * l.words + 3) / 4;
}

} // namespace
} // namespace ising

#endif
