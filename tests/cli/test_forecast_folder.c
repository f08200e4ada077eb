// The folder of a `fathom forecast`: what lies there stays or is replaced, and a killed or a stopped forecast
// goes on by the same command.
#include "tests/support/cli_pace.h"
#include "tests/support/forecast_fixture.h"
#include "tests/support/test.h"

#include <cjson/cJSON.h>
#include <sys/stat.h>

// The job of complete results stays beside them whatever a later forecast in the folder fails at: before its
// run has begun, or while it writes. And a dry run leaves both alone.
TEST(results_keep_their_job)
{
    forecast_write_sea(false);
    cli_do(SHORT " -o out");
    char *kept = strdup(folder_text("out/forecast.json"));
    assert_non_null(kept);
    for (uint64_t bytes = 1 << 10; bytes <= 1 << 15; bytes *= 2) { // which file is too large differs
        const struct cli_options small = {.file_bytes_max = bytes};
        const int code =
            cli_run_as(&small, "forecast tohoku.ndk " SEA " --hours 1 --spacing 20 -q -o out")->exit_code;
        if (code != 74)
            fail_msg("at most %zu bytes a file: exit code %d", (size_t)bytes, code);
        assert_string_equal(folder_text("out/forecast.json"), kept);
    }
    const struct cli_result *dry = cli_do("forecast tohoku.ndk " SEA " --hours 1 --dry-run -o out");
    assert_non_null(strstr(dry->output, "job        not written: out has results"));
    assert_string_equal(folder_text("out/forecast.json"), kept);
    free(kept);
    cli_do("run -q -o again out/forecast.json");
    cli_assert_same_results("out", "again");
}

// Files that no forecast wrote are replaced only on request.
TEST(files_of_others_are_kept)
{
    static const char *const names[] = {"forecast.json", "points.csv"};
    forecast_write_sea(false);
    for (size_t k = 0; k < COUNT(names); k++) {
        const char *path = format_text("mine/%s", names[k]);
        assert_int_equal(mkdir(cli_path("mine"), 0755), 0);
        cli_write_text(path, "{}");
        cli_assert_error(cli_run(SHORT " -o mine"), CANNOT_CREATE, false, names[k], "--restart");
        assert_string_equal(folder_text(path), "{}");
        cli_do(SHORT " --restart -o mine");
        cli_remove("mine");
    }
}

// A run that is killed while its results get their names leaves the job, and points.csv of an earlier
// forecast, without run.json: the same command is not refused.
TEST(a_killed_forecast_begins_again)
{
    forecast_write_sea(false);
    cli_do(SHORT " -o out");
    cli_remove("out/run.json");
    cli_do(SHORT " -o out");
    assert_true(cli_exists("out/run.json"));
}

// While its results got their names: the same command gives them the names and prints the table, and computes
// nothing.
TEST(a_killed_forecast_goes_on_with_the_names)
{
    forecast_write_sea(false);
    char *table = strdup(cli_do(SHORT " -o out")->output);
    const char *id = cli_text(cli_read_json("out/run.json"), "run_id");
    folder_shell("cd %s && mkdir -p partial/final && mv points.nc run.json partial/final", cli_path("out"));
    cli_write_text("out/partial/job.json",
                   format_text("{\"fathom_run\": 1, \"run_id\": \"%s\", \"job\": {}, \"inputs\": []}", id));
    assert_string_equal(cli_do(SHORT " -o out")->output, table);
    free(table);
    assert_string_equal(cli_text(cli_read_json("out/run.json"), "run_id"), id);
    assert_false(cli_exists("out/partial"));
}

// The job never replaces the earthquake that it is made of.
TEST(the_earthquake_is_kept)
{
    forecast_write_sea(false);
    assert_int_equal(mkdir(cli_path("mine"), 0755), 0);
    cli_write_text("mine/forecast.json", great_tohoku_ndk);
    static const char command[] =
        "forecast mine/forecast.json " SEA " --hours 0.5 --spacing 30 -q --restart -o mine";
    cli_assert_error(cli_run_line(command), CONFIGURATION, false, "mine/forecast.json", "-o");
    assert_string_equal(folder_text("mine/forecast.json"), great_tohoku_ndk);
}

// Stopped, the same command continues and prints the table; another job does not discard the stopped one.
TEST(the_same_command_continues_a_stopped_forecast)
{
#define LONG "forecast tohoku.ndk " SEA " --hours 2 --spacing 10 -q"
    forecast_write_sea(false);
    cli_do(LONG " -o whole");
    cli_tick_clock(100);
    cli_assert_error(cli_run(LONG " -o out --time-limit '30 ms'"), STOPPED, false, "a checkpoint is saved",
                     "continue with: fathom forecast --bathymetry sea.nc ",
                     " -q -o out --time-limit '30 ms' tohoku.ndk");
    cli_pace_as_usual();
    cli_assert_error(cli_run("forecast tohoku.ndk " SEA " --hours 3 --spacing 10 -q -o out"), CANNOT_CREATE,
                     false, "out holds a stopped run of another job", "--restart");
    folder_shell("cd '%s' && cp -r out damaged && for f in damaged/partial/checkpoint.?; do : > $f; done",
                 folder_root());
    cli_assert_error(cli_run(LONG " -o damaged"), DATA, false, "damaged/partial/checkpoint.", "--restart");
    const struct cli_result *result = cli_do(LONG " -o out");
    assert_non_null(strstr(result->output, "\nFar "));
    assert_true(cJSON_IsTrue(cli_item(cli_read_json("out/run.json"), "resumed")));
    cli_assert_same_results("out", "whole");
}

TEST_MAIN(cli_setup, cli_teardown)
