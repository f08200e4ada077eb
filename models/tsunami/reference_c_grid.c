// The serial reference of `c-grid-6`: double, plain, whole arrays one after the other. THE SPECIFICATION of
// the method; see docs/tsunami.md for its equations. Elevations at time n, velocities at n − 1/2:
//   1. u at time n, of second order, for the terms that need it;
//   2. u += Δt (−∇P + (ζ + f)/d × mean(d v)), P = g(η + Δt²/12 ∇·(g d ∇η)) + ½(mean u² + mean v²);
//   3. η −= Δt ∇·((d + η) u), η at time n + 1/2.
// Differences are of order 6. The correction by Δt²/12 (modified equation: Shubin & Bell 1987, SIAM J. Sci.
// Stat. Comput. 8, 135–151) makes linear waves of order 4 in time. Means and differences along the same line
// are each other's adjoints, so that neither pressure nor rotation does work (Sadourny 1975, J. Atmos. Sci.
// 32, 680–689). Coasts are walls: η is even and the flux odd about the closed face.
#include "models/tsunami/c_grid.h"
#include "models/tsunami/reference.h"

#include <math.h>
#include <string.h>

// Dissipation at the faces, of the fifth and (where the surface is not smooth) of the first difference of η:
// with this many times |u|. A simple wave of height η runs faster by u + c' − c ≈ 1.5 u, so that waves of the
// deep ocean keep their energy, and bores on a shelf do not ring.
static const double dissipation_share = 1.5;
// The least depth of a draw-down, as a share of the still depth: of fluxes, and of the water at a node, to
// which what is missing is added.
static const double least_share = 0.05;

static size_t at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return (size_t)((j + C_GRID_HALO) * (ptrdiff_t)s->pitch + i + TSUNAMI_HALO_COLUMNS);
}

// Of a column or row, in c.x and c.y.
enum { FACE_M, NODE_M, COS_NODE, COS_FACE, CORIOLIS, FACE_ORDER, NODE_ORDER, LINE_MEMBERS };

static double along(const double *lines, ptrdiff_t index, int member)
{
    return lines[(index + TSUNAMI_HALO_COLUMNS) * LINE_MEMBERS + member];
}

static double x_of(const struct solver *s, ptrdiff_t i, int member)
{
    return along(s->c.x, i, member);
}

static double y_of(const struct solver *s, ptrdiff_t j, int member)
{
    return along(s->c.y, j, member);
}

static void fill_lines(struct solver *s, bool along_x)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t n = (ptrdiff_t)(along_x ? g->nx : g->ny);
    double *lines = along_x ? s->c.x : s->c.y;
    for (ptrdiff_t k = -C_GRID_HALO; k < n + C_GRID_HALO; k++) {
        const struct c_grid_line line = c_grid_line(&s->setup, along_x, k);
        const double members[LINE_MEMBERS] = {line.face_m,
                                              line.node_m,
                                              line.cos_node,
                                              line.cos_face,
                                              line.coriolis_per_s,
                                              c_grid_face_order(g, along_x, k),
                                              c_grid_node_order(g, along_x, k)};
        memcpy(lines + (k + TSUNAMI_HALO_COLUMNS) * LINE_MEMBERS, members, sizeof members);
    }
}

static enum status c_grid_reference_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                                         const char *prefix, struct solver **solver)
{
    CHECK(reference_new(setup, solver));
    struct solver *s = *solver;
    struct reference_c_grid *c = &s->c;
    s->rows = c->rows = setup->geometry->ny + 2 * C_GRID_HALO;
    const struct reference_array arrays[] = {{&c->eta, "eta"},
                                             {&c->u, "u"},
                                             {&c->v, "v"},
                                             {&c->eta_next, "eta next"},
                                             {&c->u_next, "u next"},
                                             {&c->v_next, "v next"},
                                             {&c->depth_u, "depth of eastern faces"},
                                             {&c->depth_v, "depth of northern faces"},
                                             {&c->depth_corner, "depth of corners"},
                                             {&c->u_now, "u at the time of eta"},
                                             {&c->v_now, "v at the time of eta"},
                                             {&c->head, "head"},
                                             {&c->vorticity, "vorticity"},
                                             {&c->across_u, "flux of v across"},
                                             {&c->across_v, "flux of u across"},
                                             {&c->eta_middle, "eta in the middle of the step"},
                                             {&c->flux_u, "eastward flux"},
                                             {&c->flux_v, "northward flux"}};
    CHECK(reference_plan_arrays(s, plan, prefix, arrays, sizeof arrays / sizeof *arrays));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, c->rows, s->pitch, (void **)&c->code,
                          "%sreference reach of stencils", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, setup->geometry->nx + 2 * TSUNAMI_HALO_COLUMNS,
                          LINE_MEMBERS, (void **)&c->x, "%sreference columns", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, setup->geometry->ny + 2 * TSUNAMI_HALO_COLUMNS,
                          LINE_MEMBERS, (void **)&c->y, "%sreference rows", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, setup->geometry->ny, (void **)&c->is_set,
                          "%sreference rows set", prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, setup->geometry->ny, (void **)&c->is_lifted,
                           "%sreference rows lifted", prefix);
}

