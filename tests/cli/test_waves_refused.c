// Errors in waves given by a job: at an edge, as a solitary wave, or after the end of the run.
#include "tests/support/refusals.h"
#include "tests/support/test.h"

static const char wave[] = "{'file': 'wave.txt', 'time_unit': 's', 'eta_unit': 'm'}";

// The basin, a wave at its western edge, 10 minutes.
static cJSON *basin_job(void)
{
    cli_write_grid("basin.nc", &cli_basin);
    cli_write_text("wave.txt", "0 0\n100 1\n200 0\n");
    cJSON *job = cli_json(
        "{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp','domain': {'bathymetry': {'file': "
        "'basin.nc'}},'time': {'duration': '10 min', 'step': '5 s'},'output': {'directory': 'out'}}");
    cli_set(job, "source.edges.west", wave);
    return job;
}

TEST(the_job_itself_runs)
{
    cli_assert_done(run(basin_job()));
    cJSON *report = cli_read_json("out/run.json");
    assert_true(cli_json_number(report, "source.edges.west.samples") == 3);
    assert_true(cli_json_number(report, "source.edges.west.last_s") == 200);
}

TEST(the_file_is_named_with_its_line)
{
    EXPECT_BAD(basin_job(), NO_INPUT, "source.edges.west.file = 'wav.txt'", "job.json",
               "source.edges.west.file", "wav.txt");
    static const struct {
        const char *series;
        struct bad bad;
    } cases[] = {
        {"t eta\n0 0\n1 1\n",
         BAD_AS(DATA, NULL, "source.edges.west", "wave.txt", "line 1, column 1", "skip_lines")},
        {"0 0\n1 nan\n2 0\n", BAD_AS(DATA, NULL, "wave.txt", "line 2, column 2")},
        {"0 0\n1 -99999\n2 0\n",
         BAD_AS(DATA, NULL, "wave.txt", "line 2, column 2", "-99999 m", "another unit")},
        {"0 0\n2 1\n1 1\n", BAD_AS(DATA, NULL, "wave.txt", "line 3, column 1", "not after")},
        {"0 0\n", BAD_AS(DATA, NULL, "wave.txt", "1 sample", "at least 2")},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        cJSON *job = basin_job();
        cli_write_text("wave.txt", cases[k].series);
        expect_bad(job, &cases[k].bad);
    }
}

TEST(columns_and_units_are_checked)
{
    static const struct bad cases[] = {
        BAD_AS(DATA, "delete source.edges.west.eta_unit", "wave.txt", "unit of column 2", "eta_unit"),
        BAD_AS(DATA, "delete source.edges.west.time_unit", "wave.txt", "unit of column 1", "time_unit"),
        BAD_AS(DATA, "source.edges.west.eta_unit = 'hPa'", "wave.txt", "column 2"),
        BAD_AS(DATA, "source.edges.west.eta = 'eta'", "wave.txt", "the number of a column"),
        BAD_AS(DATA, "source.edges.west.eta = 3", "wave.txt", "line 1 has 2 columns", "at least 3"),
    };
    EXPECT_ALL(basin_job, cases);
    static const char *const columns[] = {"0", "1.5", "[2]", "true"};
    for (int k = 0; k < 4; k++) {
        EXPECT_BAD(basin_job(), CONFIGURATION, format_text("source.edges.west.eta = %s", columns[k]),
                   "source.edges.west.eta", "the number of a column, from 1");
    }
    static const struct bad others[] = {
        BAD("source.edges.west.etta = 2", "source.edges.west.etta", "did you mean", "source.edges.west.eta"),
        BAD("delete source.edges.west.file", "source.edges.west.file"),
    };
    EXPECT_ALL(basin_job, others);
}

TEST(conditions_at_an_edge_exclude_each_other)
{
    EXPECT_BAD(basin_job(), CONFIGURATION, "domain.edges.west = 'wall'", "source.edges.west",
               "domain.edges.west", "wall");
    cJSON *job = cli_change(basin_job(), "domain.edges = {'west': 'periodic', 'east': 'periodic'}");
    EXPECT_BAD(job, CONFIGURATION, NULL, "source.edges.west", "periodic");
    job = basin_job();
    EXPECT_BAD(cli_change(job, "source.edges.west.travelling = true; source.edges.west.velocity = 3"),
               CONFIGURATION, NULL, "source.edges.west.travelling", "velocity");
    EXPECT_BAD(basin_job(), CONFIGURATION, "source.edges.west.keeps_discharge = true",
               "source.edges.west.keeps_discharge", "source.edges.west.velocity");
    EXPECT_BAD(basin_job(), CONFIGURATION, "source.edges.west.velocity_unit = 'm/s'",
               "source.edges.west.velocity_unit", "no effect");
}

