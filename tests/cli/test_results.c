// The result files of a run as others see them: CF attributes through netCDF-C, and whether ncdump, cdo and
// xarray take them.
#include "tests/support/cli_fixture.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

#include <netcdf.h>

enum { TOOL_ABSENT = 123 }; // exit code of a child that could not be started

static const char *const files[] = {"out/fields.nc", "out/gauges.nc", "out/diagnostics.nc", "out/maxima.nc",
                                    "out/deformation.nc"};
enum { FILES = COUNT(files) };

// One run with every kind of result, inspected by all tests.
static int run_once(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cJSON *job = cli_sea_job();
    cli_write_gauges("gauges.json");
    cli_save_job(cli_change(
        job,
        "time.origin = '2011-03-11 05:46:24'; output.gauges = {'file': 'gauges.json', 'every': '1 min'}; "
        "output.fields.variables = ['eta', 'u', 'v', 'speed', 'flux']; output.drawdown = '1 cm'"));
    return cli_run("run job.json")->exit_code;
}

TEST(test_nothing_is_left_but_results)
{
    for (int k = 0; k < FILES; k++)
        assert_true(cli_exists(files[k]));
    assert_true(cli_exists("out/run.json"));
    assert_true(cli_exists("out/run.log"));
    assert_int_equal(cli_count_entries("out"), FILES + 2);
}

TEST(test_global_attributes)
{
    for (int k = 0; k < FILES; k++) {
        assert_string_equal(cli_attribute(files[k], NULL, "Conventions"), "CF-1.8");
        assert_ptr_equal(strstr(cli_attribute(files[k], NULL, "title"), "A small sea: "),
                         cli_attribute(files[k], NULL, "title"));
        assert_has(cli_attribute(files[k], NULL, "source"), "Fathom ");
        assert_has(cli_attribute(files[k], NULL, "history"), "fathom run job.json");
        int year, month, day;
        assert_int_equal(
            sscanf(cli_attribute(files[k], NULL, "history"), "%4d-%2d-%2dT", &year, &month, &day), 3);
        assert_has(cli_attribute(files[k], NULL, "references"), "Titov");
    }
}

// Every variable has a unit and a name for people; every standard name is one of CF's table with CF's
// canonical unit.
TEST(test_variables_say_what_they_are)
{
    static const char *const table[][2] = {
        {"time", "seconds since 2011-03-11 05:46:24"},
        {"latitude", "degrees_north"},
        {"longitude", "degrees_east"},
        {"sea_surface_height_above_mean_sea_level", "m"},
        {"eastward_sea_water_velocity", "m s-1"},
        {"northward_sea_water_velocity", "m s-1"},
        {"sea_water_speed", "m s-1"},
        {"sea_floor_depth_below_mean_sea_level", "m"},
    };
    for (int k = 0; k < FILES; k++) {
        int id, count;
        assert_int_equal(nc_open(cli_path(files[k]), NC_NOWRITE, &id), NC_NOERR);
        assert_int_equal(nc_inq_nvars(id, &count), NC_NOERR);
        for (int variable = 0; variable < count; variable++) {
            char name[NC_MAX_NAME + 1];
            nc_type type;
            size_t length;
            assert_int_equal(nc_inq_var(id, variable, name, &type, NULL, NULL, NULL), NC_NOERR);
            if (type == NC_CHAR)
                continue; // names of gauges
            assert_int_equal(nc_inq_attlen(id, variable, "long_name", &length), NC_NOERR);
            const char *units = format_text("%s", cli_attribute(files[k], name, "units"));
            if (nc_inq_attlen(id, variable, "standard_name", &length) != NC_NOERR)
                continue;
            const char *standard = cli_attribute(files[k], name, "standard_name");
            bool is_known = false;
            for (size_t row = 0; row < COUNT(table); row++)
                if (strcmp(table[row][0], standard) == 0) {
                    is_known = true;
                    assert_string_equal(units, table[row][1]);
                }
            if (!is_known)
                fail_msg("%s: %s: standard_name \"%s\" is not in the table", files[k], name, standard);
        }
        assert_int_equal(nc_close(id), NC_NOERR);
    }
}

TEST(test_time_axis)
{
    static const struct {
        const char *file;
        size_t count;
        double every_s;
    } series[] = {{"out/fields.nc", 4, 600}, {"out/gauges.nc", 31, 60}, {"out/diagnostics.nc", 4, 600}};
    for (size_t k = 0; k < 3; k++) {
        size_t count;
        double *times = cli_read_variable(series[k].file, "time", &count, NULL);
        assert_int_equal(count, series[k].count);
        for (size_t n = 0; n < count; n++)
            assert_true(times[n] == (double)n * series[k].every_s);
        assert_string_equal(cli_attribute(series[k].file, "time", "units"),
                            "seconds since 2011-03-11 05:46:24");
        assert_string_equal(cli_attribute(series[k].file, "time", "axis"), "T");
        assert_string_equal(cli_attribute(series[k].file, "time", "calendar"), "standard");
    }
}

