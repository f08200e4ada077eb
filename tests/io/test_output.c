// io/output: the streams of a small run are written and read back with netCDF-C, and with the users' tools
// ncdump, xarray and cdo. Invalid requests are refused.
#include "tests/support/test.h"

#include "io/netcdf/netcdf.h"
#include "io/output/output.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"
#include "tests/support/trial_run.h"

#include <dirent.h>

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .teardown = trial_clean);

TEST(test_whole_run)
{
    struct output_request request = trial_request(folder_path("whole"));
    trial_run_whole(&request);
    trial_assert_results("whole");
}

// ---- metadata

static void attribute_is(int ncid, int id, const char *name, const char *expected)
{
    char text[512] = "";
    size_t length = 0;
    nc_type type;
    if (nc_inq_att(ncid, id, name, &type, &length) != NC_NOERR)
        fail_msg("no attribute %s", name);
    assert_int_equal(type, NC_CHAR);
    assert_true(length < sizeof text);
    NC(nc_get_att_text(ncid, id, name, text));
    assert_string_equal(text, expected);
}

static void has_no_attribute(int ncid, int id, const char *name)
{
    assert_int_equal(nc_inq_att(ncid, id, name, NULL, NULL), NC_ENOTATT);
}

TEST(test_metadata)
{
    int ncid, id;
    float fill;
    struct output_request request = trial_request(folder_path("meta"));
    trial_run_whole(&request);
    for (int s = 0; s < TRIAL_STREAMS; s++) {
        NC(nc_open(folder_path("meta/%s.nc", trial_streams[s]->name), NC_NOWRITE, &ncid));
        attribute_is(ncid, NC_GLOBAL, "Conventions", "CF-1.8");
        attribute_is(ncid, NC_GLOBAL, "source", "Fathom 0.1.0");
        attribute_is(ncid, NC_GLOBAL, "history", "2011-03-12T00:00:00Z fathom run test.json");
        attribute_is(ncid, NC_GLOBAL, "references", "doi:10.0/none");
        for (int v = 0; v < trial_streams[s]->variable_count; v++)
            trial_assert_range(ncid, s, v);
        NC(nc_close(ncid));
    }
    NC(nc_open(folder_path("meta/fields.nc"), NC_NOWRITE, &ncid));
    attribute_is(ncid, NC_GLOBAL, "title", "Test 2011: fields");
    attribute_is(ncid, NC_GLOBAL, "comment", "instantaneous\nof a test");
    has_no_attribute(ncid, NC_GLOBAL, "featureType");
    NC(nc_inq_varid(ncid, "eta", &id));
    attribute_is(ncid, id, "standard_name", "sea_surface_height_above_mean_sea_level");
    attribute_is(ncid, id, "cell_methods", "time: point");
    NC(nc_get_att_float(ncid, id, "_FillValue", &fill));
    assert_true(isnan(fill));
    NC(nc_inq_varid(ncid, "speed", &id));
    has_no_attribute(ncid, id, "_FillValue");
    has_no_attribute(ncid, id, "coordinates");
    NC(nc_inq_varid(ncid, "lon", &id));
    attribute_is(ncid, id, "axis", "X");
    attribute_is(ncid, id, "units", "degrees_east");
    NC(nc_inq_varid(ncid, "time", &id));
    attribute_is(ncid, id, "units", "seconds since 2011-03-11 05:46:24");
    attribute_is(ncid, id, "calendar", "standard");
    attribute_is(ncid, id, "axis", "T");
    NC(nc_close(ncid));
    NC(nc_open(folder_path("meta/gauges.nc"), NC_NOWRITE, &ncid));
    attribute_is(ncid, NC_GLOBAL, "featureType", "timeSeries");
    attribute_is(ncid, NC_GLOBAL, "comment", "of a test");
    NC(nc_inq_varid(ncid, "eta", &id));
    attribute_is(ncid, id, "coordinates", "name lon lat"); // and not the node's longitude as well
    NC(nc_inq_varid(ncid, "name", &id));
    attribute_is(ncid, id, "cf_role", "timeseries_id");
    NC(nc_close(ncid));
}

// ---- other tools

static bool has_command(const char *name)
{
    if (folder_shell_code("command -v %s >/dev/null 2>&1", name) == 0)
        return true;
    print_message("skipped: %s is not installed\n", name);
    return false;
}

