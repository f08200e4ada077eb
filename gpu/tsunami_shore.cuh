// A step of `vtcs2-shore`, once per precision (REAL and POINT(name) defined; after models/tsunami/shore_point.h): one kernel a
// sweep, one for what acts at a point; a thread a node, neighbouring threads neighbouring columns, nothing kept between kernels
// but the arrays. What a node's neighbours are flooded by is found by every node that looks at them.

// Node `place` of the line through `line`, a row (is_along_x) or a column; beyond an edge the other side's, or ground that
// nothing floods.
static __device__ __forceinline__ struct POINT(fv_cell)
    POINT(shore_load)(const struct POINT(device_level) & level, int copy, bool is_along_x, int place,
                      int line)
{
    const int count = is_along_x ? level.nx : level.ny;
    const bool is_outside = place < 0 || place >= count;
    if (is_outside && !(is_along_x ? level.is_periodic_x : level.is_periodic_y))
        return {SHORE_OUTSIDE, 0, 0, 0, SHORE_OUTSIDE};
    const int inside = is_outside ? (place + 2 * count) % count : place;
    const int offset = is_along_x ? line * level.pitch + inside : inside * level.pitch + line;
    REAL *const *state = level.state[copy];
    return POINT(fv_cell_of)(state[0][offset], state[is_along_x ? 1 : 2][offset],
                             state[is_along_x ? 2 : 1][offset], level.still[offset]);
}

// The coefficients lie in the places of struct host_level, those of propagation.
static __device__ __forceinline__ struct POINT(spacing)
    POINT(shore_spacing)(const struct POINT(device_level) & level, bool is_along_x, int column, int row)
{
    const REAL *x = level.columns + column, *y = level.rows + (row + 1) * ROW_CONSTANTS;
    if (is_along_x)
        return POINT(spacing_of)(x[0], x[level.pitch], x[2 * level.pitch], x[3 * level.pitch],
                                 y[FV_ROW_STEP_X]);
    return POINT(spacing_of)(y[0], y[1], y[2], y[3], level.step);
}

// What lies beyond an open or given edge, `shift` of the step from its beginning; un and ut along and across the sweep.
static __device__ __forceinline__ struct POINT(fv_outside)
    POINT(shore_beyond)(const struct POINT(device_level) & level, enum tsunami_side side, int place,
                        long long step, double shift)
{
    struct POINT(fv_outside) outside = {0, 0, 0, 0, 0, 0};
    const struct device_edge &edge = level.edges[side];
    if (edge.kind != TSUNAMI_EDGE_GIVEN)
        return outside;
    const struct given_node node = given_at(edge, given_during(edge, step, shift), place);
    const bool is_along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    if (!node.is_there)
        return outside;
    outside.is_elevation_alone = !edge.has_velocity;
    outside.has_ut = edge.has_velocity;
    outside.eta = (REAL)node.eta_m;
    outside.un = (REAL)(is_along_x ? node.u_m_s : node.v_m_s);
    outside.ut = (REAL)(is_along_x ? node.v_m_s : node.u_m_s);
    return outside;
}

// The three nodes about one, with what floods them, as the sweep of the middle one takes them.
struct POINT(shore_three) {
    struct POINT(shore_seen) left, centre, right;
};

// Beside the domain's edge `side` the node is that edge's (shore_edge), anywhere else one among others.
static __device__ __forceinline__ struct POINT(shore_change)
    POINT(shore_change_of)(const struct POINT(device_level) & level, struct POINT(shore_three) nodes,
                           struct POINT(shore_node) node, REAL z, struct POINT(spacing) h, bool is_along_x,
                           int place, int line, long long step)
{
    const int last = (is_along_x ? level.nx : level.ny) - 1;
    const enum tsunami_side before = is_along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH;
    const enum tsunami_side after = is_along_x ? TSUNAMI_EAST : TSUNAMI_NORTH;
    const bool is_first = place == 0 && level.is_open[before];
    const bool is_last = place == last && level.is_open[after];
    if (!(is_first || is_last) || !POINT(shore_is_edge)(node, z))
        return POINT(shore_advance)(nodes.left, nodes.centre, nodes.right, h, level.gravity);
    const double shift = given_sweep_shift(is_along_x, step % 2 == 0);
    return POINT(shore_edge)(is_last ? nodes.left : nodes.right, nodes.centre, z,
                             is_last ? (REAL)1 : (REAL)-1, is_last ? h.km : h.kp, h.step,
                             POINT(shore_beyond)(level, is_last ? after : before, line, step, shift),
                             level.gravity);
}

