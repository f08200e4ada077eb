// A step of the serial reference of `c-grid-6`: double, plain, whole arrays one after the other. THE
// SPECIFICATION of the method; see docs/c-grid.md for its equations. Elevations at time n, velocities at n −
// 1/2:
//   1. u at time n, of second order, for the terms that need it;
//   2. u += Δt (−∇P + (ζ + f)/d × mean(d v)), P = g(η + Δt²/12 ∇·(g d ∇η)) + ½(mean u² + mean v²);
//   3. η −= Δt ∇·((d + η) u), η at time n + 1/2.
// Differences are of order 6. The correction by Δt²/12 (modified equation: Shubin & Bell 1987, SIAM J. Sci.
// Stat. Comput. 8, 135–151) makes linear waves of order 4 in time. Means and differences along the same line
// are each other's adjoints, so that neither pressure nor rotation does work (Sadourny 1975, J. Atmos. Sci.
// 32, 680–689). Coasts are walls: η is even and the flux odd about the closed face. Open edges are walls
// through which a flux passes.
#include "models/tsunami/reference_c_grid.h"

#include <math.h>

// Dissipation at the faces, of the fifth and (where the surface is not smooth) of the first difference of η:
// with this many times |u|. A simple wave of height η runs faster by u + c' − c ≈ 1.5 u, so that waves of the
// deep ocean keep their energy, and bores on a shelf do not ring.
static const double dissipation_share = 1.5;
// The least depth of a draw-down, as a share of the still depth: of fluxes, and of the water at a node, to
// which what is missing is added.
static const double least_share = 0.05;

// ---- beyond the domain

// Periodic edges bring the other side's values; the surface beyond other edges is that of the edge.
void reference_c_grid_fill_halo(const struct solver *s, double *f, bool is_surface)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    const bool x_periodic = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC,
               y_periodic = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    const ptrdiff_t halo = C_GRID_HALO;
    for (ptrdiff_t j = -halo; j < ny + halo; j++)
        for (ptrdiff_t k = 1; k <= halo && (x_periodic || (is_surface && k == 1)); k++) {
            f[at(s, -k, j)] = f[at(s, x_periodic ? (nx * halo - k) % nx : 0, j)];
            f[at(s, nx - 1 + k, j)] = f[at(s, x_periodic ? (k - 1) % nx : nx - 1, j)];
        }
    for (ptrdiff_t i = -halo; i < nx + halo; i++)
        for (ptrdiff_t k = 1; k <= halo && (y_periodic || (is_surface && k == 1)); k++) {
            f[at(s, i, -k)] = f[at(s, i, y_periodic ? (ny * halo - k) % ny : 0)];
            f[at(s, i, ny - 1 + k)] = f[at(s, i, y_periodic ? (k - 1) % ny : ny - 1)];
        }
}

void reference_c_grid_fill_halos(const struct solver *s)
{
    reference_c_grid_fill_halo(s, s->c.eta, true);
    reference_c_grid_fill_halo(s, s->c.u, false);
    reference_c_grid_fill_halo(s, s->c.v, false);
}

// ---- velocities at the time of η

// The vorticity at a corner (1/s) from differences of order 2, or 4 where there is room; 0 where one of the
// four nodes is land. Without curvature the sphere's terms are left out.
static double vorticity_at(const struct solver *s, const double *u, const double *v, ptrdiff_t i, ptrdiff_t j,
                           int order)
{
    const size_t k = at(s, i, j), p = s->pitch;
    if (!(s->c.code[k] & C_GRID_INNER))
        return 0;
    const bool curved = s->setup.physics->has_curvature;
    double c[4] = {1, 1, 1, 1};
    for (ptrdiff_t m = 0; m < 4 && curved; m++)
        c[m] = y_of(s, j - 1 + m, COS_NODE) / y_of(s, j, COS_FACE);
    double dv = v[k + 1] - v[k], du = c[2] * u[k + p] - c[1] * u[k];
    if (order == 4 && s->c.code[k] & C_GRID_FULL) {
        dv = (27 * dv - (v[k + 2] - v[k - 1])) / 24;
        du = (27 * du - (c[3] * u[k + 2 * p] - c[0] * u[k - p])) / 24;
    }
    return dv / (x_of(s, i, FACE_M) * y_of(s, j, COS_FACE)) - du / y_of(s, j, FACE_M);
}

// f + ζ of second order at a corner.
static double spin_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return y_of(s, j, CORIOLIS) + vorticity_at(s, s->c.u, s->c.v, i, j, 2);
}

