// fathom run --verify N repeats steps on the reference. An error of one node, made on purpose, is found, and
// its position is reported. A correct run passes, and its differences are reported. The option changes no
// number of the results.
#include "cli/commands.h"
#include "models/tsunami/solver.h"
#include "tests/cli/in_process.h"
#include "tests/support/test.h"

#include <signal.h>

// ---- a back end that makes an error on purpose

static struct {
    int64_t after_step; // the state is disturbed after so many steps; −1: never
    size_t column, row;
    int field; // 0 η, 1 u, 2 v
    double by;
    int64_t stop_after_step; // sends itself SIGTERM; −1: never
} plant;

// Disturbs a field (0 η, 1 u, 2 v) of one node.
static void plant_error(int64_t after_step, size_t column, size_t row, int field, double by)
{
    plant.after_step = after_step;
    plant.column = column;
    plant.row = row;
    plant.field = field;
    plant.by = by;
}

static struct tsunami_backend erring;

static enum status disturb(struct solver *solver)
{
    double values[3];
    tsunami_backend_openmp.get(solver, plant.row, plant.column, 1, &values[0], &values[1], &values[2]);
    values[plant.field] += plant.by;
    tsunami_backend_openmp.set(solver, plant.row, plant.column, 1, &values[0], &values[1], &values[2]);
    return solver_touch(&tsunami_backend_openmp.head, solver, false);
}

static enum status erring_advance(struct solver *solver, int64_t first_step, int64_t count)
{
    for (int64_t step = first_step; step < first_step + count; step++) {
        CHECK(tsunami_backend_openmp.head.advance(solver, step, 1));
        if (step + 1 == plant.after_step)
            CHECK(disturb(solver));
        if (step + 1 == plant.stop_after_step)
            raise(SIGTERM);
    }
    return STATUS_OK;
}

static int group_setup(void **state)
{
    erring = tsunami_backend_openmp;
    erring.head.name = "erring";
    erring.head.advance = erring_advance;
    backend_register(&tsunami_backends, &erring.head);
    return 0;
}

static int setup(void **state)
{
    memset(&plant, 0, sizeof plant);
    plant.after_step = plant.stop_after_step = -1;
    return cli_setup(state);
}

// ---- runs

// The job of most tests: 60 steps of 30 s in "sea.nc".
static cJSON *job_with(const char *key, const char *json)
{
    cJSON *job = cli_sea_job();
    cli_set_text(job, "output.directory", "%s", cli_path("out"));
    if (key)
        cli_set(job, key, json);
    return job;
}

static const struct cli_result *verify(const char *backend, const char *count)
{
    cli_save_job(job_with(NULL, NULL));
    return run_in_process(command_run, "run --verify %s -b %s %s", count, backend, cli_path("job.json"));
}

static cJSON *quantity(cJSON *report, int index, const char *name)
{
    cJSON *item =
        cJSON_GetArrayItem(cJSON_GetObjectItem(cli_item(report, "reference_check"), "quantities"), index);
    assert_non_null(item);
    assert_string_equal(cli_text(item, "name"), name);
    return item;
}

static const char *verdict_of(const cJSON *report)
{
    return cli_text(report, "checks.0.verdict");
}

static void assert_verdict(const char *expected)
{
    assert_string_equal(verdict_of(cli_read_json("out/run.json")), expected);
}

// ---- a planted error

// Three comparisons in 60 steps, in the middle of each third: the pairs of steps 10 → 12, 30 → 32, 50 → 52.
TEST(test_an_error_of_one_node_is_found)
{
    plant_error(32, 23, 11, 0, 0.5);
    // x = 140 + 23/4, y = 30 + 11/4: 4500 m deep there.
    cli_assert_error(verify("erring", "3"), 1, true, "check against the reference failed", "after step 32",
                     "from step 30", "column 23, row 11", "(145.75, 32.75)", "depth 4500 m", "eta", "0.5");
    cJSON *report = cli_read_json("out/run.json");
    assert_string_equal(verdict_of(report), "failed");
    const cJSON *eta = quantity(report, 0, "eta");
    assert_true(cli_json_number(eta, "column") == 23 && cli_json_number(eta, "row") == 11);
    assert_true(cli_json_number(eta, "repeated_from_step") == 30 && cli_json_number(eta, "after_step") == 32);
    assert_true(cli_json_number(eta, "x") == 145.75 && cli_json_number(eta, "y") == 32.75);
    assert_true(cli_json_number(eta, "depth_m") == 4500);
    // η is stored in single precision as a difference of wave speeds, so 0.5 m is accurate to about 1e-6.
    assert_true(fabs(cli_json_number(eta, "value") - cli_json_number(eta, "reference") - 0.5) < 1e-5);
    assert_true(fabs(cli_json_number(eta, "largest_difference") - 0.5) < 1e-5);
    // One node of `compared_nodes` differs by 0.5 m, all others by rounding.
    const double nodes = cli_json_number(report, "reference_check.compared_nodes");
    assert_true(fabs(cli_json_number(eta, "rms_difference") / (0.5 / sqrt(nodes)) - 1) < 1e-4);
    // The velocities were not disturbed.
    assert_true(cli_json_number(quantity(report, 1, "u"), "judged_as") < 1e-5);
    assert_true(cli_json_number(report, "reference_check.after_step") == 32);
    assert_true(cli_exists("out/fields.nc")); // so that the user can examine it
}

