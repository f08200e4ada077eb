// A run into the folder of an earlier one that wrote more: what the earlier run lists as its results is
// removed when the new run's take their place, nothing else, and not before.
#include "tests/support/ising_job.h"
#include "tests/support/test.h"

#include <signal.h>

// The earlier run's results in "out", with a copy in "earlier", and unrelated files beside them;
// job.json writes fewer.
static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cJSON *job = cli_change(ising_job(), "checkpoint.every_steps = 100");
    cli_save_job(job);
    cli_write_job(
        cli_change(job, "output.configurations = {'every': 40}; output.correlations = {'every': 40}"),
        "more.json");
    cli_do("run -q more.json");
    cli_do("run -q -o whole job.json");
    folder_shell("cp -r %s %s", cli_path("out"), cli_path("earlier"));
    assert_true(cli_exists("out/configurations.nc") && cli_exists("out/correlations.nc"));
    return 0;
}

TEST(test_only_what_is_listed)
{
    cli_write_text("out/correlations.txt", "mine");
    cli_write_text("out/configurations.0000.nc", "mine"); // the whole configurations.nc is the earlier run's
    cli_write_text("out/mine.nc", "mine");
    cli_write_text("victim", "mine");
    assert_int_equal(symlink("../victim", cli_path("out/link.nc")), 0); // no result, though the list names it
    folder_shell("sed -i 's/\"files\":[^[]*\\[/&\"link.nc\", /' %s", cli_path("out/run.json"));
    cli_do("run -q --restart job.json");
    assert_false(cli_exists("out/configurations.nc"));
    assert_false(cli_exists("out/correlations.nc"));
    static const char *const kept[] = {"out/correlations.txt", "out/configurations.0000.nc", "out/mine.nc",
                                       "victim", "out/link.nc"};
    for (size_t k = 0; k < COUNT(kept); k++) {
        assert_string_equal(folder_text(kept[k]), "mine");
    }
    assert_has(folder_text("out/run.log"), "out/configurations.nc, of an earlier run, is removed");
    for (size_t k = 0; k < COUNT(kept); k++)
        cli_remove(kept[k]);
    cli_assert_same_results("out", "whole");
}

// What no run listed, or what another program's run.json lists, stays.
TEST(test_other_reports)
{
    static const char *const reports[] = {
        "{'program': 'Fathom 1', 'files': ['correlations.nc']}", // without an id
        "{'program': 'other', 'run_id': 'a', 'files': ['correlations.nc']}",
        "{'program': 'Fathom 1', 'run_id': 'a', 'files': ['../victim.nc', '/x.nc', '.nc', 5]}", "not JSON"};
    cli_write_text("victim.nc", "mine");
    for (size_t k = 0; k < COUNT(reports); k++) {
        cli_write_text("out/run.json", reports[k]);
        cli_do("run -q --restart job.json");
        assert_true(cli_exists("out/configurations.nc") && cli_exists("out/correlations.nc"));
        assert_true(cli_exists("victim.nc"));
    }
}

static void assert_log_is_of_the_earlier_run(void)
{
    assert_string_equal(folder_text("out/run.log"), folder_text("earlier/run.log"));
}

TEST(test_not_before_the_end)
{
    cli_assert_error(cli_run("run -q --restart --set sweeps.count=-1 job.json"), CONFIGURATION, false,
                     "sweeps.count");
    cli_assert_error(cli_run("run -q --restart --set 'memory.host=1 kB' job.json"), SYSTEM, false, "memory");
    cli_assert_same_results("out", "earlier");
    assert_log_is_of_the_earlier_run();
    const struct cli_result *stopped =
        cli_stop_at("out/partial/checkpoint.b", SIGTERM, "run -q --restart job.json");
    assert_int_equal(stopped->exit_code, STOPPED);
    assert_true(cli_exists("out/partial"));
    cli_assert_same_results("out", "earlier");
    assert_log_is_of_the_earlier_run();
    assert_has(folder_text("out/run.unfinished.log"), "stopped by SIGTERM");
    cli_do("run -q --resume job.json");
    cli_assert_same_results("out", "whole");
    // One log of both legs.
    assert_has(folder_text("out/run.log"), "stopped by SIGTERM", "done in");
    assert_false(cli_exists("out/run.unfinished.log"));
}

// Another job has nothing to resume beside finished results, and says so in a log of its own.
TEST(test_resume_beside_results_of_another_job)
{
    cli_do("run -q job.json");
    folder_shell("cp %s %s", cli_path("out/run.log"), cli_path("before.log"));
    const struct cli_result *refused = cli_run("run -q --resume --set method.seed=99 job.json");
    assert_int_not_equal(refused->exit_code, 0);
    assert_string_equal(folder_text("out/run.log"), folder_text("before.log"));
    assert_true(cli_exists("out/run.unfinished.log"));
    cli_do("run -q --resume job.json"); // its own: finished, and continues its own log
    assert_has(folder_text("out/run.log"), folder_text("before.log"));
    cli_remove("out/run.unfinished.log");
}

// Results in parts, as a run with output.join: false leaves them.
TEST(test_parts)
{
    cli_do("run -q --set output.join=false more.json");
    assert_true(cli_exists("out/configurations.0001.nc"));
    cli_write_text("out/configurations.0099.nc", "mine"); // no part: others are missing before it
    cli_do("run -q job.json");
    assert_true(cli_exists("out/configurations.0099.nc"));
    cli_remove("out/configurations.0099.nc");
    cli_assert_same_results("out", "whole");
}

// A job that starts from files in the folder of its own results does not remove them.
TEST(test_input_stays)
{
    cJSON *job = cli_change(
        ising_job(), "start = {'kind': 'file', 'file': 'out/configurations.nc'}; output.final = false");
    cli_write_job(job, "next.json");
    cli_do("run -q next.json");
    assert_true(cli_exists("out/configurations.nc"));
    assert_false(cli_exists("out/correlations.nc"));
    assert_false(cli_exists("out/final.nc"));
    cli_do("run -q next.json");
    assert_true(cli_exists("out/configurations.nc")); // which the second time no run.json lists
}

TEST_MAIN(setup, cli_teardown)
