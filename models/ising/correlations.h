// The correlation function G(r) along the axes, the structure factor at the longest waves and the
// second-moment correlation length, of one temperature at a time, with errors over blocks. Sums the results
// of a solver's `correlate` (solver.h); independent of solvers and files. Used by the computing thread alone.
//   G(r) = ⟨s_i s_{i+r}⟩   S(k) = ⟨|Σ_i s_i e^{ikx_i}|²⟩/N   ξ = 1/(2 sin(π/L)) √(S(0)/S(2π/L) − 1)
// ξ is the mean of both axes (Cooper, Freedman and Preston 1982, doi:10.1016/0550-3213(82)90240-1). HELICAL:
// rows and columns as they lie; the wave's phase ignores the step by one at the seam.
#ifndef FATHOM_MODELS_ISING_CORRELATIONS_H
#define FATHOM_MODELS_ISING_CORRELATIONS_H

#include "core/memory_plan.h"
#include "core/stream.h"
#include "models/ising/params.h"

struct ising_correlations {
    const struct ising_params *params; // set by the caller, before the plan
    // Its own.
    int64_t *measured;    // [replicas][ising_correlations_length]: where the solver writes a measurement
    double *sums;         // [blocks][…]
    double *joined;       // likewise: blocks as they are joined, and their statistics
    double *waves[2];     // of x, of y: [columns or rows][2]: cos, sin of 2πx/L
    int64_t *added;       // one number: measurements so far, of the temperature under way
    size_t blocks;        // that measurements go into, equally
    struct stream stream; // described by the plan: correlations.nc, one record a temperature
};

enum status ising_correlations_plan(struct ising_correlations *c, struct memory_plan *memory);
void ising_correlations_start(struct ising_correlations *c);
int ising_correlations_checkpoint_arrays(struct ising_correlations *c, struct checkpoint_array *arrays);
// Whether a measurement is due after so many sweeps of a temperature: at multiples of correlations_every
// after the thermalisation, or, if that is to be found, after half of the sweeps.
bool ising_correlations_is_due(const struct ising_correlations *c, int64_t sweeps);
// Adds `measured`.
void ising_correlations_add(struct ising_correlations *c);
// Writes the record of a temperature: beta, correlation_x(distance), correlation_y, correlation (of both),
// correlation_error, structure_factor_0, structure_factor_1, correlation_length, correlation_length_error,
// measurements, blocks. Then prepares the next temperature.
void ising_correlations_record(struct ising_correlations *c, uint32_t temperature, double *record);

#endif
