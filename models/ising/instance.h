// A run of the Ising model: parameters, solver, results. Private to models/ising.
#ifndef FATHOM_MODELS_ISING_INSTANCE_H
#define FATHOM_MODELS_ISING_INSTANCE_H

#include "models/check.h"
#include "models/instance.h"
#include "models/ising/correlations.h"
#include "models/ising/params.h"
#include "models/ising/results.h"
#include "models/model.h"
#include "parallel/shares.h"

struct cJSON;

// The order matters: the records of a temperature follow its last measurements (run_schedule.after_others).
enum ising_stream {
    ISING_STREAM_SERIES,
    ISING_STREAM_CONFIGURATIONS,
    ISING_STREAM_RESULTS,
    ISING_STREAM_DISTRIBUTIONS,
    ISING_STREAM_REWEIGHTED,
    ISING_STREAM_CORRELATIONS,
    ISING_STREAM_FINAL,
    ISING_STREAM_KINDS
};

struct ising {
    struct instance base;
    struct ising_params params;
    const struct ising_backend *backend;
    struct ising_setup setup;
    int threads;
    struct share *shares; // of several ranks: the rows of each; NULL: of one
    struct share own;     // rows of this rank
    // Arrays of the plan
    // For a back end with a memory of its own [records of a frame][replicas] for each frame slot; for the
    // others [replicas], of the present state
    struct ising_measure *measures;
    // Of several ranks with a check: rows of one rank, and the words of all, [replicas][2][rows][words].
    uint32_t *part_words, *whole_words;
    // Streams
    struct stream series, configurations, final;
    double columns, sweeps_at_each, clock;  // constants of `configurations` and `final`
    struct ising_results results;           // used by the I/O thread only
    struct ising_correlations correlations; // used by the computing thread only
    enum ising_stream last_of_results;      // the next temperature begins after the record of this stream
    double *table; // records of `results` so far: run.json needs them after the plan's arrays are freed
    struct ising_stage_times past_times;  // up to the solver's last touch
    struct ising_stage_times stage_times; // in all, as of the last finish
};

static inline size_t ising_replicas(const struct ising *g)
{
    return (size_t)g->params.physics.lattice.replicas;
}

// Number of words of all replicas, of all ranks.
static inline size_t ising_all_words(const struct ising *g)
{
    return ising_replicas(g) * ising_lattice_words(&g->params.physics.lattice);
}

// ising.c: sweeps of a solver, over the ends of temperatures. has_correlations: with the run's correlations
// (false in a check).
enum status ising_sweep(struct ising *g, const struct ising_backend *backend, struct solver *solver,
                        int64_t first_sweep, int64_t count, bool has_correlations);

// ranks.c: cuts the rows among the ranks of the run. STATUS_CONFIGURATION: what cannot be divided.
enum status ising_ranks_cut(struct ising *g);
enum status ising_ranks_plan_check(struct ising *g, struct memory_plan *memory);
void ising_checkpoint_rows(void *instance, struct checkpoint_rows *rows);
// The words of all ranks' rows, as they are after a fetch, on every rank; of one rank the solver's own. Valid
// until the next call.
enum status ising_whole_words(struct ising *g, const uint32_t **words);

// output.c: plans the streams after the solver's arrays; ising_capture, ising_send, ising_await: see
// core/run.h.
enum status ising_output_plan(struct ising *g, struct memory_plan *memory, struct model_plan *plan);
enum status ising_capture(void *context, int64_t step, const struct frame *frame);
enum status ising_send(void *context, const struct frame *frame);
enum status ising_await(void *context, const struct frame *frame);

// spins_output.c: the streams of configurations.nc and final.nc, and the spins in their records.
void ising_spins_plan(struct ising *g, struct stream *stream, bool has_records);
// Of the rows of this rank. stream: of either file; the record's memory begins at `frame`'s end.
void ising_spins_write(const struct ising *g, const struct stream *stream, const struct frame *frame);

// describe.c
void ising_describe(void *instance, struct cJSON *report);

// check.c
extern const struct check_operations ising_check;

#endif
