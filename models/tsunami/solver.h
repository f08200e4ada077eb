// What a back end of the tsunami model offers. One solver is one level (grid) with its state. The model owns
// time, sources, outputs and the memory plan; a solver owns the state arrays and how a step is done.
#ifndef FATHOM_MODELS_TSUNAMI_SOLVER_H
#define FATHOM_MODELS_TSUNAMI_SOLVER_H

#include "core/device_times.h"
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
    // Given edges: [TSUNAMI_SIDES], of which those with the edge TSUNAMI_EDGE_GIVEN are looked at; NULL if
    // none is.
    const struct tsunami_given_edge *given;
    // Of a nested grid: the parent's solver (of the same back end), and a link for every node of its given
    // edges, sides in their order. Filled in by the model before `start`. NULL for the outermost grid.
    struct tsunami_solver *parent;
    const struct tsunami_link *const *links;
    size_t link_count;
    int device; // which one, from 0, for a back end that has devices
    bool
        skips_quiet_tiles; // false: computes every wet tile (for tests and benchmarks; results are identical)
};

// Results that a back end with a memory of its own makes where the state lies, so that the host does not
// wait for it.
enum tsunami_result {
    TSUNAMI_RESULT_FIELDS,
    TSUNAMI_RESULT_GAUGES,
    TSUNAMI_RESULT_DIAGNOSTICS,
    TSUNAMI_RESULTS
};

// What of them a run wants; the arrays stay where they are until the solver is destroyed. Records are laid
// out as the model's streams have them (dense: [variable][row][column], [variable][gauge],
// [TSUNAMI_DIAGNOSTICS] doubles).
struct tsunami_wanted {
    int slots[TSUNAMI_RESULTS];            // frames under way at most; 0: the result is not wanted
    size_t frame_records[TSUNAMI_RESULTS]; // records in a frame
    enum element element;                  // of the fields and the gauges
    bool fields[TSUNAMI_FIELD_COUNT];
    struct tsunami_crop crop;
    size_t gauge_count;
    const size_t *gauge_rows, *gauge_columns;
};

// What a guard found: the first node, in index order, that is no number or outran the stability limit.
struct tsunami_unsound {
    int64_t step; // after which it was seen; -1: nothing was found
    size_t row, column;
    double eta_m, u_m_s, v_m_s;
};

struct tsunami_solver;

