// The tsunami's kernels: tiles, records, levels, launches. Knows no memory plan and no solver.
#ifndef FATHOM_GPU_TSUNAMI_KERNELS_H
#define FATHOM_GPU_TSUNAMI_KERNELS_H

#include "core/element.h"
#include "gpu/extern_c.h"
#include "models/tsunami/state.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

// A block computes a tile; its warps advance along y, and write all columns but the halo. Of propagation a
// lane has one or two columns, and one lane at each end is halo. With finite volumes a lane has one column,
// and two lanes at each end are halo.
#ifndef TILE_ROWS
#define TILE_ROWS 25 // with the two rows beside it a multiple of three, by which the row loop is unrolled
#endif
#define TILE_COLUMNS               120
#define TILE_WARPS(lane_columns)   (TILE_COLUMNS / (30 * (lane_columns)))
#define TILE_THREADS(lane_columns) (32 * TILE_WARPS(lane_columns))
#ifndef FV_TILE_ROWS
#define FV_TILE_ROWS 32
#endif
#define FV_WARPS        4
#define FV_WARP_COLUMNS 28
#define FV_TILE_COLUMNS (FV_WARPS * FV_WARP_COLUMNS)
#define FV_THREADS      (32 * FV_WARPS)

// Resident blocks of a multiprocessor, in single and in double precision: bounds the registers.
#ifndef BLOCKS_F
#define BLOCKS_F 8
#define BLOCKS_D 4
#endif
#ifndef FV_BLOCKS_F
#define FV_BLOCKS_F 5
#define FV_BLOCKS_D 4
#endif

// Dispersion: lines of a block; rows of them at a time, limited by shared memory (longer lines are divided
// into segments); and rows of a thread.
#define DISPERSION_LINES        8
#define DISPERSION_PART_ROWS    16
#define DISPERSION_ROWS(real)   (1024 / (int)sizeof(real))
#define DISPERSION_PARTS(real)  (DISPERSION_ROWS(real) / DISPERSION_PART_ROWS)
#define DISPERSION_SHARED(real) ((DISPERSION_ROWS(real) + DISPERSION_PARTS(real)) * DISPERSION_LINES)

struct tile_shape {
    int columns, rows;
};

// A row's constants in device memory, in host_level's order.
enum { ROW_CONSTANTS = 8, ROW_STEP_X = 4 };
enum {
    FV_ROW_LAMBDA,
    FV_ROW_COSINE,
    FV_ROW_COSINE_SOUTH,
    FV_ROW_COSINE_NORTH,
    FV_ROW_STEP_X,
    FV_ROW_CORIOLIS,
    FV_ROW_CURVATURE,
    FV_ROW_METRIC
};

// The time within a step, as its fraction, for which the boundary data are taken at last: its end; with
// finite volumes its middle.
#define GIVEN_SHIFT    1.0
#define FV_GIVEN_SHIFT 0.5

struct device_tile {
    int i, j; // column and row of the tile, or row of its part
    // land, an edge of the domain, or either next to it; with finite volumes: an edge of the domain
    int is_coast;
    int is_driven; // a wave is given at an edge of it: never at rest
};

struct tile_bounds {
    int column_begin, column_end, row_begin, row_end;
};

// A neighbouring rank whose device this one addresses (peers.c): the copies that it holds of this rank's rows
// and of what this rank's tiles did. Without a neighbour there are no rows.
struct device_peer {
    void *state[2][TSUNAMI_FIELDS]; // as that of a level
    int first_row, end_row;         // the rows that it holds
    unsigned char *moving[2];
    unsigned long long *made;
};

// Tiles up to row beside[0], and from row beside[1] on, tell a neighbour and wait for its tiles, too.
struct device_peers {
    struct device_peer at[2];
    int beside[2]; // −1, INT_MAX: none
    // Of neighbours' tiles, as in struct device_tiles; written by them.
    const unsigned char *moving[2];
    unsigned long long *made;
    const int *failure;            // the run's, in the host's memory: not 0: do not wait
    unsigned long long *waited_ns; // by all blocks; by the end of launches
};

