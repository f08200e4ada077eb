// Runs that are stopped, killed or run out of time, and are resumed: the same bits in every result as a run
// in one piece; and what must be refused instead of going on.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>

enum { CHECKPOINT_STEPS = 100 };
enum { TICK_US = 100 }; // a time limit of 10 ms: a hundred looks at the clock

static const int steps_openmp = 1200, steps_reference = 500;

// With enough checkpoints to be stopped some times: thousands of steps of a small sea, with results of every
// kind.
static cJSON *long_job(const char *backend, const char *precision)
{
    const int steps = strcmp(backend, "reference") == 0 ? steps_reference : steps_openmp;
    cJSON *job = cli_sea_job();
    cli_write_gauges("gauges.json");
    cli_change(job,
               "backend = '%s'; precision = '%s'; time.duration = '%d s'; output.fields.every = '1000 s'",
               backend, precision, 30 * steps); // not a multiple of the step
    cli_change(job,
               "output.gauges = {'file': 'gauges.json', 'every': '90 s'}; output.drawdown = '1 cm'; "
               "checkpoint.every_steps = %d",
               CHECKPOINT_STEPS);
    return job;
}

static void assert_no_results(const char *directory)
{
    static const char *const names[] = {"fields.nc", "gauges.nc",      "diagnostics.nc",
                                        "maxima.nc", "deformation.nc", "run.json"};
    for (size_t k = 0; k < COUNT(names); k++) {
        assert_false(cli_exists(format_text("%s/%s", directory, names[k])));
    }
}

// Starts (or resumes, if `how` is "--resume"), and sends a signal when the next checkpoint is there; the run
// waits for it.
static const struct cli_result *stop_by(int number, const char *how)
{
    return cli_stop_at("out/partial/checkpoint.", number, "run -q %s -o out job.json", how);
}

// Starts (or resumes), and ends by a time limit that is met after so many readings of the clock.
static const struct cli_result *stop_in_time(const char *how, const char *limit)
{
    cli_tick_clock(TICK_US);
    const struct cli_result *result = cli_run("run -q %s --time-limit %s -o out job.json", how, limit);
    cli_pace_as_usual();
    return result;
}

static void assert_stopped(const struct cli_result *result, const char *why)
{
    cli_assert_error(result, STOPPED, false, "stopped by", why, "step", "fathom run --resume ",
                     " job.json\n");
    const char *command = strstr(result->error, "--resume");
    assert_null(strstr(command + 1, "--resume")); // reported once, also when a resumed run is stopped
    assert_no_results("out");
    assert_true(cli_exists("out/partial/checkpoint.a") || cli_exists("out/partial/checkpoint.b"));
}

// ---- the same bits

static void assert_resumed_report(int steps, int stops)
{
    cJSON *report = cli_read_json("out/run.json");
    assert_true(cli_json_number(report, "steps") == steps);
    const double run = cli_json_number(report, "steps_run");
    assert_true(run >= steps && run <= steps + stops * CHECKPOINT_STEPS);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(report, "resumed")));
    assert_true(cli_json_number(report, "memory.planned_bytes") ==
                cli_json_number(report, "memory.used_bytes"));
}

// Stopped by SIGTERM, killed, out of time, and ended.
static void stop_three_times(void)
{
    assert_stopped(stop_by(SIGTERM, ""), "SIGTERM");
    const struct cli_result *result = stop_by(SIGKILL, "--resume");
    assert_int_equal(result->signal, SIGKILL);
    assert_no_results("out");
    assert_stopped(stop_in_time("--resume", "10 ms"), "time limit");
    cli_do("run -q --resume -o out job.json");
    assert_false(cli_exists("out/partial"));
}

static void compare_with_uninterrupted(const char *backend, const char *precision)
{
    cli_run_to(long_job(backend, precision), "whole");
    stop_three_times();
    cli_assert_same_results("out", "whole");
    assert_resumed_report(strcmp(backend, "reference") == 0 ? steps_reference : steps_openmp, 3);
}

TEST(test_openmp_single)
{
    compare_with_uninterrupted("openmp", "single");
}

TEST(test_openmp_double)
{
    compare_with_uninterrupted("openmp", "double");
}

TEST(test_reference_single)
{
    compare_with_uninterrupted("reference", "single");
}

TEST(test_reference_double)
{
    compare_with_uninterrupted("reference", "double");
}

static double slow_uplift(double x, double y, double time_s)
{
    return x > 143 && x < 146 && y > 32 && y < 35 ? 1.5 : 0;
}