TEST(an_edge_of_land_takes_no_wave)
{
    cJSON *job = cli_change(basin_job(), "source.edges = {}; source.edges.east = %s", wave);
    cli_write_job(job, "plan.json");
    EXPECT_BAD(job, CONFIGURATION, NULL, "job.json", "source.edges", "east", "land all along");
    // `fathom plan` gives the same message.
    cli_assert_error(cli_run("plan plan.json"), CONFIGURATION, false, "plan.json", "source.edges", "east",
                     "land all along: none of its nodes is deeper than 10 m");
}

TEST(the_series_overlaps_the_run)
{
    static const struct bad cases[] = {
        BAD("source.edges.west.start = '10 min'", "source.edges.west.start",
            "the source begins after the end of the run", "600 s"),
        BAD("source.edges.west.start = '-200 s'", "source.edges.west.start", "before the run begins"),
    };
    EXPECT_ALL(basin_job, cases);
    for (int k = 0; k < 2; k++) {
        cli_assert_done(
            run(cli_change(basin_job(), "source.edges.west.start = '%d s'", k == 0 ? 599 : -199)));
    }
}

static cJSON *sea_job(const char *key, const char *json)
{
    cJSON *job = cli_sea_job();
    cli_set(job, key, json);
    return job;
}

static const char faults[] =
    "{'fathom_faults': 1, 'reference': 'centre', 'columns': ['longitude', 'latitude', 'depth', 'length', "
    "'width', 'strike', 'dip', 'rake',  'slip', 'start'], 'units': ['degree', 'degree', 'km', 'km', 'km', "
    "'degree', 'degree', 'degree', 'm', 'min'], 'rows': [[144.5, 33.5, 20, 150, 80, 195, 14, 90, 8, %s], "
    "[144.5, 33.5, 20, 150, 80, 195, 14, 90, 8, %s]]}";

static const struct cli_result *run_faults(const char *first, const char *second)
{
    return run(sea_job("source.faults", format_text(faults, first, second)));
}

TEST(a_source_after_the_end_is_refused)
{
    cli_assert_error(run_faults("30", "40"), CONFIGURATION, false, "source.faults", "after the end",
                     "1800 s");
    const struct cli_result *result = run_faults("29", "40");
    assert_int_equal(result->exit_code, 0);
    assert_has(result->error, "1 of 2 faults begin after the end of the run");
    cli_write_grid("uplift.nc", &cli_sea);
    cli_assert_error(run(sea_job("source.displacement", "{'file': 'uplift.nc', 'start': '30 min'}")),
                     CONFIGURATION, false, "source.displacement.start", "after the end", "1800 s");
}

static cJSON *solitary_job(void)
{
    cJSON *job = cli_change(
        basin_job(),
        "delete source.edges; source.solitary = {'height': '1 m', 'crest': '3 km', 'toward': 'east'}");
    return job;
}

TEST(solitary_waves_must_be_possible)
{
    static const struct bad cases[] = {
        BAD("source.solitary.height = '90 m'", "source.solitary.height", "90 m", "0.8332"),
        BAD("source.solitary.height = '90 m'; source.solitary.depth = '100 m'", "job.json",
            "source.solitary.height"),
        BAD("source.solitary.crest = '23 km'; source.solitary.toward = 'west'", "source.solitary.crest",
            "no water at x = 23000 m"),
        BAD("source.solitary.crest = '-3 km'", "source.solitary.crest", "outside the domain",
            "source.solitary.depth"),
        BAD("source.solitary.crest = '-30 km'; source.solitary.depth = '100 m'", "source.solitary.crest",
            "nothing of the wave"),
        BAD("delete source.solitary.toward", "source.solitary.toward"),
        BAD("source.solitary.toward = 'up'", "source.solitary.toward", "west"),
    };
    EXPECT_ALL(solitary_job, cases);
    EXPECT_BAD(cli_sea_job(), CONFIGURATION,
               "source.solitary = {'height': '1 m', 'crest': '3 km', 'toward': 'east'}", "source.solitary",
               "plane grids");
    cli_assert_done(run(solitary_job()));
}

TEST(only_one_initial_state_is_permitted)
{
    cJSON *job = cli_change(basin_job(), "source.solitary = {'height': '1 m', 'crest': '3 km', 'toward': "
                                         "'east'}; source.initial = {'file': 'basin.nc'}");
    EXPECT_BAD(job, CONFIGURATION, NULL, "source.solitary", "source.initial");
    static const struct bad cases[] = {
        BAD("source.initial.floods_land = true", "source.initial.floods_land",
            "no effect without source.initial.file"),
        BAD("source = {}", "nothing starts a wave", "solitary", "edges"),
    };
    EXPECT_ALL(basin_job, cases);
}

TEST_MAIN(cli_setup, cli_teardown)
