// A step of `vtcs2-shore`: one kernel a sweep, one for the sources; a thread a node, adjacent threads for
// adjacent columns; kernels share only the arrays. Every thread computes the flooding of its node's
// neighbours itself.
#include "gpu/tsunami/bits.cuh"
#include "gpu/tsunami/given.cuh"
#include "gpu/tsunami/level.cuh"
#include "gpu/tsunami/point.cuh"

namespace tsunami {

// Node `place` of the line through `line`, a row (is_along_x) or a column; beyond an edge the opposite
// side's, or ground that is never flooded.
template <typename Real>
DEVICE fv_cell<Real> shore_load(const device_level<Real> &level, int copy, bool is_along_x, int place,
                                int line)
{
    const int count = is_along_x ? level.nx : level.ny;
    const bool is_outside = place < 0 || place >= count;
    if (is_outside && !(is_along_x ? level.is_periodic_x : level.is_periodic_y))
        return {SHORE_OUTSIDE, 0, 0, 0, SHORE_OUTSIDE};
    const bool wraps = is_outside && (is_along_x || !level.is_ring);
    const int inside = wraps ? (place + 2 * count) % count : place;
    const int offset = is_along_x ? line * level.pitch + inside : inside * level.pitch + line;
    Real *const *state = level.state[copy];
    return fv_cell_of(state[0][offset], state[is_along_x ? 1 : 2][offset], state[is_along_x ? 2 : 1][offset],
                      level.still[offset]);
}

// The constants of a row; beyond an edge, in a ring, those of the row there.
template <typename Real> DEVICE const Real *shore_row(const device_level<Real> &level, int row)
{
    return level.rows + (wrapped_or_mirrored(row, level.ny, level.is_periodic_y) + 1) * ROW_CONSTANTS;
}

// The coefficients have the layout of struct host_level for propagation.
template <typename Real>
DEVICE spacing<Real> shore_spacing(const device_level<Real> &level, bool is_along_x, int column, int row)
{
    const Real *x = level.columns + column, *y = shore_row(level, row);
    if (is_along_x)
        return spacing_of(x[0], x[level.pitch], x[2 * level.pitch], x[3 * level.pitch], y[FV_ROW_STEP_X]);
    return spacing_of(y[0], y[1], y[2], y[3], level.step);
}

// The water beyond an open edge, or the boundary data, at time `shift` of the step, 0 to 1; un and ut along
// and across the sweep.
template <typename Real>
DEVICE fv_outside<Real> shore_beyond(const device_level<Real> &level, enum tsunami_side side, int place,
                                     long long step, double shift)
{
    fv_outside<Real> outside = {0, 0, 0, 0, 0, 0};
    const struct device_edge &edge = level.edges[side];
    if (edge.kind != TSUNAMI_EDGE_GIVEN)
        return outside;
    const struct given_node node = given_at(edge, given_during(edge, step, shift), place);
    const bool is_along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    if (!node.is_there)
        return outside;
    outside.is_elevation_alone = !edge.has_velocity;
    outside.has_ut = edge.has_velocity;
    outside.eta = (Real)node.eta_m;
    outside.un = Real(is_along_x ? node.u_m_s : node.v_m_s);
    outside.ut = Real(is_along_x ? node.v_m_s : node.u_m_s);
    return outside;
}

// A node and its neighbours, with what floods them, for the sweep of the middle one.
template <typename Real> struct shore_three {
    shore_seen<Real> left, centre, right;
};

// A node on the domain's edge follows the edge's rule (shore_edge).
template <typename Real>
DEVICE shore_change<Real> shore_change_of(const device_level<Real> &level, shore_three<Real> nodes,
                                          shore_node<Real> node, Real z, spacing<Real> h, bool is_along_x,
                                          int place, int line, long long step)
{
    const int last = (is_along_x ? level.nx : level.ny) - 1;
    const enum tsunami_side before = is_along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH;
    const enum tsunami_side after = is_along_x ? TSUNAMI_EAST : TSUNAMI_NORTH;
    const bool is_first = place == 0 && level.is_open[before];
    const bool is_last = place == last && level.is_open[after];
    if (!(is_first || is_last) || !shore_is_edge(node, z))
        return shore_advance(nodes.left, nodes.centre, nodes.right, h, level.gravity);
    const double shift = given_sweep_shift(is_along_x, step % 2 == 0);
    return shore_edge(is_last ? nodes.left : nodes.right, nodes.centre, z, is_last ? Real(1) : Real(-1),
                      is_last ? h.km : h.kp, h.step,
                      shore_beyond(level, is_last ? after : before, line, step, shift), level.gravity);
}

// From one copy of the state to the other; rows from `first` on.
template <typename Real>
__global__ void shore_sweep(const __grid_constant__ device_level<Real> level, int first, int from,
                            int is_along_x, long long step)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = first + (int)blockIdx.x;
    if (column >= level.nx)
        return;
    const int place = is_along_x ? column : row, line = is_along_x ? row : column;
    const Real gravity = level.gravity, minimum = level.minimum_depth;
    fv_cell<Real> cells[5];
    shore_node<Real> nodes[3];
    shore_seen<Real> seen[3];
    for (int k = 0; k < 5; k++)
        cells[k] = shore_load(level, from, is_along_x, place - 2 + k, line);
    for (int k = 0; k < 3; k++) {
        nodes[k] = shore_flooded(cells[k], cells[k + 1], cells[k + 2], gravity, minimum);
        seen[k] = shore_seen_of(nodes[k], cells[k + 1].z);
    }
    const Real z = cells[2].z;
    const spacing<Real> h = shore_spacing(level, is_along_x, column, row);
    const int number = is_along_x ? wrapped_or_mirrored(line, level.ny, level.is_periodic_y) : line;
    const shore_change<Real> change =
        shore_change_of(level, {seen[0], seen[1], seen[2]}, nodes[1], z, h, is_along_x, place, number, step);
    Real w, un, ut;
    shore_update(nodes[1], z, change, h.rate, gravity, minimum, &w, &un, &ut);
    const int offset = row * level.pitch + column;
    Real *const *state = level.state[1 - from];
    state[0][offset] = w;
    state[1][offset] = is_along_x ? un : ut;
    state[2][offset] = is_along_x ? ut : un;
}

