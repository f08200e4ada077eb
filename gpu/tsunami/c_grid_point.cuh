// Stencils and terms of `c-grid-6` at one place (reference_c_grid_step.c is the specification). Fields are
// functions of the distance from the place, in columns and rows: f(di, dj). HAS_LAND: land, or an edge of the
// domain, may be within reach. Independent of kernels and of storage.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_POINT_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_POINT_CUH

#include "gpu/tsunami/c_grid.h"
#include "gpu/tsunami/point.cuh"

namespace tsunami {
namespace staggered {

// The six values about a face or a node along a line: of nodes −2 … 3 or faces −5/2 … 5/2.
template <typename Real> struct six {
    Real a, b, c, d, e, f;
};

// About the face after the place: along x, along y.
template <typename Real, typename Field> FATHOM_HOST_DEVICE six<Real> nodes_x(const Field &f)
{
    return {f(-2, 0), f(-1, 0), f(0, 0), f(1, 0), f(2, 0), f(3, 0)};
}

template <typename Real, typename Field> FATHOM_HOST_DEVICE six<Real> nodes_y(const Field &f)
{
    return {f(0, -2), f(0, -1), f(0, 0), f(0, 1), f(0, 2), f(0, 3)};
}

// About the node.
template <typename Real, typename Field> FATHOM_HOST_DEVICE six<Real> faces_x(const Field &f)
{
    return {f(-3, 0), f(-2, 0), f(-1, 0), f(0, 0), f(1, 0), f(2, 0)};
}

template <typename Real, typename Field> FATHOM_HOST_DEVICE six<Real> faces_y(const Field &f)
{
    return {f(0, -3), f(0, -2), f(0, -1), f(0, 0), f(0, 1), f(0, 2)};
}

FATHOM_HOST_DEVICE int reach(int code, int side)
{
    return (code >> side) & 3;
}

// Beyond a wall the surface's mirror image; `before` and `after`: wet nodes beside the two next to the face.
template <typename Real> FATHOM_HOST_DEVICE six<Real> even(six<Real> s, int before, int after)
{
    six<Real> o = s;
    o.b = before >= 1 ? s.b : s.c;
    o.e = after >= 1 ? s.e : s.d;
    o.a = before == 0 ? s.d : before == 1 ? s.b : s.a;
    o.f = after == 0 ? s.c : after == 1 ? s.e : s.f;
    return o;
}

// The flux's, or the velocity's, about the value on the coast (0) or on an open edge; `before` and `after`:
// wet nodes beside the node.
template <typename Real> FATHOM_HOST_DEVICE six<Real> odd(six<Real> s, int before, int after)
{
    six<Real> o = s;
    const Real two = Real(2);
    o.b = before >= 1 ? s.b : MADD(two, s.c, -s.d);
    o.e = after >= 1 ? s.e : MADD(two, s.d, -s.c);
    const Real near_a = before == 1 ? MADD(two, o.b, -s.c) : MADD(two, s.c, -o.e),
               near_f = after == 1 ? MADD(two, o.e, -s.d) : MADD(two, s.d, -o.b);
    o.a = before == 2 ? s.a : near_a;
    o.f = after == 2 ? s.f : near_f;
    return o;
}

// `code` and `beyond`: of the node before the face and of the one after it.
template <bool HAS_LAND, bool IS_ALONG_X, typename Real>
FATHOM_HOST_DEVICE six<Real> surface(six<Real> s, int code, int beyond)
{
    return HAS_LAND ? even(s, reach(code, IS_ALONG_X ? C_GRID_WEST : C_GRID_SOUTH),
                           reach(beyond, IS_ALONG_X ? C_GRID_EAST : C_GRID_NORTH))
                    : s;
}

template <bool HAS_LAND, bool IS_ALONG_X, typename Real>
FATHOM_HOST_DEVICE six<Real> stream(six<Real> s, int code)
{
    return HAS_LAND ? odd(s, reach(code, IS_ALONG_X ? C_GRID_WEST : C_GRID_SOUTH),
                          reach(code, IS_ALONG_X ? C_GRID_EAST : C_GRID_NORTH))
                    : s;
}

// Of the differences, or the sums, of the pairs from the inner to the outer one.
template <typename Real> struct weights {
    Real a, b, c;
};

template <typename Real> FATHOM_HOST_DEVICE Real differ(six<Real> s, weights<Real> k)
{
    return MADD(k.a, s.d - s.c, MADD(k.b, s.e - s.b, k.c * (s.f - s.a)));
}

template <typename Real> FATHOM_HOST_DEVICE Real average(six<Real> s, weights<Real> k)
{
    return MADD(k.a, s.d + s.c, MADD(k.b, s.e + s.b, k.c * (s.f + s.a)));
}

// The mean of order 4 of the squares.
template <typename Real> FATHOM_HOST_DEVICE Real mean_square(six<Real> s)
{
    return MADD(Real(9.0 / 16), s.c * s.c + s.d * s.d, Real(-1.0 / 16) * (s.b * s.b + s.e * s.e));
}

template <typename Real> FATHOM_HOST_DEVICE Real size(Real a)
{
    return a < Real(0) ? -a : a;
}

// What the stages of the velocities need of a row: of its faces' distance times the curvature's cosines of
// this row and the next (1/m), 1/cos of the faces, Coriolis (1/s); 1/cos of the nodes, 1/m of the faces, the
// factors of the northern and the southern face in the correction of η; the curvature's cosines; the weights
// of the difference about the faces over their distance (1/m), 1/cos² of the nodes.
template <typename Real> struct alignas(16) velocity_row {
    Real here, north, inverse_cos_face, coriolis;
    Real inverse_cos, inverse_face, to_north, to_south;
    Real curved[4];
    weights<Real> face;
    Real inverse_cos_2;
};

// `row`: the members of a row, `below`: of the one to the south (c_grid.h).
template <typename Real>
FATHOM_HOST_DEVICE velocity_row<Real> velocity_row_of(const Real *row, const Real *below)
{
    const Real inverse_face = row[C_ROW_INVERSE_FACE], inverse_cos = row[C_ROW_INVERSE_COS];
    return {row[C_ROW_CURVED + 1] * inverse_face,
            row[C_ROW_CURVED + 2] * inverse_face,
            row[C_ROW_INVERSE_COS_FACE],
            row[C_ROW_CORIOLIS],
            inverse_cos,
            inverse_face,
            row[C_ROW_COS_FACE] * inverse_face * row[C_ROW_INVERSE_NODE],
            below[C_ROW_COS_FACE] * below[C_ROW_INVERSE_FACE] * row[C_ROW_INVERSE_NODE],
            {row[C_ROW_CURVED], row[C_ROW_CURVED + 1], row[C_ROW_CURVED + 2], row[C_ROW_CURVED + 3]},
            {row[C_ROW_FACE], row[C_ROW_FACE + 1], row[C_ROW_FACE + 2]},
            inverse_cos * inverse_cos};
}

// ---- velocities at the time of η

// g η and half the squared velocity, at a node.
template <typename Real, typename E, typename U, typename V>
FATHOM_HOST_DEVICE Real head_now(const E &e, const U &u, const V &v, Real gravity)
{
    const Real here = u(0, 0), west = u(-1, 0), north = v(0, 0), south = v(0, -1);
    return MADD(gravity, e(0, 0),
                Real(0.25) * ((here * here + west * west) + (north * north + south * south)));
}

// (f + ζ)/d × the flux across at a corner: of v, of u.
template <typename Real> struct turns {
    Real of_v, of_u;
};

// `fu`, `fv`: depth times velocity. `inverse`: 1 over the corner's depth.
template <bool HAS_LAND, typename Real, typename U, typename V, typename FU, typename FV>
FATHOM_HOST_DEVICE turns<Real> turn_now(const U &u, const V &v, const FU &fu, const FV &fv, Real inverse,
                                        Real inverse_dx, const velocity_row<Real> &row, int code)
{
    Real z = (v(1, 0) - v(0, 0)) * (inverse_dx * row.inverse_cos_face) -
             (row.north * u(0, 1) - row.here * u(0, 0));
    if (HAS_LAND && !(code & C_GRID_INNER))
        z = Real(0);
    const Real spin = Real(0.5) * inverse * (row.coriolis + z);
    return {spin * (fv(0, 0) + fv(1, 0)), spin * (fu(0, 0) + fu(0, 1))};
}

// At an open face. `q`: head_now; `tv`, `tu`: turn_now.
template <typename Real, typename Q, typename T>
FATHOM_HOST_DEVICE Real u_now(Real u, const Q &q, const T &tv, Real inverse_dx, const velocity_row<Real> &row,
                              Real half)
{
    return MADD(half,
                Real(0.5) * (tv(0, 0) + tv(0, -1)) - (q(1, 0) - q(0, 0)) * (inverse_dx * row.inverse_cos), u);
}

template <typename Real, typename Q, typename T>
FATHOM_HOST_DEVICE Real v_now(Real v, const Q &q, const T &tu, const velocity_row<Real> &row, Real half)
{
    return MADD(-half, Real(0.5) * (tu(0, 0) + tu(-1, 0)) + (q(0, 1) - q(0, 0)) * row.inverse_face, v);
}

// ---- the step's first half

// ∇·(d ∇f) at a node. `fx`: 1/m of the face to the east, `fw` of the one to the west, `nx` of the node;
// `north`, `south`: depth times the step of f through these faces.
template <typename Real, typename E, typename DU>
FATHOM_HOST_DEVICE Real bend(const E &e, const DU &du, Real north, Real south, Real fx, Real fw, Real nx,
                             const velocity_row<Real> &row)
{
    const Real here = e(0, 0);
    const Real east = du(0, 0) * (e(1, 0) - here) * fx, west = du(-1, 0) * (here - e(-1, 0)) * fw;
    return MADD(east - west, nx * row.inverse_cos_2, north * row.to_north - south * row.to_south);
}

// P = g (η + Δt²/12 g bend) + the half of the squares' means. `correction`: g² Δt²/12.
template <bool HAS_LAND, typename Real>
FATHOM_HOST_DEVICE Real head(Real e, Real bend, six<Real> u, six<Real> v, Real gravity, Real correction,
                             int code)
{
    const Real squares =
        mean_square(stream<HAS_LAND, true>(u, code)) + mean_square(stream<HAS_LAND, false>(v, code));
    return MADD(gravity, e, MADD(correction, bend, Real(0.5) * squares));
}

// At a corner: vorticity (1/s), and the mean fluxes across it over its depth: of v for u, of u for v.
template <typename Real> struct corner {
    Real z, across_u, across_v;
};

// `fu`, `fv`: depth times velocity; `inverse`: 1 over the corner's depth.
template <bool HAS_LAND, typename Real, typename U, typename V, typename FU, typename FV>
FATHOM_HOST_DEVICE corner<Real> corner_of(const U &u, const V &v, const FU &fu, const FV &fv, Real inverse,
                                          Real inverse_dx, const velocity_row<Real> &row, int code)
{
    const bool is_full = !HAS_LAND || code & C_GRID_FULL, is_inner = !HAS_LAND || code & C_GRID_INNER;
    const Real wide = Real(27.0 / 24), outer = Real(-1.0 / 24);
    const Real v_near = v(1, 0) - v(0, 0), u_near = row.curved[2] * u(0, 1) - row.curved[1] * u(0, 0);
    const Real v_far = v(2, 0) - v(-1, 0), u_far = row.curved[3] * u(0, 2) - row.curved[0] * u(0, -1);
    const Real dv_dx = is_full ? MADD(wide, v_near, outer * v_far) : v_near,
               du_dy = is_full ? MADD(wide, u_near, outer * u_far) : u_near;
    const Real z = dv_dx * (inverse_dx * row.inverse_cos_face) - du_dy * row.inverse_face;
    const Real of_v = fv(0, 0) + fv(1, 0), of_u = fu(0, 0) + fu(0, 1);
    const Real v_outer = fv(-1, 0) + fv(2, 0), u_outer = fu(0, -1) + fu(0, 2);
    const Real nine = Real(9.0 / 16), one = Real(-1.0 / 16), half = Real(0.5);
    return {is_inner ? z : Real(0), inverse * (is_full ? MADD(nine, of_v, one * v_outer) : half * of_v),
            inverse * (is_full ? MADD(nine, of_u, one * u_outer) : half * of_u)};
}

// One of the four corners in a line across a face: (f + ζ) × the flux across over the depth, ζ, that flux
// over the depth, whether it is FULL. The outer two corners' fluxes are not used.
template <typename Real> struct spinning {
    Real turned, z, across;
    int is_full;
};

template <typename Real>
FATHOM_HOST_DEVICE spinning<Real> spinning_of(Real coriolis, Real z, Real across, int code)
{
    return {(coriolis + z) * across, z, across, code & C_GRID_FULL};
}

// The turn at a face between corners b and c; in open water of the same bits for either HAS_LAND.
template <bool HAS_LAND, typename Real>
FATHOM_HOST_DEVICE Real turn(spinning<Real> a, spinning<Real> b, spinning<Real> c, spinning<Real> d,
                             int is_line)
{
    const Real near_b = b.turned, near_c = c.turned, far_a = a.turned, far_d = d.turned;
    const Real wide = Real(9.0 / 16), outer = Real(1.0 / 16);
    const Real third = ((d.z - a.z) - Real(3) * (c.z - b.z)) * Real(1.0 / 12);
    const Real speed = size(Real(0.5) * (b.across + c.across));
    const Real open = MADD(wide, near_b + near_c, MADD(-outer, far_a + far_d, speed * third));
    if (!HAS_LAND || (a.is_full && b.is_full && c.is_full && d.is_full && is_line))
        return open;
    const Real in_a = a.is_full ? outer * far_a : Real(0), in_d = d.is_full ? outer * far_d : Real(0);
    const Real in_b = (b.is_full ? wide : Real(0.5)) * near_b, in_c = (c.is_full ? wide : Real(0.5)) * near_c;
    return (in_b + in_c) - (in_a + in_d) + speed * (is_line ? third : Real(-0.5) * (c.z - b.z));
}

template <typename Real> FATHOM_HOST_DEVICE Real root(Real a)
{
    return sizeof(Real) == sizeof(float) ? Real(__builtin_sqrtf(float(a))) : Real(__builtin_sqrt(double(a)));
}

// The depth of the water at a face.
template <typename Real> FATHOM_HOST_DEVICE Real depth_between(Real depth, Real eta_a, Real eta_b)
{
    const Real whole = MADD(Real(0.5), eta_a + eta_b, depth), least = Real(0.05) * depth;
    return whole > least ? whole : least;
}

// A new velocity, at most as fast as long waves. What is not a number stays so.
template <typename Real>
FATHOM_HOST_DEVICE Real bounded(Real u, Real depth, Real eta_a, Real eta_b, Real gravity)
{
    const Real most = root(gravity * depth_between(depth, eta_a, eta_b));
    return u > most ? most : u < -most ? -most : u;
}

// 1 + Δt g n² |U| / H^(4/3); `friction` = Δt g n².
template <typename Real>
FATHOM_HOST_DEVICE Real drag(Real u, Real across, Real depth, Real eta_a, Real eta_b, Real friction)
{
    const Real r = rcbrt(depth_between(depth, eta_a, eta_b)), speed = root(MADD(u, u, across * across));
    return MADD(friction * speed, (r * r) * (r * r), Real(1));
}

// P at the node of an open edge and at the next two inside it.
template <typename Real> struct heads_inward {
    Real here, next, third;
};

// Their mean of the weights that the flux over the edge has at these nodes. `reach`: wet nodes behind the
// edge's.
template <typename Real> FATHOM_HOST_DEVICE Real inside(heads_inward<Real> p, int reach)
{
    const Real next = reach >= 1 ? p.next : p.here, third = reach >= 2 ? p.third : next;
    const double a = 75.0 / 64, b = -25.0 / 384, c = 3.0 / 640; // the differences' weights
    return MADD(Real(a + 2 * (b + c)), p.here, MADD(Real(b + 2 * c), next, Real(c) * third));
}

// The new velocity out over an open edge, from that of the step before (outward_velocity of the
// specification). `eta`: of the edge's node; `rate`: Δt over the edge's spacing.
template <typename Real>
FATHOM_HOST_DEVICE Real outward(Real u, Real inside, Real depth, Real eta, Real rate, Real gravity)
{
    const Real speed = MADD(Real(0.75), u, root(gravity * depth));
    const Real way = rate * (speed > Real(0) ? speed : Real(0));
    const Real next = MADD(Real(2) * rate, inside, (Real(1) - way) * u) / (Real(1) + way);
    return bounded(next, depth, eta, eta, gravity);
}

// ---- the second half

// What the stages of the elevation need of a row: Δt/2 over the distances of the northern and the southern
// face with their cosines, Δt/2 and Δt over cos of the nodes, cos of the faces; the weights of the difference
// about the nodes over their distance (1/m).
template <typename Real> struct alignas(16) elevation_row {
    Real to_north, to_south, half_step, step;
    weights<Real> node;
    Real cos_face;
};

template <typename Real>
FATHOM_HOST_DEVICE elevation_row<Real> elevation_row_of(const Real *row, const Real *below, Real step)
{
    const Real half = Real(0.5) * step;
    return {half * row[C_ROW_INVERSE_NODE] * row[C_ROW_COS_FACE],
            half * row[C_ROW_INVERSE_NODE] * below[C_ROW_COS_FACE],
            half * row[C_ROW_INVERSE_COS],
            step * row[C_ROW_INVERSE_COS],
            {row[C_ROW_NODE], row[C_ROW_NODE + 1], row[C_ROW_NODE + 2]},
            row[C_ROW_COS_FACE]};
}

// The flux of second order through the face between two nodes.
template <typename Real> FATHOM_HOST_DEVICE Real near_flux(Real eta_a, Real eta_b, Real depth, Real u)
{
    return MADD(Real(0.5), eta_a + eta_b, depth) * u;
}

// η half a step on, from the fluxes through the faces about the node. `nx`: 1/m of the node.
template <typename Real>
FATHOM_HOST_DEVICE Real middle(Real e, Real east, Real west, Real north, Real south, Real nx,
                               const elevation_row<Real> &row)
{
    return e - MADD(east - west, nx * row.half_step, north * row.to_north - south * row.to_south);
}

// The flux through an open face.
template <typename Real> FATHOM_HOST_DEVICE Real flux(six<Real> s, Real depth, Real u)
{
    const Real between = MADD(Real(9.0 / 16), s.c + s.d, Real(-1.0 / 16) * (s.b + s.e));
    const Real least = Real(0.05) * depth, whole = depth + between;
    const Real H = whole > least ? whole : least;
    const Real before = s.c - s.b, slope = s.d - s.c, after = s.e - s.d;
    const Real fifth = MADD(Real(10), slope, MADD(Real(-5), s.e - s.b, s.f - s.a));
    const Real bend = MADD(Real(-2), slope, before + after);
    const Real sum = MADD(slope, slope, before * before + after * after) + Real(1e-30);
    const Real ratio = FV_DIVIDE(bend * bend, sum), roughness = ratio < Real(1) ? ratio : Real(1);
    return H * u - Real(1.5) * size(u) * MADD(Real(0.5) * roughness, slope, fifth * Real(1.0 / 60));
}

// The flux over an open edge.
template <typename Real> FATHOM_HOST_DEVICE Real edge_flux(Real depth, Real eta, Real u)
{
    const Real whole = depth + eta, least = Real(0.05) * depth;
    return (whole > least ? whole : least) * u;
}

// Limits a new η from below, so that 0.05 of the still-water depth remains. NaN stays NaN.
template <typename Real> FATHOM_HOST_DEVICE Real raised(Real eta, Real depth)
{
    const Real least = Real(-0.95) * depth;
    return eta < least ? least : eta;
}

} // namespace staggered
} // namespace tsunami

#endif
