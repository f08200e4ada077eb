// Kernels that compute a tsunami run's records from the state on the device: maps, gauges, diagnostics, and
// the search for invalid values. Each function only begins its work on the stream. They use
// models/tsunami/results.h and the block sums of core/statistics.h, and give the host's bits. Knows no memory
// plan, no solver and no frames.
#ifndef FATHOM_GPU_TSUNAMI_RESULTS_KERNELS_H
#define FATHOM_GPU_TSUNAMI_RESULTS_KERNELS_H

#include "core/element.h"
#include "gpu/extern_c.h"
#include "models/tsunami/state.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

// A state on the device, in the perturbation form (e, u, v and c0), of finite volumes (w, u, v and z), or of
// a staggered grid (η, u and v of the nodes, still depth), in `precision`: addresses of node (0, 0), rows
// `pitch` elements apart.
struct results_state {
    const void *e, *u, *v, *still;
    enum element precision;
    int nx, ny, pitch;
    int first_own, end_own; // rows of this device: all, or those of a rank
    int floods, is_staggered, is_ring;
};

// Other data for a node's results; device arrays in double.
struct results_geometry {
    const double *depth_m; // [ny][depth_pitch]; wet: > wall_depth_m; unused with finite volumes: it is −z
    int depth_pitch;
    const double *columns; // [RESULTS_COLUMNS][nx]
    const double *rows;    // [RESULTS_ROWS][ny]
    double gravity_m_s2, step_s, wall_depth_m, wet_depth_m;
};

// Per column: a quarter of the distance between its neighbours, the distance to the nearer one (both at the
// equator). Per row: cos latitude, the distance between its neighbours, the distance to the nearer one. A
// cell's area is RESULTS_COLUMN_QUARTER · RESULTS_ROW_COSINE · RESULTS_ROW_SPAN, in this order.
enum { RESULTS_COLUMN_QUARTER, RESULTS_COLUMN_NEAR, RESULTS_COLUMNS };
enum { RESULTS_ROW_COSINE, RESULTS_ROW_SPAN, RESULTS_ROW_NEAR, RESULTS_ROWS };

// What a guard found first; later searches do not change it. Sent as a frame's note.
struct results_finding {
    long long after_step;     // 1 + the number of steps done; 0: nothing was found
    unsigned long long index; // row · nx + column: the first in index order
    double eta_m, u_m_s, v_m_s;
};

#define RESULTS_NOTHING (~0ULL)

// The fields wanted, one after the other, dense [row][column] of the crop, to `record`.
cudaError_t results_fields(const struct results_state *state, const struct results_geometry *geometry,
                           const struct tsunami_crop *crop, const unsigned char wanted[TSUNAMI_FIELD_COUNT],
                           enum element element, void *record, cudaStream_t stream);

// η, u and v of `count` gauges, dense [3][count]. On the device, of struct tsunami_gauge_place: nodes
// [RESULTS_GAUGE_NODES][count], rows (the first −1: another device's gauge, which is left out), columns, the
// nearest corner; weights [TSUNAMI_CORNERS][count].
enum { RESULTS_GAUGE_ROWS = 0, RESULTS_GAUGE_COLUMNS = 2, RESULTS_GAUGE_NEAREST = 4, RESULTS_GAUGE_NODES };
cudaError_t results_gauges(const struct results_state *state, const struct results_geometry *geometry,
                           const int *nodes, const double *weights, int count, enum element element,
                           void *record, cudaStream_t stream);

// Updates the records of points (models/tsunami/point_record.h) from the present state. Device arrays: places
// [2][count], rows (−1: another device's) and columns; source_level_m as in struct tsunami_records, in the
// state's layout, or NULL.
enum { RESULTS_POINT_ROWS, RESULTS_POINT_COLUMNS, RESULTS_POINT_PLACES };
struct results_points {
    int count;
    const int *places;
    struct tsunami_point_state *states;
    const float *source_level_m;
    double threshold_m, wet_depth_m, gravity_m_s2;
};
cudaError_t results_points(const struct results_state *state, const struct results_points *points,
                           double time_s, int is_step, cudaStream_t stream);

// Diagnostics in two parts, of the state's own rows. blocks: sums and extremes of each of results_blocks
// blocks of 4096 nodes by index in the whole grid, to `partial` (device), results_partials doubles; total:
// those of all blocks, combined in order, to the TSUNAMI_DIAGNOSTICS doubles of `record`. The second needs
// only `partial` and may run beside other work. `parts` is NULL, or, with other ranks, the memory of the
// three sums for sums_take (parallel/sums.h), `stride` doubles each; of `record` the extremes are then used.
size_t results_blocks(const struct results_state *state);
size_t results_partials(size_t blocks);
cudaError_t results_diagnose_blocks(const struct results_state *state,
                                    const struct results_geometry *geometry, double *partial, double *parts,
                                    size_t stride, cudaStream_t stream);
cudaError_t results_diagnose_total(size_t blocks, const double *partial, double *record, cudaStream_t stream);

// Searches for invalid nodes in the own rows of the state after `step` steps. *first (device) is
// RESULTS_NOTHING between searches.
cudaError_t results_guard(const struct results_state *state, const struct results_geometry *geometry,
                          long long step, unsigned long long *first, struct results_finding *finding,
                          cudaStream_t stream);

EXTERN_C_END

#endif