static enum status c_grid_reference_start(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    struct reference_c_grid *c = &s->c;
    fill_lines(s, true);
    fill_lines(s, false);
    double *state[] = {c->eta, c->u, c->v, c->eta_next, c->u_next, c->v_next};
    for (size_t f = 0; f < sizeof state / sizeof *state; f++)
        memset(state[f], 0, c->rows * s->pitch * sizeof(double));
    for (ptrdiff_t j = -C_GRID_HALO; j < (ptrdiff_t)g->ny + C_GRID_HALO; j++)
        for (ptrdiff_t i = -C_GRID_HALO; i < (ptrdiff_t)g->nx + C_GRID_HALO; i++) {
            const size_t k = at(s, i, j);
            c->code[k] = c_grid_code(&s->setup, i, j);
            c->depth_u[k] = c_grid_face_depth_m(&s->setup, i, j, true);
            c->depth_v[k] = c_grid_face_depth_m(&s->setup, i, j, false);
            c->depth_corner[k] = c_grid_corner_depth_m(&s->setup, i, j);
        }
    memset(c->is_set, 0, g->ny);
    memset(c->is_lifted, 0, g->ny);
    c->has_set = c->has_lifted = false;
    return STATUS_OK;
}

static bool is_wet(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return s->c.code[at(s, i, j)] & C_GRID_WET;
}

// ---- stencils along a line

// The six values about a face or a node, in order, and the steps from one to the next in the arrays.
struct six {
    double of[6];
};

// Nodes −2 … 3 about the face k between nodes k and k + step; beyond a wall the mirror image.
static struct six nodes_about(const double *f, ptrdiff_t step, int before, int after)
{
    struct six six = {{0, f[0], f[0], f[step], f[step], 0}};
    if (before >= 1)
        six.of[1] = f[-step];
    if (after >= 1)
        six.of[4] = f[2 * step];
    six.of[0] = before == 0 ? f[step] : before == 1 ? f[-step] : f[-2 * step];
    six.of[5] = after == 0 ? f[0] : after == 1 ? f[2 * step] : f[3 * step];
    return six;
}

// Faces −5/2 … 5/2 about the node k; beyond a wall the mirror image with the opposite sign.
static struct six faces_about(const double *f, ptrdiff_t step, int before, int after)
{
    struct six six = {{0, -f[0], f[-step], f[0], -f[-step], 0}};
    if (before >= 1)
        six.of[1] = f[-2 * step];
    if (after >= 1)
        six.of[4] = f[step];
    six.of[0] = before == 2 ? f[-3 * step] : before == 1 ? -f[-step] : after >= 1 ? -f[step] : 0;
    six.of[5] = after == 2 ? f[2 * step] : after == 1 ? -f[0] : before >= 1 ? -f[-2 * step] : 0;
    return six;
}

static double difference(struct six six, double order)
{
    double weights[3], mean[3];
    c_grid_weights((int)order, weights, mean);
    return weights[0] * (six.of[3] - six.of[2]) + weights[1] * (six.of[4] - six.of[1]) +
           weights[2] * (six.of[5] - six.of[0]);
}

static double mean(struct six six, double order)
{
    double weights[3], unused[3];
    c_grid_weights((int)order, unused, weights);
    return weights[0] * (six.of[3] + six.of[2]) + weights[1] * (six.of[4] + six.of[1]) +
           weights[2] * (six.of[5] + six.of[0]);
}