// That times the mean flux across the corner over its depth: of v (`of_v`) or u.
static double turn_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j, bool of_v, double spin)
{
    const struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), other = k + (of_v ? 1 : s->pitch);
    const double *f = of_v ? c->v : c->u, *depth = of_v ? c->depth_v : c->depth_u;
    if (!(c->depth_corner[k] > 0))
        return 0;
    return spin * 0.5 * (depth[k] * f[k] + depth[other] * f[other]) / c->depth_corner[k];
}

// g η and half the squared velocity, of second order.
static double head_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    return s->setup.geometry->gravity_m_s2 * c->eta[k] +
           0.25 * ((c->u[k] * c->u[k] + c->u[k - 1] * c->u[k - 1]) +
                   (c->v[k] * c->v[k] + c->v[k - p] * c->v[k - p]));
}

// Half a step on from the stored velocities, with the turns at the corners on either side of the face.
static double u_now(const struct solver *s, ptrdiff_t i, ptrdiff_t j, double before, double after)
{
    const size_t k = at(s, i, j);
    if (!(s->c.depth_u[k] > 0) || c_grid_is_open_face(s->setup.geometry, i, j, true))
        return s->c.u[k];
    const double slope =
        (head_at(s, i + 1, j) - head_at(s, i, j)) / (x_of(s, i, FACE_M) * y_of(s, j, COS_NODE));
    const double turn = 0.5 * (after + before);
    return s->c.u[k] + 0.5 * s->setup.step_s * (turn - slope);
}

static double v_now(const struct solver *s, ptrdiff_t i, ptrdiff_t j, double before, double after)
{
    const size_t k = at(s, i, j);
    if (!(s->c.depth_v[k] > 0) || c_grid_is_open_face(s->setup.geometry, i, j, false))
        return s->c.v[k];
    const double slope = (head_at(s, i, j + 1) - head_at(s, i, j)) / y_of(s, j, FACE_M);
    const double turn = 0.5 * (after + before);
    return s->c.v[k] - 0.5 * s->setup.step_s * (turn + slope);
}

// At a node: the mean of the velocities about it.
void reference_c_grid_node(const struct solver *s, ptrdiff_t i, ptrdiff_t j, double *u_m_s, double *v_m_s)
{
    enum { ROOM = 3 };
    // The faces −5/2 … 5/2 about the node alone; the mirror images are found among them.
    double u[2 * ROOM], v[2 * ROOM];
    const size_t k = at(s, i, j);
    for (ptrdiff_t m = 0; m < 2 * ROOM; m++) {
        const ptrdiff_t column = i - ROOM + m, row = j - ROOM + m;
        u[m] = u_now(s, column, j, turn_at(s, column, j - 1, true, spin_at(s, column, j - 1)),
                     turn_at(s, column, j, true, spin_at(s, column, j)));
        v[m] = v_now(s, i, row, turn_at(s, i - 1, row, false, spin_at(s, i - 1, row)),
                     turn_at(s, i, row, false, spin_at(s, i, row)));
    }
    const int code = s->c.code[k];
    *u_m_s =
        mean(faces_about(u + ROOM, 1, c_grid_reach(code, C_GRID_WEST), c_grid_reach(code, C_GRID_EAST)), 6);
    *v_m_s =
        mean(faces_about(v + ROOM, 1, c_grid_reach(code, C_GRID_SOUTH), c_grid_reach(code, C_GRID_NORTH)), 6);
}

// ---- the step's first half: velocities

// The pressure g(f + Δt²/12 ∇·(g d ∇f)) of a surface f, over the density, at a wet node.
double reference_c_grid_pressure(const struct solver *s, const double *f, ptrdiff_t i, ptrdiff_t j)
{
    const struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    const double gravity = s->setup.geometry->gravity_m_s2, dt = s->setup.step_s;
    const double cosine = y_of(s, j, COS_NODE);
    const double east = c->depth_u[k] * (f[k + 1] - f[k]) / x_of(s, i, FACE_M),
                 west = c->depth_u[k - 1] * (f[k] - f[k - 1]) / x_of(s, i - 1, FACE_M);
    const double north = c->depth_v[k] * (f[k + p] - f[k]) * y_of(s, j, COS_FACE) / y_of(s, j, FACE_M),
                 south = c->depth_v[k - p] * (f[k] - f[k - p]) * y_of(s, j - 1, COS_FACE) /
                         y_of(s, j - 1, FACE_M);
    const double bend = (east - west) / (cosine * cosine * x_of(s, i, NODE_M)) +
                        (north - south) / (cosine * y_of(s, j, NODE_M));
    return gravity * (f[k] + dt * dt / 12 * gravity * bend);
}

