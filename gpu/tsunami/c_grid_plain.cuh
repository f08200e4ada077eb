// The plain version of a step of `c-grid-6`: a kernel for each stage, a thread a place; kernels share only
// the arrays. The baseline of the tiled version, with the same bits.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_PLAIN_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_PLAIN_CUH

#include "gpu/inline.cuh"
#include "gpu/tsunami/c_grid_level.cuh"

namespace tsunami {
namespace staggered {

// Places beyond the domain that the stages compute.
enum { BEYOND_FIRST = 6, BEYOND_NOW = 5, BEYOND_HEAD = 3, BEYOND_MIDDLE = 5, BEYOND_FLUX = 3 };

// Uses of the work arrays: of the velocities,
enum { PLAIN_U_NOW, PLAIN_V_NOW, PLAIN_HEAD_NOW, PLAIN_TURN_V, PLAIN_TURN_U };
enum { PLAIN_HEAD = PLAIN_HEAD_NOW, PLAIN_Z = PLAIN_TURN_V, PLAIN_ACROSS_U = PLAIN_TURN_U, PLAIN_ACROSS_V };
static_assert(static_cast<int>(PLAIN_ACROSS_V) == C_GRID_WORK - 1, "each has an array");
// of the elevation, of a lift.
enum { PLAIN_MIDDLE, PLAIN_FLUX_U, PLAIN_FLUX_V };

// A thread's place, of those from −`beyond` to n − 1 + `after`; along y about the own rows.
struct plain_at {
    int i, j, offset;
};

template <typename Real>
DEVICE bool plain_at_of(const c_level<Real> &level, int beyond, int after, plain_at *at)
{
    at->i = (int)(blockIdx.y * blockDim.x + threadIdx.x) - beyond;
    at->j = level.first_own + (int)blockIdx.x - beyond;
    at->offset = at->j * level.pitch + at->i;
    return at->i < level.nx + after;
}

template <typename Real>
DEVICE plane<Real> about(const c_level<Real> &level, const Real *field, const plain_at &at)
{
    return {field + at.offset, level.pitch};
}

// Depth times velocity about a place.
template <typename Real> struct plain_flow {
    plane<Real> depth, velocity;
    FATHOM_HOST_DEVICE Real operator()(int di, int dj) const { return depth(di, dj) * velocity(di, dj); }
};

template <typename Real> __global__ void plain_first(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, BEYOND_FIRST, BEYOND_FIRST, &at))
        return;
    const auto u = about(level, level.u, at), v = about(level, level.v, at);
    level.work[PLAIN_HEAD_NOW][at.offset] = head_now(about(level, level.eta, at), u, v, level.gravity);
    const turns<Real> t = turn_now<true>(
        u, v, plain_flow<Real>{about(level, level.depth_u, at), u},
        plain_flow<Real>{about(level, level.depth_v, at), v}, level.inverse_corner[at.offset],
        *column_of(level, C_ROW_INVERSE_FACE, at.i), velocity_row_at(level, at.j), level.code[at.offset]);
    level.work[PLAIN_TURN_V][at.offset] = t.of_v;
    level.work[PLAIN_TURN_U][at.offset] = t.of_u;
}

// On open edges the velocities stay.
template <typename Real> __global__ void plain_now(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, BEYOND_NOW, BEYOND_NOW, &at))
        return;
    const auto q = about(level, level.work[PLAIN_HEAD_NOW], at);
    const velocity_row<Real> row = velocity_row_at(level, at.j);
    const Real half = Real(0.5) * level.step;
    const Real u = level.u[at.offset], v = level.v[at.offset];
    const Real next_u = u_now(u, q, about(level, level.work[PLAIN_TURN_V], at),
                              *column_of(level, C_ROW_INVERSE_FACE, at.i), row, half),
               next_v = v_now(v, q, about(level, level.work[PLAIN_TURN_U], at), row, half);
    const bool is_through_u = level.depth_u[at.offset] > Real(0),
               is_through_v = level.depth_v[at.offset] > Real(0);
    level.work[PLAIN_U_NOW][at.offset] = is_open_u(level, at.i) ? u : is_through_u ? next_u : Real(0);
    level.work[PLAIN_V_NOW][at.offset] = is_open_v(level, at.j) ? v : is_through_v ? next_v : Real(0);
}

template <typename Real> DEVICE Real bend_at(const c_level<Real> &level, const Real *eta, const plain_at &at)
{
    const auto e = about(level, eta, at), dv = about(level, level.depth_v, at);
    return bend(e, about(level, level.depth_u, at), dv(0, 0) * (e(0, 1) - e(0, 0)),
                dv(0, -1) * (e(0, 0) - e(0, -1)), *column_of(level, C_ROW_INVERSE_FACE, at.i),
                *column_of(level, C_ROW_INVERSE_FACE, at.i - 1), *column_of(level, C_ROW_INVERSE_NODE, at.i),
                velocity_row_at(level, at.j));
}

