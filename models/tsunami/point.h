// The arithmetic at one point of the FAST versions (the processor's and the GPU's), in the perturbation form:
// e = c − c0 with c = √(gH) and c0 = √(g d) fixed. The reference does not use it. Knows nothing of arrays,
// tiles or threads.
//
// Included once per precision with REAL (float or double) and POINT(name) (adds the precision's suffix)
// defined. Compiled for host and device (core/host_device.h).
//
// Scheme: VTCS-2 of Titov & Synolakis (1995, J. Waterway Port Coastal Ocean Eng. 121(6), 308–316; 1998,
// 124(4), 157–171). Along one axis, with un the velocity along the axis and ut the one across it, the
// invariants less 2c0 are P = un + 2e and Q = un − 2e, moving at λP = un + e + c0 and λQ = un − e − c0. With
// g(d_a − d_b) = (c0_a − c0_b)(c0_a + c0_b) the flux difference A(a,b) = λ̄(w_a − w_b) − g(d_a − d_b) of the
// plain form becomes, exactly,
//   A_P = (ū + ē + c̄0)(P_a − P_b) + 2(ū + ē)(c0_a − c0_b),   A_Q = (ū − ē − c̄0)(Q_a − Q_b) − 2(ū − ē)(c0_a − c0_b),
// bars being means of the two nodes: nothing large is subtracted from anything large, and rest (e = un = 0)
// is exact.
//
// MADD(a,b,c) = a·b + c is a fused multiply-add wherever the processor has one: written out, because
// contraction by the compiler is off, so that the mirror image of a flow is computed by mirrored operations.

#include "core/host_device.h"

#ifndef MADD
#if FATHOM_HAS_FMA
#define MADD(a, b, c) POINT(fma)((a), (b), (c))
#else
#define MADD(a, b, c) ((a) * (b) + (c))
#endif
#endif

// One node's state as a sweep sees it: perturbation e and velocities along and across the sweep (m s⁻¹),
// resting celerity c0 (m s⁻¹; 0 on land); and s = un + e, t = un − e, which the differences with both
// neighbours need.
struct POINT(node) {
    REAL e, un, ut, c0, s, t;
};

// Spacing about a node along the sweep, in the sweep's own coordinate: k0 = 1/(dm + dp), km = 1/dm, kp =
// 1/dp, dd = dp − dm, dm and dp being the distances to the left and right node. `step` = Δt over the
// coordinate's scale factor (R cos φ is in the distances of a row: step = Δt / cos φ for x on the sphere, Δt
// elsewhere), `rate` = step k0, `courant` = step² k0.
struct POINT(spacing) {
    REAL km, kp, dd, step, rate, courant;
};

static FATHOM_HOST_DEVICE REAL POINT(fma)(REAL a, REAL b, REAL c)
{
    return sizeof(REAL) == sizeof(float) ? (REAL)__builtin_fmaf((float)a, (float)b, (float)c)
                                         : (REAL)__builtin_fma((double)a, (double)b, (double)c);
}

// x^(−1/3) for x > 0 by a first guess from the exponent and Newton's iteration y ← y(4 − x y³)/3: plain
// arithmetic, so that it vectorises and gives the same bits everywhere.
static FATHOM_HOST_DEVICE REAL POINT(rcbrt)(REAL x)
{
    // The guess is made in single precision for both: a 64-bit integer division would not vectorise.
    union {
        float f;
        unsigned u;
    } bits;
    bits.f = (float)x;
    bits.u = 0x54a2fa8cu - bits.u / 3u;
    REAL y = (REAL)bits.f;
    const REAL third = (REAL)(1.0 / 3.0);
    for (int iteration = 0; iteration < (sizeof(REAL) == sizeof(float) ? 3 : 4); iteration++) {
        REAL residual = MADD(-x * y, y * y, (REAL)1);
        y = MADD(y * third, residual, y);
    }
    return y;
}

static FATHOM_HOST_DEVICE struct POINT(node) POINT(node_of)(REAL e, REAL un, REAL ut, REAL c0)
{
    struct POINT(node) node = {e, un, ut, c0, un + e, un - e};
    return node;
}

static FATHOM_HOST_DEVICE struct POINT(spacing)
    POINT(spacing_of)(REAL k0, REAL km, REAL kp, REAL dd, REAL step)
{
    struct POINT(spacing) h = {km, kp, dd, step, step * k0, step * (step * k0)};
    return h;
}

