// The checked parameters of an Ising job, in reduced units (k_B = 1).
#ifndef FATHOM_MODELS_ISING_PARAMS_H
#define FATHOM_MODELS_ISING_PARAMS_H

#include "io/job/job.h"
#include "models/ising/method.h"
#include "models/ising/solver.h"

extern const struct job_key_table ising_keys;

// Values of the keys (params.c).
extern const char *const ising_boundary_names[2];

struct ising_initial; // initial.h

// The sweeps at each temperature. All numbers are multiples of `every`: after every `every` sweeps there is a
// measurement, also after the last sweep at the temperature.
struct ising_sweeps {
    int64_t count;          // in all
    int64_t thermalisation; // number of those that are dropped; −1: found from the series, at most half
    int64_t every;
};

struct ising_analysis_wanted {
    size_t blocks;             // largest number of blocks of the jackknife
    double block_times;        // least length of a block, in τ
    size_t lags;               // number of lags of ρ(t)
    size_t bins;               // number of bins of each histogram
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
    size_t distances;           // number of distances r of G(r)
    int64_t *distance;          // [distances], ascending, ≥ 1
    int64_t check_steps;
};

static inline int64_t ising_steps(const struct ising_params *p)
{
    return (int64_t)p->temperatures * p->sweeps.count;
}

// Returns the number of measurements at a temperature.
static inline size_t ising_measurements(const struct ising_params *p)
{
    return (size_t)(p->sweeps.count / p->sweeps.every);
}

// Returns the number of the temperature of the sweep `sweep` (counted from 0 over the whole run).
static inline uint32_t ising_temperature_of(const struct ising_params *p, int64_t sweep)
{
    return (uint32_t)(sweep / p->sweeps.count);
}

// Reads the job, and the header of a file of spins. The job and `p` must stay where they are until
// ising_params_free. STATUS_CONFIGURATION, STATUS_NO_INPUT, STATUS_DATA, with key, file and position.
enum status ising_params_read(const struct job *job, struct ising_params *p);
void ising_params_free(struct ising_params *p); // also after a failure

#endif
