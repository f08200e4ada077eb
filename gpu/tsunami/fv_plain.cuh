// The plain version of a step of the finite volumes: one kernel for each sweep and one for the source terms;
// one thread for each node. Both nodes at a face compute its flux. The fast version, fv_tile_rows.cuh, gives
// the same bits.
#ifndef FATHOM_GPU_TSUNAMI_FV_PLAIN_CUH
#define FATHOM_GPU_TSUNAMI_FV_PLAIN_CUH

#include "gpu/tsunami/fv_record.cuh"

namespace tsunami {

// Loads node `place` of row `line` (is_along_x) or of column `line`, with the velocities along and across the
// sweep.
template <typename Real>
DEVICE fv_cell<Real> fv_plain_load(const device_level<Real> &level, int copy, bool is_along_x, int place,
                                   int line)
{
    const int offset = is_along_x ? line * level.pitch + place : place * level.pitch + line;
    Real *const *state = level.state[copy];
    const water<Real> c = {state[0][offset], state[1][offset], state[2][offset], level.still[offset]};
    return is_along_x ? fv_along_x(c) : fv_along_y(c);
}

// Loads the same, or the ghost cell beyond an edge.
template <typename Real>
DEVICE fv_cell<Real> fv_plain_cell(const device_level<Real> &level, int copy, bool is_along_x, int place,
                                   int line, const struct given_now *given)
{
    const int count = is_along_x ? level.nx : level.ny;
    const int is_periodic = is_along_x ? level.is_periodic_x : level.is_periodic_y;
    const fv_cell<Real> cell =
        fv_plain_load(level, copy, is_along_x, wrapped_or_mirrored(place, count, is_periodic), line);
    if (is_periodic || (place >= 0 && place < count))
        return cell;
    const bool is_before = place < 0;
    const enum tsunami_side side =
        is_along_x ? (is_before ? TSUNAMI_WEST : TSUNAMI_EAST) : (is_before ? TSUNAMI_SOUTH : TSUNAMI_NORTH);
    const fv_cell<Real> inner = fv_plain_load(level, copy, is_along_x, is_before ? 0 : count - 1, line);
    const fv_cell<Real> ghost =
        fv_ghost(level, inner, cell, side, given[side], line, place < -1 || place > count);
    return is_along_x ? fv_along_x(water<Real>{fv_stored(ghost), ghost.un, ghost.ut, ghost.z}) : ghost;
}

// The coefficients of a cell for a sweep: its width and, in the y sweep, the cosines.
template <typename Real> struct fv_plain_metric {
    Real lambda, half, held_minus, held_plus, fastest, cosine_minus, cosine, metric;
};

template <typename Real>
static __device__ fv_plain_metric<Real> fv_plain_metric_of(const device_level<Real> &level, bool is_along_x,
                                                           int place, int line)
{
    if (!is_along_x) {
        const fv_row<Real> k = fv_row_of(level, place);
        return {k.lambda, k.half, k.held_south, k.held_north, k.fastest, k.cosine_south, k.cosine, k.metric};
    }
    const fv_row<Real> k = fv_row_of(level, line);
    const int column = wrapped_or_mirrored(place, level.nx, level.is_periodic_x);
    const Real inverse = Real(2) * level.columns[column], held = k.held_x * (Real(1) / inverse);
    return {k.step_x * inverse, Real(0.5) * k.step_x * inverse, held, held, FV_FASTEST * held, 1, 1, 0};
}

// Computes a sweep from one copy of the state to the other.
template <typename Real>
__global__ void fv_plain_sweep(const __grid_constant__ device_level<Real> level, int from, int is_along_x,
                               long long step)
{
    const auto [column, row] = own_place_of(level);
    if (column >= level.nx)
        return;
    const int place = is_along_x ? column : row, line = is_along_x ? row : column;
    struct given_now given[TSUNAMI_SIDES] = {};
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (level.edges[side].kind == TSUNAMI_EDGE_GIVEN)
            given[side] = given_during(level.edges[side], step, FV_GIVEN_SHIFT);
    fv_cell<Real> cells[5];
    fv_faces<Real> faces[3];
    fv_plain_metric<Real> metrics[3];
    for (int k = 0; k < 5; k++)
        cells[k] = fv_plain_cell(level, from, is_along_x, place - 2 + k, line, given);
    for (int k = 0; k < 3; k++) {
        metrics[k] = fv_plain_metric_of(level, is_along_x, place - 1 + k, line);
        if (!is_along_x && !level.is_periodic_y && (place - 1 + k < 0 || place - 1 + k >= level.ny))
            metrics[k].metric =
                fv_ghost_metric(level, cells[2], k == 0 ? TSUNAMI_SOUTH : TSUNAMI_NORTH, metrics[k].metric);
        faces[k] = fv_faces_of(cells[k], cells[k + 1], cells[k + 2], metrics[k].half, metrics[k].metric,
                               level.gravity, level.minimum_depth, level.limiter);
    }
    fv_flux<Real> flux[2];
    for (int k = 0; k < 2; k++) {
        const fv_cell<Real> &left = cells[k + 1], &right = cells[k + 2];
        flux[k] = fv_flux_of(faces[k].plus, faces[k + 1].minus, left.h > level.minimum_depth,
                             right.h > level.minimum_depth, left.h * metrics[k].held_plus,
                             right.h * metrics[k + 1].held_minus, faces[k].froude, faces[k + 1].froude,
                             level.gravity, level.limiter);
        const Real share = metrics[k + 1].cosine_minus;
        flux[k] = {flux[k].h * share, flux[k].minus * share, flux[k].plus * share, flux[k].ut * share};
    }
    water<Real> next;
    Real un, ut;
    fv_update(cells[2], flux[0], flux[1], faces[1].push * metrics[1].cosine, metrics[1].lambda,
              metrics[1].fastest, level.gravity, level.minimum_depth, &next.w, &un, &ut);
    next.u = is_along_x ? un : ut;
    next.v = is_along_x ? ut : un;
    store_water(level.state[1 - from], next, row * level.pitch + column);
}

template <bool IS_REVERSED, typename Real>
__global__ void fv_plain_sources(const __grid_constant__ device_level<Real> level)
{
    const auto [column, row] = own_place_of(level);
    const int offset = row * level.pitch + column;
    if (column >= level.nx)
        return;
    Real *const *state = level.state[0];
    const water<Real> here = {state[0][offset], state[1][offset], state[2][offset], level.still[offset]};
    store_water(state, fv_sources<IS_REVERSED>(level, here, fv_row_of(level, row)), offset);
}

} // namespace tsunami

#endif
