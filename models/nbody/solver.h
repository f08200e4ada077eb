// What a back end of the N-body model offers. The model owns time, initial conditions, outputs, units and the
// memory plan; a solver owns the bodies and how a step is done. Bodies are named by id, 0 … count − 1, the
// order in which they were given; a solver may keep them in another.
#ifndef FATHOM_MODELS_NBODY_SOLVER_H
#define FATHOM_MODELS_NBODY_SOLVER_H

#include "core/device_times.h"
#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/backend.h"
#include "models/nbody/state.h"

// Outlives the solver.
struct nbody_setup {
    const struct nbody_physics *physics;
    size_t count; // bodies, 2 … NBODY_COUNT_MAX
    enum element
        precision; // ELEMENT_F32 or ELEMENT_F64; the reference computes in double whatever it says, from what `set` gave
    int device; // which one, from 0, for a back end that has devices
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
    bool has_direct_potential; // diagnostics: the potential by every pair, also with a tree
};

// The first body, by id, whose position or velocity is no finite number.
struct nbody_unsound {
    int64_t step; // after which it was seen; −1: none was found
    int64_t id;
    struct nbody_body body;
};

struct nbody_solver;

// (required) unless marked.
struct nbody_backend {
    struct backend head; // models/backend.h
    // Whether it has the method: false, and `why` completes "NAME has no METHOD ...". (optional; left out: it
    // has all)
    bool (*has_method)(const struct nbody_setup *setup, char *why, size_t bytes);
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct nbody_solver **solver);
    enum status (*warm_up)(
        struct nbody_solver *solver); // (optional) between reserve and seal; leaves no trace
    // Bodies first … first + count − 1. `set` for all of them, in any pieces, then `touch`.
    void (*get)(const struct nbody_solver *solver, size_t first, size_t count, struct nbody_body *bodies);
    void (*set)(struct nbody_solver *solver, size_t first, size_t count, const struct nbody_body *bodies);
    // After set, or a loaded checkpoint. After set: the order is that of the ids. In both cases the
    // acceleration of the state is there when it returns (a loaded checkpoint's: the bits that the
    // uninterrupted run had).
    enum status (*touch)(struct nbody_solver *solver, bool is_loaded);
    // (optional) Of a back end whose bodies lie elsewhere: brings them to where get and checkpoint_arrays
    // find them.
    enum status (*fetch)(struct nbody_solver *solver);
    // Evaluates the field of the bodies as they stand, potentials too, without moving them (nothing that a
    // step uses changes by a bit). Then get_field has it; `is_direct`: the potential by every pair.
    enum status (*evaluate)(struct nbody_solver *solver, bool is_direct);
    // Of a back end without `fetch` the acceleration is that of the bodies as they stand, evaluated or not.
    void (*get_field)(const struct nbody_solver *solver, size_t first, size_t count,
                      struct nbody_field *field);
    // Steps first_step … first_step + count − 1. May only begin them if there is `finish`.
    enum status (*advance)(struct nbody_solver *solver, int64_t first_step, int64_t count);
    // The arrays of a checkpoint as they lie now, the order among them; returns how many. touch(…, true)
    // follows when they were loaded.
    int (*checkpoint_arrays)(struct nbody_solver *solver, struct checkpoint_array *arrays);
    // (optional, all or none; only with `fetch`) As struct bioheat_backend's of the same names: each begins
    // its work and returns; await is the only one called by the I/O thread.
    enum status (*plan_results)(struct nbody_solver *solver, const struct nbody_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct nbody_solver *solver, enum nbody_result result, int slot, size_t record,
                           int64_t step);
    enum status (*send)(struct nbody_solver *solver, enum nbody_result result, int slot, size_t records,
                        void *to);
    enum status (*await)(struct nbody_solver *solver, enum nbody_result result, int slot,
                         struct nbody_unsound *found);
    enum status (*guard)(struct nbody_solver *solver, int64_t step, struct nbody_unsound *found);
    enum status (*finish)(struct nbody_solver *solver, struct nbody_unsound *found);
    // What the steps so far took by phase, and the last tree. Complete after finish.
    void (*phases)(const struct nbody_solver *solver, struct nbody_phase_times *times,
                   struct nbody_tree_counts *counts);
    const char *(*device_name)(const struct nbody_solver *solver);   // (optional)
    struct device_times (*times)(const struct nbody_solver *solver); // (optional)
    // (optional) Of a device, for benchmarks: multiply-adds, and inverse square roots, that it does a second
    // where nothing else holds it up. Before any seal.
    enum status (*measure_arithmetic)(int device, enum element precision, double *fma_per_s,
                                      double *rsqrt_per_s);
    const char *(*instruction_set)(void);
    void (*destroy)(struct nbody_solver *solver);
};

extern const struct nbody_backend nbody_backend_reference, nbody_backend_openmp;

// has_method of both: a processor has one way to sum every pair.
bool nbody_processor_has_method(const struct nbody_setup *setup, char *why, size_t bytes);

// All of the N-body model's, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list nbody_backends;

#endif
