// What the heat model's marching kernels have in common: how a block of threads lies on the grid, and how planes come into
// shared memory.
//
// A block has a tile of the xy-plane and marches along z. A ring of planes in shared memory, of which four are at work, is
// filled some planes ahead by bulk copies that one warp begins, a row a lane (before compute capability 9.0 by all threads,
// 16 bytes at a time). A thread keeps only the fluxes through the faces below in registers. It has a vector of 16 bytes of
// cells along x, ROWS of these along y; a warp has 8 threads along x, so that its tile is about as long as wide (a tile in
// one medium has little to look up), and rows of 128 bytes.
//
// Beyond the sides along y and z rows and planes are taken from where their images lie. Along x the images stand in the
// array, two on either side of a row; whoever writes a row's ends writes these too.
#ifndef FATHOM_GPU_BIOHEAT_MARCH_CUH
#define FATHOM_GPU_BIOHEAT_MARCH_CUH

#include "gpu/bioheat_cell.cuh"

#ifndef HEAT_MARCH_ROWS
#define HEAT_MARCH_ROWS 2
#endif

namespace heat {

template <typename Real> struct march_shape {
    enum {
        VECTOR = 16 / sizeof(Real), // cells of a thread along x
        ROWS = HEAT_MARCH_ROWS,
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
        ROW_BYTES = PITCH * sizeof(Real)
    };
    static_assert(HIGH <= 32, "a row a lane");
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

__device__ __forceinline__ unsigned shared_address(const void *pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Where planes come in: one barrier a stage.
template <int STAGES> struct arrivals {
    unsigned long long barrier[STAGES];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <int STAGES> __device__ __forceinline__ void open_arrivals(arrivals<STAGES> &a)
{
    if (threadIdx.x == 0) {
        for (int k = 0; k < STAGES; k++)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&a.barrier[k]))
                         : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
}

// By lane 0, before the copies that bring `bytes`.
template <int STAGES> __device__ __forceinline__ void expect_bytes(arrivals<STAGES> &a, int stage, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&a.barrier[stage])),
        "r"(bytes)
        : "memory");
}

template <int STAGES>
__device__ __forceinline__ void copy_row(arrivals<STAGES> &a, int stage, void *to, const void *from,
                                         int bytes)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(&a.barrier[stage]))
        : "memory");
}

template <int STAGES>
__device__ __forceinline__ void await_plane(arrivals<STAGES> &a, int stage, unsigned parity)
{
    unsigned is_there;
    do {
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(is_there)
                     : "r"(shared_address(&a.barrier[stage])), "r"(parity)
                     : "memory");
    } while (!is_there);
}

// Whether the calling thread takes part in beginning copies: a row each.
__device__ __forceinline__ bool begins_copies()
{
    return threadIdx.x < 32;
}

#else // the same with what older devices have: rows are copied by a warp's threads, and waited for at once

template <int STAGES> __device__ __forceinline__ void open_arrivals(arrivals<STAGES> &)
{
    __syncthreads();
}

template <int STAGES> __device__ __forceinline__ void expect_bytes(arrivals<STAGES> &, int, int) {}

template <int STAGES>
__device__ __forceinline__ void copy_row(arrivals<STAGES> &, int, void *to, const void *from, int bytes)
{
    for (int k = 0; k < bytes; k += 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to) + k),
                     "l"(static_cast<const char *>(from) + k)
                     : "memory");
}

template <int STAGES> __device__ __forceinline__ void await_plane(arrivals<STAGES> &, int, unsigned)
{
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
}

__device__ __forceinline__ bool begins_copies()
{
    return threadIdx.x < 32;
}

#endif

// A lane's row of the planes of θ, or of a full field: its distance in elements from a plane's cell (0, 0). Of θ (`maps`) what
// is beyond a side is taken from where it stands; of fields it stands there.
template <typename Tile>
__device__ __forceinline__ int row_of_lane(const heat_shape &shape, int x0, int y0, bool maps)
{
    const int lane = static_cast<int>(threadIdx.x) % 32, ny = shape.cells[BIOHEAT_Y];
    int y = y0 - HEAT_HALO + lane;
    y = maps ? mapped(y, ny, shape.is_periodic[BIOHEAT_Y]) : min(y, ny + HEAT_HALO - 1);
    return y * shape.pitch + x0 - march_shape<typename Tile::Real>::VECTOR;
}

// ---- places

// Where a thread's cells lie: in the tile and on the grid.
template <typename Tile> struct march_place {
    int column, row; // in the tile
    int x, y, count; // count: columns from x on that steps may change, 4 or more or less
    bool is_inside[march_shape<typename Tile::Real>::ROWS]; // rows with a cell that steps may change
    bool has_ends; // some of its cells have images beyond the sides along x

    __device__ __forceinline__ void find(const heat_step &step, int x0, int y0)
    {
        typedef typename Tile::shape s;
        const heat_shape &shape = step.shape;
        const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
        column = warp % Tile::WARPS_X * s::WARP_X + lane % s::LANES_X * s::VECTOR;
        row = warp / Tile::WARPS_X * s::WARP_Y + lane / s::LANES_X * s::ROWS;
        x = x0 + column;
        y = y0 + row;
        count = shape.last[BIOHEAT_X] - x;
        for (int r = 0; r < s::ROWS; r++)
            is_inside[r] = count > 0 && y + r < shape.last[BIOHEAT_Y];
        has_ends = step.has_ends && (x < HEAT_HALO || x + s::VECTOR > shape.cells[BIOHEAT_X] - HEAT_HALO);
    }
};

// A row's first and last cells stand beyond its ends as well.
template <typename Real>
__device__ __noinline__ void store_ends(const heat_shape &shape, Real *row, int x, const pack<Real> cells)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
    const int nx = shape.cells[BIOHEAT_X];
#pragma unroll
    for (int v = 0; v < VECTOR; v++) {
        const int here = x + v;
        if (here < HEAT_HALO)
            row[shape.is_periodic[BIOHEAT_X] ? nx + here : -1 - here] = cells.cells[v];
        if (here >= nx - HEAT_HALO && here < nx)
            row[shape.is_periodic[BIOHEAT_X] ? here - nx : 2 * nx - 1 - here] = cells.cells[v];
    }
}

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

// ---- sources and sides

template <typename Real> __device__ __forceinline__ bool has_any_wall(const heat_media &media)
{
    bool has = false;
    for (int side = 0; side < HEAT_SIDES; side++)
        has = has || media.has_wall[side];
    return has;
}

// Heat of the layers that act, at a vector of cells.
template <typename Real>
__device__ __forceinline__ pack<Real> layers_of(const heat_layers &layers, long long place)
{
    enum { VECTOR = march_shape<Real>::VECTOR };
    pack<Real> heat = {};
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

} // namespace heat

#endif
