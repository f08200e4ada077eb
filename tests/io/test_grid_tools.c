// The commands `convert` and `info` from their arguments to exit code, output and file.
#include "tests/support/test.h"

#include "tests/io/grid_command.h"

#include "tests/support/netcdf_maker.h"
#include <cjson/cJSON.h>

// −180 … 120 every 60, −20 … 20 every 10, elevation 1000 row + column, one missing.
static const char *global_grid(void)
{
    char text[4096] = "ncols 6\nnrows 5\nxllcenter -180\nyllcenter -20\ndx 60\ndy 10\nnodata_value -9999\n";
    for (int row = 4; row >= 0; row--)
        for (int column = 0; column < 6; column++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d%s",
                     row == 0 && column == 2 ? -9999 : 1000 * row + column, column == 5 ? "\n" : " ");
    return file_of_text("globe.asc", text);
}

static void read_grid(const char *path, const char *variable, size_t count, double *values)
{
    int ncid, varid;
    size_t length = 1, lengths[2];
    int dimensions[2];
    NC(nc_open(path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, variable, &varid));
    NC(nc_inq_vardimid(ncid, varid, dimensions));
    for (int k = 0; k < 2; k++) {
        NC(nc_inq_dimlen(ncid, dimensions[k], &lengths[k]));
        length *= lengths[k];
    }
    assert_int_equal(length, count);
    NC(nc_get_var_double(ncid, varid, values));
    NC(nc_close(ncid));
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);

TEST(test_convert_whole)
{
    const char *in = global_grid();
    double values[30];
    assert_int_equal(RUN(command_convert, "convert", in, folder_path("out.nc"), "--axes", "geographic"), 0);
    assert_non_null(
        strstr(output, "depth, 6 × 5 nodes, longitude -180 … 120, latitude -20 … 20 degree, once round"));
    assert_string_equal(errors, "");
    read_grid(folder_path("out.nc"), "depth", 30, values);
    for (int k = 0; k < 30; k++)
        assert_true(k == 2 ? isnan(values[k]) : values[k] == -(1000 * (k / 6) + k % 6));
    assert_int_equal(RUN(command_convert, "convert", in, folder_path("up.nc"), "--axes", "geographic", "--as",
                         "elevation", "--compress", "--double"),
                     0);
    read_grid(folder_path("up.nc"), "elevation", 30, values);
    assert_true(values[29] == 4005);
    // What convert writes, it reads again without any further word.
    assert_int_equal(RUN(command_convert, "convert", folder_path("up.nc"), "/dev/null/x.nc"), 73);
    const char *again = folder_path("up.nc");
    assert_int_equal(RUN(command_convert, "convert", again, folder_path("again.nc")), 0);
    read_grid(folder_path("again.nc"), "depth", 30, values);
    assert_true(values[29] == -4005 && isnan(values[2]));
}

TEST(test_convert_part)
{
    const char *in = global_grid();
    double values[35];
    // Across the antimeridian, between the columns at 120 and −180.
    assert_int_equal(RUN(command_convert, "convert", in, folder_path("out.nc"), "--axes", "geographic",
                         "--longitude", "120 degree,-120 degree", "--latitude", "0 degree,20 degree",
                         "--spacing", "20 degree,300 arcmin", "--json"),
                     0);
    cJSON *report = cJSON_Parse(output);
    assert_non_null(report);
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(report, "nx")) == 7);
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(report, "ny")) == 5);
    assert_true(cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(report, "x_range"), 1)) == 240);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(report, "covers_globe")));
    cJSON_Delete(report);
    read_grid(folder_path("out.nc"), "depth", 35, values);
    assert_true(values[0] == -2005 && values[3] == -2000 && values[6] == -2001);
    assert_true(fabs(values[1] - (-2005 + 5 / 3.0)) < 1e-3); // single precision
    assert_true(values[7] == -2505);                         // half way to the next row
}

