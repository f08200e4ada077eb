// The finite volumes at a node and its neighbours in a warp. The arithmetic is that of
// models/tsunami/fv_point.inc. Independent of tiles and of the order of work.
#ifndef FATHOM_GPU_TSUNAMI_FV_CELL_CUH
#define FATHOM_GPU_TSUNAMI_FV_CELL_CUH

#include "gpu/tsunami/bits.cuh"
#include "gpu/tsunami/given.cuh"
#include "gpu/tsunami/level.cuh"
#include "gpu/tsunami/point.cuh"

namespace tsunami {

// A node as stored: w is η where z < 0, and the depth on land.
template <typename Real> struct water {
    Real w, u, v, z;
};

// Constants of a row for the sweeps; `held`: the flux through a face that a unit of depth can supply, 1/λ
// over the face's cosine.
template <typename Real> struct fv_row {
    Real step_x, held_x, lambda, half, fastest, held_south, held_north;
    Real cosine_south, cosine, coriolis, curvature, metric;
};

// |un| + c is limited to this fraction of a cell's width per step.
#define FV_FASTEST Real(0.95)

// The constants of a row. For a row beyond an edge: those of the row on the opposite side, or those of the
// mirrored row with north and south exchanged.
template <typename Real> DEVICE fv_row<Real> fv_row_of(const device_level<Real> &level, int row)
{
    const int inside = wrapped_or_mirrored(row, level.ny, level.is_periodic_y);
    const bool is_mirrored = !level.is_periodic_y && inside != row;
    const Real *given = level.rows + (inside + 1) * ROW_CONSTANTS;
    const Real lambda = given[FV_ROW_LAMBDA], cosine = given[FV_ROW_COSINE];
    const Real south = given[is_mirrored ? FV_ROW_COSINE_NORTH : FV_ROW_COSINE_SOUTH];
    const Real north = given[is_mirrored ? FV_ROW_COSINE_SOUTH : FV_ROW_COSINE_NORTH];
    fv_row<Real> k;
    k.step_x = given[FV_ROW_STEP_X];
    k.held_x = Real(1) / k.step_x;
    k.lambda = lambda;
    k.half = Real(0.5) * lambda * cosine;
    k.fastest = FV_FASTEST / (lambda * cosine);
    // At a pole a face has no width, and so no flux.
    k.held_south = south > Real(0) ? Real(1) / (lambda * south) : Real(0);
    k.held_north = north > Real(0) ? Real(1) / (lambda * north) : Real(0);
    k.cosine_south = south;
    k.cosine = cosine;
    k.coriolis = given[FV_ROW_CORIOLIS];
    k.curvature = given[FV_ROW_CURVATURE];
    k.metric = given[FV_ROW_METRIC];
    return k;
}

template <typename Real> DEVICE fv_cell<Real> fv_along_x(water<Real> c)
{
    return fv_cell_of(c.w, c.u, c.v, c.z);
}

template <typename Real> DEVICE fv_cell<Real> fv_along_y(water<Real> c)
{
    return fv_cell_of(c.w, c.v, c.u, c.z);
}

template <typename Real> DEVICE Real fv_stored(fv_cell<Real> c)
{
    return c.z < Real(0) ? c.eta : c.h;
}

template <typename Real> DEVICE water<Real> water_from_lane(water<Real> c, int step)
{
    return {from_lane(c.w, step), from_lane(c.u, step), from_lane(c.v, step), from_lane(c.z, step)};
}

// The ghost cell beyond an edge, from the node `inner` on the edge and the mirrored node; un and ut are along
// and across the sweep. At an edge to open water the second ghost cell (`is_outer`) is dry, so that the first
// has no slopes and no half step.
template <typename Real>
static __device__ __noinline__ fv_cell<Real> fv_ghost(const device_level<Real> &level, fv_cell<Real> inner,
                                                      fv_cell<Real> mirrored, enum tsunami_side side,
                                                      const struct given_now &given, int place, bool is_outer)
{
    const enum tsunami_edge edge = level.edges[side].kind;
    if (is_outer && edge != TSUNAMI_EDGE_WALL && inner.h > level.minimum_depth && inner.z < Real(0))
        return {inner.z, Real(0), Real(0), Real(0), inner.z};
    const bool is_along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    fv_outside<Real> outside = {edge == TSUNAMI_EDGE_WALL, 0, 0, 0, 0, 0, 0};
    if (edge == TSUNAMI_EDGE_GIVEN) {
        const struct given_node node = given_at(level.edges[side], given, place);
        if (node.is_there) {
            outside.eta = (Real)node.eta_m;
            outside.is_elevation_alone = outside.has_ut = level.edges[side].has_velocity;
            outside.is_elevation_alone ^= 1;
            outside.keeps_discharge = level.edges[side].keeps_discharge;
            outside.un = Real(is_along_x ? node.u_m_s : node.v_m_s);
            outside.ut = Real(is_along_x ? node.v_m_s : node.u_m_s);
        }
    }
    const Real sign = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? Real(1) : Real(-1);
    return fv_beyond(inner, mirrored, sign, outside, level.gravity, level.minimum_depth);
}

// The metric term of a row beyond an edge, in the column whose node on the edge is `inner`: negated in the
// mirror image of a wall; 0 in water from outside.
template <typename Real>
DEVICE Real fv_ghost_metric(const device_level<Real> &level, fv_cell<Real> inner, enum tsunami_side side,
                            Real metric)
{
    const bool is_wall = level.edges[side].kind == TSUNAMI_EDGE_WALL || !(inner.h > level.minimum_depth) ||
                         !(inner.z < Real(0));
    return is_wall ? -metric : Real(0);
}

// Constants of a lane's column: 1 over its width (at the equator), its width, and that of the column before.
template <typename Real> struct fv_column {
    Real inverse, width, width_before;
};

template <typename Real> DEVICE fv_side<Real> fv_side_from_lane(fv_side<Real> s, int step)
{
    return {from_lane(s.eta, step), from_lane(s.z, step), from_lane(s.un, step), from_lane(s.ut, step)};
}

// The x sweep of a row; every lane computes its western face. `bits` collects the changes.
template <int LIMITER, typename Real>
DEVICE water<Real> fv_sweep_x(const device_level<Real> &level, water<Real> here, const fv_column<Real> &h,
                              const fv_row<Real> &k, unsigned &bits)
{
    const Real gravity = level.gravity, minimum = level.minimum_depth, lambda = k.step_x * h.inverse;
    const fv_cell<Real> west = fv_along_x(water_from_lane(here, -1));
    const fv_cell<Real> cell = fv_along_x(here);
    const fv_cell<Real> east = fv_along_x(water_from_lane(here, +1));
    const fv_faces<Real> faces =
        fv_faces_of(west, cell, east, Real(0.5) * lambda, Real(0), gravity, minimum, LIMITER);
    const fv_flux<Real> flux =
        fv_flux_of(fv_side_from_lane(faces.plus, -1), faces.minus, west.h > minimum, cell.h > minimum,
                   west.h * (k.held_x * h.width_before), cell.h * (k.held_x * h.width),
                   from_lane(faces.froude, -1), faces.froude, gravity, LIMITER);
    const fv_flux<Real> beyond = {from_lane(flux.h, +1), from_lane(flux.minus, +1), Real(0),
                                  from_lane(flux.ut, +1)};
    water<Real> swept = here;
    fv_update(cell, flux, beyond, faces.push, lambda, FV_FASTEST * (k.held_x * h.width), gravity, minimum,
              &swept.w, &swept.u, &swept.v);
    bits |= changed_bits(swept.w, here.w);
    return swept;
}

// The values of a column that the y sweep keeps from one row to the next: the northern side of the last row,
// and the flux below that row.
template <typename Real> struct fv_carried {
    fv_side<Real> plus;
    Real push, froude;
    fv_flux<Real> below;
};

// The flux between rows `south` and `centre`; `faces` are the centre's.
template <int LIMITER, typename Real>
DEVICE fv_flux<Real> fv_flux_y(const device_level<Real> &level, fv_cell<Real> south, fv_cell<Real> centre,
                               const fv_side<Real> &from_south, Real froude_south,
                               const fv_faces<Real> &faces, const fv_row<Real> &k_south,
                               const fv_row<Real> &k_centre)
{
    fv_flux<Real> flux =
        fv_flux_of(from_south, faces.minus, south.h > level.minimum_depth, centre.h > level.minimum_depth,
                   south.h * k_south.held_north, centre.h * k_centre.held_south, froude_south, faces.froude,
                   level.gravity, LIMITER);
    flux.h *= k_centre.cosine_south;
    flux.minus *= k_centre.cosine_south;
    flux.plus *= k_centre.cosine_south;
    flux.ut *= k_centre.cosine_south;
    return flux;
}

template <typename Real>
DEVICE water<Real> fv_update_y(const device_level<Real> &level, fv_cell<Real> cell, fv_flux<Real> below,
                               fv_flux<Real> above, Real push, const fv_row<Real> &k)
{
    water<Real> next;
    next.z = cell.z;
    fv_update(cell, below, above, push * k.cosine, k.lambda, k.fastest, level.gravity, level.minimum_depth,
              &next.w, &next.v, &next.u);
    return next;
}

// Applies rotation, then friction; IS_REVERSED: friction, then rotation.
template <bool IS_REVERSED, typename Real>
DEVICE water<Real> fv_sources(const device_level<Real> &level, water<Real> c, const fv_row<Real> &k)
{
    if (!IS_REVERSED && level.has_rotation)
        rotate(&c.u, &c.v, k.coriolis, k.curvature);
    if (level.friction > Real(0)) {
        const Real h = fv_along_x(c).h;
        const Real factor = fv_friction_factor(h, c.u, c.v, level.friction, level.minimum_depth);
        c.u *= factor;
        c.v *= factor;
    }
    if (IS_REVERSED && level.has_rotation)
        rotate(&c.u, &c.v, k.coriolis, k.curvature);
    return c;
}

template <typename Real> DEVICE void store_water(Real *const *state, water<Real> c, int offset)
{
    state[0][offset] = c.w;
    state[1][offset] = c.u;
    state[2][offset] = c.v;
}

} // namespace tsunami

#endif
