// A job of the Ising model as checked numbers, in reduced units (k_B = 1).
#ifndef FATHOM_MODELS_ISING_PARAMS_H
#define FATHOM_MODELS_ISING_PARAMS_H

#include "io/job/job.h"
#include "models/ising/method.h"
#include "models/ising/solver.h"

extern const struct job_key_table ising_keys;

// As the keys have them (params.c).
extern const char *const ising_boundary_names[2];

struct ising_initial; // initial.h

// Of each temperature. All are multiples of `every`, so a measurement is every `every` sweeps from the
// temperature's begin on, and the last sweep of a temperature is measured.
struct ising_sweeps {
    int64_t count;          // in all
    int64_t thermalisation; // of those, dropped; −1: found of the series, at most half of it
    int64_t every;
};

struct ising_analysis_wanted {
    size_t blocks;             // of the jackknife, at most
    double block_times;        // least length of a block, in τ
    size_t lags;               // of ρ(t)
    size_t bins;               // of each histogram
    double reweighting_width;  // β' = β (1 − width) … β (1 + width)
    size_t reweighting_points; // 0: not wanted
};

enum ising_format { ISING_PACKED, ISING_BYTES };

struct ising_params {
    struct ising_physics physics;
    struct ising_initial *initial;
    size_t temperatures;
    double *betas;    // [temperatures]
    bool is_tempered; // else each temperature begins from the start, on its own
    struct ising_sweeps sweeps;
    struct ising_analysis_wanted analysis;
    const struct ising_backend *backend;
    int device;
    bool has_series, has_final_state;
    int64_t configurations_every; // sweeps; 0: not wanted
    enum ising_format format;
    int64_t correlations_every; // sweeps, a multiple of sweeps.every; 0: not wanted
    size_t distances;           // of G(r)
    int64_t *distance;          // [distances], ascending, ≥ 1
    int64_t check_steps;
};

static inline int64_t ising_steps(const struct ising_params *p)
{
    return (int64_t)p->temperatures * p->sweeps.count;
}

// Measurements at a temperature.
static inline size_t ising_measurements(const struct ising_params *p)
{
    return (size_t)(p->sweeps.count / p->sweeps.every);
}

// The number of the temperature that sweep `sweep` (from 0, over the whole run) is made at.
static inline uint32_t ising_temperature_of(const struct ising_params *p, int64_t sweep)
{
    return (uint32_t)(sweep / p->sweeps.count);
}

// Reads the job and, of a file of spins, its header. The job and `p` must stay where they are until
// ising_params_free. STATUS_CONFIGURATION, STATUS_NO_INPUT, STATUS_DATA: what is wrong, with its key, file
// and place.
enum status ising_params_read(const struct job *job, struct ising_params *p);
void ising_params_free(struct ising_params *p); // also after a failure

#endif