// How far beyond the domain the fields of a step are needed, where periodic edges have values there.
enum { MARGIN_NOW = 5, MARGIN_CORNERS = 2, MARGIN_FLUX = 3 };

// The turns of second order stand in across_u and across_v, until those of the step take their place.
static void visit_turn(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const double spin = spin_at(s, i, j);
    s->c.across_u[at(s, i, j)] = turn_at(s, i, j, true, spin);
    s->c.across_v[at(s, i, j)] = turn_at(s, i, j, false, spin);
}

static void visit_now(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const size_t k = at(s, i, j);
    s->c.u_now[k] = u_now(s, i, j, s->c.across_u[k - s->pitch], s->c.across_u[k]);
    s->c.v_now[k] = v_now(s, i, j, s->c.across_v[k - 1], s->c.across_v[k]);
}

// P of the header. Means of squares are the adjoint of the mean of η in the flux.
static void visit_head(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j);
    c->head[k] = 0;
    if (!is_wet(s, i, j))
        return;
    c->head[k] =
        reference_c_grid_pressure(s, c->eta, i, j) + 0.5 * (mean(squared(faces_along_x(s, c->u_now, k)), 4) +
                                                            mean(squared(faces_along_y(s, c->v_now, k)), 4));
}

// Of a corner: vorticity, and the mean fluxes across it over its depth.
static void visit_corner(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    const double *u = c->u_now + k, *v = c->v_now + k, *du = c->depth_u + k, *dv = c->depth_v + k;
    const ptrdiff_t row = (ptrdiff_t)p;
    c->vorticity[k] = vorticity_at(s, c->u_now, c->v_now, i, j, 4);
    c->across_u[k] = c->across_v[k] = 0;
    if (!(c->depth_corner[k] > 0))
        return;
    double of_v = 0.5 * (dv[0] * v[0] + dv[1] * v[1]), of_u = 0.5 * (du[0] * u[0] + du[p] * u[p]);
    if (c->code[k] & C_GRID_FULL) {
        of_v = (18 * of_v - (dv[-1] * v[-1] + dv[2] * v[2])) / 16;
        of_u = (18 * of_u - (du[-row] * u[-row] + du[2 * p] * u[2 * p])) / 16;
    }
    c->across_u[k] = of_v / c->depth_corner[k];
    c->across_v[k] = of_u / c->depth_corner[k];
}

// (f + ζ) × the flux across, at a face, from the corners on either side of it: those `step` before k, k, and
// where they are FULL the next ones; the weights belong to the corners, so that they are the same for u and
// v. Vorticity is advected upwind, of order 3, or beside coasts of order 1.
static double turn_between(const struct solver *s, const double *across, size_t k, ptrdiff_t step,
                           const double coriolis[4], bool is_line)
{
    const struct reference_c_grid *c = &s->c;
    double turn = 0, z[4], speed = 0;
    for (ptrdiff_t m = 0; m < 4; m++) {
        const size_t corner = (size_t)((ptrdiff_t)k + (m - 2) * step);
        const bool is_full = c->code[corner] & C_GRID_FULL, is_near = m == 1 || m == 2;
        const double weight = is_near ? (is_full ? 9.0 / 16 : 0.5) : is_full ? -1.0 / 16 : 0;
        z[m] = c->vorticity[corner];
        turn += weight * (coriolis[m] + z[m]) * across[corner];
        speed += is_near ? 0.5 * across[corner] : 0;
    }
    const double bend = is_line ? (z[3] - 3 * z[2] + 3 * z[1] - z[0]) / 12 : -(z[2] - z[1]) / 2;
    return turn + fabs(speed) * bend;
}

// Manning's drag over Δt: 1 + Δt g n² |U| / H^(4/3).
static double drag(const struct solver *s, double u, double across, double H)
{
    const double n = s->setup.physics->manning_n;
    return 1 + s->setup.step_s * s->setup.geometry->gravity_m_s2 * n * n * sqrt(u * u + across * across) /
                   pow(H, 4.0 / 3.0);
}

static double depth_between(double depth, double eta_a, double eta_b)
{
    return fmax(depth + 0.5 * (eta_a + eta_b), least_share * depth);
}

// A new velocity: between −√(g H) and √(g H), which only water that is drawn down far, or higher than the sea
// is deep, would exceed. Centred differences do not hold a flow faster than its waves, and the draw-down's
// floor would feed it. What is not a number stays so.
static double bounded(const struct solver *s, double u, double H)
{
    const double most = sqrt(s->setup.geometry->gravity_m_s2 * H);
    return u > most ? most : u < -most ? -most : u;
}

