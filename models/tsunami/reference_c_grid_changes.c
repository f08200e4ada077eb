// What is set and lifted between steps in the serial reference of `c-grid-6`: see reference_c_grid.h.
#include "models/tsunami/reference_c_grid.h"

#include <string.h>

// The surface at once; the nodes' velocities are kept in u_next and v_next until `touch`.
void reference_c_grid_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                          const double *u_m_s, const double *v_m_s)
{
    struct reference_c_grid *c = &s->c;
    const size_t start = at(s, 0, (ptrdiff_t)row), nx = s->setup.geometry->nx;
    if (!c->is_set[row] && count < nx)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)nx; i++)
            reference_c_grid_node(s, i, (ptrdiff_t)row, &c->u_next[start + (size_t)i],
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

void reference_c_grid_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
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
    reference_c_grid_fill_halo(s, c->eta, true);
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; !c->is_set[j] && i < g->nx; i++) {
            const size_t k = at(s, (ptrdiff_t)i, (ptrdiff_t)j);
            reference_c_grid_node(s, (ptrdiff_t)i, (ptrdiff_t)j, &c->u_next[k], &c->v_next[k]);
        }
    reference_c_grid_fill_halo(s, c->u_next, false);
    reference_c_grid_fill_halo(s, c->v_next, false);
    for_all(s, 0, visit_faces);
    set_open_edges(s);
    reference_c_grid_fill_halos(s);
    reference_c_grid_velocities(s);
    for_all(s, 0, visit_half_back);
}

// The pressure of the uplifted water.
static void visit_lifted_head(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    s->c.head[at(s, i, j)] = is_wet(s, i, j) ? reference_c_grid_pressure(s, s->c.eta_next, i, j) : 0;
}

static void visit_unlift(struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    struct reference_c_grid *c = &s->c;
    const size_t k = at(s, i, j);
    const double half_step = 0.5 * s->setup.step_s;
    if (c->depth_u[k] > 0 && !c_grid_is_open_face(s->setup.geometry, i, j, true))
        c->u[k] += half_step * difference(nodes_about_u(s, c->head, k)) /
                   (x_of(s, i, FACE_M) * y_of(s, j, COS_NODE));
    if (c->depth_v[k] > 0 && !c_grid_is_open_face(s->setup.geometry, i, j, false))
        c->v[k] += half_step * difference(nodes_about_v(s, c->head, k)) / y_of(s, j, FACE_M);
}

// An uplift must not change the velocities at its time. The stored velocities are those half a step earlier:
// corrects them so that half a step with the new η leads to the same velocities.
static void take_lift(struct solver *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    struct reference_c_grid *c = &s->c;
    for (size_t j = 0; j < g->ny; j++)
        if (!c->is_lifted[j])
            memset(c->eta_next + at(s, 0, (ptrdiff_t)j), 0, g->nx * sizeof *c->eta_next);
    reference_c_grid_fill_halo(s, c->eta_next, true);
    for_all(s, REFERENCE_C_GRID_HEAD_MARGIN, visit_lifted_head);
    for_all(s, 0, visit_unlift);
}

enum status reference_c_grid_touch(struct solver *s, bool is_loaded)
{
    struct reference_c_grid *c = &s->c;
    if (c->has_set && !is_loaded)
        take_set(s);
    else if (c->has_lifted && !is_loaded)
        take_lift(s);
    memset(c->is_set, 0, s->setup.geometry->ny);
    memset(c->is_lifted, 0, s->setup.geometry->ny);
    c->has_set = c->has_lifted = false;
    reference_c_grid_fill_halos(s);
    return STATUS_OK;
}
