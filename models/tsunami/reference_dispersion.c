// Weak dispersion in the serial reference of `muscl-hancock` (physics.dispersion): double, plain, written
// from the equations of docs/runup.md. THE SPECIFICATION of it: the fast versions are tested against it and
// share no arithmetic with it.
//
// The momentum of Serre (1953) and of Green & Naghdi (1976, J. Fluid Mech. 78, 237–246) over a bottom whose
// own part is that of a plane slope in linear waves, where it is Peregrine's (1967, J. Fluid Mech. 27,
// 815–827):
//   u_t = R + ∇ψ/h,   ψ = a (D_t + u·∇D − D²),   D = ∇·u,   a = h³/3,
// R being all that the step does without it. Over a step, with Δ* its increments without and Δ with
// dispersion and with q = a Δt (u·∇D − D²):  T Δ = Δ* + ∇q/h,  T = 1 − (1/h) ∇ a ∇·. T couples both
// velocities; it is solved by one symmetric sweep of Gauss–Seidel over them, each by line solves S_x = (1 − a
// ∂x (1/h) ∂x)⁻¹ and S_y:
//   φ = S_x(a ∂xΔ*u + q),  ψ_y = S_y(a ∂yΔ*v + φ),  ψ_x = S_x(a ∂xΔ*u + q + ψ_y − φ),   Δ = Δ* + (∂xψ_x,
//     ∂yψ_y)/h,
// in odd steps with x and y exchanged. Along an axis that is exact; at an angle it departs from T by the
// square of what T adds to 1, as much as the equations leave out. It is a symmetric operator between 0 and
// T⁻¹, and T⁻¹ ≤ 1, whatever the depths: no bottom makes an increment grow. (Solving for both at once by two
// factors, (1 − a∂x(1/h)∂x)(1 − a∂y(1/h)∂y), has no such bound: on cliffs in fine grids waves grew.)
//
// The water's way of this step was made with R alone, half of Δt R too far; half of Δt (∂xψ_x, ∂yψ_y) is
// given back from cell to cell, so that the step stays of second order and no short wave is damped by it.
#include "models/tsunami/reference.h"

#include <math.h>
#include <string.h>

// Where η is higher than this above the still depth waves break and become bores (Tonelli & Petti 2009,
// Coastal Eng. 56, 609–620); from the lower share on the dispersion fades.
static const double breaking_share = 0.8, fading_share = 0.6;
// A face is wholly open if the water on one side is at least this share as deep as on the other. Between deep
// water and a film on a cliff's top it is almost shut, as if the top were dry: the film's velocity is not
// that of the water before it.
static const double least_ratio = 0.25;
// Of the less water of both sides, the most that is given back through a face; a cell has four.
static const double most_given_back = 0.125;

// Row of a system of equations along a line: before x_(k−1) + here x_k + after x_(k+1) = value, and during
// the solution its coefficient of the last unknown, `far` (periodic lines).
struct reference_dispersion_line {
    double before, here, after, far, value;
};

enum status reference_plan_dispersion(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t nx = s->setup.geometry->nx, ny = s->setup.geometry->ny;
    const struct reference_array arrays[] = {{&s->u_before, "u before"},   {&s->v_before, "v before"},
                                             {&s->psi[0], "dispersion x"}, {&s->psi[1], "dispersion y"},
                                             {&s->phi, "dispersion phi"},  {&s->divergence, "divergence"}};
    CHECK(reference_plan_arrays(s, plan, prefix, arrays, sizeof arrays / sizeof *arrays));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, nx > ny ? nx : ny, sizeof *s->dispersion_line,
                           (void **)&s->dispersion_line, "%sreference dispersion line", prefix);
}

void reference_begin_dispersion(struct solver *s)
{
    memcpy(s->u_before, s->u, s->rows * s->pitch * sizeof *s->u);
    memcpy(s->v_before, s->v, s->rows * s->pitch * sizeof *s->v);
}

// ---- cells and faces ----

static bool is_wet(const struct solver *s, size_t k)
{
    return reference_depth(s, k) > s->setup.physics->minimum_depth_m;
}

// Along an axis, true lengths.
static double length_m(const struct tsunami_geometry *g, ptrdiff_t i, ptrdiff_t j, bool along_x)
{
    return along_x ? 0.5 * (g->x_distance_m[i - 1] + g->x_distance_m[i]) * g->cos_latitude[j]
                   : 0.5 * (g->y_distance_m[j - 1] + g->y_distance_m[j]);
}

