// The arithmetic at one node of the FAST versions of `vtcs2-shore` (the processor's and the GPU's): VTCS-2 with a moving
// shoreline. The reference (reference_shore.c) does not use it. Knows nothing of arrays, tiles or threads.
//
// Included once per precision with REAL (float or double) and POINT(name) (adds the precision's suffix) defined, after
// point.h and fv_point.h, whose cell, spacing and operations it takes. Compiled for host and device. No branch, so that it
// vectorises.
//
// Scheme, one sweep along one axis (un along it, ut across it; bottom z, depth h, surface η = h + z, c = √(gh)): VTCS-2
// (Titov & Synolakis 1995, 1998) in the modified form and with the shoreline of Tolkova (2014, Pure Appl. Geophys.,
// doi:10.1007/s00024-014-0825-8), and with the second-order terms of point.h. Between neighbours a and b, bars being means,
//   A(a, b) = (ūn ± c̄) Δun ± 2 ūn Δc + g Δη
// is the published λ̄ Δ(un ± 2c) − g Δ(still depth), because 2 c̄ Δc = g Δh: at rest it is 0, bit for bit, over any bottom.
//
// A sweep does three things: dry nodes beside water that stands higher than the minimum above them become wet, with the
// minimum of water (shore_flooded); wet nodes, these among them, are advanced, a dry neighbour being a wall (shore_advance);
// and what has just become wet is held to half of the depth and to the speed of the water it came from (shore_update). So a
// node depends on two nodes to either side. A dry node keeps the film it has.
//
// As in point.h, what is fused is written out, so that the mirror image of a flow is computed by mirrored operations. Choices
// are made among values, not among comparisons: so they vectorise.

#include "core/host_device.h"

// |un| + c is held below this share of what would cross a cell in a step.
#define SHORE_FASTEST ((REAL)0.95)

// Height (m) of the ground where there is no node: beyond an edge that is not periodic. Nothing floods it.
#define SHORE_OUTSIDE ((REAL)1e9)

// No bound, or no water at all.
#define SHORE_FAR ((REAL)1e30)

// A node with what floods it. w as it is stored: η over sea, h over land; c = 0: dry. After the sweep no deeper and no faster
// than these bounds, if it was flooded.
struct POINT(shore_node) {
    REAL w, un, ut, c, deepest, pace;
};

// The same as its neighbours see it.
struct POINT(shore_seen) {
    REAL eta, un, ut, c;
};

// What a sweep makes of a wet node.
struct POINT(shore_change) {
    REAL dh, un, ut;
};

static FATHOM_HOST_DEVICE REAL POINT(shore_stored)(struct POINT(fv_cell) cell)
{
    return cell.z < (REAL)0 ? cell.eta : cell.h;
}

// Flooded from the higher of its neighbours; from both alike if they are equally high, so that no side is preferred.
static FATHOM_HOST_DEVICE struct POINT(shore_node)
    POINT(shore_flooded)(struct POINT(fv_cell) left, struct POINT(fv_cell) cell, struct POINT(fv_cell) right,
                         REAL gravity, REAL minimum)
{
    const REAL above_left = left.eta - cell.z > minimum ? left.eta : -SHORE_FAR;
    const REAL above_right = right.eta - cell.z > minimum ? right.eta : -SHORE_FAR;
    const REAL from_left = left.h > minimum ? above_left : -SHORE_FAR;
    const REAL from_right = right.h > minimum ? above_right : -SHORE_FAR;
    const REAL both_h = (REAL)0.5 * (left.h + right.h), both_un = (REAL)0.5 * (left.un + right.un);
    const REAL both_ut = (REAL)0.5 * (left.ut + right.ut);
    const REAL right_h = from_right > from_left ? right.h : both_h;
    const REAL right_un = from_right > from_left ? right.un : both_un;
    const REAL right_ut = from_right > from_left ? right.ut : both_ut;
    const REAL source_h = from_left > from_right ? left.h : right_h;
    const REAL source_un = from_left > from_right ? left.un : right_un;
    const REAL source_ut = from_left > from_right ? left.ut : right_ut;
    const REAL highest = FV_MAX(from_left, from_right), flood = cell.h > minimum ? -SHORE_FAR : highest;
    const REAL ground = cell.z < (REAL)0 ? cell.z : (REAL)0; // w without water
    const REAL own_c = cell.h > minimum ? FV_ROOT(gravity * cell.h) : (REAL)0;
    struct POINT(shore_node) node;
    node.w = flood > -SHORE_FAR ? ground + minimum : POINT(shore_stored)(cell);
    node.un = flood > -SHORE_FAR ? source_un : cell.un;
    node.ut = flood > -SHORE_FAR ? source_ut : cell.ut;
    node.c = flood > -SHORE_FAR ? FV_ROOT(gravity * minimum) : own_c;
    node.deepest = flood > -SHORE_FAR ? FV_MAX(minimum, (REAL)0.5 * source_h) : SHORE_FAR;
    node.pace = flood > -SHORE_FAR ? FV_MAX(source_un, -source_un) : SHORE_FAR;
    return node;
}

