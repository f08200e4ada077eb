// `fathom info` on the uplift of the sea floor: GeoClaw's dtopo and a netCDF grid over time, whose first
// record is still at rest; the range over all records, and lines that a job takes as they are.
#include "tests/support/cli_fixture.h"
#include "tests/support/cli_results.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

// Three records, 20 s apart, rows from north to south: rest, a trough and a crest, half of both.
static const char moving[] = "3 mx\n2 my\n3 mt\n144 xlower\n33 ylower\n0 t0\n0.5 dx\n0.5 dy\n20 dt\n"
                             "0 0 0\n0 0 0\n"
                             "0 0 -1.5\n0 3 0\n"
                             "0 0 -0.75\n0 3.5 0\n";

static const double times_s[] = {0, 30, 60, 120};

static double rising(double x, double y, double time_s)
{
    return time_s / 60 * exp(-hypot(x - 144.5, y - 33.5));
}

// The job with this source, and nothing else that moves the sea.
static cJSON *job_with(const cJSON *displacement)
{
    const char *text = owned_take(cJSON_PrintUnformatted(displacement));
    return cli_change(cli_sea_job(), "source = {'displacement': %s}", text);
}

TEST(range_and_lines_of_a_dtopo)
{
    cli_write_text("moving.tt3", moving);
    const char *text = cli_do("info moving.tt3")->output;
    assert_has(text, "3 records over 40 s", "over time  -1.5 m at 20 s … 3.5 m at 40 s",
               "last record -0.75 … 3.5", "\"source\": {\"displacement\": {\"file\":", "\"start\":\"0 s\"}}");
    assert_null(strstr(text, "bathymetry"));
    assert_null(strstr(text, "if it is"));
    cJSON *json = cli_output_json(cli_do("info --json moving.tt3"));
    assert_near("minimum", cli_json_number(json, "over_time.minimum"), -1.5, 0);
    assert_near("maximum_s", cli_json_number(json, "over_time.maximum_s"), 40, 0);
    assert_int_equal(cli_count(json, "to_decide"), 0);
    cli_run_job(job_with(cli_item(json, "displacement")));
    const double *uplift = cli_read_variable("out/deformation.nc", "deformation", NULL, NULL);
    double most = 0;
    for (size_t k = 0; k < cli_sea.nx * cli_sea.ny; k++)
        most = fmax(most, uplift[k]);
    assert_near("uplift", most, 3.5, 1e-6);
    // The record that is asked for, and all of them.
    assert_has(cli_do("info --record 1 moving.tt3")->output, "values     -1.5 … 3 m", "… 3.5 m at 40 s");
}

TEST(a_grid_over_time_may_be_an_uplift)
{
    struct cli_grid grid = CLI_GLOBE(21, 21, 143, 32, 0.15, 0.15, {"ha", NULL, NULL, NULL, rising});
    grid.records = COUNT(times_s);
    grid.times_s = times_s;
    cli_write_grid("rising.nc", &grid);
    assert_has(cli_do("info rising.nc")->output, "at 120 s", "\"source\": {\"displacement\": {",
               "\"variable\":\"ha\"", "\"units\":\"?\"", "if it is the uplift", "to decide  units");
    cJSON *displacement =
        cJSON_Duplicate(cli_item(cli_output_json(cli_do("info --json rising.nc")), "displacement"), true);
    cJSON_ReplaceItemInObject(displacement, "units", cJSON_CreateString("m"));
    cli_run_job(job_with(displacement));
    cJSON_Delete(displacement);
}

// One record with a time axis may be either: both lines are offered.
TEST(one_record_with_a_time_may_be_both)
{
    struct cli_grid grid = CLI_GLOBE(21, 21, 143, 32, 0.15, 0.15, {"ha", "m", NULL, NULL, rising});
    grid.records = 1;
    grid.times_s = times_s + 2;
    cli_write_grid("once.nc", &grid);
    assert_has(cli_do("info once.nc")->output, "\"source\": {\"displacement\": {", "\"rise\":\"0 s\"",
               "if it is the uplift", "\"bathymetry\": {", "\"positive\":\"?\"");
    cJSON *json = cli_output_json(cli_do("info --json once.nc"));
    assert_non_null(cli_item(json, "displacement.file"));
    assert_non_null(cli_item(json, "bathymetry.file"));
    assert_int_equal(cli_count(json, "to_decide"), 0);
    assert_int_equal(cli_count(json, "to_decide_bathymetry"), 1);
}

TEST(what_is_no_uplift)
{
    cli_run_job(cli_sea_job());
    const char *text = cli_do("info out/deformation.nc")->output;
    assert_has(text, "\"source\": {\"displacement\": {", "\"rise\":\"0 s\"");
    assert_null(strstr(text, "over time"));
    assert_null(strstr(cli_do("info --variable eta out/fields.nc")->output, "displacement"));
    assert_null(strstr(cli_do("info sea.nc")->output, "displacement"));
    assert_has(cli_do("info sea.nc")->output, "\"bathymetry\": {");
}

TEST_MAIN(cli_setup, cli_teardown)
