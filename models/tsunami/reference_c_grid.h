// Shared by the files of the serial reference of `c-grid-6` (reference_c_grid.c, its table and its arrays;
// reference_c_grid_step.c, a step; reference_c_grid_changes.c, what is set and lifted between steps): places
// in the arrays and stencils along a line. Private to them.
#ifndef FATHOM_MODELS_TSUNAMI_REFERENCE_C_GRID_H
#define FATHOM_MODELS_TSUNAMI_REFERENCE_C_GRID_H

#include "models/tsunami/c_grid.h"
#include "models/tsunami/reference.h"

static inline size_t at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return (size_t)((j + C_GRID_HALO) * (ptrdiff_t)s->pitch + i + TSUNAMI_HALO_COLUMNS);
}

// Of a column or row, in c.x and c.y.
enum { FACE_M, NODE_M, COS_NODE, COS_FACE, CORIOLIS, LINE_MEMBERS };

static inline double along(const double *lines, ptrdiff_t index, int member)
{
    return lines[(index + TSUNAMI_HALO_COLUMNS) * LINE_MEMBERS + member];
}

static inline double x_of(const struct solver *s, ptrdiff_t i, int member)
{
    return along(s->c.x, i, member);
}

static inline double y_of(const struct solver *s, ptrdiff_t j, int member)
{
    return along(s->c.y, j, member);
}

static inline bool is_wet(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return s->c.code[at(s, i, j)] & C_GRID_WET;
}

// The six values about a face or a node, in order, and the steps from one to the next in the arrays.
struct six {
    double of[6];
};

// Nodes −2 … 3 about the face k between nodes k and k + step; beyond a wall the mirror image.
static inline struct six nodes_about(const double *f, ptrdiff_t step, int before, int after)
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

// Faces −5/2 … 5/2 about the node k; beyond a coast or an edge the mirror image about the value on it,
// with the opposite sign of the difference: on coasts and walls the value is 0, on open edges what passes.
static inline struct six faces_about(const double *f, ptrdiff_t step, int before, int after)
{
    const double c = f[-step], d = f[0];
    const double b = before >= 1 ? f[-2 * step] : 2 * c - d, e = after >= 1 ? f[step] : 2 * d - c;
    const double near_a = before == 1 ? 2 * b - c : 2 * c - e, near_f = after == 1 ? 2 * e - d : 2 * d - b;
    return (struct six){{before == 2 ? f[-3 * step] : near_a, b, c, d, e, after == 2 ? f[2 * step] : near_f}};
}

static inline double difference(struct six six)
{
    double weights[3], mean[3];
    c_grid_weights(6, weights, mean);
    return weights[0] * (six.of[3] - six.of[2]) + weights[1] * (six.of[4] - six.of[1]) +
           weights[2] * (six.of[5] - six.of[0]);
}

static inline double mean(struct six six, double order)
{
    double weights[3], unused[3];
    c_grid_weights((int)order, unused, weights);
    return weights[0] * (six.of[3] + six.of[2]) + weights[1] * (six.of[4] + six.of[1]) +
           weights[2] * (six.of[5] + six.of[0]);
}

static inline struct six squared(struct six six)
{
    for (int k = 0; k < 6; k++)
        six.of[k] *= six.of[k];
    return six;
}

static inline struct six nodes_about_u(const struct solver *s, const double *f, size_t k)
{
    const int32_t *code = s->c.code + k;
    return nodes_about(f + k, 1, c_grid_reach(code[0], C_GRID_WEST), c_grid_reach(code[1], C_GRID_EAST));
}

static inline struct six nodes_about_v(const struct solver *s, const double *f, size_t k)
{
    const int32_t *code = s->c.code + k;
    return nodes_about(f + k, (ptrdiff_t)s->pitch, c_grid_reach(code[0], C_GRID_SOUTH),
                       c_grid_reach(code[s->pitch], C_GRID_NORTH));
}

static inline struct six faces_along_x(const struct solver *s, const double *f, size_t k)
{
    const int code = s->c.code[k];
    return faces_about(f + k, 1, c_grid_reach(code, C_GRID_WEST), c_grid_reach(code, C_GRID_EAST));
}

static inline struct six faces_along_y(const struct solver *s, const double *f, size_t k)
{
    const int code = s->c.code[k];
    return faces_about(f + k, (ptrdiff_t)s->pitch, c_grid_reach(code, C_GRID_SOUTH),
                       c_grid_reach(code, C_GRID_NORTH));
}

// Calls `visit` for all places of the domain and of a margin about it.
static inline void for_all(struct solver *s, ptrdiff_t margin,
                           void (*visit)(struct solver *, ptrdiff_t, ptrdiff_t))
{
    const struct tsunami_geometry *g = s->setup.geometry;
    for (ptrdiff_t j = -margin; j < (ptrdiff_t)g->ny + margin; j++)
        for (ptrdiff_t i = -margin; i < (ptrdiff_t)g->nx + margin; i++)
            visit(s, i, j);
}

// ---- reference_c_grid_step.c

// How far beyond the domain the pressure is needed, where periodic edges have values there.
enum { REFERENCE_C_GRID_HEAD_MARGIN = 3 };

// Fills what lies beyond the domain: periodic edges bring the other side's values; the surface beyond other
// edges is that of the edge. The second: of the state.
void reference_c_grid_fill_halo(const struct solver *solver, double *field, bool is_surface);
void reference_c_grid_fill_halos(const struct solver *solver);

// At a node, at the time of η: the mean of the velocities (m/s) about it.
void reference_c_grid_node(const struct solver *solver, ptrdiff_t column, ptrdiff_t row, double *u_m_s,
                           double *v_m_s);

// The faces' velocities at the time of η (m/s), into u_now and v_now, from a state with its halos.
void reference_c_grid_now(struct solver *solver);

// The pressure g(f + Δt²/12 ∇·(g d ∇f)) of a surface f (m), over the density (m²/s²), at a wet node.
double reference_c_grid_pressure(const struct solver *solver, const double *surface_m, ptrdiff_t column,
                                 ptrdiff_t row);

// The two halves of a step. Velocities: into u_next and v_next, from a state with its halos; elevations: into
// eta_next, from new velocities in u and v with their halos.
void reference_c_grid_velocities(struct solver *solver);
void reference_c_grid_elevations(struct solver *solver);

// ---- reference_c_grid_changes.c: of the back end's table

void reference_c_grid_set(struct solver *solver, size_t row, size_t first, size_t count, const double *eta_m,
                          const double *u_m_s, const double *v_m_s);
void reference_c_grid_lift(struct solver *solver, size_t row, const double *uplift_m, const double *bottom_m);
enum status reference_c_grid_touch(struct solver *solver, bool is_loaded);

#endif
