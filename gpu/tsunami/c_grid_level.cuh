// A level of `c-grid-6` in the run's precision: its arrays, its open edges, and the values beyond the domain.
// Independent of the scheme's arithmetic.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_LEVEL_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_LEVEL_CUH

#include "gpu/launch.cuh"
#include "gpu/tsunami/c_grid.h"
#include "gpu/tsunami/c_grid_point.cuh"

namespace tsunami {
namespace staggered {

// struct tsunami_c_grid_view in this precision; passed by value. Arrays from node (0, 0).
template <typename Real> struct c_level {
    int nx, ny, pitch, first_own, end_own;
    Real *eta, *u, *v, *eta_new, *u_new, *v_new, *node_u, *node_v;
    const Real *__restrict__ depth;
    const Real *__restrict__ depth_u;
    const Real *__restrict__ depth_v;
    const Real *__restrict__ inverse_corner;
    const int *__restrict__ code;
    const Real *__restrict__ columns;
    const Real *__restrict__ rows;
    Real *work[C_GRID_WORK];
    Real step, half_step, gravity, friction;
    Real correction;       // g² Δt²/12
    Real slow_square, low; // what no velocity and no surface must exceed to be kept as they are
    int is_periodic_x, is_periodic_y;
    int is_open[TSUNAMI_SIDES];
};

template <typename Real> c_level<Real> c_level_of(const struct tsunami_c_grid_view &view)
{
    c_level<Real> level = {};
    level.nx = view.nx;
    level.ny = view.ny;
    level.pitch = view.pitch;
    level.first_own = view.first_own;
    level.end_own = view.end_own;
    level.eta = static_cast<Real *>(view.state[0]);
    level.u = static_cast<Real *>(view.state[1]);
    level.v = static_cast<Real *>(view.state[2]);
    level.eta_new = static_cast<Real *>(view.next[0]);
    level.u_new = static_cast<Real *>(view.next[1]);
    level.v_new = static_cast<Real *>(view.next[2]);
    level.node_u = static_cast<Real *>(view.nodes[0]);
    level.node_v = static_cast<Real *>(view.nodes[1]);
    level.depth = static_cast<const Real *>(view.depth);
    level.depth_u = static_cast<const Real *>(view.depth_u);
    level.depth_v = static_cast<const Real *>(view.depth_v);
    level.inverse_corner = static_cast<const Real *>(view.inverse_corner);
    level.code = view.code;
    level.columns = static_cast<const Real *>(view.columns);
    level.rows = static_cast<const Real *>(view.rows);
    for (int k = 0; k < C_GRID_WORK; k++)
        level.work[k] = static_cast<Real *>(view.work[k]);
    level.step = static_cast<Real>(view.step_s);
    level.half_step = Real(0.5) * level.step;
    level.gravity = static_cast<Real>(view.gravity_m_s2);
    level.correction = level.gravity * level.gravity * level.step * level.step / Real(12);
    level.friction = static_cast<Real>(view.friction);
    level.slow_square = static_cast<Real>(0.049 * view.gravity_m_s2 * view.shallowest_m);
    level.low = Real(-0.95) * static_cast<Real>(view.shallowest_m);
    level.is_periodic_x = view.is_periodic_x;
    level.is_periodic_y = view.is_periodic_y;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        level.is_open[side] = view.is_open[side];
    return level;
}

// Calls launch(level), which launches kernels, in the view's precision.
template <typename Launch>
cudaError_t with_c_level(const struct tsunami_c_grid_view &view, const Launch &launch)
{
    return kernels::launch(view.precision, [&](auto real) { launch(c_level_of<decltype(real)>(view)); });
}

// A field in memory, by offsets from a node.
template <typename Real> struct plane {
    const Real *at;
    int pitch;
    FATHOM_HOST_DEVICE Real operator()(int di, int dj) const { return at[dj * pitch + di]; }
};

template <typename Real> FATHOM_HOST_DEVICE const Real *row_of(const c_level<Real> &level, int row)
{
    return level.rows + row * C_ROW_MEMBERS;
}

template <typename Real>
FATHOM_HOST_DEVICE const Real *column_of(const c_level<Real> &level, int member, int column)
{
    return level.columns + member * level.pitch + column;
}

template <typename Real>
FATHOM_HOST_DEVICE weights<Real> column_weights(const c_level<Real> &level, int member, int column)
{
    const Real *k = column_of(level, member, column);
    return {k[0], k[level.pitch], k[2 * level.pitch]};
}

template <typename Real> FATHOM_HOST_DEVICE weights<Real> row_means(const c_level<Real> &level, int row)
{
    const Real *k = row_of(level, row) + C_ROW_MEAN;
    return {k[0], k[1], k[2]};
}

template <typename Real>
FATHOM_HOST_DEVICE velocity_row<Real> velocity_row_at(const c_level<Real> &level, int row)
{
    return velocity_row_of(row_of(level, row), row_of(level, row - 1));
}

template <typename Real>
FATHOM_HOST_DEVICE elevation_row<Real> elevation_row_at(const c_level<Real> &level, int row)
{
    return elevation_row_of(row_of(level, row), row_of(level, row - 1), level.step);
}

// Whether the face to the east (is_open_v: to the north) of a node lies on an open edge.
template <typename Real> FATHOM_HOST_DEVICE bool is_open_u(const c_level<Real> &level, int column)
{
    return (column == -1 && level.is_open[TSUNAMI_WEST]) ||
           (column == level.nx - 1 && level.is_open[TSUNAMI_EAST]);
}

template <typename Real> FATHOM_HOST_DEVICE bool is_open_v(const c_level<Real> &level, int row)
{
    return (row == -1 && level.is_open[TSUNAMI_SOUTH]) ||
           (row == level.ny - 1 && level.is_open[TSUNAMI_NORTH]);
}

// The indices along an axis that have the value of index `index`: `first`, then every `stride` up to `last`.
// With periodic edges they include all copies within the halo; else, for the surface, the index just beyond
// the edge.
struct images {
    int first, last, stride;
};

FATHOM_HOST_DEVICE images images_of(int index, int count, int is_periodic, enum c_grid_beyond kind)
{
    if (is_periodic) {
        int first = index, last = index;
        while (first - count >= -C_GRID_HALO)
            first -= count;
        while (last + count < count + C_GRID_HALO)
            last += count;
        return {first, last, count};
    }
    const bool is_surface = kind == C_GRID_SURFACE;
    return {is_surface && index == 0 ? -1 : index, is_surface && index == count - 1 ? count : index, 1};
}

// Stores a value at a place and its images.
template <typename Real>
FATHOM_HOST_DEVICE void store_images(const c_level<Real> &level, Real *field, int column, int row, Real value,
                                     enum c_grid_beyond kind)
{
    const images x = images_of(column, level.nx, level.is_periodic_x, kind);
    const images y = images_of(row, level.ny, level.is_periodic_y, kind);
    for (int j = y.first; j <= y.last; j += y.stride)
        for (int i = x.first; i <= x.last; i += x.stride)
            field[j * level.pitch + i] = value;
}

// The new velocity at face k, limited. The depth is read only if the velocity is so large that the limit may
// apply.
template <typename Real> FATHOM_HOST_DEVICE Real bounded_u(const c_level<Real> &level, Real u, int k)
{
    return u * u > level.slow_square
               ? bounded(u, level.depth_u[k], level.eta[k], level.eta[k + 1], level.gravity)
               : u;
}

template <typename Real> FATHOM_HOST_DEVICE Real bounded_v(const c_level<Real> &level, Real v, int k)
{
    return v * v > level.slow_square
               ? bounded(v, level.depth_v[k], level.eta[k], level.eta[k + level.pitch], level.gravity)
               : v;
}

// The new η at node k, limited from below (see raised). The depth is read only if η is so low that the limit
// may apply.
template <typename Real> FATHOM_HOST_DEVICE Real raised_at(const c_level<Real> &level, Real eta, int k)
{
    return eta < level.low ? raised(eta, level.depth[k]) : eta;
}

// The new velocity at a face of an open edge; `heads`: P from the edge's node inward. All values are read
// before the depth is tested, so that a thread waits once.
template <typename Real>
FATHOM_HOST_DEVICE Real leaving_u(const c_level<Real> &level, int column, int row,
                                  const heads_inward<Real> &heads)
{
    const bool is_east = column >= 0;
    const int k = row * level.pitch + column, node = is_east ? k : k + 1;
    const Real depth = level.depth_u[k], u = is_east ? level.u[k] : -level.u[k], eta = level.eta[node];
    const int code = level.code[node];
    const Real rate =
        level.step * *column_of(level, C_ROW_INVERSE_FACE, column) * row_of(level, row)[C_ROW_INVERSE_COS];
    const Real from = inside(heads, reach(code, is_east ? C_GRID_WEST : C_GRID_EAST));
    const Real out = outward(u, from, depth, eta, rate, level.gravity);
    return !(depth > Real(0)) ? Real(0) : is_east ? out : -out;
}

template <typename Real>
FATHOM_HOST_DEVICE Real leaving_v(const c_level<Real> &level, int column, int row,
                                  const heads_inward<Real> &heads)
{
    const bool is_north = row >= 0;
    const int k = row * level.pitch + column, node = is_north ? k : k + level.pitch;
    const Real depth = level.depth_v[k], v = is_north ? level.v[k] : -level.v[k], eta = level.eta[node];
    const int code = level.code[node];
    const Real rate = level.step * row_of(level, row)[C_ROW_INVERSE_FACE];
    const Real from = inside(heads, reach(code, is_north ? C_GRID_SOUTH : C_GRID_NORTH));
    const Real out = outward(v, from, depth, eta, rate, level.gravity);
    return !(depth > Real(0)) ? Real(0) : is_north ? out : -out;
}

} // namespace staggered
} // namespace tsunami

#endif