// A difference of velocity counts as the elevation of a wave with this velocity: |Δv| √(d/g).
TEST(test_an_error_of_a_velocity_is_found_and_judged_as_elevation)
{
    plant_error(12, 30, 25, 2, -0.01);
    cli_assert_error(verify("erring", "3"), 1, true, "after step 12", "from step 10", "column 30, row 25",
                     "(147.5, 36.25)", " v is ", "m of elevation");
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *v = quantity(report, 2, "v");
    assert_true(cli_json_number(v, "column") == 30 && cli_json_number(v, "row") == 25);
    assert_true(fabs(cli_json_number(v, "largest_difference") - 0.01) < 1e-6);
    assert_true(fabs(cli_json_number(v, "judged_as") - 0.01 * sqrt(4500 / 9.81)) < 1e-4);
}

// A disturbance before the last step of a pair has begun to spread. It is found, at most as far away as a
// wave can have travelled.
TEST(test_an_error_within_a_pair_is_found_close_by)
{
    plant_error(51, 20, 8, 0, 0.5);
    cli_assert_error(verify("erring", "3"), 1, true, "after step 52", "from step 50");
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *eta = quantity(report, 0, "eta");
    assert_true(fabs(cli_json_number(eta, "column") - 20) <= 1 && fabs(cli_json_number(eta, "row") - 8) <= 1);
}

// Every pair starts from the run's own state. So an error between two comparisons is in both states, and is
// not found. This is a limit of the check (docs/tsunami.md).
TEST(test_an_error_between_the_moments_is_not_seen)
{
    plant_error(40, 20, 8, 0, 0.5);
    cli_assert_done(verify("erring", "3"));
    assert_verdict("passed");
}

TEST(test_a_non_finite_value_is_reported)
{
    plant_error(60, 15, 20, 1, NAN); // no later step uses the value
    // The guard or the check, whichever comes first, reports the position.
    const struct cli_result *result = verify("erring", "30");
    assert_true(result->exit_code == 1 || result->exit_code == 65);
    assert_has(result->error, "(143.75, 35)", "nan");
}

// ---- a correct run

static void assert_correct_run(const char *backend, const char *precision, double tolerance_m)
{
    if (cli_exists("out"))
        cli_remove("out");
    cli_save_job(job_with(NULL, NULL));
    const struct cli_result *result = run_in_process(command_run, "run --verify 4 -b %s -p %s %s", backend,
                                                     precision, cli_path("job.json"));
    cli_assert_done(result);
    assert_has(result->error, "verified 8 steps at 4 moments against the reference: largest difference in ",
               format_text("allowed %g m", tolerance_m));
    cJSON *report = cli_read_json("out/run.json");
    assert_string_equal(verdict_of(report), "passed");
    assert_true(cli_json_number(report, "reference_check.steps") == 4);
    assert_true(cli_json_number(report, "reference_check.repeated_steps") == 8);
    cli_expect_number(report, "reference_check.tolerance_m", tolerance_m);
    cli_expect_number(report, "reference_check.compared_nodes",
                      4 * cli_json_number(report, "grid.wet_nodes"));
    static const char *const names[] = {"eta", "u", "v"};
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        const cJSON *q = quantity(report, k, names[k]);
        const double difference = cli_json_number(q, "largest_difference"),
                     rms = cli_json_number(q, "rms_difference");
        largest = fmax(largest, cli_json_number(q, "judged_as"));
        // Numbers in the file have 15 digits.
        const double value = cli_json_number(q, "value"), reference = cli_json_number(q, "reference");
        assert_true(fabs(difference - fabs(value - reference)) <= 2e-15 * fabs(value));
        assert_true(cli_json_number(q, "judged_as") <= tolerance_m);
        assert_true(rms * rms * cli_json_number(report, "reference_check.compared_nodes") >=
                    difference * difference * (1 - 1e-9));
        cli_expect_number(q, "x", 140 + 0.25 * cli_json_number(q, "column"));
        cli_expect_number(q, "y", 30 + 0.25 * cli_json_number(q, "row"));
        cli_expect_number(q, "after_step", cli_json_number(q, "repeated_from_step") + 2);
        assert_true(cli_json_number(q, "depth_m") > 10);
    }
    cli_expect_number(report, "reference_check.largest_difference_m", largest);
}

TEST(test_a_correct_run_passes)
{
    assert_correct_run("openmp", "single", 1e-5);
    assert_correct_run("openmp", "double", 1e-9);
}