// Metric, rotation, friction; is_reversed: in reverse order.
template <typename Real>
__global__ void shore_sources(const __grid_constant__ device_level<Real> level, int first, int is_reversed)
{
    const int column = (int)(blockIdx.y * blockDim.x + threadIdx.x), row = first + (int)blockIdx.x;
    if (column >= level.nx)
        return;
    const int offset = row * level.pitch + column;
    Real *const *state = level.state[0];
    const Real *k = shore_row(level, row), minimum = level.minimum_depth;
    Real u = state[1][offset], v = state[2][offset];
    fv_cell<Real> cell = fv_cell_of(state[0][offset], u, v, level.still[offset]);
    Real w = state[0][offset], factor = 1;
    if (level.friction > Real(0) && is_reversed)
        factor = fv_friction_factor(cell.h, u, v, level.friction, minimum);
    u *= factor;
    v *= factor;
    if (!is_reversed)
        w = shore_metric(cell, v, k[FV_ROW_METRIC], minimum);
    if (level.has_rotation)
        rotate(&u, &v, k[FV_ROW_CORIOLIS], k[FV_ROW_CURVATURE]);
    if (is_reversed)
        w = shore_metric(cell, v, k[FV_ROW_METRIC], minimum);
    factor = 1;
    if (level.friction > Real(0) && !is_reversed) {
        cell = fv_cell_of(w, u, v, cell.z);
        factor = fv_friction_factor(cell.h, u, v, level.friction, minimum);
    }
    state[0][offset] = w;
    state[1][offset] = u * factor;
    state[2][offset] = v * factor;
}