static struct six squared(struct six six)
{
    for (int k = 0; k < 6; k++)
        six.of[k] *= six.of[k];
    return six;
}

static struct six nodes_about_u(const struct solver *s, const double *f, size_t k)
{
    const int32_t *code = s->c.code + k;
    return nodes_about(f + k, 1, c_grid_reach(code[0], C_GRID_WEST), c_grid_reach(code[1], C_GRID_EAST));
}

static struct six nodes_about_v(const struct solver *s, const double *f, size_t k)
{
    const int32_t *code = s->c.code + k;
    return nodes_about(f + k, (ptrdiff_t)s->pitch, c_grid_reach(code[0], C_GRID_SOUTH),
                       c_grid_reach(code[s->pitch], C_GRID_NORTH));
}

static struct six faces_along_x(const struct solver *s, const double *f, size_t k)
{
    const int code = s->c.code[k];
    return faces_about(f + k, 1, c_grid_reach(code, C_GRID_WEST), c_grid_reach(code, C_GRID_EAST));
}

static struct six faces_along_y(const struct solver *s, const double *f, size_t k)
{
    const int code = s->c.code[k];
    return faces_about(f + k, (ptrdiff_t)s->pitch, c_grid_reach(code, C_GRID_SOUTH),
                       c_grid_reach(code, C_GRID_NORTH));
}

// ---- beyond the domain

// Periodic edges bring the other side's values; the surface beyond other edges is that of the edge.
static void fill_halo(const struct solver *s, double *f, bool is_surface)
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

static void fill_halos(const struct solver *s)
{
    fill_halo(s, s->c.eta, true);
    fill_halo(s, s->c.u, false);
    fill_halo(s, s->c.v, false);
}

// The outward velocity on an open edge in the middle of the step, from the still outside: the incoming
// invariant is the outside's, and the outgoing wave brings the surface from half a step's way inside
// (interpolated over the three outermost nodes; `inward` leads from one to the next).
static double outward_velocity(const struct solver *s, size_t k, ptrdiff_t inward, double depth,
                               double spacing_m)
{
    const double g = s->setup.geometry->gravity_m_s2, *eta = s->c.eta + k;
    const double x = 0.5 * (sqrt(g * depth) * s->setup.step_s / spacing_m - 1);
    const double eta_there =
        eta[0] * (x - 1) * (x - 2) / 2 - eta[inward] * x * (x - 2) + eta[2 * inward] * x * (x - 1) / 2;
    return 2 * (sqrt(g * fmax(depth + eta_there, least_share * depth)) - sqrt(g * depth));
}

static void give_open_edges(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny, pitch = (ptrdiff_t)s->pitch;
    const struct reference_c_grid *c = &s->c;
    for (ptrdiff_t j = 0; j < ny; j++) {
        const size_t west = at(s, 0, j), east = at(s, nx - 1, j);
        const double cosine = y_of(s, j, COS_NODE);
        if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_OPEN && is_wet(s, 0, j))
            c->u_next[west - 1] =
                -outward_velocity(s, west, 1, c->depth_u[west - 1], cosine * x_of(s, -1, FACE_M));
        if (g->edges[TSUNAMI_EAST] == TSUNAMI_EDGE_OPEN && is_wet(s, nx - 1, j))
            c->u_next[east] =
                outward_velocity(s, east, -1, c->depth_u[east], cosine * x_of(s, nx - 1, FACE_M));
    }
    for (ptrdiff_t i = 0; i < nx; i++) {
        const size_t south = at(s, i, 0), north = at(s, i, ny - 1);
        if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_OPEN && is_wet(s, i, 0))
            c->v_next[south - s->pitch] =
                -outward_velocity(s, south, pitch, c->depth_v[south - s->pitch], y_of(s, -1, FACE_M));
        if (g->edges[TSUNAMI_NORTH] == TSUNAMI_EDGE_OPEN && is_wet(s, i, ny - 1))
            c->v_next[north] = outward_velocity(s, north, -pitch, c->depth_v[north], y_of(s, ny - 1, FACE_M));
    }
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

