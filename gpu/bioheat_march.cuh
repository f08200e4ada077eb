// What the heat model's marching kernels have in common: how a block of threads lies on the grid, and how planes come into
// shared memory.
//
// A block has a tile of the xy-plane and marches along z. A ring of planes in shared memory, of which four are at work, is
// filled some planes ahead by asynchronous copies. A thread keeps only the fluxes through the faces below in registers. It
// has a vector of 16 bytes of cells along x, ROWS of these along y; a warp has 8 threads along x, so that its tile is about
// as long as wide (a tile in one medium has little to look up), and rows of 128 bytes.
//
// Beyond the sides along y and z rows and planes are taken from where their images lie. Along x the images stand in the
// array, two on either side of a row (heat_extend_rows).
#ifndef FATHOM_GPU_BIOHEAT_MARCH_CUH
#define FATHOM_GPU_BIOHEAT_MARCH_CUH

#include "gpu/bioheat_cell.cuh"

namespace heat {

template <typename Real> struct march_shape {
    enum {
        VECTOR = 16 / sizeof(Real), // cells of a thread along x
        ROWS = 2,
        LANES_X = 8,
        LANES_Y = 32 / LANES_X,
        WARP_X = LANES_X * VECTOR,
        WARP_Y = LANES_Y * ROWS
    };
};

// In C++ an array cannot be a kernel's parameter.
struct encoding_sides {
    int is_missing[HEAT_SIDES];
};

// WARPS_X × WARPS_Y warps; AHEAD planes are on their way beyond those at work.
template <typename Real_, int WARPS_X_, int WARPS_Y_, int AHEAD_> struct march_tile {
    typedef Real_ Real;
    typedef march_shape<Real> shape;
    enum {
        WARPS_X = WARPS_X_,
        WARPS_Y = WARPS_Y_,
        THREADS = 32 * WARPS_X * WARPS_Y,
        WIDTH = WARPS_X * shape::WARP_X,
        HEIGHT = WARPS_Y * shape::WARP_Y,
        AHEAD = AHEAD_,
        STAGES = AHEAD + 4, // planes z − 1 … z + 2 are read while AHEAD are on their way
        PITCH = WIDTH + 2 * shape::VECTOR,
        HIGH = HEIGHT + HEAT_GHOSTS,
        PLANE = PITCH * HIGH, // elements
        CHUNKS_A_ROW = PITCH / shape::VECTOR,
        CHUNKS = CHUNKS_A_ROW * HIGH,
        CHUNKS_A_THREAD = (CHUNKS + THREADS - 1) / THREADS
    };
};

template <typename Real> struct vector_of;
template <> struct vector_of<float> {
    typedef float4 type;
};
template <> struct vector_of<double> {
    typedef double2 type;
};

// 16 bytes as cells.
template <typename Real> union pack {
    typename vector_of<Real>::type vector;
    Real cells[16 / sizeof(Real)];
};

template <typename Real> __device__ __forceinline__ pack<Real> load_pack(const Real *from)
{
    pack<Real> p;
    p.vector = *reinterpret_cast<const typename vector_of<Real>::type *>(from);
    return p;
}

template <typename Real> __device__ __forceinline__ void store_pack(Real *to, const pack<Real> &p)
{
    *reinterpret_cast<typename vector_of<Real>::type *>(to) = p.vector;
}

// ---- planes on their way

// 16 bytes from device to shared memory, without waiting.
__device__ __forceinline__ void copy_async(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from)
                 : "memory");
}

__device__ __forceinline__ void commit_copies()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Until all of the thread's copies but the last so many groups are there.
template <int LATER> __device__ __forceinline__ void await_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
}

// A thread's part of the copying of a plane of θ, or of a full field, with HEAT_HALO rows and a vector of columns around the
// tile: distances in bytes from the beginning of the plane's rows. Of θ (`maps`) rows beyond a side are taken from where their
// images lie; of fields they stand there.
template <typename Tile> struct plane_copier {
    typedef typename Tile::Real Real;
    enum { VECTOR = march_shape<Real>::VECTOR };
    unsigned from[Tile::CHUNKS_A_THREAD];

    __device__ __forceinline__ void place(const heat_shape &shape, int x0, int y0, bool maps)
    {
        const int ny = shape.cells[BIOHEAT_Y];
#pragma unroll
        for (int k = 0; k < Tile::CHUNKS_A_THREAD; k++) {
            const int chunk = min(static_cast<int>(threadIdx.x) + k * Tile::THREADS, Tile::CHUNKS - 1);
            const int x = x0 + (chunk % Tile::CHUNKS_A_ROW - 1) * VECTOR;
            int y = y0 - HEAT_HALO + chunk / Tile::CHUNKS_A_ROW;
            y = maps ? mapped(y, ny, shape.is_periodic[BIOHEAT_Y]) : min(y, ny + HEAT_HALO - 1);
            from[k] = static_cast<unsigned>((y + HEAT_HALO) * shape.pitch + x + HEAT_LEFT) *
                      static_cast<unsigned>(sizeof(Real));
        }
    }

    // `plane`: its cell (0, 0).
    __device__ __forceinline__ void copy(const heat_shape &shape, Real *stage, const Real *plane) const
    {
        const char *const rows = reinterpret_cast<const char *>(plane - HEAT_HALO * shape.pitch - HEAT_LEFT);
        Real *const to = stage + static_cast<int>(threadIdx.x) * VECTOR;
#pragma unroll
        for (int k = 0; k < Tile::CHUNKS_A_THREAD; k++)
            if ((k + 1) * Tile::THREADS <= Tile::CHUNKS ||
                static_cast<int>(threadIdx.x) < Tile::CHUNKS - k * Tile::THREADS)
                copy_async(to + k * Tile::THREADS * VECTOR, rows + from[k]);
    }
};

