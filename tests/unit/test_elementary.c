// models/elementary.h against the long double functions of the C library.
#include "tests/support/test.h"

#include "core/philox.h"
#include "models/elementary.h"

#include <stdio.h>

static double draw(uint64_t number)
{
    const struct philox_counter words = philox4x32(philox_counter_from(number, 0), philox_key_from_seed(27));
    return philox_double(words.v[0], words.v[1]);
}

TEST(test_logarithm)
{
    assert_true(elementary_log(1) == 0);
    for (uint64_t k = 0; k < 40000; k++) {
        // Every size that a double has, and numbers next to 1, where the logarithm has a zero.
        const double x = k % 2 ? ldexp(0.5 + 0.5 * draw(k), (int)(k % 1900) - 950)
                               : 1 + ldexp(draw(k) - 0.5, -(int)(k % 50));
        const long double exact = logl((long double)x);
        assert_true(fabsl((long double)elementary_log(x) - exact) <= 3e-16L * fmaxl(1, fabsl(exact)));
    }
}

TEST(test_angle)
{
    static const double axis[] = {-2, 0, 2};
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            if (axis[i] != 0 || axis[j] != 0)
                assert_true(elementary_atan2(axis[j], axis[i]) == atan2(axis[j], axis[i]));
    for (uint64_t k = 0; k < 40000; k++) {
        const double y = ldexp(draw(3 * k) - 0.5, (int)(k % 120) - 60),
                     x = ldexp(draw(3 * k + 1) - 0.5, (int)(k % 7) * 10 - 30);
        const long double exact = atan2l((long double)y, (long double)x);
        assert_true(fabsl((long double)elementary_atan2(y, x) - exact) <= 5e-16L * fmaxl(0.5L, fabsl(exact)));
    }
}

TEST(test_sine_and_cosine)
{
    for (uint64_t k = 0; k < 40000; k++) {
        const double x = 3.14159265358979323846 * (draw(k) - 0.5) * (k % 3 == 0 ? 1e-3 : 1);
        assert_true(fabsl((long double)elementary_sin(x) - sinl((long double)x)) <=
                    2.5e-16L * fabsl((long double)x));
        assert_true(fabsl((long double)elementary_cos(x) - cosl((long double)x)) <= 2.5e-16L);
    }
}