// f + ζ times the mean flux across a corner over its depth, of second order: of v (`of_v`) or u.
static double turn_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j, bool of_v)
{
    const struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), other = k + (of_v ? 1 : s->pitch);
    const double *f = of_v ? c->v : c->u, *depth = of_v ? c->depth_v : c->depth_u;
    if (!(c->depth_corner[k] > 0))
        return 0;
    const double spin = y_of(s, j, CORIOLIS) + vorticity_at(s, c->u, c->v, i, j, 2);
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

// Half a step on from the stored velocities.
static double u_now(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const size_t k = at(s, i, j);
    if (!(s->c.depth_u[k] > 0) || c_grid_is_open_face(s->setup.geometry, i, j, true))
        return s->c.u[k];
    const double slope =
        (head_at(s, i + 1, j) - head_at(s, i, j)) / (x_of(s, i, FACE_M) * y_of(s, j, COS_NODE));
    const double turn = 0.5 * (turn_at(s, i, j, true) + turn_at(s, i, j - 1, true));
    return s->c.u[k] + 0.5 * s->setup.step_s * (turn - slope);
}

static double v_now(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    const size_t k = at(s, i, j);
    if (!(s->c.depth_v[k] > 0) || c_grid_is_open_face(s->setup.geometry, i, j, false))
        return s->c.v[k];
    const double slope = (head_at(s, i, j + 1) - head_at(s, i, j)) / y_of(s, j, FACE_M);
    const double turn = 0.5 * (turn_at(s, i, j, false) + turn_at(s, i - 1, j, false));
    return s->c.v[k] - 0.5 * s->setup.step_s * (turn + slope);
}

// At a node: the mean of the velocities about it, less wide beside open edges.
static void velocity_at_node(const struct solver *s, ptrdiff_t i, ptrdiff_t j, double *u_m_s, double *v_m_s)
{
    enum { ROOM = 3 };
    // The faces −5/2 … 5/2 about the node alone; the mirror images are found among them.
    double u[2 * ROOM], v[2 * ROOM];
    const size_t k = at(s, i, j);
    for (ptrdiff_t m = 0; m < 2 * ROOM; m++) {
        u[m] = u_now(s, i - ROOM + m, j);
        v[m] = v_now(s, i, j - ROOM + m);
    }
    const int code = s->c.code[k];
    *u_m_s = mean(faces_about(u + ROOM, 1, c_grid_reach(code, C_GRID_WEST), c_grid_reach(code, C_GRID_EAST)),
                  x_of(s, i, NODE_ORDER));
    *v_m_s =
        mean(faces_about(v + ROOM, 1, c_grid_reach(code, C_GRID_SOUTH), c_grid_reach(code, C_GRID_NORTH)),
             y_of(s, j, NODE_ORDER));
}

// ---- the step's first half: velocities

// The pressure g(f + Δt²/12 ∇·(g d ∇f)) of a surface f, over the density, at a wet node.
static double pressure_at(const struct solver *s, const double *f, ptrdiff_t i, ptrdiff_t j)
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
enum { MARGIN_NOW = 5, MARGIN_HEAD = 3, MARGIN_CORNERS = 2, MARGIN_FLUX = 3 };

// Calls `visit` for all places of the domain and of a margin about it.
static void for_all(struct solver *s, ptrdiff_t margin, void (*visit)(struct solver *, ptrdiff_t, ptrdiff_t))
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (ptrdiff_t j = -margin; j < (ptrdiff_t)g->ny + margin; j++)
        for (ptrdiff_t i = -margin; i < (ptrdiff_t)g->nx + margin; i++)
            visit(s, i, j);
}

static void visit_now(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    s->c.u_now[at(s, i, j)] = u_now(s, i, j);
    s->c.v_now[at(s, i, j)] = v_now(s, i, j);
}

