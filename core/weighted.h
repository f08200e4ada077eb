// Statistics of values with weights: mean, quantiles, shares above a limit; and the same quantiles from a
// histogram of fixed memory, with a bound of their error. No allocation, no physics, no files.
//
// The quantile of a fraction p is the inverse of the weighted distribution: the smallest value x for which
// the values up to x have at least the share p of all weight (definition 1 of Hyndman and Fan, Am. Stat. 50,
// 361–365, 1996, with weights; numpy's method "inverted_cdf"). It is one of the values, never a number
// between two of them, and infinite values are values. A share within WEIGHTED_TOLERANCE below p counts as
// reaching it: of 20 values of the weight 0.05 the first is the quantile of 0.05, however the sum of their
// weights is rounded.
#ifndef FATHOM_CORE_WEIGHTED_H
#define FATHOM_CORE_WEIGHTED_H

#include <stdbool.h>
#include <stddef.h>

#define WEIGHTED_TOLERANCE 1e-12

struct weighted_value {
    double value;  // no NaN
    double weight; // ≥ 0, finite
};

// All of these: no entries, or no weight → NaN. Entries without weight do not count.

// Ascending by value; in place.
void weighted_sort(struct weighted_value *entries, size_t count);
// Of sorted entries; fraction 0 … 1.
double weighted_quantile(const struct weighted_value *entries, size_t count, double fraction);
double weighted_mean(const struct weighted_value *entries, size_t count);
double weighted_least(const struct weighted_value *entries, size_t count);
// The share of the weight whose value is larger than the limit.
double weighted_share_above(const struct weighted_value *entries, size_t count, double limit);

// ---- Histograms

// Bins of values ≥ 0. Bin 0 holds what is below `low`, the last one what is `high` or more; those between
// them have edges in a constant ratio, or at a constant distance.
struct weighted_bins {
    double low, high;
    double step; // logarithm of the ratio, or distance
    size_t count;
    bool is_logarithmic;
};

// Between low > 0 and high, each edge at most `ratio` times the one below it.
struct weighted_bins weighted_bins_in_ratio(double low, double high, double ratio);
// Of 0 … high in `count` bins, and the last one.
struct weighted_bins weighted_bins_at_distance(double high, size_t count);

size_t weighted_bins_place(const struct weighted_bins *bins, double value);
// The value that stands for a bin: 0 for bin 0 of a constant ratio, infinity for the last one.
double weighted_bins_value(const struct weighted_bins *bins, size_t bin);
// |quantile from the histogram − quantile of the values| ≤ the larger of `absolute` and `relative` times the
// latter, for values below `high`.
void weighted_bins_errors(const struct weighted_bins *bins, double *relative, double *absolute);

// weights[bins->count]: the weight in each bin.
double weighted_bins_quantile(const struct weighted_bins *bins, const double *weights, double fraction);

#endif
