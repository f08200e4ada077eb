// When a run stops for lack of disk space: not while there is enough, and early enough to write a checkpoint.
#include "cli/disk_space.h"
#include "tests/support/test.h"

static const double state = 100e6, flight = 20e6, needed = 5000e6;

TEST(test_enough)
{
    assert_false(disk_space_is_short(needed, 0, needed, state, flight));
    // Any amount of free space suffices if no more is needed.
    assert_false(disk_space_is_short(110e6, 50e6, 110e6, state, flight));
    assert_false(disk_space_is_short(4000e6, 10e6, needed, state, flight)); // a warning, but no stop yet
}

TEST(test_short)
{
    assert_true(disk_space_is_short(state + flight, 0, needed, state, flight));
    // The faster the space decreases, the earlier the run stops: two intervals between checks ahead.
    assert_false(disk_space_is_short(400e6, 100e6, needed, state, flight));
    assert_true(disk_space_is_short(400e6, 140e6, needed, state, flight));
    assert_false(disk_space_is_short(400e6, -140e6, needed, state, flight)); // the free space has increased
}

TEST(test_too_late)
{
    assert_false(disk_space_is_short(state - 1, 0, needed, state, flight));
    assert_false(disk_space_is_short(0, 1e9, needed, state, flight));
}

TEST_MAIN(NULL, NULL)
