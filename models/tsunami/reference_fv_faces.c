// The serial reference of `muscl-hancock`: slopes, half a step in a cell, and the flux through a face
// (reference_fv.h). Written from the equations of docs/runup.md; shares no arithmetic with fv_point.inc.
#include "models/tsunami/reference_fv.h"

#include <math.h>

// ---- one cell ----

// The differences across a cell of one quantity that its two faces see.
struct slopes {
    double minus, plus;
};

// The slope `wanted`, of the sign of both differences and no larger than twice the smaller one; at an extreme
// 0.
static double bounded(double wanted, double before, double after)
{
    if (!(before * after > 0))
        return 0;
    return copysign(fmin(fabs(wanted), 2 * fmin(fabs(before), fabs(after))), before);
}

// `smoothness`: 1 where the slopes of the third order need no limit, 0 where they do.
static struct slopes limited(double before, double after, enum tsunami_limiter limiter, double smoothness)
{
    struct slopes s = {0, 0};
    if (limiter == TSUNAMI_VAN_LEER && before * after > 0) // the harmonic mean
        s.minus = s.plus = 2 * before * after / (before + after);
    if (limiter == TSUNAMI_MC)
        s.minus = s.plus = bounded((before + after) / 2, before, after);
    if (limiter == TSUNAMI_THIRD_ORDER) {
        const double minus = (2 * before + after) / 3, plus = (before + 2 * after) / 3;
        s.minus = smoothness * minus + (1 - smoothness) * bounded(minus, before, after);
        s.plus = smoothness * plus + (1 - smoothness) * bounded(plus, before, after);
    }
    return s;
}

static double larger_square(double a, double b)
{
    return fmax(a * a, b * b);
}

// 1 where all differences to both neighbours are small beside the depth (velocities: beside the celerity),
// 0 where one is large, from 0.9 to 0.1 around 1/100 by a factor of 1.7.
static double smoothness_of(struct cell left, struct cell cell, struct cell right, double gravity)
{
    const double share = 0.01, h = cell.h;
    const double eta = larger_square(cell.eta - left.eta, right.eta - cell.eta) / (h * h);
    const double un = larger_square(cell.un - left.un, right.un - cell.un) / (gravity * h);
    const double ut = larger_square(cell.ut - left.ut, right.ut - cell.ut) / (gravity * h);
    const double size = (eta + un + ut) / (share * share);
    return 1 / (1 + size * size);
}

// The depth at a face of a cell with the surface `eta` there. The bottom is the mean of both cells'; where
// the surface lies below it, or the depth would pass twice the cell's, the bottom gives way, not the surface.
static double depth_at_face(double eta, double h, double *z)
{
    const double depth = fmin(fmax(eta - *z, 0), 2 * h);
    if (depth != eta - *z)
        *z = eta - depth;
    return depth;
}

static double froude_of(struct cell cell, double gravity)
{
    return cell.is_wet ? fmax(-1, fmin(1, cell.un / sqrt(gravity * cell.h))) : 0;
}

struct side reference_fv_level_side(struct cell cell, const struct extent *x)
{
    return (struct side){.eta = cell.eta,
                         .z = fmin(cell.z, cell.eta),
                         .un = cell.is_wet ? cell.un : 0,
                         .ut = cell.is_wet ? cell.ut : 0,
                         .is_wet = cell.is_wet,
                         .held = cell.h * x->cosine * x->width_m / x->dt,
                         .froude = froude_of(cell, x->gravity)};
}

// What a cell has towards one of its faces: its direction, the slopes that it sees, the bottom there.
struct at_face {
    double direction, deta, dun, dut, z;
};

