// Every way in which a wave that a job gives itself can be wrong: at an edge, as a solitary wave, or after
// the run's end.
#include "tests/support/cli_fixture.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CONFIGURATION = 78, DATA = 65, NO_INPUT = 66 };

static const char wave[] = "{\"file\": \"wave.txt\", \"time_unit\": \"s\", \"eta_unit\": \"m\"}";

// The basin, a wave at its western edge, 10 minutes.
static cJSON *basin_job(void)
{
    cli_write_grid("basin.nc", &cli_basin);
    cli_write_text("wave.txt", "0 0\n100 1\n200 0\n");
    cJSON *job = cJSON_Parse("{\"fathom\": 1, \"model\": \"tsunami\", \"backend\": \"openmp\","
                             "\"domain\": {\"bathymetry\": {\"file\": \"basin.nc\"}},"
                             "\"time\": {\"duration\": \"10 min\", \"step\": \"5 s\"},"
                             "\"output\": {\"directory\": \"out\"}}");
    assert_non_null(job);
    cli_set(job, "source.edges.west", wave);
    return job;
}

static const struct cli_result *run(cJSON *job)
{
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    return cli_run("run", "-q", "--restart", "job.json", NULL);
}

static const struct cli_result *run_with(const char *key, const char *json)
{
    cJSON *job = basin_job();
    cli_set(job, key, json);
    return run(job);
}

static const struct cli_result *run_series(const char *text)
{
    cJSON *job = basin_job();
    cli_write_text("wave.txt", text);
    return run(job);
}

static void the_job_itself_runs(void **state)
{
    (void)state;
    cli_assert_done(run(basin_job()));
    cJSON *report = cli_read_json("out/run.json");
    assert_true(cli_json_number(report, "source.edges.west.samples") == 3);
    assert_true(cli_json_number(report, "source.edges.west.last_s") == 200);
    cJSON_Delete(report);
}

static void the_file_is_named_with_its_line(void **state)
{
    (void)state;
    cli_assert_error(run_with("source.edges.west.file", "\"wav.txt\""), NO_INPUT, false, "job.json",
                     "source.edges.west.file", "wav.txt", NULL);
    cli_assert_error(run_series("t eta\n0 0\n1 1\n"), DATA, false, "source.edges.west", "wave.txt",
                     "line 1, column 1", "skip_lines", NULL);
    cli_assert_error(run_series("0 0\n1 nan\n2 0\n"), DATA, false, "wave.txt", "line 2, column 2", NULL);
    cli_assert_error(run_series("0 0\n1 -99999\n2 0\n"), DATA, false, "wave.txt", "line 2, column 2",
                     "-99999 m", "another unit", NULL);
    cli_assert_error(run_series("0 0\n2 1\n1 1\n"), DATA, false, "wave.txt", "line 3, column 1", "not after",
                     NULL);
    cli_assert_error(run_series("0 0\n"), DATA, false, "wave.txt", "1 sample", "at least 2", NULL);
}

static void columns_and_units_are_said(void **state)
{
    (void)state;
    cli_assert_error(run_with("source.edges.west.eta_unit", NULL), DATA, false, "wave.txt",
                     "unit of column 2", "eta_unit", NULL);
    cli_assert_error(run_with("source.edges.west.time_unit", NULL), DATA, false, "wave.txt",
                     "unit of column 1", "time_unit", NULL);
    cli_assert_error(run_with("source.edges.west.eta_unit", "\"hPa\""), DATA, false, "wave.txt", "column 2",
                     NULL);
    cli_assert_error(run_with("source.edges.west.eta", "\"eta\""), DATA, false, "wave.txt",
                     "the number of a column", NULL);
    cli_assert_error(run_with("source.edges.west.eta", "3"), DATA, false, "wave.txt", "line 1 has 2 columns",
                     "at least 3", NULL);
    for (int k = 0; k < 4; k++) {
        static const char *const bad[] = {"0", "1.5", "[2]", "true"};
        cli_assert_error(run_with("source.edges.west.eta", bad[k]), CONFIGURATION, false,
                         "source.edges.west.eta", "the number of a column, from 1", NULL);
    }
    cli_assert_error(run_with("source.edges.west.etta", "2"), CONFIGURATION, false, "source.edges.west.etta",
                     "did you mean", "source.edges.west.eta", NULL);
    cli_assert_error(run_with("source.edges.west.file", NULL), CONFIGURATION, false, "source.edges.west.file",
                     NULL);
}

