// What a back end of the tsunami model offers. One solver is one level (grid) with its state. The model owns
// time, sources, outputs and the memory plan; a solver owns the state arrays and how a step is done.
#ifndef FATHOM_MODELS_TSUNAMI_SOLVER_H
#define FATHOM_MODELS_TSUNAMI_SOLVER_H

#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/solver.h"
#include "models/tsunami/state.h"

struct checkpoint_rows;
struct ranks;
struct share;

struct tsunami_setup {
    const struct tsunami_geometry *geometry;
    const struct tsunami_physics *physics;
    const struct tsunami_records *records; // pointers valid after reserve
    const double *const
        *depth_m; // → the pitched depth array [ny][pitch], valid after reserve; wet: > wall_depth_m
    enum element precision; // ELEMENT_F32 or ELEMENT_F64
    double step_s, start_s;
    // Given edges: [TSUNAMI_SIDES], read where the edge is TSUNAMI_EDGE_GIVEN; NULL: there are no such edges.
    const struct tsunami_given_edge *given;
    // Of a nested grid: the parent's solver (same back end), and a link for every node of its given edges, in
    // the order of the edges; the model fills them in before `start`. NULL for the outermost grid.
    struct solver *parent;
    const struct tsunami_link *const *links;
    size_t link_count;
    int device; // which one, from 0, for a back end that has devices
    bool
        skips_quiet_tiles; // false: computes every wet tile (for tests and benchmarks; results are identical)
    // Of a grid whose rows are divided (geometry->own), for every rank; NULL: it is not.
    struct ranks *ranks;
    const struct share *shares;
};

// Results that a back end with a memory of its own computes where the state lies, so that the host does not
// wait for it.
enum tsunami_result {
    TSUNAMI_RESULT_FIELDS,
    TSUNAMI_RESULT_GAUGES,
    TSUNAMI_RESULT_DIAGNOSTICS,
    TSUNAMI_RESULTS
};

// The sums of the diagnostics: volume, kinetic and potential energy.
enum { TSUNAMI_DIAGNOSED_SUMS = 3 };

// The results that a run needs; the arrays stay valid until the solver is destroyed. Records are laid out as
// in the model's streams (dense: [variable][row][column], [variable][gauge], [TSUNAMI_DIAGNOSTICS] doubles).
// Of a divided grid they are this rank's part: its rows of the fields, its gauges (those in its rows, in a
// record of all), and of the diagnostics the memory of each sum for sums_take (parallel/sums.h), then a
// record of this rank alone, of which the extremes are used.
struct tsunami_wanted {
    int slots[TSUNAMI_RESULTS];            // frames under way at most; 0: the result is not wanted
    size_t frame_records[TSUNAMI_RESULTS]; // records in a frame
    enum element element;                  // of the fields and the gauges
    bool fields[TSUNAMI_FIELD_COUNT];
    struct tsunami_crop crop; // of a divided grid this rank's rows
    size_t held_rows;         // of the crop, in a frame on the host: rank 0's has place for those of all
    size_t diagnostics_bytes; // of a record
    size_t gauge_count;
    const struct tsunami_gauge_place *gauges; // [gauge_count]
};

// Found by a guard: the first node, in index order, that is not finite or exceeds the stability limit.
struct tsunami_invalid {
    int64_t step; // after which it was seen; -1: nothing was found
    size_t row, column;
    double eta_m, u_m_s, v_m_s;
};

