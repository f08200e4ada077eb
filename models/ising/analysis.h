// What a series of measurements at one temperature says, and how sure: autocorrelation, jackknife over blocks, reweighting to
// temperatures nearby. Allocates nothing, knows no job, no file and no solver.
//
// A series has `times` measurements, one after the other, of `replicas` lattices that know nothing of each other: [times][replicas], per site.
#ifndef FATHOM_MODELS_ISING_ANALYSIS_H
#define FATHOM_MODELS_ISING_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

struct ising_series {
    size_t times, replicas;
    const double *energy, *magnetisation; // E/N, M/N
    const double *clusters;               // or NULL: what improved estimators add up, per site (solver.h)
    double beta, sites;
};

// The integrated autocorrelation time in units of the interval between two measurements: τ = 1/2 + Σ_{t ≥ 1} ρ(t), up to the first
// window W ≥ 6 τ(W) (Sokal 1997, doi:10.1007/978-1-4899-0319-8_6, §3; error: Madras and Sokal 1988, doi:10.1007/BF01022990, eq. E.11: τ √((4W + 2)/n)).
// ρ is the mean over replicas, about the mean of all. Of a series that never changes τ is 1/2.
struct ising_autocorrelation {
    double time, error;
    size_t window;
    bool is_closed; // a window was found within a tenth of the series; else `time` is only a lower bound
};
enum ising_observable { ISING_OF_ENERGY, ISING_OF_MAGNETISATION, ISING_OF_ABSOLUTE_MAGNETISATION };
struct ising_autocorrelation ising_autocorrelate(const struct ising_series *series,
                                                 enum ising_observable observable);
// ρ(0 … lags − 1) into `rho`.
void ising_correlate_in_time(const struct ising_series *series, enum ising_observable observable, size_t lags,
                             double *rho);

enum ising_quantity {
    ISING_ENERGY,         // E/N
    ISING_SPECIFIC_HEAT,  // β² N (⟨e²⟩ − ⟨e⟩²), per site
    ISING_MAGNETISATION,  // M/N
    ISING_ABSOLUTE,       // |M|/N
    ISING_SQUARE,         // (M/N)²
    ISING_SUSCEPTIBILITY, // β N (⟨m²⟩ − ⟨|m|⟩²)
    ISING_BINDER,         // 1 − ⟨m⁴⟩/(3 ⟨m²⟩²)
    ISING_CLUSTER,        // mean of `clusters`; 0 without
    ISING_QUANTITIES
};
struct ising_estimate {
    double value, error;
};

// Errors by the jackknife over `blocks` ≥ 2 of equal length (what is left over at the end counts for none): δ² = (b − 1)/b Σ (Q_j − Q̄)². A block has
// all replicas' measurements of its times; with more than one replica blocks never cut a replica's chain more often than that.
struct ising_blocks {
    size_t count, length; // length in measurements of one replica
};
// As many as there may be, at most `most`, with length ≥ `least_length`; count < 2: too few measurements.
struct ising_blocks ising_choose_blocks(size_t times, double least_length, size_t most);
void ising_estimate(const struct ising_series *series, const struct ising_blocks *blocks,
                    struct ising_estimate estimates[ISING_QUANTITIES]);

// The same at another β', each measurement weighted with e^{−(β' − β) E} (Ferrenberg and Swendsen 1988, doi:10.1103/PhysRevLett.61.2635). Returns the effective
// share of the measurements, (Σ w)²/(n Σ w²): small where β' is out of reach.
double ising_reweight(const struct ising_series *series, const struct ising_blocks *blocks, double beta,
                      struct ising_estimate estimates[ISING_QUANTITIES]);

#endif