static void one_edge_is_one_thing(void **state)
{
    (void)state;
    cli_assert_error(run_with("domain.edges.west", "\"wall\""), CONFIGURATION, false, "source.edges.west",
                     "domain.edges.west", "wall", NULL);
    cJSON *job = basin_job();
    cli_set(job, "domain.edges", "{\"west\": \"periodic\", \"east\": \"periodic\"}");
    cli_assert_error(run(job), CONFIGURATION, false, "source.edges.west", "periodic", NULL);
    job = basin_job();
    cli_set(job, "source.edges.west.travelling", "true");
    cli_set(job, "source.edges.west.velocity", "3");
    cli_assert_error(run(job), CONFIGURATION, false, "source.edges.west.travelling", "velocity", NULL);
    cli_assert_error(run_with("source.edges.west.velocity_unit", "\"m/s\""), CONFIGURATION, false,
                     "source.edges.west.velocity_unit", "no effect", NULL);
}

static void an_edge_of_land_takes_no_wave(void **state)
{
    (void)state;
    cJSON *job = basin_job();
    cli_set(job, "source.edges", "{}");
    cli_set(job, "source.edges.east", wave);
    cli_write_job(job, "plan.json");
    cli_assert_error(run(job), CONFIGURATION, false, "job.json", "source.edges", "east", "land all along",
                     NULL);
    // The plan knows it too, in the same words.
    cli_assert_error(cli_run("plan", "plan.json", NULL), CONFIGURATION, false, "plan.json", "source.edges",
                     "east", "land all along: none of its nodes is deeper than 10 m", NULL);
}

static void the_series_meets_the_run(void **state)
{
    (void)state;
    cli_assert_error(run_with("source.edges.west.start", "\"10 min\""), CONFIGURATION, false,
                     "source.edges.west.start", "the source is after the end", "600 s", NULL);
    cli_assert_error(run_with("source.edges.west.start", "\"-200 s\""), CONFIGURATION, false,
                     "source.edges.west.start", "before the run begins", NULL);
    cli_assert_done(run_with("source.edges.west.start", "\"599 s\""));
    cli_assert_done(run_with("source.edges.west.start", "\"-199 s\""));
}

static cJSON *sea_job(const char *key, const char *json)
{
    cJSON *job = cli_sea_job();
    cli_set(job, key, json);
    return job;
}

static const char faults[] = "{\"fathom_faults\": 1, \"reference\": \"centre\","
                             " \"columns\": [\"longitude\", \"latitude\", \"depth\", \"length\", \"width\", "
                             "\"strike\", \"dip\", \"rake\","
                             "  \"slip\", \"start\"],"
                             " \"units\": [\"degree\", \"degree\", \"km\", \"km\", \"km\", \"degree\", "
                             "\"degree\", \"degree\", \"m\", \"min\"],"
                             " \"rows\": [[144.5, 33.5, 20, 150, 80, 195, 14, 90, 8, %s], [144.5, 33.5, 20, "
                             "150, 80, 195, 14, 90, 8, %s]]}";

static const struct cli_result *run_faults(const char *first, const char *second)
{
    char text[1024];
    snprintf(text, sizeof text, faults, first, second);
    return run(sea_job("source.faults", text));
}