// (required) unless marked.
struct tsunami_backend {
    const char *name;
    const char *summary;
    int rank; // "auto" takes the usable back end with the highest; openmp has 0, and goes before others of 0
    bool has_devices; // "NAME:1" is its second device (tsunami_setup.device)
    // (optional) The same back end for methods with a moving shoreline (tsunami_method_floods): all of its
    // other members are as they are here. NULL: it has none.
    const struct tsunami_backend *flooding;
    bool has_dispersion; // whether it can compute with physics->has_dispersion
    // (optional) Whether this machine can run it on device number `device` (0 without devices). If not, `why`
    // gets the reason in a line. May be asked often, but before any seal: the first asking may start the
    // device's libraries, which allocate. Left out: it can.
    bool (*is_usable)(int device, char *why, size_t bytes);
    // (optional) Whether what is_usable refuses is for want of any device, which is no news: "auto" then says
    // nothing.
    bool (*is_absent)(void);
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct tsunami_solver **solver);
    // (optional) After reserve and before the seal: what is to be used is used once, so that libraries
    // allocate now what they allocate at first use. `start` follows and forgets all of it.
    enum status (*warm_up)(struct tsunami_solver *solver);
    // After reserve, with the depth filled in: coefficients, land and tile lists; the state becomes rest.
    enum status (*start)(struct tsunami_solver *solver);
    // State of `count` nodes of a row from column `first`: η (m), u east and v north (m/s); land gives η =
    // NaN, u = v = 0. Where the shore moves no node is land: a dry one gives the bottom's height (plus what
    // is left on it).
    void (*get)(const struct tsunami_solver *solver, size_t row, size_t first, size_t count, double *eta_m,
                double *u_m_s, double *v_m_s);
    // Sets the state; land is left alone.
    void (*set)(struct tsunami_solver *solver, size_t row, size_t first, size_t count, const double *eta_m,
                const double *u_m_s, const double *v_m_s);
    // Adds to η (a moving bottom lifts the water by as much). Where the shore moves the bottom rises too, by
    // `bottom_m`: the uplift as the state's precision has it. May be called for different rows from several
    // threads.
    void (*lift)(struct tsunami_solver *solver, size_t row, const double *uplift_m, const double *bottom_m);
    // Brings maxima and arrivals up to the present state, without a step.
    void (*record)(struct tsunami_solver *solver, double time_s);
    // After set or a loaded checkpoint: whatever is derived from the state (tile lists, halos) is made anew.
    void (*touch)(struct tsunami_solver *solver);
    // (optional) For a back end whose state lies elsewhere: brings the present state to where get, set, lift
    // and checkpoint_arrays find it, and the records to the model's arrays. Called before any of these.
    enum status (*fetch)(struct tsunami_solver *solver);
    enum status (*fetch_records)(struct tsunami_solver *solver);
    // (optional) The model's record arrays were changed (a loaded checkpoint): takes them over.
    enum status (*send_records)(struct tsunami_solver *solver);
    // (optional) The model has written `count` slots of all given edges from slot `first` on: a back end with
    // a memory of its own takes them over.
    enum status (*take_edges)(struct tsunami_solver *solver, size_t first, size_t count);
    // (required for nested grids) What the parent's present state has at the links becomes slot `slot` of all
    // given edges: weighted over the parent's wet nodes; NaN where it has none.
    enum status (*gather_edges)(struct tsunami_solver *solver, size_t slot);
    // Steps first_step … first_step + count − 1; records after each (unless they are paused). A back end with
    // `finish` may only begin them.
    enum status (*advance)(struct tsunami_solver *solver, int64_t first_step, int64_t count);
    // The state's arrays as they lie now (for checkpoints); returns how many. `touch` follows when they were
    // loaded.
    int (*checkpoint_arrays)(struct tsunami_solver *solver, struct checkpoint_array *arrays);
    // Node-steps computed and skipped so far.
    void (*work)(const struct tsunami_solver *solver, double *computed, double *skipped);
    // (optional, all or none; only with `fetch`) Each begins its work, in the order of the calls and after
    // the steps begun before, and returns. plan_results: before reserve. capture: the present state becomes
    // record number `record` of the result's frame `slot`. send: the frame's first `records` records start
    // their way to `to` (pinned). await: returns when they are there; the only one of these that the I/O
    // thread calls, alongside the run's thread. guard: looks for unsound nodes, and tells what an earlier
    // look found, if that is known by now; await and finish fill `found` too. finish: returns when
    // everything begun is done.
    enum status (*plan_results)(struct tsunami_solver *solver, const struct tsunami_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct tsunami_solver *solver, enum tsunami_result result, int slot,
                           size_t record);
    enum status (*send)(struct tsunami_solver *solver, enum tsunami_result result, int slot, size_t records,
                        void *to);
    enum status (*await)(struct tsunami_solver *solver, enum tsunami_result result, int slot,
                         struct tsunami_unsound *found);
    enum status (*guard)(struct tsunami_solver *solver, int64_t step, struct tsunami_unsound *found);
    enum status (*finish)(struct tsunami_solver *solver, struct tsunami_unsound *found);
    // (optional) The device that the solver works on, for people; owned by the solver.
    const char *(*device_name)(const struct tsunami_solver *solver);
    // (optional) What the device did so far, from its own clock; after finish.
    struct device_times (*times)(const struct tsunami_solver *solver);
    // (optional) Bytes read and written a second by a plain copy in the memory that the solver works in, on
    // device number `device`.
    enum status (*measure_copy)(int device, double *bytes_per_s);
    const char *(*instruction_set)(void);
    void (*destroy)(struct tsunami_solver *solver);
};

extern const struct tsunami_backend tsunami_backend_reference;
extern const struct tsunami_backend tsunami_backend_openmp;

// Adds a back end that models/ does not know of; before any job is read. At most a few.
void tsunami_backend_register(const struct tsunami_backend *backend);

// Tells of one that other builds have and this has not, and why: `reason` completes '"NAME" is ...', as in
// "not in this build (made without its compiler)". Both stay the caller's. At most a few.
void tsunami_backend_register_absent(const char *name, const char *reason);

// By name; NULL if unknown or not compiled in. "auto" is the fastest there is; a faster one that cannot be
// used here is passed over with a warning.
const struct tsunami_backend *tsunami_backend_find(const char *name);
// The names compiled in, "reference, openmp": for messages.
const char *tsunami_backend_names(void);

#endif