// The nodes of one axis's edges take the boundary data once more at the end of the step, by the edge's rule
// for a step of length 0. A thread a node of either side.
template <typename Real>
__global__ void shore_give(const __grid_constant__ device_level<Real> level, int is_along_x, long long step)
{
    const int line = (is_along_x ? level.first_own : 0) + (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int is_last = (int)blockIdx.y;
    const enum tsunami_side before = is_along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH;
    const enum tsunami_side side = is_last ? (is_along_x ? TSUNAMI_EAST : TSUNAMI_NORTH) : before;
    const int place = is_last ? (is_along_x ? level.nx : level.ny) - 1 : 0;
    if (line >= (is_along_x ? level.end_own : level.nx) || level.edges[side].kind != TSUNAMI_EDGE_GIVEN ||
        (!is_along_x && (place < level.first_own || place >= level.end_own)))
        return;
    const Real gravity = level.gravity, minimum = level.minimum_depth;
    const fv_cell<Real> cell = shore_load(level, 0, is_along_x, place, line);
    const shore_node<Real> node = shore_flooded(cell, cell, cell, gravity, minimum); // alone: not flooded
    const fv_outside<Real> outside = shore_beyond(level, side, line, step, GIVEN_SHIFT);
    const bool is_given = outside.is_elevation_alone || outside.has_ut;
    if (!is_given || !shore_is_edge(node, cell.z))
        return;
    const shore_seen<Real> seen = shore_seen_of(node, cell.z);
    const shore_change<Real> change =
        shore_edge(seen, seen, cell.z, is_last ? Real(1) : Real(-1), Real(0), Real(0), outside, gravity);
    const int column = is_along_x ? place : line, row = is_along_x ? line : place;
    const spacing<Real> h = shore_spacing(level, is_along_x, column, row);
    Real w, un, ut;
    shore_update(node, cell.z, change, h.rate, gravity, minimum, &w, &un, &ut);
    const int offset = row * level.pitch + column;
    Real *const *state = level.state[0];
    state[0][offset] = w;
    state[1][offset] = is_along_x ? un : ut;
    state[2][offset] = is_along_x ? ut : un;
}

template <typename Real>
static void shore_launch_give(const device_level<Real> &level, bool is_along_x, long long step,
                              cudaStream_t stream)
{
    const int nodes = is_along_x ? level.end_own - level.first_own : level.nx;
    if (level.has_given)
        shore_give<<<dim3(kernels::blocks_for(nodes, NODE_THREADS), 2), NODE_THREADS, 0, stream>>>(
            level, is_along_x, step);
}

} // namespace tsunami

extern "C" cudaError_t tsunami_launch_shore(const struct tsunami_level_view *view, long long step,
                                            cudaStream_t stream)
{
    using namespace tsunami;
    return with_level(*view, [&](const auto &level) {
        // What comes before the sweep along y is computed in the neighbours' rows too, which it reads.
        const int first = level.first_own - level.beyond, end = level.end_own + level.beyond;
        const int own = level.first_own, from = level.is_ring ? first : max(first, 0);
        const int to = level.is_ring ? end : min(end, level.ny);
        const dim3 blocks = node_blocks(level), more((unsigned)(to - from), blocks.y);
        const int is_odd = (int)(step & 1);
        const bool has_sources = level.has_rotation || level.has_metric_source || level.friction > 0;
        if (is_odd && has_sources)
            shore_sources<<<more, NODE_THREADS, 0, stream>>>(level, from, 1);
        shore_sweep<<<is_odd ? blocks : more, NODE_THREADS, 0, stream>>>(level, is_odd ? own : from, 0,
                                                                         !is_odd, step);
        shore_sweep<<<blocks, NODE_THREADS, 0, stream>>>(level, own, 1, is_odd, step);
        if (!is_odd && has_sources)
            shore_sources<<<blocks, NODE_THREADS, 0, stream>>>(level, own, 0);
        shore_launch_give(level, !is_odd, step, stream);
        shore_launch_give(level, is_odd, step, stream);
    });
}
