// The statistics of a series of measurements at one temperature: thermalisation, autocorrelation, jackknife
// over blocks, reweighting to neighbouring temperatures. Allocates nothing.
//
// A series has `times` measurements, one after the other, of `replicas` independent lattices:
// [times][replicas], per site.
#ifndef FATHOM_MODELS_ISING_ANALYSIS_H
#define FATHOM_MODELS_ISING_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

struct ising_series {
    size_t times, replicas;
    const double *energy, *magnetisation; // E/N, M/N
    const double *clusters;               // mean cluster sizes in sites, which also estimate N m²; or NULL
    double beta, sites;
};

enum ising_observable { ISING_OF_ENERGY, ISING_OF_MAGNETISATION, ISING_OF_ABSOLUTE_MAGNETISATION };

// Finds the number of measurements to drop as thermalisation: twice that of the marginal standard error rule
// (MSER: White 1997, doi:10.1177/003754979706900601), at most half of the series. MSER drops the first
// measurements so that the estimated error of the mean of the rest is smallest; the error is estimated as for
// independent measurements. The larger number of the energy and |m| is taken. It is doubled, because after
// MSER's number the deviation is still as large as a fluctuation. MSER's number is searched in the first
// three quarters; if it is more than half, equilibrium was not reached (is_reached is false).
struct ising_thermalisation {
    size_t measurements;
    bool is_reached;
};
struct ising_thermalisation ising_find_thermalisation(const struct ising_series *series);

// The integrated autocorrelation time in units of the interval between two measurements: τ = 1/2 + Σ_{t ≥ 1}
// ρ(t), up to the first window W ≥ 6 τ(W) (Sokal 1997, doi:10.1007/978-1-4899-0319-8_6, §3; error: Madras and
// Sokal 1988, doi:10.1007/BF01022990, eq. E.11: τ √((4W + 2)/n)). ρ is the mean over the replicas; deviations
// are from the mean of all replicas. A constant series has τ = 1/2.
struct ising_autocorrelation {
    double time, error;
    size_t window;
    // A window was found within a tenth of the series, or, of several replicas, within a fiftieth of all
    // measurements and half of a replica's; else `time` is only a lower bound.
    bool is_closed;
};
// Also writes ρ(0 … lags − 1) to `rho`: NaN for lags beyond the series, and for a constant series. `scratch`:
// ising_scratch_count numbers.
size_t ising_scratch_count(size_t times, size_t replicas, size_t lags);
struct ising_autocorrelation ising_autocorrelate(const struct ising_series *series,
                                                 enum ising_observable observable, size_t lags, double *rho,
                                                 double *scratch);

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

// Values and errors by the jackknife over `count` ≥ 2 equal blocks; surplus measurements at the beginning are
// left out. error² = (b − 1)/b Σ (Q_j − Q̄)², value b Q − (b − 1) Q̄, whose bias falls with the square of the
// number of measurements (Quenouille 1956, doi:10.1093/biomet/43.3-4.353). A block holds all replicas at some
// times, or some replicas at all times. Blocks of replicas are independent for any τ.
struct ising_blocks {
    size_t count, length; // of measurements of a replica, or of replicas
    bool are_of_replicas;
};
// Chooses blocks of replicas if there are at least as many replicas as blocks of times. Else blocks of times
// of length ≥ `least_length`; if these are fewer than ISING_BLOCKS_LEAST, then ISING_BLOCKS_LEAST shorter
// ones. At most `most` blocks. count < 2: there is only one measurement.
enum { ISING_BLOCKS_LEAST = 8 };
struct ising_blocks ising_choose_blocks(const struct ising_series *series, double least_length, size_t most);
// `scratch`: ISING_BLOCK_SUMS numbers a block.
enum { ISING_BLOCK_SUMS = 9 };
void ising_estimate(const struct ising_series *series, const struct ising_blocks *blocks,
                    struct ising_estimate estimates[ISING_QUANTITIES], double *scratch);

// Estimates the same at another β': each measurement has the weight e^{−(β' − β) E} (Ferrenberg and Swendsen
// 1988, doi:10.1103/PhysRevLett.61.2635). Returns the effective fraction of the measurements, (Σ w)²/(n Σ
// w²). It is small if β' is too far from β for reweighting.
double ising_reweight(const struct ising_series *series, const struct ising_blocks *blocks, double beta,
                      struct ising_estimate estimates[ISING_QUANTITIES], double *scratch);

#endif
