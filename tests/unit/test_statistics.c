// core/statistics: sums that do not depend on who adds what, order statistics, differences.
#include "tests/support/test.h"

#include "core/philox.h"
#include "core/statistics.h"
#include "tests/support/statuses.h"

#include <pthread.h>

enum { COUNT = 5 * STATISTICS_BLOCK + 1234, BLOCKS = 6 };

static double values[COUNT];

// Numbers of both signs over twelve decades, so that nearly every change of order changes the last bits.
static int fill(void **state)
{
    struct philox_key key = philox_key_from_seed(99);
    for (uint64_t i = 0; i < COUNT; i++) {
        struct philox_counter words = philox4x32(philox_counter_from(i, 0), key);
        double size = pow(10.0, 12.0 * philox_double(words.v[0], words.v[1]) - 6.0);
        values[i] = words.v[2] & 1u ? size : -size;
    }
    return 0;
}

static uint64_t bits(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void new_sum(struct block_sum *sum, uint64_t count)
{
    static double memory[BLOCKS * STATISTICS_LANES];
    assert_int_equal(block_sum_bytes(count), (count + 4095) / 4096 * 64);
    assert_ok(block_sum_init(sum, count, memory, sizeof memory));
}

// The definition, written out once more: lanes by index mod 8 inside a block, a fixed tree, compensated over
// blocks.
static double by_definition(void)
{
    long double exact_over_blocks =
        0.0L; // the blocks' sums are few: long double adds them without error that matters
    for (size_t first = 0; first < COUNT; first += STATISTICS_BLOCK) {
        double lane[8] = {0};
        for (size_t i = first; i < first + STATISTICS_BLOCK && i < COUNT; i++)
            lane[i % 8] += values[i];
        double block =
            ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
        exact_over_blocks += (long double)block;
    }
    return (double)exact_over_blocks;
}

TEST_SUITE(.group_setup = fill);

TEST(test_sum_follows_its_definition)
{
    assert_int_equal(bits(statistics_block_sum(values, COUNT)), bits(by_definition()));
}

TEST(test_any_tiling_gives_the_same_bits)
{
    static const size_t pieces[] = {1, 3, 7, 8, 9, 64, 777, 4095, 4096, 4097, 10000, COUNT};
    uint64_t expected = bits(statistics_block_sum(values, COUNT));
    for (size_t p = 0; p < sizeof pieces / sizeof pieces[0]; p++) {
        struct block_sum sum;
        struct running_sum running = {0};
        new_sum(&sum, COUNT);
        for (size_t i = 0; i < COUNT; i += pieces[p]) {
            size_t count = COUNT - i < pieces[p] ? COUNT - i : pieces[p];
            for (size_t k = i; k < i + count; k++)
                block_sum_add(&sum, k, values[k]);
            running_sum_add(&running, values + i, count);
        }
        assert_int_equal(bits(block_sum_total(&sum)), expected);
        assert_int_equal(bits(running_sum_total(&running)), expected);
    }
}

TEST(test_one_by_one_and_blocks_in_any_order)
{
    struct block_sum sum;
    uint64_t expected = bits(statistics_block_sum(values, COUNT));
    new_sum(&sum, COUNT);
    assert_int_equal(sum.blocks, BLOCKS);
    for (int block = BLOCKS - 1; block >= 0; block--)
        for (uint64_t i = (uint64_t)block * STATISTICS_BLOCK;
             i < COUNT && i < (uint64_t)(block + 1) * STATISTICS_BLOCK; i++)
            block_sum_add(&sum, i, values[i]);
    assert_int_equal(bits(block_sum_total(&sum)), expected);
    block_sum_clear(&sum);
    assert_true(block_sum_total(&sum) == 0.0);
}

TEST(test_order_matters_to_a_plain_sum)
{
    // Otherwise the tests above would prove nothing.
    double forward = 0.0, backward = 0.0;
    for (size_t i = 0; i < COUNT; i++)
        forward += values[i];
    for (size_t i = COUNT; i-- > 0;)
        backward += values[i];
    assert_int_not_equal(bits(forward), bits(backward));
}

struct share {
    struct block_sum *sum;
    uint64_t thread, threads;
};

static void *add_share(void *argument)
{
    const struct share *share = argument;
    for (uint64_t block = share->thread; block < share->sum->blocks; block += share->threads) {
        uint64_t first = block * STATISTICS_BLOCK;
        size_t count = COUNT - first < STATISTICS_BLOCK ? COUNT - (size_t)first : STATISTICS_BLOCK;
        for (uint64_t k = first; k < first + count; k++)
            block_sum_add(share->sum, k, values[k]);
    }
    return NULL;
}

TEST(test_threads_give_the_same_bits)
{
    uint64_t expected = bits(statistics_block_sum(values, COUNT));
    for (uint64_t threads = 1; threads <= 5; threads++) {
        struct block_sum sum;
        pthread_t thread[5];
        struct share shares[5];
        new_sum(&sum, COUNT);
        for (uint64_t i = 0; i < threads; i++) {
            shares[i] = (struct share){&sum, i, threads};
            assert_int_equal(pthread_create(&thread[i], NULL, add_share, &shares[i]), 0);
        }
        for (uint64_t i = 0; i < threads; i++)
            assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_int_equal(bits(block_sum_total(&sum)), expected);
    }
}

TEST(test_blocks_from_elsewhere)
{
    struct block_sum sum;
    new_sum(&sum, COUNT);
    for (uint64_t block = 0; block < BLOCKS; block++) {
        uint64_t first = block * STATISTICS_BLOCK;
        size_t count = COUNT - first < STATISTICS_BLOCK ? COUNT - (size_t)first : STATISTICS_BLOCK;
        block_sum_add(&sum, first, statistics_block_sum(values + first, count));
    }
    assert_int_equal(bits(block_sum_total(&sum)), bits(statistics_block_sum(values, COUNT)));
}

TEST(test_compensation_over_blocks)
{
    // 1e16 + 1 + … + 1 − 1e16 over blocks: a plain sum loses every 1.
    double memory[BLOCKS * STATISTICS_LANES];
    struct block_sum sum;
    assert_ok(block_sum_init(&sum, COUNT, memory, sizeof memory));
    const double blocks[BLOCKS] = {1e16, 1.0, 1.0, 1.0, -1e16, 0.25};
    for (uint64_t block = 0; block < BLOCKS; block++)
        block_sum_add(&sum, block * STATISTICS_BLOCK, blocks[block]);
    assert_true(block_sum_total(&sum) == 3.25);
}

TEST(test_accuracy_against_long_double)
{
    long double exact = 0.0L, size = 0.0L;
    for (size_t i = 0; i < COUNT; i++) {
        exact += (long double)values[i];
        size += fabsl((long double)values[i]);
    }
    double error = (double)fabsl((long double)statistics_block_sum(values, COUNT) - exact);
    assert_true(error <= 515.0 * 0x1p-53 * (double)size);
}

TEST(test_special_sums)
{
    struct block_sum sum;
    double memory[8];
    const double infinite[2] = {1.0, INFINITY}, both[2] = {INFINITY, -INFINITY};
    assert_true(statistics_block_sum(NULL, 0) == 0.0);
    assert_true(statistics_block_sum(infinite, 2) == INFINITY);
    assert_true(isnan(statistics_block_sum(both, 2)));
    assert_int_equal(block_sum_bytes(0), 0);
    assert_int_equal(block_sum_bytes(1), 64);
    assert_int_equal(block_sum_bytes(4096), 64);
    assert_int_equal(block_sum_bytes(4097), 128);
    assert_true(block_sum_bytes(UINT64_MAX) >= (UINT64_MAX >> 12) * 64);
    assert_failure(block_sum_init(&sum, 4097, memory, sizeof memory), STATUS_SOFTWARE, "128 needed");
}

TEST(test_median_and_percentile)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {5};
    assert_true(statistics_median(odd, 3) == 2.0);
    assert_true(statistics_median(even, 4) == 2.5);
    assert_true(statistics_median(one, 1) == 5.0);
    // numpy.percentile([15, 20, 35, 40, 50], [0, 5, 30, 40, 50, 95, 100])
    double sample[] = {40, 15, 50, 20, 35};
    const double percent[] = {0, 5, 30, 40, 50, 95, 100}, expected[] = {15, 16, 23, 29, 35, 48, 50};
    for (int i = 0; i < 7; i++)
        assert_true(fabs(statistics_percentile(sample, 5, percent[i]) - expected[i]) < 1e-12);
    double with_nan[] = {1, NAN, 2}, infinite[] = {-INFINITY, 0, INFINITY}, two[] = {1, INFINITY, INFINITY};
    assert_true(isinf(statistics_percentile(two, 3, 75.0)));
    assert_true(isnan(statistics_median(with_nan, 3)));
    assert_true(isnan(statistics_median(NULL, 0)));
    assert_true(statistics_median(infinite, 3) == 0.0);
    assert_true(isnan(statistics_percentile(sample, 5, -1.0)));
    assert_true(isnan(statistics_percentile(sample, 5, 100.5)));
    assert_true(isnan(statistics_percentile(sample, 5, NAN)));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(test_percentile_of_many_against_qsort)
{
    enum { MANY = 1001 };
    double ours[MANY], theirs[MANY];
    memcpy(ours, values, sizeof ours);
    memcpy(theirs, values, sizeof theirs);
    qsort(theirs, MANY, sizeof theirs[0], compare);
    for (int percent = 0; percent <= 100; percent++)
        assert_true(statistics_percentile(ours, MANY, percent) == theirs[percent * 10]);
    assert_memory_equal(ours, theirs, sizeof ours);
}

TEST(test_difference)
{
    const double reference[] = {1, -8, NAN, NAN, 3, INFINITY, 0}, value[] = {1, -5, NAN, 1, NAN, INFINITY, 4};
    struct difference d = {0};
    difference_add_f64(&d, reference, value, 4);
    difference_add_f64(&d, reference + 4, value + 4, 3);
    assert_int_equal(d.compared, 4);
    assert_int_equal(d.missing, 1);
    assert_int_equal(d.mismatched, 2);
    assert_int_equal(d.first_mismatch, 3);
    assert_true(d.max_abs == 4.0);
    assert_int_equal(d.max_abs_index, 6);
    assert_true(d.max_abs_reference == INFINITY);
    assert_true(difference_rms(&d) == 2.5); // sqrt((0 + 9 + 0 + 16) / 4)
    struct difference nothing = {0};
    assert_true(isnan(difference_rms(&nothing)) && isnan(difference_reference_rms(&nothing)));
}

TEST(test_difference_of_floats_in_any_pieces)
{
    enum { FLOATS = 9001 };
    static double reference[FLOATS], value[FLOATS];
    for (size_t i = 0; i < FLOATS; i++) {
        reference[i] = i % 100 == 7 ? NAN : (double)(float)values[i];
        value[i] = i % 100 == 7 ? NAN : (double)(float)values[i + 1];
    }
    static const size_t pieces[] = {FLOATS, 1, 500, 4096, 5000};
    struct difference first = {0};
    difference_add_f64(&first, reference, value, FLOATS);
    assert_int_equal(first.missing, 90);
    assert_int_equal(first.compared, FLOATS - 90);
    assert_true(first.max_abs == fabs(value[first.max_abs_index] - reference[first.max_abs_index]));
    assert_true(first.max_abs > 0.0);
    for (size_t p = 1; p < sizeof pieces / sizeof pieces[0]; p++) {
        struct difference d = {0};
        for (size_t i = 0; i < FLOATS; i += pieces[p])
            difference_add_f64(&d, reference + i, value + i, FLOATS - i < pieces[p] ? FLOATS - i : pieces[p]);
        assert_int_equal(bits(difference_rms(&d)), bits(difference_rms(&first)));
        assert_int_equal(bits(difference_reference_rms(&d)), bits(difference_reference_rms(&first)));
        assert_int_equal(bits(d.max_abs), bits(first.max_abs));
        assert_int_equal(d.max_abs_index, first.max_abs_index);
    }
}