// The reference is compared with itself: the only difference is the rounding when the state is copied.
TEST(test_the_reference_passes_its_own_check)
{
    assert_correct_run("reference", "double", 1e-9);
    assert_true(cli_json_number(cli_read_json("out/run.json"), "reference_check.largest_difference_m") <
                1e-11);
}

// ---- the number

// 30 pairs fit; they begin at odd steps, and the last one has only one step.
TEST(test_more_moments_than_fit_check_no_step_twice)
{
    cli_assert_done(verify("openmp", "1000000"));
    assert_true(cli_run_number("out", "reference_check.steps") == 30);
    assert_true(cli_run_number("out", "reference_check.repeated_steps") == 59);
}

TEST(test_the_option_takes_the_place_of_the_jobs_key)
{
    cli_save_job(job_with("check", "{'reference_steps': 5}"));
    cli_assert_done(run_in_process(command_run, "run -q --verify 2 %s", cli_path("job.json")));
    assert_true(cli_run_number("out", "reference_check.steps") == 2);
    const double hash_bytes = cli_run_number("out", "memory.planned_bytes");
    cli_remove("out");
    cli_assert_done(run_in_process(command_run, "run -q --verify 0 %s", cli_path("job.json")));
    assert_verdict("not asked for");
    assert_true(cli_run_number("out", "memory.planned_bytes") <
                hash_bytes); // no memory of a reference was planned
    assert_null(cJSON_GetObjectItem(cli_read_json("out/run.json"), "reference_check"));
}

TEST(test_wrong_counts_are_refused)
{
    cli_save_job(job_with(NULL, NULL));
    static const char *const words[] = {
        "x", "-1", "+3", "1.5", "1e3", "", " 7", "7 ", "0x10", "99999999999999999999", "1000000000001"};
    for (size_t k = 0; k < COUNT(words); k++) {
        cli_assert_error(run_in_process(command_run, "run --verify '%s' %s", words[k], cli_path("job.json")),
                         64, false, format_text("--verify %s: expected a whole number", words[k]));
        assert_false(cli_exists("out"));
    }
}

TEST(test_a_check_that_is_no_object_is_reported)
{
    cli_save_job(job_with("check", "5"));
    cli_assert_error(run_in_process(command_run, "run --verify 3 %s", cli_path("job.json")), 78, false,
                     "job.json", "check.reference_steps", "not an object");
    assert_false(cli_exists("out"));
}

// ---- stopped and resumed

// Stops the run by step 50: a signal after step 45, noticed at the next checkpoint's stop at the latest,
// earlier on a busy machine. Returns the step.
static int stop_by_50(const char *verify_count)
{
    plant.stop_after_step = 45;
    cli_save_job(job_with("checkpoint", "{'every_steps': 10}"));
    const struct cli_result *result =
        verify_count
            ? run_in_process(command_run, "run -b erring --verify %s %s", verify_count, cli_path("job.json"))
            : run_in_process(command_run, "run -b erring %s", cli_path("job.json"));
    cli_assert_error(result, 75, true, "stopped", "--resume");
    plant.stop_after_step = -1;
    int step;
    const char *after = strstr(result->error, "after step ");
    assert_non_null(after);
    assert_int_equal(sscanf(after, "after step %d", &step), 1);
    assert_in_range(step, 45, 50);
    return step;
}

static const struct cli_result *resume(const char *verify_count)
{
    return verify_count ? run_in_process(command_run, "run --resume -b erring --verify %s %s", verify_count,
                                         cli_path("job.json"))
                        : run_in_process(command_run, "run --resume -b erring %s", cli_path("job.json"));
}

TEST(test_a_run_is_resumed_with_and_without_it)
{
    const int step = stop_by_50(NULL);
    cli_assert_done(resume("30")); // pairs that begin at the remaining odd steps, up to 59
    assert_verdict("passed");
    assert_int_equal(cli_run_number("out", "reference_check.steps"), (61 - step) / 2);
    cli_remove("out");
    (void)stop_by_50("3");
    cli_assert_done(resume(NULL)); // comparisons before the stop still count
    assert_verdict("passed");
    assert_true(cli_run_number("out", "reference_check.steps") == 2);
    cli_remove("out");
    (void)stop_by_50("3");
    cli_assert_done(resume("3"));
    assert_true(cli_run_number("out", "reference_check.steps") == 3);
}

TEST(test_a_failure_before_a_stop_is_not_forgotten)
{
    plant_error(12, 23, 11, 0, 0.5);
    (void)stop_by_50("3");
    cli_assert_error(resume(NULL), 1, true, "after step 12", "column 23, row 11");
    assert_verdict("failed");
}

TEST(test_without_comparison_no_check_passes)
{
    (void)stop_by_50(NULL);
    const struct cli_result *result = resume("1"); // its only pair would have begun at step 30
    cli_assert_done(result);
    assert_has(result->error, "warning: no step was repeated on the reference");
    assert_verdict("not asked for");
}

TEST_SUITE(.setup = setup, .teardown = cli_teardown, .group_setup = group_setup);
