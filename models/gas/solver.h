// What computes the gas: one table of functions per back end (models/backend.h). Gets particles in one order,
// by id, whatever order it keeps them in; computes without knowing a job or a file. As models/nbody/solver.h
// has it, and heat's.
#ifndef FATHOM_MODELS_GAS_SOLVER_H
#define FATHOM_MODELS_GAS_SOLVER_H

#include "core/device_times.h"
#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/backend.h"
#include "models/gas/state.h"

// Outlives the solver.
struct gas_setup {
    const struct gas_physics *physics;
    size_t count;    // particles, 2 … GAS_COUNT_MAX
    bool has_masses; // else all of `mass`
    double mass;
    // ELEMENT_F64: all in double. ELEMENT_F32: places, velocities and sums of more than 256 terms in double;
    // a pair's arithmetic in float, from the difference of the two places, which is rounded once (all pairs:
    // from places rounded to float about the box's middle; regions: about the middle of the target's cell;
    // lists: or from places in 32-bit fixed point of a few reaches, which is finer than float's difference).
    // The reference is in double whatever it says.
    enum element precision;
    int device; // from 0, for a back end that has devices
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
    enum gas_trouble trouble; // GAS_SOUND: nothing
    int64_t step, id, partner;
    struct gas_particle particle;
};

// Results that a back end with a memory of its own makes where the particles lie.
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

struct gas_solver;

// (required) unless marked.
struct gas_backend {
    struct backend head; // models/backend.h
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct gas_solver **solver);
    enum status (*warm_up)(struct gas_solver *solver); // (optional) between reserve and seal; leaves no trace
    // Particles first … first + count − 1. `set` for all of them, in any pieces, then `touch`.
    void (*get)(const struct gas_solver *solver, size_t first, size_t count, struct gas_particle *particles);
    void (*set)(struct gas_solver *solver, size_t first, size_t count, const struct gas_particle *particles);
    // After set, or a loaded checkpoint. The forces of the state are there when it returns (a loaded
    // checkpoint's: the bits that the uninterrupted run had; so the order and the places at the last sort are
    // in the checkpoint).
    enum status (*touch)(struct gas_solver *solver, bool is_loaded);
    // (optional) Of a back end whose particles lie elsewhere: brings them to where get and checkpoint_arrays
    // find them.
    enum status (*fetch)(struct gas_solver *solver);
    // Evaluates the field of the particles as they stand, without moving them (nothing that a step uses
    // changes by a bit). Then get_field has it; `is_by_pairs`: by every pair, whatever the method.
    enum status (*evaluate)(struct gas_solver *solver, bool is_by_pairs);
    void (*get_field)(const struct gas_solver *solver, size_t first, size_t count, struct gas_field *field);
    // Steps first_step … first_step + count − 1. May only begin them if there is `finish`. What it finds: see
    // `guard`.
    enum status (*advance)(struct gas_solver *solver, int64_t first_step, int64_t count);
    // The arrays of a checkpoint as they lie now; returns how many. touch(…, true) follows when they were
    // loaded.
    int (*checkpoint_arrays)(struct gas_solver *solver, struct checkpoint_array *arrays);
    // (optional, all or none; only with `fetch`) Each begins its work and returns; await is the only one
    // called by the I/O thread.
    enum status (*plan_results)(struct gas_solver *solver, const struct gas_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct gas_solver *solver, enum gas_result result, int slot, size_t record,
                           int64_t step);
    enum status (*send)(struct gas_solver *solver, enum gas_result result, int slot, size_t records,
                        void *to);
    enum status (*await)(struct gas_solver *solver, enum gas_result result, int slot,
                         struct gas_finding *found);
    // What was found in the steps so far (looks at the particles, too). Required of all.
    enum status (*guard)(struct gas_solver *solver, int64_t step, struct gas_finding *found);
    enum status (*finish)(struct gas_solver *solver,
                          struct gas_finding *found); // (optional) with plan_results
    // What the steps so far took by phase, and what lists and limiters did. Complete after finish.
    void (*phases)(const struct gas_solver *solver, struct gas_phase_times *times, struct gas_counts *counts);
    const char *(*device_name)(const struct gas_solver *solver);   // (optional)
    struct device_times (*times)(const struct gas_solver *solver); // (optional)
    // (optional) Of a device, for benchmarks: bytes that its memory copies a second, read and written;
    // multiply-adds, and inverse square roots, that it does a second where nothing else holds it up. Before
    // any seal.
    enum status (*measure_copy)(int device, double *bytes_per_s);
    enum status (*measure_arithmetic)(int device, enum element precision, double *fma_per_s,
                                      double *rsqrt_per_s);
    const char *(*instruction_set)(void);
    void (*destroy)(struct gas_solver *solver);
};

extern const struct gas_backend gas_backend_reference, gas_backend_openmp;

// All of the gas model's, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list gas_backends;

#endif
