// What is known of a temperature when all of its measurements are there: one record in each of the streams results, distributions and
// reweighted. Keeps the measurements of one temperature; knows no solver and no file. After the start all is called on the I/O thread, in the order of
// time: add …, then the records.
#ifndef FATHOM_MODELS_ISING_RESULTS_H
#define FATHOM_MODELS_ISING_RESULTS_H

#include "core/memory_plan.h"
#include "core/stream.h"
#include "models/ising/analysis.h"
#include "models/ising/params.h"

// Variables of results.nc, in their order; each but the last block is followed by its error (NAME_error).
//   beta | energy, energy_per_bond, specific_heat, magnetisation, absolute_magnetisation, magnetisation_squared, susceptibility, binder_cumulant, cluster_size,
//   tau_energy, tau_absolute_magnetisation (sweeps) | thermalisation (sweeps dropped), measurements, independent_measurements, blocks, block_length
//   (measurements), is_reliable (1 or 0)
struct ising_verdict {
    int64_t temperatures;     // with a record so far
    int64_t unreliable;       // fewer than 10 τ, or blocks below τ
    int64_t first_unreliable; // number of the temperature; −1: none
    double least_times;       // measurements in τ, the smallest
    double first_beta, last_beta;
};

struct ising_results {
    const struct ising_params *params; // with these fields set by the caller, before the plan
    // The results' own.
    double *energy, *magnetisation,
        *clusters;          // [measurements][replicas], per site; of the temperature under way
    struct ising_progress { // goes into checkpoints, with the arrays
        int64_t measured;   // of the temperature under way
        struct ising_verdict verdict;
    } progress;
    double *scratch;
    struct stream results, distributions, reweighted; // described by the plan
    double *energy_axis, *magnetisation_axis, *lag_axis, *point_axis;
};

enum status ising_results_plan(struct ising_results *r, struct memory_plan *memory);
// Axes' values, and all as it is before the first sweep. After the reservation.
void ising_results_start(struct ising_results *r);
// The arrays of a checkpoint; returns how many (≤ 6).
int ising_results_checkpoint_arrays(struct ising_results *r, struct checkpoint_array *arrays);

// One measurement of all replicas, per site: what a record of the series has. The first of a temperature follows the records of the one before.
void ising_results_add(struct ising_results *r, const double *energy, const double *magnetisation,
                       const double *clusters);

// Records of the temperature whose measurements were added; `results` first, which finds what the others use (and warns of what is not reliable), and the
// last wanted one leaves all ready for the next temperature: ising_results_next.
void ising_results_record(struct ising_results *r, uint32_t temperature, double *record);
void ising_results_distributions(struct ising_results *r, uint32_t temperature, double *record);
void ising_results_reweighted(struct ising_results *r, uint32_t temperature, double *record);
void ising_results_next(struct ising_results *r);

#endif
