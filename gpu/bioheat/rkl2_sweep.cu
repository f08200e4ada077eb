// The stages of method rkl2 sweeping along z (sweep.cuh), as differences from the step's start
// (models/bioheat/rkl2.h), which leaves a stage an array less to read. The last one adds its difference to
// the temperature, and the step's dose between the two.
#include "gpu/bioheat/fields.cuh"
#include "gpu/bioheat/labels.cuh"
#include "gpu/bioheat/mean_dose.cuh"
#include "gpu/bioheat/plain.cuh"

namespace heat {
namespace {

// Not inlined: it would take the registers of cells that lie at no side.
template <typename Real> __device__ __noinline__ Real walls_at(const heat_step &step, int z, int y, int x)
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

// A stage's weights and the arrays beside the one whose rates it takes (struct heat_difference).
template <typename Real_, bool HAS_DOSE> struct stage_ending {
    typedef Real_ Real;
    enum { ROWS = sweep_shape<Real>::ROWS, VECTOR = sweep_shape<Real>::VECTOR, IS_EARLY = false };
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
    DEVICE void store(const heat_step &step, const sweep_place<Tile> &me, int z, long long place, int r,
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
    for (int side = 0; side < HEAT_SIDES; side++)
        ending.has_walls = ending.has_walls || step.media.has_wall[side];
    return ending;
}

template <typename Media, typename Real>
void sweep_stage(const heat_step &step, const heat_difference &by, int multiprocessors, cudaStream_t stream)
{
    if (by.start && step.records.low)
        sweep_to<Media>(step, ending_of<Real, true>(step, by), multiprocessors, stream);
    else
        sweep_to<Media>(step, ending_of<Real, false>(step, by), multiprocessors, stream);
}

template <typename Media> bool loads_stages(enum element precision)
{
    return kernels::with_real(precision, [](auto real) {
        typedef decltype(real) Real;
        return sweep_loads_one<Media, stage_ending<Real, false>>() &&
               sweep_loads_one<Media, stage_ending<Real, true>>();
    });
}

} // namespace

bool loads_label_stages(enum element precision)
{
    return loads_stages<label_media<false>>(precision) && loads_stages<label_media<true>>(precision);
}

bool loads_field_stages(enum element precision)
{
    return loads_stages<field_media>(precision);
}

} // namespace heat

using namespace heat;

extern "C" cudaError_t heat_sweep_stage(const heat_step *step, const heat_difference *by,
                                        enum element precision, int multiprocessors, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        if (!step->media.has_labels)
            sweep_stage<field_media, Real>(*step, *by, multiprocessors, stream);
        else if (step->media.is_quadratic)
            sweep_stage<label_media<true>, Real>(*step, *by, multiprocessors, stream);
        else
            sweep_stage<label_media<false>, Real>(*step, *by, multiprocessors, stream);
    });
}
