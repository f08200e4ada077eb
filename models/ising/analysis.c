// Series of measurements (see the header). Sums are in the order of time, by one thread.
#include "models/ising/analysis.h"

#include <math.h>

// ---- autocorrelation

// Which share of a series a window may have, and how many τ it must have.
#define LARGEST_WINDOW 0.1
#define WINDOW_TIMES   6.0

static double value_at(const struct ising_series *s, enum ising_observable observable, size_t k)
{
    switch (observable) {
    case ISING_OF_ENERGY:
        return s->energy[k];
    case ISING_OF_MAGNETISATION:
        return s->magnetisation[k];
    case ISING_OF_ABSOLUTE_MAGNETISATION:
        break;
    }
    return fabs(s->magnetisation[k]);
}

static double mean_of(const struct ising_series *s, enum ising_observable observable)
{
    double sum = 0;
    for (size_t k = 0; k < s->times * s->replicas; k++)
        sum += value_at(s, observable, k);
    return sum / (double)(s->times * s->replicas);
}

// Mean of the products of deviations `lag` apart.
static double covariance_at(const struct ising_series *s, enum ising_observable observable, double mean,
                            size_t lag)
{
    const size_t pairs = (s->times - lag) * s->replicas, shift = lag * s->replicas;
    double sum = 0;
    for (size_t k = 0; k < pairs; k++)
        sum += (value_at(s, observable, k) - mean) * (value_at(s, observable, k + shift) - mean);
    return sum / (double)pairs;
}

struct ising_autocorrelation ising_autocorrelate(const struct ising_series *s,
                                                 enum ising_observable observable)
{
    struct ising_autocorrelation result = {.time = 0.5, .is_closed = true};
    const double mean = mean_of(s, observable), variance = covariance_at(s, observable, mean, 0);
    const size_t largest = (size_t)(LARGEST_WINDOW * (double)s->times);
    // Rounding alone is no fluctuation.
    if (!(variance > 1e-24 * (1 + mean * mean)))
        return result;
    result.is_closed = false;
    for (size_t lag = 1; lag <= largest && !result.is_closed; lag++) {
        result.time += covariance_at(s, observable, mean, lag) / variance;
        result.window = lag;
        result.is_closed = (double)lag >= WINDOW_TIMES * result.time;
    }
    const double measurements = (double)(s->times * s->replicas);
    result.error = result.time * sqrt((4 * (double)result.window + 2) / measurements);
    return result;
}

void ising_correlate_in_time(const struct ising_series *s, enum ising_observable observable, size_t lags,
                             double *rho)
{
    const double mean = mean_of(s, observable), variance = covariance_at(s, observable, mean, 0);
    for (size_t lag = 0; lag < lags; lag++)
        rho[lag] = lag < s->times && variance > 0 ? covariance_at(s, observable, mean, lag) / variance : 0;
}

// ---- estimates

// Weighted sums of powers. Energies are taken about a middle, as their variance is small beside their square.
enum { SUM_WEIGHT, SUM_E, SUM_E2, SUM_M, SUM_ABS, SUM_M2, SUM_M4, SUM_CLUSTERS, SUMS };

struct weighting {
    const struct ising_series *series;
    double middle, shift; // of energy; β' − β
    double beta;
};

static double weight_at(const struct weighting *w, size_t k)
{
    return exp(-w->shift * w->series->sites * (w->series->energy[k] - w->middle));
}

static void add_block(const struct weighting *w, size_t first, size_t count, double sums[SUMS])
{
    const struct ising_series *s = w->series;
    for (int q = 0; q < SUMS; q++)
        sums[q] = 0;
    for (size_t k = first * s->replicas; k < (first + count) * s->replicas; k++) {
        const double weight = weight_at(w, k), e = s->energy[k] - w->middle, m = s->magnetisation[k];
        sums[SUM_WEIGHT] += weight;
        sums[SUM_E] += weight * e;
        sums[SUM_E2] += weight * e * e;
        sums[SUM_M] += weight * m;
        sums[SUM_ABS] += weight * fabs(m);
        sums[SUM_M2] += weight * m * m;
        sums[SUM_M4] += weight * m * m * m * m;
        sums[SUM_CLUSTERS] += s->clusters ? weight * s->clusters[k] : 0;
    }
}