static void a_source_after_the_end_is_refused(void **state)
{
    (void)state;
    cli_assert_error(run_faults("30", "40"), CONFIGURATION, false, "source.faults", "after the end", "1800 s",
                     NULL);
    const struct cli_result *result = run_faults("29", "40");
    assert_int_equal(result->exit_code, 0);
    assert_non_null(strstr(result->error, "1 of 2 faults begin after the run's end"));
    cli_write_grid("uplift.nc", &cli_sea);
    cli_assert_error(run(sea_job("source.displacement", "{\"file\": \"uplift.nc\", \"start\": \"30 min\"}")),
                     CONFIGURATION, false, "source.displacement.start", "after the end", "1800 s", NULL);
}

static const struct cli_result *run_solitary(const char *json)
{
    cJSON *job = basin_job();
    cli_set(job, "source.edges", NULL);
    cli_set(job, "source.solitary", json);
    return run(job);
}

static void solitary_waves_must_be_possible(void **state)
{
    (void)state;
    cli_assert_done(run_solitary("{\"height\": \"1 m\", \"crest\": \"3 km\", \"toward\": \"east\"}"));
    cli_assert_error(run_solitary("{\"height\": \"90 m\", \"crest\": \"3 km\", \"toward\": \"east\"}"),
                     CONFIGURATION, false, "source.solitary.height", "90 m", "0.8332", NULL);
    cli_assert_error(run_solitary("{\"height\": \"90 m\", \"crest\": \"3 km\", \"toward\": \"east\", "
                                  "\"depth\": \"100 m\"}"),
                     CONFIGURATION, false, "job.json", "source.solitary.height", NULL);
    cli_assert_error(run_solitary("{\"height\": \"1 m\", \"crest\": \"23 km\", \"toward\": \"west\"}"),
                     CONFIGURATION, false, "source.solitary.crest", "no water at x = 23000 m", NULL);
    cli_assert_error(run_solitary("{\"height\": \"1 m\", \"crest\": \"-3 km\", \"toward\": \"east\"}"),
                     CONFIGURATION, false, "source.solitary.crest", "outside the domain",
                     "source.solitary.depth", NULL);
    cli_assert_error(run_solitary("{\"height\": \"1 m\", \"crest\": \"-30 km\", \"toward\": \"east\", "
                                  "\"depth\": \"100 m\"}"),
                     CONFIGURATION, false, "source.solitary.crest", "nothing of the wave", NULL);
    cli_assert_error(run_solitary("{\"height\": \"1 m\", \"crest\": \"3 km\"}"), CONFIGURATION, false,
                     "source.solitary.toward", NULL);
    cli_assert_error(run_solitary("{\"height\": \"1 m\", \"crest\": \"3 km\", \"toward\": \"up\"}"),
                     CONFIGURATION, false, "source.solitary.toward", "west", NULL);
    cli_assert_error(
        run(sea_job("source.solitary", "{\"height\": \"1 m\", \"crest\": \"3 km\", \"toward\": \"east\"}")),
        CONFIGURATION, false, "source.solitary", "plane grids", NULL);
}

static void states_at_the_start_do_not_add_up(void **state)
{
    (void)state;
    cJSON *job = basin_job();
    cli_set(job, "source.solitary", "{\"height\": \"1 m\", \"crest\": \"3 km\", \"toward\": \"east\"}");
    cli_set(job, "source.initial", "{\"file\": \"basin.nc\"}");
    cli_assert_error(run(job), CONFIGURATION, false, "source.solitary", "source.initial", NULL);
    cli_assert_error(run_with("source.initial.floods_land", "true"), CONFIGURATION, false,
                     "source.initial.floods_land", "no effect without source.initial.file", NULL);
    cli_assert_error(run_with("source", "{}"), CONFIGURATION, false, "nothing starts a wave", "solitary",
                     "edges", NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cli_setup, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_job_itself_runs),
        TEST(the_file_is_named_with_its_line),
        TEST(columns_and_units_are_said),
        TEST(one_edge_is_one_thing),
        TEST(an_edge_of_land_takes_no_wave),
        TEST(the_series_meets_the_run),
        TEST(a_source_after_the_end_is_refused),
        TEST(solitary_waves_must_be_possible),
        TEST(states_at_the_start_do_not_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
