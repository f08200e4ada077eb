// What computes the Ising model: one table of functions per back end (models/backend.h). Takes and gives
// spins in the words of state.h; computes without knowing a job or a file. As models/nbody/solver.h has it,
// and heat's.
#ifndef FATHOM_MODELS_ISING_SOLVER_H
#define FATHOM_MODELS_ISING_SOLVER_H

#include "core/device_times.h"
#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/backend.h"
#include "models/ising/state.h"

// Outlives the solver.
struct ising_setup {
    const struct ising_physics *physics;
    int device;           // from 0, for a back end that has devices
    bool has_whole_spins; // METROPOLIS_INTEGER on a device, to compare with: an int a spin, not a byte
};

// Of one replica at one time.
struct ising_measure {
    int64_t bonds; // Σ s s' over its bonds, each once: E = −J bonds − B spins
    int64_t spins; // Σ s
    // WOLFF: the sites turned since the measurement before. SWENDSEN_WANG: Σ size² over the clusters of the
    // last update. Else 0.
    int64_t clusters;
};

// Measurements that a back end with a memory of its own makes and keeps where the spins lie: a record is
// [replicas] struct ising_measure.
struct ising_wanted {
    int slots;            // frames under way at most; 0: not wanted
    size_t frame_records; // records in a frame
    size_t distances;     // of `correlate`, at most; 0: never called
};

static inline size_t ising_correlations_length(const struct ising_lattice *lattice, size_t distances)
{
    return 2 * distances + (size_t)lattice->rows + (size_t)lattice->columns;
}

struct ising_phase_times {
    double sweeps_s, measures_s, clusters_s;
    int64_t sweeps, measures;
};

struct ising_solver;

// (required) unless marked.
struct ising_backend {
    struct backend head; // models/backend.h
    // (optional) Whether it has the method for this lattice; else `why` says what it lacks.
    bool (*has_method)(const struct ising_setup *setup, char *why, size_t bytes);
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct ising_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct ising_solver **solver);
    enum status (*warm_up)(
        struct ising_solver *solver); // (optional) between reserve and seal; leaves no trace
    // The words on the host, [replicas][2][rows][words]: to be written before `touch`, to be read after
    // `fetch`.
    uint32_t *(*words)(const struct ising_solver *solver);
    enum status (*touch)(struct ising_solver *solver,
                         bool is_loaded);              // after the words were written, or a checkpoint loaded
    enum status (*fetch)(struct ising_solver *solver); // (optional) of a back end whose spins lie elsewhere
    // From now on β is the one of this number in the run's list (ising_key), whose value is `beta`. Begins
    // nothing.
    void (*set_temperature)(struct ising_solver *solver, uint32_t number, double beta);
    // Sweeps first_sweep … first_sweep + count − 1, counted over the whole run. May only begin them if there
    // is `finish`.
    enum status (*advance)(struct ising_solver *solver, int64_t first_sweep, int64_t count);
    // Of the spins as they stand: [replicas]; and [replicas][ising_correlations_length]: Σ s s' at each
    // distance, in x, then in y (periodic: by modulo; helical: i + r and i + r·columns modulo N); then Σ s of
    // each row, then of each column (for the structure factor at the longest waves). Both wait.
    enum status (*measure)(struct ising_solver *solver, struct ising_measure *measures);
    enum status (*correlate)(struct ising_solver *solver, size_t distances, const int64_t *distance,
                             int64_t *correlations);
    // The arrays of a checkpoint as they lie now (after fetch); returns how many. touch(…, true) follows when
    // they were loaded.
    int (*checkpoint_arrays)(struct ising_solver *solver, struct checkpoint_array *arrays);
    // (optional, all or none; only with `fetch`) Each begins its work and returns; await is the only one
    // called by the I/O thread.
    enum status (*plan_results)(struct ising_solver *solver, const struct ising_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct ising_solver *solver, int slot, size_t record);
    enum status (*send)(struct ising_solver *solver, int slot, size_t records, struct ising_measure *to);
    enum status (*await)(struct ising_solver *solver, int slot);
    enum status (*finish)(struct ising_solver *solver); // (optional) with plan_results
    void (*phases)(const struct ising_solver *solver, struct ising_phase_times *times);
    const char *(*device_name)(const struct ising_solver *solver);   // (optional)
    struct device_times (*times)(const struct ising_solver *solver); // (optional)
    const char *(*instruction_set)(void);
    // (optional) For benchmarks: what copies in the memory that it works in do alone, and its generator:
    // random words a second.
    enum status (*measure_copy)(int device, double *bytes_per_s);
    enum status (*measure_draws)(int device, double *words_per_s);
    void (*destroy)(struct ising_solver *solver);
};

extern const struct ising_backend ising_backend_reference, ising_backend_openmp;

// All of the Ising model's, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list ising_backends;

#endif
