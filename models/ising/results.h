// The statistics of a temperature after its last measurement: one record in each of the streams results,
// distributions and reweighted. Holds the measurements of one temperature; independent of solvers and files.
// After the start, call all functions on the I/O thread in the order of time: first add for each measurement,
// then the records.
//
// THERMALISATION. The number of dropped sweeps is given by the job. Otherwise it is found (analysis.h:
// ising_find_thermalisation): at least ISING_THERMALISATION_TIMES τ, with τ of the rest, and at most half of
// the measurements.
// A temperature is RELIABLE if all of these hold:
//   the measurements are at least ISING_RELIABLE_TIMES τ long, in all replicas together;
//   equilibrium is found before half of the measurements (if the job gives the thermalisation: of those after
//   it, if they are ≥ 30 τ long);
//   the errors come from independent blocks: whole replicas, or blocks ≥ τ long with a known τ (its window
//   closed);
//   with many replicas of few measurements each (< 30 τ), at least ISING_FORGETTING_TIMES τ were dropped: all
//   replicas have the same start, and the errors do not show its effect;
//   the series changes. It does not if domain walls are frozen, or if an ordered lattice has no excitation
//   during the run.
#ifndef FATHOM_MODELS_ISING_RESULTS_H
#define FATHOM_MODELS_ISING_RESULTS_H

#include "core/memory_plan.h"
#include "core/stream.h"
#include "models/ising/analysis.h"
#include "models/ising/params.h"

#define ISING_RELIABLE_TIMES       10.0
#define ISING_THERMALISATION_TIMES 10.0
#define ISING_FORGETTING_TIMES     5.0

// A record of results.nc: beta; then the estimates, each followed by its error (NAME_error); then the rest.
// Values that a run does not have are NaN.
enum ising_column {
    ISING_COLUMN_ENERGY,
    ISING_COLUMN_ENERGY_PER_BOND,
    ISING_COLUMN_SPECIFIC_HEAT,
    ISING_COLUMN_MAGNETISATION,
    ISING_COLUMN_ABSOLUTE,
    ISING_COLUMN_SQUARE,
    ISING_COLUMN_SUSCEPTIBILITY,
    ISING_COLUMN_BINDER,
    ISING_COLUMN_CLUSTER_SIZE,
    ISING_COLUMN_TAU_ENERGY,
    ISING_COLUMN_TAU_ABSOLUTE,
    ISING_COLUMNS
};
enum {
    ISING_VALUE_BETA,
    ISING_VALUE_ESTIMATES,
    ISING_VALUE_THERMALISATION = ISING_VALUE_ESTIMATES + 2 * ISING_COLUMNS, // sweeps dropped
    ISING_VALUE_MEASUREMENTS,                                               // of a replica, after them
    ISING_VALUE_INDEPENDENT,                                                // of all replicas: n/2τ
    ISING_VALUE_BLOCKS,
    ISING_VALUE_BLOCK_LENGTH, // measurements of a replica
    ISING_VALUE_IS_RELIABLE,  // 1 or 0
    ISING_RESULT_VALUES
};

struct ising_verdict {
    int64_t temperatures;         // with a record so far
    int64_t unreliable;           // of those
    int64_t first_unreliable;     // number of the temperature; −1: none
    double first_beta, last_beta; // of the unreliable ones
    double least_times;           // smallest length of the measurements of a temperature, in its τ
};

struct ising_results {
    const struct ising_params *params; // set by the caller, before the plan
    // Set by the functions below.
    double *energy, *magnetisation; // [measurements][replicas], per site; of the current temperature
    double *clusters;       // likewise: mean cluster size in sites; NULL unless the method makes clusters
    struct ising_progress { // goes into checkpoints, with the arrays
        int64_t measured;   // of the current temperature
        struct ising_verdict verdict;
    } progress;
    double *table; // [temperatures][ISING_RESULT_VALUES]: the records so far
    // Shared by the records of a temperature.
    size_t first; // measurement that is not dropped
    struct ising_blocks blocks;
    double *scratch, *rho;                            // rho: [2][lags], of energy and of |m|
    struct stream results, distributions, reweighted; // described by the plan
};

enum status ising_results_plan(struct ising_results *r, struct memory_plan *memory);
// Sets the values of the axes and the state before the first sweep. Call it after the reservation.
void ising_results_start(struct ising_results *r);
// The arrays of a checkpoint; returns how many (≤ 6).
int ising_results_checkpoint_arrays(struct ising_results *r, struct checkpoint_array *arrays);

// Adds one measurement of all replicas, per site, as in a record of the series. Write the records of a
// temperature before the first measurement of the next one.
void ising_results_add(struct ising_results *r, const double *energy, const double *magnetisation,
                       const double *clusters);

// Write the records of the temperature whose measurements were added. Call ising_results_record first: it
// computes what the others use, and warns of unreliable results. Call ising_results_next after the last
// record: it prepares the next temperature.
void ising_results_record(struct ising_results *r, uint32_t temperature, double *record);
void ising_results_distributions(struct ising_results *r, uint32_t temperature, double *record);
void ising_results_reweighted(struct ising_results *r, uint32_t temperature, double *record);
void ising_results_next(struct ising_results *r);

#endif
