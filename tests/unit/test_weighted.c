// core/weighted: quantiles of weighted values by their definition in whole numbers, and the bound of those of
// a histogram.
#include "tests/support/test.h"

#include "core/philox.h"
#include "core/weighted.h"
#include "tests/support/statuses.h"

enum { MOST = 3000 };

static struct weighted_value entries[MOST], sorted[MOST];

static double random_of(uint64_t index, uint64_t stream)
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(index, stream), philox_key_from_seed(27));
    return philox_double(words.v[0], words.v[1]);
}

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static void set(const double *values, const double *weights, size_t count)
{
    for (size_t k = 0; k < count; k++)
        entries[k] = (struct weighted_value){values[k], weights ? weights[k] : 1.0 / (double)count};
}

static double quantile(size_t count, double fraction)
{
    memcpy(sorted, entries, count * sizeof *entries);
    weighted_sort(sorted, count);
    return weighted_quantile(sorted, count, fraction);
}

// The definition, with whole weights: the smallest value up to which the weights have at least percent/100 of
// their sum. Looks at every value.
static double defined(const int *weights, size_t count, int percent)
{
    int64_t total = 0;
    double best = INFINITY;
    for (size_t k = 0; k < count; k++)
        total += weights[k];
    for (size_t k = 0; k < count; k++) {
        int64_t sum = 0;
        for (size_t j = 0; j < count; j++)
            sum += entries[j].value <= entries[k].value ? weights[j] : 0;
        if (weights[k] > 0 && 100 * sum >= percent * total && entries[k].value < best)
            best = entries[k].value;
    }
    return best;
}

TEST(a_quantile_is_the_value_at_which_the_weights_reach_its_share)
{
    // Weights 0.1, 0.2, 0.3, 0.4 of 4, 2, 3, 1: ascending 1 (0.4), 2 (0.6), 3 (0.9), 4 (1).
    set((const double[]){4, 2, 3, 1}, (const double[]){0.1, 0.2, 0.3, 0.4}, 4);
    assert_true(quantile(4, 0) == 1 && quantile(4, 0.05) == 1 && quantile(4, 0.4) == 1);
    assert_true(quantile(4, 0.41) == 2 && quantile(4, 0.6) == 2 && quantile(4, 0.601) == 3);
    assert_true(quantile(4, 0.9) == 3 && quantile(4, 0.901) == 4 && quantile(4, 1) == 4);
    expect_near(weighted_mean(entries, 4), 0.4 + 0.4 + 0.9 + 0.4, 1e-15);
    expect_near(weighted_share_above(entries, 4, 2), 0.4, 1e-15);
    expect_near(weighted_share_above(entries, 4, 1.9999), 0.6, 1e-15);
    assert_true(weighted_least(entries, 4) == 1);
}

// Sums of 0.05 are not exact: 20 equal members must give the first at 5 % and the third at 15 %.
TEST(rounded_sums_of_weights_do_not_shift_a_quantile)
{
    for (size_t count = 20; count <= 2000; count += 20) {
        for (size_t k = 0; k < count; k++)
            entries[k] = (struct weighted_value){(double)(count - k), 1.0 / (double)count};
        for (int percent = 5; percent <= 95; percent += 5)
            if (quantile(count, percent / 100.0) != (double)(count / 20 * (size_t)percent / 5))
                fail_msg("%zu members, %d %%: %g", count, percent, quantile(count, percent / 100.0));
    }
}

TEST(random_quantiles_equal_the_definition_in_whole_numbers)
{
    static int weights[MOST];
    for (uint64_t trial = 0; trial < 60; trial++) {
        const size_t count = 1 + (size_t)(random_of(trial, 1) * 200);
        int64_t total = 0;
        for (size_t k = 0; k < count; k++) {
            weights[k] = (int)(random_of(1000 * trial + k, 2) * 5); // zeroes, too
            total += weights[k];
        }
        weights[0] += total == 0;
        total += total == 0;
        for (size_t k = 0; k < count; k++) // many equal values
            entries[k] = (struct weighted_value){floor(40 * random_of(1000 * trial + k, 3)) / 8,
                                                 (double)weights[k] / (double)total};
        for (int percent = 1; percent <= 100; percent++)
            if (quantile(count, percent / 100.0) != defined(weights, count, percent))
                fail_msg("trial %d, %zu values, %d %%: %g instead of %g", (int)trial, count, percent,
                         quantile(count, percent / 100.0), defined(weights, count, percent));
    }
}

