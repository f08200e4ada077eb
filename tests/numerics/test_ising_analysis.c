// The analysis of series of measurements, on series whose answers are known: chains with a given memory,
// numbers without one, and the moments of simple distributions. Knows no solver.
#include "tests/support/test.h"

#include "core/philox.h"
#include "models/ising/jackknife.h"

#include "tests/support/numbers.h"

static double normal(uint64_t seed, uint64_t number)
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(number, 0), philox_key_from_seed(seed));
    return sqrt(-2 * log(philox_double(words.v[0], words.v[1]))) *
           cos(6.283185307179586 * philox_double(words.v[2], words.v[3]));
}

enum { REPLICAS = 3 };

// x_t = a x_{t−1} + √(1 − a²) ξ_t: ρ(t) = a^t, τ = (1 + a)/(2 (1 − a)), variance 1, about `mean`;
// [times][replicas].
static double *chains(size_t times, size_t replicas, double a, double mean, uint64_t seed)
{
    double *x = owned_zeros(times * replicas, sizeof *x);
    for (size_t k = 0; k < times * replicas; k++) {
        const double noise = normal(seed, k);
        x[k] = k < replicas ? noise : a * x[k - replicas] + sqrt(1 - a * a) * noise;
    }
    for (size_t k = 0; k < times * replicas; k++)
        x[k] += mean;
    return x;
}

static double *chain(size_t times, double a, double mean, uint64_t seed)
{
    return chains(times, REPLICAS, a, mean, seed);
}

static struct ising_series series_of(size_t times, double *energy, double *magnetisation)
{
    return (struct ising_series){.times = times,
                                 .replicas = REPLICAS,
                                 .energy = energy,
                                 .magnetisation = magnetisation,
                                 .beta = 0.5,
                                 .sites = 4};
}

// ---- autocorrelation

static struct ising_autocorrelation autocorrelate(const struct ising_series *series,
                                                  enum ising_observable observable, size_t lags, double *rho)
{
    double *scratch =
        owned_zeros(ising_scratch_count(series->times, series->replicas, lags), sizeof *scratch);
    const struct ising_autocorrelation found = ising_autocorrelate(series, observable, lags, rho, scratch);
    return found;
}

TEST(memory_of_a_chain_is_found)
{
    static const double memories[] = {0, 0.5, 0.9, 0.98};
    const size_t times = 40000;
    for (size_t k = 0; k < sizeof memories / sizeof *memories; k++) {
        const double a = memories[k], exact = (1 + a) / (2 * (1 - a));
        double *x = chain(times, a, -1.3, 11 + k), rho[4];
        const struct ising_series series = series_of(times, x, x);
        const struct ising_autocorrelation found = autocorrelate(&series, ISING_OF_ENERGY, 0, NULL);
        assert_true(found.is_closed);
        assert_true((double)found.window >= 6 * found.time);
        assert_near("τ", found.time, exact, 4 * found.error);
        assert_true(found.error < 0.1 * exact);
        autocorrelate(&series, ISING_OF_MAGNETISATION, 4, rho);
        for (int t = 0; t < 4; t++)
            assert_near("ρ", rho[t], pow(a, t), 0.04);
    }
}

// A window of tens of thousands of measurements.
TEST(long_memory_is_found)
{
    static const double tau[] = {300, 3000, 10000};
    const size_t times = 1000000;
    for (size_t k = 0; k < sizeof tau / sizeof *tau; k++) {
        double *x = chains(times, 1, (2 * tau[k] - 1) / (2 * tau[k] + 1), 5, 40 + k);
        struct ising_series series = series_of(times, x, x);
        series.replicas = 1;
        const struct ising_autocorrelation found = autocorrelate(&series, ISING_OF_ENERGY, 0, NULL);
        assert_true(found.is_closed);
        assert_near("τ", found.time, tau[k], 3 * found.error);
        assert_true(found.error < 8 * tau[k] * sqrt(tau[k] / (double)times));
    }
}

