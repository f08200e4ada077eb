// The arithmetic at one cell and one face of the FAST versions of `muscl-hancock` (the processor's and the GPU's): the
// nonlinear shallow-water equations in finite volumes with a moving shoreline. The reference does not use it. Knows
// nothing of arrays, tiles or threads.
//
// Included once per precision with REAL (float or double) and POINT(name) (adds the precision's suffix) defined, after
// point.h. Compiled for host and device (core/host_device.h). No branch, so that it vectorises.
//
// Scheme, one sweep along one axis (un along it, ut across it; bottom z, depth h, surface η = h + z; Δt over the cell's
// width: λ): MUSCL–Hancock (van Leer 1984, SIAM J. Sci. Stat. Comput. 5(1), 1–20; Toro 2001, Shock-Capturing Methods for
// Free-Surface Shallow Flows, ch. 11) with limited slopes of η, un and ut, so that water at rest has none; hydrostatic
// reconstruction of the depths at a face (Audusse et al. 2004, SIAM J. Sci. Comput. 25(6), 2050–2065) on a bottom that is
// continuous across faces; HLL flux with the speeds of Toro (2001, §10.4). The pressure enters only through differences
// of η across a face and across a cell: at rest every increment is 0, bit for bit, and nothing large is subtracted from
// anything large. What leaves a cell through its two faces never exceeds what it holds: depths stay ≥ 0 and the mass is
// exact.
//
// Stored is w: η where the bottom lies below 0 (sea), h where it lies above (land): small numbers in both.

#include "core/host_device.h"

// A cell as a sweep sees it.
struct POINT(fv_cell) {
    REAL eta, h, un, ut, z;
};

// What a face sees of the cell beside it, half a step later.
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
    struct POINT(fv_cell) cell = {w + POINT(fv_max)(z, (REAL)0), w + POINT(fv_max)(-z, (REAL)0), un, ut, z};
    return cell;
}

// Van Leer's limited difference across a cell: the harmonic mean, 0 at extremes.
static FATHOM_HOST_DEVICE REAL POINT(fv_limit)(REAL a, REAL b)
{
    const REAL product = a * b, sum = a + b;
    const int same = product > (REAL)0;
    return same ? (REAL)2 * product / (same ? sum : (REAL)1) : (REAL)0;
}

// One face of a cell: the bottom there is the mean of both cells'; where the surface would lie below it or the depth pass
// twice the cell's, the bottom gives way, not the surface.
static FATHOM_HOST_DEVICE REAL POINT(fv_face_depth)(REAL eta, REAL h, REAL *z)
{
    REAL depth = eta - *z;
    const int is_low = depth<(REAL)0, is_high = depth>(REAL) 2 * h;
    depth = is_low ? (REAL)0 : is_high ? (REAL)2 * h : depth;
    *z = is_low || is_high ? eta - depth : *z;
    return depth;
}