TEST(hard_values_have_quantiles)
{
    const double inf = INFINITY;
    set((const double[]){3, 3, 3, 3, 3}, NULL, 5);
    assert_true(quantile(5, 0.05) == 3 && quantile(5, 0.95) == 3);
    set((const double[]){inf, 1, inf, 2}, NULL, 4);
    assert_true(quantile(4, 0.5) == 2 && isinf(quantile(4, 0.51)) && isinf(weighted_mean(entries, 4)));
    expect_near(weighted_share_above(entries, 4, 1e300), 0.5, 1e-15);
    set((const double[]){inf, 7}, (const double[]){0, 1}, 2); // without weight, infinity does not count
    assert_true(quantile(2, 1) == 7 && weighted_mean(entries, 2) == 7 && weighted_least(entries, 2) == 7);
    set((const double[]){1}, (const double[]){0}, 1);
    assert_true(isnan(quantile(1, 0.5)) && isnan(weighted_mean(entries, 1)));
    assert_true(isnan(quantile(0, 0.5)) && isnan(weighted_share_above(entries, 0, 1)));
}

TEST(sorting_orders_every_kind_of_array)
{
    for (int kind = 0; kind < 6; kind++)
        for (size_t count = 0; count < 400; count += 1 + count / 3) {
            double sum = 0, expected = 0;
            for (size_t k = 0; k < count; k++) {
                const double values[] = {(double)k,       (double)(count - k),
                                         random_of(k, 9), 5,
                                         (double)(k % 3), (double)(k < count / 2 ? k : count - k)};
                sorted[k] = (struct weighted_value){values[kind], (double)k};
                expected += values[kind] * (double)k;
            }
            weighted_sort(sorted, count);
            for (size_t k = 0; k < count; k++) {
                assert_true(k == 0 || sorted[k - 1].value <= sorted[k].value);
                sum += sorted[k].value * sorted[k].weight; // each value kept its weight
            }
            expect_near(sum, expected, 1e-9 * (1 + expected));
        }
}

// ---- histograms

static void expect_within(const struct weighted_bins *bins, size_t count, const char *what)
{
    static double weights[4096];
    double relative, absolute;
    assert_true(bins->count <= sizeof weights / sizeof *weights);
    memset(weights, 0, sizeof weights);
    for (size_t k = 0; k < count; k++)
        weights[weighted_bins_place(bins, entries[k].value)] += entries[k].weight;
    weighted_bins_errors(bins, &relative, &absolute);
    for (double fraction = 0.01; fraction <= 1; fraction += 0.01) {
        const double exact = quantile(count, fraction),
                     found = weighted_bins_quantile(bins, weights, fraction);
        const bool is_beyond = exact >= bins->high;
        if (is_beyond ? !isinf(found) : !(fabs(found - exact) <= fmax(absolute, relative * exact)))
            fail_msg("%s: %g instead of %g at %g", what, found, exact, fraction);
    }
}

TEST(a_histograms_quantiles_keep_their_bound)
{
    const struct weighted_bins bins = weighted_bins_in_ratio(1e-3, 1e3, 1.02);
    double relative, absolute;
    weighted_bins_errors(&bins, &relative, &absolute);
    assert_true(relative <= 0.01 && absolute == 1e-3);
    for (uint64_t trial = 0; trial < 40; trial++) {
        const size_t count = 1 + (size_t)(random_of(trial, 4) * 500);
        for (size_t k = 0; k < count; k++) {
            // Heights over ten decades, a part of them 0; weights over three.
            const double value = pow(10, 10 * random_of(1000 * trial + k, 5) - 5.5),
                         weight = pow(10, -3 * random_of(1000 * trial + k, 6));
            entries[k] = (struct weighted_value){random_of(1000 * trial + k, 7) < 0.1 ? 0 : value, weight};
        }
        expect_within(&bins, count, "random heights");
    }
    set((const double[]){0, 0, 0}, NULL, 3);
    expect_within(&bins, 3, "zeroes");
    set((const double[]){2.5, 2.5, 2.5, 2.5}, NULL, 4);
    expect_within(&bins, 4, "equal");
    set((const double[]){INFINITY, 1, 0, INFINITY}, NULL, 4);
    expect_within(&bins, 4, "infinite");
    for (size_t k = 0; k < bins.count - 2; k++) // the edges themselves, as they round
        entries[k] = (struct weighted_value){bins.low * exp(bins.step * (double)k), 1};
    expect_within(&bins, bins.count - 2, "edges");
}

TEST(times_are_found_to_half_a_bin)
{
    const struct weighted_bins bins = weighted_bins_at_distance(36000, 1024);
    double relative, absolute;
    weighted_bins_errors(&bins, &relative, &absolute);
    expect_near(absolute, 36000 / 2048.0, 1e-3);
    for (size_t k = 0; k < 700; k++)
        entries[k] = (struct weighted_value){random_of(k, 8) < 0.3 ? INFINITY : 36000 * random_of(k, 10), 1};
    expect_within(&bins, 700, "arrivals");
}
