// Thermalisation and autocorrelation of a series of measurements (analysis.h).
#include "models/ising/analysis.h"

#include <math.h>
#include <string.h>

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

// ---- thermalisation

// From the end to the begin with the mean over replicas: Welford's running mean and sum of squares.
static size_t least_error_begin(const struct ising_series *s, enum ising_observable observable)
{
    const size_t last = s->times * 3 / 4;
    size_t best = last;
    double mean = 0, squares = 0, least = INFINITY;
    for (size_t time = s->times; time-- > 0;) {
        const double count = (double)(s->times - time);
        double x = 0;
        for (size_t r = 0; r < s->replicas; r++)
            x += value_at(s, observable, time * s->replicas + r);
        x /= (double)s->replicas;
        const double before = x - mean;
        mean += before / count;
        squares += before * (x - mean);
        if (time <= last && squares / (count * count) <= least) {
            least = squares / (count * count);
            best = time;
        }
    }
    return best;
}

struct ising_thermalisation ising_find_thermalisation(const struct ising_series *s)
{
    const size_t energy = least_error_begin(s, ISING_OF_ENERGY);
    const size_t absolute = least_error_begin(s, ISING_OF_ABSOLUTE_MAGNETISATION);
    const size_t later = energy > absolute ? energy : absolute, half = s->times / 2;
    return (struct ising_thermalisation){2 * later < half ? 2 * later : half, later <= half};
}

// ---- Fourier transforms of n = 2^k complex numbers (real, imaginary, real, …)

static const double pi = 3.14159265358979323846;

// The factors of a transform of 2h numbers, e^{−πi k/h}, are at roots[2 (h + k)].
static void make_roots(double *roots, size_t n)
{
    const size_t half = n / 2;
    for (size_t k = 0; k < half; k++) {
        roots[2 * (half + k)] = cos(pi * (double)k / (double)half);
        roots[2 * (half + k) + 1] = -sin(pi * (double)k / (double)half);
    }
    for (size_t k = half - 1; k > 0; k--)
        memcpy(roots + 2 * k, roots + 4 * k, 2 * sizeof *roots);
}

// In place; the result is in the order of reversed bits, in which transform_back takes it. The halves
// follow each other, so that what fits into a cache is done there.
static void transform(double *z, size_t n, const double *roots)
{
    const size_t half = n / 2;
    const double *root = roots + 2 * half;
    double *low = z, *high = z + 2 * half;
    for (size_t k = 0; k < 2 * half; k += 2) {
        const double re = low[k] - high[k], im = low[k + 1] - high[k + 1];
        low[k] += high[k];
        low[k + 1] += high[k + 1];
        high[k] = re * root[k] - im * root[k + 1];
        high[k + 1] = re * root[k + 1] + im * root[k];
    }
    if (half > 1) {
        transform(low, half, roots);
        transform(high, half, roots);
    }
}

// n times the inverse.
static void transform_back(double *z, size_t n, const double *roots)
{
    const size_t half = n / 2;
    const double *root = roots + 2 * half;
    double *low = z, *high = z + 2 * half;
    if (half > 1) {
        transform_back(low, half, roots);
        transform_back(high, half, roots);
    }
    for (size_t k = 0; k < 2 * half; k += 2) {
        const double re = high[k] * root[k] + high[k + 1] * root[k + 1];
        const double im = high[k + 1] * root[k] - high[k] * root[k + 1];
        high[k] = low[k] - re;
        high[k + 1] = low[k + 1] - im;
        low[k] += re;
        low[k + 1] += im;
    }
}

// ---- autocorrelation

// How many τ a window must have.
static const double window_times = 6;

static size_t largest_window(size_t times, size_t replicas)
{
    const size_t share = 50 / replicas;
    return times / (share > 10 ? 10 : share < 2 ? 2 : share);
}

// Lags that are computed at once are a power of two: as many as are asked for and some more; if no window
// closes there, as many as the largest has.
enum { FIRST_RANGE = 256 };

static size_t range_beyond(size_t lag)
{
    size_t range = 2;
    while (range <= lag)
        range *= 2;
    return range;
}

static size_t least_range(size_t times, size_t lags)
{
    return range_beyond(lags < times ? lags : times - 1);
}

static size_t largest_range(size_t times, size_t replicas, size_t lags)
{
    const size_t window = range_beyond(largest_window(times, replicas)), least = least_range(times, lags);
    return window > least ? window : least;
}

size_t ising_scratch_count(size_t times, size_t replicas, size_t lags)
{
    return 16 * largest_range(times, replicas, lags);
}