// All lags, by the definition: the mean of the products of deviations from the mean of all.
static void check_every_lag(size_t times, size_t replicas, enum ising_observable observable)
{
    double *x = chains(times, replicas, 0.9, observable == ISING_OF_ENERGY ? -300 : 0.1, 70 + times);
    double *rho = owned_zeros((times + 3), sizeof *rho);
    const struct ising_series series = {
        .times = times, .replicas = replicas, .energy = x, .magnetisation = x, .beta = 0.5, .sites = 4};
    const struct ising_autocorrelation found = autocorrelate(&series, observable, times + 3, rho);
    const struct ising_autocorrelation few_lags = autocorrelate(&series, observable, 2, (double[2]){0});
    double mean = 0, variance = 0, time = 0.5;
    for (size_t k = 0; k < times * replicas; k++) {
        x[k] = observable == ISING_OF_ABSOLUTE_MAGNETISATION ? fabs(x[k]) : x[k];
        mean += x[k] / (double)(times * replicas);
    }
    for (size_t lag = 0; lag < times; lag++) {
        double sum = 0;
        for (size_t k = 0; k < (times - lag) * replicas; k++)
            sum += (x[k] - mean) * (x[k + lag * replicas] - mean);
        sum /= (double)((times - lag) * replicas);
        variance = lag == 0 ? sum : variance;
        assert_near("ρ", rho[lag], sum / variance, 1e-11 * sqrt((double)times / (double)(times - lag)));
        time += lag >= 1 && lag <= found.window ? sum / variance : 0;
    }
    for (size_t lag = times; lag < times + 3; lag++)
        assert_true(isnan(rho[lag]));
    assert_near("τ", found.time, time, 1e-10);
    assert_int_equal(few_lags.window, found.window);
    assert_near("τ with fewer lags wanted", few_lags.time, found.time, 1e-11);
}

TEST(every_lag_is_exact)
{
    check_every_lag(2, 3, ISING_OF_MAGNETISATION);
    check_every_lag(1000, 1, ISING_OF_ABSOLUTE_MAGNETISATION);
    check_every_lag(1777, 2, ISING_OF_ENERGY);
    check_every_lag(1024, 5, ISING_OF_MAGNETISATION);
    check_every_lag(61, 33, ISING_OF_ABSOLUTE_MAGNETISATION);
}

TEST(a_series_too_short_says_so)
{
    double *x = chain(400, 0.98, 0, 5);
    const struct ising_series series = series_of(400, x, x);
    assert_false(autocorrelate(&series, ISING_OF_ENERGY, 0, NULL).is_closed);
    for (size_t k = 0; k < 400 * REPLICAS; k++)
        x[k] = 0.7;
    const struct ising_autocorrelation still = autocorrelate(&series, ISING_OF_ENERGY, 0, NULL);
    assert_true(still.is_closed);
    assert_near("of a series that never changes", still.time, 0.5, 0);
}

// ---- thermalisation

// Chains of τ = 9.5 that come from far away within some θ: what is left of the way where it is cut is less
// than the error of the mean, and no more than some θ are given away.
TEST(a_start_is_left_behind)
{
    const double a = 0.9, tau = (1 + a) / (2 * (1 - a));
    static const double thetas[] = {20, 100, 400};
    const size_t times = 10000;
    for (size_t k = 0; k < 3; k++) {
        const double theta = thetas[k];
        double *e = chain(times, a, 30, 300 + k), *still = owned_zeros(times * REPLICAS, sizeof *still);
        for (size_t n = 0; n < times * REPLICAS; n++)
            e[n] += 20 * exp(-(double)(n / REPLICAS) / theta);
        const struct ising_series energy = series_of(times, e, still),
                                  magnetisation = series_of(times, still, e);
        const struct ising_thermalisation cut = ising_find_thermalisation(&energy);
        const double left = (double)(times - cut.measurements), error = sqrt(2 * tau / (left * REPLICAS));
        const double bias = 20 * exp(-(double)cut.measurements / theta) * theta / left;
        assert_true(cut.is_reached);
        assert_true(bias < error);
        assert_true((double)cut.measurements < 12 * theta + 20 * tau);
        assert_int_equal(ising_find_thermalisation(&magnetisation).measurements, cut.measurements);
    }
}

