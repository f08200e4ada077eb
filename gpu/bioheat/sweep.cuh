// The heat model's sweeping kernels: a block of threads has a tile of the xy-plane (tile.cuh) and sweeps
// along z, with four planes in shared memory (pipeline.cuh). From plane to plane a thread keeps only the
// fluxes through the faces below, in registers.
#ifndef FATHOM_GPU_BIOHEAT_SWEEP_CUH
#define FATHOM_GPU_BIOHEAT_SWEEP_CUH

#include "gpu/bioheat/pipeline.cuh"
#include "gpu/launch.cuh"

namespace heat {

// A step's numbers in the precision of the run: as a kernel's parameter they take no registers.
template <typename Real> struct sweep_numbers {
    Real scale[BIOHEAT_AXES], arterial, contrast_limit;
    dose_law<Real> law;
};

template <typename Real> DEVICE void store_cells(Real *to, const pack<Real> &cells, int count)
{
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    if (count >= VECTOR)
        store_pack(to, cells);
    else
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            if (v < count)
                to[v] = cells.cells[v];
}

// ---- records of θ before a step

// Of a vector of cells. If no cell is warm enough, nothing is read or written.
template <typename Real> DEVICE bool counts(const dose_law<Real> &law, const pack<Real> &theta)
{
    bool any = false;
#pragma unroll
    for (int v = 0; v < sweep_shape<Real>::VECTOR; v++)
        any = any || theta.cells[v] >= law.least_k;
    return any;
}

template <typename Real>
DEVICE void add_dose(const dose_law<Real> &law, Real *to, pack<Real> sum, const pack<Real> &theta, int count)
{
#pragma unroll
    for (int v = 0; v < sweep_shape<Real>::VECTOR; v++)
        if (theta.cells[v] >= law.least_k)
            sum.cells[v] = dose_with(law, sum.cells[v], theta.cells[v]);
    store_cells(to, sum, count);
}

template <typename Real>
DEVICE void keep_largest(const heat_records &records, long long place, const pack<Real> &theta, int count)
{
    Real *const largest = array<Real>(records.largest) + place;
    const pack<Real> before = load_pack(largest);
#pragma unroll
    for (int v = 0; v < sweep_shape<Real>::VECTOR; v++)
        if (theta.cells[v] > before.cells[v] && v < count) {
            largest[v] = theta.cells[v];
            records.largest_at_s[place + v] = records.time_s;
        }
}

// Before a plane is computed: the dose so far of the rows that have a warm cell.
template <typename Tile>
DEVICE void load_doses(const heat_step &step, const sweep_place<Tile> &me,
                       const dose_law<typename Tile::Real> &law, const pack<typename Tile::Real> own[],
                       long long place, bool is_warm[], pack<typename Tile::Real> dose[])
{
    typedef typename Tile::Real Real;
#pragma unroll
    for (int r = 0; r < sweep_shape<Real>::ROWS; r++) {
        is_warm[r] = me.is_inside[r] && counts(law, own[r]);
        if (is_warm[r])
            dose[r] = load_pack(array<Real>(step.records.low) + place + r * step.shape.pitch);
    }
}

// Prefetches the next plane's records.
template <bool HAS_DOSE, bool HAS_LARGEST, typename Tile>
DEVICE void fetch_records(const heat_step &step, const sweep_place<Tile> &me,
                          const dose_law<typename Tile::Real> &law, const typename Tile::Real *next,
                          long long place)
{
    typedef typename Tile::Real Real;
#pragma unroll
    for (int r = 0; r < sweep_shape<Real>::ROWS; r++) {
        const long long row = place + step.shape.plane + r * step.shape.pitch;
        if (HAS_DOSE && me.is_inside[r] && counts(law, load_pack(next + r * Tile::PITCH)))
            fetch_ahead(array<Real>(step.records.low) + row);
        if (HAS_LARGEST && me.is_inside[r])
            fetch_ahead(array<Real>(step.records.largest) + row);
    }
}

// Records a row of a thread's cells; has_dose: the dose so far was loaded.
template <bool HAS_LARGEST, typename Real>
DEVICE void record_row(const heat_step &step, const dose_law<Real> &law, long long place,
                       const pack<Real> &own, bool has_dose, const pack<Real> &dose, int count)
{
    if (has_dose)
        add_dose(law, array<Real>(step.records.low) + place, dose, own, count);
    if (HAS_LARGEST)
        keep_largest(step.records, place, own, count);
}

// ---- the new temperature

template <typename Real>
DEVICE void store_sum(const heat_step &step, long long place, const pack<Real> &own, const pack<Real> &change,
                      int count)
{
    pack<Real> result;
#pragma unroll
    for (int v = 0; v < sweep_shape<Real>::VECTOR; v++)
        result.cells[v] = own.cells[v] + change.cells[v];
    store_cells(array<Real>(step.to) + place, result, count);
}

// ---- neighbours

// Two rows on either side of a thread's own.
template <typename Real> struct rows_about {
    pack<Real> low[2], high[2];
};

template <typename Tile> DEVICE rows_about<typename Tile::Real> load_rows(const typename Tile::Real *here)
{
    enum { ROWS = sweep_shape<typename Tile::Real>::ROWS };
    rows_about<typename Tile::Real> rows;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        rows.low[k] = load_pack(here + (k - 2) * Tile::PITCH);
        rows.high[k] = load_pack(here + (ROWS + k) * Tile::PITCH);
    }
    return rows;
}