// P of the header. Means of squares are the adjoint of the mean of η in the flux.
static void visit_head(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j);
    c->head[k] = 0;
    if (!is_wet(s, i, j))
        return;
    c->head[k] = pressure_at(s, c->eta, i, j) + 0.5 * (mean(squared(faces_along_x(s, c->u_now, k)), 4) +
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
    const double slope = difference(nodes_about_u(s, c->head, k), x_of(s, i, FACE_ORDER)) /
                         (x_of(s, i, FACE_M) * y_of(s, j, COS_NODE));
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
    const double slope =
        difference(nodes_about_v(s, c->head, k), y_of(s, j, FACE_ORDER)) / y_of(s, j, FACE_M);
    const double turn = turn_between(s, c->across_v, k, 1, f, c->code[k] & C_GRID_LINE_V);
    const double across = 0.5 * (c->across_v[k] + c->across_v[k - 1]);
    const double H = depth_between(c->depth_v[k], c->eta[k], c->eta[k + p]);
    const double next = (c->v[k] - s->setup.step_s * (turn + slope)) / drag(s, c->v_now[k], across, H);
    c->v_next[k] = bounded(s, next, H);
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

// Into u_next and v_next; the halos of the state are filled.
static void advance_velocities(struct solver *s)
{
    for_all(s, MARGIN_NOW, visit_now);
    for_all(s, MARGIN_HEAD, visit_head);
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
    const double along_x = difference(faces_along_x(s, c->flux_u, k), x_of(s, i, NODE_ORDER)),
                 along_y = difference(faces_along_y(s, c->flux_v, k), y_of(s, j, NODE_ORDER));
    const double next = c->eta[k] - s->setup.step_s / y_of(s, j, COS_NODE) *
                                        (along_x / x_of(s, i, NODE_M) + along_y / y_of(s, j, NODE_M));
    const double least = (least_share - 1) * c_grid_depth_m(&s->setup, i, j);
    c->eta_next[k] = next < least ? least : next; // what is not a number stays so
}

static void c_grid_reference_record(struct solver *s, double time_s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            double u, v;
            if (!is_wet(s, i, j))
                continue;
            velocity_at_node(s, i, j, &u, &v);
            const double eta = s->c.eta[at(s, i, j)];
            reference_record_node(s->setup.records, (size_t)j * g->pitch + (size_t)i, eta,
                                  c_grid_depth_m(&s->setup, i, j) + eta, u, v, time_s);
        }
}

static enum status c_grid_reference_advance(struct solver *s, int64_t first_step, int64_t count)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    struct reference_c_grid *c = &s->c;
    for (int64_t step = first_step; step < first_step + count; step++) {
        advance_velocities(s);
        swap(&c->u, &c->u_next);
        swap(&c->v, &c->v_next);
        fill_halos(s);
        for_all(s, MARGIN_NOW, visit_middle);
        for_all(s, MARGIN_FLUX, visit_flux);
        for_all(s, 0, visit_eta);
        swap(&c->eta, &c->eta_next);
        fill_halos(s);
        if (!s->setup.records->is_paused)
            c_grid_reference_record(s, s->setup.start_s + (double)(step + 1) * s->setup.step_s);
        s->computed += (double)(g->nx * g->ny);
    }
    return STATUS_OK;
}

// ---- access

static void c_grid_reference_get(const struct solver *s, size_t row, size_t first, size_t count,
                                 double *eta_m, double *u_m_s, double *v_m_s)
{
    for (size_t m = 0; m < count; m++) {
        const ptrdiff_t i = (ptrdiff_t)(first + m), j = (ptrdiff_t)row;
        eta_m[m] = NAN;
        u_m_s[m] = v_m_s[m] = 0;
        if (!is_wet(s, i, j))
            continue;
        eta_m[m] = s->c.eta[at(s, i, j)];
        velocity_at_node(s, i, j, &u_m_s[m], &v_m_s[m]);
    }
}

// The surface at once; the nodes' velocities are kept in u_next and v_next until `touch`.
static void c_grid_reference_set(struct solver *s, size_t row, size_t first, size_t count,
                                 const double *eta_m, const double *u_m_s, const double *v_m_s)
{
    struct reference_c_grid *c = &s->c;
    const size_t start = at(s, 0, (ptrdiff_t)row), nx = s->setup.geometry->nx;
    if (!c->is_set[row] && count < nx)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)nx; i++)
            velocity_at_node(s, i, (ptrdiff_t)row, &c->u_next[start + (size_t)i],
                             &c->v_next[start + (size_t)i]);
    for (size_t m = 0; m < count; m++) {
        const size_t k = start + first + m;
        const bool wet = is_wet(s, (ptrdiff_t)(first + m), (ptrdiff_t)row);
        c->eta[k] = wet ? eta_m[m] : 0;
        c->u_next[k] = wet ? u_m_s[m] : 0;
        c->v_next[k] = wet ? v_m_s[m] : 0;
    }
    c->is_set[row] = 1;
    c->has_set = true;
}

