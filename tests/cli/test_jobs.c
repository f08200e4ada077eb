// Tests that the example jobs in data/jobs can be planned unchanged, and that their grids, steps and sources
// agree with their titles. Needs the bathymetry of Debian's ferret-datasets.
#include "tests/support/benchmarks.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <dirent.h>

static void skip_without(const char *file)
{
    const char *path = format_text("/usr/share/ferret-vis/data/%s", file);
    if (access(path, R_OK) == 0)
        return;
    skip_because("%s is missing: install ferret-datasets", path);
}

// Returns the plan as JSON. If the machine has too little memory or disk for the run, the exit code is 71 or
// 74, but the plan is printed.
static cJSON *plan_job(const char *name)
{
    const struct cli_result *result = cli_run(
        "plan --json -o out -b openmp %s", format_text("%s/data/jobs/%s.json", TEST_SOURCE_DIRECTORY, name));
    if (result->exit_code != 0 && result->exit_code != 71 && result->exit_code != 74)
        fail_msg("%s: exit code %d: %s", name, result->exit_code, result->error);
    cJSON *plan = cli_output_json(result);
    return plan;
}

static void assert_grid(const cJSON *plan, double nx, double ny, double steps, double step_s)
{
    cli_expect_number(plan, "grid.nx", nx);
    cli_expect_number(plan, "grid.ny", ny);
    cli_expect_number(plan, "steps", steps);
    cli_expect_number(plan, "step_s", step_s);
    assert_true(cli_json_number(plan, "grid.step_limit_s") > step_s);
}

TEST(test_tohoku2011)
{
    skip_without("etopo20.cdf");
    cJSON *plan = plan_job("tohoku2011");
    assert_grid(plan, 511, 367, 1440, 60);
    skip_without("etopo5.cdf");
    plan = plan_job("tohoku2011-5min");
    assert_grid(plan, 2041, 1465, 5760, 15);
}

// 2879 columns of 4 arc-minutes, and rows from 73 S to 73 N. At higher latitudes a step of 10 s would not be
// stable.
TEST(test_the_pacific_at_4_arc_minutes)
{
    skip_without("etopo5.cdf");
    cJSON *plan = plan_job("most-table2");
    assert_grid(plan, 2879, 2191, 1000, 10);
    assert_true(cli_json_number(plan, "source.faults") == 1);
    // Of 40 GPa · 100 km · 50 km · 1 m = 2e20 N m; it rounds to NOAA's 7.5.
    assert_true(fabs(cli_json_number(plan, "source.moment_magnitude_at_40_gpa") - 7.467) < 0.001);
    // One dump at the start and one every 6 steps, in 1000 steps. The other results are small.
    const double dumps = 167.0 * 2879 * 2191 * 4;
    assert_true(cli_json_number(plan, "output_bytes") > dumps &&
                cli_json_number(plan, "output_bytes") < 1.05 * dumps);
    plan = plan_job("most-table2-double"); // as the published program computed
    assert_grid(plan, 2879, 2191, 1000, 10);
    assert_true(cli_json_number(plan, "output_bytes") > 2 * dumps &&
                cli_json_number(plan, "output_bytes") < 2.1 * dumps);
    plan = plan_job("pacific-24h");
    assert_grid(plan, 2879, 2191, 8640, 10);
    assert_true(cli_json_number(plan, "source.faults") == 48);
    assert_true(cli_count(plan, "gauges") > 20);
    assert_true(cli_json_number(plan, "output_bytes") < 300e6); // no fields
}

// One of NOAA's unit sources, of which data/queues/tohoku-sift.json consists.
TEST(test_sift_unit)
{
    char path[BENCHMARK_PATH];
    skip_without("etopo5.cdf");
    need_benchmark("sift/info_sz.dat.txt", path);
    *strstr(path, "/sift/") = '\0'; // the folder to which the table's path in the job is relative
    setenv("FATHOM_DATA", path, 1);
    cJSON *plan = plan_job("sift-unit");
    unsetenv("FATHOM_DATA");
    assert_grid(plan, 391, 361, 1080, 10);
    assert_true(cli_json_number(plan, "source.faults") == 1);
    assert_true(fabs(cli_json_number(plan, "source.moment_magnitude_at_40_gpa") - 7.467) < 0.001);
    assert_true(cli_count(plan, "gauges") >= 3);
    assert_true(cli_json_number(plan, "output_bytes") < 10e6);
}

