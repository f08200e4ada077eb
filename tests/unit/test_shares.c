// parallel/shares: rows among ranks.
#include "tests/support/test.h"

#include "parallel/shares.h"
#include "tests/support/statuses.h"

static int begin(void **state)
{
    status_clear();
    return 0;
}

TEST_SUITE(.setup = begin);

static void assert_covers(const struct share *shares, int ranks, int64_t rows, int64_t least)
{
    int64_t row = 0;
    for (int r = 0; r < ranks; r++) {
        assert_int_equal(shares[r].first, row);
        assert_true(shares[r].end - shares[r].first >= least);
        row = shares[r].end;
    }
    assert_int_equal(row, rows);
}

TEST(test_equal_rows_are_cut_evenly)
{
    struct share shares[7];
    for (int ranks = 1; ranks <= 7; ranks++)
        for (int64_t rows = ranks; rows < 60; rows++) {
            assert_ok(
                shares_cut(&(struct shares_request){.rows = rows, .ranks = ranks, .what = "rows"}, shares));
            assert_covers(shares, ranks, rows, 1);
            for (int r = 0; r < ranks; r++)
                assert_in_range(shares[r].end - shares[r].first, rows / ranks, (rows + ranks - 1) / ranks);
        }
}

TEST(test_work_decides_not_rows)
{
    // 10 rows of sea, 90 of land: half of the sea each.
    double weights[100] = {0};
    struct share shares[2];
    for (int k = 40; k < 50; k++)
        weights[k] = 1000;
    const struct shares_request request = {.rows = 100, .ranks = 2, .weights = weights, .what = "rows"};
    assert_ok(shares_cut(&request, shares));
    assert_int_equal(shares[0].end, 45);
    assert_true(shares_imbalance(&request, shares) == 1);
    // One row has nearly everything: it cannot be cut, and the border lies where the error is least.
    weights[40] = 1e6;
    assert_ok(shares_cut(&request, shares));
    assert_int_equal(shares[0].end, 41);
}

TEST(test_parts_of_unequal_devices)
{
    struct share shares[2];
    double parts[2];
    assert_ok(shares_read("9:23", 2, parts));
    assert_ok(shares_cut(&(struct shares_request){.rows = 3200, .ranks = 2, .parts = parts, .what = "rows"},
                         shares));
    assert_int_equal(shares[0].end, 900);
    assert_failure(shares_read("9:23", 3, parts), STATUS_USAGE, "9:23", "3 positive numbers");
    status_clear();
    assert_failure(shares_read("9:0", 2, parts), STATUS_USAGE, "9:0");
    status_clear();
    assert_failure(shares_read("9:23:", 2, parts), STATUS_USAGE, "9:23:");
    status_clear();
    assert_failure(shares_read("nan:1", 2, parts), STATUS_USAGE, "nan:1");
}

TEST(test_each_gets_its_least_rows)
{
    double weights[40];
    struct share shares[5];
    for (int place = 0; place < 40; place++) { // all of the work in one row
        for (int k = 0; k < 40; k++)
            weights[k] = k == place;
        assert_ok(shares_cut(
            &(struct shares_request){.rows = 40, .ranks = 5, .weights = weights, .least = 6, .what = "rows"},
            shares));
        assert_covers(shares, 5, 40, 6);
        for (int64_t row = 0; row < 40; row++) {
            const int owner = shares_owner(shares, 5, row);
            assert_true(row >= shares[owner].first && row < shares[owner].end);
        }
    }
}

TEST(test_too_few_rows_are_refused_with_the_numbers)
{
    struct share shares[5];
    assert_failure(
        shares_cut(&(struct shares_request){.rows = 29, .ranks = 5, .least = 6, .what = "planes"}, shares),
        STATUS_CONFIGURATION, "29 planes", "5 ranks", "at least 6", "so 4 ranks at most");
    assert_failure(
        shares_cut(&(struct shares_request){.rows = 11, .ranks = 2, .least = 6, .what = "planes"}, shares),
        STATUS_CONFIGURATION, "11 planes", "2 ranks", "at least 6", "so 1 rank at most");
}