// Stopped while the sea floor is still rising, and between checks against the reference.
static void stop_while_the_source_moves(const char *method, const char *source, const char *tolerance)
{
    struct cli_grid uplift = cli_sea;
    uplift.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = slow_uplift};
    cli_write_grid("uplift.nc", &uplift);
    cJSON *job = cli_change(long_job("openmp", "single"),
                            "method = '%s'; source = %s; time.duration = '15000 s'", method, source);
    cli_run_to(cli_change(job, "check = {'reference_steps': 40}; check.tolerance = '%s'", tolerance),
               "whole");
    stop_three_times();
    cli_assert_same_results("out", "whole");
    // Checks made before the stops count, except those of steps that a kill made to be done again.
    assert_true(cli_run_number("whole", "reference_check.steps") == 40);
    assert_true(cli_run_number("out", "reference_check.steps") == 40);
    assert_true(cli_run_number("out", "reference_check.largest_difference_m") ==
                cli_run_number("whole", "reference_check.largest_difference_m"));
}

TEST(test_stopped_while_the_source_moves)
{
    stop_while_the_source_moves(
        "vtcs2-o2", "{'displacement': {'file': 'uplift.nc', 'start': '100 s', 'rise': '10000 h'}}", "1 cm");
}

TEST(test_stopped_on_a_staggered_grid)
{
    stop_while_the_source_moves(
        "c-grid-6", "{'displacement': {'file': 'uplift.nc', 'start': '100 s', 'rise': '10000 h'}}", "1e-5 m");
}

// Faults that move together, on a shore that moves: what the bottom's rounding keeps from it continues, too.
TEST(test_stopped_while_faults_move)
{
    stop_while_the_source_moves(
        "muscl-hancock",
        "{'faults': {'fathom_faults': 1, 'reference': 'centre', 'columns': ['longitude', 'latitude', "
        "'depth', 'length', 'width', 'strike', 'dip', 'rake', 'slip', 'start', 'rise'], 'units': ['degree', "
        "'degree', 'km', 'km', 'km', 'degree', 'degree', 'degree', 'm', 's', 's'], 'rows': [[144.8, 33.9, "
        "15, 100, 50, 200, 20, 90, 3, 12, 1e8], [145.4, 33.6, 10, 100, 50, 198, 16, 90, 2, 12, 1e8], [145.4, "
        "34.1, 10, 50, 50, 198, 16, 90, 2, 12, 2e7]]}}",
        "1e-5 m");
}

// A check that failed before the stop is not forgotten after it.
TEST(test_failed_check_survives_a_stop)
{
    cJSON *job =
        cli_change(long_job("openmp", "single"),
                   "check = {'reference_steps': 1, 'tolerance': '1e-15 m'}"); // in the middle of the run
    cli_save_job(job);
    cli_assert_error(cli_run("run -q -o whole job.json"), 1, false, "check");
    const double at_step = cli_run_number("whole", "reference_check.after_step");
    int stops = 0;
    const struct cli_result *result = stop_by(SIGTERM, "");
    while (result->exit_code == STOPPED) {
        // So short parts that the step checked and the end lie in different ones.
        assert_in_range(++stops, 1, 100000);
        result = stop_in_time("--resume", "50 ms");
    }
    cli_assert_error(result, 1, false, "check");
    assert_true(cli_run_number("out", "reference_check.after_step") == at_step);
    cli_assert_same_results("out", "whole");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Files "out/NAME.*nc" in order; the caller frees them.
static int list_parts(const char *name, char *parts[64])
{
    DIR *directory = opendir(cli_path("out"));
    assert_non_null(directory);
    int count = 0;
    const size_t length = strlen(name);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != '.')
            continue;
        assert_true(count < 64);
        parts[count++] = owned_take(strdup(format_text("out/%s", entry->d_name)));
    }
    closedir(directory);
    qsort(parts, (size_t)count, sizeof *parts, by_name);
    return count;
}

// Not joined, the segments one after the other are the whole.
TEST(test_segments_not_joined)
{
    cJSON *job = long_job("openmp", "single");
    cli_run_to(job, "whole");
    cli_change(
        job,
        "output.join = false; checkpoint.every_steps = 300"); // at most 14 segments and those of the stops
    cli_save_job(job);
    stop_three_times();
    static const char *const streams[] = {"fields", "gauges", "diagnostics"};
    for (size_t s = 0; s < 3; s++) {
        char *parts[64];
        const int count = list_parts(streams[s], parts);
        assert_true(count >= 3);
        const char *whole = format_text("whole/%s.nc", streams[s]);
        cli_assert_same_joined((const char *const *)parts, count, whole);
    }
    cli_assert_same_data("out/maxima.nc", "whole/maxima.nc");
    cli_assert_same_data("out/deformation.nc", "whole/deformation.nc");
}

