// A run of the N-body model: parameters, solver, results. Private to models/nbody.
#ifndef FATHOM_MODELS_NBODY_INSTANCE_H
#define FATHOM_MODELS_NBODY_INSTANCE_H

#include "core/statistics.h"
#include "models/check.h"
#include "models/instance.h"
#include "models/model.h"
#include "models/nbody/params.h"
#include "models/nbody/radii.h"
#include "models/particles/output.h"
#include "parallel/ranks.h"

struct cJSON;

// Number of bodies that a thread treats at a time: one block of the block sums.
enum { NBODY_BLOCK = STATISTICS_BLOCK };

enum nbody_stream {
    NBODY_STREAM_TRAJECTORY,
    NBODY_STREAM_DIAGNOSTICS,
    NBODY_STREAM_FINAL,
    NBODY_STREAM_KINDS
};

// A record of diagnostics.nc, in the units of the results: first the values of the back end, then the values
// derived from them.
enum {
    NBODY_TOTAL_ENERGY = NBODY_DIAGNOSTICS,
    NBODY_ENERGY_ERROR, // (E − E₀)/|E₀|, E₀ of the first record; NaN if that is 0
    NBODY_RECORD_VALUES
};

// Statistics of the diagnostics records so far. The I/O thread updates them if the back end computes the
// records in its own memory.
struct nbody_series {
    double first[NBODY_RECORD_VALUES], last[NBODY_RECORD_VALUES];
    double first_time, last_time;
    double largest_error, largest_error_time; // |ΔE/E|
    int64_t records, is_warned;
};

// Scales of the check: the half-mass radius r at the start, and √(GM/r).
struct nbody_scale {
    double length, velocity;
};

struct nbody {
    struct instance base;
    struct nbody_params params;
    const struct nbody_backend *backend;
    struct share *shares; // of the ranks, in groups of bodies; NULL: one rank
    struct nbody_setup setup, check_setup;
    int threads;
    // Arrays of the plan
    struct nbody_body *bodies;        // [threads][NBODY_BLOCK]
    struct nbody_field *fields;       // [threads][NBODY_BLOCK]
    double *sums;                     // of the block sums
    struct nbody_radius_sorter radii; // sorts the bodies' distances from the centre of mass
    // Streams
    struct particles_output output; // the trajectory and the state at the end
    struct stream diagnostics;
    // Results
    struct nbody_series series;
    struct nbody_stage_times stage_times; // as of the last nbody_finish
    struct nbody_tree_counts tree_counts;
    // The check
    struct nbody_scale scale;
};

static inline size_t nbody_blocks(const struct nbody *n)
{
    return (n->params.count + NBODY_BLOCK - 1) / NBODY_BLOCK;
}

static inline size_t nbody_block_length(const struct nbody *n, size_t block)
{
    const size_t left = n->params.count - block * NBODY_BLOCK;
    return left < NBODY_BLOCK ? left : NBODY_BLOCK;
}

// Model time after a step, in the unit of the results.
static inline double nbody_time(const struct nbody *n, int64_t step)
{
    return (double)step * n->params.step * n->params.units.time;
}

// Scratch memory of the calling thread.
struct nbody_body *nbody_scratch_bodies(const struct nbody *n);
struct nbody_field *nbody_scratch_fields(const struct nbody *n);

// Rank 0, which has all bodies as the others do, makes the records, searches for values that are not finite
// and checks steps on the reference; the others have no memory for that, and wait for it at the next forces.
static inline bool nbody_makes_results(const struct nbody *n)
{
    return n->base.ranks->rank == 0;
}

// output.c: plans the streams, and the results of a back end with a memory of its own; nbody_capture and
// nbody_await compute records (core/run.h).
enum status nbody_output_plan(struct nbody *n, struct memory_plan *memory, struct model_plan *plan);
enum status nbody_results_plan(struct nbody *n, struct memory_plan *memory);
// Positions, velocities and masses; count ≤ PARTICLES_BLOCK.
void nbody_get_samples(const struct nbody *n, const struct nbody_backend *backend,
                       const struct solver *solver, size_t first, size_t count,
                       struct particles_sample *samples);
enum status nbody_capture(void *context, int64_t step, const struct frame *frame);
enum status nbody_await(void *context, const struct frame *frame);

// diagnostics.c, of the present state on the host, G = 1. `complete` converts such values to a record of the
// results and updates the series.
enum status nbody_diagnostics_plan(struct nbody *n, struct memory_plan *memory);
// By all ranks; only rank 0 fills in the values.
enum status nbody_diagnose(struct nbody *n, double values[NBODY_RECORD_VALUES]);
void nbody_diagnostics_complete(struct nbody *n, double values[NBODY_RECORD_VALUES], double time);
void nbody_find_scale(struct nbody *n); // from the bodies that the back end's `get` returns
enum status nbody_guard(void *context, int64_t step);
// STATUS_DATA, with the body and the time in the message, if a value is not finite.
enum status nbody_judge(const struct nbody *n, const struct nbody_nonfinite *found);

// describe.c
void nbody_describe(void *instance, struct cJSON *report);

// check.c
extern const struct check_operations nbody_check;

#endif