// actual_range is that of the numbers in the file, and land is missing, not zero.
TEST(test_ranges_and_missing_values)
{
    size_t count, shape[4];
    double *eta = cli_read_variable("out/fields.nc", "eta", &count, shape);
    double *depth = cli_read_variable("out/maxima.nc", "depth", &count, NULL);
    assert_int_equal(count, 40 * 30);
    double low = INFINITY, high = -INFINITY;
    size_t land = 0;
    for (size_t t = 0; t < shape[0]; t++)
        for (size_t n = 0; n < count; n++) {
            const double value = eta[t * count + n];
            assert_int_equal(isnan(value), isnan(depth[n]));
            land += t == 0 && isnan(value);
            low = fmin(low, value);
            high = fmax(high, value);
        }
    assert_int_equal(land, 3 * 30 + 9); // three columns in the west, and the island
    int id, variable;
    double range[2];
    float missing;
    assert_int_equal(nc_open(cli_path("out/fields.nc"), NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_varid(id, "eta", &variable), NC_NOERR);
    assert_int_equal(nc_get_att_double(id, variable, "actual_range", range), NC_NOERR);
    assert_int_equal(nc_get_att_float(id, variable, "_FillValue", &missing), NC_NOERR);
    nc_close(id);
    assert_true(range[0] == low && range[1] == high);
    assert_true(isnan(missing));
}

// speed and flux follow from u, v, η and the depth in the files.
TEST(test_speed_and_flux_agree_with_their_parts)
{
    size_t count, nodes;
    double *eta = cli_read_variable("out/fields.nc", "eta", &count, NULL);
    double *u = cli_read_variable("out/fields.nc", "u", &count, NULL);
    double *v = cli_read_variable("out/fields.nc", "v", &count, NULL);
    double *speed = cli_read_variable("out/fields.nc", "speed", &count, NULL);
    double *flux = cli_read_variable("out/fields.nc", "flux", &count, NULL);
    double *depth = cli_read_variable("out/maxima.nc", "depth", &nodes, NULL);
    for (size_t n = 0; n < count; n++) {
        if (isnan(eta[n]))
            continue;
        assert_true(fabs(speed[n] - hypot(u[n], v[n])) <= 1e-6 * speed[n] + 1e-12);
        assert_true(fabs(flux[n] - hypot(u[n], v[n]) * (depth[n % nodes] + eta[n])) <= 1e-5 * flux[n] + 1e-9);
    }
}

// No record of the fields lies above the maximum; an arrival is not later than the time of a maximum above
// its threshold.
TEST(test_maxima_and_arrivals_are_consistent)
{
    size_t count, nodes, shape[4];
    double *eta = cli_read_variable("out/fields.nc", "eta", &count, NULL);
    double *highest = cli_read_variable("out/maxima.nc", "max_eta", &nodes, NULL);
    double *when = cli_read_variable("out/maxima.nc", "time_of_max", &nodes, NULL);
    double *thresholds = cli_read_variable("out/maxima.nc", "threshold", &count, NULL);
    assert_true(count == 2 && thresholds[0] == 0.01 && thresholds[1] == 0.1);
    double *arrival = cli_read_variable("out/maxima.nc", "arrival", &count, shape);
    assert_int_equal(shape[0], 2);
    size_t reached = 0;
    for (size_t n = 0; n < nodes; n++) {
        if (isnan(highest[n]))
            continue;
        for (size_t t = 0; t < 4; t++)
            // Both are single precision from the same state, converted by different ways: two units in the
            // last place.
            assert_true(eta[t * nodes + n] <= highest[n] + 2.4e-7 * fabs(highest[n]));
        for (size_t a = 0; a < 2; a++) {
            const double time_s = arrival[a * nodes + n];
            // Arrivals count from the level that the source leaves, which record 0 shows.
            const double over_m = highest[n] - eta[n] - thresholds[a];
            assert_true(fabs(over_m) < 1e-6 || isnan(time_s) == (over_m < 0));
            if (isnan(time_s))
                continue;
            reached++;
            assert_true(time_s <= when[n]);
            assert_true(time_s > 0 && fmod(time_s, 30) == 0);
        }
    }
    assert_true(reached > 100);
    assert_true(cli_has_variable("out/maxima.nc", "first_drawdown"));
}

// Bilinear between the map's values, but for the rounding of both to single precision.
TEST(test_gauges_are_the_fields_at_their_places)
{
    assert_string_equal(cli_attribute("out/gauges.nc", NULL, "featureType"), "timeSeries");
    assert_string_equal(cli_attribute("out/gauges.nc", "name", "cf_role"), "timeseries_id");
    assert_has(cli_attribute("out/gauges.nc", "eta", "coordinates"), "lon");
    size_t count;
    double *eta = cli_read_variable("out/fields.nc", "eta", &count, NULL);
    double *series = cli_read_variable("out/gauges.nc", "eta", &count, NULL);
    assert_int_equal(count, 31 * 3);
    double *lon = cli_read_variable("out/gauges.nc", "lon", &count, NULL);
    double *lat = cli_read_variable("out/gauges.nc", "lat", &count, NULL);
    double *distance = cli_read_variable("out/gauges.nc", "distance", &count, NULL);
    for (size_t g = 0; g < 3; g++) {
        const double x = (lon[g] - 140) / 0.25, y = (lat[g] - 30) / 0.25;
        const size_t i = (size_t)x, j = (size_t)y;
        for (size_t t = 0; t < 4; t++) {
            const double *south = &eta[(t * 30 + j) * 40 + i], *north = south + 40;
            const double east = x - (double)i, up = y - (double)j;
            const double expected = (1 - up) * ((1 - east) * south[0] + east * south[1]) +
                                    up * ((1 - east) * north[0] + east * north[1]);
            assert_near("gauge", series[10 * t * 3 + g], expected, 2e-7 * fmax(1, fabs(expected)));
        }
    }
    // 142.1, 33.4 from 142, 33.5: 0.1 degree each way, 9.28 and 11.12 km.
    assert_true(fabs(distance[0] - 14482) < 10);
    assert_true(distance[2] == 0);
}

TEST(test_run_report)
{
    cJSON *report = cli_read_json("out/run.json");
    assert_true(cli_json_number(report, "steps") == 60);
    assert_true(cli_json_number(report, "steps_run") == 60);
    cli_expect_number(report, "memory.planned_bytes", cli_json_number(report, "memory.used_bytes"));
    assert_true(cli_json_number(report, "memory.planned_bytes") > 40 * 30 * 8);
    assert_true(cli_json_number(report, "pipeline.frames") > 0);
    cli_expect_number(report, "grid.wet_nodes", 40 * 30 - 3 * 30 - 9);
    assert_string_equal(cli_text(report, "backend"), "openmp");
    assert_string_equal(cli_text(report, "checks.0.verdict"), "not asked for");
}

// ---- other programs

TEST(test_ncdump)
{
    for (int k = 0; k < FILES; k++) {
        const struct cli_result *result = cli_run_tool("ncdump", "-h", files[k]);
        if (result->exit_code == TOOL_ABSENT) {
            skip_because("there is no ncdump (package netcdf-bin)");
        }
        cli_assert_done(result);
        assert_has(result->output, "CF-1.8");
    }
}

TEST(test_cdo)
{
    for (int k = 0; k < FILES; k++) {
        const struct cli_result *result = cli_run_tool("cdo", "-s", "sinfon", files[k]);
        if (result->exit_code == TOOL_ABSENT) {
            skip_because("there is no cdo");
        }
        cli_assert_done(result);
        assert_null(strstr(result->error, "Error"));
        if (k == 0) {
            assert_has(result->output, "40x30", "2011-03-11 06:16:24"); // its last time
            assert_has(result->output, "140 to 149.75 by 0.25");
        }
    }
}

static const char script[] =
    "import sys, glob\n"
    "try:\n"
    "    import numpy, xarray, netCDF4\n"
    "except ImportError as error:\n"
    "    print(error); sys.exit(123)\n"
    "files = sorted(glob.glob('out/*.nc'))\n"
    "assert len(files) == 5, files\n"
    "for name in files:\n"
    "    with xarray.open_dataset(name) as data:\n"
    "        data.load()\n"
    "        assert data.attrs['Conventions'] == 'CF-1.8'\n"
    "fields = xarray.open_dataset('out/fields.nc')\n"
    "assert dict(fields.sizes) == {'time': 4, 'lat': 30, 'lon': 40}, fields.sizes\n"
    "assert fields.time.values[0] == numpy.datetime64('2011-03-11T05:46:24'), fields.time.values[0]\n"
    "assert fields.time.values[-1] == numpy.datetime64('2011-03-11T06:16:24')\n"
    "assert numpy.isnan(fields.eta.sel(lon=140, lat=33)).all()\n"
    "assert float(abs(fields.eta.isel(time=-1)).max()) > 0.01\n"
    "gauges = xarray.open_dataset('out/gauges.nc')\n"
    "assert gauges.attrs['featureType'] == 'timeSeries'\n"
    "assert [n.decode() if isinstance(n, bytes) else n for n in gauges.name.values] == ['west', 'east', "
    "'south']\n"
    "maxima = xarray.open_dataset('out/maxima.nc')\n"
    "assert dict(maxima.sizes) == {'lat': 30, 'lon': 40, 'threshold': 2}\n"
    "print('all opened')\n";

TEST(test_xarray)
{
    cli_write_text("look.py", script);
    const struct cli_result *result = cli_run_tool("/usr/bin/python3", "look.py");
    if (result->exit_code == TOOL_ABSENT) {
        skip_because("/usr/bin/python3 has no xarray with netCDF4: %s", result->output);
    }
    cli_assert_done(result);
    assert_string_equal(result->output, "all opened\n");
}

TEST_SUITE(.group_setup = run_once, .group_teardown = cli_teardown);
