// The plain version of the step: one kernel a sweep, one for the sources; a thread a node, coalesced; kernels
// share only the arrays. The baseline of tile_rows.cuh, for results and speed.
#ifndef FATHOM_GPU_TSUNAMI_PLAIN_CUH
#define FATHOM_GPU_TSUNAMI_PLAIN_CUH

#include "gpu/tsunami/cell.cuh"

namespace tsunami {

struct plain_place {
    int column, row, offset;
};

template <typename Real> DEVICE bool plain_place_of(const device_level<Real> &level, plain_place *place)
{
    place->column = (int)(blockIdx.y * blockDim.x + threadIdx.x);
    place->row = level.first_own + (int)blockIdx.x;
    place->offset = place->row * level.pitch + place->column;
    return place->column < level.nx;
}

template <typename Real>
DEVICE node<Real> plain_node(const device_level<Real> &level, int copy, int offset, bool is_along_x)
{
    const Real u = level.state[copy][1][offset], v = level.state[copy][2][offset];
    return node_of(level.state[copy][0][offset], is_along_x ? u : v, is_along_x ? v : u, level.still[offset]);
}

template <typename Real>
DEVICE void plain_given(const device_level<Real> &level, long long step, double shift,
                        struct given_now given[TSUNAMI_SIDES])
{
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (level.edges[side].kind == TSUNAMI_EDGE_GIVEN)
            given[side] = given_during(level.edges[side], step, shift);
}

// From one copy of the state to the other.
template <bool SECOND, bool HAS_GIVEN, typename Real>
__global__ void plain_sweep_x(const __grid_constant__ device_level<Real> level, int from, long long step)
{
    struct given_now given[TSUNAMI_SIDES] = {};
    plain_place at;
    if (!plain_place_of(level, &at))
        return;
    const bool is_first = at.column == 0, is_last = at.column == level.nx - 1;
    const int left = level.is_periodic_x && is_first ? level.nx - 1 : -1;
    const int right = level.is_periodic_x && is_last ? 1 - level.nx : 1;
    const spacing<Real> h =
        spacing_of(level.columns[at.column], level.columns[level.pitch + at.column],
                   level.columns[2 * level.pitch + at.column], level.columns[3 * level.pitch + at.column],
                   level.rows[(at.row + 1) * ROW_CONSTANTS + ROW_STEP_X]);
    if (HAS_GIVEN)
        plain_given(level, step, given_sweep_shift(true, !SECOND || step % 2 == 0), given);
    const node<Real> next = sweep_coast<SECOND, HAS_GIVEN>(
        level, plain_node(level, from, at.offset + left, true), plain_node(level, from, at.offset, true),
        plain_node(level, from, at.offset + right, true), h,
        line_end_of<true>(level, at.column, at.row, given));
    store_cell(level.state[1 - from], {next.e, next.un, next.ut, next.c0}, at.offset);
}

template <bool SECOND, bool HAS_GIVEN, typename Real>
__global__ void plain_sweep_y(const __grid_constant__ device_level<Real> level, int from, long long step)
{
    struct given_now given[TSUNAMI_SIDES] = {};
    plain_place at;
    if (!plain_place_of(level, &at))
        return;
    const bool is_first = at.row == 0, is_last = at.row == level.ny - 1;
    const int south = level.is_periodic_y && is_first ? level.ny - 1 : -1;
    const int north = level.is_periodic_y && is_last ? 1 - level.ny : 1;
    const row_constants<Real> k = row_of(level, at.row);
    if (HAS_GIVEN)
        plain_given(level, step, given_sweep_shift(false, !SECOND || step % 2 == 0), given);
    const cell<Real> next = sweep_y_coast<SECOND, HAS_GIVEN>(
        level, plain_node(level, from, at.offset + south * level.pitch, false),
        plain_node(level, from, at.offset, false),
        plain_node(level, from, at.offset + north * level.pitch, false), k, at.row, at.column, given);
    store_cell(level.state[1 - from], next, at.offset);
}

template <bool SECOND, bool HAS_FRICTION, bool IS_REVERSED, typename Real>
__global__ void plain_sources(const __grid_constant__ device_level<Real> level, int copy)
{
    plain_place at;
    if (!plain_place_of(level, &at))
        return;
    Real *const *state = level.state[copy];
    const cell<Real> here = {state[0][at.offset], state[1][at.offset], state[2][at.offset],
                             level.still[at.offset]};
    store_cell(state,
               apply_sources<true, SECOND, HAS_FRICTION, IS_REVERSED>(level, here, row_of(level, at.row)),
               at.offset);
}

// The nodes of all edges at the end of the step.
template <typename Real>
__global__ void plain_give(const __grid_constant__ device_level<Real> level, int is_x_first, long long step)
{
    struct given_now given[TSUNAMI_SIDES] = {};
    plain_place at;
    if (!plain_place_of(level, &at))
        return;
    if (at.column > 0 && at.column < level.nx - 1 && at.row > 0 && at.row < level.ny - 1)
        return;
    Real *const *state = level.state[0];
    const cell<Real> here = {state[0][at.offset], state[1][at.offset], state[2][at.offset],
                             level.still[at.offset]};
    plain_given(level, step, GIVEN_SHIFT, given);
    store_cell(state, give_ends(level, here, is_x_first != 0, at.column, at.row, given), at.offset);
}

template <bool SECOND, bool HAS_FRICTION, bool HAS_GIVEN, typename Real>
static void plain_step(const device_level<Real> &level, dim3 blocks, long long step, cudaStream_t stream)
{
    if (SECOND && step % 2 != 0) {
        plain_sources<SECOND, HAS_FRICTION, true><<<blocks, NODE_THREADS, 0, stream>>>(level, 0);
        plain_sweep_y<SECOND, HAS_GIVEN><<<blocks, NODE_THREADS, 0, stream>>>(level, 0, step);
        plain_sweep_x<SECOND, HAS_GIVEN><<<blocks, NODE_THREADS, 0, stream>>>(level, 1, step);
    } else {
        plain_sweep_x<SECOND, HAS_GIVEN><<<blocks, NODE_THREADS, 0, stream>>>(level, 0, step);
        plain_sweep_y<SECOND, HAS_GIVEN><<<blocks, NODE_THREADS, 0, stream>>>(level, 1, step);
        plain_sources<SECOND, HAS_FRICTION, false><<<blocks, NODE_THREADS, 0, stream>>>(level, 0);
    }
    if (HAS_GIVEN)
        plain_give<<<blocks, NODE_THREADS, 0, stream>>>(level, !SECOND || step % 2 == 0, step);
}

} // namespace tsunami

#endif
