// core/overlap: the common length of two series of intervals, against counting moments one by one.
#include "tests/support/test.h"

#include "gpu/overlap.h"

static struct overlap overlap;

static int begin(void **state)
{
    memset(&overlap, 0, sizeof overlap);
    return 0;
}

static void add(enum overlap_side side, double begin_s, double end_s)
{
    overlap_add(&overlap, side, begin_s, end_s);
}

TEST_SUITE(.setup = begin);

TEST(test_by_hand)
{
    add(OVERLAP_FIRST, 0, 4);
    add(OVERLAP_SECOND, 1, 2); // inside: 1
    add(OVERLAP_SECOND, 3, 6); // 1 so far
    assert_true(overlap.common_s == 2);
    add(OVERLAP_FIRST, 5, 9); // and 1 more
    assert_true(overlap.common_s == 3);
    add(OVERLAP_SECOND, 9, 10); // touches only
    assert_true(overlap.common_s == 3);
    assert_true(overlap.total_s[OVERLAP_FIRST] == 8 && overlap.total_s[OVERLAP_SECOND] == 5);
    assert_int_equal(overlap.dropped, 0);
}

// One copy under many kernels, known only after all of them; and the other way about.
TEST(test_a_long_one_under_many)
{
    for (int k = 0; k < 100; k++)
        add(OVERLAP_FIRST, 2 * k, 2 * k + 1);
    add(OVERLAP_SECOND, 10.5, 190.25); // of 10…11 the half, 12 … 188 whole, and a quarter of 190
    assert_true(overlap.common_s == 0.5 + 89 + 0.25);
    begin(NULL);
    for (int k = 0; k < 100; k++)
        add(OVERLAP_SECOND, 2 * k, 2 * k + 1);
    add(OVERLAP_FIRST, 10.5, 190.25);
    assert_true(overlap.common_s == 0.5 + 89 + 0.25);
}

TEST(test_rounding_is_cut_off)
{
    add(OVERLAP_FIRST, 0, 10);
    add(OVERLAP_FIRST, 9, 12);    // really from 10
    add(OVERLAP_FIRST, 11, 11.5); // nothing
    add(OVERLAP_FIRST, 13, 13);   // nothing
    assert_true(overlap.total_s[OVERLAP_FIRST] == 12);
    add(OVERLAP_SECOND, 0, 20);
    assert_true(overlap.common_s == 12);
}

// More intervals than can be kept, with nothing of the other side: settled, none is lost; not settled, the
// loss is told.
TEST(test_settling_and_dropping)
{
    const int many = 5 * OVERLAP_KEPT_MAX;
    for (int k = 0; k < many; k++) {
        add(OVERLAP_FIRST, k, k + 0.5);
        overlap_settle(&overlap, OVERLAP_SECOND);
    }
    assert_int_equal(overlap.dropped, 0);
    add(OVERLAP_SECOND, many, many + 0.5);
    add(OVERLAP_FIRST, many, many + 0.25);
    assert_true(overlap.common_s == 0.25);
    for (int k = 1; k <= OVERLAP_KEPT_MAX + 7; k++)
        add(OVERLAP_FIRST, many + k, many + k + 0.5);
    // Of the second side everything up to many + 0.5 is known: what lies beyond must be kept, but there is
    // no room.
    assert_int_equal(overlap.dropped, 7);
    add(OVERLAP_SECOND, many + 1, many + 1e6);
    assert_true(overlap.common_s == 0.25 + 0.5 * OVERLAP_KEPT_MAX);
}

static uint64_t seed;

static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

enum { MOMENTS = 4000 };

// Random series on whole moments, each side's intervals made known in its own order but the sides mixed at
// random.
static void check_random(void)
{
    static bool is_on[OVERLAP_SIDES][MOMENTS];
    static struct overlap_interval list[OVERLAP_SIDES][MOMENTS];
    int count[OVERLAP_SIDES] = {0}, next[OVERLAP_SIDES] = {0}, common = 0;
    memset(is_on, 0, sizeof is_on);
    for (int side = 0; side < OVERLAP_SIDES; side++)
        for (unsigned t = draw(20); t < MOMENTS;) {
            const unsigned end = t + 1 + draw(side ? 60 : 9);
            if (end > MOMENTS)
                break;
            list[side][count[side]++] = (struct overlap_interval){t, end};
            for (; t < end; t++)
                is_on[side][t] = true;
            t += draw(12); // often none: intervals that touch
        }
    for (int t = 0; t < MOMENTS; t++)
        common += is_on[0][t] && is_on[1][t];
    while (next[0] < count[0] || next[1] < count[1]) {
        const enum overlap_side side = next[0] == count[0]   ? OVERLAP_SECOND
                                       : next[1] == count[1] ? OVERLAP_FIRST
                                                             : (enum overlap_side)draw(2);
        const struct overlap_interval *interval = &list[side][next[side]++];
        add(side, interval->begin_s, interval->end_s);
    }
    assert_true(overlap.common_s == common);
    assert_int_equal(overlap.dropped, 0);
}

TEST(test_random_series_in_random_order)
{
    for (int round = 0; round < 300; round++) {
        begin(cmocka_state);
        seed = (uint64_t)round + 1;
        check_random();
    }
}
