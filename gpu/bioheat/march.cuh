// What the heat model's marching kernels have in common in their steps: a block of threads has a tile of the
// xy-plane (tile.cuh) and marches along z, four planes being at work in shared memory (pipeline.cuh). A
// thread keeps only the fluxes through the faces below in registers.
#ifndef FATHOM_GPU_BIOHEAT_MARCH_CUH
#define FATHOM_GPU_BIOHEAT_MARCH_CUH

#include "gpu/bioheat/pipeline.cuh"
#include "gpu/launch.cuh"

namespace heat {

// A step's numbers in the precision of the run: as a kernel's parameter they take no registers.
template <typename Real> struct march_numbers {
    Real scale[BIOHEAT_AXES], arterial, contrast_limit;
    dose_law<Real> law;
};

template <typename Real>
__device__ __forceinline__ void store_cells(Real *to, const pack<Real> &cells, int count)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
    if (count >= VECTOR)
        store_pack(to, cells);
    else
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            if (v < count)
                to[v] = cells.cells[v];
}

// ---- records of θ before a step, for a vector of cells. Where no cell is warm enough nothing is read or
// written.

template <typename Real>
__device__ __forceinline__ bool counts(const dose_law<Real> &law, const pack<Real> &theta)
{
    bool any = false;
#pragma unroll
    for (int v = 0; v < march_shape<Real>::VECTOR; v++)
        any = any || theta.cells[v] >= law.least_k;
    return any;
}

template <typename Real>
__device__ __forceinline__ void add_dose(const dose_law<Real> &law, Real *to, pack<Real> sum,
                                         const pack<Real> &theta, int count)
{
#pragma unroll
    for (int v = 0; v < march_shape<Real>::VECTOR; v++)
        if (theta.cells[v] >= law.least_k)
            sum.cells[v] = dose_with(law, sum.cells[v], theta.cells[v]);
    store_cells(to, sum, count);
}

template <typename Real>
__device__ __forceinline__ void keep_largest(const heat_records &records, long long place,
                                             const pack<Real> &theta, int count)
{
    Real *const largest = array<Real>(records.largest) + place;
    const pack<Real> before = load_pack(largest);
#pragma unroll
    for (int v = 0; v < march_shape<Real>::VECTOR; v++)
        if (theta.cells[v] > before.cells[v] && v < count) {
            largest[v] = theta.cells[v];
            records.largest_at_s[place + v] = records.time_s;
        }
}

// Before a plane is computed: the dose so far of the rows that have a warm cell.
template <typename Tile>
__device__ __forceinline__ void load_doses(const heat_step &step, const march_place<Tile> &me,
                                           const dose_law<typename Tile::Real> &law,
                                           const pack<typename Tile::Real> own[], long long place,
                                           bool is_warm[], pack<typename Tile::Real> dose[])
{
    typedef typename Tile::Real Real;
#pragma unroll
    for (int r = 0; r < march_shape<Real>::ROWS; r++) {
        is_warm[r] = me.is_inside[r] && counts(law, own[r]);
        if (is_warm[r])
            dose[r] = load_pack(array<Real>(step.records.low) + place + r * step.shape.pitch);
    }
}

// Before the next plane is: what will be wanted there.
template <bool HAS_DOSE, bool HAS_LARGEST, typename Tile>
__device__ __forceinline__ void fetch_records(const heat_step &step, const march_place<Tile> &me,
                                              const dose_law<typename Tile::Real> &law,
                                              const typename Tile::Real *next, long long place)
{
    typedef typename Tile::Real Real;
#pragma unroll
    for (int r = 0; r < march_shape<Real>::ROWS; r++) {
        const long long row = place + step.shape.plane + r * step.shape.pitch;
        if (HAS_DOSE && me.is_inside[r] && counts(law, load_pack(next + r * Tile::PITCH)))
            fetch_ahead(array<Real>(step.records.low) + row);
        if (HAS_LARGEST && me.is_inside[r])
            fetch_ahead(array<Real>(step.records.largest) + row);
    }
}

// What a row of a thread's cells leaves in the records; has_dose: the dose so far was loaded.
template <bool HAS_LARGEST, typename Real>
__device__ __forceinline__ void record_row(const heat_step &step, const dose_law<Real> &law, long long place,
                                           const pack<Real> &own, bool has_dose, const pack<Real> &dose,
                                           int count)
{
    if (has_dose)
        add_dose(law, array<Real>(step.records.low) + place, dose, own, count);
    if (HAS_LARGEST)
        keep_largest(step.records, place, own, count);
}

// ---- the new temperature

