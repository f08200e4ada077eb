// A block of the heat model's sweeping kernels on the grid: its tile of the xy-plane, the part of each
// thread, and the block's planes. Knows no step.
//
// A worker has a vector of 16 bytes of cells along x, ROWS of these along y; a warp has 8 threads along x, so
// that its tile is nearly square (a compact tile is more often in one medium, without lookups), with rows of
// 128 bytes.
#ifndef FATHOM_GPU_BIOHEAT_TILE_CUH
#define FATHOM_GPU_BIOHEAT_TILE_CUH

#include "gpu/bioheat/cell.cuh"

namespace heat {

template <typename Real> struct sweep_shape {
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

// WARPS_X × WARPS_Y working warps, and one that supplies them; AHEAD planes are copied ahead of the four in
// use. BLOCKS: blocks of threads a multiprocessor, which bounds the registers.
template <typename Real_, int WARPS_X_, int WARPS_Y_, int AHEAD_, int BLOCKS_> struct sweep_tile {
    typedef Real_ Real;
    typedef sweep_shape<Real> shape;
    enum {
        WARPS_X = WARPS_X_,
        WARPS_Y = WARPS_Y_,
        WORKERS = WARPS_X * WARPS_Y, // warps
        THREADS = 32 * (WORKERS + 1),
        WIDTH = WARPS_X * shape::WARP_X,
        HEIGHT = WARPS_Y * shape::WARP_Y,
        AHEAD = AHEAD_,
        BLOCKS = BLOCKS_,
        STAGES = AHEAD + 4, // planes z − 1 … z + 2 are read while AHEAD are on their way
        PITCH = WIDTH + 2 * shape::VECTOR,
        HIGH = HEIGHT + HEAT_GHOSTS,
        PLANE = PITCH * HIGH, // elements
        CHUNKS_A_ROW = PITCH / shape::VECTOR,
        CHUNKS = CHUNKS_A_ROW * HIGH,
        CHUNKS_A_LANE = (CHUNKS + 31) / 32
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

template <typename Real> DEVICE pack<Real> load_pack(const Real *from)
{
    pack<Real> p;
    p.vector = *reinterpret_cast<const typename vector_of<Real>::type *>(from);
    return p;
}

template <typename Real> DEVICE void store_pack(Real *to, const pack<Real> &p)
{
    *reinterpret_cast<typename vector_of<Real>::type *>(to) = p.vector;
}

// ---- places

// The position of a thread's cells in the tile and on the grid.
template <typename Tile> struct sweep_place {
    int column, row; // in the tile
    int x, y, count; // count: columns from x on that steps may change, 4 or more or less
    bool is_inside[sweep_shape<typename Tile::Real>::ROWS]; // rows with a cell that steps may change

    DEVICE void find(const heat_shape &shape, int x0, int y0)
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

// A block's part: its tile's first cell, and its planes. Most interfaces are in the middle of a grid. So
// successive blocks along z, which may share a multiprocessor, are half the grid apart along y: one with many
// lookups shares it with one with few.
template <typename Tile> struct sweep_block {
    int x0, y0, first, last;

    DEVICE void find(const heat_step &step, int planes_a_block)
    {
        const unsigned row = (blockIdx.y + blockIdx.z * (gridDim.y / 2)) % gridDim.y;
        x0 = step.shape.first[BIOHEAT_X] + static_cast<int>(blockIdx.x) * Tile::WIDTH;
        y0 = step.shape.first[BIOHEAT_Y] + static_cast<int>(row) * Tile::HEIGHT;
        first = step.first_plane + static_cast<int>(blockIdx.z) * planes_a_block;
        last = min(first + planes_a_block, step.last_plane);
    }
};

// The classes of a warp's tile from the block's first plane on. Beyond the grid's last tile those of the
// first, without effect.
struct class_column {
    const unsigned char *here;
    int plane;
};

template <typename Tile>
DEVICE class_column classes_of(const heat_step &step, const sweep_block<Tile> &block, int warp)
{
    typedef typename Tile::shape cells_of;
    const heat_media &media = step.media;
    const int tile_x = (block.x0 - step.shape.first[BIOHEAT_X]) / cells_of::WARP_X + warp % Tile::WARPS_X,
              tile_y = (block.y0 - step.shape.first[BIOHEAT_Y]) / cells_of::WARP_Y + warp / Tile::WARPS_X;
    const int plane = media.class_columns * media.class_rows;
    const bool has_class = tile_x < media.class_columns && tile_y < media.class_rows;
    const unsigned char *const here = media.classes + static_cast<long long>(block.first) * plane +
                                      (has_class ? tile_y * media.class_columns + tile_x : 0);
    return {here, plane};
}

} // namespace heat

#endif
