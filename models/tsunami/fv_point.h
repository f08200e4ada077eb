// The arithmetic at one cell and one face of the FAST versions of `muscl-hancock` (the processor's and the
// GPU's): the nonlinear shallow-water equations in finite volumes with a moving shoreline. The reference does
// not use it. Knows nothing of arrays, tiles or threads.
//
// Included once per precision with REAL (float or double) and POINT(name) (adds the precision's suffix)
// defined, after point.h. Compiled for host and device (core/host_device.h). No branch, so that it
// vectorises.
//
// Scheme, one sweep along one axis (un along it, ut across it; bottom z, depth h, surface η = h + z; Δt over
// the cell's width: λ): MUSCL–Hancock (van Leer 1984, SIAM J. Sci. Stat. Comput. 5(1), 1–20; Toro 2001,
// Shock-Capturing Methods for Free-Surface Shallow Flows, ch. 11) with limited slopes of η, un and ut, so
// that water at rest has none; hydrostatic reconstruction of the depths at a face (Audusse et al. 2004, SIAM
// J. Sci. Comput. 25(6), 2050–2065) on a bottom that is continuous across faces; HLL flux with the speeds of
// Toro (2001, §10.4). The pressure enters only through differences of η across a face and across a cell: at
// rest every increment is 0, bit for bit, and nothing large is subtracted from anything large. What leaves a
// cell through its two faces never exceeds what it holds: depths stay ≥ 0 and the mass is exact.
//
// Stored is w: η where the bottom lies below 0 (sea), h where it lies above (land): small numbers in both.
//
// As in point.h, what is fused is written out, so that the mirror image of a flow is computed by mirrored
// operations.

#include "core/host_device.h"

// A device may define these before, by faster operations that are good to a few units in the last place. A
// NaN must come out of all that has one in it (FV_MIN, FV_MAX: as second argument), so that it is found in
// the state.
#ifndef FV_DIVIDE
#define FV_DIVIDE(a, b)    ((a) / (b))
#define FV_ROOT(x)         POINT(fv_sqrt)(x)
#define FV_OVER_ROOT(a, x) ((a) / POINT(fv_sqrt)(x))
#define FV_MIN(a, b)       POINT(fv_min)((a), (b))
#define FV_MAX(a, b)       POINT(fv_max)((a), (b))
#endif

// A cell as a sweep sees it.
struct POINT(fv_cell) {
    REAL eta, h, un, ut, z;
};

// What a face sees of the cell beside it, half a step later. Of a dry cell un and ut are not looked at.
struct POINT(fv_side) {
    REAL eta, z, un, ut;
};

// A cell's two faces, and what its own slope of the surface adds to the momentum, over λ.
struct POINT(fv_faces) {
    struct POINT(fv_side) minus, plus;
    REAL push;
    REAL froude; // un/c of the cell's centre, between −1 and 1
};

// Through a face, towards plus: water, momentum along as the cell on either side sees it, momentum across.
struct POINT(fv_flux) {
    REAL h, minus, plus, ut;
};

static FATHOM_HOST_DEVICE REAL POINT(fv_min)(REAL a, REAL b)
{
    return a < b ? a : b;
}

static FATHOM_HOST_DEVICE REAL POINT(fv_max)(REAL a, REAL b)
{
    return a > b ? a : b;
}

static FATHOM_HOST_DEVICE REAL POINT(fv_sqrt)(REAL x)
{
    return sizeof(REAL) == sizeof(float) ? (REAL)__builtin_sqrtf((float)x) : (REAL)__builtin_sqrt((double)x);
}

static FATHOM_HOST_DEVICE struct POINT(fv_cell) POINT(fv_cell_of)(REAL w, REAL un, REAL ut, REAL z)
{
    struct POINT(fv_cell) cell = {w + FV_MAX((REAL)0, z), w + FV_MAX((REAL)0, -z), un, ut, z};
    return cell;
}

