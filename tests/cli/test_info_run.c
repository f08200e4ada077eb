// `fathom info` on the folder of a run: its title, model, state, verdict and files, as text and as JSON; of a
// run that was stopped; and what it states about folders without a run.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <sys/stat.h>

static cJSON *sea_job(void)
{
    cJSON *job = cli_change(cli_sea_job(), "title = 'A small sea'; output = {'directory': 'out', 'fields': "
                                           "{'every': '1 min'}, 'maxima': true}; time.duration = '10 min'");
    return job;
}

static void assert_says(const char *text, const char *const *lines, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const char *at = strstr(text, lines[k]);
        if (!at)
            fail_msg("\"%s\" is missing, or out of order, in:\n%s", lines[k], text);
        text = at;
    }
}

TEST(test_a_finished_run)
{
    cli_run_job(cli_change(sea_job(), "check.reference_steps = 2"));
    static const char *const paths[] = {"out", "out/", "out/run.json"};
    static const char *const lines[] = {"title      A small sea\n", "model      tsunami\n",
                                        "state      finished, 20 steps in ", "check      passed\n",
                                        "job        job.json\n"};
    for (size_t k = 0; k < 3; k++) {
        const struct cli_result *result = cli_do("info %s", paths[k]);
        assert_says(result->output, lines, COUNT(lines));
        assert_has(result->output, "fields.nc, ", "maxima.nc, ", "max_eta (m)");
    }
    cJSON *said = cli_output_json(cli_do("info --json out"));
    assert_string_equal(cli_text(said, "state"), "finished");
    const cJSON *file, *files = cJSON_GetObjectItem(said, "files");
    cJSON_ArrayForEach(file, files)
    {
        struct stat about;
        assert_int_equal(stat(cli_path(format_text("out/%s", cli_text(file, "file"))), &about), 0);
        cli_expect_number(file, "bytes", (double)about.st_size);
        assert_true(cli_count(file, "variables") > 0);
    }
    assert_true(cJSON_GetArraySize(files) >= 2);
}

// What is wrong with the results is reported: a check that failed, a file that is gone.
TEST(test_what_is_wrong)
{
    cli_run_job(sea_job());
    assert_int_equal(mkdir(cli_path("failed"), 0755), 0);
    cli_write_json("failed/run.json",
                   "{'model': 'tsunami', 'files': ['fields.nc'], 'checks': [{'verdict': 'failed', "
                   "'exit_code': 1, 'message': 'eta differs'}], 'warnings': ['mind the step'], 'findings': "
                   "[{'rule': 'a rule', 'verdict': 'exceeded', 'message': 'by 2 K'}]}");
    const struct cli_result *result = cli_do("info failed");
    static const char *const lines[] = {"finding    a rule EXCEEDED: by 2 K\n",
                                        "check      failed: eta differs\n", "warning    mind the step\n",
                                        "files      fields.nc, missing\n"};
    assert_says(result->output, lines, COUNT(lines));
    cli_write_text("out/fields.nc", "no netCDF");
    cli_assert_error(cli_run("info out"), DATA, false, "fields.nc");
    cli_write_text("out/run.json", "{\"model\": ");
    cli_assert_error(cli_run("info out"), DATA, false, "out/run.json");
}

// As after a kill between the results and the products.
TEST(test_products_that_are_missing)
{
    cli_run_job(sea_job());
    assert_null(strstr(cli_do("info out")->output, "missing"));
    cJSON *run = cli_read_json("out/run.json");
    cJSON *pending = cJSON_AddObjectToObject(run, "products_pending");
    cJSON_AddItemToObject(pending, "files", cJSON_CreateStringArray((const char *[]){"a.csv", "b.csv"}, 2));
    char *text = cJSON_PrintUnformatted(run);
    cli_write_text("out/run.json", text);
    free(text);
    cli_write_text("out/a.csv", "1");
    assert_has(cli_do("info out")->output, "products   missing: b.csv; fathom run --resume makes them");
    cJSON *said = cli_output_json(cli_do("info --json out"));
    assert_string_equal(cli_text(said, "products_missing.0"), "b.csv");
}

TEST(test_a_stopped_run)
{
    cli_save_job(sea_job());
    cli_tick_clock(100);
    assert_int_equal(cli_run("run -q --time-limit '1 ms' job.json")->exit_code, STOPPED);
    assert_has(folder_text("out/run.log"), "stopped by the time limit after step ", "a checkpoint is saved",
               "fathom run --resume "); // with what continues it
    const struct cli_result *result = cli_do("info out");
    static const char *const lines[] = {"model      tsunami\n", "state      not finished: ",
                                        "fathom run --resume continues from its checkpoint\n",
                                        "checkpoint after step "};
    assert_says(result->output, lines, COUNT(lines));
}

TEST(test_folders_without_a_run)
{
    assert_int_equal(mkdir(cli_path("empty"), 0755), 0);
    cli_assert_error(cli_run("info empty"), NO_INPUT, false, "empty: holds no run: expected run.json");
    assert_int_equal(mkdir(cli_path("overnight"), 0755), 0);
    cli_write_text("overnight/journal.jsonl", "{}\n");
    cli_assert_error(cli_run("info overnight"), NO_INPUT, false, "overnight: the folder of a batch");
    cli_assert_error(cli_run("info --variable eta empty"), USAGE, false, "--variable");
}

TEST_MAIN(cli_setup, cli_teardown)

// What a report holds must not act on the terminal.
TEST(control_characters_are_escaped)
{
    cli_run_job(cli_change(sea_job(), "time.duration = '1 min'"));
    folder_shell("sed -i -e 's/A small sea/A \\\\u001b[31mred\\\\t\\\\u009bsea/' '%s'",
                 cli_path("out/run.json"));
    const char *output = cli_do("info out")->output;
    assert_has(output, "title      A \\x1b[31mred\\x09\\xc2\\x9bsea\n");
    assert_null(strchr(output, '\033'));
}