template <typename Real> __global__ void plain_heads(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, BEYOND_HEAD, BEYOND_HEAD, &at))
        return;
    const auto u = about(level, level.work[PLAIN_U_NOW], at), v = about(level, level.work[PLAIN_V_NOW], at);
    const int code = level.code[at.offset];
    level.work[PLAIN_HEAD][at.offset] =
        head<true>(level.eta[at.offset], bend_at(level, level.eta, at), faces_x<Real>(u), faces_y<Real>(v),
                   level.gravity, level.correction, code);
    const corner<Real> c =
        corner_of<true>(u, v, plain_flow<Real>{about(level, level.depth_u, at), u},
                        plain_flow<Real>{about(level, level.depth_v, at), v}, level.inverse_corner[at.offset],
                        *column_of(level, C_ROW_INVERSE_FACE, at.i), velocity_row_at(level, at.j), code);
    level.work[PLAIN_Z][at.offset] = c.z;
    level.work[PLAIN_ACROSS_U][at.offset] = c.across_u;
    level.work[PLAIN_ACROSS_V][at.offset] = c.across_v;
}

template <typename Real>
DEVICE spinning<Real> plain_corner(const c_level<Real> &level, int across, int offset, Real coriolis)
{
    return spinning_of(coriolis, level.work[PLAIN_Z][offset], level.work[across][offset], level.code[offset]);
}

template <typename Real> DEVICE Real plain_u(const c_level<Real> &level, const plain_at &at)
{
    const int p = level.pitch, k = at.offset, code = level.code[k];
    const Real *row = row_of(level, at.j);
    const six<Real> s =
        surface<true, true>(nodes_x<Real>(about(level, level.work[PLAIN_HEAD], at)), code, level.code[k + 1]);
    const spinning<Real> b = plain_corner(level, PLAIN_ACROSS_U, k - p,
                                          row_of(level, at.j - 1)[C_ROW_CORIOLIS]),
                         c = plain_corner(level, PLAIN_ACROSS_U, k, row[C_ROW_CORIOLIS]);
    const Real turned =
        turn<true>(plain_corner(level, PLAIN_ACROSS_U, k - 2 * p, row_of(level, at.j - 2)[C_ROW_CORIOLIS]), b,
                   c, plain_corner(level, PLAIN_ACROSS_U, k + p, row_of(level, at.j + 1)[C_ROW_CORIOLIS]),
                   code & C_GRID_LINE_U);
    const Real slope = row[C_ROW_INVERSE_COS] * differ(s, column_weights(level, C_ROW_FACE, at.i));
    const Real next = MADD(level.step, turned - slope, level.u[k]);
    if (!(level.depth_u[k] > Real(0)))
        return Real(0);
    if (!(level.friction > Real(0)))
        return bounded_u(level, next, k);
    const Real dragged = next / drag(level.work[PLAIN_U_NOW][k], Real(0.5) * (b.across + c.across),
                                     level.depth_u[k], level.eta[k], level.eta[k + 1], level.friction);
    return bounded_u(level, dragged, k);
}

template <typename Real> DEVICE Real plain_v(const c_level<Real> &level, const plain_at &at)
{
    const int k = at.offset, code = level.code[k];
    const Real *row = row_of(level, at.j), f = row[C_ROW_CORIOLIS];
    const six<Real> s = surface<true, false>(nodes_y<Real>(about(level, level.work[PLAIN_HEAD], at)), code,
                                             level.code[k + level.pitch]);
    const spinning<Real> b = plain_corner(level, PLAIN_ACROSS_V, k - 1, f),
                         c = plain_corner(level, PLAIN_ACROSS_V, k, f);
    const Real turned = turn<true>(plain_corner(level, PLAIN_ACROSS_V, k - 2, f), b, c,
                                   plain_corner(level, PLAIN_ACROSS_V, k + 1, f), code & C_GRID_LINE_V);
    const Real next = MADD(-level.step, turned + differ(s, velocity_row_at(level, at.j).face), level.v[k]);
    if (!(level.depth_v[k] > Real(0)))
        return Real(0);
    if (!(level.friction > Real(0)))
        return bounded_v(level, next, k);
    const Real dragged =
        next / drag(level.work[PLAIN_V_NOW][k], Real(0.5) * (b.across + c.across), level.depth_v[k],
                    level.eta[k], level.eta[k + level.pitch], level.friction);
    return bounded_v(level, dragged, k);
}

// From an open edge's node, `inward` from place to place.
template <typename Real>
DEVICE heads_inward<Real> plain_heads_inward(const c_level<Real> &level, int node, int inward)
{
    const Real *head = level.work[PLAIN_HEAD] + node;
    return {head[0], head[inward], head[2 * inward]};
}