// A cell's face towards a side of the domain. Its width, and the cell's cross-section, are over those at the
// equator (1 along x, whose lengths are true ones).
struct face {
    enum {
        FACE_OPEN,
        FACE_SHUT,
        FACE_OUTER
    } kind;                    // shut: a wall, or dry beyond; outer: an edge with water beyond
    size_t beyond;             // the cell there, if open
    double opening;            // share of it that is open
    double whole, width;       // of all of it; of that share
    double length_m, beyond_m; // beyond_m: the other cell's; both times their cross-section
};

// Whether a cell's side is the domain's, and neither closed nor periodic.
static bool is_outer(const struct tsunami_geometry *g, ptrdiff_t i, ptrdiff_t j, enum tsunami_side side)
{
    const bool is_at_edge =
        (side == TSUNAMI_WEST && i == 0) || (side == TSUNAMI_EAST && i == (ptrdiff_t)g->nx - 1) ||
        (side == TSUNAMI_SOUTH && j == 0) || (side == TSUNAMI_NORTH && j == (ptrdiff_t)g->ny - 1);
    return is_at_edge && g->edges[side] != TSUNAMI_EDGE_WALL && g->edges[side] != TSUNAMI_EDGE_PERIODIC;
}

static struct face face_of(const struct solver *s, ptrdiff_t i, ptrdiff_t j, enum tsunami_side side)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const bool along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    const ptrdiff_t forth = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? 1 : -1;
    const ptrdiff_t count = (ptrdiff_t)(along_x ? g->nx : g->ny), place = (along_x ? i : j) + forth;
    const double whole = along_x ? 1 : reference_face_cosine(g, forth > 0 ? j + 1 : j);
    struct face f = {.kind = FACE_OPEN,
                     .opening = 1,
                     .whole = whole,
                     .width = whole,
                     .length_m = length_m(g, i, j, along_x) * (along_x ? 1 : g->cos_latitude[j])};
    if ((place < 0 || place >= count) && g->edges[side] != TSUNAMI_EDGE_PERIODIC) {
        f.kind = is_outer(g, i, j, side) ? FACE_OUTER : FACE_SHUT;
        return f;
    }
    const ptrdiff_t there = (place + count) % count;
    const ptrdiff_t column = along_x ? there : i, row = along_x ? j : there;
    f.beyond = reference_at(s, column, row);
    f.beyond_m = length_m(g, column, row, along_x) * (along_x ? 1 : g->cos_latitude[row]);
    const size_t k = reference_at(s, i, j);
    if (!is_wet(s, k) || !is_wet(s, f.beyond)) {
        f.kind = FACE_SHUT;
        return f;
    }
    const double h = reference_depth(s, k), h_beyond = reference_depth(s, f.beyond);
    f.opening = fmin(1, fmin(h, h_beyond) / (least_ratio * fmax(h, h_beyond)));
    f.width *= f.opening;
    return f;
}

static bool is_at_outer_edge(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (is_outer(s->setup.geometry, i, j, (enum tsunami_side)side))
            return true;
    return false;
}

// a of a cell: 0 on land, in dry cells, in breaking waves, and beside water outside, which has no dispersion.
static double strength(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const size_t k = reference_at(s, i, j);
    const double d = -s->z[k], h = reference_depth(s, k);
    if (!is_wet(s, k) || !(d > 0) || is_at_outer_edge(s, i, j))
        return 0;
    const double share = (breaking_share - s->w[k] / d) / (breaking_share - fading_share);
    return fmax(0, fmin(1, share)) * h * h * h / 3;
}

// Shares of the velocities at the end and at the start of a step.
struct blend {
    double now, before;
};
static const struct blend middle = {0.5, 0.5}, increment = {1, -1};

static double blended(const struct solver *s, struct blend b, bool along_x, size_t k)
{
    return along_x ? b.now * s->u[k] + b.before * s->u_before[k]
                   : b.now * s->v[k] + b.before * s->v_before[k];
}

// Velocity through a wet cell's face, towards plus, times the face's width.
static double through(const struct solver *s, const struct face *f, struct blend b, bool along_x, size_t k)
{
    if (f->kind == FACE_SHUT)
        return 0;
    const double here = blended(s, b, along_x, k);
    return f->width * (f->kind == FACE_OUTER ? here : 0.5 * (here + blended(s, b, along_x, f->beyond)));
}