struct device_tiles {
    const struct device_tile *list; // those that are not always land
    int count;                      // of the list
    int columns, rows;              // of the whole tiling: whole tiles
    int nx, ny;
    int first_own, end_own; // rows of this device: all, or those of a rank; others are not computed
    struct tile_shape shape;
    // With ranks a tile may be computed in so many parts along y, of part_rows rows but for the last one.
    // All rows of tiles below are then rows of parts. What is skipped is decided for whole tiles.
    int parts, part_rows;
    int is_periodic_x, is_periodic_y;
    int skips;                // 0: every tile is computed
    unsigned char *moving[2]; // [rows][columns]: not at rest after an odd step; after an even one
    // [rows][columns]: a tile that has been computed stays awake: both copies of its state must be updated.
    // NULL: in a tile at rest both copies are equal.
    unsigned char *awake;
    unsigned long long
        *made; // [rows][columns]: number of steps done; the largest number in tiles without water
    struct device_peers peers;
    unsigned long long *taken;    // items (steps times tiles) taken by the blocks of all launches
    unsigned long long *computed; // node-steps so far
};

// The steps of one launch.
struct device_steps {
    long long first, count;   // number of the first step; how many
    unsigned long long made;  // number of steps that every tile has done before
    unsigned long long taken; // number of items taken before
    int blocks;               // of the launch: each takes one item more than exist
    double start_s, step_s;   // time = start_s + (step + 1) step_s after a step
};

// The records of a step: none; the largest elevation with its time and the arrivals; all.
enum { RECORDS_NONE, RECORDS_ETA, RECORDS_ALL };

// Running maxima that a step compares with: of elevation, speed, flux; with finite volumes, of the depth.
enum { RECORD_MAXIMA = 3, FV_RECORD_MAXIMA = 4 };

struct device_records {
    float *max_eta_m, *max_speed_m_s, *max_flux_m2_s, *max_depth_m, *time_of_max_s, *first_drawdown_s;
    float *hazard_m2_s, *inundation_s, *wet_since_s; // finite volumes: all or none
    float *arrival_s[TSUNAMI_ARRIVALS_MAX];
    float arrival_m[TSUNAMI_ARRIVALS_MAX];
    float highest_arrival_m;     // the largest of them; −∞ without any
    const float *source_level_m; // as in struct tsunami_records
    bool has_moving_level;
    float drawdown_m;
    double wet_depth_m; // finite volumes
    int arrival_count;
    int kind; // RECORDS_NONE, _ETA, _ALL
};

// One side of the domain, with the boundary data (struct tsunami_given_edge) that a step needs.
struct device_edge {
    enum tsunami_edge kind;
    int nodes, slots, has_velocity, keeps_discharge;
    long long steps_per_record;
    double *values; // [slots][3][nodes]
    int has_rise;   // whether the bottom moves in the next step
    int side_nodes;
    double *rise; // [2][3][side_nodes]; NULL if the bottom never moves
};

// The data of a level; its arrays are in `precision`.
struct tsunami_level_view {
    enum element precision;
    int nx, ny;
    // Rows of this device: all, or those of a rank, and how many of its neighbours' rows beside them its
    // arrays hold. Indices and addresses are those of the whole grid.
    int first_own, end_own, beyond;
    int pitch;
    // e, u, v (finite volumes: w, u, v) before an even step, and before an odd one
    void *state[2][TSUNAMI_FIELDS];
    const void *still;   // c0 (z, the bottom's height); interior (0, 0), as of the state
    const void *columns; // [HOST_COLUMN_COEFFICIENTS][pitch], as in host_level
    const void *rows;    // [ny + 2][ROW_CONSTANTS]
    double step_s, friction, gravity_m_s2, minimum_depth_m;
    bool has_rotation, has_metric_source, has_metric_in_sweep;
    enum tsunami_limiter limiter; // of the finite volumes
    bool is_periodic_x, is_periodic_y;
    bool is_ring; // periodic along y among ranks: rows beyond the edges are held there, none wrap around
    bool is_open[TSUNAMI_SIDES]; // open, or with boundary data
    bool has_given;              // boundary data at one side or more
    struct device_edge edges[TSUNAMI_SIDES];
};

