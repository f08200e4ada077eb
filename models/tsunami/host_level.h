// The arrays of one level on the host, in the solver's precision: state, bottom and coefficients, with access
// to them. In the perturbation form (point.inc), or where the shore moves in that of fv_point.inc. Shared by
// the fast back ends; a device's mirror lies here. Independent of threads, tiles and devices.
#ifndef FATHOM_MODELS_TSUNAMI_HOST_LEVEL_H
#define FATHOM_MODELS_TSUNAMI_HOST_LEVEL_H

#include "models/tsunami/solver.h"
#include "parallel/exchange.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HOST_COLUMN_COEFFICIENTS = 4, HOST_ROW_COEFFICIENTS = 8, HOST_COPIES_MAX = 2 };

struct host_level {
    struct tsunami_setup setup;
    bool floods;        // the method is one with a moving shoreline
    size_t rows, pitch; // storage, halo included: [rows][pitch]
    // Of a divided grid the storage has only the rows `stored` of these: its own ones, those of its
    // neighbours that a step reads, and what lies beyond the grid's edges. Pointers are to where row 0 would
    // be. kept: what a checkpoint has, of storage.
    struct tsunami_rows own, stored, kept;
    // is_ring: a divided grid that is periodic in its rows. Its first and last rank hold each other's rows
    // beyond the edges, as many as others hold of their neighbours; `stored` may begin with a negative
    // number, converted. Else a periodic grid's rows beyond its edges are copies, or loops wrap around.
    bool is_divided, is_ring;
    size_t element;      // bytes
    size_t halo_offset;  // interior node (0, 0) lies so many elements into each array
    int copies, current; // of the state; the present one
    void *state[HOST_COPIES_MAX][TSUNAMI_FIELDS]; // e, u, v; where the shore moves w, u, v
    // Only the one of the form. c0: resting celerity, 0 on land and beyond the domain. z: height of the
    // bottom; beyond an edge the edge's or, on periodic edges, the other side's.
    void *c0, *z;
    // [4][pitch], of column i at HALO_COLUMNS + i: 1/(dm + dp), 1/dm, 1/dp, dp - dm.
    // Of finite volumes (tsunami_method_has_cells): 1/(dm + dp), dm + dp, 1 over the mean width of the cell
    // and its eastern neighbour, 0. Where the shore moves columns -2 ... nx + 1.
    void *columns;
    // [8][rows], of row j at HALO_ROWS + j: the same along y, step / cos latitude, and step times: Coriolis,
    // curvature (0 if switched off), half the metric. Of finite volumes the first four are: step over the
    // cell's height and its cos latitude; cos latitude of the row, of its south face, of its north face.
    void *row_coefficients;
    // Of divided grids: of a copy of the state, or of the bottom, each from the grid's row 0 on.
    struct exchange state_exchange, bottom_exchange;
    void *exchanged[TSUNAMI_FIELDS], *exchanged_bottom;
};

// Declares the arrays, `copies` (1 or 2) of the state, which lies in memory of `kind`.
enum status host_level_plan(struct host_level *level, const struct tsunami_setup *setup,
                            struct memory_plan *plan, const char *prefix, int copies, enum memory_kind kind);

// With the depth filled in: coefficients, bottom; the state becomes rest.
void host_level_start(struct host_level *level);

// Resting celerity of a node, 0 on land; columns and rows beyond the domain are land or, on periodic edges,
// the other side's. Not where the shore moves.
double host_level_celerity(const struct host_level *level, ptrdiff_t column, ptrdiff_t row);

// As in solver.h, on the present state.
void host_level_get(const struct host_level *level, size_t row, size_t first, size_t count, double *eta_m,
                    double *u_m_s, double *v_m_s);
void host_level_set(struct host_level *level, size_t row, size_t first, size_t count, const double *eta_m,
                    const double *u_m_s, const double *v_m_s);
void host_level_lift(struct host_level *level, size_t row, const double *uplift_m, const double *bottom_m);

// Makes the other copy of the state that of the present one.
void host_level_copy_state(struct host_level *level);

// Copies periodic edges of the present state into the halo (and of the bottom, where it may move).
// The rows of other ranks are exchanged after it.
void host_level_fill_halo(struct host_level *level);

// Rows beside its own that a rank holds: what a step reads. The least that a rank must have.
size_t host_level_reach(const struct tsunami_physics *physics);
// Exchanges the rows of a copy of the state with the neighbours, if the grid is divided; and those of the
// bottom.
enum status host_level_exchange(struct host_level *level, int copy);
// The same in two parts: between them the rows of other ranks must not be read, and the own ones that they
// read not change.
enum status host_level_exchange_begin(struct host_level *level, int copy);
enum status host_level_exchange_end(struct host_level *level);
enum status host_level_exchange_bottom(struct host_level *level);

// The present state's arrays; returns how many (TSUNAMI_FIELDS, and where the shore moves the bottom too).
int host_level_checkpoint_arrays(struct host_level *level, struct checkpoint_array *arrays);
void host_level_checkpoint_rows(const struct host_level *level, struct checkpoint_rows *rows);

// Row `row` of an array's storage. (NULL before the reservation.)
static inline void *host_level_row(const struct host_level *level, void *block, size_t row)
{
    return block ? (void *)((uintptr_t)block + row * level->pitch * level->element) : NULL;
}

// What Manning's friction needs at a point: step times n^2 g^(7/3) (point.inc), where the shore moves g n^2
// (fv_point.inc).
double host_level_friction(const struct host_level *level);

#ifdef __cplusplus
}
#endif

#endif