// From one copy of the state to the other.
__global__ void POINT(shore_sweep)(const __grid_constant__ struct POINT(device_level) level, int from,
                                   int is_along_x, long long step)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = (int)blockIdx.x;
    if (column >= level.nx)
        return;
    const int place = is_along_x ? column : row, line = is_along_x ? row : column;
    const REAL gravity = level.gravity, minimum = level.minimum_depth;
    struct POINT(fv_cell) cells[5];
    struct POINT(shore_node) nodes[3];
    struct POINT(shore_seen) seen[3];
    for (int k = 0; k < 5; k++)
        cells[k] = POINT(shore_load)(level, from, is_along_x, place - 2 + k, line);
    for (int k = 0; k < 3; k++) {
        nodes[k] = POINT(shore_flooded)(cells[k], cells[k + 1], cells[k + 2], gravity, minimum);
        seen[k] = POINT(shore_seen_of)(nodes[k], cells[k + 1].z);
    }
    const REAL z = cells[2].z;
    const struct POINT(spacing) h = POINT(shore_spacing)(level, is_along_x, column, row);
    const struct POINT(shore_change) change = POINT(shore_change_of)(
        level, {seen[0], seen[1], seen[2]}, nodes[1], z, h, is_along_x, place, line, step);
    REAL w, un, ut;
    POINT(shore_update)(nodes[1], z, change, h.rate, gravity, minimum, &w, &un, &ut);
    const int offset = row * level.pitch + column;
    REAL *const *state = level.state[1 - from];
    state[0][offset] = w;
    state[1][offset] = is_along_x ? un : ut;
    state[2][offset] = is_along_x ? ut : un;
}

// Metric, rotation, friction, or the reverse.
__global__ void POINT(shore_sources)(const __grid_constant__ struct POINT(device_level) level,
                                     int is_reversed)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = (int)blockIdx.x;
    if (column >= level.nx)
        return;
    const int offset = row * level.pitch + column;
    REAL *const *state = level.state[0];
    const REAL *k = level.rows + (row + 1) * ROW_CONSTANTS, minimum = level.minimum_depth;
    REAL u = state[1][offset], v = state[2][offset];
    struct POINT(fv_cell) cell = POINT(fv_cell_of)(state[0][offset], u, v, level.still[offset]);
    REAL w = state[0][offset], factor = 1;
    if (level.friction > (REAL)0 && is_reversed)
        factor = POINT(fv_friction_factor)(cell.h, u, v, level.friction, minimum);
    u *= factor;
    v *= factor;
    if (!is_reversed)
        w = POINT(shore_metric)(cell, v, k[FV_ROW_METRIC], minimum);
    if (level.has_rotation)
        POINT(rotate)(&u, &v, k[FV_ROW_CORIOLIS], k[FV_ROW_CURVATURE]);
    if (is_reversed)
        w = POINT(shore_metric)(cell, v, k[FV_ROW_METRIC], minimum);
    factor = 1;
    if (level.friction > (REAL)0 && !is_reversed) {
        cell = POINT(fv_cell_of)(w, u, v, cell.z);
        factor = POINT(fv_friction_factor)(cell.h, u, v, level.friction, minimum);
    }
    state[0][offset] = w;
    state[1][offset] = u * factor;
    state[2][offset] = v * factor;
}

