// The kernels of `c-grid-6`: the arrays of a level, launches. Independent of the memory plan and of solvers.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_H
#define FATHOM_GPU_TSUNAMI_C_GRID_H

#include "gpu/tsunami/kernels.h"
#include "models/tsunami/c_grid_codes.h"

EXTERN_C_BEGIN

// Of a row, [row][member]: the weights of the three differences about the face to the north over its
// distance, and about the node over its own; of the mean at the node; 1/m of the face, 1/(m cos) of the node;
// of cos at the node and at the face: 1/cos, cos, 1/cos; Coriolis (1/s); four: cos of the rows −1 … 2 over
// that of the face, or 1.
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
// Of columns, [member][pitch]: the same, without latitudes.
enum { C_COLUMN_MEMBERS = 11 };

// Arrays between the kernels of the plain version.
enum { C_GRID_WORK = 6 };

// All arrays but rows: [ny + 2 C_GRID_HALO][pitch], from node (0, 0); state and depths in `precision`.
struct tsunami_c_grid_view {
    enum element precision;
    int nx, ny, pitch;
    void *state[TSUNAMI_FIELDS], *next[TSUNAMI_FIELDS]; // η, u, v; of the end of the step
    void *nodes[2];                                     // u, v of the nodes at the time of η
    const void *depth, *depth_u, *depth_v, *inverse_corner;
    const int *code; // c_grid_code
    const void *columns, *rows;
    void *work[C_GRID_WORK]; // of the plain version
    double step_s, gravity_m_s2, friction;
    double shallowest_m; // still depth of the wet nodes
    bool is_periodic_x, is_periodic_y;
    bool is_open[TSUNAMI_SIDES];
};

// A block computes a tile, a thread a column, with columns beyond it. No tile but the only one along an axis
// is narrower than what a step reaches (C_GRID_REACH). Threads of a block in single and in double precision;
// resident blocks of a multiprocessor, which bounds the registers, for numbers of so many bytes; rows at
// most, limited by shared memory.
#ifndef C_TILE_THREADS_F
#define C_TILE_THREADS_F 256
#define C_TILE_THREADS_D 128
#endif
#define C_TILE_COLUMNS(threads)       ((threads)-12)
#define C_TILE_BLOCKS(threads, bytes) (2048 / ((threads) * (int)(bytes)))
#define C_TILE_ROWS                   120

struct c_grid_tile {
    int i, j; // column and row of the tile
    int column_begin, column_end, row_begin, row_end;
    int has_land; // a row of it has (struct c_grid_tiles)
};

// [rows][columns] of the whole tiling: `moving`, a step left it not at rest; `awake`, it was computed.
struct c_grid_tiles {
    const struct c_grid_tile *list; // those that are not all land
    int count, columns, rows;
    int skips; // 0: every tile of the list is computed
    unsigned char *moving, *awake;
    // [columns][ny + 2 C_GRID_HALO]: land, or the domain's edge, is within reach of the row's stencils in the
    // column of tiles.
    const unsigned char *has_land;
    unsigned long long *computed; // node-steps so far
};

// A field with the values that it has beyond the domain: the surface, a velocity.
enum c_grid_beyond { C_GRID_SURFACE, C_GRID_VELOCITY };

// One step in two halves: `next` from `state`. The second needs the first's velocities. Unless `records` is
// NULL, the first brings those of speed and flux up to the present state, the second those of η up to the new
// one.
cudaError_t tsunami_launch_c_velocities(const struct tsunami_c_grid_view *view,
                                        const struct c_grid_tiles *tiles,
                                        const struct device_records *records, cudaStream_t stream);
cudaError_t tsunami_launch_c_elevation(const struct tsunami_c_grid_view *view,
                                       const struct c_grid_tiles *tiles, const struct device_records *records,
                                       float time_s, cudaStream_t stream);
// The nodes' velocities of the present state.
cudaError_t tsunami_launch_c_nodes(const struct tsunami_c_grid_view *view, const struct c_grid_tiles *tiles,
                                   cudaStream_t stream);
// Marks the tiles in which the present state is not at rest.
cudaError_t tsunami_launch_c_inspection(const struct tsunami_c_grid_view *view,
                                        const struct c_grid_tiles *tiles, cudaStream_t stream);

// The same in the plain version: a kernel for each stage, all nodes, without records.
cudaError_t tsunami_launch_c_plain_velocities(const struct tsunami_c_grid_view *view, cudaStream_t stream);
cudaError_t tsunami_launch_c_plain_elevation(const struct tsunami_c_grid_view *view, cudaStream_t stream);
cudaError_t tsunami_launch_c_plain_nodes(const struct tsunami_c_grid_view *view, cudaStream_t stream);

// Brings the records up to the present state; speeds are those of `nodes`.
cudaError_t tsunami_launch_c_record(const struct tsunami_c_grid_view *view,
                                    const struct device_records *records, float time_s, cudaStream_t stream);

// Fills what lies beyond the domain.
cudaError_t tsunami_launch_c_halo(const struct tsunami_c_grid_view *view, void *field,
                                  enum c_grid_beyond kind, cudaStream_t stream);

// The velocities at the faces from those in `nodes`, at the time of η.
cudaError_t tsunami_launch_c_faces(const struct tsunami_c_grid_view *view, cudaStream_t stream);
// From velocities at the time of η, and those a step later in `next`, to those half a step before.
cudaError_t tsunami_launch_c_half_back(const struct tsunami_c_grid_view *view, cudaStream_t stream);
// After a lift, which is in next[0]: velocities that lead to those before it. Uses next[1].
cudaError_t tsunami_launch_c_unlift(const struct tsunami_c_grid_view *view, cudaStream_t stream);

EXTERN_C_END

#endif
