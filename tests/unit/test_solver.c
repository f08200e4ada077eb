// The common operations of a back end that leaves them all out, and of one that has them (models/solver.h).
#include "models/solver.h"

#include "tests/support/asserts.h"

#include <stdlib.h>
#include <string.h>

struct solver {
    int warm_ups, touches, loads, fetches;
    bool *is_destroyed;
};

static const struct backend bare = {.name = "bare"};

static void defaults_do_nothing_and_succeed(void **state)
{
    struct solver *solver = calloc(1, sizeof *solver);
    assert_non_null(solver);
    assert_int_equal(solver_warm_up(&bare, solver), STATUS_OK);
    assert_int_equal(solver_touch(&bare, solver, false), STATUS_OK);
    assert_int_equal(solver_fetch(&bare, solver), STATUS_OK);
    const struct device_times times = solver_times(&bare, solver);
    assert_false(times.is_measured);
    assert_true(times.compute_s == 0 && times.copied_bytes == 0);
    assert_string_equal(backend_instruction_set(&bare), "plain C");
    assert_false(solver_is_apart(&bare));
    solver_destroy(&bare, NULL);
    solver_destroy(&bare, solver); // freed: a leak or a second release fails under the sanitizers
}

static enum status count_warm_up(struct solver *solver)
{
    solver->warm_ups++;
    return STATUS_DATA;
}

static enum status count_touch(struct solver *solver, bool is_loaded)
{
    solver->touches++;
    solver->loads += is_loaded;
    return STATUS_OK;
}

static enum status count_fetch(struct solver *solver)
{
    solver->fetches++;
    return STATUS_SYSTEM;
}

static enum status send_nothing(struct solver *solver, int result, int slot, size_t records, void *to)
{
    return STATUS_OK;
}

static struct device_times measured(const struct solver *solver)
{
    return (struct device_times){.is_measured = true, .compute_s = solver->touches};
}

static const char *vectors(void)
{
    return "vectors";
}

static void note_destruction(struct solver *solver)
{
    *solver->is_destroyed = true;
}

static void operations_of_the_back_end_are_called(void **state)
{
    static const struct backend whole = {.name = "whole",
                                         .warm_up = count_warm_up,
                                         .touch = count_touch,
                                         .fetch = count_fetch,
                                         .send = send_nothing,
                                         .times = measured,
                                         .instruction_set = vectors,
                                         .destroy = note_destruction};
    bool is_destroyed = false;
    struct solver solver = {.is_destroyed = &is_destroyed};
    assert_int_equal(solver_warm_up(&whole, &solver), STATUS_DATA);
    assert_int_equal(solver_touch(&whole, &solver, false), STATUS_OK);
    assert_int_equal(solver_touch(&whole, &solver, true), STATUS_OK);
    assert_int_equal(solver_fetch(&whole, &solver), STATUS_SYSTEM);
    assert_int_equal(solver.warm_ups, 1);
    assert_int_equal(solver.touches, 2);
    assert_int_equal(solver.loads, 1);
    assert_int_equal(solver.fetches, 1);
    assert_true(solver_times(&whole, &solver).compute_s == 2);
    assert_string_equal(backend_instruction_set(&whole), "vectors");
    assert_true(solver_is_apart(&whole));
    solver_destroy(&whole, &solver);
    assert_true(is_destroyed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults_do_nothing_and_succeed),
                                       cmocka_unit_test(operations_of_the_back_end_are_called)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