TEST(test_convert_refuses)
{
    const char *in = global_grid();
    const char *out = folder_path("out.nc");
    const struct {
        int code;
        const char *message;
        const char *words[8];
    } cases[] = {
        {64, "needs an input and an output file", {"convert", in}},
        {65, "could be degrees or metres", {"convert", in, out}},
        {64, "--axes sphere: expected geographic or plane", {"convert", in, out, "--axes", "sphere"}},
        {64, "the axes of ", {"convert", in, out, "--axes", "geographic", "--x", "1 m,2 m"}},
        {64,
         "expected two quantities with a comma",
         {"convert", in, out, "--axes", "geographic", "--longitude", "120 degree"}},
        {78, "--longitude: ", {"convert", in, out, "--axes", "geographic", "--longitude", "120 m,130 m"}},
        {78, "--spacing: ", {"convert", in, out, "--axes", "geographic", "--spacing", "4"}},
        {78,
         "reaches beyond",
         {"convert", in, out, "--axes", "geographic", "--latitude", "-40 degree,20 degree"}},
        {64, "--record -1", {"convert", in, out, "--record", "-1"}},
        {66, "no such file", {"convert", "/nonexistent/file.nc", out}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int code = run(command_convert, cases[k].words);
        if (code != cases[k].code || strstr(errors, cases[k].message) == NULL ||
            strncmp(errors, "fathom: ", 8) != 0)
            fail_msg("case %zu: exit code %d, message %s", k, code, errors);
        assert_string_equal(output, "");
        assert_int_equal(access(out, F_OK), -1);
    }
    assert_int_equal(RUN(command_convert, "convert", "--help"), 0);
    assert_non_null(strstr(output, "--longitude A,B"));
}

TEST(test_info_text)
{
    const char *in = global_grid();
    assert_int_equal(RUN(command_info, "info", in), 0);
    static const char *const expected[] = {"format     ESRI ASCII\n",
                                           "grid       elevation: 6 × 5 nodes\n",
                                           "x          -180 … 120 degree or m, spacing 60, even\n",
                                           "values     0 … 4005 m, 1 missing\n",
                                           "sign       positive up: elevations\n",
                                           "\"axes\":\"?\"",
                                           "to decide  axes: \"geographic\" if"};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
        if (strstr(output, expected[k]) == NULL)
            fail_msg("no \"%s\" in\n%s", expected[k], output);
}

TEST(test_info_json)
{
    static const char cdl[] =
        "netcdf a { dimensions: time = UNLIMITED ; lat = 3 ; lon = 4 ;\n"
        "variables: double time(time) ; time:units = \"seconds since 2011-03-11 05:46:24\" ;\n"
        "double lat(lat) ; lat:units = \"degrees_north\" ; double lon(lon) ; lon:units = \"degrees_east\" ;\n"
        "float eta(time, lat, lon) ; eta:units = \"m\" ; float z(lat, lon) ;\n"
        "data: time = 60, 120, 3600 ; lat = 0, 1, 2 ; lon = 0, 90, 180, 270 ;\n"
        "z = 1, 2, 3, 4, 5, _, 7, 8, 9, 10, 11, 12 ; }\n";
    const char *path = file_of_cdl("a.nc", "netCDF-4", cdl);
    assert_int_equal(RUN(command_info, "info", path), 0);
    assert_non_null(strstr(output, "grids      2; choose one with --variable"));
    assert_non_null(strstr(output, "time       3 records, 60 … 3600 seconds since 2011-03-11 05:46:24"));
    assert_int_equal(RUN(command_info, "info", path, "--variable", "z", "--json"), 0);
    cJSON *report = cJSON_Parse(output);
    assert_non_null(report);
    const cJSON *grid = cJSON_GetObjectItem(report, "grid");
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(grid, "minimum")) == 1);
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(grid, "maximum")) == 12);
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(grid, "missing")) == 1);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(grid, "goes_round")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(grid, "positive")));
    assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(report, "time"), "last")) ==
                3600);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "to_decide")),
                     2); // the sign and the units
    cJSON_Delete(report);
    assert_int_equal(RUN(command_info, "info", path, "--variable", "eta", "--record", "2"), 0);
    assert_non_null(strstr(output, "3 records over 3540 s (below: record 2)"));
    assert_non_null(strstr(output, "12 missing"));
    assert_null(strstr(output, "in a job"));
    assert_int_equal(RUN(command_info, "info", path, "--variable", "eta", "--record", "3"), 78);
    assert_int_equal(RUN(command_info, "info", path, "--variable", "zz"), 65);
    assert_non_null(strstr(errors, "grids in this file: eta, z"));
    assert_int_equal(RUN(command_info, "info"), 64);
    assert_int_equal(RUN(command_info, "info", "/nonexistent.nc"), 66);
}
