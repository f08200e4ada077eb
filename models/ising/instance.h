// A run of the Ising model: parameters, solver, results. Private to models/ising.
#ifndef FATHOM_MODELS_ISING_INSTANCE_H
#define FATHOM_MODELS_ISING_INSTANCE_H

#include "models/check_record.h"
#include "models/ising/correlations.h"
#include "models/ising/params.h"
#include "models/ising/results.h"
#include "models/model.h"

struct cJSON;

// In this order: the records of a temperature follow the last measurements of it (run_schedule.after_others).
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
    const struct job *job;
    struct ising_params params;
    const struct ising_backend *backend;
    struct ising_solver *solver, *reference;
    struct ising_setup setup;
    struct pipeline *pipeline;
    int threads;
    // Arrays of the plan
    struct ising_measure *
        measures; // [records of a frame][replicas]: what a back end with a memory of its own sends, by slots; else of one moment
    // Streams
    struct stream series, configurations, final;
    struct ising_results results;           // the I/O thread's
    struct ising_correlations correlations; // the computing thread's
    enum ising_stream kinds[RUN_STREAMS_MAX];
    struct ising_phase_times phase_times;
    // The check
    struct check_record check;
    int64_t check_begin_step;
};

// describe.c
void ising_describe(void *instance, struct cJSON *report);

#endif
