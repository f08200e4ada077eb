// The update of four words that share their random numbers, anywhere in the lattice.
#ifndef FATHOM_GPU_ISING_FLIP_CUH
#define FATHOM_GPU_ISING_FLIP_CUH

#include "gpu/ising/decide.cuh"
#include "gpu/ising/kernels.h"
#include "gpu/ising/row.cuh"

#include <type_traits>

namespace ising {
namespace {

struct sweep_view {
    ising_words layout;
    decision_rule rule;
    uint32_t *words;
};

inline sweep_view sweep_view_of(const ising_device_lattice &lattice, const ising_rule &rule)
{
    return {lattice.layout, decision_rule_of(rule), lattice.words};
}

// The kinds of rules.
enum class deciding { ALIKE, HEAT_BATH, IN_FIELD };

// Calls begin(kind) with the kind of the rule as a constant.
template <typename Begin> auto with_rule(const ising_rule &rule, const Begin &begin)
{
    if (!rule.is_general)
        return begin(std::integral_constant<deciding, deciding::ALIKE>());
    return rule.is_heat_bath ? begin(std::integral_constant<deciding, deciding::HEAT_BATH>())
                             : begin(std::integral_constant<deciding, deciding::IN_FIELD>());
}

template <deciding how, typename Draws>
DEVICE void decide(const decision_rule &rule, const Draws &draws, int sublattice, const uint32_t valid[4],
                   const uint32_t neighbours[4][ISING_NEIGHBOUR_WORDS], uint32_t spins[4])
{
    if constexpr (how == deciding::ALIKE)
        flip_alike(rule, draws, sublattice, valid, neighbours, spins);
    else
        flip_each<how == deciding::IN_FIELD>(rule, draws, sublattice, valid, neighbours, spins);
}

// Rows of whole quads: four words are one load. draws: of quad (replica · rows + row) · (words of a row / 4)
// + in_row.
template <deciding how, typename Draws>
DEVICE void flip_row_quad(const sweep_view &view, const Draws &draws, int sublattice, int64_t replica,
                          int64_t row, unsigned in_row)
{
    const ising_words &l = view.layout;
    const int plane = ising_sublattice_plane(l.is_helical, sublattice, row);
    if (plane < 0)
        return;
    const uint32_t mask = ising_word_mask(l.bits), valid[4] = {mask, mask, mask, mask};
    const int64_t first = 4 * static_cast<int64_t>(in_row);
    const int64_t above = ising_row_above(&l, row), below = ising_row_below(&l, row);
    uint4 *const own = quad_at(l, view.words, replica, plane, row, first);
    const uint4 s = *own, up = *quad_at(l, view.words, replica, plane, above, first);
    const uint4 down = *quad_at(l, view.words, replica, plane, below, first);
    const uint4 side = *quad_at(l, view.words, replica, 1 - plane, row, first);
    uint32_t other[4];
    take_other_side(l, view.words, replica, plane, row, first, side, other);
    const uint32_t neighbours[4][ISING_NEIGHBOUR_WORDS] = {{side.x, other[0], up.x, down.x},
                                                           {side.y, other[1], up.y, down.y},
                                                           {side.z, other[2], up.z, down.z},
                                                           {side.w, other[3], up.w, down.w}};
    uint32_t spins[4] = {s.x, s.y, s.z, s.w};
    decide<how>(view.rule, draws, sublattice, valid, neighbours, spins);
    *own = {spins[0], spins[1], spins[2], spins[3]};
}

// Any rows: a quad may have words of several of them. Only words number begin … end − 1 are treated.
template <deciding how, typename Draws>
DEVICE void flip_any_quad(const sweep_view &view, const Draws &draws, int sublattice, int64_t quad,
                          int64_t begin, int64_t end)
{
    const ising_words &l = view.layout;
    uint32_t spins[4], valid[4], neighbours[4][ISING_NEIGHBOUR_WORDS];
    int64_t at[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int64_t number = 4 * quad + k, line = number / l.words, word = number - line * l.words;
        const int64_t replica = line / l.rows, row = line - replica * l.rows;
        const int plane =
            number >= begin && number < end ? ising_sublattice_plane(l.is_helical, sublattice, row) : -1;
        valid[k] = plane < 0 ? 0 : ising_word_mask(l.bits);
        at[k] = -1;
        spins[k] = neighbours[k][0] = neighbours[k][1] = neighbours[k][2] = neighbours[k][3] = 0;
        if (plane < 0)
            continue;
        at[k] = ising_word_at(&l, replica, plane, row, word);
        spins[k] = view.words[at[k]];
        ising_neighbour_words(&l, view.words, replica, plane, row, word, neighbours[k]);
    }
    decide<how>(view.rule, draws, sublattice, valid, neighbours, spins);
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (at[k] >= 0)
            view.words[at[k]] = spins[k];
}

__host__ __device__ inline int64_t count_words(const ising_words &l)
{
    return l.replicas * l.rows * l.words;
}

__host__ __device__ inline int64_t count_quads(const ising_words &l)
{
    return (count_words(l) + 3) / 4;
}

} // namespace
} // namespace ising

#endif