static void c_grid_reference_lift(struct solver *s, size_t row, const double *uplift_m,
                                  const double *bottom_m)
{
    struct reference_c_grid *c = &s->c;
    (void)bottom_m;
    for (size_t i = 0; i < s->setup.geometry->nx; i++) {
        const size_t k = at(s, (ptrdiff_t)i, (ptrdiff_t)row);
        const double uplift = is_wet(s, (ptrdiff_t)i, (ptrdiff_t)row) ? uplift_m[i] : 0;
        c->eta[k] += uplift;
        c->eta_next[k] = uplift + (c->is_lifted[row] ? c->eta_next[k] : 0);
    }
    c->is_lifted[row] = 1;
    c->has_lifted = true; // the same from every thread
}

static void c_grid_reference_get_staggered(const struct solver *s, size_t row, double *eta_m, double *u_m_s,
                                           double *v_m_s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const size_t k = at(s, 0, (ptrdiff_t)row);
    memcpy(v_m_s, s->c.v + k - s->pitch, g->nx * sizeof *v_m_s);
    if (row == g->ny)
        return;
    memcpy(eta_m, s->c.eta + k, g->nx * sizeof *eta_m);
    memcpy(u_m_s, s->c.u + k - 1, (g->nx + 1) * sizeof *u_m_s);
}

static void c_grid_reference_set_staggered(struct solver *s, size_t row, const double *eta_m,
                                           const double *u_m_s, const double *v_m_s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const size_t k = at(s, 0, (ptrdiff_t)row);
    memcpy(s->c.v + k - s->pitch, v_m_s, g->nx * sizeof *v_m_s);
    if (row == g->ny)
        return;
    memcpy(s->c.eta + k, eta_m, g->nx * sizeof *eta_m);
    memcpy(s->c.u + k - 1, u_m_s, (g->nx + 1) * sizeof *u_m_s);
}

// Velocities at a face from those at the nodes (in u_next, v_next), of order 4, or 2 beside coasts and edges.
static double face_velocity(const double *nodes, ptrdiff_t step, int before, int after)
{
    if (before < 1 || after < 1)
        return 0.5 * (nodes[0] + nodes[step]);
    return (9 * (nodes[0] + nodes[step]) - (nodes[-step] + nodes[2 * step])) / 16;
}

static void visit_faces(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j), p = s->pitch;
    const int32_t *code = c->code + k;
    c->u[k] = c->v[k] = 0;
    if (c->depth_u[k] > 0 && !c_grid_is_open_face(s->setup.geometry, i, j, true))
        c->u[k] = face_velocity(c->u_next + k, 1, c_grid_reach(code[0], C_GRID_WEST),
                                c_grid_reach(code[1], C_GRID_EAST));
    if (c->depth_v[k] > 0 && !c_grid_is_open_face(s->setup.geometry, i, j, false))
        c->v[k] = face_velocity(c->v_next + k, (ptrdiff_t)p, c_grid_reach(code[0], C_GRID_SOUTH),
                                c_grid_reach(code[p], C_GRID_NORTH));
}

// On open edges the velocity of the edge's node.
static void set_open_edges(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    struct reference_c_grid *c = &s->c;
    for (ptrdiff_t j = 0; j < ny; j++) {
        if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_OPEN)
            c->u[at(s, -1, j)] = c->u_next[at(s, 0, j)];
        if (g->edges[TSUNAMI_EAST] == TSUNAMI_EDGE_OPEN)
            c->u[at(s, nx - 1, j)] = c->u_next[at(s, nx - 1, j)];
    }
    for (ptrdiff_t i = 0; i < nx; i++) {
        if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_OPEN)
            c->v[at(s, i, -1)] = c->v_next[at(s, i, 0)];
        if (g->edges[TSUNAMI_NORTH] == TSUNAMI_EDGE_OPEN)
            c->v[at(s, i, ny - 1)] = c->v_next[at(s, i, ny - 1)];
    }
}