static void visit_u(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    c->u_next[k] = 0;
    if (!(c->depth_u[k] > 0) || c_grid_is_open_face(s->setup.geometry, i, j, true))
        return;
    const double f[4] = {y_of(s, j - 2, CORIOLIS), y_of(s, j - 1, CORIOLIS), y_of(s, j, CORIOLIS),
                         y_of(s, j + 1, CORIOLIS)};
    const double slope =
        difference(nodes_about_u(s, c->head, k)) / (x_of(s, i, FACE_M) * y_of(s, j, COS_NODE));
    const double turn = turn_between(s, c->across_u, k, (ptrdiff_t)p, f, c->code[k] & C_GRID_LINE_U);
    const double across = 0.5 * (c->across_u[k] + c->across_u[k - p]);
    const double H = depth_between(c->depth_u[k], c->eta[k], c->eta[k + 1]);
    const double next = (c->u[k] + s->setup.step_s * (turn - slope)) / drag(s, c->u_now[k], across, H);
    c->u_next[k] = bounded(s, next, H);
}

static void visit_v(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    c->v_next[k] = 0;
    if (!(c->depth_v[k] > 0) || c_grid_is_open_face(s->setup.geometry, i, j, false))
        return;
    const double here = y_of(s, j, CORIOLIS), f[4] = {here, here, here, here};
    const double slope = difference(nodes_about_v(s, c->head, k)) / y_of(s, j, FACE_M);
    const double turn = turn_between(s, c->across_v, k, 1, f, c->code[k] & C_GRID_LINE_V);
    const double across = 0.5 * (c->across_v[k] + c->across_v[k - 1]);
    const double H = depth_between(c->depth_v[k], c->eta[k], c->eta[k + p]);
    const double next = (c->v[k] - s->setup.step_s * (turn + slope)) / drag(s, c->v_now[k], across, H);
    c->v_next[k] = bounded(s, next, H);
}

// The new outward velocity on an open edge, from that of the step before (`U`) and the pressure P inside: the
// half spacing between the edge's node and the edge has U_t = (P inside − P on the edge)/(spacing/2).
// Inside, P has the weights that the flux over the edge has in the differences at these nodes, so that the
// edge takes away the energy that the nodes lose, and nothing grows. Beyond the edge the water is still:
// there √(gH) = c + U/2, thus P = c U + 3/4 U², c = √(gd), with the mean of old and new U in its first
// factor. `inward` leads from node to node, `reach` counts the wet ones behind the edge's.
static double outward_velocity(const struct solver *s, size_t k, ptrdiff_t inward, int reach, double U,
                               double depth, double spacing_m)
{
    const double *head = s->c.head + k, gravity = s->setup.geometry->gravity_m_s2;
    const double next = head[reach >= 1 ? inward : 0], third = reach >= 2 ? head[2 * inward] : next;
    double w[3], unused[3];
    c_grid_weights(6, w, unused);
    const double inside = (w[0] + 2 * (w[1] + w[2])) * head[0] + (w[1] + 2 * w[2]) * next + w[2] * third;
    const double rate = s->setup.step_s / spacing_m, way = rate * fmax(sqrt(gravity * depth) + 0.75 * U, 0);
    return bounded(s, ((1 - way) * U + 2 * rate * inside) / (1 + way),
                   depth_between(depth, s->c.eta[k], s->c.eta[k]));
}

static void give_open_edges(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny, p = (ptrdiff_t)s->pitch;
    const struct reference_c_grid *c = &s->c;
    for (ptrdiff_t j = 0; j < ny; j++) {
        const size_t first = at(s, 0, j), west = first - 1, east = at(s, nx - 1, j);
        const double cosine = y_of(s, j, COS_NODE);
        if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_OPEN && is_wet(s, 0, j))
            c->u_next[west] = -outward_velocity(s, first, 1, c_grid_reach(c->code[first], C_GRID_EAST),
                                                -c->u[west], c->depth_u[west], cosine * x_of(s, -1, FACE_M));
        if (g->edges[TSUNAMI_EAST] == TSUNAMI_EDGE_OPEN && is_wet(s, nx - 1, j))
            c->u_next[east] =
                outward_velocity(s, east, -1, c_grid_reach(c->code[east], C_GRID_WEST), c->u[east],
                                 c->depth_u[east], cosine * x_of(s, nx - 1, FACE_M));
    }
    for (ptrdiff_t i = 0; i < nx; i++) {
        const size_t first = at(s, i, 0), south = first - s->pitch, north = at(s, i, ny - 1);
        if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_OPEN && is_wet(s, i, 0))
            c->v_next[south] = -outward_velocity(s, first, p, c_grid_reach(c->code[first], C_GRID_NORTH),
                                                 -c->v[south], c->depth_v[south], y_of(s, -1, FACE_M));
        if (g->edges[TSUNAMI_NORTH] == TSUNAMI_EDGE_OPEN && is_wet(s, i, ny - 1))
            c->v_next[north] = outward_velocity(s, north, -p, c_grid_reach(c->code[north], C_GRID_SOUTH),
                                                c->v[north], c->depth_v[north], y_of(s, ny - 1, FACE_M));
    }
}