static FATHOM_HOST_DEVICE struct POINT(shore_seen) POINT(shore_seen_of)(struct POINT(shore_node) node, REAL z)
{
    struct POINT(shore_seen) seen = {node.w + FV_MAX((REAL)0, z), node.un, node.ut, node.c};
    return seen;
}

// The neighbour as the wet node sees it: itself, or its own mirror image where the neighbour is dry.
static FATHOM_HOST_DEVICE struct POINT(shore_seen)
    POINT(shore_neighbour)(struct POINT(shore_seen) neighbour, struct POINT(shore_seen) wet)
{
    const int is_wet = neighbour.c > (REAL)0;
    struct POINT(shore_seen) seen;
    seen.eta = is_wet ? neighbour.eta : wet.eta;
    seen.un = is_wet ? neighbour.un : -wet.un;
    seen.ut = is_wet ? neighbour.ut : wet.ut;
    seen.c = is_wet ? neighbour.c : wet.c;
    return seen;
}

// A of both invariants, and the difference of ut, over the distance 1/k.
static FATHOM_HOST_DEVICE struct POINT(pair)
    POINT(shore_between)(struct POINT(shore_seen) left, struct POINT(shore_seen) right, REAL k, REAL gravity)
{
    const REAL du = right.un - left.un, dc = right.c - left.c, slope = gravity * (right.eta - left.eta);
    const REAL u = right.un + left.un, c = right.c + left.c; // twice the means
    struct POINT(pair) pair;
    pair.p = MADD((REAL)0.5 * (u + c), du, MADD(u, dc, slope)) * k;
    pair.q = MADD((REAL)0.5 * (u - c), du, MADD(-u, dc, slope)) * k;
    pair.ut = (right.ut - left.ut) * k;
    return pair;
}

// A wet node; beside a dry one without the second-order terms, and ut upwind.
static FATHOM_HOST_DEVICE struct POINT(shore_change)
    POINT(shore_advance)(struct POINT(shore_seen) left, struct POINT(shore_seen) centre,
                         struct POINT(shore_seen) right, struct POINT(spacing) h, REAL gravity)
{
    const int is_inner = (left.c > (REAL)0) & (right.c > (REAL)0);
    left = POINT(shore_neighbour)(left, centre);
    right = POINT(shore_neighbour)(right, centre);
    const struct POINT(pair) minus = POINT(shore_between)(left, centre, h.km, gravity);
    const struct POINT(pair) plus = POINT(shore_between)(centre, right, h.kp, gravity);
    // −w_t to first order, and twice w_s over k0
    const REAL ap = (REAL)0.5 * (plus.p + minus.p), aq = (REAL)0.5 * (plus.q + minus.q);
    const REAL du = right.un - left.un, dc = (REAL)2 * (right.c - left.c);
    const REAL eighth = is_inner ? (REAL)0.125 * h.courant : (REAL)0;
    REAL dp = MADD((centre.un + centre.c) * h.courant, minus.p - plus.p, h.step * ap);
    REAL dq = MADD((centre.un - centre.c) * h.courant, minus.q - plus.q, h.step * aq);
    dp = MADD(-eighth * (du + dc), MADD((REAL)3, ap, aq), dp);
    dq = MADD(-eighth * (du - dc), MADD((REAL)3, aq, ap), dq);

    const REAL across = right.ut - left.ut;
    REAL dt = centre.un * h.rate * MADD(minus.ut - plus.ut, MADD(centre.un, h.step, h.dd), across);
    dt = MADD((REAL)-2 * eighth * across, ap + aq, dt);
    const REAL upwind = centre.un * h.step * (centre.un > (REAL)0 ? minus.ut : plus.ut);

    const REAL grown = (REAL)-0.25 * (dp - dq), dcelerity = FV_MAX(-centre.c, grown);
    struct POINT(shore_change) change;
    change.dh = FV_DIVIDE(dcelerity * MADD((REAL)2, centre.c, dcelerity), gravity);
    change.un = MADD((REAL)-0.5, dp + dq, centre.un);
    change.ut = centre.ut - (is_inner ? dt : upwind);
    return change;
}

