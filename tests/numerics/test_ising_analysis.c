// The analysis of series of measurements, on series whose answers are known: chains with a given memory, numbers without one, and
// the moments of simple distributions. Knows no solver.
#include "core/philox.h"
#include "models/ising/analysis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/numbers.h"

static double normal(uint64_t seed, uint64_t number)
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(number, 0), philox_key_from_seed(seed));
    return sqrt(-2 * log(philox_double(words.v[0], words.v[1]))) *
           cos(6.283185307179586 * philox_double(words.v[2], words.v[3]));
}

enum { REPLICAS = 3 };

// x_t = a x_{t−1} + √(1 − a²) ξ_t: ρ(t) = a^t, τ = (1 + a)/(2 (1 − a)), variance 1, about `mean`.
static double *chain(size_t times, double a, double mean, uint64_t seed)
{
    double *x = malloc(times * REPLICAS * sizeof *x);
    assert_non_null(x);
    for (size_t k = 0; k < times * REPLICAS; k++) {
        const double noise = normal(seed, k);
        x[k] = k < REPLICAS ? noise : a * x[k - REPLICAS] + sqrt(1 - a * a) * noise;
    }
    for (size_t k = 0; k < times * REPLICAS; k++)
        x[k] += mean;
    return x;
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

static void memory_of_a_chain_is_found(void **unused)
{
    (void)unused;
    static const double memories[] = {0, 0.5, 0.9, 0.98};
    const size_t times = 40000;
    for (size_t k = 0; k < sizeof memories / sizeof *memories; k++) {
        const double a = memories[k], exact = (1 + a) / (2 * (1 - a));
        double *x = chain(times, a, -1.3, 11 + k), rho[4];
        const struct ising_series series = series_of(times, x, x);
        const struct ising_autocorrelation found = ising_autocorrelate(&series, ISING_OF_ENERGY);
        assert_true(found.is_closed);
        assert_true((double)found.window >= 6 * found.time);
        assert_near("τ", found.time, exact, 4 * found.error);
        assert_true(found.error < 0.1 * exact);
        ising_correlate_in_time(&series, ISING_OF_MAGNETISATION, 4, rho);
        for (int t = 0; t < 4; t++)
            assert_near("ρ", rho[t], pow(a, t), 0.04);
        free(x);
    }
}

static void a_series_too_short_says_so(void **unused)
{
    (void)unused;
    double *x = chain(400, 0.98, 0, 5);
    const struct ising_series series = series_of(400, x, x);
    assert_false(ising_autocorrelate(&series, ISING_OF_ENERGY).is_closed);
    for (size_t k = 0; k < 400 * REPLICAS; k++)
        x[k] = 0.7;
    const struct ising_autocorrelation still = ising_autocorrelate(&series, ISING_OF_ENERGY);
    assert_true(still.is_closed);
    assert_near("of a series that never changes", still.time, 0.5, 0);
    free(x);
}

// Of 60 chains the mean's deviations, in units of the errors that the jackknife gives, must be those of a normal distribution.
static void errors_are_honest(void **unused)
{
    (void)unused;
    const size_t times = 6000, chains = 60;
    const double a = 0.8;
    double sum[3] = {0}; // of the mean, of the square's mean, of the specific heat
    for (size_t c = 0; c < chains; c++) {
        double *e = chain(times, a, 2, 1000 + c), *m = chain(times, a, 0, 2000 + c);
        const struct ising_series series = series_of(times, e, m);
        const struct ising_blocks blocks = ising_choose_blocks(times, 20 * (1 + a) / (2 * (1 - a)), 64);
        struct ising_estimate estimates[ISING_QUANTITIES];
        assert_int_equal(blocks.count, 64);
        ising_estimate(&series, &blocks, estimates);
        const double exact[] = {2, 1, 0.25 * 4};
        const int quantities[] = {ISING_ENERGY, ISING_SQUARE, ISING_SPECIFIC_HEAT};
        for (int q = 0; q < 3; q++) {
            const double deviation =
                (estimates[quantities[q]].value - exact[q]) / estimates[quantities[q]].error;
            sum[q] += deviation * deviation;
        }
        free(e);
        free(m);
    }
    // χ² of 60 degrees of freedom: 0.1 % on either side of 31.7 … 99.6, and a little for the jackknife's own scatter.
    for (int q = 0; q < 3; q++) {
        assert_true(sum[q] > 31);
        assert_true(sum[q] < 105);
    }
}

// Of a normal m: ⟨|m|⟩ = √(2/π), U₄ = 0. Of ±1: U₄ = 2/3, χ = 0.
static void moments_become_quantities(void **unused)
{
    (void)unused;
    const size_t times = 30000;
    double *e = chain(times, 0, -1, 3), *m = chain(times, 0, 0, 4);
    struct ising_series series = series_of(times, e, m);
    const struct ising_blocks blocks = ising_choose_blocks(times, 1, 100);
    struct ising_estimate estimates[ISING_QUANTITIES];
    ising_estimate(&series, &blocks, estimates);
    const double absolute = sqrt(2 / 3.14159265358979323846);
    assert_near("|m|", estimates[ISING_ABSOLUTE].value, absolute, 4 * estimates[ISING_ABSOLUTE].error);
    assert_near("U4", estimates[ISING_BINDER].value, 0, 4 * estimates[ISING_BINDER].error);
    assert_near("susceptibility", estimates[ISING_SUSCEPTIBILITY].value, 0.5 * 4 * (1 - absolute * absolute),
                4 * estimates[ISING_SUSCEPTIBILITY].error);
    for (size_t k = 0; k < times * REPLICAS; k++)
        m[k] = m[k] > 0 ? 1 : -1;
    series.clusters = e;
    ising_estimate(&series, &blocks, estimates);
    assert_near("U4", estimates[ISING_BINDER].value, 2.0 / 3, 1e-12);
    assert_near("susceptibility", estimates[ISING_SUSCEPTIBILITY].value, 0, 1e-12);
    assert_near("clusters", estimates[ISING_CLUSTER].value, estimates[ISING_ENERGY].value, 1e-9);
    free(e);
    free(m);
}

// A normal energy of variance s² at β has its mean moved by −N s² Δβ at β + Δβ, and m, which knows nothing of it, stays.
static void another_temperature_is_reached(void **unused)
{
    (void)unused;
    const size_t times = 40000;
    double *e = chain(times, 0, -1, 8), *m = chain(times, 0, 0, 9);
    const struct ising_series series = series_of(times, e, m);
    const struct ising_blocks blocks = ising_choose_blocks(times, 1, 50);
    struct ising_estimate estimates[ISING_QUANTITIES];
    const double share = ising_reweight(&series, &blocks, 0.55, estimates);
    assert_near("energy", estimates[ISING_ENERGY].value, -1 - 4 * 0.05, 4 * estimates[ISING_ENERGY].error);
    assert_near("m²", estimates[ISING_SQUARE].value, 1, 4 * estimates[ISING_SQUARE].error);
    assert_near("share: e^{−(NsΔβ)²}", share, exp(-0.04), 0.01);
    assert_true(ising_reweight(&series, &blocks, 2.5, estimates) < 0.01);
    assert_near("the same temperature", ising_reweight(&series, &blocks, 0.5, estimates), 1, 1e-12);
    free(e);
    free(m);
}

static void blocks_are_long_enough(void **unused)
{
    (void)unused;
    struct ising_blocks blocks = ising_choose_blocks(10000, 33.2, 64);
    assert_int_equal(blocks.count, 64);
    assert_int_equal(blocks.length, 156);
    blocks = ising_choose_blocks(1000, 99.5, 64);
    assert_int_equal(blocks.count, 10);
    assert_int_equal(blocks.length, 100);
    assert_int_equal(ising_choose_blocks(150, 99.5, 64).count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_a_chain_is_found),
        cmocka_unit_test(a_series_too_short_says_so),
        cmocka_unit_test(errors_are_honest),
        cmocka_unit_test(moments_become_quantities),
        cmocka_unit_test(another_temperature_is_reached),
        cmocka_unit_test(blocks_are_long_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