void reference_c_grid_now(struct solver *s)
{
    for_all(s, MARGIN_NOW + 1, visit_turn);
    for_all(s, MARGIN_NOW, visit_now);
}

// Into u_next and v_next; the halos of the state are filled.
void reference_c_grid_velocities(struct solver *s)
{
    reference_c_grid_now(s);
    for_all(s, REFERENCE_C_GRID_HEAD_MARGIN, visit_head);
    for_all(s, MARGIN_CORNERS, visit_corner);
    for_all(s, 0, visit_u);
    for_all(s, 0, visit_v);
    give_open_edges(s);
}

// ---- the second half: elevation

// η half a step on, of second order.
static void visit_middle(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    c->eta_middle[k] = c->eta[k];
    if (!is_wet(s, i, j))
        return;
    const double east = (c->depth_u[k] + 0.5 * (c->eta[k] + c->eta[k + 1])) * c->u[k],
                 west = (c->depth_u[k - 1] + 0.5 * (c->eta[k] + c->eta[k - 1])) * c->u[k - 1];
    const double north = (c->depth_v[k] + 0.5 * (c->eta[k] + c->eta[k + p])) * c->v[k] * y_of(s, j, COS_FACE);
    const double south =
        (c->depth_v[k - p] + 0.5 * (c->eta[k] + c->eta[k - p])) * c->v[k - p] * y_of(s, j - 1, COS_FACE);
    c->eta_middle[k] -= 0.5 * s->setup.step_s / y_of(s, j, COS_NODE) *
                        ((east - west) / x_of(s, i, NODE_M) + (north - south) / y_of(s, j, NODE_M));
}

// The flux through an open face.
static double flux(struct six eta, double depth, double u)
{
    const double H = fmax(depth + mean(eta, 4), least_share * depth);
    const double before = eta.of[2] - eta.of[1], slope = eta.of[3] - eta.of[2], after = eta.of[4] - eta.of[3];
    const double fifth = eta.of[5] - eta.of[0] - 5 * (eta.of[4] - eta.of[1]) + 10 * slope;
    // How rough the surface is: 0 where it is smooth, 1 where the slope changes its sign from node to node.
    const double bend = before - 2 * slope + after;
    const double roughness = fmin(1, bend * bend / (before * before + slope * slope + after * after + 1e-30));
    return H * u - dissipation_share * fabs(u) * (fifth / 60 + 0.5 * roughness * slope);
}

static void visit_flux(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    const struct tsunami_geometry *g = s->setup.geometry;
    const double cosine = y_of(s, j, COS_FACE);
    c->flux_u[k] = c->flux_v[k] = 0;
    if (c->depth_u[k] > 0)
        c->flux_u[k] = c_grid_is_open_face(g, i, j, true)
                           ? depth_between(c->depth_u[k], c->eta[k], c->eta[k + 1]) * c->u[k]
                           : flux(nodes_about_u(s, c->eta_middle, k), c->depth_u[k], c->u[k]);
    if (c->depth_v[k] > 0)
        c->flux_v[k] = cosine * (c_grid_is_open_face(g, i, j, false)
                                     ? depth_between(c->depth_v[k], c->eta[k], c->eta[k + p]) * c->v[k]
                                     : flux(nodes_about_v(s, c->eta_middle, k), c->depth_v[k], c->v[k]));
}

static void visit_eta(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j);
    c->eta_next[k] = 0;
    if (!is_wet(s, i, j))
        return;
    const double along_x = difference(faces_along_x(s, c->flux_u, k)),
                 along_y = difference(faces_along_y(s, c->flux_v, k));
    const double next = c->eta[k] - s->setup.step_s / y_of(s, j, COS_NODE) *
                                        (along_x / x_of(s, i, NODE_M) + along_y / y_of(s, j, NODE_M));
    const double least = (least_share - 1) * c_grid_depth_m(&s->setup, i, j);
    c->eta_next[k] = next < least ? least : next; // what is not a number stays so
}

void reference_c_grid_elevations(struct solver *s)
{
    for_all(s, MARGIN_NOW, visit_middle);
    for_all(s, MARGIN_FLUX, visit_flux);
    for_all(s, 0, visit_eta);
}
