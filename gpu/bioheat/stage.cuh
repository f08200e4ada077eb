// What the sweeping kernels of method rkl2 do with the changes of their cells: a stage's difference
// (kernels.h, struct heat_difference) or, in the last one, the new temperature and the step's dose.
#ifndef FATHOM_GPU_BIOHEAT_STAGE_CUH
#define FATHOM_GPU_BIOHEAT_STAGE_CUH

#include "gpu/bioheat/mean_dose.cuh"
#include "gpu/bioheat/walls.cuh"

namespace heat {

// A stage's weights and the arrays beside the one whose rates it takes (struct heat_difference).
template <typename Real_, bool HAS_DOSE> struct stage_ending {
    typedef Real_ Real;
    enum {
        ROWS = sweep_shape<Real>::ROWS,
        VECTOR = sweep_shape<Real>::VECTOR,
        IS_EARLY = false,
        HAS_PEERS = false
    };
    const Real *first, *earlier, *start;
    Real rate, last_weight, first_weight, earlier_weight;
    bool has_walls;
    mean_law<Real> mean;

    struct plane {
        pack<Real> first[ROWS], earlier[ROWS], start[ROWS];
    };

    // 128 bytes a lane into the second cache level.
    template <typename Tile>
    DEVICE void fetch(const heat_shape &shape, const sweep_block<Tile> &block, int z) const
    {
        enum {
            LINE = 128 / sizeof(Real),
            LINES_A_ROW = Tile::WIDTH / LINE,
            LINES = LINES_A_ROW * Tile::HEIGHT
        };
        if (z < block.first || z >= block.last)
            return;
#pragma unroll 1
        for (int line = static_cast<int>(threadIdx.x) % 32; line < LINES; line += 32) {
            const int x = block.x0 + line % LINES_A_ROW * LINE, y = block.y0 + line / LINES_A_ROW;
            if (x >= shape.last[BIOHEAT_X] || y >= shape.last[BIOHEAT_Y])
                continue;
            const long long place = place_of(shape, z, y, x);
            if (first)
                fetch_ahead(first + place);
            if (earlier)
                fetch_ahead(earlier + place);
            if (start)
                fetch_ahead(start + place);
        }
    }

    template <typename Tile>
    DEVICE void load(const heat_step &step, const sweep_place<Tile> &me, const sweep_numbers<Real> &,
                     const pack<Real>[], long long place, plane &held) const
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const long long row = place + r * step.shape.pitch;
            if (!me.is_inside[r])
                continue;
            if (first)
                held.first[r] = load_pack(first + row);
            if (earlier)
                held.earlier[r] = load_pack(earlier + row);
            if (start)
                held.start[r] = load_pack(start + row);
        }
    }

    template <typename Tile>
    DEVICE void fetch_next(const heat_step &, const sweep_place<Tile> &, const sweep_numbers<Real> &,
                           const Real *, long long) const
    {
    }

    DEVICE void record(const heat_step &, const sweep_numbers<Real> &, long long, int, const pack<Real> &,
                       const plane &, int) const
    {
    }

    DEVICE void add_dose(const heat_step &step, long long place, const pack<Real> &before,
                         const pack<Real> &after, int count) const
    {
        Real *const low = array<Real>(step.records.low) + place;
        bool any = false;
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            any = any || before.cells[v] >= mean.law.least_k || after.cells[v] >= mean.law.least_k;
        if (!any)
            return;
        pack<Real> sum = load_pack(low);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            if (before.cells[v] >= mean.law.least_k || after.cells[v] >= mean.law.least_k)
                sum.cells[v] = mean_dose_with(mean, sum.cells[v], before.cells[v], after.cells[v]);
        store_cells(low, sum, count);
    }

    template <typename Tile>
    DEVICE pack<Real> store(const heat_step &step, const sweep_place<Tile> &me, int z, long long place, int r,
                            const pack<Real> &own, pack<Real> &change, const plane &held) const
    {
        if (has_walls)
            add_walls<Tile>(step, me, z, r, change);
        pack<Real> result;
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            Real sum = madd(rate, change.cells[v], last_weight * own.cells[v]);
            if (first)
                sum = madd(first_weight, held.first[r].cells[v], sum);
            if (earlier)
                sum = madd(earlier_weight, held.earlier[r].cells[v], sum);
            result.cells[v] = start ? held.start[r].cells[v] + sum : sum;
        }
        if (HAS_DOSE)
            add_dose(step, place, held.start[r], result, me.count);
        store_cells(array<Real>(step.to) + place, result, me.count);
        return result;
    }
};

template <typename Real, bool HAS_DOSE>
stage_ending<Real, HAS_DOSE> ending_of(const heat_step &step, const heat_difference &by)
{
    stage_ending<Real, HAS_DOSE> ending = {array<Real>(by.first),
                                           array<Real>(by.earlier),
                                           array<Real>(by.start),
                                           static_cast<Real>(by.rate),
                                           static_cast<Real>(by.last_weight),
                                           static_cast<Real>(by.first_weight),
                                           static_cast<Real>(by.earlier_weight),
                                           false,
                                           mean_law_of<Real>(step.records)};
    ending.has_walls = media_has_walls(step.media);
    return ending;
}

} // namespace heat

#endif