// From the nodes' velocities at the time of η to the faces' half a step before: less half of what a step
// adds.
static void visit_half_back(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j);
    if (!c_grid_is_open_face(s->setup.geometry, i, j, true))
        c->u[k] -= 0.5 * (c->u_next[k] - c->u[k]);
    if (!c_grid_is_open_face(s->setup.geometry, i, j, false))
        c->v[k] -= 0.5 * (c->v_next[k] - c->v[k]);
}

static void take_set(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    struct reference_c_grid *c = &s->c;
    fill_halo(s, c->eta, true);
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; !c->is_set[j] && i < g->nx; i++) {
            const size_t k = at(s, (ptrdiff_t)i, (ptrdiff_t)j);
            velocity_at_node(s, (ptrdiff_t)i, (ptrdiff_t)j, &c->u_next[k], &c->v_next[k]);
        }
    fill_halo(s, c->u_next, false);
    fill_halo(s, c->v_next, false);
    for_all(s, 0, visit_faces);
    set_open_edges(s);
    fill_halos(s);
    advance_velocities(s);
    for_all(s, 0, visit_half_back);
}

// The pressure of what was lifted.
static void visit_lifted_head(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    s->c.head[at(s, i, j)] = is_wet(s, i, j) ? pressure_at(s, s->c.eta_next, i, j) : 0;
}

static void visit_unlift(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j);
    const double half_step = 0.5 * s->setup.step_s;
    if (c->depth_u[k] > 0 && !c_grid_is_open_face(s->setup.geometry, i, j, true))
        c->u[k] += half_step * difference(nodes_about_u(s, c->head, k), x_of(s, i, FACE_ORDER)) /
                   (x_of(s, i, FACE_M) * y_of(s, j, COS_NODE));
    if (c->depth_v[k] > 0 && !c_grid_is_open_face(s->setup.geometry, i, j, false))
        c->v[k] +=
            half_step * difference(nodes_about_v(s, c->head, k), y_of(s, j, FACE_ORDER)) / y_of(s, j, FACE_M);
}

// A lift leaves the velocities at its time as they are; those half a step before are what leads to them.
static void take_lift(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    struct reference_c_grid *c = &s->c;
    for (size_t j = 0; j < g->ny; j++)
        if (!c->is_lifted[j])
            memset(c->eta_next + at(s, 0, (ptrdiff_t)j), 0, g->nx * sizeof *c->eta_next);
    fill_halo(s, c->eta_next, true);
    for_all(s, MARGIN_HEAD, visit_lifted_head);
    for_all(s, 0, visit_unlift);
}

static enum status c_grid_reference_touch(struct solver *s, bool is_loaded)
{
    struct reference_c_grid *c = &s->c;
    if (c->has_set && !is_loaded)
        take_set(s);
    else if (c->has_lifted && !is_loaded)
        take_lift(s);
    memset(c->is_set, 0, s->setup.geometry->ny);
    memset(c->is_lifted, 0, s->setup.geometry->ny);
    c->has_set = c->has_lifted = false;
    fill_halos(s);
    return STATUS_OK;
}

static int c_grid_reference_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t bytes = s->rows * s->pitch * sizeof(double);
    arrays[0] = (struct checkpoint_array){"eta", s->c.eta, bytes};
    arrays[1] = (struct checkpoint_array){"u", s->c.u, bytes};
    arrays[2] = (struct checkpoint_array){"v", s->c.v, bytes};
    arrays[3] = (struct checkpoint_array){"node count", &s->computed, sizeof s->computed};
    return 4;
}

const struct tsunami_backend tsunami_backend_reference_staggered = {
    .head = {.name = "reference",
             .summary = "serial, double precision, plain: the specification",
             .touch = c_grid_reference_touch,
             .advance = c_grid_reference_advance,
             .checkpoint_arrays = c_grid_reference_checkpoint_arrays},
    .staggered = &tsunami_backend_reference_staggered,
    .plan = c_grid_reference_plan,
    .start = c_grid_reference_start,
    .get = c_grid_reference_get,
    .set = c_grid_reference_set,
    .get_staggered = c_grid_reference_get_staggered,
    .set_staggered = c_grid_reference_set_staggered,
    .lift = c_grid_reference_lift,
    .record = c_grid_reference_record,
    .gather_edges = reference_gather_edges,
    .work = reference_work,
};