// Half of van Leer's limited difference across a cell (the harmonic mean of both differences, 0 at extremes).
// Not guarded: a quotient by 0 is not taken.
static FATHOM_HOST_DEVICE REAL POINT(fv_half_slope)(REAL before, REAL after, int is_inner)
{
    const REAL product = before * after;
    const REAL slope = FV_DIVIDE(product, before + after);
    return (product > (REAL)0) & is_inner ? slope : (REAL)0;
}

// One face of a cell: the bottom there is the mean of both cells'; where the surface would lie below it or
// the depth pass twice the cell's, the bottom gives way, not the surface.
static FATHOM_HOST_DEVICE REAL POINT(fv_face_depth)(REAL eta, REAL h, REAL *z)
{
    const REAL found = eta - *z, depth = FV_MAX((REAL)0, FV_MIN((REAL)2 * h, found));
    *z = depth == found ? *z : eta - depth;
    return depth;
}

// left, centre, right → the centre's faces half a step later. `half` = λ/2; `metric` = Δt tan φ / 2R in the y
// sweep on the sphere, else 0. A cell is wet if h > minimum. Beside a dry cell there are no slopes and no
// half step.
static FATHOM_HOST_DEVICE struct POINT(fv_faces)
    POINT(fv_faces_of)(struct POINT(fv_cell) left, struct POINT(fv_cell) centre, struct POINT(fv_cell) right,
                       REAL half, REAL metric, REAL gravity, REAL minimum)
{
    const int is_wet = centre.h > minimum, has_left = left.h > minimum, has_right = right.h > minimum;
    const int is_inner = is_wet & has_left & has_right, has_bed = is_wet & (has_left | has_right);
    const REAL deta = POINT(fv_half_slope)(centre.eta - left.eta, right.eta - centre.eta, is_inner);
    const REAL dun = POINT(fv_half_slope)(centre.un - left.un, right.un - centre.un, is_inner);
    const REAL dut = POINT(fv_half_slope)(centre.ut - left.ut, right.ut - centre.ut, is_inner);
    struct POINT(fv_faces) f;
    f.minus.z = has_bed ? (REAL)0.5 * (centre.z + left.z) : centre.z;
    f.plus.z = has_bed ? (REAL)0.5 * (centre.z + right.z) : centre.z;
    REAL h_minus = POINT(fv_face_depth)(centre.eta - deta, centre.h, &f.minus.z);
    REAL h_plus = POINT(fv_face_depth)(centre.eta + deta, centre.h, &f.plus.z);
    const REAL step = is_inner ? half : (REAL)0;
    const REAL growth = (is_inner ? metric : (REAL)0) * centre.un * centre.h;
    const REAL rise = MADD(-step, MADD(centre.un, h_plus - h_minus, (h_plus + h_minus) * dun), growth);
    const REAL eta = centre.eta + rise;
    const REAL un = MADD((REAL)-2 * step, MADD(centre.un, dun, gravity * deta), centre.un);
    const REAL ut = MADD((REAL)-2 * step, centre.un * dut, centre.ut);
    h_minus = FV_MAX((REAL)0, h_minus + rise);
    h_plus = FV_MAX((REAL)0, h_plus + rise);
    f.minus.eta = eta - deta; // of a dry cell as it lies: beside water of the same level its film is at rest
    f.plus.eta = eta + deta;
    f.minus.z = FV_MIN(f.minus.z, f.minus.eta);
    f.plus.z = FV_MIN(f.plus.z, f.plus.eta);
    f.minus.un = un - dun;
    f.plus.un = un + dun;
    f.minus.ut = ut - dut;
    f.plus.ut = ut + dut;
    f.push = gravity * (h_minus + h_plus) * deta;
    const REAL froude = FV_OVER_ROOT(centre.un, gravity * centre.h);
    f.froude = is_wet ? FV_MAX((REAL)-1, FV_MIN((REAL)1, froude)) : (REAL)0;
    return f;
}