template <typename Real> __global__ void plain_velocities(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, 1, 0, &at))
        return;
    const bool is_open_x = is_open_u(level, at.i), is_open_y = is_open_v(level, at.j);
    const int k = at.offset, p = level.pitch;
    const heads_inward<Real> along_x =
        at.i < 0 ? plain_heads_inward(level, k + 1, 1) : plain_heads_inward(level, k, -1);
    const heads_inward<Real> along_y =
        at.j < 0 ? plain_heads_inward(level, k + p, p) : plain_heads_inward(level, k, -p);
    if (at.j >= 0 && (at.i >= 0 || is_open_x))
        store_images(level, level.u_new, at.i, at.j,
                     is_open_x ? leaving_u(level, at.i, at.j, along_x) : plain_u(level, at), C_GRID_VELOCITY);
    if (at.i >= 0 && (at.j >= 0 || is_open_y))
        store_images(level, level.v_new, at.i, at.j,
                     is_open_y ? leaving_v(level, at.i, at.j, along_y) : plain_v(level, at), C_GRID_VELOCITY);
}

// ---- elevation

template <typename Real> __global__ void plain_middle(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, BEYOND_MIDDLE, BEYOND_MIDDLE, &at))
        return;
    const auto e = about(level, level.eta, at), u = about(level, level.u_new, at),
               v = about(level, level.v_new, at), du = about(level, level.depth_u, at),
               dv = about(level, level.depth_v, at);
    level.work[PLAIN_MIDDLE][at.offset] = middle(
        e(0, 0), near_flux(e(0, 0), e(1, 0), du(0, 0), u(0, 0)),
        near_flux(e(-1, 0), e(0, 0), du(-1, 0), u(-1, 0)), near_flux(e(0, 0), e(0, 1), dv(0, 0), v(0, 0)),
        near_flux(e(0, -1), e(0, 0), dv(0, -1), v(0, -1)), *column_of(level, C_ROW_INVERSE_NODE, at.i),
        elevation_row_at(level, at.j));
}

template <typename Real> __global__ void plain_fluxes(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, BEYOND_FLUX, BEYOND_FLUX, &at))
        return;
    const int k = at.offset, code = level.code[k];
    const auto e = about(level, level.work[PLAIN_MIDDLE], at);
    const Real du = level.depth_u[k], dv = level.depth_v[k], u = level.u_new[k], v = level.v_new[k];
    const Real of_u = flux(surface<true, true>(nodes_x<Real>(e), code, level.code[k + 1]), du, u),
               of_v = flux(surface<true, false>(nodes_y<Real>(e), code, level.code[k + level.pitch]), dv, v);
    const Real edge_u = edge_flux(du, level.eta[at.i < 0 ? k + 1 : k], u),
               edge_v = edge_flux(dv, level.eta[at.j < 0 ? k + level.pitch : k], v);
    level.work[PLAIN_FLUX_U][k] = !(du > Real(0)) ? Real(0) : is_open_u(level, at.i) ? edge_u : of_u;
    level.work[PLAIN_FLUX_V][k] = elevation_row_at(level, at.j).cos_face * (!(dv > Real(0))          ? Real(0)
                                                                            : is_open_v(level, at.j) ? edge_v
                                                                                                     : of_v);
}

template <typename Real> __global__ void plain_elevation(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, 0, 0, &at))
        return;
    const int k = at.offset, code = level.code[k];
    const elevation_row<Real> row = elevation_row_at(level, at.j);
    const six<Real> x = faces_x<Real>(about(level, level.work[PLAIN_FLUX_U], at)),
                    y = faces_y<Real>(about(level, level.work[PLAIN_FLUX_V], at));
    const Real sum = differ(stream<true, true>(x, code), column_weights(level, C_ROW_NODE, at.i)) +
                     differ(stream<true, false>(y, code), row.node);
    const Real next = raised_at(level, MADD(-row.step, sum, level.eta[k]), k);
    store_images(level, level.eta_new, at.i, at.j, code & C_GRID_WET ? next : Real(0), C_GRID_SURFACE);
}

// ---- the nodes' velocities

template <typename Real> __global__ void plain_nodes(const __grid_constant__ c_level<Real> level)
{
    plain_at at;
    if (!plain_at_of(level, 0, 0, &at))
        return;
    const int code = level.code[at.offset];
    const six<Real> x = faces_x<Real>(about(level, level.work[PLAIN_U_NOW], at)),
                    y = faces_y<Real>(about(level, level.work[PLAIN_V_NOW], at));
    const Real u = average(stream<true, true>(x, code), column_weights(level, C_ROW_MEAN, at.i)),
               v = average(stream<true, false>(y, code), row_means(level, at.j));
    level.node_u[at.offset] = code & C_GRID_WET ? u : Real(0);
    level.node_v[at.offset] = code & C_GRID_WET ? v : Real(0);
}

} // namespace staggered
} // namespace tsunami

#endif