// Deviations from the mean at `count` times from `first` on, of two replicas as one complex number, and zeros
// up to n.
static void load(const struct ising_series *s, enum ising_observable observable, double mean, size_t first,
                 size_t count, size_t replica, double *z, size_t n)
{
    const size_t left = s->times - first;
    memset(z, 0, 2 * n * sizeof *z);
    for (size_t k = 0; k < (count < left ? count : left); k++)
        for (size_t r = replica; r < replica + 2 && r < s->replicas; r++)
            z[2 * k + r - replica] = value_at(s, observable, (first + k) * s->replicas + r) - mean;
}

// Sums of products of deviations 0 … range − 1 apart, over all times and replicas, into sums[0, 2, 4, …].
// Pieces of `range` times are correlated with those and the next as many: exact but for rounding, with memory
// for the lags alone.
static double *sum_products(const struct ising_series *s, enum ising_observable observable, double mean,
                            size_t range, double *scratch)
{
    const size_t n = 2 * range;
    double *a = scratch, *b = a + 2 * n, *sums = b + 2 * n, *roots = sums + 2 * n;
    make_roots(roots, n);
    memset(sums, 0, 2 * n * sizeof *sums);
    for (size_t first = 0; first < s->times; first += range)
        for (size_t replica = 0; replica < s->replicas; replica += 2) {
            load(s, observable, mean, first, range, replica, a, n);
            load(s, observable, mean, first, n, replica, b, n);
            transform(a, n, roots);
            transform(b, n, roots);
            for (size_t k = 0; k < 2 * n; k += 2) {
                sums[k] += a[k] * b[k] + a[k + 1] * b[k + 1];
                sums[k + 1] += a[k] * b[k + 1] - a[k + 1] * b[k];
            }
        }
    transform_back(sums, n, roots);
    for (size_t k = 0; k < 2 * n; k += 2)
        sums[k] /= (double)n;
    return sums;
}

static void find_moments(const struct ising_series *s, enum ising_observable observable, double *mean,
                         double *variance)
{
    const size_t count = s->times * s->replicas;
    double sum = 0, squares = 0;
    for (size_t k = 0; k < count; k++)
        sum += value_at(s, observable, k);
    *mean = sum / (double)count;
    for (size_t k = 0; k < count; k++) {
        const double deviation = value_at(s, observable, k) - *mean;
        squares += deviation * deviation;
    }
    *variance = squares / (double)count;
}

// ρ(0 … range − 1), as far as the series goes, at [0, 2, 4, …].
static const double *correlate(const struct ising_series *s, enum ising_observable observable, double mean,
                               double variance, size_t range, double *scratch)
{
    double *sums = sum_products(s, observable, mean, range, scratch);
    for (size_t lag = 0; lag < range && lag < s->times; lag++)
        sums[2 * lag] /= (double)(s->times - lag) * (double)s->replicas * variance;
    return sums;
}

static void add_until_closed(const double *rho, size_t last, struct ising_autocorrelation *result)
{
    result->time = 0.5;
    result->is_closed = false;
    for (size_t lag = 1; lag <= last && !result->is_closed; lag++) {
        result->time += rho[2 * lag];
        result->window = lag;
        result->is_closed = (double)lag >= window_times * result->time;
    }
}

struct ising_autocorrelation ising_autocorrelate(const struct ising_series *s,
                                                 enum ising_observable observable, size_t lags, double *rho,
                                                 double *scratch)
{
    struct ising_autocorrelation result = {.time = 0.5, .is_closed = true};
    const size_t window = largest_window(s->times, s->replicas), least = least_range(s->times, lags);
    const size_t largest = largest_range(s->times, s->replicas, lags);
    double mean, variance;
    find_moments(s, observable, &mean, &variance);
    for (size_t lag = 0; lag < lags; lag++)
        rho[lag] = NAN;
    // Rounding alone is no fluctuation.
    if (!(variance > 1e-24 * (1 + mean * mean)))
        return result;
    result.is_closed = false;
    for (size_t range = least > FIRST_RANGE ? least : FIRST_RANGE; !result.is_closed; range = largest) {
        range = range < largest ? range : largest;
        const double *found = correlate(s, observable, mean, variance, range, scratch);
        for (size_t lag = 0; lag < lags && lag < s->times; lag++)
            rho[lag] = found[2 * lag];
        add_until_closed(found, window < range ? window : range - 1, &result);
        if (range == largest)
            break;
    }
    const double measurements = (double)(s->times * s->replicas);
    result.error = result.time * sqrt((4 * (double)result.window + 2) / measurements);
    return result;
}