// A(a,b) of both invariants, and half of P_a − P_b and of Q_a − Q_b. Differences are taken of e and u, not of
// P and Q: those of close values are exact, so a smooth wave is not roughened.
struct POINT(flux) {
    REAL p, q, half_dp, half_dq, dc0;
};

static FATHOM_HOST_DEVICE struct POINT(flux) POINT(difference)(struct POINT(node) a, struct POINT(node) b)
{
    const REAL du = a.un - b.un, de = a.e - b.e;
    const REAL s = a.s + b.s, t = a.t + b.t, c0 = a.c0 + b.c0;
    struct POINT(flux) flux;
    flux.dc0 = a.c0 - b.c0;
    flux.half_dp = MADD((REAL)0.5, du, de);
    flux.half_dq = MADD((REAL)0.5, du, -de);
    flux.p = MADD(s + c0, flux.half_dp, s * flux.dc0);
    flux.q = MADD(t - c0, flux.half_dq, -(t * flux.dc0));
    return flux;
}

// What two neighbours along a sweep have between them, over their distance 1/k: A(right, left) of both
// invariants, and the difference of ut. The right node's `minus` is the left node's `plus`, to the bit.
struct POINT(pair) {
    REAL p, q, ut;
};

static FATHOM_HOST_DEVICE struct POINT(pair)
    POINT(between)(struct POINT(node) left, struct POINT(node) right, REAL k)
{
    const struct POINT(flux) flux = POINT(difference)(right, left);
    struct POINT(pair) pair = {flux.p * k, flux.q * k, (right.ut - left.ut) * k};
    return pair;
}

// The ghost beyond a coast: P = −Q and Q = −P of the wet node, the same ut and depth (a wall).
static FATHOM_HOST_DEVICE struct POINT(node) POINT(wall)(struct POINT(node) wet)
{
    return POINT(node_of)(wet.e, -wet.un, wet.ut, wet.c0);
}

// The neighbour as the wet node sees it: itself, or a wall where it is land. Member by member, so that it
// vectorises.
static FATHOM_HOST_DEVICE struct POINT(node)
    POINT(neighbour)(struct POINT(node) neighbour, struct POINT(node) wet)
{
    const int is_land = !(neighbour.c0 > (REAL)0);
    struct POINT(node) seen;
    seen.e = is_land ? wet.e : neighbour.e;
    seen.un = is_land ? -wet.un : neighbour.un;
    seen.ut = is_land ? wet.ut : neighbour.ut;
    seen.c0 = is_land ? wet.c0 : neighbour.c0;
    seen.s = seen.un + seen.e;
    seen.t = seen.un - seen.e;
    return seen;
}

// One node's sweep: left, centre, right → the centre's new state. `minus` = between(left, centre) and `plus`
// = between(centre, right): who sweeps along a line has the one from the node before. `second_order` adds −½Δt²λ_t w_s
// and −½Δt²(un)_t (ut)_s, the terms that the published scheme lacks for second order where λ varies.
static FATHOM_HOST_DEVICE struct POINT(node)
    POINT(sweep_between)(struct POINT(node) left, struct POINT(node) centre, struct POINT(node) right,
                         struct POINT(pair) minus, struct POINT(pair) plus, struct POINT(spacing) h,
                         int second_order)
{
    const struct POINT(flux) across = POINT(difference)(right, left);
    const REAL ap = h.rate * across.p, aq = h.rate * across.q; // −Δt P_t and −Δt Q_t to first order
    REAL dp = MADD((centre.s + centre.c0) * h.courant, minus.p - plus.p, ap);
    REAL dq = MADD((centre.t - centre.c0) * h.courant, minus.q - plus.q, aq);

    const REAL dt0 = right.ut - left.ut;
    REAL dt = centre.un * h.rate * MADD(minus.ut - plus.ut, MADD(centre.un, h.step, h.dd), dt0);

    if (second_order) {
        const REAL quarter = (REAL)-0.25 * h.rate;
        dp = MADD(quarter * (across.half_dp + across.dc0), MADD((REAL)3, ap, aq), dp);
        dq = MADD(quarter * (across.half_dq - across.dc0), MADD((REAL)3, aq, ap), dq);
        dt = MADD(quarter * dt0, ap + aq, dt);
    }
    struct POINT(node) result;
    result.e = MADD((REAL)-0.25, dp - dq, centre.e);
    result.un = MADD((REAL)-0.5, dp + dq, centre.un);
    result.ut = centre.ut - dt;
    result.c0 = centre.c0;
    result.s = result.un + result.e;
    result.t = result.un - result.e;
    return result;
}