TEST(what_has_no_begin_is_not_cut)
{
    enum { CHAINS = 100 };
    const size_t times = 2000;
    int uncut = 0, reached = 0;
    for (uint64_t c = 0; c < CHAINS; c++) {
        double *x = chain(times, 0.8, 1, 500 + c);
        const struct ising_series series = series_of(times, x, x);
        const struct ising_thermalisation cut = ising_find_thermalisation(&series);
        uncut += cut.measurements < times / 10;
        reached += cut.is_reached;
    }
    assert_true(uncut >= 85);
    assert_int_equal(reached, CHAINS);
    double *x = chain(times, 0, 0, 9);
    for (size_t k = 0; k < times * REPLICAS; k++)
        x[k] = -2;
    const struct ising_series frozen = series_of(times, x, x);
    assert_int_equal(ising_find_thermalisation(&frozen).measurements, 0);
    // On its way all the time.
    for (size_t k = 0; k < times * REPLICAS; k++)
        x[k] = 0.01 * (double)k + normal(77, k);
    const struct ising_thermalisation none = ising_find_thermalisation(&frozen);
    assert_int_equal(none.measurements, times / 2);
    assert_false(none.is_reached);
}

// ---- errors

static double reweight(const struct ising_series *series, const struct ising_blocks *blocks, double beta,
                       struct ising_estimate estimates[ISING_QUANTITIES])
{
    double *scratch = owned_zeros(blocks->count * ISING_BLOCK_SUMS, sizeof *scratch);
    const double share = ising_reweight(series, blocks, beta, estimates, scratch);
    return share;
}

static void estimate(const struct ising_series *series, const struct ising_blocks *blocks,
                     struct ising_estimate estimates[ISING_QUANTITIES])
{
    double *scratch = owned_zeros(blocks->count * ISING_BLOCK_SUMS, sizeof *scratch);
    ising_estimate(series, blocks, estimates, scratch);
}

// Deviations of many chains' estimates in units of their errors must be those of a normal distribution: their
// squares' sum lies within 0.1 % on either side of χ² of 60 degrees of freedom, 31.7 … 99.6, and a little for
// the jackknife's own scatter.
static void check_errors(size_t times, size_t replicas, double a, bool are_of_replicas, double low,
                         double high)
{
    enum { CHAINS = 60 };
    double sum[3] = {0}; // of the mean, of the square's mean, of the specific heat
    for (uint64_t c = 0; c < CHAINS; c++) {
        double *e = chains(times, replicas, a, 2, 1000 + c), *m = chains(times, replicas, a, 0, 2000 + c);
        struct ising_series series = series_of(times, e, m);
        series.replicas = replicas;
        const struct ising_blocks blocks = ising_choose_blocks(&series, 20 * (1 + a) / (2 * (1 - a)), 64);
        struct ising_estimate estimates[ISING_QUANTITIES];
        assert_int_equal(blocks.are_of_replicas, are_of_replicas);
        assert_true(blocks.count > 32);
        estimate(&series, &blocks, estimates);
        const double exact[] = {2, 1, 0.25 * 4};
        const int quantities[] = {ISING_ENERGY, ISING_SQUARE, ISING_SPECIFIC_HEAT};
        for (int q = 0; q < 3; q++) {
            const double deviation =
                (estimates[quantities[q]].value - exact[q]) / estimates[quantities[q]].error;
            sum[q] += deviation * deviation;
        }
    }
    for (int q = 0; q < 3; q++)
        if (!(sum[q] > low && sum[q] < high))
            fail_msg("%zu × %zu, quantity %d: χ² %g of %d", times, replicas, q, sum[q], CHAINS);
}

TEST(errors_are_honest)
{
    check_errors(6000, 1, 0.8, false, 31, 105);
    check_errors(6000, 3, 0.8, false, 31, 105);
    check_errors(90, 100, 0.9, true, 31, 105); // 9 τ only, but a hundred times
}