static void derive(const struct weighting *w, const double sums[SUMS], double values[ISING_QUANTITIES])
{
    const double sites = w->series->sites, all = sums[SUM_WEIGHT];
    const double e = sums[SUM_E] / all, absolute = sums[SUM_ABS] / all, square = sums[SUM_M2] / all;
    values[ISING_ENERGY] = w->middle + e;
    values[ISING_SPECIFIC_HEAT] = w->beta * w->beta * sites * (sums[SUM_E2] / all - e * e);
    values[ISING_MAGNETISATION] = sums[SUM_M] / all;
    values[ISING_ABSOLUTE] = absolute;
    values[ISING_SQUARE] = square;
    values[ISING_SUSCEPTIBILITY] = w->beta * sites * (square - absolute * absolute);
    values[ISING_BINDER] = square > 0 ? 1 - sums[SUM_M4] / all / (3 * square * square) : 0;
    values[ISING_CLUSTER] = sums[SUM_CLUSTERS] / all;
}

struct ising_blocks ising_choose_blocks(size_t times, double least_length, size_t most)
{
    struct ising_blocks blocks = {.length = (size_t)ceil(least_length > 1 ? least_length : 1)};
    if (times / most > blocks.length)
        blocks.length = times / most;
    blocks.count = times / blocks.length < most ? times / blocks.length : most;
    return blocks;
}

// Two passes over the blocks: their sums are made anew instead of being kept.
static void jackknife(const struct weighting *w, const struct ising_blocks *blocks,
                      struct ising_estimate estimates[ISING_QUANTITIES])
{
    double all[SUMS] = {0}, sums[SUMS], values[ISING_QUANTITIES];
    double mean[ISING_QUANTITIES] = {0}, squares[ISING_QUANTITIES] = {0};
    for (size_t b = 0; b < blocks->count; b++) {
        add_block(w, b * blocks->length, blocks->length, sums);
        for (int q = 0; q < SUMS; q++)
            all[q] += sums[q];
    }
    derive(w, all, values);
    for (int q = 0; q < ISING_QUANTITIES; q++)
        estimates[q] = (struct ising_estimate){values[q], 0};
    // Welford's running mean and sum of squares.
    for (size_t b = 0; b < blocks->count; b++) {
        add_block(w, b * blocks->length, blocks->length, sums);
        for (int q = 0; q < SUMS; q++)
            sums[q] = all[q] - sums[q];
        derive(w, sums, values);
        for (int q = 0; q < ISING_QUANTITIES; q++) {
            const double before = values[q] - mean[q];
            mean[q] += before / (double)(b + 1);
            squares[q] += before * (values[q] - mean[q]);
        }
    }
    const double count = (double)blocks->count;
    for (int q = 0; q < ISING_QUANTITIES; q++)
        estimates[q].error = sqrt((count - 1) / count * squares[q]);
}

void ising_estimate(const struct ising_series *s, const struct ising_blocks *blocks,
                    struct ising_estimate estimates[ISING_QUANTITIES])
{
    const struct weighting weighting = {
        .series = s, .middle = mean_of(s, ISING_OF_ENERGY), .shift = 0, .beta = s->beta};
    jackknife(&weighting, blocks, estimates);
}

double ising_reweight(const struct ising_series *s, const struct ising_blocks *blocks, double beta,
                      struct ising_estimate estimates[ISING_QUANTITIES])
{
    const struct weighting weighting = {
        .series = s, .middle = mean_of(s, ISING_OF_ENERGY), .shift = beta - s->beta, .beta = beta};
    const size_t count = blocks->count * blocks->length * s->replicas;
    double sum = 0, squares = 0;
    for (size_t k = 0; k < count; k++) {
        const double weight = weight_at(&weighting, k);
        sum += weight;
        squares += weight * weight;
    }
    jackknife(&weighting, blocks, estimates);
    return sum * sum / ((double)count * squares);
}