static FATHOM_HOST_DEVICE struct POINT(node)
    POINT(sweep)(struct POINT(node) left, struct POINT(node) centre, struct POINT(node) right,
                 struct POINT(spacing) h, int second_order)
{
    return POINT(sweep_between)(left, centre, right, POINT(between)(left, centre, h.km),
                                POINT(between)(centre, right, h.kp), h, second_order);
}

// The node ON an open edge; `inner` is its neighbour, `side` +1 if the outside lies to the right, −1 to the
// left, k = 1 over the distance. The outgoing invariant is advanced one-sided; the incoming one is the
// outside state's, w_in = u_in ∓ 2 e_in (0 for still water: the wave leaves).
static FATHOM_HOST_DEVICE struct POINT(node)
    POINT(open_edge)(struct POINT(node) inner, struct POINT(node) edge, REAL side, REAL k, REAL step,
                     REAL w_in)
{
    // Seen from the right edge: mirror the left one (un → −un), so that one piece of arithmetic serves both.
    inner = POINT(node_of)(inner.e, inner.un * side, inner.ut, inner.c0);
    edge = POINT(node_of)(edge.e, edge.un * side, edge.ut, edge.c0);
    REAL p = MADD((REAL)2, edge.e, edge.un) - step * k * POINT(difference)(edge, inner).p;
    REAL q = w_in;
    REAL outflow = edge.un > (REAL)0 ? edge.un : (REAL)0;
    return POINT(node_of)((REAL)0.25 * (p - q), (REAL)0.5 * (p + q) * side,
                          MADD(-(outflow * step * k), edge.ut - inner.ut, edge.ut), edge.c0);
}

// What acts at a point between the sweeps takes constants of the row: `coriolis` = fΔt, `curvature` = Δt tan
// φ / R, `metric` = Δt tan φ / 2R (0 if the sweep has it), `friction` = Δt n² g^(7/3) (Manning).

// Exact metric growth H → H exp(vΔt tan φ/R), to third order: c → c(1 + x + x²/2), x = v·metric.
static FATHOM_HOST_DEVICE REAL POINT(metric)(REAL e, REAL v, REAL c0, REAL metric)
{
    REAL x = v * metric;
    return MADD(c0 + e, MADD((REAL)0.5 * x, x, x), e);
}

// Rotation of (u, v) by θ = (f + u tan φ/R)Δt; sine and cosine by their series, good to 1e-15 for |θ| < 0.05.
static FATHOM_HOST_DEVICE void POINT(rotate)(REAL *u, REAL *v, REAL coriolis, REAL curvature)
{
    REAL theta = MADD(*u, curvature, coriolis);
    REAL square = theta * theta;
    REAL sine = MADD(theta * square, MADD(square, (REAL)(1.0 / 120.0), (REAL)(-1.0 / 6.0)), theta);
    REAL versed = square * MADD(square, MADD(square, (REAL)(1.0 / 720.0), (REAL)(-1.0 / 24.0)), (REAL)0.5);
    REAL u_new = MADD(sine, *v, *u) - versed * *u;
    REAL v_new = MADD(-sine, *u, *v) - versed * *v;
    *u = u_new;
    *v = v_new;
}

// Manning friction, implicit: (u, v) / (1 + Δt g n² |U| / H^(4/3)), H^(−4/3) = g^(4/3) c^(−8/3): it stops,
// never reverses.
static FATHOM_HOST_DEVICE REAL POINT(friction_factor)(REAL e, REAL u, REAL v, REAL c0, REAL friction)
{
    REAL r = POINT(rcbrt)(c0 + e);
    REAL r2 = r * r, r4 = r2 * r2;
    REAL speed_squared = u * u + v * v; // not fused: u and v weigh the same
    REAL speed = sizeof(REAL) == sizeof(float) ? (REAL)__builtin_sqrtf((float)speed_squared)
                                               : (REAL)__builtin_sqrt((double)speed_squared);
    return (REAL)1 / MADD(friction * speed, r4 * r4, (REAL)1);
}

// Surface elevation above rest: η = (2 c0 e + e²)/g.
static FATHOM_HOST_DEVICE REAL POINT(eta)(REAL e, REAL c0, REAL inverse_gravity)
{
    return MADD((REAL)2, c0, e) * e * inverse_gravity;
}