// ---- stops

TEST(test_interrupt)
{
    cli_save_job(long_job("openmp", "single"));
    assert_stopped(stop_by(SIGINT, ""), "SIGINT");
}

// Without checkpoints of its own a stopped run has the one of the stop.
TEST(test_time_limit_without_other_checkpoints)
{
    cli_save_job(cli_change(long_job("openmp", "single"), "delete checkpoint"));
    assert_stopped(stop_in_time("--restart", "1 ms"), "time limit");
    assert_true(cli_exists("out/partial/checkpoint.a") != cli_exists("out/partial/checkpoint.b"));
    cli_do("run -q --resume job.json");
    cli_do("run -q -o whole job.json");
    cli_assert_same_results("out", "whole");
}

// ---- leftovers

TEST(test_leftover_is_not_thrown_away)
{
    cJSON *job = long_job("openmp", "single");
    cli_save_job(job);
    assert_stopped(stop_by(SIGTERM, ""), "SIGTERM");
    const double stamp = cli_checkpoint_stamp("out");
    cli_assert_error(cli_run("run -q job.json"), CANNOT_CREATE, false, "out", "stopped run", "--resume",
                     "--restart");
    assert_true(cli_checkpoint_stamp("out") == stamp);
    // Another job into the same folder would throw it away just the same.
    job = cli_sea_job();
    cli_write_job(job, "other.json");
    cli_assert_error(cli_run("run -q other.json"), CANNOT_CREATE, false, "out", "--restart");
    assert_true(cli_checkpoint_stamp("out") == stamp);
    cli_do("run -q --restart other.json");
    assert_false(cli_exists("out/partial"));
    cli_do("run -q -o fresh other.json");
    cli_assert_same_results("out", "fresh");
    assert_true(cli_run_number("out", "steps_run") == 60);
}

TEST(test_resume_without_a_checkpoint)
{
    cli_save_job(cli_sea_job());
    cli_assert_error(cli_run("run -q --resume job.json"), NO_INPUT, false, "out", "checkpoint");
    assert_false(cli_exists("out"));
    cli_do("run -q job.json"); // complete: nothing is left to do, and nothing is done
    cli_copy("out/run.json", "before.json");
    assert_has(cli_do("run --resume job.json")->error, "complete before");
    cJSON *before = cli_read_json("before.json"), *now = cli_read_json("out/run.json");
    assert_true(cJSON_Compare(before, now, true));
    // Another job, and results of which one is gone, are not complete.
    cli_assert_error(cli_run("run -q --resume --set physics.manning_n=0.07 job.json"), NO_INPUT, false, "out",
                     "checkpoint");
    cli_remove("out/fields.nc");
    cli_assert_error(cli_run("run -q --resume job.json"), NO_INPUT, false, "out", "checkpoint");
}

TEST(test_resume_with_what_does_not_belong_to_it)
{
    cJSON *job = long_job("openmp", "single");
    cli_save_job(job);
    assert_stopped(stop_by(SIGTERM, ""), "SIGTERM");
    const double stamp = cli_checkpoint_stamp("out");
    cli_save_job(cli_change(job, "physics.manning_n = 0.025"));
    cli_assert_error(cli_run("run -q --resume job.json"), CONFIGURATION, false, "another job", "job.json",
                     "changed");
    cli_save_job(cli_change(job, "delete physics"));
    cli_assert_error(cli_run("run -q --resume -p double job.json"), CONFIGURATION, false, "another job");
    cli_assert_error(cli_run("run -q --resume -b reference job.json"), CONFIGURATION, false,
                     "out/partial/checkpoint");
    // The bathymetry changed by a byte that changes no depth's meaning to the plan: other input.
    cli_copy("sea.nc", "sea-before.nc");
    struct cli_grid grid = cli_sea;
    grid.variables[0].standard_name = "height_above_mean_sea_level";
    cli_write_grid("sea.nc", &grid);
    cli_assert_error(cli_run("run -q --resume job.json"), CONFIGURATION, false, "other input files");
    assert_true(cli_checkpoint_stamp("out") == stamp);
    cli_copy("sea-before.nc", "sea.nc");
    // A gauge moved: its series would be of two places.
    cli_copy("gauges.json", "gauges-before.json");
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'west', 'longitude': '143 "
                                  "degree', 'latitude': '33.4 degree'}]}");
    cli_assert_error(cli_run("run -q --resume job.json"), CONFIGURATION, false, "other input files");
    cli_copy("gauges-before.json", "gauges.json");
    // Keys that change no result may be changed.
    cli_save_job(cli_change(job, "title = 'Another title'; checkpoint.every_steps = 250"));
    cli_do("run -q --resume job.json");
}