// One side of a cell half a step later, in the primitive variables; returns how far the surface rises.
//   η_t = −(h un)_s + h un tan φ/R, un_t = −un un_s − g η_s, ut_t = −un ut_s
static double half_step(struct cell cell, double h_minus, double h_plus, struct at_face face,
                        const struct extent *x, struct side *side)
{
    const double half = 0.5 * x->dt / x->width_m, out = 0.5 * face.direction;
    const double rise = -half * (cell.un * (h_plus - h_minus) + 0.5 * (h_plus + h_minus) * face.dun) +
                        0.5 * x->dt * x->metric_per_m * cell.un * cell.h;
    *side = reference_fv_level_side(cell, x);
    side->eta = cell.eta + rise + out * face.deta;
    side->z = fmin(face.z, side->eta);
    side->un = cell.un - half * (cell.un * face.dun + x->gravity * face.deta) + out * face.dun;
    side->ut = cell.ut - half * cell.un * face.dut + out * face.dut;
    return rise;
}

// A wet cell between wet ones: slopes, and half a step.
static struct faces sloped_faces(struct cell left, struct cell cell, struct cell right, double z_minus,
                                 double z_plus, const struct extent *x)
{
    const enum tsunami_limiter limiter = x->limiter;
    const double smoothness = smoothness_of(left, cell, right, x->gravity);
    const struct slopes deta = limited(cell.eta - left.eta, right.eta - cell.eta, limiter, smoothness);
    const struct slopes dun = limited(cell.un - left.un, right.un - cell.un, limiter, smoothness);
    const struct slopes dut = limited(cell.ut - left.ut, right.ut - cell.ut, limiter, smoothness);
    const double h_minus = depth_at_face(cell.eta - 0.5 * deta.minus, cell.h, &z_minus);
    const double h_plus = depth_at_face(cell.eta + 0.5 * deta.plus, cell.h, &z_plus);
    const struct at_face minus = {-1, deta.minus, dun.minus, dut.minus, z_minus};
    const struct at_face plus = {1, deta.plus, dun.plus, dut.plus, z_plus};
    struct faces f;
    const double rise_minus = half_step(cell, h_minus, h_plus, minus, x, &f.minus);
    const double rise_plus = half_step(cell, h_minus, h_plus, plus, x, &f.plus);
    // Across the cell, half a step later: the mean depth times the difference of the surface.
    f.push = x->gravity * 0.5 * (fmax(0, h_minus + rise_minus) + fmax(0, h_plus + rise_plus)) *
             (0.5 * (deta.minus + deta.plus) + (rise_plus - rise_minus));
    return f;
}

// A cell with dry ones beside it, or dry.
static struct faces level_faces(struct cell left, struct cell cell, struct cell right, const struct extent *x)
{
    struct faces f = {.minus = reference_fv_level_side(cell, x)};
    f.plus = f.minus;
    if (cell.is_wet && (left.is_wet || right.is_wet)) { // on the shore
        f.minus.z = 0.5 * (left.z + cell.z);
        f.plus.z = 0.5 * (cell.z + right.z);
        depth_at_face(cell.eta, cell.h, &f.minus.z);
        depth_at_face(cell.eta, cell.h, &f.plus.z);
    }
    return f;
}

// How far the neighbour's ground stands above the water's surface, which if it rises towards the neighbour
// rises on as it comes from the cell on the other side.
static double ground_above(struct cell neighbour, struct cell cell, struct cell opposite)
{
    const double further = fmax(0, cell.eta - opposite.eta);
    return neighbour.z - (cell.eta + further);
}

// A flow against ground that it cannot climb is pressed back as by its mirror image, with ρ c un (over ρ; c²
// = g h) times the depth. Of that acts d/(d + 8 un²/2g), d the ground's height, un²/2g the head of the flow.
static double push_of_ground(struct cell left, struct cell cell, struct cell right, double gravity)
{
    const double height = fmax(ground_above(left, cell, right), ground_above(right, cell, left));
    if (!cell.is_wet || height <= 0)
        return 0;
    const double celerity = sqrt(gravity * cell.h), head = cell.un * cell.un / (2 * gravity);
    return height / (height + 8 * head) * celerity * cell.h * celerity * froude_of(cell, gravity);
}

struct faces reference_fv_faces_of(struct cell left, struct cell cell, struct cell right,
                                   const struct extent *x)
{
    const bool is_inner = cell.is_wet && left.is_wet && right.is_wet;
    struct faces f =
        is_inner ? sloped_faces(left, cell, right, 0.5 * (left.z + cell.z), 0.5 * (cell.z + right.z), x)
                 : level_faces(left, cell, right, x);
    f.push += push_of_ground(left, cell, right, x->gravity);
    return f;
}