// θ of the own column v in row `row`, −2 … ROWS + 1.
template <typename Real>
DEVICE Real along_y(const pack<Real> own[], const rows_about<Real> &rows, int row, int v)
{
    enum { ROWS = sweep_shape<Real>::ROWS };
    return row < 0      ? rows.low[row + 2].cells[v]
           : row < ROWS ? own[row].cells[v]
                        : rows.high[row - ROWS].cells[v];
}

// Two cells on either side of a thread's own in a row.
template <typename Real> struct ends {
    Real left[2], right[2];
};

template <typename Real> DEVICE ends<Real> load_ends(const Real *row)
{
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    ends<Real> e;
    if (sizeof(Real) == sizeof(float)) {
        const float2 left = *reinterpret_cast<const float2 *>(row - 2),
                     right = *reinterpret_cast<const float2 *>(row + VECTOR);
        e.left[0] = left.x, e.left[1] = left.y, e.right[0] = right.x, e.right[1] = right.y;
    } else {
        const pack<Real> left = load_pack(row - 2), right = load_pack(row + VECTOR);
        e.left[0] = left.cells[0], e.left[1] = left.cells[1];
        e.right[0] = right.cells[0], e.right[1] = right.cells[1];
    }
    return e;
}

template <typename Real> DEVICE Real along_x(const pack<Real> &row, const ends<Real> &e, int v)
{
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    return v < 0 ? e.left[v + 2] : v < VECTOR ? row.cells[v] : e.right[v - VECTOR];
}

template <typename Tile>
DEVICE void load_own(const typename Tile::Real *here, pack<typename Tile::Real> own[])
{
#pragma unroll
    for (int r = 0; r < sweep_shape<typename Tile::Real>::ROWS; r++)
        own[r] = load_pack(here + r * Tile::PITCH);
}

// ---- sources

// Heat of the layers that act, at a vector of cells.
template <typename Real> DEVICE pack<Real> layers_of(const heat_layers &layers, long long place)
{
    enum { VECTOR = sweep_shape<Real>::VECTOR };
    pack<Real> heat = {};
#pragma unroll 1
    for (int layer = 0; layer < layers.count; layer++) {
        const pack<Real> value = load_pack(array<Real>(layers.values[layer]) + place);
        const Real amplitude = static_cast<Real>(layers.amplitudes[layer]);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            heat.cells[v] = madd(amplitude, value.cells[v], heat.cells[v]);
    }
    return heat;
}

// For heat_load_kernels: the first error; or whether the device can run the kernels.
cudaError_t load_plain(enum element precision);
cudaError_t load_rkl2(enum element precision);
cudaError_t load_start(enum element precision);
bool loads_labels(enum element precision);
bool loads_fields(enum element precision);
bool loads_label_stages(enum element precision);
bool loads_field_stages(enum element precision);

// The number of planes of a block: keeps the multiprocessors busy to the end, and few planes are read twice.
int sweep_planes(int tiles, int planes, int multiprocessors, int blocks_a_multiprocessor);

// ---- what the workers do with the changes of their cells: an ending, a kernel's parameter
//   plane                  what it keeps of a thread's cells in a plane
//   IS_EARLY               whether labels load it before the changes are found
//   fetch(shape, block, z)           by the supplying warp: prefetches a plane, if it is the block's
//   load(step, me, numbers, own, place, held)
//   fetch_next(step, me, numbers, next, place)     by the workers: prefetches the next plane
//   record, store                    of a row of a thread's cells

// Euler's, with the records of θ before the step.
template <typename Real_, bool HAS_DOSE, bool HAS_LARGEST> struct step_ending {
    typedef Real_ Real;
    enum { ROWS = sweep_shape<Real>::ROWS, IS_EARLY = true };
    struct plane {
        pack<Real> dose[ROWS];
        bool is_warm[ROWS];
    };

    template <typename Tile> DEVICE void fetch(const heat_shape &, const sweep_block<Tile> &, int) const {}

    template <typename Tile>
    DEVICE void load(const heat_step &step, const sweep_place<Tile> &me, const sweep_numbers<Real> &numbers,
                     const pack<Real> own[], long long place, plane &held) const
    {
        if (HAS_DOSE)
            load_doses(step, me, numbers.law, own, place, held.is_warm, held.dose);
    }

    template <typename Tile>
    DEVICE void fetch_next(const heat_step &step, const sweep_place<Tile> &me,
                           const sweep_numbers<Real> &numbers, const Real *next, long long place) const
    {
        if (HAS_DOSE || HAS_LARGEST)
            fetch_records<HAS_DOSE, HAS_LARGEST>(step, me, numbers.law, next, place);
    }

    DEVICE void record(const heat_step &step, const sweep_numbers<Real> &numbers, long long place, int r,
                       const pack<Real> &own, const plane &held, int count) const
    {
        record_row<HAS_LARGEST>(step, numbers.law, place, own, HAS_DOSE && held.is_warm[r], held.dose[r],
                                count);
    }

    template <typename Tile>
    DEVICE void store(const heat_step &step, const sweep_place<Tile> &me, int, long long place, int,
                      const pack<Real> &own, pack<Real> &change, const plane &) const
    {
        store_sum(step, place, own, change, me.count);
    }
};