// The part of ∇· of velocities in a wet cell that is along an axis.
static double divergence(const struct solver *s, ptrdiff_t i, ptrdiff_t j, struct blend b, bool along_x)
{
    const size_t k = reference_at(s, i, j);
    const struct face minus = face_of(s, i, j, along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH);
    const struct face plus = face_of(s, i, j, along_x ? TSUNAMI_EAST : TSUNAMI_NORTH);
    return (through(s, &plus, b, along_x, k) - through(s, &minus, b, along_x, k)) / plus.length_m;
}

// ---- the right side ----

// Rise of D towards the cell beyond a face, as far as the face is open.
static double rise_of_divergence(const struct solver *s, const struct face *f, size_t k)
{
    return f->kind == FACE_OPEN ? f->opening * (s->divergence[f->beyond] - s->divergence[k]) : 0;
}

// ∂D/∂ along an axis.
static double slope_of_divergence(const struct solver *s, ptrdiff_t i, ptrdiff_t j, bool along_x)
{
    const size_t k = reference_at(s, i, j);
    const struct face minus = face_of(s, i, j, along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH);
    const struct face plus = face_of(s, i, j, along_x ? TSUNAMI_EAST : TSUNAMI_NORTH);
    return 0.5 * (rise_of_divergence(s, &plus, k) - rise_of_divergence(s, &minus, k)) /
           length_m(s->setup.geometry, i, j, along_x);
}

// psi becomes a times the divergence along either axis of the increments; that of the axis taken first with
// q.
static void find_right_sides(struct solver *s, int first)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const size_t k = reference_at(s, i, j);
            s->divergence[k] =
                is_wet(s, k) ? divergence(s, i, j, middle, true) + divergence(s, i, j, middle, false) : 0;
        }
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const size_t k = reference_at(s, i, j);
            const double a = strength(s, i, j), D = s->divergence[k];
            s->psi[0][k] = s->psi[1][k] = 0;
            if (!(a > 0))
                continue;
            const double carried = blended(s, middle, true, k) * slope_of_divergence(s, i, j, true) +
                                   blended(s, middle, false, k) * slope_of_divergence(s, i, j, false);
            s->psi[0][k] = a * divergence(s, i, j, increment, true);
            s->psi[1][k] = a * divergence(s, i, j, increment, false);
            s->psi[first][k] += a * s->setup.step_s * (carried - D * D);
        }
}

// ---- lines ----

// Coefficient of ψ of the cell beyond in the cell's equation: width² times the mean over both cells of 1/(h
// length). It bounds the gradients in the cells (below) at any depths, so that no wave grows by them.
static double coupling(const struct solver *s, const struct face *f, size_t k)
{
    if (f->kind != FACE_OPEN)
        return 0;
    return f->width * f->width * 0.5 *
           (1 / (reference_depth(s, k) * f->length_m) + 1 / (reference_depth(s, f->beyond) * f->beyond_m));
}

// Gauss's elimination of a tridiagonal system; `is_periodic`: the first and the last row have each other as
// neighbours. Then the last unknown is carried along, and found at the end.
static void solve(struct reference_dispersion_line *row, size_t count, bool is_periodic)
{
    const size_t n = is_periodic ? count - 1 : count;
    struct reference_dispersion_line *last = &row[count - 1];
    for (size_t k = 0; k < n; k++)
        row[k].far = 0;
    if (is_periodic) {
        row[0].far = row[0].before;
        row[n - 1].far += row[n - 1].after;
    }
    for (size_t k = 1; k < n; k++) {
        const double factor = row[k].before / row[k - 1].here;
        row[k].here -= factor * row[k - 1].after;
        row[k].value -= factor * row[k - 1].value;
        row[k].far -= factor * row[k - 1].far;
    }
    for (size_t k = n; k-- > 0;) {
        if (k + 1 < n) {
            row[k].value -= row[k].after * row[k + 1].value;
            row[k].far -= row[k].after * row[k + 1].far;
        }
        row[k].value /= row[k].here;
        row[k].far /= row[k].here;
    }
    if (!is_periodic)
        return;
    last->value = (last->value - last->after * row[0].value - last->before * row[n - 1].value) /
                  (last->here - last->after * row[0].far - last->before * row[n - 1].far);
    for (size_t k = 0; k < n; k++)
        row[k].value -= row[k].far * last->value;
}