// The face between cells `left` and `right`; `from_left` is left's plus side, `from_right` right's minus
// side. held_*: h/λ of the cells, over the face's share of the width (cos φ of the face on the sphere, in the
// y sweep): what they can give.
static FATHOM_HOST_DEVICE struct POINT(fv_flux)
    POINT(fv_flux_of)(struct POINT(fv_side) from_left, struct POINT(fv_side) from_right, int is_left_wet,
                      int is_right_wet, REAL held_left, REAL held_right, REAL froude_left, REAL froude_right,
                      REAL gravity)
{
    const REAL z = FV_MAX(from_left.z, from_right.z);
    const REAL hl = FV_MAX((REAL)0, from_left.eta - z), hr = FV_MAX((REAL)0, from_right.eta - z);
    const int has_left = hl > (REAL)0, has_right = hr > (REAL)0, is_wet = is_left_wet | is_right_wet;
    const REAL difference = has_left & has_right ? from_right.eta - from_left.eta : hr - hl;
    const REAL dh = is_wet ? difference : (REAL)0; // between dry cells nothing flows
    const REAL ul = is_left_wet ? from_left.un : from_right.un;
    const REAL ur = is_right_wet ? from_right.un : from_left.un;
    const REAL cl = FV_ROOT(gravity * hl), cr = FV_ROOT(gravity * hr);
    const REAL u_star = MADD((REAL)0.5, ul + ur, cl - cr);
    const REAL c_star = FV_MAX((REAL)0, MADD((REAL)0.25, ul - ur, (REAL)0.5 * (cl + cr)));
    REAL slowest = FV_MIN(ul - cl, u_star - c_star), fastest = FV_MAX(ur + cr, u_star + c_star);
    slowest = !has_left ? MADD((REAL)-2, cr, ur) : !has_right ? ul - cl : slowest;
    fastest = !has_left ? ur + cr : !has_right ? MADD((REAL)2, cl, ul) : fastest;
    slowest = FV_MIN((REAL)0, slowest);
    fastest = FV_MAX((REAL)0, fastest);
    const REAL span = fastest - slowest, inverse = FV_DIVIDE((REAL)1, span);
    // Below any speed that means something: 1/span of a subnormal number is infinite.
    const REAL share = is_wet & (span > (REAL)1e-30) ? inverse : (REAL)0;
    const REAL ql = hl * ul, qr = hr * ur, half_pressure = (REAL)0.25 * gravity * (dh * (hl + hr));
    const REAL product = slowest * fastest, forth = fastest * ql, back = slowest * qr;
    struct POINT(fv_flux) flux;
    flux.h = MADD(product, dh, forth - back) * share;
    // The mean of what both sides see; they differ by the pressure.
    REAL momentum = MADD(product, qr - ql, forth * ul - back * ur);
    momentum = MADD(-(slowest + fastest), half_pressure, momentum) * share;
    // No more than the giving cell has for this face; the shares of its two faces are 1 together.
    const int is_forth = flux.h > (REAL)0;
    const REAL room = is_forth ? held_left : held_right, froude = is_forth ? froude_left : -froude_right;
    const REAL most = (REAL)0.5 * MADD(froude, room, room);
    const REAL size = FV_MIN(most, is_forth ? flux.h : -flux.h);
    const REAL kept = is_forth ? size : -size;
    momentum = MADD(kept - flux.h, is_forth ? ul : ur, momentum);
    flux.h = kept;
    flux.minus = momentum + half_pressure;
    flux.plus = momentum - half_pressure;
    // What comes from a dry cell moves as the water that it joins.
    const int is_left = is_forth ? is_left_wet : !is_right_wet;
    flux.ut = kept * (is_left ? from_left.ut : from_right.ut);
    return flux;
}

// What lies beyond an edge of the domain. `inner` is the cell on the edge; `side` +1 if the outside lies to
// plus, −1 to minus. A wall where the edge is one, or the cell is dry or land: the mirror image of `mirrored`
// (the cell itself, or for the second cell beyond, the one before it). Else the invariant that comes in, un ∓
// 2e seen outwards (0: still water outside, the wave leaves), meets the one that goes out; with
// `is_elevation_alone` η is `eta_in` and only the velocity follows. e = g η/(c + c0) = c − c0.
struct POINT(fv_outside) {
    int is_wall, is_elevation_alone;
    REAL eta, un, ut; // given; still water: 0
    int has_ut;       // ut is given too, for water that comes in
};