// Of a mean value the jackknife is the standard error of the blocks' means; of unequal ones, each counts by
// its share.
TEST(of_a_mean_it_is_the_standard_error)
{
    double values[] = {1, 2, 4, 7};
    struct ising_series series = series_of(4, values, values);
    series.replicas = 1;
    struct ising_estimate estimates[ISING_QUANTITIES];
    estimate(&series, &(struct ising_blocks){4, 1, false}, estimates);
    assert_near("value", estimates[ISING_ENERGY].value, 3.5, 1e-14);
    assert_near("error", estimates[ISING_ENERGY].error, sqrt(21.0 / 3 / 4), 1e-14);
    const double means[] = {1, 4, 2}, shares[] = {1.0 / 6, 2.0 / 6, 3.0 / 6};
    struct jackknife jackknife = {.value = 2.5};
    for (int b = 0; b < 3; b++)
        jackknife_add(&jackknife, shares[b], (2.5 - shares[b] * means[b]) / (1 - shares[b]));
    const struct ising_estimate unequal = jackknife_estimate(&jackknife);
    assert_near("value", unequal.value, 2.5, 1e-14);
    assert_near("error", unequal.error, sqrt((2.25 / 5 + 2.25 / 2 + 0.25 / 1) / 3), 1e-14);
    jackknife = (struct jackknife){.value = 3};
    jackknife_add(&jackknife, 1, NAN);
    assert_true(isnan(jackknife_estimate(&jackknife).error) && jackknife_estimate(&jackknife).value == 3);
}

// The variance of n numbers that remember each other is too small by 2τ/n; corrected, by far less.
TEST(bias_is_taken_away)
{
    enum { CHAINS = 1500 };
    const size_t times = 160;
    const double a = 0.6, tau = (1 + a) / (2 * (1 - a)), bias = 2 * tau / (double)times;
    double sum = 0, squares = 0;
    for (uint64_t c = 0; c < CHAINS; c++) {
        double *e = chains(times, 1, a, 2, 4000 + c);
        struct ising_series series = series_of(times, e, e);
        series.replicas = 1;
        const struct ising_blocks blocks = ising_choose_blocks(&series, 20 * tau, 64);
        struct ising_estimate estimates[ISING_QUANTITIES];
        assert_int_equal(blocks.count, ISING_BLOCKS_LEAST);
        estimate(&series, &blocks, estimates);
        sum += estimates[ISING_SPECIFIC_HEAT].value;
        squares += estimates[ISING_SPECIFIC_HEAT].value * estimates[ISING_SPECIFIC_HEAT].value;
    }
    const double mean = sum / CHAINS, error = sqrt((squares / CHAINS - mean * mean) / CHAINS);
    assert_true(bias > 4 * error);
    assert_near("variance", mean, 1, 2.5 * error);
}

// Of a normal m: ⟨|m|⟩ = √(2/π), U₄ = 0. Of ±1: U₄ = 2/3, χ = 0.
TEST(moments_become_quantities)
{
    const size_t times = 30000;
    double *e = chain(times, 0, -1, 3), *m = chain(times, 0, 0, 4);
    struct ising_series series = series_of(times, e, m);
    const struct ising_blocks blocks = ising_choose_blocks(&series, 1, 100);
    struct ising_estimate estimates[ISING_QUANTITIES];
    estimate(&series, &blocks, estimates);
    const double absolute = sqrt(2 / 3.14159265358979323846);
    assert_near("|m|", estimates[ISING_ABSOLUTE].value, absolute, 4 * estimates[ISING_ABSOLUTE].error);
    assert_near("U4", estimates[ISING_BINDER].value, 0, 4 * estimates[ISING_BINDER].error);
    assert_near("susceptibility", estimates[ISING_SUSCEPTIBILITY].value, 0.5 * 4 * (1 - absolute * absolute),
                4 * estimates[ISING_SUSCEPTIBILITY].error);
    for (size_t k = 0; k < times * REPLICAS; k++)
        m[k] = m[k] > 0 ? 1 : -1;
    series.clusters = e;
    estimate(&series, &blocks, estimates);
    assert_near("U4", estimates[ISING_BINDER].value, 2.0 / 3, 1e-12);
    assert_near("susceptibility", estimates[ISING_SUSCEPTIBILITY].value, 0, 1e-12);
    assert_near("clusters", estimates[ISING_CLUSTER].value, estimates[ISING_ENERGY].value, 1e-9);
}

