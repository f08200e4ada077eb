// What a back end of the tsunami model offers. One solver is one level (grid) with its state. The model owns
// time, sources, outputs and the memory plan; a solver owns the state arrays and how a step is done.
#ifndef FATHOM_MODELS_TSUNAMI_SOLVER_H
#define FATHOM_MODELS_TSUNAMI_SOLVER_H

#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/tsunami/state.h"

struct tsunami_setup {
    const struct tsunami_geometry *geometry;
    const struct tsunami_physics *physics;
    const struct tsunami_records *records; // pointers valid after reserve
    const double *const
        *depth_m; // → the pitched depth array [ny][pitch], valid after reserve; wet: > wall_depth_m
    enum element precision; // ELEMENT_F32 or ELEMENT_F64
    double step_s, start_s;
    bool
        skips_quiet_tiles; // false: computes every wet tile (for tests and benchmarks; results are identical)
};

struct tsunami_solver;

// (required) unless marked.
struct tsunami_backend {
    const char *name;
    const char *summary;
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct tsunami_solver **solver);
    // After reserve, with the depth filled in: coefficients, land and tile lists; the state becomes rest.
    enum status (*start)(struct tsunami_solver *solver);
    // State of `count` nodes of a row from column `first`: η (m), u east and v north (m/s); land gives η =
    // NaN, u = v = 0.
    void (*get)(const struct tsunami_solver *solver, size_t row, size_t first, size_t count, double *eta_m,
                double *u_m_s, double *v_m_s);
    // Sets the state; land is left alone.
    void (*set)(struct tsunami_solver *solver, size_t row, size_t first, size_t count, const double *eta_m,
                const double *u_m_s, const double *v_m_s);
    // Adds to η (a moving bottom lifts the water by as much). May be called for different rows from several
    // threads.
    void (*lift)(struct tsunami_solver *solver, size_t row, const double *uplift_m);
    // Brings maxima and arrivals up to the present state, without a step.
    void (*record)(struct tsunami_solver *solver, double time_s);
    // After set or a loaded checkpoint: whatever is derived from the state (tile lists, halos) is made anew.
    void (*touch)(struct tsunami_solver *solver);
    // (optional) For a back end whose state lies elsewhere: brings the present state to where get, set, lift and
    // checkpoint_arrays find it, and the records to the model's arrays. Called before any of these.
    enum status (*fetch)(struct tsunami_solver *solver);
    enum status (*fetch_records)(struct tsunami_solver *solver);
    // (optional) The model's record arrays were changed (a loaded checkpoint): takes them over.
    enum status (*send_records)(struct tsunami_solver *solver);
    // Steps first_step … first_step + count − 1; records after each.
    enum status (*advance)(struct tsunami_solver *solver, int64_t first_step, int64_t count);
    // The state's arrays as they lie now (for checkpoints); returns how many. `touch` follows when they were
    // loaded.
    int (*checkpoint_arrays)(struct tsunami_solver *solver, struct checkpoint_array *arrays);
    // Node-steps computed and skipped so far.
    void (*work)(const struct tsunami_solver *solver, double *computed, double *skipped);
    const char *(*instruction_set)(void);
    void (*destroy)(struct tsunami_solver *solver);
};

extern const struct tsunami_backend tsunami_backend_reference;
extern const struct tsunami_backend tsunami_backend_openmp;

// Adds a back end that models/ does not know of; before any job is read. At most a few.
void tsunami_backend_register(const struct tsunami_backend *backend);

// By name; NULL if unknown or not compiled in. "auto" is the fastest there is.
const struct tsunami_backend *tsunami_backend_find(const char *name);
// The names compiled in, "reference, openmp": for messages.
const char *tsunami_backend_names(void);

#endif