// S_x or S_y of a field, along one line of the grid.
static void solve_line(struct solver *s, double *field, bool along_x, ptrdiff_t number)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const size_t count = along_x ? g->nx : g->ny;
    for (size_t place = 0; place < count; place++) {
        const ptrdiff_t i = along_x ? (ptrdiff_t)place : number, j = along_x ? number : (ptrdiff_t)place;
        const size_t k = reference_at(s, i, j);
        const double a = strength(s, i, j);
        struct reference_dispersion_line *row = &s->dispersion_line[place];
        *row = (struct reference_dispersion_line){.here = 1, .value = field[k]};
        if (!(a > 0))
            continue;
        const struct face minus = face_of(s, i, j, along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH);
        const struct face plus = face_of(s, i, j, along_x ? TSUNAMI_EAST : TSUNAMI_NORTH);
        row->before = -a * coupling(s, &minus, k) / minus.length_m;
        row->after = -a * coupling(s, &plus, k) / plus.length_m;
        row->here = 1 - row->before - row->after;
    }
    solve(s->dispersion_line, count,
          g->edges[along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC);
    for (size_t place = 0; place < count; place++)
        field[along_x ? reference_at(s, (ptrdiff_t)place, number)
                      : reference_at(s, number, (ptrdiff_t)place)] = s->dispersion_line[place].value;
}

static void solve_lines(struct solver *s, double *field, int axis)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (size_t number = 0; number < (axis == 0 ? g->ny : g->nx); number++)
        solve_line(s, field, axis == 0, (ptrdiff_t)number);
}

// From the right sides to ψ_x and ψ_y.
static void solve_both(struct solver *s, int first)
{
    const size_t all = s->rows * s->pitch;
    double *of_first = s->psi[first], *of_other = s->psi[1 - first], *phi = s->phi;
    memcpy(phi, of_first, all * sizeof *phi);
    solve_lines(s, phi, first);
    for (size_t k = 0; k < all; k++)
        of_other[k] += phi[k];
    solve_lines(s, of_other, 1 - first);
    for (size_t k = 0; k < all; k++)
        of_first[k] += of_other[k] - phi[k];
    solve_lines(s, of_first, first);
}

// ---- what it does ----

// Towards the cell beyond, in ψ's unit: the face's width times what ψ rises.
static double rise(const struct face *f, const double *psi, size_t k)
{
    return f->kind == FACE_OPEN ? f->width * (psi[f->beyond] - psi[k]) : 0;
}

// Volume (over the cross axis' length) that flows out of the cell through the face: half of h Δu, limited by
// either side's water.
static double given_back(const struct solver *s, const struct face *f, const double *psi, size_t k)
{
    if (f->kind != FACE_OPEN)
        return 0;
    // The lengths hold the cross-section too: the whole width takes it out.
    const double slope = f->whole * rise(f, psi, k) / (0.5 * (f->length_m + f->beyond_m));
    const double out = 0.5 * s->setup.step_s * slope;
    const double most = most_given_back * fmin(reference_depth(s, k) * f->length_m,
                                               reference_depth(s, f->beyond) * f->beyond_m);
    return fmax(-most, fmin(most, out));
}

// Updates the velocities; the change of the depth goes into `divergence`, because neighbours still need the
// old depth.
static void apply(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const size_t k = reference_at(s, i, j);
    s->divergence[k] = 0;
    if (!is_wet(s, k))
        return;
    const struct face west = face_of(s, i, j, TSUNAMI_WEST), east = face_of(s, i, j, TSUNAMI_EAST);
    const struct face south = face_of(s, i, j, TSUNAMI_SOUTH), north = face_of(s, i, j, TSUNAMI_NORTH);
    const double h = reference_depth(s, k), *psi_x = s->psi[0], *psi_y = s->psi[1];
    s->u[k] += 0.5 * (rise(&east, psi_x, k) - rise(&west, psi_x, k)) / (east.length_m * h);
    s->v[k] += 0.5 * (rise(&north, psi_y, k) - rise(&south, psi_y, k)) / (north.length_m * h);
    s->divergence[k] = -(given_back(s, &east, psi_x, k) + given_back(s, &west, psi_x, k)) / east.length_m -
                       (given_back(s, &north, psi_y, k) + given_back(s, &south, psi_y, k)) / north.length_m;
}

void reference_disperse(struct solver *s, bool is_reversed)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    find_right_sides(s, is_reversed ? 1 : 0);
    solve_both(s, is_reversed ? 1 : 0);
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++)
            apply(s, i, j);
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++)
            s->w[reference_at(s, i, j)] += s->divergence[reference_at(s, i, j)];
}