// ---- the kernel and its launches. `Media` defines what differs between fields and labels:
//   tile<Real>         their sweep_tile
//   memory<Tile>       what lies in shared memory, `gates` among it
//   fill(media, shared)              tables, by all threads
//   supply(shared, step, ending, block)            the supplying warp's work
//   work(shared, step, numbers, ending, block)     a working warp's

template <typename Media, typename Tile, typename Ending>
__global__ void __launch_bounds__(Tile::THREADS, Tile::BLOCKS)
    sweep_kernel(const __grid_constant__ heat_step step,
                 const __grid_constant__ sweep_numbers<typename Tile::Real> numbers,
                 const __grid_constant__ Ending ending, int planes_a_block)
{
    typedef typename Media::template memory<Tile> shared_memory;
    extern __shared__ __align__(128) unsigned char memory[];
    shared_memory &shared = *reinterpret_cast<shared_memory *>(memory);
    sweep_block<Tile> block;
    block.find(step, planes_a_block);
    shared.gates.make();
    Media::fill(step.media, shared);
    __syncthreads();
    if (threadIdx.x / 32 == Tile::WORKERS)
        Media::supply(shared, step, ending, block);
    else
        Media::work(shared, step, numbers, ending, block);
}

template <typename Real> sweep_numbers<Real> numbers_of(const heat_step &step)
{
    sweep_numbers<Real> numbers;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        numbers.scale[axis] = static_cast<Real>(step.media.scale[axis]);
    numbers.arterial = static_cast<Real>(step.media.arterial_theta_k);
    numbers.contrast_limit = static_cast<Real>(step.media.contrast_limit);
    numbers.law = dose_law_of<Real>(step.records);
    return numbers;
}

// One launch.
template <typename Media, typename Ending>
void sweep_to(const heat_step &step, const Ending &ending, int multiprocessors, cudaStream_t stream)
{
    typedef typename Ending::Real Real;
    typedef typename Media::template tile<Real> Tile;
    const heat_shape &s = step.shape;
    const int columns = (s.last[BIOHEAT_X] - s.first[BIOHEAT_X] + Tile::WIDTH - 1) / Tile::WIDTH,
              rows = (s.last[BIOHEAT_Y] - s.first[BIOHEAT_Y] + Tile::HEIGHT - 1) / Tile::HEIGHT,
              planes = step.last_plane - step.first_plane;
    if (columns <= 0 || rows <= 0 || planes <= 0)
        return;
    const int each = sweep_planes(columns * rows, planes, multiprocessors, Tile::BLOCKS);
    const dim3 blocks(static_cast<unsigned>(columns), static_cast<unsigned>(rows),
                      kernels::blocks_for(planes, each));
    sweep_kernel<Media, Tile, Ending>
        <<<blocks, Tile::THREADS, sizeof(typename Media::template memory<Tile>), stream>>>(
            step, numbers_of<Real>(step), ending, each);
}

// A step of Euler's, by whether there is a dose, and a largest rise, to record.
template <typename Media>
cudaError_t sweep(const heat_step *step, enum element precision, int multiprocessors, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        if (step->records.low && step->records.largest)
            sweep_to<Media>(*step, step_ending<Real, true, true>(), multiprocessors, stream);
        else if (step->records.low)
            sweep_to<Media>(*step, step_ending<Real, true, false>(), multiprocessors, stream);
        else if (step->records.largest)
            sweep_to<Media>(*step, step_ending<Real, false, true>(), multiprocessors, stream);
        else
            sweep_to<Media>(*step, step_ending<Real, false, false>(), multiprocessors, stream);
    });
}

// For heat_load_kernels: whether the device can run them.
template <typename Media, typename Ending> bool sweep_loads_one()
{
    typedef typename Media::template tile<typename Ending::Real> Tile;
    const auto kernel = sweep_kernel<Media, Tile, Ending>;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(sizeof(typename Media::template memory<Tile>))) ==
               cudaSuccess &&
           kernels::load(kernel) == cudaSuccess;
}

template <typename Media> bool sweep_loads(enum element precision)
{
    return kernels::with_real(precision, [](auto real) {
        typedef decltype(real) Real;
        return sweep_loads_one<Media, step_ending<Real, false, false>>() &&
               sweep_loads_one<Media, step_ending<Real, false, true>>() &&
               sweep_loads_one<Media, step_ending<Real, true, false>>() &&
               sweep_loads_one<Media, step_ending<Real, true, true>>();
    });
}

} // namespace heat

#endif
