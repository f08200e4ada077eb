// The tiled version of a step of `c-grid-6`: two kernels, velocities and elevation. A thread block advances
// along y over a tile, with one thread for each column. Each stage is some rows behind the stage whose values
// it needs, so that one barrier per row is enough. The rows of the inputs are copied to shared memory one row
// ahead. The values of a thread's own column stay in registers; those that its neighbours need are stored in
// rings of rows in shared memory. In open water the loop is unrolled over six rows, so that no value moves
// from register to register and the places in the rings are constants; a warp with land within reach
// computes its rows one by one. The arithmetic and the bits are those of the plain version.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_TILES_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_TILES_CUH

#include "gpu/tsunami/c_grid_access.cuh"

#include <cuda_pipeline.h>

namespace tsunami {
namespace staggered {

// Number of columns beyond the tile that a thread block also computes.
enum { C_BEYOND_VELOCITY = 6, C_BEYOND_ELEVATION = 5 };
static_assert(C_TILE_COLUMNS + 2 * C_BEYOND_VELOCITY == C_TILE_THREADS, "one thread for each column");
static_assert(C_TILE_THREADS <= 256, "one bit for each warp (struct c_grid_tiles)");
// Number of rows by which a stage is behind the row that is loaded.
enum { BEHIND_FIRST = 1, BEHIND_NOW = 2, BEHIND_HEAD = 4, BEHIND_LAST_U = 5, BEHIND_LAST = 7 };
enum { BEHIND_MIDDLE = 1, BEHIND_FLUX_X = 2, BEHIND_ETA_X = 3, BEHIND_FLUX_Y = 4, BEHIND_ETA = 6 };
// Number of rows of constants before the tile's first row and beyond its last one.
enum { ROWS_BEFORE = 12, ROWS_BEYOND = 7, ROWS_MOST = C_TILE_ROWS + ROWS_BEFORE + ROWS_BEYOND };

// Number of rows in one pass of the loops, a turn; it is a multiple of the lengths of all rings. A row's
// place in its turn is from 0 to ROWS_A_TURN − 1.
enum { ROWS_A_TURN = 6, TURNS_MOST = (ROWS_MOST + ROWS_A_TURN - 1) / ROWS_A_TURN };

// C_FIRST: padding on both sides of a row in shared memory.
enum { C_FIRST = 4, C_ROW = C_TILE_THREADS + 2 * C_FIRST };

// A row in shared memory, relative to the thread's own column.
template <typename Real> struct lane {
    const Real *at;
    DEVICE Real operator()(int di, int) const { return at[di]; }
};

// The last rows of a value of all columns. `place`: that of the loaded row in its turn; `back`: the number of
// rows behind it.
template <typename Real, int ROWS> struct ring {
    static_assert(ROWS_A_TURN % ROWS == 0, "the same slots in each turn");
    Real rows[ROWS][C_ROW];
    DEVICE static int slot(int place, int back) { return (place + 2 * ROWS_A_TURN - back) % ROWS; }
    DEVICE void put(int place, int back, Real value)
    {
        rows[slot(place, back)][threadIdx.x + C_FIRST] = value;
    }
    DEVICE lane<Real> at(int place, int back) const
    {
        return {&rows[slot(place, back)][threadIdx.x + C_FIRST]};
    }
};

// The last rows of a column: [N − 1] the newest.
template <typename Real, int N> struct history {
    Real row[N];
    DEVICE void add(Real value)
    {
#pragma unroll
        for (int k = 0; k + 1 < N; k++)
            row[k] = row[k + 1];
        row[N - 1] = value;
    }
    // The value `back` rows before the newest.
    DEVICE Real ago(int back) const
    {
        return row[N - 1 - back];
    }
};

// The six values of a stencil along y.
template <typename Real> DEVICE six<Real> all_of(const history<Real, 6> &h)
{
    return {h.row[0], h.row[1], h.row[2], h.row[3], h.row[4], h.row[5]};
}

// A barrier that the warps of a block may reach at different places of the program.
DEVICE void meet()
{
    asm volatile("bar.sync 0;" ::: "memory");
}

// ---- inputs

// The rows of the inputs: those in use, and the next one, which is being copied.
enum { INPUT_ETA, INPUT_U, INPUT_V, INPUT_DEPTH_U, INPUT_DEPTH_V, INPUT_CORNER };

template <typename Real, int ARRAYS, int BEYOND> struct inputs {
    enum {
        CELLS = 16 / sizeof(Real), // one copy has 16 bytes
        // Number of columns copied before the block's first one, so that copies are aligned to 16 bytes.
        SHIFT = (TSUNAMI_HALO_COLUMNS - BEYOND) % CELLS,
        COPIES_A_ROW = (C_TILE_THREADS + SHIFT + CELLS - 1) / CELLS,
        COPIES = ARRAYS * COPIES_A_ROW,
        COPIES_A_THREAD = (COPIES + C_TILE_THREADS - 1) / C_TILE_THREADS
    };
    static_assert(C_TILE_COLUMNS % CELLS == 0 && C_GRID_REACH % CELLS == 0, "tiles begin so");
    static_assert(C_FIRST % CELLS == 0 && COPIES_A_ROW * CELLS + C_FIRST <= C_ROW, "within a row");
    Real rows[ROWS_A_TURN][ARRAYS][C_ROW];

    DEVICE lane<Real> at(int array, int place, int back) const
    {
        const int slot = (place + ROWS_A_TURN - back) % ROWS_A_TURN;
        return {&rows[slot][array][threadIdx.x + C_FIRST + SHIFT]};
    }
};

// The part of a thread in the copies of a row.
template <typename Real, typename Inputs> struct copier {
    const Real *from[Inputs::COPIES_A_THREAD];
    int to[Inputs::COPIES_A_THREAD];

    // The copies begin with row `row`; `column`: the block's first one.
    DEVICE copier(const c_level<Real> &level, const Real *u, const Real *v, int column, int row)
    {
#pragma unroll
        for (int n = 0; n < Inputs::COPIES_A_THREAD; n++) {
            const int copy = (int)threadIdx.x + n * C_TILE_THREADS, array = copy / Inputs::COPIES_A_ROW;
            const int within = copy % Inputs::COPIES_A_ROW * Inputs::CELLS;
            const Real *const of = array == INPUT_ETA       ? level.eta
                                   : array == INPUT_U       ? u
                                   : array == INPUT_V       ? v
                                   : array == INPUT_DEPTH_U ? level.depth_u
                                   : array == INPUT_DEPTH_V ? level.depth_v
                                                            : level.inverse_corner;
            // Columns beyond the row's end are not used.
            from[n] = of + (row * level.pitch + min(column - Inputs::SHIFT + within,
                                                    level.pitch - TSUNAMI_HALO_COLUMNS - Inputs::CELLS));
            to[n] = array * C_ROW + C_FIRST + within;
        }
    }

    // Begins to copy the next row, whose place in its turn is `place`. The arrays have this row even after
    // the last row that is used, within C_GRID_HALO.
    DEVICE void copy(Inputs &inputs, int place, int pitch)
    {
#pragma unroll
        for (int n = 0; n < Inputs::COPIES_A_THREAD; n++) {
            if ((n + 1) * C_TILE_THREADS <= Inputs::COPIES ||
                (int)threadIdx.x < Inputs::COPIES - n * C_TILE_THREADS)
                __pipeline_memcpy_async(&inputs.rows[place][0][0] + to[n], from[n], 16);
            from[n] += pitch;
        }
        __pipeline_commit();
    }
};

// ---- tiles

struct c_tiles {
    const struct c_grid_tile *list;
    int skips;
    unsigned char *moving, *awake;
    const unsigned char *has_land; // [columns of tiles][ny + 2 C_GRID_HALO], one bit for each warp
    unsigned long long *computed;
};

// Finds for each turn the warps, one bit each, that have land within reach in one of its rows or of the
// `behind` rows before it, which its last stage computes. The first turn begins with row `first`; rows from
// `last` on do not count.
template <typename Real>
DEVICE void find_land(const c_level<Real> &level, const c_tiles &tiles, const struct c_grid_tile &tile,
                      unsigned char *land, int first, int last, int behind)
{
    const unsigned char *rows =
        tiles.has_land + (size_t)tile.column * (level.ny + 2 * C_GRID_HALO) + C_GRID_HALO;
    for (int turn = (int)threadIdx.x; first + turn * ROWS_A_TURN < last; turn += C_TILE_THREADS) {
        const int from = first + turn * ROWS_A_TURN;
        int any = 0;
        for (int row = max(from - behind, first); row < min(from + ROWS_A_TURN, last); row++)
            any |= rows[row];
        land[turn] = (unsigned char)any;
    }
}

// Whether the tile or a neighbouring tile moves. All threads return the same.
template <typename Real> DEVICE bool is_reached(const c_tiles &tiles, const struct c_grid_tile &tile)
{
    bool moves = false;
    for (int side = 0; side < 3; side++) {
        const struct c_grid_near &near = tile.near[side];
        for (int k = (int)threadIdx.x; k < near.count; k += C_TILE_THREADS)
            moves |= tiles.moving[near.column + (near.first + k) % near.tiles] != 0;
    }
    return __syncthreads_or(moves);
}

// Called before the velocities. A tile that is awake stays awake, because its two copies of the state differ.
template <typename Real> DEVICE bool wakes(const c_tiles &tiles, const struct c_grid_tile &tile)
{
    const bool is_due = !tiles.skips || tiles.awake[tile.self] || is_reached<Real>(tiles, tile);
    if (is_due && threadIdx.x == 0) {
        tiles.awake[tile.self] = 1;
        atomicAdd(tiles.computed, (unsigned long long)(tile.column_end - tile.column_begin) *
                                      (unsigned long long)(tile.row_end - tile.row_begin));
    }
    return is_due;
}

template <bool HAS_LAND, typename Real> DEVICE int code_at(const c_level<Real> &level, int place)
{
    return HAS_LAND ? level.code[place] : 0;
}

// ---- after changes of the state

// Marks the tile if the water moves in it or at the adjacent western and southern faces.
template <typename Real>
__global__ void tiled_inspection(const __grid_constant__ c_level<Real> level,
                                 const __grid_constant__ c_tiles tiles)
{
    const struct c_grid_tile tile = tiles.list[blockIdx.x];
    bool moves = false;
    for (int j = tile.row_begin - 1; j < tile.row_end; j++)
        for (int i = tile.column_begin - 1 + (int)threadIdx.x; i < tile.column_end; i += C_TILE_THREADS) {
            const int k = j * level.pitch + i;
            moves |= level.u[k] != Real(0) || level.v[k] != Real(0) ||
                     (j >= tile.row_begin && i >= tile.column_begin && level.eta[k] != Real(0));
        }
    if (__syncthreads_or(moves) && threadIdx.x == 0)
        tiles.moving[tile.self] = 1;
}

} // namespace staggered
} // namespace tsunami

#endif
