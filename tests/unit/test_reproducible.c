// core/reproducible: against the long double functions of the C library, and against published values of the
// normal distribution.
#include "tests/support/test.h"

#include "core/philox.h"
#include "core/reproducible.h"

#include <stdio.h>

static double draw(uint64_t number)
{
    const struct philox_counter words = philox4x32(philox_counter_from(number, 0), philox_key_from_seed(27));
    return philox_double(words.v[0], words.v[1]);
}

TEST(test_exp_and_log_agree_with_long_double)
{
    for (uint64_t k = 0; k < 20000; k++) {
        const double x = 1400 * draw(k) - 700, y = ldexp(0.5 + 0.5 * draw(k), (int)(k % 60) - 30);
        const long double exact = expl((long double)x), logarithm = logl((long double)y);
        assert_true(fabsl((long double)reproducible_exp(x) - exact) <= 4.5e-16L * exact);
        assert_true(fabsl((long double)reproducible_log(y) - logarithm) <=
                    3e-16L * fmaxl(1, fabsl(logarithm)));
    }
    assert_true(reproducible_log(1) == 0);
    assert_true(reproducible_exp(0) == 1);
    assert_true(fabs(reproducible_power(10, -2.5) - 0.0031622776601683794) < 1e-17);
    assert_true(isinf(reproducible_exp(800)) && reproducible_exp(-800) == 0);
}

TEST(test_cos_and_sin_agree_with_long_double)
{
    static const long double two_pi = 6.283185307179586476925286766559L;
    for (uint64_t k = 0; k < 20000; k++) {
        const double turns = draw(k);
        assert_true(fabsl((long double)reproducible_cos_turns(turns) - cosl(two_pi * (long double)turns)) <
                    3e-16L);
        assert_true(fabsl((long double)reproducible_sin_turns(turns) - sinl(two_pi * (long double)turns)) <
                    3e-16L);
    }
    assert_true(reproducible_cos_turns(0) == 1 && reproducible_cos_turns(0.25) == 0);
    assert_true(reproducible_cos_turns(0.5) == -1 && reproducible_cos_turns(-1.75) == 0);
    assert_true(reproducible_sin_turns(0.25) == 1 && reproducible_sin_turns(0.5) == 0);
}

// Abramowitz & Stegun, tables 26.1 and 26.5, and the same to more digits from erfc in exact arithmetic.
TEST(test_normal_distribution_has_its_published_values)
{
    static const struct {
        double x, p;
    } values[] = {{0, 0.5},
                  {1, 0.84134474606854294859},
                  {-1, 0.15865525393145705141},
                  {1.959963984540054235524594, 0.975},
                  {-1.644853626951472714863848, 0.05},
                  {2.575829303548900760966, 0.995},
                  {-3.090232306167813541540, 0.001},
                  {-6, 9.8658764503769814070e-10},
                  {-6.361340902404056194, 1e-10},
                  {-20, 2.7536241186062336951e-89}};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        const double p = reproducible_normal_probability(values[k].x),
                     x = reproducible_normal_quantile(values[k].p);
        if (!(fabs(p - values[k].p) <= 1e-13 * values[k].p) ||
            !(fabs(x - values[k].x) <= 2e-15 * fmax(1, fabs(values[k].x))))
            fail_msg("x %.17g: p %.17g, expected %.17g; quantile %.17g", values[k].x, p, values[k].p, x);
    }
}

TEST(test_quantile_inverts_the_probability)
{
    for (uint64_t k = 0; k < 5000; k++) {
        const double p = draw(k), x = reproducible_normal_quantile(p);
        const double again = 0.5 * erfc(-x / sqrt(2.0));
        assert_true(fabs(again - p) <= 1e-14);
        assert_true(fabs(reproducible_normal_probability(x) - p) <= 1e-14);
    }
}
