// The commands `convert` and `info` from their arguments to exit code, output and file.
#include "tests/io/grid_fixture.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

// −180 … 120 every 60, −20 … 20 every 10, elevation 1000 row + column, one missing: "globe.asc".
static int write_globe(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    const char *text = "ncols 6\nnrows 5\nxllcenter -180\nyllcenter -20\ndx 60\ndy 10\nnodata_value -9999\n";
    for (int row = 4; row >= 0; row--)
        for (int column = 0; column < 6; column++)
            text = format_text("%s%d%s", text, row == 0 && column == 2 ? -9999 : 1000 * row + column,
                               column == 5 ? "\n" : " ");
    cli_write_text("globe.asc", text);
    return 0;
}

TEST_SUITE(.setup = write_globe, .teardown = cli_teardown);

TEST(test_convert_whole)
{
    const struct cli_result *result = cli_do("convert globe.asc out.nc --axes geographic");
    assert_has(result->output,
               "depth, 6 × 5 nodes, longitude -180 … 120, latitude -20 … 20 degree, once round");
    assert_string_equal(result->error, "");
    double *values = cli_read_values("out.nc", "depth", 30);
    for (int k = 0; k < 30; k++)
        assert_true(k == 2 ? isnan(values[k]) : values[k] == -(1000 * (k / 6) + k % 6));
    cli_do("convert globe.asc up.nc --axes geographic --as elevation --compress --double");
    assert_true(cli_read_values("up.nc", "elevation", 30)[29] == 4005);
    // What convert writes, it reads again without any further word.
    assert_int_equal(cli_run("convert up.nc /dev/null/x.nc")->exit_code, CANNOT_CREATE);
    cli_do("convert up.nc again.nc");
    values = cli_read_values("again.nc", "depth", 30);
    assert_true(values[29] == -4005 && isnan(values[2]));
}

TEST(test_convert_part)
{
    // Across the antimeridian, between the columns at 120 and −180.
    const cJSON *report = cli_output_json(cli_do(
        "convert globe.asc out.nc --axes geographic --longitude '120 degree,-120 degree' --latitude '0 "
        "degree,20 degree' --spacing '20 degree,300 arcmin' --json"));
    assert_true(cli_json_number(report, "nx") == 7 && cli_json_number(report, "ny") == 5);
    assert_true(cli_json_number(report, "x_range.1") == 240);
    assert_true(cJSON_IsFalse(cli_item(report, "covers_globe")));
    double *values = cli_read_values("out.nc", "depth", 35);
    assert_true(values[0] == -2005 && values[3] == -2000 && values[6] == -2001);
    assert_true(fabs(values[1] - (-2005 + 5 / 3.0)) < 1e-3); // single precision
    assert_true(values[7] == -2505);                         // half way to the next row
}

TEST(test_convert_refuses)
{
    static const struct cli_refusal bad[] = {
        {"convert globe.asc", USAGE, {"needs an input and an output file"}},
        {"convert globe.asc out.nc", DATA, {"could be degrees or metres"}},
        {"convert globe.asc out.nc --axes sphere", USAGE, {"--axes sphere: expected geographic or plane"}},
        {"convert globe.asc out.nc --axes geographic --x '1 m,2 m'", USAGE, {"the axes of "}},
        {"convert globe.asc out.nc --axes geographic --longitude '120 degree'",
         USAGE,
         {"expected two quantities with a comma"}},
        {"convert globe.asc out.nc --axes geographic --longitude '120 m,130 m'",
         CONFIGURATION,
         {"--longitude: "}},
        {"convert globe.asc out.nc --axes geographic --spacing 4", CONFIGURATION, {"--spacing: "}},
        {"convert globe.asc out.nc --axes geographic --latitude '-40 degree,20 degree'",
         CONFIGURATION,
         {"reaches beyond"}},
        {"convert globe.asc out.nc --record -1", USAGE, {"--record -1"}},
        {"convert /nonexistent/file.nc out.nc", NO_INPUT, {"no such file"}}};
    CLI_ASSERT_REFUSED(bad);
    assert_false(cli_exists("out.nc"));
    assert_has(cli_do("convert --help")->output, "--longitude A,B");
}

TEST(test_info_text)
{
    assert_has(cli_do("info globe.asc")->output, "format     ESRI ASCII\n",
               "grid       elevation: 6 × 5 nodes\n", "x          -180 … 120 degree or m, spacing 60, even\n",
               "values     0 … 4005 m, 1 missing\n", "sign       positive up: elevations\n", "\"axes\":\"?\"",
               "to decide  axes: \"geographic\" if");
}

TEST(test_info_json)
{
    (void)file_of_cdl(
        "a.nc", "netCDF-4",
        "netcdf a { dimensions: time = UNLIMITED ; lat = 3 ; lon = 4 ;\n"
        "variables: double time(time) ; time:units = \"seconds since 2011-03-11 05:46:24\" ;\n"
        "double lat(lat) ; lat:units = \"degrees_north\" ; double lon(lon) ; lon:units = \"degrees_east\" ;\n"
        "float eta(time, lat, lon) ; eta:units = \"m\" ; float z(lat, lon) ;\n"
        "data: time = 60, 120, 3600 ; lat = 0, 1, 2 ; lon = 0, 90, 180, 270 ;\n"
        "z = 1, 2, 3, 4, 5, _, 7, 8, 9, 10, 11, 12 ; }\n");
    assert_has(cli_do("info a.nc")->output, "grids      2; choose one with --variable",
               "time       3 records, 60 … 3600 seconds since 2011-03-11 05:46:24");
    const cJSON *report = cli_output_json(cli_do("info a.nc --variable z --json"));
    assert_true(cli_json_number(report, "grid.minimum") == 1);
    assert_true(cli_json_number(report, "grid.maximum") == 12);
    assert_true(cli_json_number(report, "grid.missing") == 1);
    assert_true(cJSON_IsTrue(cli_item(report, "grid.goes_round")));
    assert_true(cJSON_IsNull(cli_item(report, "grid.positive")));
    assert_true(cli_json_number(report, "time.last") == 3600);
    assert_int_equal(cli_count(report, "to_decide"), 2); // the sign and the units
    const struct cli_result *result = cli_do("info a.nc --variable eta --record 2");
    assert_has(result->output, "3 records over 3540 s (below: record 2)", "12 missing");
    assert_null(strstr(result->output, "in a job"));
    static const struct cli_refusal bad[] = {
        {"info a.nc --variable eta --record 3", CONFIGURATION, {NULL}},
        {"info a.nc --variable zz", DATA, {"grids in this file: eta, z"}},
        {"info", USAGE, {NULL}},
        {"info /nonexistent.nc", NO_INPUT, {NULL}}};
    CLI_ASSERT_REFUSED(bad);
}