// A normal energy of variance s² at β has its mean moved by −N s² Δβ at β + Δβ, and m, which knows nothing of
// it, stays.
TEST(another_temperature_is_reached)
{
    const size_t times = 40000;
    double *e = chain(times, 0, -1, 8), *m = chain(times, 0, 0, 9);
    const struct ising_series series = series_of(times, e, m);
    const struct ising_blocks blocks = ising_choose_blocks(&series, 1, 50);
    struct ising_estimate estimates[ISING_QUANTITIES];
    const double share = reweight(&series, &blocks, 0.55, estimates);
    assert_near("energy", estimates[ISING_ENERGY].value, -1 - 4 * 0.05, 4 * estimates[ISING_ENERGY].error);
    assert_near("m²", estimates[ISING_SQUARE].value, 1, 4 * estimates[ISING_SQUARE].error);
    assert_near("share: e^{−(NsΔβ)²}", share, exp(-0.04), 0.01);
    assert_true(reweight(&series, &blocks, 2.5, estimates) < 0.01);
    assert_near("the same temperature", reweight(&series, &blocks, 0.5, estimates), 1, 1e-12);
}

static void expect_blocks(size_t times, size_t replicas, double least_length, struct ising_blocks expected)
{
    const struct ising_series series = {.times = times, .replicas = replicas};
    const struct ising_blocks blocks = ising_choose_blocks(&series, least_length, 64);
    assert_int_equal(blocks.count, expected.count);
    assert_int_equal(blocks.length, expected.length);
    assert_int_equal(blocks.are_of_replicas, expected.are_of_replicas);
}

TEST(blocks_are_long_enough)
{
    expect_blocks(10000, 1, 33.2, (struct ising_blocks){64, 156, false});
    expect_blocks(1000, 7, 99.5, (struct ising_blocks){10, 100, false});
    expect_blocks(150, 1, 99.5, (struct ising_blocks){ISING_BLOCKS_LEAST, 18, false}); // shorter ones
    expect_blocks(5, 1, 99.5, (struct ising_blocks){5, 1, false});
    expect_blocks(1, 1, 3, (struct ising_blocks){1, 1, false});
    expect_blocks(1000, 10, 99.5, (struct ising_blocks){10, 1, true});
    expect_blocks(10000, 10, 33.2, (struct ising_blocks){64, 156, false});
    expect_blocks(10000, 64, 33.2, (struct ising_blocks){64, 1, true});
    expect_blocks(10000, 1000, 33.2, (struct ising_blocks){62, 16, true});
}

// What is left over is at the begin.
TEST(what_is_left_over_does_not_count)
{
    double values[11 * 2] = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9};
    for (size_t k = 6; k < 22; k++)
        values[k] = (double)(k % 2) - 0.5;
    struct ising_series series = series_of(11, values, values);
    series.replicas = 2;
    struct ising_estimate estimates[ISING_QUANTITIES];
    estimate(&series, &(struct ising_blocks){4, 2, false}, estimates);
    assert_near("of times", estimates[ISING_MAGNETISATION].value, 0, 1e-15);
    assert_near("of times", estimates[ISING_SQUARE].value, 0.25, 1e-15);
    series = (struct ising_series){.times = 2, .replicas = 11, .energy = values, .magnetisation = values};
    for (size_t k = 0; k < 22; k++)
        values[k] = k % 11 < 3 ? 1e9 : (double)(k % 11);
    estimate(&series, &(struct ising_blocks){4, 2, true}, estimates);
    assert_near("of replicas", estimates[ISING_MAGNETISATION].value, 6.5, 1e-14);
}