template <typename Real>
__device__ __forceinline__ void store_sum(const heat_step &step, long long place, const pack<Real> &own,
                                          const pack<Real> &change, int count)
{
    pack<Real> result;
#pragma unroll
    for (int v = 0; v < march_shape<Real>::VECTOR; v++)
        result.cells[v] = own.cells[v] + change.cells[v];
    store_cells(array<Real>(step.to) + place, result, count);
}

// ---- neighbours

// Two rows on either side of a thread's own.
template <typename Real> struct rows_about {
    pack<Real> low[2], high[2];
};

template <typename Tile>
__device__ __forceinline__ rows_about<typename Tile::Real> load_rows(const typename Tile::Real *here)
{
    enum { ROWS = march_shape<typename Tile::Real>::ROWS };
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
__device__ __forceinline__ Real along_y(const pack<Real> own[], const rows_about<Real> &rows, int row, int v)
{
    enum { ROWS = march_shape<Real>::ROWS };
    return row < 0      ? rows.low[row + 2].cells[v]
           : row < ROWS ? own[row].cells[v]
                        : rows.high[row - ROWS].cells[v];
}

// Two cells on either side of a thread's own in a row.
template <typename Real> struct ends {
    Real left[2], right[2];
};

template <typename Real> __device__ __forceinline__ ends<Real> load_ends(const Real *row)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
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

template <typename Real>
__device__ __forceinline__ Real along_x(const pack<Real> &row, const ends<Real> &e, int v)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
    return v < 0 ? e.left[v + 2] : v < VECTOR ? row.cells[v] : e.right[v - VECTOR];
}

template <typename Tile>
__device__ __forceinline__ void load_own(const typename Tile::Real *here, pack<typename Tile::Real> own[])
{
#pragma unroll
    for (int r = 0; r < march_shape<typename Tile::Real>::ROWS; r++)
        own[r] = load_pack(here + r * Tile::PITCH);
}

// ---- sources

// Heat of the layers that act, at a vector of cells.
template <typename Real>
__device__ __forceinline__ pack<Real> layers_of(const heat_layers &layers, long long place)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
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

// For heat_load_kernels: the first error; or true if the device has the kernels.
cudaError_t load_plain(enum element precision);
cudaError_t load_start(enum element precision);
bool loads_labels(enum element precision);
bool loads_fields(enum element precision);

// How many planes a block marches: so that about all multiprocessors are busy to the end, and few planes are
// read twice.
int march_planes(int tiles, int planes, int multiprocessors, int blocks_a_multiprocessor);

// ---- launches, on the host

// Those of one back end's kernels that record nothing, the largest rise, the dose, both.
template <typename Real> struct march_kernels {
    typedef void (*kernel)(const heat_step step, const march_numbers<Real> numbers, int planes_a_block);
    kernel of[2][2]; // [has dose][has largest]
    size_t shared_bytes;
    int blocks; // a multiprocessor
};

template <typename Real> march_numbers<Real> numbers_of(const heat_step &step)
{
    march_numbers<Real> numbers;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        numbers.scale[axis] = static_cast<Real>(step.media.scale[axis]);
    numbers.arterial = static_cast<Real>(step.media.arterial_theta_k);
    numbers.contrast_limit = static_cast<Real>(step.media.contrast_limit);
    numbers.law = dose_law_of<Real>(step.records);
    return numbers;
}

template <typename Tile>
cudaError_t march(const march_kernels<typename Tile::Real> &kernels, const heat_step *step,
                  int multiprocessors, cudaStream_t stream)
{
    typedef typename Tile::Real Real;
    const heat_shape &s = step->shape;
    const int columns = (s.last[BIOHEAT_X] - s.first[BIOHEAT_X] + Tile::WIDTH - 1) / Tile::WIDTH,
              rows = (s.last[BIOHEAT_Y] - s.first[BIOHEAT_Y] + Tile::HEIGHT - 1) / Tile::HEIGHT,
              planes = step->last_plane - step->first_plane;
    if (columns <= 0 || rows <= 0 || planes <= 0)
        return cudaSuccess;
    const int each = march_planes(columns * rows, planes, multiprocessors, kernels.blocks);
    const dim3 blocks(static_cast<unsigned>(columns), static_cast<unsigned>(rows),
                      static_cast<unsigned>((planes + each - 1) / each));
    const auto kernel = kernels.of[step->records.low != nullptr][step->records.largest != nullptr];
    kernel<<<blocks, Tile::THREADS, kernels.shared_bytes, stream>>>(*step, numbers_of<Real>(*step), each);
    return cudaGetLastError();
}

// For heat_load_kernels.
template <typename Real> bool march_loads(const march_kernels<Real> &march)
{
    for (int k = 0; k < 4; k++) {
        const auto kernel = march.of[k / 2][k % 2];
        if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(march.shared_bytes)) != cudaSuccess ||
            kernels::load(kernel) != cudaSuccess)
            return false;
    }
    return true;
}

} // namespace heat

#endif