// Lines along y of a grid that is divided among ranks: each rank eliminates the inner rows of the parts (see
// dispersion_lines.cuh) that have rows of its own; then all know the first and last rows of all parts.
struct tsunami_dispersion_division {
    int first, end; // the rows of these parts: the own ones, and those of neighbours in parts that are cut
    // [slots][first, last][lower, upper, value][pitch]; the slots of the parts: [segments][parts]
    void *ends;
    const int *slots; // NULL: the grid is not divided
    size_t pitch;
};

// The arrays of weak dispersion: [ny][pitch] as the state. [2]: along x, along y.
struct tsunami_dispersion_view {
    void *u_before, *v_before;            // velocities at the step's start
    void *work;                           // D, then the change of w
    void *value[2], *lower[2], *upper[2]; // the equations
    void *psi[2];
    void *scratch; // of long lines (dispersion.c)
    struct tsunami_dispersion_division division;
};

// The lines of a solution: segments, and parts of each segment.
struct dispersion_cut {
    int segments, parts;
};
static inline struct dispersion_cut dispersion_cut_of(int rows, int rows_max, int parts_max)
{
    struct dispersion_cut cut = {(rows + rows_max - 1) / rows_max, 1};
    // Short lines are divided into short parts, to use more threads.
    const int least = rows / cut.segments, quarters = least < 8 ? 1 : least / 4;
    cut.parts = quarters < parts_max ? quarters : parts_max;
    return cut;
}

// Horizontal eddy viscosity: the changes of the velocities, [ny][pitch] as the state.
struct tsunami_eddy_view {
    void *change_u, *change_v;
    double constant_m2_s, smagorinsky; // struct tsunami_physics
};

// Launches the steps on the stream. Errors are the launch's.
cudaError_t tsunami_launch_steps(const struct tsunami_level_view *level, const struct device_records *records,
                                 const struct device_tiles *tiles, const struct device_steps *steps,
                                 int second_order, cudaStream_t stream);

// The plain version of one step, without records, from copy 0 of the state to copy 0; copy 1 holds the values
// between the sweeps.
cudaError_t tsunami_launch_plain(const struct tsunami_level_view *level, long long step, int second_order,
                                 cudaStream_t stream);

// Brings the records up to the given copy of the state.
cudaError_t tsunami_launch_record(const struct tsunami_level_view *level,
                                  const struct device_records *records, int copy, float time_s,
                                  cudaStream_t stream);

// The same with finite volumes.
cudaError_t tsunami_launch_fv_steps(const struct tsunami_level_view *level,
                                    const struct device_records *records, const struct device_tiles *tiles,
                                    const struct device_steps *steps, cudaStream_t stream);
cudaError_t tsunami_launch_fv_plain(const struct tsunami_level_view *level, long long step,
                                    cudaStream_t stream);
cudaError_t tsunami_launch_fv_record(const struct tsunami_level_view *level,
                                     const struct device_records *records, int copy, float time_s,
                                     cudaStream_t stream);

// Weak dispersion after a step of the finite volumes, on the given copy of the state, in stages: the
// equations; three solutions, `turn` 0 to 2, along the first axis, the other one, and the first one again;
// the effect of ψ. Before a solution along y of a divided grid come the first and last rows of the parts
// (tsunami_dispersion_division), which the ranks exchange.
enum tsunami_dispersion_stage {
    DISPERSION_EQUATIONS,
    DISPERSION_PARTS_OF_LINES,
    DISPERSION_SOLUTION,
    DISPERSION_EFFECT
};
cudaError_t tsunami_launch_dispersion(const struct tsunami_level_view *level,
                                      const struct tsunami_dispersion_view *dispersion,
                                      enum tsunami_dispersion_stage stage, int turn, int copy, int is_x_first,
                                      cudaStream_t stream);

// Eddy viscosity after a step of the finite volumes, on the given copy of the state.
cudaError_t tsunami_launch_eddies(const struct tsunami_level_view *level,
                                  const struct tsunami_eddy_view *eddies, int copy, cudaStream_t stream);

// A step of vtcs2-shore, as in the plain versions.
cudaError_t tsunami_launch_shore(const struct tsunami_level_view *level, long long step, cudaStream_t stream);

EXTERN_C_END

#endif