// The database round the Pacific: its job is planned, and its queue is what the generator makes of the table.
TEST(test_pacific_database)
{
    char table[BENCHMARK_PATH], *queue;
    need_benchmark("sift/info_sz.dat.txt", table);
    const struct cli_result *result = cli_run_tool(
        "/usr/bin/python3", format_text("%s/data/generate-database", TEST_SOURCE_DIRECTORY), table);
    assert_int_equal(result->exit_code, 0);
    queue = owned_take(strdup(result->output));
    result = cli_run_tool("cat", TEST_SOURCE_DIRECTORY "/data/queues/pacific-database.json");
    assert_true(strcmp(queue, result->output) == 0);
    result = cli_run_tool("/usr/bin/python3", format_text("%s/data/generate-database", TEST_SOURCE_DIRECTORY),
                          table, "--zones", "kisz,iosz");
    assert_int_equal(result->exit_code, 64);
    skip_without("etopo5.cdf");
    *strstr(table, "/sift/") = '\0';
    setenv("FATHOM_DATA", table, 1);
    cJSON *plan = plan_job("pacific-unit");
    unsetenv("FATHOM_DATA");
    assert_grid(plan, 2879, 2191, 8640, 10);
    assert_true(cli_count(plan, "gauges") > 500);
    // 1441 records of three quantities at 720 × 548 nodes, and little beside them.
    const double fields = 1441.0 * 3 * 720 * 548 * 4;
    assert_true(cli_json_number(plan, "output_bytes") > fields &&
                cli_json_number(plan, "output_bytes") < 1.05 * fields);
}

// One fault plane in the job itself.
TEST(test_my_earthquake)
{
    skip_without("etopo5.cdf");
    const cJSON *plan = plan_job("my-earthquake");
    assert_true(cli_json_number(plan, "grid.nx") == 361 && cli_json_number(plan, "grid.ny") == 421);
    assert_true(cli_json_number(plan, "source.faults") == 1);
    // The magnitude of 40 GPa · 150 km · 70 km · 5 m: (log10(2.1e21 N m) − 9.1)/1.5.
    assert_true(fabs(cli_json_number(plan, "source.moment_magnitude_at_40_gpa") - 8.148) < 0.001);
    assert_int_equal(cli_count(plan, "gauges"), 4);
}

// The same earthquake as tohoku2011.json's, from the Global CMT catalogue's moment: 5.312e22 N m.
TEST(test_tohoku_tensor)
{
    skip_without("etopo20.cdf");
    const cJSON *plan = plan_job("tohoku2011-tensor");
    assert_true(fabs(cli_json_number(plan, "source.moment_n_m") - 5.312e22) < 5e18);
    assert_true(cli_json_number(plan, "source.faults") == 1);
}

// Every example has a check, which users copy with it. Only gas-source.json has none: its reference would
// compute 262 144² pairs serially.
TEST(test_examples_have_checks)
{
    static const char without[] = "gas-source.json";
    DIR *entries = opendir(TEST_SOURCE_DIRECTORY "/data/jobs");
    int jobs = 0;
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!strstr(entry->d_name, ".json") || strcmp(entry->d_name, without) == 0)
            continue;
        const char *path = format_text(TEST_SOURCE_DIRECTORY "/data/jobs/%s", entry->d_name);
        assert_int_equal(cli_run_tool("cp", path, "job.json")->exit_code, 0);
        cJSON *job = cli_read_json("job.json");
        const cJSON *steps = cJSON_GetObjectItem(cli_item(job, "check"), "reference_steps");
        if (!(cJSON_IsNumber(steps) && steps->valuedouble >= 1))
            fail_msg("%s has no check", path);
        jobs++;
    }
    closedir(entries);
    assert_true(jobs >= 16);
}

TEST_MAIN(cli_setup, cli_teardown)
