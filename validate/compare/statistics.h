// Statistics of a stream of pairs (run, reference): differences, masks, tolerance, moments. Independent of
// files; allocates nothing.
//
// Sums are core/statistics.h's (blocks of 4096 compared pairs, combined with Neumaier's compensation). Means,
// variances and the covariance are computed in two passes within blocks of 4096 compared pairs, and blocks
// are combined as in Chan, Golub and LeVeque (Am. Stat. 37, 242–247, 1983): there is no cancellation even if
// the mean is much larger than the variation. The results do not depend on how the pairs are split into
// calls.
#ifndef FATHOM_VALIDATE_COMPARE_STATISTICS_H
#define FATHOM_VALIDATE_COMPARE_STATISTICS_H

#include "core/statistics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A pair agrees if |run − reference| ≤ absolute + relative · |reference|. Equal infinities agree.
struct compare_tolerance {
    double absolute; // ≥ 0, in the run's units; INFINITY: anything agrees
    double relative; // ≥ 0
};

// One pair, by its number in the stream.
struct compare_values {
    uint64_t index;
    double run, reference;
};

struct compare_moments {
    double count, mean_run, mean_reference;
    double squares_run, squares_reference, products; // of deviations from the means
};

struct compare_statistics {
    struct compare_tolerance tolerance;
    struct difference difference;       // counts, largest, rms: run minus reference
    struct compare_values largest;      // where |run − reference| is largest; if difference.compared > 0
    struct compare_values first_beyond; // if beyond > 0
    uint64_t beyond;                    // pairs out of tolerance
    uint64_t run_missing, reference_missing;                          // NaN in this one only
    struct compare_values first_run_missing, first_reference_missing; // if there are any
    struct running_sum differences;
    struct compare_moments moments;
    size_t waiting; // compared pairs of the current block
    double waiting_run[STATISTICS_BLOCK], waiting_reference[STATISTICS_BLOCK];
};

void compare_statistics_begin(struct compare_statistics *statistics, struct compare_tolerance tolerance);
void compare_statistics_add(struct compare_statistics *statistics, const double *run, const double *reference,
                            size_t count);
// Call it after the last pair, before the functions below.
void compare_statistics_end(struct compare_statistics *statistics);

// Mean of run − reference; NaN if nothing was compared.
double compare_statistics_bias(const struct compare_statistics *statistics);
// Pearson's r; NaN for fewer than two pairs, or if one operand does not vary.
double compare_statistics_correlation(const struct compare_statistics *statistics);

#endif