// (required) unless marked.
struct tsunami_backend {
    // models/backend.h. warm_up: before `start`, which discards its traces. advance: records after each step
    // (unless they are paused). fetch: for get, set, lift and checkpoint_arrays.
    struct backend head;
    // (optional) The same back end for methods with a moving shoreline (tsunami_method_floods): same name,
    // rank and devices. NULL: not available.
    const struct tsunami_backend *flooding;
    // (optional) The same for methods on a staggered grid (tsunami_method_is_staggered). NULL: not available.
    const struct tsunami_backend *staggered;
    bool has_dispersion; // whether it can compute with physics->has_dispersion
    // Creates the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct solver **solver);
    // After reserve, with the depth filled in: coefficients, land and tile lists; the state becomes rest.
    enum status (*start)(struct solver *solver);
    // State of `count` nodes of a row from column `first`: η (m), u east and v north (m/s); on land η = NaN,
    // u = v = 0. Where the shore moves a dry node gives the height of the bottom plus its film of water.
    void (*get)(const struct solver *solver, size_t row, size_t first, size_t count, double *eta_m,
                double *u_m_s, double *v_m_s);
    // Sets the state; land stays.
    void (*set)(struct solver *solver, size_t row, size_t first, size_t count, const double *eta_m,
                const double *u_m_s, const double *v_m_s);
    // (required on a staggered grid, else left out; set_staggered of the reference alone) The state as it is
    // kept, of rows 0 … ny: η [nx] of the row; u [nx + 1] at the faces to the west of its nodes and to the
    // east of the last, v [nx] at those to the south, both half a step before η. Row ny has only v. `set` and
    // `get` convert, which smooths.
    void (*get_staggered)(const struct solver *solver, size_t row, double *eta_m, double *u_m_s,
                          double *v_m_s);
    void (*set_staggered)(struct solver *solver, size_t row, const double *eta_m, const double *u_m_s,
                          const double *v_m_s);
    // Adds `uplift_m` to η. Where the shore moves the bottom rises too, by `bottom_m`: the uplift in the
    // state's precision. May be called for different rows from several threads.
    void (*lift)(struct solver *solver, size_t row, const double *uplift_m, const double *bottom_m);
    // Updates maxima and arrivals from the present state, without a step.
    void (*record)(struct solver *solver, double time_s);
    // (optional) Of a back end with a memory of its own: copies the records to the model's arrays.
    enum status (*fetch_records)(struct solver *solver);
    // (optional) Takes over the model's record arrays, which a loaded checkpoint has changed.
    enum status (*send_records)(struct solver *solver);
    // (optional) Of a back end with a memory of its own: takes over `count` slots of all given edges from
    // slot `first` on.
    enum status (*take_edges)(struct solver *solver, size_t first, size_t count);
    // (required for nested grids) The parent's present state at the links becomes slot `slot` of all given
    // edges: weighted over the parent's wet nodes; NaN where all are dry.
    enum status (*gather_edges)(struct solver *solver, size_t slot);
    // (optional) Rows that a rank must have at least, where the back end can compute divided grids; `get`
    // then reads a row beyond the own ones too, and touch, fetch_records, gather_edges, advance and finish
    // are called by all ranks together. NULL: it cannot. Returns 0: not with these physics.
    size_t (*least_rows)(const struct tsunami_physics *physics, size_t nx, size_t ny);
    // (optional, with it) Nodes up to which a grid of several is faster whole on each rank than divided.
    size_t whole_nodes;
    // (required with it) Which rows the arrays of the checkpoint have.
    void (*checkpoint_rows)(const struct solver *solver, struct checkpoint_rows *rows);
    // Node-steps computed and skipped so far; of divided grids, after finish, of all ranks.
    void (*work)(const struct solver *solver, double *computed, double *skipped);
    // (optional, all or none; only with `fetch`, but finish with least_rows too) With the head's send: each
    // queues its work, in the order of the calls and after the steps queued before, and returns.
    // plan_results: before reserve. capture: the present state becomes record `record` of the result's frame
    // `slot`. await: returns when the frame's records have arrived; the only one that the I/O thread calls.
    // guard: searches for invalid nodes, and reports an earlier search that has ended; await and finish fill
    // `found` too. finish: returns when all work is done.
    enum status (*plan_results)(struct solver *solver, const struct tsunami_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct solver *solver, enum tsunami_result result, int slot, size_t record);
    enum status (*await)(struct solver *solver, enum tsunami_result result, int slot,
                         struct tsunami_invalid *found);
    enum status (*guard)(struct solver *solver, int64_t step, struct tsunami_invalid *found);
    enum status (*finish)(struct solver *solver, struct tsunami_invalid *found);
};

extern const struct tsunami_backend tsunami_backend_reference;
extern const struct tsunami_backend tsunami_backend_openmp;

// All of the tsunami model's, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list tsunami_backends;

// Updates the records of the points (records->points) from the solver's present state, which `get` reads, as
// that above. For back ends whose state lies on the host; called wherever they take records.
typedef void tsunami_point_get(const struct solver *solver, size_t row, size_t first, size_t count,
                               double *eta_m, double *u_m_s, double *v_m_s);
void tsunami_point_record_all(const struct tsunami_setup *setup, const struct solver *solver,
                              tsunami_point_get *get, double time_s);

// Node-steps computed and skipped by this rank → of all ranks on rank 0, 0 on the others.
enum status tsunami_gather_counts(struct ranks *ranks, double counts[2]);

// The table of a back end for a method; NULL: not available.
static inline const struct tsunami_backend *tsunami_backend_for(const struct tsunami_backend *backend,
                                                                enum tsunami_method method)
{
    return tsunami_method_floods(method)         ? backend->flooding
           : tsunami_method_is_staggered(method) ? backend->staggered
                                                 : backend;
}

#endif
