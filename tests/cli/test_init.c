// Jobs to start from: each is written, follows its schema, can be planned and, made small, runs.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static const char *const models[] = {"tsunami", "bioheat", "nbody", "gas", "ising"};

static bool has_bathymetry(void)
{
    return access("/usr/share/ferret-vis/data/etopo5.cdf", R_OK) == 0;
}

TEST(each_job_can_be_planned)
{
    for (size_t k = 0; k < COUNT(models); k++) {
        if (k == 0 && !has_bathymetry())
            continue;
        assert_non_null(strstr(cli_do("init %s", models[k])->output, format_text("%s.json", models[k])));
        const struct cli_result *plan = cli_do("plan -b openmp %s.json", models[k]);
        if (strstr(plan->error, "warning"))
            fail_msg("%s: %s", models[k], plan->error);
        // The results go into a folder of the file's name.
        assert_non_null(strstr(plan->output, format_text("files      %s/", models[k])));
    }
}

TEST(each_job_follows_its_schema)
{
    const char *words[] = {"/usr/bin/python3",
                           TEST_SOURCE_DIRECTORY "/tests/cli/validate_jobs.py",
                           TEST_SOURCE_DIRECTORY "/data/schema",
                           "",
                           "",
                           "",
                           "",
                           "",
                           NULL};
    for (size_t k = 0; k < COUNT(models); k++) {
        cli_do("init %s", models[k]);
        words[3 + k] = cli_path(format_text("%s.json", models[k]));
        // The file names its schema, which is there.
        const cJSON *job = cli_read_json(format_text("%s.json", models[k]));
        const char *schema = cJSON_GetStringValue(cJSON_GetObjectItem(job, "$schema"));
        assert_non_null(schema);
        assert_int_equal(access(schema, R_OK), 0);
    }
    cli_assert_tool(cli_run_words(words));
}

// Smaller than it is written, for the test's time: the same keys.
TEST(each_job_runs)
{
    static const char *const smaller[] = {
        "--set 'domain.spacing=\"40 arcmin\"' --set 'time.duration=\"1 h\"'",
        "--set domain.uniform.cells.x=40 --set domain.uniform.cells.y=40 --set 'time.duration=\"20 s\"'",
        "--set particles.plummer.count=64 --set time.duration=1",
        "--set time.duration=25 --set particles.lattice.count=100",
        "--set sweeps.count=2000 --set lattice.columns=16"};
    for (size_t k = 0; k < COUNT(models); k++) {
        if (k == 0 && !has_bathymetry())
            continue;
        cli_do("init %s my.job.json", models[k]);
        cli_assert_done(cli_run_line(format_text("run -q -b openmp my.job.json %s", smaller[k])));
        cli_do("info my.job");
        assert_true(cli_exists("my.job/run.json"));
        cli_remove("my.job");
        cli_remove("my.job.json");
    }
}

// A placeholder of the origin would replace the time of an earthquake's file.
TEST(the_origin_is_the_files)
{
    cli_do("init tsunami");
    const cJSON *job = cli_read_json("tsunami.json");
    assert_null(cJSON_GetObjectItemCaseSensitive(cli_item(job, "time"), "origin"));
    assert_null(cJSON_GetObjectItemCaseSensitive(job, "title"));
    cli_remove("tsunami.json");
}

TEST(nothing_is_replaced)
{
    static const struct cli_refusal rows[] = {
        {"init ising", CANNOT_CREATE, {"ising.json: exists already", "fathom init ising FILE"}},
        {"init ising nowhere/ising.json", CANNOT_CREATE, {"nowhere/ising.json"}},
        {"init isnig", USAGE, {"unknown model \"isnig\" (did you mean ising?)"}},
        {"init", USAGE, {"init needs a model"}},
        {"init ising a b", USAGE, {"init needs a model"}},
    };
    cli_write_text("ising.json", "mine");
    CLI_ASSERT_REFUSED(rows);
    assert_string_equal(folder_text(cli_path("ising.json")), "mine");
}

// A name that JSON writes otherwise.
TEST(any_name_becomes_a_folder)
{
    cli_do("init ising 'a \"b\"'");
    const cJSON *job = cli_read_json("a \"b\"");
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(job, "output"), "directory")),
        "a \"b\"-results");
    cli_do("plan 'a \"b\"'");
}

TEST_MAIN(cli_setup, cli_teardown)
