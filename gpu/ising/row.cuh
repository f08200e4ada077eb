// Four words of a plane's row at a time, where rows have whole quads of words.
#ifndef FATHOM_GPU_ISING_ROW_CUH
#define FATHOM_GPU_ISING_ROW_CUH

#include "gpu/inline.cuh"
#include "models/ising/place.h"

#include <type_traits>

namespace ising {
namespace {

template <typename Words>
DEVICE auto quad_at(const ising_words &l, Words *words, int64_t replica, int plane, int64_t row,
                    int64_t first)
{
    typedef std::conditional_t<std::is_const_v<Words>, const uint4, uint4> quad;
    return reinterpret_cast<quad *>(words + ising_word_at(&l, replica, plane, row, first));
}

// The words beside a quad of a plane's row, shifted by one (place.h, OTHER_SIDE).
DEVICE void take_other_side(const ising_words &l, const uint32_t *words, int64_t replica, int plane,
                            int64_t row, int64_t first, const uint4 &side, uint32_t other[4])
{
    const uint32_t *beside = words + ising_word_at(&l, replica, 1 - plane, row, first);
    uint32_t next;
    if (plane == 0 ? first > 0 : first + 4 < l.words) {
        next = plane == 0 ? beside[-1] : beside[4];
    } else {
        uint32_t flipped[ISING_NEIGHBOUR_WORDS];
        ising_neighbour_words(&l, words, replica, plane, row, plane == 0 ? 0 : l.words - 1, flipped);
        next = flipped[ISING_OTHER_SIDE];
    }
    other[0] = plane == 0 ? next : side.y;
    other[1] = plane == 0 ? side.x : side.z;
    other[2] = plane == 0 ? side.y : side.w;
    other[3] = plane == 0 ? side.z : next;
}

} // namespace
} // namespace ising

#endif
