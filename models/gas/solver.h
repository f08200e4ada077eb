// The back end's table of the gas model (models/backend.h). Particles are identified by id, whatever order a
// solver keeps them in. As models/nbody/solver.h.
#ifndef FATHOM_MODELS_GAS_SOLVER_H
#define FATHOM_MODELS_GAS_SOLVER_H

#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/gas/state.h"
#include "models/particles/ranks.h"
#include "models/solver.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"

// Outlives the solver.
struct gas_setup {
    const struct gas_physics *physics;
    size_t count;    // particles, 2 … GAS_COUNT_MAX
    bool has_masses; // else all of `mass`
    double mass;
    // ELEMENT_F64: all in double. ELEMENT_F32: the arithmetic of a pair in float, from the difference of the
    // two positions, which is rounded once; positions, velocities and sums of more than 256 terms in double.
    // Direct summation rounds the positions to float relative to the box's middle; regions relative to the
    // middle of the target's cell; lists may use 32-bit fixed point over a few reaches, which is finer. The
    // reference always computes in double.
    enum element precision;
    int device; // from 0, for a back end that has devices
    // Several ranks: of each the groups of particles at the start and in checkpoints. NULL: one rank, and
    // `ranks` is not read.
    struct ranks *ranks;
    const struct share *shares;
};

struct gas_particle {
    double position[GAS_AXES], velocity[GAS_AXES], mass;
};
// Of the last evaluation. `potential`: half of each of its pairs, and of gravity and soft walls all;
// `virial`: half of its pairs' r·F.
struct gas_field {
    double force[GAS_AXES], potential, virial;
};

// What a guard found: the first, by step, then by id. partner: −1 unless it takes two.
struct gas_finding {
    enum gas_error error; // GAS_NO_ERROR: nothing
    int64_t step, id, partner;
    struct gas_particle particle;
};

// Results that a back end with a memory of its own makes there.
enum gas_result { GAS_RESULT_TRAJECTORY, GAS_RESULT_DIAGNOSTICS, GAS_RESULTS };

// Records: a trajectory's has positions [atom][3] (z = 0), then velocities [atom][3] if they are wanted, of
// every stride-th particle by id, in `element`; one of diagnostics is [GAS_DIAGNOSTICS] doubles.
struct gas_wanted {
    int slots[GAS_RESULTS];            // frames under way at most; 0: not wanted
    size_t frame_records[GAS_RESULTS]; // records in a frame
    enum element element;
    bool has_velocities;
    size_t stride;
};

// (required) unless marked.
struct gas_backend {
    // models/backend.h. touch: computes the forces of the state; the order and the positions at the last sort
    // are in the checkpoint. advance: `guard` reports what it finds.
    // With several ranks all of these but checkpoint_arrays, get, get_field, set and stages are called by all
    // together; `touch` makes rank 0's particles those of all, and after `fetch` each rank has the whole
    // state.
    struct backend head;
    bool is_divided; // a run can be divided among several ranks
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct solver **solver);
    // Particles first … first + count − 1. `set` for all of them, in any pieces, then `touch`.
    void (*get)(const struct solver *solver, size_t first, size_t count, struct gas_particle *particles);
    void (*set)(struct solver *solver, size_t first, size_t count, const struct gas_particle *particles);
    // Evaluates the field of the particles as they stand, without moving them (nothing that a step uses
    // changes by a bit). Then get_field has it; `is_by_pairs`: by every pair, whatever the method.
    enum status (*evaluate)(struct solver *solver, bool is_by_pairs);
    void (*get_field)(const struct solver *solver, size_t first, size_t count, struct gas_field *field);
    // (optional, all or none; only with `fetch`) With the head's send: each begins its work and returns; the
    // I/O thread calls only await.
    enum status (*plan_results)(struct solver *solver, const struct gas_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct solver *solver, enum gas_result result, int slot, size_t record,
                           int64_t step);
    enum status (*await)(struct solver *solver, enum gas_result result, int slot, struct gas_finding *found);
    // Errors found in the steps so far, and in a check of the particles. Required of all.
    enum status (*guard)(struct solver *solver, int64_t step, struct gas_finding *found);
    enum status (*finish)(struct solver *solver,
                          struct gas_finding *found); // (optional) with plan_results
    // Times of the steps so far by stage, and counts of lists and limiters. Complete after finish.
    void (*stages)(const struct solver *solver, struct gas_stage_times *times, struct gas_counts *counts);
};

extern const struct gas_backend gas_backend_reference, gas_backend_openmp;

// All of the gas model's, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list gas_backends;

#endif
