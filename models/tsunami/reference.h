// Shared by both forms of the serial reference: reference.c (propagation) and reference_fv.c (run-up).
// Private to them.
#ifndef FATHOM_MODELS_TSUNAMI_REFERENCE_H
#define FATHOM_MODELS_TSUNAMI_REFERENCE_H

#include "models/tsunami/edges.h"

// Of c-grid-6, pitched as the state with C_GRID_HALO rows beyond the domain (reference_c_grid.c).
struct reference_c_grid {
    size_t rows;
    double *eta, *u, *v;                // at nodes; at eastern and northern faces, half a step before eta
    double *eta_next, *u_next, *v_next; // of the step, and what was set or lifted since the last one
    double *depth_u, *depth_v, *depth_corner;
    double *u_now, *v_now, *head, *vorticity, *across_u, *across_v; // of the velocities' half of a step
    double *eta_middle, *flux_u, *flux_v;                           // of the elevation's half
    int32_t *code;                                                  // c_grid.h
    double *x, *y;                     // per column and row: the members of struct c_grid_line, weights
    unsigned char *is_set, *is_lifted; // [ny], rows, since the last step
    bool has_set, has_lifted;
};

struct reference_line;
struct reference_shore_line;
struct reference_dispersion_line;

// Double, halo of one row and HALO columns about the interior, as the fast versions lay their arrays out.
struct solver {
    struct tsunami_setup setup;
    size_t rows, pitch;        // storage: [rows][pitch]
    double *u, *v;             // velocities
    double computed;           // node-steps
    struct reference_c_grid c; // c-grid-6
    // Propagation
    double *H; // total depth
    double *H_next, *u_next, *v_next;
    double *d; // still depth; ≤ wall depth is land; halo included
    // Run-up
    double *w, *z;               // surface over sea, depth over land: both small, rest is exact; bottom
    struct reference_line *line; // scratch of a sweep
    struct reference_shore_line *shore_line; // of vtcs2-shore
    // With dispersion
    double *u_before, *v_before, *psi[2], *phi, *divergence; // scratch of a step; psi: along x and y
    struct reference_dispersion_line *dispersion_line;       // scratch of a line
    // With eddy viscosity: what a step adds to u and v; ν and τ_xy at north-eastern corners
    double *eddy[2], *corner[2];
};

static inline size_t reference_at(const struct solver *s, ptrdiff_t i, ptrdiff_t j)
{
    return (size_t)((j + TSUNAMI_HALO_ROWS) * (ptrdiff_t)s->pitch + i + TSUNAMI_HALO_COLUMNS);
}

// Total depth of a node where the shore moves.
static inline double reference_depth(const struct solver *s, size_t k)
{
    return s->z[k] < 0 ? s->w[k] - s->z[k] : s->w[k];
}

// Elevation of the surface where the shore moves, on dry ground that of the bottom.
static inline double reference_surface(const struct solver *s, size_t k)
{
    return s->z[k] < 0 ? s->w[k] : s->w[k] + s->z[k];
}

// A sweep of one line where the shore moves.
struct reference_sweep {
    struct solver *solver;
    bool along_x;
    int64_t step;
    size_t number, lines; // of the line: its row, or its column; how many there are
    ptrdiff_t count;      // nodes of the line
    double gravity, dt, minimum;
};
struct reference_sweep reference_sweep_of(struct solver *solver, bool along_x, int64_t step);

static inline size_t reference_sweep_at(const struct reference_sweep *w, ptrdiff_t k)
{
    const ptrdiff_t number = (ptrdiff_t)w->number;
    return w->along_x ? reference_at(w->solver, k, number) : reference_at(w->solver, number, k);
}

static inline enum tsunami_side reference_sweep_side(const struct reference_sweep *w, bool is_plus)
{
    return w->along_x ? (is_plus ? TSUNAMI_EAST : TSUNAMI_WEST) : (is_plus ? TSUNAMI_NORTH : TSUNAMI_SOUTH);
}

// As in solver.h, the same for both.
enum status reference_new(const struct tsunami_setup *setup, struct solver **solver);
// Declares arrays of doubles, laid out as the state.
struct reference_array {
    double **pointer;
    const char *name;
};
enum status reference_plan_arrays(const struct solver *solver, struct memory_plan *plan, const char *prefix,
                                  const struct reference_array *arrays, size_t count);
// Rotation of the velocity at node k by f and the sphere's curvature.
void reference_rotate(struct solver *solver, size_t k, ptrdiff_t row);
void reference_get(const struct solver *solver, size_t row, size_t first, size_t count, double *eta_m,
                   double *u_m_s, double *v_m_s);
enum status reference_gather_edges(struct solver *solver, size_t slot);
void reference_work(const struct solver *solver, double *computed, double *skipped);

// The order of a step in both forms: sweeps and sources, reversed in odd steps if `alternates`; the boundary
// data of both axes once more, in the sweeps' order (NULL: once is enough); records.
struct reference_form {
    bool alternates;
    void (*apply_sources)(struct solver *solver, bool is_reversed);
    void (*sweep)(struct solver *solver, bool along_x, int64_t step);
    void (*give_edges)(struct solver *solver, bool along_x, int64_t step);
    void (*record)(struct solver *solver, double time_s);
    // Before a step's first sweep or sources, and before its records (NULL: nothing).
    void (*begin)(struct solver *solver);
    void (*complete)(struct solver *solver, bool is_reversed);
};
void reference_steps(struct solver *solver, const struct reference_form *form, int64_t first_step,
                     int64_t count);

// Of reference_fv.c.
void reference_get_flooding(const struct solver *solver, size_t row, size_t first, size_t count,
                            double *eta_m, double *u_m_s, double *v_m_s);
// Cos φ of the face to the south of a row (0 … ny), midway between the nodes; 1 on a plane.
double reference_face_cosine(const struct tsunami_geometry *geometry, ptrdiff_t row);
extern const struct tsunami_backend tsunami_backend_reference_flooding;

extern const struct tsunami_backend tsunami_backend_reference_staggered;
// Whether there are records of nodes, beside those of points.
bool reference_has_node_records(const struct tsunami_records *records);
// Updates the records at index k of their arrays.
void reference_record_node(const struct tsunami_records *records, size_t k, double eta, double H, double u,
                           double v, double time_s);

// Of reference_dispersion.c: arrays; saves the velocities before a step; adds dispersion to the step (in
// reversed order in odd ones).
enum status reference_plan_dispersion(struct solver *solver, struct memory_plan *plan, const char *prefix);
void reference_begin_dispersion(struct solver *solver);
void reference_disperse(struct solver *solver, bool is_reversed);

// Of reference_eddy.c: arrays; adds the horizontal stress to a step.
enum status reference_plan_eddies(struct solver *solver, struct memory_plan *plan, const char *prefix);
void reference_stir(struct solver *solver);

// Of reference_shore.c, for vtcs2-shore in place of the finite volumes: scratch; one sweep; boundary data;
// the metric's growth of the depth at node k of a row (none on a plane).
enum status reference_plan_shore(struct solver *solver, struct memory_plan *plan, const char *prefix);
void reference_sweep_shore(struct solver *solver, bool along_x, int64_t step);
void reference_give_shore(struct solver *solver, bool along_x, int64_t step);
void reference_metric_shore(struct solver *solver, size_t k, ptrdiff_t row);

#endif