// ---- places

// Where a thread's cells lie: in the tile and on the grid.
template <typename Tile> struct march_place {
    int column, row; // in the tile
    int x, y, count; // count: columns from x on that steps may change, 4 or more or less
    bool is_inside[march_shape<typename Tile::Real>::ROWS]; // rows with a cell that steps may change

    __device__ __forceinline__ void find(const heat_shape &shape, int x0, int y0)
    {
        typedef typename Tile::shape s;
        const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
        column = warp % Tile::WARPS_X * s::WARP_X + lane % s::LANES_X * s::VECTOR;
        row = warp / Tile::WARPS_X * s::WARP_Y + lane / s::LANES_X * s::ROWS;
        x = x0 + column;
        y = y0 + row;
        count = shape.last[BIOHEAT_X] - x;
        for (int r = 0; r < s::ROWS; r++)
            is_inside[r] = count > 0 && y + r < shape.last[BIOHEAT_Y];
    }
};

// What a block computes: its tile's first cell, and its planes.
template <typename Tile> struct march_block {
    int x0, y0, first, last;

    __device__ __forceinline__ void find(const heat_step &step, int planes_a_block)
    {
        x0 = step.shape.first[BIOHEAT_X] + static_cast<int>(blockIdx.x) * Tile::WIDTH;
        y0 = step.shape.first[BIOHEAT_Y] + static_cast<int>(blockIdx.y) * Tile::HEIGHT;
        first = step.first_plane + static_cast<int>(blockIdx.z) * planes_a_block;
        last = min(first + planes_a_block, step.last_plane);
    }
};

// Which stages of the ring hold the planes −1, 0, 1, 2 from the one at work; filled in their order, two below the first plane
// first.
template <typename Tile> struct march_ring {
    int before, here, next, after;

    __device__ __forceinline__ static int following(int stage)
    {
        return stage + 1 == Tile::STAGES ? 0 : stage + 1;
    }

    __device__ __forceinline__ void begin()
    {
        before = 1;
        after = Tile::STAGES == 4 ? 0 : 4;
    }

    // The stage that nobody reads any more.
    __device__ __forceinline__ int freed() const { return before == 0 ? Tile::STAGES - 1 : before - 1; }

    __device__ __forceinline__ void turn()
    {
        here = following(before);
        next = following(here);
    }

    __device__ __forceinline__ void go_on()
    {
        before = here;
        after = following(after);
    }
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

// ---- records of θ before a step, for a vector of cells. Where no cell is warm enough nothing is read or written.

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

// For heat_load_kernels: true if the device has it.
template <typename Kernel> bool loads(Kernel kernel)
{
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess;
}
bool loads_plain(enum element precision);
bool loads_start(enum element precision);
bool loads_labels(enum element precision);
bool loads_fields(enum element precision);

// How many planes a block marches: so that about all multiprocessors are busy to the end, and few planes are read twice.
int march_planes(int tiles, int planes, int multiprocessors, int blocks_a_multiprocessor);

// ---- launches, on the host

typedef void (*march_kernel)(const heat_step step, int planes_a_block);

// Those of one back end's kernels that record nothing, the largest rise, the dose, both.
struct march_kernels {
    march_kernel of[2][2]; // [has dose][has largest]
    size_t shared_bytes;
    int blocks; // a multiprocessor
};

template <typename Tile>
cudaError_t march(const march_kernels &kernels, const heat_step *step, int multiprocessors,
                  cudaStream_t stream)
{
    const heat_shape &s = step->shape;
    const int columns = (s.last[BIOHEAT_X] - s.first[BIOHEAT_X] + Tile::WIDTH - 1) / Tile::WIDTH,
              rows = (s.last[BIOHEAT_Y] - s.first[BIOHEAT_Y] + Tile::HEIGHT - 1) / Tile::HEIGHT,
              planes = step->last_plane - step->first_plane;
    if (columns <= 0 || rows <= 0 || planes <= 0)
        return cudaSuccess;
    const int each = march_planes(columns * rows, planes, multiprocessors, kernels.blocks);
    const dim3 blocks(static_cast<unsigned>(columns), static_cast<unsigned>(rows),
                      static_cast<unsigned>((planes + each - 1) / each));
    const march_kernel kernel = kernels.of[step->records.low != nullptr][step->records.largest != nullptr];
    kernel<<<blocks, Tile::THREADS, kernels.shared_bytes, stream>>>(*step, each);
    return cudaGetLastError();
}

// For heat_load_kernels.
inline bool march_loads(const march_kernels &kernels)
{
    for (int k = 0; k < 4; k++) {
        const march_kernel kernel = kernels.of[k / 2][k % 2];
        if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(kernels.shared_bytes)) != cudaSuccess ||
            !loads(kernel))
            return false;
    }
    return true;
}

} // namespace heat

#endif
