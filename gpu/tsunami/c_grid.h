// The kernels of `c-grid-6`: the arrays of a level, launches. Independent of the memory plan and of solvers.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_H
#define FATHOM_GPU_TSUNAMI_C_GRID_H

#include "gpu/tsunami/kernels.h"
#include "models/tsunami/c_grid_codes.h"

EXTERN_C_BEGIN

// The coefficients of a row, [row][member]. FACE: the three weights of the difference at the face to the
// north, over its distance. NODE: those of the difference at the node, over its distance. MEAN: those of the
// mean at the node. INVERSE_FACE: 1/distance at the face. INVERSE_NODE: 1/(distance · cos) at the node.
// INVERSE_COS: 1/cos at the node. COS_FACE, INVERSE_COS_FACE: cos and 1/cos at the face. CORIOLIS: 1/s.
// CURVED: cos of the rows −1 … 2 over cos of the face; without curvature 1.
enum {
    C_ROW_FACE = 0,
    C_ROW_NODE = 3,
    C_ROW_MEAN = 6,
    C_ROW_INVERSE_FACE = 9,
    C_ROW_INVERSE_NODE = 10,
    C_ROW_INVERSE_COS = 11,
    C_ROW_COS_FACE = 12,
    C_ROW_INVERSE_COS_FACE = 13,
    C_ROW_CORIOLIS = 14,
    C_ROW_CURVED = 15,
    C_ROW_MEMBERS = 19
};
// The coefficients of the columns, [member][pitch]: the same members up to INVERSE_NODE.
enum { C_COLUMN_MEMBERS = 11 };

// Number of arrays that pass values between the kernels of the plain version.
enum { C_GRID_WORK = 6 };

// All arrays but rows: [ny + 2 C_GRID_HALO][pitch], from node (0, 0); state and depths in `precision`.
struct tsunami_c_grid_view {
    enum element precision;
    int nx, ny, pitch;
    int first_own, end_own;                             // rows of this device: all, or those of a rank
    void *state[TSUNAMI_FIELDS], *next[TSUNAMI_FIELDS]; // η, u, v: at the begin and at the end of the step
    void *nodes[2];                                     // u, v of the nodes at the time of η
    const void *depth, *depth_u, *depth_v, *inverse_corner;
    const int *code; // c_grid_code
    const void *columns, *rows;
    void *work[C_GRID_WORK]; // of the plain version
    double step_s, gravity_m_s2, friction;
    double shallowest_m; // smallest still-water depth of the wet nodes
    bool is_periodic_x, is_periodic_y;
    bool is_open[TSUNAMI_SIDES];
};

// A thread block computes a tile and some columns beyond it; each thread computes one column. A tile has at
// least C_GRID_REACH nodes along an axis, unless it is the only one along it. C_TILE_ROWS: the largest number
// of rows, limited by shared memory. C_TILE_PARTS: the kernel of the elevation cuts each tile into so many
// parts along y, because more of its blocks fit a multiprocessor. C_BLOCKS_VELOCITY, _ELEVATION: resident
// blocks of a multiprocessor, for numbers of `bytes` bytes; this bounds the registers.
enum { C_TILE_THREADS = 128, C_TILE_COLUMNS = C_TILE_THREADS - 12, C_TILE_ROWS = 180, C_TILE_PARTS = 2 };
#define C_BLOCKS_VELOCITY(bytes)  ((bytes) == 4 ? 4 : 2)
#define C_BLOCKS_ELEVATION(bytes) ((bytes) == 4 ? 8 : 4)

// The neighbours of a tile in a column of tiles. The flags of this column begin at place `column`; it has
// `tiles` tiles, of which `count` are neighbours, from number `first` on; number 0 follows the last one.
struct c_grid_near {
    int column, tiles, first, count;
};

struct c_grid_tile {
    int self;   // the place of its flags, which are ordered by columns, from the south
    int column; // the column of tiles that it belongs to
    int column_begin, column_end, row_begin, row_end;
    struct c_grid_near near[3]; // to the west, in its own column, to the east
};

// All columns of tiles are equally wide. Each is cut into tiles that take about the same time; rows with land
// take longer than others.
struct c_grid_tiles {
    const struct c_grid_tile *list; // the tiles with water
    int count;
    int skips;                     // 0: every tile of the list is computed
    unsigned char *moving, *awake; // of all tiles: it was not at rest after a step; it was computed
    // [columns of tiles][ny + 2 C_GRID_HALO], with one bit for each warp of a block: land, or the domain's
    // edge, is within reach of the stencils of the warp's columns in this row.
    const unsigned char *has_land;
    unsigned long long *computed; // node-steps so far
};

// A field with the values that it has beyond the domain: the surface, a velocity.
enum c_grid_beyond { C_GRID_SURFACE, C_GRID_VELOCITY };

// Allows the kernels below their shared memory. Once for each precision, before the first launch; allocates.
cudaError_t tsunami_prepare_c_tiles(enum element precision);
// Compute `next` from `state`, in two halves of a step: first the velocities, then from them the elevation.
// Unless `records` is NULL, the first half updates the records of speed and flux with `state`, and the second
// half updates those of η with `next`.
cudaError_t tsunami_launch_c_velocities(const struct tsunami_c_grid_view *view,
                                        const struct c_grid_tiles *tiles,
                                        const struct device_records *records, cudaStream_t stream);
cudaError_t tsunami_launch_c_elevation(const struct tsunami_c_grid_view *view,
                                       const struct c_grid_tiles *tiles, const struct device_records *records,
                                       float time_s, cudaStream_t stream);
// Computes the velocities at the nodes from `state`.
cudaError_t tsunami_launch_c_nodes(const struct tsunami_c_grid_view *view, const struct c_grid_tiles *tiles,
                                   cudaStream_t stream);
// Marks the tiles in which `state` is not at rest.
cudaError_t tsunami_launch_c_inspection(const struct tsunami_c_grid_view *view,
                                        const struct c_grid_tiles *tiles, cudaStream_t stream);

// The same in the plain version: a kernel for each stage, all nodes, without records.
cudaError_t tsunami_launch_c_plain_velocities(const struct tsunami_c_grid_view *view, cudaStream_t stream);
cudaError_t tsunami_launch_c_plain_elevation(const struct tsunami_c_grid_view *view, cudaStream_t stream);
cudaError_t tsunami_launch_c_plain_nodes(const struct tsunami_c_grid_view *view, cudaStream_t stream);

// Updates the records with `state`; speeds are those of `nodes`.
cudaError_t tsunami_launch_c_record(const struct tsunami_c_grid_view *view,
                                    const struct device_records *records, float time_s, cudaStream_t stream);

// Fills the halo of a field beyond the domain, from the own rows.
cudaError_t tsunami_launch_c_halo(const struct tsunami_c_grid_view *view, void *field,
                                  enum c_grid_beyond kind, cudaStream_t stream);

// Computes the velocities at the faces, at the time of η, from those in `nodes`.
cudaError_t tsunami_launch_c_faces(const struct tsunami_c_grid_view *view, cudaStream_t stream);
// Computes the velocities half a step before η from those at the time of η and those one step later, in
// `next`.
cudaError_t tsunami_launch_c_half_back(const struct tsunami_c_grid_view *view, cudaStream_t stream);
// An uplift must not change the velocities at its time. The stored velocities are those half a step earlier:
// corrects them so that half a step with the new η leads to the same velocities. The uplift is in next[0];
// uses next[1].
cudaError_t tsunami_launch_c_unlift(const struct tsunami_c_grid_view *view, cudaStream_t stream);

EXTERN_C_END

#endif
