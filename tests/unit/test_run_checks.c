// core/run: checks against the reference and guards, when they come and what they stop, with a simulation and
// a sink that only keep books.
#include "tests/support/test.h"

#include "tests/support/fake_run.h"

// ---- checks on the reference

static void run_with_checks(int64_t steps, int64_t checks)
{
    struct run_request request = fake_request();
    request.steps = steps;
    request.check_steps = checks;
    fake_run_well(&request);
}

TEST_SUITE(.setup = fake_begin, .limit_s = 120);

// As many as asked for, in the middle of equal shares of the run; each two steps, whatever records lie
// between.
TEST(test_checks_are_spread)
{
    run_with_checks(500, 5);
    assert_int_equal(fake.begin_count, 5);
    assert_int_equal(fake.end_count, 5);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(fake.begins[k], 100 * k + 50);
        assert_int_equal(fake.ends[k], 100 * k + 52);
    }
}

// As many as there is room for, one behind the other, and the last may end with the run.
static void assert_every_pair_of_steps_is_checked(int64_t steps)
{
    assert_int_equal(fake.begin_count, steps / 2);
    assert_int_equal(fake.end_count, steps / 2);
    for (int k = 0; k < fake.begin_count; k++) {
        assert_int_equal(fake.begins[k], 2 * k + 1);
        assert_int_equal(fake.ends[k], 2 * k + 3 < steps ? 2 * k + 3 : steps);
    }
}

TEST(test_as_many_checks_as_steps)
{
    run_with_checks(40, 40);
    assert_every_pair_of_steps_is_checked(40);
}

TEST(test_more_checks_than_steps)
{
    run_with_checks(10, 25);
    assert_every_pair_of_steps_is_checked(10);
}

// However many are asked for: as many as fit, none lost, none overlapping another.
TEST(test_checks_of_any_density)
{
    for (int64_t steps = 2; steps <= 120; steps++)
        for (int64_t checks = 1; checks <= steps / 2; checks++) {
            fake_begin(cmocka_state);
            run_with_checks(steps, checks);
            assert_int_equal(fake.begin_count, checks);
            assert_int_equal(fake.end_count, checks);
            for (int k = 1; k < checks; k++)
                assert_true(fake.begins[k] >= fake.ends[k - 1]);
        }
}

TEST(test_check_of_a_single_step)
{
    run_with_checks(1, 3);
    assert_int_equal(fake.begin_count, 1);
    assert_int_equal(fake.end_count, 1);
    assert_int_equal(fake.begins[0], 0);
    assert_int_equal(fake.ends[0], 1);
}

TEST(test_checks_of_a_resumed_run_go_on)
{
    struct run_request request = fake_request();
    request.check_steps = 5;
    request.is_resumed = true;
    request.header.step = 252; // the check of steps 250 and 251 is made
    fake.step = 252;
    fake_run_well(&request);
    assert_int_equal(fake.begin_count, 2);
    assert_int_equal(fake.begins[0], 350);
    assert_int_equal(fake.begins[1], 450);
}

// A signal in the first step of a check: the second is made too, then the run stops, and the check counts.
TEST(test_signal_during_a_check)
{
    struct run_request request = fake_request();
    request.steps = 502; // the check begins at 251: a record of the series, each 3.5 steps, lies at 252
    request.check_steps = 1;
    fake.raise_at = 251;
    assert_int_equal(fake_run(&request), STATUS_STOPPED);
    assert_int_equal(fake.begin_count, 1);
    assert_int_equal(fake.end_count, 1);
    assert_int_equal(fake.ends[0], 253);
    assert_int_equal(fake_result.steps_done, 253);
}

TEST(test_no_checks_unless_the_simulation_has_them)
{
    struct run_request request = fake_request();
    request.check_steps = 5;
    struct simulation without = fake_simulation;
    without.check_begin = without.check_end = NULL;
    assert_int_equal(fake_run_as(&request, &without), STATUS_OK);
    assert_true(fake_result.is_complete);
    assert_int_equal(fake.step, 500);
}

// ---- guards

TEST(test_guard_comes_before_every_map_and_in_between)
{
    struct run_request request = fake_request();
    request.steps = 5000;
    request.schedules[FAKE_FIELDS].every_s = 2 * 1700; // each 1700 steps
    request.schedules[FAKE_SERIES].every_s = 14;       // a series alone asks for no guard
    fake_run_well(&request);
    assert_in_range(fake.guard_count, 5000 / 270, 5000 / 200);
    assert_int_equal(fake.guards[0], 0); // the state at the start too
    int64_t before = 0;
    bool has_map[2] = {false, false};
    for (int k = 1; k < fake.guard_count; k++) {
        assert_in_range(fake.guards[k] - before, 1, 256 + 7); // seven steps between records of the series
        before = fake.guards[k];
        has_map[0] |= before == 1700;
        has_map[1] |= before == 3400;
    }
    assert_true(has_map[0] && has_map[1]);
    assert_int_equal(before, 5000);
}

// An unsound state must neither be written nor replace a good checkpoint.
TEST(test_failing_guard_ends_the_run)
{
    struct run_request request = fake_request();
    request.checkpoint_every_steps = 40;
    fake.unsound_from = 115;
    assert_int_equal(fake_run(&request), STATUS_CHECK_FAILED);
    assert_int_equal(fake_stopped, STATUS_OK);
    assert_false(fake_result.is_complete);
    assert_string_equal(status_message(), "unstable by step 120");
    assert_int_equal(fake_books.saved_count, 2);
    assert_int_equal(fake_books.saved[1].header.step, 80);
    for (int k = 0; k < fake_books.count; k++)
        assert_true(fake_books.seen[k].stream != FAKE_FIELDS || fake_books.seen[k].step < 115);
}

TEST(test_guard_at_a_signal_protects_the_checkpoint)
{
    const struct run_request request = fake_request();
    fake.unsound_from = 3;
    fake.raise_at = 2;
    assert_int_equal(fake_run(&request), STATUS_CHECK_FAILED);
    assert_int_equal(fake_books.saved_count, 0);
}

TEST(test_guard_at_the_end)
{
    struct run_request request = fake_request();
    request.steps = 7;
    fake.unsound_from = 7;
    assert_int_equal(fake_run(&request), STATUS_CHECK_FAILED);
    assert_false(fake_result.is_complete);
}