// Whether an edge that is open, or at which a wave is given, is one to this node: dry, just flooded or on land it is a wall.
static FATHOM_HOST_DEVICE int POINT(shore_is_edge)(struct POINT(shore_node) node, REAL z)
{
    return (node.c > (REAL)0) & (node.deepest >= SHORE_FAR) & (z < (REAL)0);
}

// A wet node ON an open or given edge; `side` +1 if the outside lies to the right, −1 to the left, k = 1 over the distance of
// `inner`, its neighbour. The invariant that goes out is advanced one-sided, the one that comes in is the outside's (0: still
// water, the wave leaves). Both less those of rest: e = c − c0.
static FATHOM_HOST_DEVICE struct POINT(shore_change)
    POINT(shore_edge)(struct POINT(shore_seen) inner, struct POINT(shore_seen) edge, REAL z, REAL side,
                      REAL k, REAL step, struct POINT(fv_outside) outside, REAL gravity)
{
    // Seen from the right edge: the left one mirrored, so that one piece of arithmetic serves both.
    inner = POINT(shore_neighbour)(inner, edge);
    inner.un *= side;
    edge.un *= side;
    const struct POINT(pair) pair = POINT(shore_between)(inner, edge, k, gravity);
    const REAL c0 = FV_ROOT(gravity * -z), e = FV_DIVIDE(gravity * edge.eta, edge.c + c0);
    // Where the flow comes in faster than a wave runs against it, nothing goes out.
    const REAL rate = edge.un + edge.c > (REAL)0 ? pair.p : (REAL)0;
    const REAL out = MADD(-step, rate, MADD((REAL)2, e, edge.un));
    const REAL eta = FV_MAX(z, outside.eta); // a surface below the bottom is no water
    const REAL given = FV_DIVIDE(gravity * eta, FV_ROOT(gravity * (eta - z)) + c0);
    const REAL in = MADD((REAL)-2, given, side * outside.un);
    const REAL met = outside.is_elevation_alone ? given : (REAL)0.25 * (out - in);
    const REAL e_new = FV_MAX(-c0, met);
    const REAL un = outside.is_elevation_alone ? MADD((REAL)-2, given, out) : (REAL)0.5 * (out + in);
    const REAL outflow = edge.un > (REAL)0 ? edge.un : (REAL)0;
    struct POINT(shore_change) change;
    change.dh = FV_DIVIDE(e_new * MADD((REAL)2, c0, e_new), gravity) - edge.eta;
    change.un = side * un;
    change.ut = MADD(-(outflow * step), pair.ut, edge.ut);
    change.ut = outside.has_ut & (un < (REAL)0) ? outside.ut : change.ut;
    return change;
}

// The node after the sweep: what is stored, and its velocities. `rate` as in struct spacing.
static FATHOM_HOST_DEVICE void POINT(shore_update)(struct POINT(shore_node) node, REAL z,
                                                   struct POINT(shore_change) change, REAL rate, REAL gravity,
                                                   REAL minimum, REAL *w, REAL *un, REAL *ut)
{
    const REAL ground = z < (REAL)0 ? z : (REAL)0;
    const REAL moved = FV_MAX(ground, node.w + change.dh);
    const REAL held = FV_MIN(ground + node.deepest, moved);
    const REAL w_new = node.c > (REAL)0 ? held : node.w;
    const REAL h = w_new - ground;
    const REAL most = FV_DIVIDE((REAL)0.5 * SHORE_FASTEST, rate) - FV_ROOT(gravity * h);
    const REAL bound = FV_MIN(node.pace, FV_MAX((REAL)0, most));
    const REAL un_held = FV_MAX(-bound, FV_MIN(bound, change.un));
    const REAL un_wet = h > minimum ? un_held : (REAL)0, ut_wet = h > minimum ? change.ut : (REAL)0;
    *w = w_new;
    *un = node.c > (REAL)0 ? un_wet : (REAL)0;
    *ut = node.c > (REAL)0 ? ut_wet : (REAL)0;
}

// Between the sweeps, on the sphere: the depth's exact metric growth, h exp(vΔt tan φ/R), to third order; `metric` = Δt
// tan φ / 2R.
static FATHOM_HOST_DEVICE REAL POINT(shore_metric)(struct POINT(fv_cell) cell, REAL v, REAL metric,
                                                   REAL minimum)
{
    const REAL x = (REAL)2 * v * metric;
    const REAL growth = cell.h * MADD(x * x, MADD(x, (REAL)(1.0 / 6.0), (REAL)0.5), x);
    return POINT(shore_stored)(cell) + (cell.h > minimum ? growth : (REAL)0);
}