// ---- damaged checkpoints

static const char *newer_checkpoint(void)
{
    struct stat a, b;
    assert_int_equal(stat(cli_path("out/partial/checkpoint.a"), &a), 0);
    assert_int_equal(stat(cli_path("out/partial/checkpoint.b"), &b), 0);
    const bool is_a = a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec > b.st_mtim.tv_sec
                                                           : a.st_mtim.tv_nsec > b.st_mtim.tv_nsec;
    return is_a ? "out/partial/checkpoint.a" : "out/partial/checkpoint.b";
}

// Stopped with two checkpoints there.
static void stop_with_two(void)
{
    assert_stopped(cli_stop_at("out/partial/checkpoint.b", SIGTERM, "run -q -o out job.json"), "SIGTERM");
}

static void resume_from_the_older(void (*damage)(const char *name))
{
    stop_with_two();
    const char *newer = format_text("%s", newer_checkpoint());
    damage(newer);
    const struct cli_result *result = cli_do("run -q --resume -o out job.json");
    if (!strstr(result->error, "fathom: warning: ") || !strstr(result->error, newer))
        fail_msg("the damaged checkpoint is not named: %s", result->error);
    cli_assert_same_results("out", "whole");
    assert_int_equal(cli_count(cli_read_json("out/run.json"), "warnings"), 1);
    cli_remove("out");
}

static void cut_short(const char *name)
{
    cli_truncate(name, 0.7);
}

static void flip_in_the_middle(const char *name)
{
    cli_flip_byte(name, 5000);
}

static void flip_in_the_header(const char *name)
{
    cli_flip_byte(name, 48); // the step
}

static void empty(const char *name)
{
    cli_truncate(name, 0);
}

TEST(test_damaged_newer_checkpoint)
{
    cli_run_to(long_job("openmp", "single"), "whole");
    resume_from_the_older(cut_short);
    resume_from_the_older(flip_in_the_middle);
    resume_from_the_older(flip_in_the_header);
    resume_from_the_older(empty);
}

TEST(test_both_checkpoints_damaged)
{
    cli_save_job(long_job("openmp", "single"));
    stop_with_two();
    cli_truncate("out/partial/checkpoint.a", 0.5);
    cli_flip_byte("out/partial/checkpoint.b", -3);
    cli_assert_error(cli_run("run -q --resume job.json"), DATA, true, "out/partial/checkpoint.");
    assert_no_results("out");
}

TEST(test_missing_or_damaged_segment)
{
    cli_save_job(long_job("openmp", "single"));
    assert_stopped(stop_by(SIGTERM, ""), "SIGTERM");
    cli_copy("out/partial/fields.0000.nc", "segment.nc");
    cli_truncate("out/partial/fields.0000.nc", 0.5);
    cli_assert_error(cli_run("run -q --resume job.json"), DATA, false, "fields.0000.nc");
    cli_remove("out/partial/fields.0000.nc");
    cli_assert_error(cli_run("run -q --resume job.json"), DATA, false, "fields", "missing");
    assert_no_results("out");
    cli_copy("segment.nc", "out/partial/fields.0000.nc"); // back again: nothing else was lost by trying
    cli_do("run -q --resume job.json");
}

// ---- a run that becomes unstable

static double mountain(double x, double y, double time_s)
{
    return 2000 * slow_uplift(x, y, time_s);
}

TEST(test_unstable_run_leaves_no_results)
{
    struct cli_grid uplift = cli_sea;
    uplift.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = mountain};
    cli_write_grid("uplift.nc", &uplift);
    cJSON *job =
        cli_change(cli_sea_job(),
                   "source = {'displacement': {'file': 'uplift.nc', 'start': '600 s'}}; time.step = '100 s'");
    cli_assert_error(cli_try(job), DATA, false, "unstable", "step", "depth", "time.step");
    assert_no_results("out");
    assert_false(cli_exists("out/partial"));
}

TEST_MAIN(cli_setup, cli_teardown)
