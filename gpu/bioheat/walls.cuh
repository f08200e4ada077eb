// The heat through the convective sides within a sweeping kernel (sweep.cuh).
#ifndef FATHOM_GPU_BIOHEAT_WALLS_CUH
#define FATHOM_GPU_BIOHEAT_WALLS_CUH

#include "gpu/bioheat/plain.cuh"
#include "gpu/bioheat/sweep.cuh"

namespace heat {

inline bool media_has_walls(const heat_media &media)
{
    bool any = false;
    for (int side = 0; side < HEAT_SIDES; side++)
        any = any || media.has_wall[side];
    return any;
}

// Not inlined: it would take the registers of cells that lie at no side.
template <typename Real>
static __device__ __noinline__ Real walls_at(const heat_step &step, int z, int y, int x)
{
    return walls_of<Real, unsigned char>(step, z, y, x).theta;
}

// The heat through the convective sides, of a row of a thread's cells; most lie at none.
template <typename Tile>
DEVICE void add_walls(const heat_step &step, const sweep_place<Tile> &me, int z, int r,
                      pack<typename Tile::Real> &change)
{
    typedef typename Tile::Real Real;
    const int *const cells = step.shape.cells;
    const int y = me.y + r;
    const bool is_outermost = z == 0 || z == cells[BIOHEAT_Z] - 1 || y == 0 || y == cells[BIOHEAT_Y] - 1;
#pragma unroll
    for (int v = 0; v < sweep_shape<Real>::VECTOR; v++) {
        const int x = me.x + v;
        if (v < me.count && (is_outermost || x == 0 || x == cells[BIOHEAT_X] - 1))
            change.cells[v] += walls_at<Real>(step, z, y, x);
    }
}

} // namespace heat

#endif
