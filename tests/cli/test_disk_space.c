// When a run should stop for want of space: not while it suffices, not when it is too late, and before it is.
#include "cli/disk_space.h"
#include "tests/support/test.h"

static const double state = 100e6, flight = 20e6, needed = 5000e6;

TEST(test_enough)
{
    assert_false(disk_space_is_short(needed, 0, needed, state, flight));
    // However little there is, if no more is needed.
    assert_false(disk_space_is_short(110e6, 50e6, 110e6, state, flight));
    assert_false(disk_space_is_short(4000e6, 10e6, needed, state, flight)); // warned of, not yet stopped
}

TEST(test_short)
{
    assert_true(disk_space_is_short(state + flight, 0, needed, state, flight));
    // The faster it goes, the earlier: two looks' worth ahead.
    assert_false(disk_space_is_short(400e6, 100e6, needed, state, flight));
    assert_true(disk_space_is_short(400e6, 140e6, needed, state, flight));
    assert_false(disk_space_is_short(400e6, -140e6, needed, state, flight)); // there is more than before
}

TEST(test_too_late)
{
    assert_false(disk_space_is_short(state - 1, 0, needed, state, flight));
    assert_false(disk_space_is_short(0, 1e9, needed, state, flight));
}

TEST_MAIN(NULL, NULL)
