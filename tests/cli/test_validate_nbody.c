// The N-body model's validation: its short cases pass, and fail as soon as what is run is a little off: the
// job is changed behind the case's back. Also its files of bodies, and runs that are stopped.
#include "core/element.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"
#include "tests/support/validate_fixture.h"
#include "validate/nbody/body_job.h"

#include <sys/stat.h>

static const char *precision = "double"; // of the cases that have both

static void assert_passes(const char *name)
{
    validate_assert(name, precision, NULL, NULL);
}

static void assert_fails(const char *name, const char *job, const char *key, const char *json,
                         const char *quantity)
{
    const struct validate_change changes[VALIDATE_CHANGES_MAX] = {{job, key, json}};
    validate_assert_fails(name, precision, changes, quantity);
}

// ---- the cases

TEST(orders_are_seen)
{
    assert_fails("nbody/kepler-order", "leapfrog-", "method.integrator", "\"source\"", "leapfrog: order");
    // An orbit that does not close has no order.
    assert_fails("nbody/kepler-order", "leapfrog-", "physics.softening", "0.05", "leapfrog: order");
}

TEST(a_way_back_that_is_another_is_seen)
{
    assert_fails("nbody/kepler-reversed", "back", "method.integrator", "\"source\"", "double: ");
    assert_fails("nbody/kepler-reversed", "back", "physics.softening", "1e-3", "double: ");
}

TEST(units_that_do_not_agree_are_seen)
{
    assert_passes("nbody/units");
    assert_fails("nbody/units", "bare", "physics.softening", "0.0500001", "position");
    assert_fails("nbody/units", "si", "particles.plummer.mass", "\"100001 solar_mass\"", "mass");
}

// All methods and precisions.
TEST(bits_that_differ_are_seen)
{
    const struct validate_change is_small = {"", "particles.plummer.count", "512"};
    // A ten millionth of the softening, only in one run that is stopped and resumed.
    const struct validate_change changes[VALIDATE_CHANGES_MAX] = {
        is_small,
        {"-again", "particles.plummer.seed", "2"},
        {"direct-double-legs", "physics.softening", "0.010000001"}};
    validate_assert("nbody/repeat", NULL, changes, "run again|direct, double: stopped and resumed");
}

TEST(a_sphere_that_falls_otherwise_is_seen)
{
    precision = "single";
    const struct validate_change changes[VALIDATE_CHANGES_MAX] = {
        {"collapse", "particles.cold-collapse.count", "2048"}, {"collapse", "physics.softening", "0.5"}};
    validate_assert_fails("nbody/collapse", precision, changes, "after 0.8");
    precision = "double";
}

// Through half a crossing time, or a whole one, instead of four. Bodies that pull less than they should let
// the sphere grow.
TEST(a_sphere_in_equilibrium_stays)
{
    const struct validate_change is_short = {"plummer", "time.duration", "1.25"};
    const struct validate_change is_small = {"plummer", "particles.plummer.count", "2048"};
    const struct validate_change all[VALIDATE_CHANGES_MAX] = {is_short, is_small};
    const struct validate_change soft[VALIDATE_CHANGES_MAX] = {
        {"plummer", "time.duration", "2.5"}, is_small, {"plummer", "physics.softening", "0.2"}};
    validate_assert("nbody/plummer", "single", all, NULL);
    validate_assert("nbody/plummer-tree", "single", all, NULL);
    validate_assert_fails("nbody/plummer-tree", "single", soft, "half-mass radius");
}

// The angles that no tolerance judges are made wide: they take most of the case's time.
TEST(errors_of_the_tree_are_as_published)
{
    const struct validate_change wide[VALIDATE_CHANGES_MAX] = {
        {"-0.3", "method.theta", "1"}, {"-0.4", "method.theta", "1"}, {"-0.5", "method.theta", "1"}};
    validate_assert("nbody/tree-errors", NULL, wide, NULL);
}

// ---- bodies

static struct validation_run run_in_folder(void)
{
    struct validation_run run = {0};
    snprintf(run.directory, sizeof run.directory, "%s", cli_path("."));
    return run;
}

TEST(bodies_at_random_are_what_they_should)
{
    enum { COUNT = 8192 };
    struct body_set sphere, cube;
    size_t within = 0;
    double middle[3] = {0}, largest = 0;
    assert_int_equal(body_set_plummer(&sphere, COUNT), STATUS_OK);
    assert_int_equal(body_set_cube(&cube, COUNT), STATUS_OK);
    for (size_t k = 0; k < COUNT; k++) {
        // Half-mass radius 1.30477 · 3π/16, of a sphere that ends at 40 scale radii.
        within += body_length(&sphere.position[3 * k]) < 0.7680;
        largest = fmax(largest, body_length(&sphere.position[3 * k]));
        for (size_t axis = 0; axis < 3; axis++) {
            const double x = cube.position[3 * k + axis], y = sphere.position[3 * k + axis];
            assert_true(x >= 0 && x <= 1);
            assert_true(element_rounded_to_single(x) == x && element_rounded_to_single(y) == y);
            middle[axis] += x / COUNT;
        }
        assert_true(sphere.mass[k] == 1. / COUNT && cube.mass[k] == 1. / COUNT);
    }
    // Three standard deviations: √n/2, and √(1/12n).
    assert_in_range(within, COUNT / 2 - 136, COUNT / 2 + 136);
    assert_true(largest <= 40 * 0.5890487);
    for (int axis = 0; axis < 3; axis++)
        assert_true(fabs(middle[axis] - 0.5) < 0.0096);
    body_set_free(&sphere);
    body_set_free(&cube);
}

TEST(missing_results_are_refused)
{
    const struct validation_run run = run_in_folder();
    struct body_set set;
    double *values;
    assert_int_equal(mkdir(cli_path("run"), 0700), 0);
    assert_int_not_equal(body_set_read(&run, "run", &set), STATUS_OK);
    body_set_free(&set);
    status_clear();
    assert_int_not_equal(body_job_series(&run, "run", "energy_total", &values, NULL, NULL), STATUS_OK);
    status_clear();
}

TEST(a_nan_is_the_worst)
{
    assert_true(isnan(body_worse(1, NAN)) && isnan(body_worse(NAN, 2)));
    assert_true(body_worse(1, 2) == 2 && body_worse(2, 1) == 2);
    const double values[] = {5, 4, 7, 6};
    assert_true(body_largest_change(values, 0, 4) == 2);
    assert_true(body_largest_change(values, 0, 2) == 1);
}

TEST(sizes_grow_when_they_may)
{
    struct validation_run run = {0};
    assert_int_equal(body_case_size(&run, 1, 2), 1);
    run.backend = "openmp";
    assert_int_equal(body_case_size(&run, 1, 2), 1);
    run.backend = "cuda:1";
    assert_int_equal(body_case_size(&run, 1, 2), 2);
    run = (struct validation_run){.is_full = true};
    assert_int_equal(body_case_size(&run, 1, 2), 2);
}

TEST_MAIN(validate_setup, validate_teardown)
