// A run of the gas model: parameters, solver, results. Private to models/gas.
#ifndef FATHOM_MODELS_GAS_INSTANCE_H
#define FATHOM_MODELS_GAS_INSTANCE_H

#include "core/statistics.h"
#include "models/check.h"
#include "models/gas/params.h"
#include "models/gas/regions_error.h"
#include "models/gas/structure.h"
#include "models/instance.h"
#include "models/model.h"
#include "models/particles/output.h"
#include "parallel/ranks.h"

struct cJSON;

// Number of particles that a thread handles at a time: a block of the sums.
enum { GAS_BLOCK = STATISTICS_BLOCK };

enum gas_stream {
    GAS_STREAM_TRAJECTORY,
    GAS_STREAM_DIAGNOSTICS,
    GAS_STREAM_STRUCTURE,
    GAS_STREAM_FINAL,
    GAS_STREAM_KINDS
};

// A record of diagnostics.nc: the values of a back end, then those that are derived from them.
enum {
    GAS_TOTAL_ENERGY = GAS_DIAGNOSTICS,
    GAS_ENERGY_CHANGE, // (E − E₀)/N, E₀ of the first record
    GAS_RECORD_VALUES
};

// Statistics of the diagnostics records so far. The I/O thread updates them if the back end computes the
// records in its own memory.
struct gas_series {
    double first[GAS_RECORD_VALUES], last[GAS_RECORD_VALUES];
    double first_time, last_time;
    double largest_change, largest_change_time; // |ΔE|/N
    // Of ΔE/N over the time since the first record: running means, and sums of products of deviations from
    // them.
    double mean_time, mean_change, time_squares, time_changes;
    int64_t records, is_warned;
};

struct gas {
    struct instance base;
    struct gas_params params;
    const struct gas_backend *backend;
    struct share *shares; // of the ranks at the start, in groups of particles; NULL: one rank
    struct gas_setup setup, check_setup;
    int threads;
    // Arrays of the plan
    struct gas_particle *particles; // [threads][GAS_BLOCK]
    struct gas_field *fields;       // [threads][GAS_BLOCK]
    double *sums;                   // of the block sums
    // Streams
    struct particles_output output; // the trajectory and the state at the end
    struct gas_structure_analysis structure;
    struct stream diagnostics;
    // Results
    struct gas_series series;
    struct gas_stage_times stage_times; // as of the last gas_finish
    struct gas_counts counts;
    struct gas_regions_error regions_error; // at the start
};

static inline size_t gas_blocks(const struct gas *g)
{
    return (g->params.count + GAS_BLOCK - 1) / GAS_BLOCK;
}

static inline size_t gas_block_length(const struct gas *g, size_t block)
{
    const size_t left = g->params.count - block * GAS_BLOCK;
    return left < GAS_BLOCK ? left : GAS_BLOCK;
}

// Model time after a step.
static inline double gas_time(const struct gas *g, int64_t step)
{
    return (double)step * g->params.physics.step;
}

// Rank 0 makes the records and checks steps on the reference; the others have no memory for that.
static inline bool gas_makes_results(const struct gas *g)
{
    return g->base.ranks->rank == 0;
}

// This thread's scratch.
struct gas_particle *gas_scratch_particles(const struct gas *g);

// output.c: plans the streams, and the results of a back end with a memory of its own; gas_output_start fills
// the constants of the streams after the state was fetched; gas_capture and gas_await compute records
// (core/run.h).
enum status gas_output_plan(struct gas *g, struct memory_plan *memory, struct model_plan *plan);
enum status gas_results_plan(struct gas *g, struct memory_plan *memory);
void gas_output_start(struct gas *g);
// Positions and velocities as three-dimensional, with z = 0; count ≤ PARTICLES_BLOCK.
void gas_get_samples(const struct gas_backend *backend, const struct solver *solver, size_t first,
                     size_t count, struct particles_sample *samples);
enum status gas_capture(void *context, int64_t step, const struct frame *frame);
enum status gas_await(void *context, const struct frame *frame);

// diagnostics.c, of the present state. `complete` finishes the values of a back end or of gas_diagnose as a
// record, and updates the series.
enum status gas_diagnostics_plan(struct gas *g, struct memory_plan *memory);
// By all ranks; only rank 0 fills in the values.
enum status gas_diagnose(struct gas *g, double values[GAS_RECORD_VALUES]);
void gas_diagnostics_complete(struct gas *g, double values[GAS_RECORD_VALUES], double time);
// Drift of the energy per particle: slope of the least-squares line through the records, times their time
// span; 0 for fewer than three records.
double gas_energy_drift(const struct gas_series *series);
enum status gas_guard(void *context, int64_t step);
// Whether the job's physics conserves the energy.
bool gas_is_energy_kept(const struct gas_physics *physics);
// STATUS_DATA with the error, the step, the particle and its partner, if one was found.
enum status gas_judge(const struct gas *g, const struct gas_finding *found);

// describe.c
void gas_describe(void *instance, struct cJSON *report);

// check.c
extern const struct check_operations gas_check;

#endif