// ---- one face ----

// The slowest and the fastest wave of the Riemann problem (Toro 2001, §10.4); one that enters dry ground runs
// at u ± 2c.
static void wave_speeds(double hl, double hr, double ul, double ur, double gravity, double *slowest,
                        double *fastest)
{
    const double cl = sqrt(gravity * hl), cr = sqrt(gravity * hr);
    if (hl <= 0) {
        *slowest = ur - 2 * cr;
        *fastest = ur + cr;
    } else if (hr <= 0) {
        *slowest = ul - cl;
        *fastest = ul + 2 * cl;
    } else {
        const double u_star = 0.5 * (ul + ur) + cl - cr;
        const double c_star = fmax(0, 0.5 * (cl + cr) + 0.25 * (ul - ur));
        *slowest = fmin(ul - cl, u_star - c_star);
        *fastest = fmax(ur + cr, u_star + c_star);
    }
    *slowest = fmin(*slowest, 0);
    *fastest = fmax(*fastest, 0);
}

// The share of HLL's dissipation that acts. Slopes of the third order leave jumps that are small beside a
// hundredth of the depth (velocities: of the celerity) where the flow is smooth; 0.7 is enough there.
static double dissipation_of(struct side l, struct side r, double hl, double hr, double dh,
                             const struct extent *x)
{
    const double share = 0.01, h = 0.5 * (hl + hr), du = r.un - l.un;
    if (x->limiter != TSUNAMI_THIRD_ORDER || !l.is_wet || !r.is_wet)
        return 1;
    const double size = (dh * dh / (h * h) + du * du / (x->gravity * h)) / (share * share);
    return 1 - 0.3 / (1 + size * size);
}

struct flux reference_fv_flux_between(struct side l, struct side r, double share, const struct extent *x)
{
    const double gravity = x->gravity;
    const double z = fmax(l.z, r.z), hl = fmax(0, l.eta - z), hr = fmax(0, r.eta - z);
    if ((!l.is_wet && !r.is_wet) || (hl <= 0 && hr <= 0))
        return (struct flux){0};
    // Beside a dry cell the water's own velocity is on both sides.
    const double ul = l.is_wet ? l.un : r.un, ur = r.is_wet ? r.un : l.un;
    double slowest, fastest;
    wave_speeds(hl, hr, ul, ur, gravity, &slowest, &fastest);
    if (!(fastest > slowest))
        return (struct flux){0};
    // h_right − h_left, from the surfaces where there is water on both sides: 0 at rest
    const double dh = hl > 0 && hr > 0 ? r.eta - l.eta : hr - hl;
    const double ql = hl * ul, qr = hr * ur, span = fastest - slowest;
    const double pressure = 0.5 * gravity * dh * (hl + hr); // ½g(h_right² − h_left²)
    const double damping = dissipation_of(l, r, hl, hr, dh, x) * slowest * fastest;
    struct flux f;
    f.h = (fastest * ql - slowest * qr + damping * dh) / span;
    f.of_minus = (fastest * ql * ul - slowest * qr * ur - slowest * pressure + damping * (qr - ql)) / span;
    // No more than the giving cell holds, divided between its two faces by the direction of its flow, half
    // each at rest.
    const bool is_forth = f.h > 0;
    const double most =
        0.5 * (is_forth ? (1 + l.froude) * l.held : (1 - r.froude) * r.held) / (share > 0 ? share : 1);
    const double kept = fabs(f.h) > most ? copysign(most, f.h) : f.h;
    f.of_minus -= (f.h - kept) * (is_forth ? ul : ur);
    f.of_plus = f.of_minus - pressure;
    f.h = kept;
    f.ut = kept * (is_forth ? (l.is_wet ? l.ut : r.ut) : r.is_wet ? r.ut : l.ut);
    f.h *= share;
    f.of_minus *= share;
    f.of_plus *= share;
    f.ut *= share;
    return f;
}
