// The divided run of tests/parallel/work.h over ranks that are threads: halos of several depths, sums,
// decisions, gathered records. The same over MPI: tests/parallel.
#include "tests/support/test.h"

#include "tests/parallel/work.h"
#include "tests/support/statuses.h"
#include "tests/support/thread_ranks.h"

#include <stdatomic.h>

static int begin(void **state)
{
    status_clear();
    return 0;
}

TEST_SUITE(.setup = begin, .limit_s = 300);

static atomic_int differences;

static void work(struct ranks *ranks, void *depth)
{
    atomic_fetch_add(&differences, work_run(ranks, *(const int *)depth, 13, NULL) != 0);
}

TEST(test_a_divided_run_has_the_bits_of_one_rank)
{
    static const int depths[] = {1, 2, 3, 6};
    for (size_t d = 0; d < COUNT(depths); d++)
        for (int count = 1; count <= 5; count++) {
            int depth = depths[d];
            differences = 0;
            thread_ranks_run(count, work, &depth);
            assert_int_equal(differences, 0);
        }
}

TEST(test_too_many_ranks_for_the_rows)
{
    int depth = 6; // 8 ranks of 12 rows
    differences = 0;
    thread_ranks_run(8, work, &depth);
    assert_int_equal(differences, 8);
    assert_has(status_message(), "67 rows", "8 ranks", "at least 12");
}
