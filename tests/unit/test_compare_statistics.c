// validate/compare/statistics.c against sums worked out by hand and in long double.
#include "tests/support/test.h"

#include "validate/compare/statistics.h"

static struct compare_statistics s; // too large for a stack

static void add_all(struct compare_tolerance tolerance, const double *run, const double *reference,
                    size_t count)
{
    compare_statistics_begin(&s, tolerance);
    compare_statistics_add(&s, run, reference, count);
    compare_statistics_end(&s);
}

TEST(figures_by_hand)
{
    // Differences 0, 0, 0, −2: mean −1/2, mean square 1. Run 1 2 3 4, reference 1 2 3 6: deviations from the
    // means 2.5 and 3: covariance sum 1.5·2 + 0.5·1 + 0 + 1.5·3 = 8, squares 5 and 14.
    const double run[] = {1, 2, 3, 4}, reference[] = {1, 2, 3, 6};
    add_all((struct compare_tolerance){0.5, 0}, run, reference, 4);
    assert_int_equal(s.difference.compared, 4);
    assert_true(s.difference.max_abs == 2);
    assert_int_equal(s.largest.index, 3);
    assert_true(s.largest.run == 4 && s.largest.reference == 6);
    assert_int_equal(s.beyond, 1);
    assert_int_equal(s.first_beyond.index, 3);
    assert_true(compare_statistics_bias(&s) == -0.5);
    assert_true(difference_rms(&s.difference) == 1);
    assert_true(difference_reference_rms(&s.difference) == sqrt(12.5));
    assert_true(fabs(compare_statistics_correlation(&s) - 8 / sqrt(5 * 14)) <= 2e-16);
}

TEST(tolerance_is_inclusive)
{
    // Powers of two: exact. Allowed: 0.25 + 0.5 |reference|.
    const double run[] = {0.25, 2.25 + 1, 6.25, -6.25, 0.2500001}, reference[] = {0, 2, 4, -4, 0};
    add_all((struct compare_tolerance){0.25, 0.5}, run, reference, 5);
    assert_int_equal(s.beyond, 1);
    assert_int_equal(s.first_beyond.index, 4);
    add_all((struct compare_tolerance){0, 0}, reference, reference, 5);
    assert_int_equal(s.beyond, 0);
    add_all((struct compare_tolerance){INFINITY, 0}, run, reference, 5);
    assert_int_equal(s.beyond, 0);
}

TEST(missing_on_either_side)
{
    const double run[] = {NAN, 1, NAN, 3, NAN, 5}, reference[] = {NAN, NAN, 2, 3, NAN, NAN};
    add_all((struct compare_tolerance){0, 0}, run, reference, 6);
    assert_int_equal(s.difference.compared, 1);
    assert_int_equal(s.difference.missing, 2);
    assert_int_equal(s.reference_missing, 2);
    assert_int_equal(s.run_missing, 1);
    assert_int_equal(s.difference.mismatched, 3);
    assert_int_equal(s.first_reference_missing.index, 1);
    assert_true(s.first_reference_missing.run == 1);
    assert_int_equal(s.first_run_missing.index, 2);
    assert_true(s.first_run_missing.reference == 2);
    assert_true(isnan(compare_statistics_correlation(&s))); // one pair
}

TEST(infinities)
{
    const double run[] = {INFINITY, 1, -INFINITY}, reference[] = {INFINITY, INFINITY, -INFINITY};
    add_all((struct compare_tolerance){1e300, 1}, run, reference, 3);
    assert_int_equal(s.beyond, 1); // a finite tolerance never allows an infinite difference
    assert_int_equal(s.first_beyond.index, 1);
    assert_true(isinf(s.difference.max_abs));
    assert_true(isnan(compare_statistics_correlation(&s)));
}

