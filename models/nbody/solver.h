// What a back end of the N-body model offers. The model owns time, initial conditions, outputs, units and the
// memory plan; a solver owns the bodies and how a step is done. Bodies are named by id, 0 … count − 1, the
// order in which they were given; a solver may keep them in another.
#ifndef FATHOM_MODELS_NBODY_SOLVER_H
#define FATHOM_MODELS_NBODY_SOLVER_H

#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/nbody/state.h"
#include "models/particles/ranks.h"
#include "models/solver.h"
#include "parallel/shares.h"

struct ranks;

// Outlives the solver.
struct nbody_setup {
    const struct nbody_physics *physics;
    size_t count; // bodies, 2 … NBODY_COUNT_MAX
    // ELEMENT_F32 or ELEMENT_F64; the reference always computes in double, from the values of `set`
    enum element precision;
    int device; // from 0, for a back end that has devices
    // Of a run of several ranks: every rank has all bodies, and computes the field of its groups of
    // NBODY_GROUP_BODIES, [rank]. NULL: one rank.
    struct ranks *ranks;
    const struct share *shares;
};

// A body. `potential` and `acceleration` are those of the last evaluation.
struct nbody_body {
    double position[NBODY_AXES], velocity[NBODY_AXES], mass;
};
struct nbody_field {
    double acceleration[NBODY_AXES], potential; // potential: NaN unless it was asked for
};

// Results that a back end with a memory of its own makes where the bodies lie.
enum nbody_result { NBODY_RESULT_TRAJECTORY, NBODY_RESULT_DIAGNOSTICS, NBODY_RESULTS };

// Records: a trajectory's has positions [atom][3], then velocities [atom][3] and accelerations [atom][3] if
// they are wanted, of every stride-th body by id (0, stride, …), each times its scale, in `element`; one of
// diagnostics is [NBODY_DIAGNOSTICS] doubles, G = 1.
struct nbody_wanted {
    int slots[NBODY_RESULTS];            // frames under way at most; 0: not wanted
    size_t frame_records[NBODY_RESULTS]; // records in a frame
    enum element element;
    bool has_velocities, has_accelerations;
    size_t stride;
    double length_scale, velocity_scale, acceleration_scale;
    bool has_direct_potential; // diagnostics: the potential by direct summation, also with a tree
};

// The first body, by id, whose position or velocity is not finite.
struct nbody_nonfinite {
    int64_t step; // after which it was seen; −1: none was found
    int64_t id;
    struct nbody_body body;
};

// Members are required unless marked.
struct nbody_backend {
    // models/backend.h. touch: computes the accelerations of the state; after set the order is that of the
    // ids, after a load that of the checkpoint. Of several ranks rank 0's bodies become those of all after
    // set, and each rank's part of checkpoint_arrays after a load.
    struct backend head;
    bool is_divided; // among ranks
    // (optional; left out: true) Returns whether it has the method; if not, `why` completes "NAME has no
    // METHOD ...".
    bool (*has_method)(const struct nbody_setup *setup, char *why, size_t bytes);
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct solver **solver);
    // Copies bodies first … first + count − 1 from the solver.
    void (*get)(const struct solver *solver, size_t first, size_t count, struct nbody_body *bodies);
    // Copies them to the solver; call it for all bodies, in any pieces, then `touch`.
    void (*set)(struct solver *solver, size_t first, size_t count, const struct nbody_body *bodies);
    // Evaluates the field at the present positions, with potentials, for get_field; no bit that a step uses
    // changes. is_direct: the potential is by direct summation.
    enum status (*evaluate)(struct solver *solver, bool is_direct);
    // Copies the field of bodies first … first + count − 1. If the back end has no `fetch`, the acceleration
    // is that at the present positions even without `evaluate`.
    void (*get_field)(const struct solver *solver, size_t first, size_t count, struct nbody_field *field);
    // (optional, all or none; only with `fetch`) With the head's send: each begins its work and
    // returns; the I/O thread calls only await. Of several ranks rank 0 makes them; the others help with what
    // capture needs, and do not call await and guard.
    enum status (*plan_results)(struct solver *solver, const struct nbody_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct solver *solver, enum nbody_result result, int slot, size_t record,
                           int64_t step);
    enum status (*await)(struct solver *solver, enum nbody_result result, int slot,
                         struct nbody_nonfinite *found);
    enum status (*guard)(struct solver *solver, int64_t step, struct nbody_nonfinite *found);
    enum status (*finish)(struct solver *solver, struct nbody_nonfinite *found);
    // Fills in the times of the steps so far by stage, and the counts of the last tree; complete after
    // finish.
    void (*stages)(const struct solver *solver, struct nbody_stage_times *times,
                   struct nbody_tree_counts *counts);
};

extern const struct nbody_backend nbody_backend_reference, nbody_backend_openmp;

// The has_method of both: a processor has one method of direct summation.
bool nbody_processor_has_method(const struct nbody_setup *setup, char *why, size_t bytes);

// All back ends of the N-body model, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list nbody_backends;

#endif
