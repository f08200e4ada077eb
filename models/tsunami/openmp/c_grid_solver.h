// The fast CPU version of `c-grid-6` as its files share it: c_grid_plan.c plans and starts it,
// c_grid_solver.c makes the steps, c_grid_changes.c gets, sets and lifts the state between steps.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_C_GRID_SOLVER_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_C_GRID_SOLVER_H

#include "models/tsunami/moving.h"
#include "models/tsunami/openmp/c_grid.h"
#include "models/tsunami/solver.h"
#include "parallel/exchange.h"

struct solver {
    struct tsunami_setup setup; // first: a nested grid of another method reads it
    const struct tsunami_c_grid_functions *functions;
    int threads;
    size_t rows, pitch, element, offset; // storage: [rows][pitch]; interior node (0, 0) at `offset`
    void *state[2][TSUNAMI_FIELDS];      // η, u, v: the present and the other copy
    int current;
    void *depth, *depth_u, *depth_v, *inverse_corner, *columns, *row_members;
    int32_t *code;
    uint8_t *is_beside_land; // [rows][block_pitch]: see c_grid.h
    size_t block_pitch;
    double shallowest_m; // of the wet nodes
    void *scratch;
    size_t scratch_pitch;
    unsigned char *is_set, *is_lifted; // [ny], since the last `touch`
    bool has_set, has_lifted;
    size_t tile_columns, tile_rows, tile_count;
    struct tsunami_tile *tiles;
    uint8_t *is_awake, *is_moving;
    int32_t *list; // the awake tiles
    size_t list_length;
    double counts[2]; // node-steps computed and skipped
    // Of a divided grid: this rank's rows, those held, and of storage those held and those of a checkpoint.
    // Pointers are to where row 0 would be.
    bool is_divided, is_ring; // see host_level.h
    struct tsunami_rows own, stored, kept;
    struct tsunami_moving moving;              // is_moving of other ranks too
    bool is_listed;                            // `list` is that of the present state
    struct exchange exchanges[TSUNAMI_FIELDS]; // one for each number of fields that may go together
    void *exchanged[TSUNAMI_FIELDS];
    enum status status; // of the exchanges in a step
};

static inline bool c_grid_is_single(const struct solver *s)
{
    return s->setup.precision == ELEMENT_F32;
}

static inline void *c_grid_stored_row(const struct solver *s, void *block, size_t row)
{
    return block ? (void *)((uintptr_t)block + row * s->pitch * s->element) : NULL;
}

// Of c_grid_plan.c: memory, tiles, and the arrays that no step changes. A copy of the state becomes zero.
enum status openmp_c_grid_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct solver **solver);
enum status openmp_c_grid_start(struct solver *s);
void openmp_c_grid_clear_copy(struct solver *s, int copy);

// Of c_grid_solver.c. The velocities of a tile into the other copy (unless is_record_only), and before them
// the records of the present state (records: or NULL); whether any value of a tile in a copy is not zero; the
// halo of field 0 (η), 1 (u) or 2 (v) of a copy; the exchange of rows of fields `first` to `last` of it with
// the neighbours, after their halos are filled.
void openmp_c_grid_velocity(const struct solver *s, const struct tsunami_tile *tile,
                            const struct tsunami_records *records, bool is_record_only, float time_s);
bool openmp_c_grid_moves(const struct solver *s, const struct tsunami_tile *tile, int copy);
void openmp_c_grid_fill_halo(const struct solver *s, int copy, int field);
enum status openmp_c_grid_exchange(struct solver *s, int copy, int first, int last);

// Of c_grid_changes.c: operations of struct tsunami_backend (models/tsunami/solver.h).
void openmp_c_grid_get(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s);
void openmp_c_grid_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s);
void openmp_c_grid_get_staggered(const struct solver *s, size_t row, double *eta_m, double *u_m_s,
                                 double *v_m_s);
void openmp_c_grid_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m);
enum status openmp_c_grid_touch(struct solver *s, bool is_loaded);
void openmp_c_grid_record(struct solver *s, double time_s);

#endif