// left, centre, right → the centre's faces half a step later. `half` = λ/2; `metric` = Δt tan φ / 2R in the y sweep on the
// sphere, else 0. A cell is wet if h > minimum. Beside a dry cell there are no slopes and no half step.
static FATHOM_HOST_DEVICE struct POINT(fv_faces)
    POINT(fv_faces_of)(struct POINT(fv_cell) left, struct POINT(fv_cell) centre, struct POINT(fv_cell) right,
                       REAL half, REAL metric, REAL gravity, REAL minimum)
{
    const int is_wet = centre.h > minimum, has_left = left.h > minimum, has_right = right.h > minimum;
    const int is_inner = is_wet && has_left && has_right, has_bed = is_wet && (has_left || has_right);
    const REAL deta = is_inner ? POINT(fv_limit)(centre.eta - left.eta, right.eta - centre.eta) : (REAL)0;
    const REAL dun = is_inner ? POINT(fv_limit)(centre.un - left.un, right.un - centre.un) : (REAL)0;
    const REAL dut = is_inner ? POINT(fv_limit)(centre.ut - left.ut, right.ut - centre.ut) : (REAL)0;
    struct POINT(fv_faces) f;
    f.minus.z = has_bed ? (REAL)0.5 * (centre.z + left.z) : centre.z;
    f.plus.z = has_bed ? (REAL)0.5 * (centre.z + right.z) : centre.z;
    REAL h_minus = POINT(fv_face_depth)(centre.eta - (REAL)0.5 * deta, centre.h, &f.minus.z);
    REAL h_plus = POINT(fv_face_depth)(centre.eta + (REAL)0.5 * deta, centre.h, &f.plus.z);
    const REAL step = is_inner ? half : (REAL)0;
    const REAL growth = (is_inner ? metric : (REAL)0) * centre.un * centre.h;
    const REAL eta =
        centre.eta -
        (step * (centre.un * (h_plus - h_minus) + (REAL)0.5 * (h_plus + h_minus) * dun) - growth);
    const REAL un = centre.un - step * (centre.un * dun + gravity * deta);
    const REAL ut = centre.ut - step * (centre.un * dut);
    h_minus = POINT(fv_max)((REAL)0, h_minus + (eta - centre.eta));
    h_plus = POINT(fv_max)((REAL)0, h_plus + (eta - centre.eta));
    f.minus.eta = is_wet ? eta - (REAL)0.5 * deta : centre.z;
    f.plus.eta = is_wet ? eta + (REAL)0.5 * deta : centre.z;
    f.minus.z = POINT(fv_min)(f.minus.z, f.minus.eta);
    f.plus.z = POINT(fv_min)(f.plus.z, f.plus.eta);
    f.minus.un = is_wet ? un - (REAL)0.5 * dun : (REAL)0;
    f.plus.un = is_wet ? un + (REAL)0.5 * dun : (REAL)0;
    f.minus.ut = is_wet ? ut - (REAL)0.5 * dut : (REAL)0;
    f.plus.ut = is_wet ? ut + (REAL)0.5 * dut : (REAL)0;
    f.push = gravity * (REAL)0.5 * (h_minus + h_plus) * deta;
    const REAL c = POINT(fv_sqrt)(gravity * POINT(fv_max)(centre.h, (REAL)0));
    const REAL froude = is_wet ? centre.un / (is_wet ? c : (REAL)1) : (REAL)0;
    f.froude = POINT(fv_max)((REAL)-1, POINT(fv_min)((REAL)1, froude));
    return f;
}

// The face between cells `left` and `right`; `from_left` is left's plus side, `from_right` right's minus side. held_*: h/λ
// of the cells, over the face's share of the width (cos φ of the face on the sphere, in the y sweep): what they can give.
static FATHOM_HOST_DEVICE struct POINT(fv_flux)
    POINT(fv_flux_of)(struct POINT(fv_side) from_left, struct POINT(fv_side) from_right, int is_left_wet,
                      int is_right_wet, REAL held_left, REAL held_right, REAL froude_left, REAL froude_right,
                      REAL gravity)
{
    const REAL z = POINT(fv_max)(from_left.z, from_right.z);
    const REAL hl = POINT(fv_max)((REAL)0, from_left.eta - z),
               hr = POINT(fv_max)((REAL)0, from_right.eta - z);
    const int has_left = hl > (REAL)0, has_right = hr > (REAL)0;
    const REAL dh = has_left && has_right ? from_right.eta - from_left.eta : hr - hl;
    const REAL ul = is_left_wet ? from_left.un : from_right.un;
    const REAL ur = is_right_wet ? from_right.un : from_left.un;
    const REAL cl = POINT(fv_sqrt)(gravity * hl), cr = POINT(fv_sqrt)(gravity * hr);
    const REAL u_star = (REAL)0.5 * (ul + ur) + (cl - cr);
    const REAL c_star = POINT(fv_max)((REAL)0, (REAL)0.5 * (cl + cr) + (REAL)0.25 * (ul - ur));
    REAL slowest = POINT(fv_min)(ul - cl, u_star - c_star), fastest = POINT(fv_max)(ur + cr, u_star + c_star);
    slowest = !has_left ? ur - (REAL)2 * cr : !has_right ? ul - cl : slowest;
    fastest = !has_left ? ur + cr : !has_right ? ul + (REAL)2 * cl : fastest;
    slowest = POINT(fv_min)(slowest, (REAL)0);
    fastest = POINT(fv_max)(fastest, (REAL)0);
    const REAL span = fastest - slowest;
    const REAL share = span > (REAL)0 ? (REAL)1 / (span > (REAL)0 ? span : (REAL)1) : (REAL)0;
    const REAL ql = hl * ul, qr = hr * ur, pressure = (REAL)0.5 * gravity * dh * (hl + hr);
    const REAL product = slowest * fastest;
    struct POINT(fv_flux) flux;
    flux.h = (fastest * ql - slowest * qr + product * dh) * share;
    flux.minus = (fastest * ql * ul - slowest * qr * ur - slowest * pressure + product * (qr - ql)) * share;
    // No more than the giving cell has for this face; the shares of its two faces are 1 together.
    const int is_forth = flux.h > (REAL)0;
    const REAL most =
        (REAL)0.5 * (is_forth ? ((REAL)1 + froude_left) * held_left : ((REAL)1 - froude_right) * held_right);
    const REAL size = is_forth ? flux.h : -flux.h;
    const int is_capped = size > most;
    const REAL kept = is_capped ? (is_forth ? most : -most) : flux.h;
    flux.minus -= (flux.h - kept) * (is_forth ? ul : ur);
    flux.h = kept;
    flux.plus = flux.minus - pressure;
    flux.ut = flux.h * (is_forth && is_left_wet ? from_left.ut : from_right.ut);
    return flux;
}

