// The N-body model's validation: its short cases pass, and fail as soon as what is run is a little off: the job is changed behind the
// case's back. What its files of bodies hold, and runs in parts.
#include "cli/commands.h"
#include "core/element.h"
#include "tests/support/cli_fixture.h"
#include "validate/case_job.h"
#include "validate/nbody/body_job.h"
#include "validate/runner.h"
#include "validate/tolerances.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

// ---- a program that does not quite do what it is asked to

struct change {
    const char *job;        // a part of the changed jobs' names; NULL: none is changed
    const char *key, *json; // what is set in them
};
static const char *precision = "double"; // of the cases that have both
static struct change change;

static void change_job(const char *path)
{
    struct cJSON *job;
    if (json_file_read(path, 1000000, &job) != STATUS_OK ||
        case_job_set(job, change.key, change.json) != STATUS_OK)
        abort();
    char *text = cJSON_Print(job);
    FILE *file = fopen(path, "w");
    if (!text || !file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
    cJSON_free(text);
    cJSON_Delete(job);
}

static int run_changed(int argc, char **argv)
{
    const char *path = argv[argc - 1], *name = strrchr(path, '/');
    if (change.job && strstr(name, change.job))
        change_job(path);
    return command_run(argc, argv);
}

// Runs one case; the caller frees the list.
static const struct validation_record *run_case(const char *name, struct validation_list *list)
{
    static const struct validation_program program = {run_changed};
    char path[PATH_BYTES];
    struct tolerance_table *tolerances;
    struct validation_options options = {.program = &program, .precision = precision};
    status_clear();
    if (path_find(TOLERANCES_FILE, NULL, path) != STATUS_OK ||
        tolerances_read(path, &tolerances) != STATUS_OK)
        fail_msg("%s", status_message());
    options.tolerances = tolerances;
    if (validation_select(&name, 1, NULL, list) != STATUS_OK ||
        validation_run_list(list, &options) != STATUS_OK)
        fail_msg("%s", status_message());
    tolerances_free(tolerances);
    assert_int_equal(list->count, 1);
    return list->items[0].record;
}

static void assert_verdict(const char *name, struct change what, enum validation_verdict verdict,
                           const char *quantity)
{
    struct validation_list list;
    change = what;
    const struct validation_record *record = run_case(name, &list);
    if (record->verdict != verdict)
        fail_msg("%s with %s %s: %s, expected %s; %s", name, what.key ? what.key : "nothing",
                 what.json ? what.json : "changed", validation_verdict_name(record->verdict),
                 validation_verdict_name(verdict), record->reason);
    bool is_found = !quantity;
    for (int k = 0; k < record->result_count; k++)
        is_found = is_found || (strstr(record->results[k].quantity, quantity) &&
                                record->results[k].verdict == VALIDATION_FAILED);
    if (!is_found)
        fail_msg("%s with %s %s: \"%s\" did not fail", name, what.key, what.json, quantity);
    validation_list_free(&list);
}

static void assert_passes(const char *name)
{
    assert_verdict(name, (struct change){0}, VALIDATION_PASSED, NULL);
}

static void assert_fails(const char *name, const char *job, const char *key, const char *json,
                         const char *quantity)
{
    assert_verdict(name, (struct change){job, key, json}, VALIDATION_FAILED, quantity);
}

// ---- the cases

static void orders_are_seen(void **unused)
{
    (void)unused;
    assert_fails("nbody/kepler-order", "leapfrog-", "method.integrator", "\"source\"", "leapfrog: order");
    // An orbit that does not close has no order.
    assert_fails("nbody/kepler-order", "leapfrog-", "physics.softening", "0.05", "leapfrog: order");
}

static void a_way_back_that_is_another_is_seen(void **unused)
{
    (void)unused;
    assert_fails("nbody/kepler-reversed", "back", "method.integrator", "\"source\"", "double: ");
    assert_fails("nbody/kepler-reversed", "back", "physics.softening", "1e-3", "double: ");
}

static void units_that_do_not_agree_are_seen(void **unused)
{
    (void)unused;
    assert_passes("nbody/units");
    assert_fails("nbody/units", "bare", "physics.softening", "0.0500001", "position");
    assert_fails("nbody/units", "si", "particles.plummer.mass", "\"100001 solar_mass\"", "mass");
}

static void bits_that_differ_are_seen(void **unused)
{
    (void)unused;
    assert_fails("nbody/repeat", "-again", "particles.plummer.seed", "2", "run again");
    // A ten millionth of the softening, in the run in parts alone.
    assert_fails("nbody/repeat", "-parts", "physics.softening", "0.010000001", "direct, double: parts");
}

static void a_sphere_that_falls_otherwise_is_seen(void **unused)
{
    (void)unused;
    precision = "single";
    assert_fails("nbody/collapse", "collapse", "physics.softening", "0.5", "after 0.8");
    precision = "double";
}

// ---- bodies

static struct validation_run run_in_folder(void)
{
    struct validation_run run = {0};
    snprintf(run.directory, sizeof run.directory, "%s", cli_path("."));
    return run;
}

static void bodies_at_random_are_what_they_should(void **unused)
{
    (void)unused;
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

static void results_that_are_not_there_are_refused(void **unused)
{
    (void)unused;
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

static void what_is_no_number_is_the_worst(void **unused)
{
    (void)unused;
    assert_true(isnan(body_worse(1, NAN)) && isnan(body_worse(NAN, 2)));
    assert_true(body_worse(1, 2) == 2 && body_worse(2, 1) == 2);
    const double values[] = {5, 4, 7, 6};
    assert_true(body_largest_change(values, 0, 4) == 2);
    assert_true(body_largest_change(values, 0, 2) == 1);
}

static void sizes_grow_when_they_may(void **unused)
{
    (void)unused;
    struct validation_run run = {0};
    assert_int_equal(body_case_size(&run, 1, 2), 1);
    run.backend = "openmp";
    assert_int_equal(body_case_size(&run, 1, 2), 1);
    run.backend = "cuda:1";
    assert_int_equal(body_case_size(&run, 1, 2), 2);
    run = (struct validation_run){.is_full = true};
    assert_int_equal(body_case_size(&run, 1, 2), 2);
}

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    setenv("TMPDIR", cli_path("."), 1);
    return 0;
}

static int teardown(void **state)
{
    unsetenv("TMPDIR");
    status_clear();
    return cli_teardown(state);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(orders_are_seen),
        TEST(a_way_back_that_is_another_is_seen),
        TEST(units_that_do_not_agree_are_seen),
        TEST(bits_that_differ_are_seen),
        TEST(a_sphere_that_falls_otherwise_is_seen),
        TEST(bodies_at_random_are_what_they_should),
        TEST(results_that_are_not_there_are_refused),
        TEST(what_is_no_number_is_the_worst),
        TEST(sizes_grow_when_they_may),
    };
    return cmocka_run_group_tests_name("validation of the N-body model", tests, NULL, NULL);
}