TEST(test_ncdump)
{
    if (!has_command("ncdump"))
        skip();
    struct output_request request = trial_request(folder_path("dump"));
    trial_run_whole(&request);
    const char *header = folder_path("header");
    folder_shell("ncdump -h -s %s > %s", folder_path("dump/gauges.nc"), header);
    folder_shell("grep -q 'time = UNLIMITED ; // (360 currently)' %s", header);
    folder_shell("grep -q 'char name(station, name_strlen) ;' %s", header);
    folder_shell("grep -q 'double eta(time, station) ;' %s", header);
    folder_shell("grep -q 'double gravity ;' %s", header);
    folder_shell("grep -q '_Format = \"netCDF-4\"' %s", header);
    folder_shell("ncdump -h -s %s > %s", folder_path("dump/maxima.nc"), header);
    folder_shell("grep -q 'float arrival(threshold, lat, lon) ;' %s", header);
    folder_shell("grep -q 'arrival:_Storage = \"contiguous\"' %s", header);
    folder_shell("ncdump -t -v time %s | grep -q '2011-03-11 06:16:24.125'", folder_path("dump/fields.nc"));
}

TEST(test_xarray)
{
    struct output_request request = trial_request(folder_path("xarray"));
    trial_run_whole(&request);
    const char *script = folder_path("script.py");
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fputs("import sys\n"
          "try:\n"
          "    import numpy as np, xarray as xr, netCDF4\n"
          "except ImportError:\n"
          "    sys.exit(77)\n"
          "d = sys.argv[1]\n"
          "g = xr.open_dataset(d + '/gauges.nc')\n"
          "assert set(g.coords) == {'time', 'name', 'lon', 'lat'}, set(g.coords)\n"
          "names = [n.decode() if isinstance(n, bytes) else n for n in g['name'].values.tolist()]\n"
          "assert names == ['21418', '\\u014carai', 'x'], names\n"
          "assert g.time.values[1] == np.datetime64('2011-03-11T05:47:24.125'), g.time.values[1]\n"
          "assert g.eta.dims == ('time', 'station') and g.eta.shape == (360, 3)\n"
          "assert np.isnan(g.depth.values).tolist() == [False, True, False]\n"
          "f = xr.open_dataset(d + '/fields.nc')\n"
          "assert f.eta.dims == ('time', 'lat', 'lon') and f.eta.dtype == np.float32\n"
          "assert float(f.eta.min()) == f.eta.attrs['actual_range'][0]\n"
          "assert int(np.isnan(f.eta.values[0]).sum()) == 7 and not np.isnan(f.speed.values).any()\n"
          "assert f.sel(lon=180, lat=0).eta.shape == (12,)\n"
          "m = xr.open_dataset(d + '/maxima.nc')\n"
          "assert m.arrival.dims == ('threshold', 'lat', 'lon') and m.threshold.values.tolist() == [0.01, "
          "0.1]\n"
          "x = xr.open_dataset(d + '/diagnostics.nc')\n"
          "assert abs(x.mass.values[3] - 3.25 * np.sin(0.1 + 2 + 0.033)) < 1e-14\n",
          file);
    assert_int_equal(fclose(file), 0);
    const int code = folder_shell_code("/usr/bin/python3 %s %s", script, folder_path("xarray"));
    if (code == 77) {
        print_message("skipped: python3-xarray and python3-netcdf4 are not installed\n");
        skip();
    }
    assert_int_equal(code, 0);
}

TEST(test_cdo)
{
    if (!has_command("cdo"))
        skip();
    struct output_request request = trial_request(folder_path("cdo"));
    trial_run_whole(&request);
    const char *text = folder_path("sinfo");
    folder_shell("cdo -s sinfon %s > %s 2>&1", folder_path("cdo/fields.nc"), text);
    folder_shell("grep -q 'lonlat' %s && grep -q 'points=35 (7x5)' %s", text, text);
    folder_shell("grep -q '2011-03-11 05:46:24' %s && grep -q '2011-03-11 11:16:24' %s", text, text);
    folder_shell("! grep -qi 'warning' %s", text);
    folder_shell("cdo -s sinfon %s > %s 2>&1", folder_path("cdo/maxima.nc"), text);
}

// ---- invalid requests and frames

TEST(test_streams_without_records)
{
    struct output_request request = trial_request(folder_path("empty"));
    struct sink sink;
    trial_open(&request, &sink);
    assert_failure(sink.finish(sink.context), STATUS_SOFTWARE, "maxima was never written");
    output_close(&sink);
    assert_int_equal(folder_count("empty"), 0);
    trial_open(&request, &sink);
    trial_write(&sink, TRIAL_MAXIMA, 0, 1);
    trial_finish(&sink);
    for (int s = 0; s < TRIAL_MAXIMA; s++)
        trial_assert_file(folder_path("empty/%s.nc", trial_streams[s]->name), s, 0, 0);
}

