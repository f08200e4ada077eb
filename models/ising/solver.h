// The back end's table of the Ising model (models/backend.h). Spins are exchanged in the words of state.h. As
// models/nbody/solver.h.
#ifndef FATHOM_MODELS_ISING_SOLVER_H
#define FATHOM_MODELS_ISING_SOLVER_H

#include "core/memory_plan.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/ising/state.h"
#include "models/solver.h"

struct ranks;
struct share;

// Outlives the solver.
struct ising_setup {
    const struct ising_physics *physics;
    int device;           // from 0, for a back end that has devices
    bool has_whole_spins; // METROPOLIS_INTEGER on a device, to compare with: an int a spin, not a byte
    // Of a run of several ranks: the rows of each (parallel/shares.h). NULL: of one rank, all rows. Only for
    // back ends that are divided.
    struct ranks *ranks;
    const struct share *shares;
};

// A measurement of one replica.
struct ising_measure {
    int64_t bonds; // Σ s s' over its bonds, each once: E = −J bonds − B spins
    int64_t spins; // Σ s
    // WOLFF: the sites flipped since the previous measurement. SWENDSEN_WANG: Σ size² over the clusters of
    // the last update. Else 0.
    int64_t clusters;
};

// The result that a back end makes in a memory of its own.
enum ising_result { ISING_RESULT_SERIES };

// Measurements that a back end with a memory of its own makes and keeps there: a record is [replicas] struct
// ising_measure.
struct ising_wanted {
    int slots;            // frames under way at most; 0: not wanted
    size_t frame_records; // records in a frame
    size_t distances;     // most distances of a call of `correlate`; 0: it is never called
};

static inline size_t ising_correlations_length(const struct ising_lattice *lattice, size_t distances)
{
    return 2 * distances + (size_t)lattice->rows + (size_t)lattice->columns;
}

struct ising_stage_times {
    double sweeps_s, measures_s, clusters_s;
    int64_t sweeps, measures;
};

// Members are required unless marked.
struct ising_backend {
    // models/backend.h. touch: after the words were written, or a checkpoint was loaded. advance: sweeps,
    // counted over the whole run. send: of ISING_RESULT_SERIES to struct ising_measure [records][replicas].
    struct backend head;
    // (optional) Returns whether it has the method for this lattice; if not, `why` receives the reason.
    bool (*has_method)(const struct ising_setup *setup, char *why, size_t bytes);
    // Makes the solver and declares its arrays (names begin with `prefix`). Before the seal.
    enum status (*plan)(const struct ising_setup *setup, struct memory_plan *plan, const char *prefix,
                        struct solver **solver);
    bool is_divided; // among ranks
    // Returns the words on the host, [replicas][2][rows][words], of a rank's own rows: write them before
    // `touch`, read them after `fetch`.
    uint32_t *(*words)(const struct solver *solver);
    // Sets β for the next sweeps: its number in the run's list (ising_key) and its value. Begins no work.
    void (*set_temperature)(struct solver *solver, uint32_t number, double beta);
    // Measures the present spins: measures [replicas], of all ranks. Returns when complete.
    enum status (*measure)(struct solver *solver, struct ising_measure *measures);
    // Fills in correlations [replicas][ising_correlations_length] of the present spins: Σ s s' at each of
    // `distances` distances, in x, then in y (periodic: by modulo; helical: i + r and i + r·columns modulo
    // N); then Σ s of each row, then of each column (for the structure factor at the longest waves). Returns
    // when complete.
    enum status (*correlate)(struct solver *solver, size_t distances, const int64_t *distance,
                             int64_t *correlations);
    // (optional, all or none; only with `fetch`) With the head's send: each begins its work and returns; the
    // I/O thread calls only await.
    enum status (*plan_results)(struct solver *solver, const struct ising_wanted *wanted,
                                struct memory_plan *plan, const char *prefix);
    enum status (*capture)(struct solver *solver, int slot, size_t record);
    enum status (*await)(struct solver *solver, int slot);
    enum status (*finish)(struct solver *solver); // (optional) with plan_results
    void (*stages)(const struct solver *solver, struct ising_stage_times *times);
    // (optional) Measures, for benchmarks, the random words per second that its generator draws.
    enum status (*measure_draws)(int device, double *words_per_s);
};

extern const struct ising_backend ising_backend_reference, ising_backend_openmp;

// All back ends of the Ising model, openmp and reference first; gpu adds its own (backend_register).
extern struct backend_list ising_backends;

#endif
