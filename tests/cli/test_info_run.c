// `fathom info` on the folder of a run: its title, model, state, verdict and files, as text and as JSON; of a
// run that was stopped; and what it states about folders without a run.
#include "tests/support/cli_fixture.h"
#include "tests/support/cli_pace.h"
#include "tests/support/test.h"

#include <cjson/cJSON.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DATA = 65, NO_INPUT = 66, STOPPED = 75, USAGE = 64 };

static cJSON *sea_job(void)
{
    cJSON *job = cli_sea_job();
    cli_change(job, "title = 'A small sea'; "
                    "output = {'directory': 'out', 'fields': {'every': '1 min'}, 'maxima': true}; "
                    "time.duration = '10 min'");
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
    cJSON *job = sea_job();
    cli_change(job, "check.reference_steps = 2");
    cli_run_job(job);
    static const char *const paths[] = {"out", "out/", "out/run.json"};
    static const char *const lines[] = {"title      A small sea\n", "model      tsunami\n",
                                        "state      finished, 20 steps in ", "check      passed\n",
                                        "job        job.json\n"};
    for (size_t k = 0; k < 3; k++) {
        const struct cli_result *result = cli_run("info", paths[k], NULL);
        cli_assert_done(result);
        assert_says(result->output, lines, COUNT(lines));
        assert_has(result->output, "fields.nc, ", "maxima.nc, ", "max_eta (m)", NULL);
    }
    const struct cli_result *result = cli_run("info", "--json", "out", NULL);
    cli_assert_done(result);
    cJSON *said = cli_output_json(result);
    assert_non_null(said);
    assert_string_equal(cJSON_GetObjectItem(said, "state")->valuestring, "finished");
    const cJSON *file, *files = cJSON_GetObjectItem(said, "files");
    cJSON_ArrayForEach(file, files)
    {
        struct stat about;
        const char *path = format_text("out/%s", cJSON_GetObjectItem(file, "file")->valuestring);
        assert_int_equal(stat(cli_path(path), &about), 0);
        assert_true(cli_json_number(file, "bytes") == (double)about.st_size);
        assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(file, "variables")) > 0);
    }
    assert_true(cJSON_GetArraySize(files) >= 2);
}

// What is wrong with the results is reported: a check that failed, a file that is gone.
TEST(test_what_is_wrong)
{
    cJSON *job = sea_job();
    cli_run_job(job);
    assert_int_equal(mkdir(cli_path("failed"), 0755), 0);
    cli_write_json("failed/run.json",
                   "{'model': 'tsunami', 'files': ['fields.nc'], 'checks': [{'verdict': 'failed', "
                   "'exit_code': 1, 'message': 'eta differs'}], 'warnings': ['mind the step'], "
                   "'findings': [{'rule': 'a rule', 'verdict': 'exceeded', 'message': 'by 2 K'}]}");
    const struct cli_result *result = cli_run("info", "failed", NULL);
    cli_assert_done(result);
    static const char *const lines[] = {"check      failed: eta differs\n",
                                        "finding    a rule EXCEEDED: by 2 K\n", "warning    mind the step\n",
                                        "files      fields.nc, missing\n"};
    assert_says(result->output, lines, COUNT(lines));
    cli_write_text("out/fields.nc", "no netCDF");
    cli_assert_error(cli_run("info", "out", NULL), DATA, false, "fields.nc", NULL);
    cli_write_text("out/run.json", "{\"model\": ");
    cli_assert_error(cli_run("info", "out", NULL), DATA, false, "out/run.json", NULL);
}

TEST(test_a_stopped_run)
{
    cJSON *job = sea_job();
    cli_save_job(job);
    cli_tick_clock(100);
    assert_int_equal(cli_run("run", "-q", "--time-limit", "1 ms", "job.json", NULL)->exit_code, STOPPED);
    const struct cli_result *result = cli_run("info", "out", NULL);
    cli_assert_done(result);
    static const char *const lines[] = {"model      tsunami\n", "state      not finished: ",
                                        "fathom run --resume continues from its checkpoint\n",
                                        "checkpoint after step "};
    assert_says(result->output, lines, COUNT(lines));
}

TEST(test_folders_without_a_run)
{
    assert_int_equal(mkdir(cli_path("empty"), 0755), 0);
    cli_assert_error(cli_run("info", "empty", NULL), NO_INPUT, false,
                     "empty: holds no run: expected run.json", NULL);
    assert_int_equal(mkdir(cli_path("night"), 0755), 0);
    cli_write_text("night/journal.jsonl", "{}\n");
    cli_assert_error(cli_run("info", "night", NULL), NO_INPUT, false, "night: the folder of a batch", NULL);
    cli_assert_error(cli_run("info", "--variable", "eta", "empty", NULL), USAGE, false, "--variable", NULL);
}

TEST_MAIN(cli_setup, cli_teardown)
