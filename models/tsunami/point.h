// The arithmetic at one point of the FAST versions (OpenMP, CUDA), in the perturbation form: e = c − c0 with
// c = √(gH) and c0 = √(g d) fixed. The reference does not use it. Knows nothing of arrays, tiles or threads.
//
// Included once per precision with REAL (float or double) and POINT(name) (adds the precision's suffix)
// defined. Compiled for host and device: FATHOM_HOST_DEVICE is empty on the host.
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

#ifndef FATHOM_HOST_DEVICE
#ifdef __CUDACC__
#define FATHOM_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define FATHOM_HOST_DEVICE inline __attribute__((always_inline))
#endif
#endif

#ifndef MADD
#if defined(__FMA__) || defined(__CUDA_ARCH__) || defined(__ARM_FEATURE_FMA)
#define MADD(a, b, c) POINT(fma)((a), (b), (c))
#else
#define MADD(a, b, c) ((a) * (b) + (c))
#endif
#endif

// One node's state: perturbation e and velocities along and across the sweep (m s⁻¹), resting celerity c0 (m
// s⁻¹; 0 on land).
struct POINT(node) {
    REAL e, un, ut, c0;
};

// Spacing about a node along the sweep, in the sweep's own coordinate: k0 = 1/(dm + dp), km = 1/dm, kp =
// 1/dp, dd = dp − dm, dm and dp being the distances to the left and right node. `step` = Δt over the
// coordinate's scale factor (R cos φ is in the distances of a row: step = Δt / cos φ for x on the sphere, Δt
// elsewhere).
struct POINT(spacing) {
    REAL k0, km, kp, dd, step;
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

// A(a,b) of both invariants, times two (the means are kept as sums).
struct POINT(flux) {
    REAL p, q;
};

static FATHOM_HOST_DEVICE struct POINT(flux) POINT(difference)(struct POINT(node) a, struct POINT(node) b)
{
    REAL du = a.un - b.un, de = a.e - b.e, slope = (REAL)2 * (a.c0 - b.c0);
    REAL su = a.un + b.un, se = a.e + b.e, sc = a.c0 + b.c0;
    REAL r = su + se, l = su - se;
    REAL dp = MADD((REAL)2, de, du), dq = MADD((REAL)-2, de, du);
    struct POINT(flux) twice;
    twice.p = MADD(r + sc, dp, r * slope);
    twice.q = MADD(l - sc, dq, -(l * slope));
    return twice;
}

// The ghost beyond a coast: P = −Q and Q = −P of the wet node, the same ut and depth (a wall).
static FATHOM_HOST_DEVICE struct POINT(node) POINT(wall)(struct POINT(node) wet)
{
    wet.un = -wet.un;
    return wet;
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
    return seen;
}

// One node's sweep: left, centre, right → the centre's new state. `minus` = difference(centre, left) and `plus` =
// difference(right, centre): who sweeps along a line has the one from the node before. `second_order` adds
// −½Δt²λ_t w_s and −½Δt²(un)_t (ut)_s, the terms that the published scheme lacks for second order where λ varies.
static FATHOM_HOST_DEVICE struct POINT(node)
    POINT(sweep_between)(struct POINT(node) left, struct POINT(node) centre, struct POINT(node) right,
                         struct POINT(flux) minus, struct POINT(flux) plus, struct POINT(spacing) h,
                         int second_order)
{
    const struct POINT(flux) across = POINT(difference)(right, left);
    const REAL half_rate = (REAL)0.5 * h.step * h.k0;
    const REAL courant = h.step * half_rate; // step² k0 / 2, the A's being doubled
    const REAL lambda_p = (centre.un + centre.e) + centre.c0;
    const REAL lambda_q = (centre.un - centre.e) - centre.c0;
    const REAL ap = half_rate * across.p, aq = half_rate * across.q; // −Δt P_t and −Δt Q_t to first order
    // Not fused: fma(a, b, −c·d) would round the left and the right side of the node differently.
    REAL dp = MADD(lambda_p * courant, minus.p * h.km - plus.p * h.kp, ap);
    REAL dq = MADD(lambda_q * courant, minus.q * h.km - plus.q * h.kp, aq);

    const REAL dt0 = right.ut - left.ut;
    const REAL bend = (right.ut - centre.ut) * h.kp - (centre.ut - left.ut) * h.km;
    const REAL rate = h.step * h.k0;
    REAL dt = centre.un * rate * MADD(-bend, MADD(centre.un, h.step, h.dd), dt0);

    if (second_order) {
        REAL du0 = right.un - left.un, de0 = right.e - left.e, dc0 = right.c0 - left.c0;
        REAL dc_total = (REAL)2 * (de0 + dc0);
        dp = MADD((REAL)-0.125 * rate * (du0 + dc_total), MADD((REAL)3, ap, aq), dp);
        dq = MADD((REAL)-0.125 * rate * (du0 - dc_total), MADD((REAL)3, aq, ap), dq);
        dt = MADD((REAL)-0.25 * rate * dt0, ap + aq, dt);
    }
    struct POINT(node) result;
    result.e = MADD((REAL)-0.25, dp - dq, centre.e);
    result.un = MADD((REAL)-0.5, dp + dq, centre.un);
    result.ut = centre.ut - dt;
    result.c0 = centre.c0;
    return result;
}

static FATHOM_HOST_DEVICE struct POINT(node)
    POINT(sweep)(struct POINT(node) left, struct POINT(node) centre, struct POINT(node) right,
                 struct POINT(spacing) h, int second_order)
{
    return POINT(sweep_between)(left, centre, right, POINT(difference)(centre, left),
                                POINT(difference)(right, centre), h, second_order);
}

// The node ON an open edge; `inner` is its neighbour, `side` +1 if the outside lies to the right, −1 to the
// left, k = 1 over the distance. The outgoing invariant is advanced one-sided; the incoming one is the
// outside state's, w_in = u_in ∓ 2 e_in (0 for still water: the wave leaves).
static FATHOM_HOST_DEVICE struct POINT(node)
    POINT(open_edge)(struct POINT(node) inner, struct POINT(node) edge, REAL side, REAL k, REAL step,
                     REAL w_in)
{
    // Seen from the right edge: mirror the left one (un → −un), so that one piece of arithmetic serves both.
    inner.un *= side;
    edge.un *= side;
    REAL p = MADD((REAL)2, edge.e, edge.un) - (REAL)0.5 * step * k * POINT(difference)(edge, inner).p;
    REAL q = w_in;
    REAL outflow = edge.un > (REAL)0 ? edge.un : (REAL)0;
    struct POINT(node) result;
    result.e = (REAL)0.25 * (p - q);
    result.un = (REAL)0.5 * (p + q) * side;
    result.ut = MADD(-(outflow * step * k), edge.ut - inner.ut, edge.ut);
    result.c0 = edge.c0;
    return result;
}

// What acts at a point between the sweeps, with constants of the row: `coriolis` = fΔt, `curvature` = Δt tan
// φ / R, `metric` = Δt tan φ / 2R (0 if the sweep has it), `friction` = Δt n² g^(7/3) (Manning).
struct POINT(sources) {
    REAL coriolis, curvature, metric, friction;
};

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