static void open_refused(const struct output_request *request, enum status expected, const char *reason)
{
    struct sink sink;
    assert_int_equal(output_open(request, &sink), expected);
    if (!strstr(status_message(), reason))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), reason);
    assert_null(sink.context);
    status_clear();
}

TEST(test_invalid_requests)
{
    struct output_request request = trial_request(folder_path("wrong"));
    const char *const units[] = {"days since 2011-03-11", "seconds since yesterday",
                                 "seconds since 2011-13-11", ""};
    for (int i = 0; i < 4; i++) {
        request.time_units = units[i];
        open_refused(&request, STATUS_CONFIGURATION, "seconds since YEAR-MONTH-DAY");
    }
    request.time_units = NULL;
    request.cache_bytes = 1000;
    open_refused(&request, STATUS_CONFIGURATION, "1 kB of netCDF cache are too little");
    request.cache_bytes = 0;
    struct stream broken = *trial_streams[TRIAL_FIELDS];
    const struct stream *const list[2] = {&broken, trial_streams[TRIAL_GAUGES]};
    request.streams = list;
    request.stream_count = 2;
    broken.name = "gauges";
    open_refused(&request, STATUS_SOFTWARE, "two output streams are named gauges");
    broken.name = "a/b";
    open_refused(&request, STATUS_SOFTWARE, "cannot be a file's");
    broken.name = "fields";
    broken.element = ELEMENT_I32;
    open_refused(&request, STATUS_SOFTWARE, "elements int32, expected float32, float64 or uint8");
    broken.element = ELEMENT_F32;
    broken.variables[1].axes[1] = 2;
    open_refused(&request, STATUS_SOFTWARE, "variable speed: dimension 1 is axis 2, expected 0 to 1");
    broken.variables[1].axes[1] = 0;
    broken.axes[0].length = 0;
    open_refused(&request, STATUS_SOFTWARE, "axis lon has no entries");
    request = trial_request(folder_path("file/results"));
    folder_shell(": > %s", folder_path("file"));
    open_refused(&request, STATUS_CANNOT_CREATE, folder_path("file"));
}

TEST(test_invalid_frames)
{
    struct output_request request = trial_request(folder_path("frames"));
    struct sink sink;
    trial_open(&request, &sink);
    trial_write(&sink, TRIAL_DIAGNOSTICS, 3, 1);
    double time_s = trial_time_s(TRIAL_DIAGNOSTICS, 3), data[3] = {0};
    struct frame frame = {.stream = TRIAL_DIAGNOSTICS, .records = 1, .times_s = &time_s, .data = data};
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE); // the same time again
    assert_non_null(strstr(status_message(), "does not come after"));
    time_s = NAN;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    frame.stream = TRIAL_STREAMS;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    frame.stream = TRIAL_MAXIMA;
    frame.records = 2;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    sink.abandon(sink.context);
    frame.records = 1;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    assert_int_equal(sink.finish(sink.context), STATUS_SOFTWARE);
    output_close(&sink);
}

// Newer versions of netCDF-C allocate a block of 4 MiB when they open a file. It counts in the memory limit
// of the I/O thread, but not for versions known to lack it.
TEST(test_opening_a_file_is_in_the_ceiling)
{
    const struct {
        const char *version;
        size_t bytes;
    } cases[] = {
        {"4.7.4 of Jan 24 2021", 0},     {"4.9.0 of Jun 15 2022", 0}, {"4.9.3 of Feb 7 2025", 4 << 20},
        {"4.9.10 of some day", 4 << 20}, {"4.10.0", 4 << 20},         {"5.0.0-rc1", 4 << 20},
        {"development version", 4 << 20}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(netcdf_opening_bytes_of(cases[k].version), cases[k].bytes);
    const struct output_request request = trial_request(folder_path("ceiling"));
    assert_int_equal(netcdf_opening_bytes(), netcdf_opening_bytes_of(nc_inq_libvers()));
    assert_true(output_memory_bytes(&request) >= netcdf_opening_bytes() + (1 << 20));
}

static int open_files(void)
{
    DIR *entries = opendir("/proc/self/fd");
    assert_non_null(entries);
    int count = 0;
    while (readdir(entries))
        count++;
    closedir(entries);
    return count;
}

TEST(test_no_file_stays_open)
{
    if (access("/proc/self/fd", R_OK) != 0) {
        print_message("skipped: no /proc here\n");
        skip();
    }
    struct output_request request = trial_request(folder_path("open"));
    int before = open_files();
    trial_run_whole(&request);
    struct sink sink;
    trial_open(&request, &sink);
    trial_write_hour(&sink, 0);
    trial_checkpoint(&sink, 1);
    trial_write_hour(&sink, 1);
    output_close(&sink);
    assert_int_equal(open_files(), before);
}
