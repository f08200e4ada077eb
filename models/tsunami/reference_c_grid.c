// The serial reference of `c-grid-6`: its arrays, its steps one after the other, and the access to its state.
// The step itself is in reference_c_grid_step.c.
#include "models/tsunami/reference_c_grid.h"

#include <math.h>
#include <string.h>

static void fill_lines(struct solver *s, bool along_x)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t n = (ptrdiff_t)(along_x ? g->nx : g->ny);
    double *lines = along_x ? s->c.x : s->c.y;
    for (ptrdiff_t k = -C_GRID_HALO; k < n + C_GRID_HALO; k++) {
        const struct c_grid_line line = c_grid_line(&s->setup, along_x, k);
        const double members[LINE_MEMBERS] = {line.face_m, line.node_m, line.cos_node, line.cos_face,
                                              line.coriolis_per_s};
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

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

static tsunami_point_get c_grid_reference_get;

// The nodes' means are those of reference_c_grid_node, with each face's velocity found once.
static void record_nodes(struct solver *s, double time_s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct reference_c_grid *c = &s->c;
    reference_c_grid_now(s);
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const size_t k = at(s, i, j);
            if (!is_wet(s, i, j))
                continue;
            const double u = mean(faces_along_x(s, c->u_now, k), 6),
                         v = mean(faces_along_y(s, c->v_now, k), 6);
            reference_record_node(s->setup.records, (size_t)j * g->pitch + (size_t)i, c->eta[k],
                                  c_grid_depth_m(&s->setup, i, j) + c->eta[k], u, v, time_s);
        }
}

static void c_grid_reference_record(struct solver *s, double time_s)
{
    if (reference_has_node_records(s->setup.records))
        record_nodes(s, time_s);
    tsunami_point_record_all(&s->setup, s, c_grid_reference_get, time_s);
}

static enum status c_grid_reference_advance(struct solver *s, int64_t first_step, int64_t count)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    struct reference_c_grid *c = &s->c;
    for (int64_t step = first_step; step < first_step + count; step++) {
        reference_c_grid_velocities(s);
        swap(&c->u, &c->u_next);
        swap(&c->v, &c->v_next);
        reference_c_grid_fill_halos(s);
        reference_c_grid_elevations(s);
        swap(&c->eta, &c->eta_next);
        reference_c_grid_fill_halos(s);
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
        reference_c_grid_node(s, i, j, &u_m_s[m], &v_m_s[m]);
    }
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
             .touch = reference_c_grid_touch,
             .advance = c_grid_reference_advance,
             .checkpoint_arrays = c_grid_reference_checkpoint_arrays},
    .staggered = &tsunami_backend_reference_staggered,
    .plan = c_grid_reference_plan,
    .start = c_grid_reference_start,
    .get = c_grid_reference_get,
    .set = reference_c_grid_set,
    .get_staggered = c_grid_reference_get_staggered,
    .set_staggered = c_grid_reference_set_staggered,
    .lift = reference_c_grid_lift,
    .record = c_grid_reference_record,
    .gather_edges = reference_gather_edges,
    .work = reference_work,
};