TEST(nothing_and_constants)
{
    add_all((struct compare_tolerance){0, 0}, NULL, NULL, 0);
    assert_true(isnan(compare_statistics_bias(&s)));
    assert_true(isnan(compare_statistics_correlation(&s)));
    static double constant[9000], varying[9000];
    for (size_t k = 0; k < 9000; k++) {
        constant[k] = 0.1; // whose mean is not exactly 0.1
        varying[k] = sin((double)k);
    }
    add_all((struct compare_tolerance){9, 0}, constant, varying, 9000);
    assert_true(isnan(compare_statistics_correlation(&s)));
    add_all((struct compare_tolerance){9, 0}, varying, varying, 9000);
    assert_true(compare_statistics_correlation(&s) == 1);
    for (size_t k = 0; k < 9000; k++)
        constant[k] = -3 * varying[k];
    add_all((struct compare_tolerance){9, 0}, constant, varying, 9000);
    assert_true(fabs(compare_statistics_correlation(&s) + 1) < 1e-15);
}

enum { MANY = 50000 };
static double many_run[MANY], many_reference[MANY];

static void make_many(double mean)
{
    uint32_t random = 7;
    for (size_t k = 0; k < MANY; k++) {
        random = random * 1664525u + 1013904223u; // Numerical Recipes' generator
        many_reference[k] = mean + (double)(random >> 9) / 1048576;
        random = random * 1664525u + 1013904223u;
        many_run[k] = k % 17 == 3 ? NAN : many_reference[k] + (double)(random >> 9) / 1048576 - 3;
        many_reference[k] = k % 23 == 3 ? NAN : many_reference[k];
    }
}

// Two passes in long double over pairs that both have a number.
static long double correlation_by_definition(long double *bias)
{
    long double sums[2] = {0, 0}, differences = 0, xx = 0, yy = 0, xy = 0, count = 0;
    for (size_t k = 0; k < MANY; k++)
        if (!isnan(many_run[k]) && !isnan(many_reference[k])) {
            sums[0] += (long double)many_run[k];
            sums[1] += (long double)many_reference[k];
            differences += (long double)many_run[k] - (long double)many_reference[k];
            count++;
        }
    for (size_t k = 0; k < MANY; k++)
        if (!isnan(many_run[k]) && !isnan(many_reference[k])) {
            const long double x = (long double)many_run[k] - sums[0] / count;
            const long double y = (long double)many_reference[k] - sums[1] / count;
            xx += x * x;
            yy += y * y;
            xy += x * y;
        }
    *bias = differences / count;
    return xy / sqrtl(xx * yy);
}

TEST(large_means_cancel_nothing)
{
    static const double means[] = {0, 1e5, 1e9};
    for (int m = 0; m < 3; m++) {
        make_many(means[m]);
        long double bias;
        const double expected = (double)correlation_by_definition(&bias);
        add_all((struct compare_tolerance){9, 0}, many_run, many_reference, MANY);
        assert_true(fabs(compare_statistics_correlation(&s) - expected) <
                    1e-13 + 1e-22 * means[m] * means[m]);
        assert_true(fabs(compare_statistics_bias(&s) - (double)bias) < 1e-13);
    }
}

// The pieces in which the pairs come change no bit.
TEST(pieces_do_not_matter)
{
    struct compare_statistics *whole = owned_zeros(1, sizeof *whole);
    make_many(3);
    add_all((struct compare_tolerance){0.1, 0}, many_run, many_reference, MANY);
    *whole = s;
    compare_statistics_begin(&s, (struct compare_tolerance){0.1, 0});
    for (size_t done = 0, piece = 1; done < MANY; piece = piece * 3 % 7001) {
        const size_t count = piece < MANY - done ? piece : MANY - done;
        compare_statistics_add(&s, many_run + done, many_reference + done, count);
        done += count;
    }
    compare_statistics_end(&s);
    assert_true(s.beyond > 0 && s.run_missing > 0 && s.reference_missing > 0);
    assert_memory_equal(&s.moments, &whole->moments, sizeof s.moments);
    assert_memory_equal(&s.difference, &whole->difference, sizeof s.difference);
    assert_memory_equal(&s.differences, &whole->differences, sizeof s.differences);
    assert_memory_equal(&s.largest, &whole->largest, sizeof s.largest);
    assert_memory_equal(&s.first_beyond, &whole->first_beyond, sizeof s.first_beyond);
    assert_int_equal(s.first_run_missing.index, whole->first_run_missing.index);
}