static FATHOM_HOST_DEVICE struct POINT(fv_cell)
    POINT(fv_beyond)(struct POINT(fv_cell) inner, struct POINT(fv_cell) mirrored, REAL side,
                     struct POINT(fv_outside) outside, REAL gravity, REAL minimum)
{
    if (outside.is_wall || !(inner.h > minimum) || !(inner.z < (REAL)0)) {
        mirrored.un = -mirrored.un;
        return mirrored;
    }
    const REAL c0 = FV_ROOT(gravity * -inner.z), c = FV_ROOT(gravity * inner.h);
    const REAL out = side * inner.un + (REAL)2 * gravity * inner.eta / (c + c0);
    const REAL eta_in = FV_MAX(inner.z, outside.eta); // a given surface below the bottom is no water
    const REAL given = gravity * eta_in / (FV_ROOT(gravity * (eta_in - inner.z)) + c0);
    const REAL in = side * outside.un - (REAL)2 * given;
    const REAL e = outside.is_elevation_alone ? given : FV_MAX(-c0, (REAL)0.25 * (out - in)); // c ≥ 0
    // Water that comes in faster than its waves takes nothing from inside: its own celerity is the most.
    const REAL un =
        outside.is_elevation_alone ? FV_MAX(-(c0 + given), out - (REAL)2 * given) : (REAL)0.5 * (out + in);
    struct POINT(fv_cell) ghost = inner;
    ghost.eta = e * ((REAL)2 * c0 + e) / gravity;
    ghost.h = FV_MAX((REAL)0, ghost.eta - inner.z);
    ghost.un = side * un;
    ghost.ut = outside.has_ut && un < (REAL)0 ? outside.ut : inner.ut;
    return ghost;
}

// The cell after the sweep. λ = Δt over its width; `push` times the width's cos φ on the sphere (y sweep).
// fastest: |un| + c is held to it, a bound that no run within the stability limit meets.
static FATHOM_HOST_DEVICE void POINT(fv_update)(struct POINT(fv_cell) cell, struct POINT(fv_flux) minus,
                                                struct POINT(fv_flux) plus, REAL push, REAL lambda,
                                                REAL fastest, REAL gravity, REAL minimum, REAL *w, REAL *un,
                                                REAL *ut)
{
    const REAL dh = -lambda * (plus.h - minus.h);
    const REAL dm = -lambda * (plus.minus - minus.plus + push);
    const REAL dt = -lambda * (plus.ut - minus.ut);
    const REAL h = FV_MAX((REAL)0, cell.h + dh);
    const REAL floor = cell.z < (REAL)0 ? cell.z : (REAL)0; // w of a cell without water
    *w = FV_MAX(floor, (cell.z < (REAL)0 ? cell.eta : cell.h) + dh);
    const int is_wet = h > minimum;
    const REAL inverse = FV_DIVIDE((REAL)1, h); // not taken if dry
    const REAL room = FV_MAX((REAL)0, fastest - FV_ROOT(gravity * h));
    const REAL u = MADD(MADD(-cell.un, dh, dm), inverse, cell.un);
    *un = is_wet ? FV_MAX(-room, FV_MIN(room, u)) : (REAL)0;
    *ut = is_wet ? MADD(MADD(-cell.ut, dh, dt), inverse, cell.ut) : (REAL)0;
}

// Manning's friction, implicit: 1 / (1 + Δt g n² |U| / h^(4/3)); `friction` = Δt g n². It stops, never
// reverses.
static FATHOM_HOST_DEVICE REAL POINT(fv_friction_factor)(REAL h, REAL u, REAL v, REAL friction, REAL minimum)
{
    const int is_wet = h > minimum;
    const REAL r = POINT(rcbrt)(is_wet ? h : (REAL)1), r2 = r * r;
    const REAL speed = FV_ROOT(u * u + v * v);
    return FV_DIVIDE((REAL)1, MADD(friction * speed, r2 * r2, (REAL)1));
}