// What lies beyond an edge of the domain. `inner` is the cell on the edge; `side` +1 if the outside lies to plus, −1 to
// minus. A wall where the edge is one, or the cell is dry or land: the mirror image of `mirrored` (the cell itself, or for
// the second cell beyond, the one before it). Else the invariant that comes in, un ∓ 2e seen outwards (0: still water
// outside, the wave leaves), meets the one that goes out; with `is_elevation_alone` η is `eta_in` and only the velocity
// follows. e = g η/(c + c0) = c − c0.
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
    const REAL c0 = POINT(fv_sqrt)(gravity * -inner.z), c = POINT(fv_sqrt)(gravity * inner.h);
    const REAL out = side * inner.un + (REAL)2 * gravity * inner.eta / (c + c0);
    const REAL depth = POINT(fv_max)((REAL)0, outside.eta - inner.z);
    const REAL given = gravity * outside.eta / (POINT(fv_sqrt)(gravity * depth) + c0);
    const REAL in = side * outside.un - (REAL)2 * given;
    const REAL e = outside.is_elevation_alone ? given : (REAL)0.25 * (out - in);
    const REAL un = outside.is_elevation_alone ? out - (REAL)2 * given : (REAL)0.5 * (out + in);
    struct POINT(fv_cell) ghost = inner;
    ghost.eta = e * ((REAL)2 * c0 + e) / gravity;
    ghost.h = POINT(fv_max)((REAL)0, ghost.eta - inner.z);
    ghost.un = side * un;
    ghost.ut = outside.has_ut && un < (REAL)0 ? outside.ut : inner.ut;
    return ghost;
}

// The cell after the sweep. λ = Δt over its width; `push` times the width's cos φ on the sphere (y sweep). fastest: |un|
// + c is held to it, a bound that no run within the stability limit meets.
static FATHOM_HOST_DEVICE void POINT(fv_update)(struct POINT(fv_cell) cell, struct POINT(fv_flux) minus,
                                                struct POINT(fv_flux) plus, REAL push, REAL lambda,
                                                REAL fastest, REAL gravity, REAL minimum, REAL *w, REAL *un,
                                                REAL *ut)
{
    const REAL dh = -lambda * (plus.h - minus.h);
    const REAL dm = -lambda * (plus.minus - minus.plus + push);
    const REAL dt = -lambda * (plus.ut - minus.ut);
    const REAL h = POINT(fv_max)((REAL)0, cell.h + dh);
    const REAL floor = cell.z < (REAL)0 ? cell.z : (REAL)0; // w of a cell without water
    *w = POINT(fv_max)(floor, (cell.z < (REAL)0 ? cell.eta : cell.h) + dh);
    const int is_wet = h > minimum;
    const REAL inverse = (REAL)1 / (is_wet ? h : (REAL)1);
    const REAL room = POINT(fv_max)((REAL)0, fastest - POINT(fv_sqrt)(gravity * h));
    const REAL u = cell.un + (dm - cell.un * dh) * inverse;
    *un = is_wet ? POINT(fv_max)(-room, POINT(fv_min)(room, u)) : (REAL)0;
    *ut = is_wet ? cell.ut + (dt - cell.ut * dh) * inverse : (REAL)0;
}

// Manning's friction, implicit: 1 / (1 + Δt g n² |U| / h^(4/3)); `friction` = Δt g n². It stops, never reverses.
static FATHOM_HOST_DEVICE REAL POINT(fv_friction_factor)(REAL h, REAL u, REAL v, REAL friction, REAL minimum)
{
    const int is_wet = h > minimum;
    const REAL r = POINT(rcbrt)(is_wet ? h : (REAL)1), r2 = r * r;
    const REAL speed = POINT(fv_sqrt)(u * u + v * v);
    return (REAL)1 / (friction * speed * (r2 * r2) + (REAL)1);
}