// The nodes of one axis's edges at the end of the step: they take what is given once more, by the edge's rule for a step of no
// length. A thread a node of both sides.
__global__ void POINT(shore_give)(const __grid_constant__ struct POINT(device_level) level, int is_along_x,
                                  long long step)
{
    const int line = (int)(blockIdx.x * blockDim.x + threadIdx.x), is_last = (int)blockIdx.y;
    const enum tsunami_side before = is_along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH;
    const enum tsunami_side side = is_last ? (is_along_x ? TSUNAMI_EAST : TSUNAMI_NORTH) : before;
    const int place = is_last ? (is_along_x ? level.nx : level.ny) - 1 : 0;
    if (line >= (is_along_x ? level.ny : level.nx) || level.edges[side].kind != TSUNAMI_EDGE_GIVEN)
        return;
    const REAL gravity = level.gravity, minimum = level.minimum_depth;
    const struct POINT(fv_cell) cell = POINT(shore_load)(level, 0, is_along_x, place, line);
    const struct POINT(shore_node) node =
        POINT(shore_flooded)(cell, cell, cell, gravity, minimum); // alone: nothing floods it
    const struct POINT(fv_outside) outside = POINT(shore_beyond)(level, side, line, step, GIVEN_SHIFT);
    const bool is_given = outside.is_elevation_alone || outside.has_ut;
    if (!is_given || !POINT(shore_is_edge)(node, cell.z))
        return;
    const struct POINT(shore_seen) seen = POINT(shore_seen_of)(node, cell.z);
    const struct POINT(shore_change) change = POINT(shore_edge)(
        seen, seen, cell.z, is_last ? (REAL)1 : (REAL)-1, (REAL)0, (REAL)0, outside, gravity);
    const int column = is_along_x ? place : line, row = is_along_x ? line : place;
    const struct POINT(spacing) h = POINT(shore_spacing)(level, is_along_x, column, row);
    REAL w, un, ut;
    POINT(shore_update)(node, cell.z, change, h.rate, gravity, minimum, &w, &un, &ut);
    const int offset = row * level.pitch + column;
    REAL *const *state = level.state[0];
    state[0][offset] = w;
    state[1][offset] = is_along_x ? un : ut;
    state[2][offset] = is_along_x ? ut : un;
}

static void POINT(shore_launch_give)(const struct POINT(device_level) & level, bool is_along_x,
                                     long long step, cudaStream_t stream)
{
    const int nodes = is_along_x ? level.ny : level.nx;
    const dim3 blocks((unsigned)(nodes + SHORE_THREADS - 1) / SHORE_THREADS, 2);
    if (level.has_given)
        POINT(shore_give)<<<blocks, SHORE_THREADS, 0, stream>>>(level, is_along_x, step);
}

extern "C" cudaError_t POINT(tsunami_launch_shore)(const struct POINT(device_level) * level,
                                                   const struct device_records *records, long long step,
                                                   float time_s, cudaStream_t stream)
{
    const dim3 blocks((unsigned)level->ny, (unsigned)(level->nx + SHORE_THREADS - 1) / SHORE_THREADS);
    const int is_odd = (int)(step & 1);
    const bool has_sources = level->has_rotation || level->has_metric_source || level->friction > 0;
    if (is_odd && has_sources)
        POINT(shore_sources)<<<blocks, SHORE_THREADS, 0, stream>>>(*level, 1);
    POINT(shore_sweep)<<<blocks, SHORE_THREADS, 0, stream>>>(*level, 0, !is_odd, step);
    POINT(shore_sweep)<<<blocks, SHORE_THREADS, 0, stream>>>(*level, 1, is_odd, step);
    if (!is_odd && has_sources)
        POINT(shore_sources)<<<blocks, SHORE_THREADS, 0, stream>>>(*level, 0);
    POINT(shore_launch_give)(*level, !is_odd, step, stream);
    POINT(shore_launch_give)(*level, is_odd, step, stream);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || records->kind == RECORDS_NONE)
        return error;
    return POINT(tsunami_launch_fv_record)(level, records, 0, time_s, stream);
}
