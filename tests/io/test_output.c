// io/output: a small run's streams, written whole, in segments, stopped and resumed, on a full disk; read
// back with netCDF-C, and by the tools that people use: ncdump, xarray, cdo.
#include "core/log.h"
#include "io/checkpoint.h"
#include "io/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <netcdf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

// ---- a disk that fills up: HDF5's writes come here, because the program's symbols are looked at first.

static long disk_left = -1; // bytes, when >= 0
static long disk_written;

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    if (disk_left >= 0 && (long)count > disk_left) {
        errno = ENOSPC;
        return -1;
    }
    if (disk_left >= 0)
        disk_left -= (long)count;
    disk_written += (long)count;
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

// ---- a file system without hard links

static bool has_links = true;

int link(const char *from, const char *to)
{
    if (!has_links) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_link, from, to);
}

// ---- the run: four streams, values that only depend on stream, variable, record and element

enum {
    NX = 7,
    NY = 5,
    STATIONS = 3,
    THRESHOLDS = 2,
    FIELDS = 0,
    GAUGES = 1,
    DIAGNOSTICS = 2,
    MAXIMA = 3,
    STREAMS = 4
};

static const double longitude[NX] = {178, 179, 180, 181, 182, 183, 184}, latitude[NY] = {-2, -1, 0, 1, 2};
static const double threshold[THRESHOLDS] = {0.01, 0.1};
static const double station_longitude[STATIONS] = {178.5, 180.25, 183.0};
static const double station_latitude[STATIONS] = {-1.5, 0.0, 1.25};
static const double station_depth[STATIONS] = {4000, NAN, 12.5};
static const char *const station_name[STATIONS] = {"21418", "Ōarai", "x"};

#define AXIS_LONGITUDE                                                                                       \
    {                                                                                                        \
        "lon", "longitude", "longitude", "degrees_east", 'X', NX, longitude                                  \
    }
#define AXIS_LATITUDE                                                                                        \
    {                                                                                                        \
        "lat", "latitude", "latitude", "degrees_north", 'Y', NY, latitude                                    \
    }

static const struct stream fields = {
    .name = "fields",
    .title = "fields",
    .comment = "instantaneous",
    .has_records = true,
    .element = ELEMENT_F32,
    .records_per_frame = 1,
    .axis_count = 2,
    .axes = {AXIS_LONGITUDE, AXIS_LATITUDE},
    .variable_count = 2,
    .variables = {{.name = "eta",
                   .standard_name = "sea_surface_height_above_mean_sea_level",
                   .long_name = "surface elevation",
                   .units = "m",
                   .cell_methods = "time: point",
                   .rank = 2,
                   .axes = {1, 0},
                   .has_missing = true},
                  {.name = "speed", .long_name = "speed", .units = "m s-1", .rank = 2, .axes = {1, 0}}},
};

static const struct stream gauges = {
    .name = "gauges",
    .title = "gauges",
    .has_records = true,
    .is_time_series = true,
    .element = ELEMENT_F64,
    .records_per_frame = 4,
    .axis_count = 1,
    .axes = {{.name = "station", .length = STATIONS}},
    .variable_count = 2,
    .variables = {{.name = "eta", .long_name = "surface elevation", .units = "m", .rank = 1, .axes = {0}},
                  {.name = "u",
                   .long_name = "velocity",
                   .units = "m s-1",
                   .rank = 1,
                   .axes = {0},
                   .has_missing = true}},
    .constant_count = 6,
    .constants =
        {{.name = "name", .long_name = "name", .cf_role = "timeseries_id", .axis = 0, .texts = station_name},
         {.name = "lon",
          .standard_name = "longitude",
          .units = "degrees_east",
          .axis = 0,
          .values = station_longitude},
         {.name = "lat",
          .standard_name = "latitude",
          .units = "degrees_north",
          .axis = 0,
          .values = station_latitude},
         {.name = "node_lon",
          .standard_name = "longitude",
          .units = "degrees_east",
          .axis = 0,
          .values = longitude},
         {.name = "depth", .long_name = "depth", .units = "m", .axis = 0, .values = station_depth},
         {.name = "gravity", .long_name = "gravity", .units = "m s-2", .axis = -1, .values = threshold}},
};

static const struct stream diagnostics = {
    .name = "diagnostics",
    .title = "diagnostics",
    .has_records = true,
    .element = ELEMENT_F64,
    .records_per_frame = 1,
    .variable_count = 3,
    .variables = {{.name = "mass", .long_name = "mass", .units = "m3"},
                  {.name = "energy", .long_name = "energy", .units = "J"},
                  {.name = "largest", .long_name = "largest", .units = "m"}},
};

static const struct stream maxima = {
    .name = "maxima",
    .title = "maxima",
    .element = ELEMENT_F32,
    .records_per_frame = 1,
    .axis_count = 3,
    .axes = {AXIS_LONGITUDE, AXIS_LATITUDE, {"threshold", NULL, "threshold", "m", 0, THRESHOLDS, threshold}},
    .variable_count = 2,
    .variables =
        {{.name = "max_eta", .long_name = "largest elevation", .units = "m", .rank = 2, .axes = {1, 0}},
         {.name = "arrival",
          .long_name = "arrival time",
          .units = "s",
          .rank = 3,
          .axes = {2, 1, 0},
          .has_missing = true}},
};

static const struct stream *const streams[STREAMS] = {&fields, &gauges, &diagnostics, &maxima};

static double value_of(int s, int v, size_t record, size_t element)
{
    double value =
        sin(0.1 + s + 0.37 * v + 0.011 * (double)record + 0.0007 * (double)element) * (v + 1) * 3.25;
    if (streams[s]->variables[v].has_missing && (element + record) % 5 == 0)
        return NAN;
    return value;
}

static double time_of(int s, size_t record)
{
    return (double)record * (s == GAUGES ? 60.0 : 1800.0) + 0.125;
}

static void write_frame(struct sink *sink, int s, size_t first, size_t records)
{
    const struct stream *stream = streams[s];
    double *times = malloc((records + 1) * sizeof *times);
    unsigned char *data = malloc(records * stream_record_bytes(stream) + 1);
    assert_true(times && data);
    size_t at = 0;
    for (size_t r = first; r < first + records; r++) {
        times[r - first] = time_of(s, r);
        for (int v = 0; v < stream->variable_count; v++)
            for (size_t i = 0; i < stream_variable_length(stream, &stream->variables[v]); i++, at++) {
                double value = value_of(s, v, r, i);
                if (stream->element == ELEMENT_F32)
                    ((float *)(void *)data)[at] = (float)value;
                else
                    ((double *)(void *)data)[at] = value;
            }
    }
    struct frame frame = {.stream = s, .records = records, .times_s = times, .data = data};
    enum status status = sink->write(sink->context, &frame);
    free(times);
    free(data);
    assert_int_equal(status, STATUS_OK);
}

// Hour `hour` of the run: one field, the diagnostics, thirty gauge records in two frames.
static void write_hour(struct sink *sink, size_t hour)
{
    write_frame(sink, FIELDS, hour, 1);
    write_frame(sink, DIAGNOSTICS, hour, 1);
    write_frame(sink, GAUGES, 30 * hour, 11);
    write_frame(sink, GAUGES, 30 * hour + 11, 0);
    write_frame(sink, GAUGES, 30 * hour + 11, 19);
}

enum { HOURS = 12 };

// ---- folders

static char root[64];

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/fathom-test-output-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int shell_code(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int run_shell(const char *format, va_list arguments)
{
    char command[8192];
    int length = vsnprintf(command, sizeof command, format, arguments);
    assert_in_range(length, 1, sizeof command - 1);
    return system(command);
}

static void shell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int code = run_shell(format, arguments);
    va_end(arguments);
    assert_int_equal(code, 0);
}

static int shell_code(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int code = run_shell(format, arguments);
    va_end(arguments);
    return code;
}

static int remove_root(void **state)
{
    (void)state;
    shell("rm -rf %s", root);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    disk_left = -1;
    has_links = true;
    status_clear();
    shell("rm -rf %s/*", root);
    return 0;
}

static const char *in_root(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A path in the test's folder; the last 128 stay valid.
static const char *in_root(const char *format, ...)
{
    static char paths[128][PATH_BYTES];
    static int next;
    char *path = paths[next++ % 128];
    int length = snprintf(path, PATH_BYTES, "%s/", root);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + length, (size_t)(PATH_BYTES - length), format, arguments);
    va_end(arguments);
    return path;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static int entries_in(const char *path)
{
    DIR *entries = opendir(path);
    assert_non_null(entries);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(entries));)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static struct output_request request_for(const char *directory)
{
    return (struct output_request){
        .directory = directory,
        .streams = streams,
        .stream_count = STREAMS,
        .title = "Test 2011",
        .source = "Fathom 0.1.0",
        .history = "2011-03-12T00:00:00Z fathom run test.json",
        .references = "doi:10.0/none",
        .comment = "of a test",
        .time_units = "seconds since 2011-03-11 05:46:24",
        .join = true,
    };
}

static void open_output(const struct output_request *request, struct sink *sink)
{
    enum status status = output_open(request, sink);
    if (status != STATUS_OK)
        fail_msg("output_open: %s", status_message());
}

static double state_array[3] = {1, 2, 3};
static const struct checkpoint_array state_arrays[1] = {{"state", state_array, sizeof state_array}};

static enum status make_checkpoint(struct sink *sink, int64_t step, struct checkpoint_header *header)
{
    *header = (struct checkpoint_header){.step = step, .steps_run = step, .version = "0.1.0"};
    state_array[0] = (double)step;
    return sink->checkpoint(sink->context, header, state_arrays, 1);
}

static void checkpoint_at(struct sink *sink, int64_t step)
{
    struct checkpoint_header header;
    assert_int_equal(make_checkpoint(sink, step, &header), STATUS_OK);
}

static void finish(struct sink *sink)
{
    enum status status = sink->finish(sink->context);
    if (status != STATUS_OK)
        fail_msg("finish: %s", status_message());
    output_close(sink);
}

// The whole run without a checkpoint.
static void run_whole(const struct output_request *request)
{
    struct sink sink;
    open_output(request, &sink);
    for (size_t hour = 0; hour < HOURS; hour++)
        write_hour(&sink, hour);
    write_frame(&sink, MAXIMA, 0, 1);
    finish(&sink);
}

// ---- reading back with netCDF-C

#define NC_OK(call) assert_int_equal((call), NC_NOERR)

static size_t records_of(int s)
{
    return s == GAUGES ? 30 * HOURS : HOURS;
}

// Every number of stream `s` in a file that holds records first … first + count, bit for bit.
static void check_file(const char *path, int s, size_t first, size_t count)
{
    const struct stream *stream = streams[s];
    int ncid, id;
    size_t records = 1;
    NC_OK(nc_open(path, NC_NOWRITE, &ncid));
    if (stream->has_records) {
        NC_OK(nc_inq_dimid(ncid, "time", &id));
        NC_OK(nc_inq_dimlen(ncid, id, &records));
        assert_int_equal(records, count);
        NC_OK(nc_inq_varid(ncid, "time", &id));
        for (size_t r = 0; r < records; r++) {
            double time;
            NC_OK(nc_get_var1_double(ncid, id, &r, &time));
            assert_true(time == time_of(s, first + r));
        }
    }
    for (int v = 0; v < stream->variable_count; v++) {
        size_t length = stream_variable_length(stream, &stream->variables[v]);
        double *values = malloc(records * length * sizeof *values + 1);
        assert_non_null(values);
        NC_OK(nc_inq_varid(ncid, stream->variables[v].name, &id));
        NC_OK(nc_get_var_double(ncid, id, values));
        for (size_t r = 0; r < records; r++)
            for (size_t i = 0; i < length; i++) {
                double expected = value_of(s, v, first + r, i), found = values[r * length + i];
                if (stream->element == ELEMENT_F32)
                    expected = (double)(float)expected;
                if (!(found == expected || (isnan(found) && isnan(expected))))
                    fail_msg("%s: %s, record %zu, element %zu: %.17g, expected %.17g", path,
                             stream->variables[v].name, r, i, found, expected);
            }
        free(values);
    }
    NC_OK(nc_close(ncid));
}

static void check_directory(const char *directory)
{
    for (int s = 0; s < STREAMS; s++)
        check_file(in_root("%s/%s.nc", directory, streams[s]->name), s, 0, records_of(s));
    assert_int_equal(entries_in(in_root("%s", directory)), STREAMS);
}

// ---- tests

static void test_whole_run(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("whole"));
    run_whole(&request);
    check_directory("whole");
}

static void attribute_is(int ncid, int id, const char *name, const char *expected)
{
    char text[512] = "";
    size_t length = 0;
    nc_type type;
    if (nc_inq_att(ncid, id, name, &type, &length) != NC_NOERR)
        fail_msg("no attribute %s", name);
    assert_int_equal(type, NC_CHAR);
    assert_true(length < sizeof text);
    NC_OK(nc_get_att_text(ncid, id, name, text));
    assert_string_equal(text, expected);
}

static void has_no_attribute(int ncid, int id, const char *name)
{
    assert_int_equal(nc_inq_att(ncid, id, name, NULL, NULL), NC_ENOTATT);
}

// actual_range has the variable's type and the smallest and largest number that the test's own formula gives.
static void range_is_right(int ncid, int s, int v)
{
    const struct stream *stream = streams[s];
    double low = INFINITY, high = -INFINITY, range[2];
    int id;
    nc_type type;
    size_t length;
    for (size_t r = 0; r < (stream->has_records ? records_of(s) : 1); r++)
        for (size_t i = 0; i < stream_variable_length(stream, &stream->variables[v]); i++) {
            double value = value_of(s, v, r, i);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    NC_OK(nc_inq_varid(ncid, stream->variables[v].name, &id));
    NC_OK(nc_inq_att(ncid, id, "actual_range", &type, &length));
    assert_int_equal(type, stream->element == ELEMENT_F32 ? NC_FLOAT : NC_DOUBLE);
    assert_int_equal(length, 2);
    NC_OK(nc_get_att_double(ncid, id, "actual_range", range));
    if (stream->element == ELEMENT_F32) {
        low = (double)(float)low;
        high = (double)(float)high;
    }
    assert_true(range[0] == low && range[1] == high);
}

static void test_metadata(void **state)
{
    (void)state;
    int ncid, id;
    float fill;
    struct output_request request = request_for(in_root("meta"));
    run_whole(&request);
    for (int s = 0; s < STREAMS; s++) {
        NC_OK(nc_open(in_root("meta/%s.nc", streams[s]->name), NC_NOWRITE, &ncid));
        attribute_is(ncid, NC_GLOBAL, "Conventions", "CF-1.8");
        attribute_is(ncid, NC_GLOBAL, "source", "Fathom 0.1.0");
        attribute_is(ncid, NC_GLOBAL, "history", "2011-03-12T00:00:00Z fathom run test.json");
        attribute_is(ncid, NC_GLOBAL, "references", "doi:10.0/none");
        for (int v = 0; v < streams[s]->variable_count; v++)
            range_is_right(ncid, s, v);
        NC_OK(nc_close(ncid));
    }
    NC_OK(nc_open(in_root("meta/fields.nc"), NC_NOWRITE, &ncid));
    attribute_is(ncid, NC_GLOBAL, "title", "Test 2011: fields");
    attribute_is(ncid, NC_GLOBAL, "comment", "instantaneous\nof a test");
    has_no_attribute(ncid, NC_GLOBAL, "featureType");
    NC_OK(nc_inq_varid(ncid, "eta", &id));
    attribute_is(ncid, id, "standard_name", "sea_surface_height_above_mean_sea_level");
    attribute_is(ncid, id, "cell_methods", "time: point");
    NC_OK(nc_get_att_float(ncid, id, "_FillValue", &fill));
    assert_true(isnan(fill));
    NC_OK(nc_inq_varid(ncid, "speed", &id));
    has_no_attribute(ncid, id, "_FillValue");
    has_no_attribute(ncid, id, "coordinates");
    NC_OK(nc_inq_varid(ncid, "lon", &id));
    attribute_is(ncid, id, "axis", "X");
    attribute_is(ncid, id, "units", "degrees_east");
    NC_OK(nc_inq_varid(ncid, "time", &id));
    attribute_is(ncid, id, "units", "seconds since 2011-03-11 05:46:24");
    attribute_is(ncid, id, "calendar", "standard");
    attribute_is(ncid, id, "axis", "T");
    NC_OK(nc_close(ncid));
    NC_OK(nc_open(in_root("meta/gauges.nc"), NC_NOWRITE, &ncid));
    attribute_is(ncid, NC_GLOBAL, "featureType", "timeSeries");
    attribute_is(ncid, NC_GLOBAL, "comment", "of a test");
    NC_OK(nc_inq_varid(ncid, "eta", &id));
    attribute_is(ncid, id, "coordinates", "name lon lat"); // and not the node's longitude as well
    NC_OK(nc_inq_varid(ncid, "name", &id));
    attribute_is(ncid, id, "cf_role", "timeseries_id");
    NC_OK(nc_close(ncid));
}

static bool has_command(const char *name)
{
    if (shell_code("command -v %s >/dev/null 2>&1", name) == 0)
        return true;
    print_message("skipped: %s is not installed\n", name);
    return false;
}

static void test_ncdump(void **state)
{
    (void)state;
    if (!has_command("ncdump"))
        skip();
    struct output_request request = request_for(in_root("dump"));
    run_whole(&request);
    const char *header = in_root("header");
    shell("ncdump -h -s %s > %s", in_root("dump/gauges.nc"), header);
    shell("grep -q 'time = UNLIMITED ; // (360 currently)' %s", header);
    shell("grep -q 'char name(station, name_strlen) ;' %s", header);
    shell("grep -q 'double eta(time, station) ;' %s", header);
    shell("grep -q 'double gravity ;' %s", header);
    shell("grep -q '_Format = \"netCDF-4\"' %s", header);
    shell("ncdump -h -s %s > %s", in_root("dump/maxima.nc"), header);
    shell("grep -q 'float arrival(threshold, lat, lon) ;' %s", header);
    shell("grep -q 'arrival:_Storage = \"contiguous\"' %s", header);
    shell("ncdump -t -v time %s | grep -q '2011-03-11 06:16:24.125'", in_root("dump/fields.nc"));
}

static void test_xarray(void **state)
{
    (void)state;
    if (shell_code("/usr/bin/python3 -c 'import xarray, netCDF4' 2>/dev/null") != 0) {
        print_message("skipped: python3-xarray and python3-netcdf4 are not installed\n");
        skip();
    }
    struct output_request request = request_for(in_root("xarray"));
    run_whole(&request);
    const char *script = in_root("script.py");
    FILE *file = fopen(script, "w");
    assert_non_null(file);
    fputs("import sys, numpy as np, xarray as xr\n"
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
    shell("/usr/bin/python3 %s %s", script, in_root("xarray"));
}

static void test_cdo(void **state)
{
    (void)state;
    if (!has_command("cdo"))
        skip();
    struct output_request request = request_for(in_root("cdo"));
    run_whole(&request);
    const char *text = in_root("sinfo");
    shell("cdo -s sinfon %s > %s 2>&1", in_root("cdo/fields.nc"), text);
    shell("grep -q 'lonlat' %s && grep -q 'points=35 (7x5)' %s", text, text);
    shell("grep -q '2011-03-11 05:46:24' %s && grep -q '2011-03-11 11:16:24' %s", text, text);
    shell("! grep -qi 'warning' %s", text);
    shell("cdo -s sinfon %s > %s 2>&1", in_root("cdo/maxima.nc"), text);
}

// ---- checkpoints

static void test_segments_joined_are_the_whole_run(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("joined"));
    struct sink sink;
    open_output(&request, &sink);
    checkpoint_at(&sink, 0); // before any record
    for (size_t hour = 0; hour < HOURS; hour++) {
        write_hour(&sink, hour);
        if (hour == 1)
            write_frame(&sink, MAXIMA, 0, 1);
        if (hour % 3 == 2)
            checkpoint_at(&sink, (int64_t)hour);
        if (hour == 5)
            checkpoint_at(&sink, (int64_t)hour); // two in a row: a segment without records
    }
    assert_true(is_there(in_root("joined/partial/fields.0001.nc")));
    assert_false(is_there(in_root("joined/partial/fields.0000.nc")));
    assert_false(is_there(in_root("joined/partial/fields.0003.nc")));
    assert_false(is_there(in_root("joined/fields.nc")));
    check_file(in_root("joined/partial/fields.0002.nc"), FIELDS, 3, 3);
    finish(&sink);
    check_directory("joined");
    int ncid;
    for (int s = 0; s < STREAMS; s++) {
        NC_OK(nc_open(in_root("joined/%s.nc", streams[s]->name), NC_NOWRITE, &ncid));
        for (int v = 0; v < streams[s]->variable_count; v++)
            range_is_right(ncid, s, v);
        NC_OK(nc_close(ncid));
    }
}

static void test_unjoined_segments_and_stale_files(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("apart"));
    run_whole(&request); // an earlier, joined run
    request.join = false;
    struct sink sink;
    open_output(&request, &sink);
    for (size_t hour = 0; hour < HOURS; hour++) {
        write_hour(&sink, hour);
        if (hour == 3 || hour == 4 || hour == 8) {
            checkpoint_at(&sink, (int64_t)hour);
            checkpoint_at(&sink, (int64_t)hour); // leaves gaps in the numbers
        }
    }
    write_frame(&sink, MAXIMA, 0, 1);
    assert_true(is_there(in_root("apart/fields.nc"))); // still the earlier run's
    finish(&sink);
    assert_false(is_there(in_root("apart/fields.nc")));
    check_file(in_root("apart/fields.0000.nc"), FIELDS, 0, 4);
    check_file(in_root("apart/fields.0001.nc"), FIELDS, 4, 1);
    check_file(in_root("apart/fields.0002.nc"), FIELDS, 5, 4);
    check_file(in_root("apart/fields.0003.nc"), FIELDS, 9, 3);
    check_file(in_root("apart/gauges.0001.nc"), GAUGES, 120, 30);
    check_file(in_root("apart/maxima.nc"), MAXIMA, 0, 1);
    assert_int_equal(entries_in(in_root("apart")), 3 * 4 + 1);
    request.join = true;
    run_whole(&request); // and a later one removes the pieces
    check_directory("apart");
}

// Runs hours 0 … 4 with checkpoints after 1 and 3, in a process that then dies without warning.
static void run_and_crash(const struct output_request *request)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sink sink;
        if (output_open(request, &sink) != STATUS_OK)
            _exit(1);
        write_frame(&sink, MAXIMA, 0, 1);
        for (size_t hour = 0; hour < 5; hour++) {
            write_hour(&sink, hour);
            if (hour == 1 || hour == 3)
                checkpoint_at(&sink, (int64_t)hour + 1);
        }
        _exit(0);
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
}

// Goes on from the newest checkpoint to the end.
static void resume_and_finish(struct output_request *request, int64_t expected_step)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    double array[3];
    const struct checkpoint_array arrays[1] = {{"state", array, sizeof array}};
    assert_int_equal(output_find_checkpoint(request->directory, path), STATUS_OK);
    assert_int_equal(checkpoint_read(path, &header, arrays, 1), STATUS_OK);
    assert_int_equal(header.step, expected_step);
    assert_true(array[0] == (double)expected_step);
    assert_int_equal(header.records[FIELDS], expected_step);
    assert_int_equal(header.records[GAUGES], 30 * expected_step);
    assert_int_equal(header.records[MAXIMA], 0);
    request->resume = &header;
    request->resume_path = path;
    struct sink sink;
    open_output(request, &sink);
    for (size_t hour = (size_t)expected_step; hour < HOURS; hour++) {
        write_hour(&sink, hour);
        if (hour == 6)
            checkpoint_at(&sink, (int64_t)hour + 1);
    }
    finish(&sink);
    request->resume = NULL;
    request->resume_path = NULL;
}

static void test_resume_after_a_crash(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("crash"));
    run_and_crash(&request);
    resume_and_finish(&request, 4);
    check_directory("crash");
}

static void test_damaged_checkpoint_falls_back_to_the_older(void **state)
{
    (void)state;
    struct log_options quiet = {.terminal_level = LOG_QUIET};
    assert_int_equal(log_open(&quiet), STATUS_OK);
    struct output_request request = request_for(in_root("older"));
    run_and_crash(&request);
    // The second checkpoint is .b; a byte of its state is changed.
    shell("printf X | dd of=%s bs=1 seek=450 conv=notrunc 2>/dev/null",
          in_root("older/partial/checkpoint.b"));
    resume_and_finish(&request, 2);
    check_directory("older");
    assert_int_equal(log_warning_count(), 1);
    assert_non_null(strstr(log_warning_text(0), "checkpoint.b: the checkpoint is damaged"));
    assert_non_null(strstr(log_warning_text(0), "going on from"));
    assert_string_equal(status_message(), ""); // handled: no failure is left behind
    log_close();
}

static void test_no_checkpoint_to_be_found(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    assert_int_equal(output_find_checkpoint(in_root("nowhere"), path), STATUS_NO_INPUT);
    status_clear();
    struct output_request request = request_for(in_root("both"));
    run_and_crash(&request);
    shell("printf XX > %s; : > %s", in_root("both/partial/checkpoint.a"),
          in_root("both/partial/checkpoint.b"));
    assert_int_equal(output_find_checkpoint(in_root("both"), path), STATUS_DATA);
    assert_non_null(strstr(status_message(), "checkpoint.a"));
    assert_non_null(strstr(status_message(), "checkpoint.b"));
}

static void test_resume_misses_a_segment(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct sink sink;
    struct output_request request = request_for(in_root("missing"));
    run_and_crash(&request);
    assert_int_equal(output_find_checkpoint(request.directory, path), STATUS_OK);
    assert_int_equal(checkpoint_verify(path, &header), STATUS_OK);
    request.resume = &header;
    request.resume_path = path;
    shell("truncate -s -100 %s", in_root("missing/partial/gauges.0001.nc"));
    assert_int_equal(output_open(&request, &sink), STATUS_DATA);
    assert_non_null(strstr(status_message(), "gauges.0001.nc"));
    status_clear();
    shell("rm %s", in_root("missing/partial/gauges.0001.nc"));
    assert_int_equal(output_open(&request, &sink), STATUS_DATA);
    assert_non_null(strstr(status_message(), "stream gauges hold 60 records, the checkpoint expects 120"));
    output_close(&sink); // all zero: nothing to do
}

static void test_resume_after_a_crash_while_finishing(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("late"));
    run_and_crash(&request);
    // As if the final files had been made and one of them had its last name already.
    shell(
        "cd %s && ln partial/fields.0000.nc partial/fields.final.nc && ln partial/maxima.static.nc maxima.nc",
        in_root("late"));
    resume_and_finish(&request, 4);
    check_directory("late");
}

static void test_abandon_keeps_what_the_checkpoint_needs(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("kept"));
    struct sink sink;
    open_output(&request, &sink);
    for (size_t hour = 0; hour < 4; hour++)
        write_hour(&sink, hour);
    write_frame(&sink, MAXIMA, 0, 1);
    checkpoint_at(&sink, 4);
    write_hour(&sink, 4);
    sink.abandon(sink.context);
    sink.abandon(sink.context);
    output_close(&sink);
    // Three segments, the static file, the checkpoint; the fifth hour is gone.
    assert_int_equal(entries_in(in_root("kept/partial")), 5);
    resume_and_finish(&request, 4);
    check_directory("kept");
}

static void test_abandon_without_checkpoint_leaves_old_results(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("old"));
    run_whole(&request);
    struct sink sink;
    open_output(&request, &sink);
    write_hour(&sink, 0);
    output_close(&sink); // abandons
    check_directory("old");
}

static void test_afresh_removes_an_unfinished_run(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("afresh"));
    run_and_crash(&request);
    run_whole(&request);
    check_directory("afresh");
}

static void test_foreign_files_in_partial_stay(void **state)
{
    (void)state;
    struct log_options quiet = {.terminal_level = LOG_QUIET};
    assert_int_equal(log_open(&quiet), STATUS_OK);
    struct output_request request = request_for(in_root("foreign"));
    shell("mkdir -p %s && echo mine > %s", in_root("foreign/partial"), in_root("foreign/partial/notes.txt"));
    int standard_error = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDERR_FILENO);
    run_whole(&request);
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    close(nothing);
    assert_true(is_there(in_root("foreign/partial/notes.txt")));
    check_file(in_root("foreign/fields.nc"), FIELDS, 0, HOURS);
    assert_int_equal(log_warning_count(), 1);
    log_close();
}

static void test_streams_without_records(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("empty"));
    struct sink sink;
    open_output(&request, &sink);
    assert_int_equal(sink.finish(sink.context), STATUS_SOFTWARE);
    assert_non_null(strstr(status_message(), "maxima was never written"));
    status_clear();
    output_close(&sink);
    assert_int_equal(entries_in(in_root("empty")), 0);
    open_output(&request, &sink);
    write_frame(&sink, MAXIMA, 0, 1);
    finish(&sink);
    for (int s = 0; s < MAXIMA; s++)
        check_file(in_root("empty/%s.nc", streams[s]->name), s, 0, 0);
}

// ---- failures

// The run in a process whose disk takes `room` bytes; the outcome comes back as exit code. A library that
// could not close its file is left behind with the process.
static int run_on_disk(const struct output_request *request, long room, bool with_checkpoint,
                       const char *message)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sink sink;
        struct checkpoint_header header;
        struct frame frame = {.stream = FIELDS, .records = 1};
        float data[2 * NX * NY];
        double time_s;
        enum status status = output_open(request, &sink);
        if (status == STATUS_OK && with_checkpoint) {
            for (size_t hour = 0; hour < 4; hour++)
                write_hour(&sink, hour);
            status = make_checkpoint(&sink, 4, &header);
        }
        disk_left = room;
        for (size_t i = 0; i < 2 * NX * NY; i++)
            data[i] = (float)i;
        frame.times_s = &time_s;
        frame.data = data;
        for (size_t hour = 4; hour < 40 && status == STATUS_OK; hour++) {
            time_s = time_of(FIELDS, hour);
            status = sink.write(sink.context, &frame);
        }
        if (status == STATUS_OK)
            status = make_checkpoint(&sink, 40, &header);
        disk_left = 0;
        if (status != STATUS_OK)
            sink.abandon(sink.context);
        FILE *file = fopen(message, "w");
        if (file) {
            fputs(status_message(), file);
            fclose(file);
        }
        _exit(status_exit_code(status));
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    return WEXITSTATUS(code);
}

static void test_full_disk(void **state)
{
    (void)state;
    const char *message = in_root("message");
    int failures = 0, successes = 0;
    for (long room = 0; room < 500000; room += room < 4000 ? 500 : 20000) {
        struct output_request request = request_for(in_root("full"));
        int code = run_on_disk(&request, room, false, message);
        if (code == 0) {
            successes++;
            continue;
        }
        failures++;
        if (code != 74)
            shell_code("cat %s", message);
        assert_int_equal(code, 74);
        shell("grep -q 'fields.0000.nc: .*no space left on device$' %s || { cat %s; false; }", message,
              message);
        assert_int_equal(entries_in(in_root("full")), 0);
    }
    assert_true(failures >= 3);
    assert_true(successes >= 1);
}

static void test_full_disk_leaves_the_checkpoint(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("filled"));
    const char *message = in_root("message");
    assert_int_equal(run_on_disk(&request, 3000, true, message), 74);
    shell("grep -q 'no space left on device' %s", message);
    char path[PATH_BYTES];
    struct checkpoint_header header;
    assert_int_equal(output_find_checkpoint(in_root("filled"), path), STATUS_OK);
    assert_int_equal(checkpoint_verify(path, &header), STATUS_OK);
    assert_int_equal(header.step, 4);
    request.resume = &header;
    request.resume_path = path;
    struct sink sink;
    open_output(&request, &sink);
    for (size_t hour = 4; hour < HOURS; hour++)
        write_hour(&sink, hour);
    write_frame(&sink, MAXIMA, 0, 1);
    finish(&sink);
    check_directory("filled");
}

static void test_full_disk_while_joining(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("late"));
    const char *message = in_root("message");
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sink sink;
        open_output(&request, &sink);
        for (size_t hour = 0; hour < HOURS; hour++) {
            write_hour(&sink, hour);
            if (hour == 3)
                checkpoint_at(&sink, 4);
        }
        write_frame(&sink, MAXIMA, 0, 1);
        disk_left = 500000; // enough to close the segments, not enough to join them
        enum status status = sink.finish(sink.context);
        disk_left = 0;
        sink.abandon(sink.context);
        FILE *file = fopen(message, "w");
        if (file) {
            fputs(status_message(), file);
            fclose(file);
        }
        _exit(status_exit_code(status));
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), 74);
    shell("grep -q 'final.nc: .*no space left on device$' %s || { cat %s; false; }", message, message);
    assert_int_equal(entries_in(in_root("late")), 1); // partial/ alone
    assert_int_equal(entries_in(in_root("late/partial")), 5);
    resume_and_finish(&request, 4);
    check_directory("late");
}

static void test_file_system_without_links(void **state)
{
    (void)state;
    has_links = false;
    struct output_request request = request_for(in_root("linkless"));
    request.join = false;
    run_whole(&request); // one segment
    check_directory("linkless");
    run_and_crash(&request);
    resume_and_finish(&request, 4); // several: joined all the same
    check_directory("linkless");
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

static void test_requests_that_cannot_be(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("wrong"));
    const char *const units[] = {"days since 2011-03-11", "seconds since yesterday",
                                 "seconds since 2011-13-11", ""};
    for (int i = 0; i < 4; i++) {
        request.time_units = units[i];
        open_refused(&request, STATUS_CONFIGURATION, "seconds since YEAR-MONTH-DAY");
    }
    request.time_units = NULL;
    request.cache_bytes = 1000;
    open_refused(&request, STATUS_CONFIGURATION, "1000 bytes of netCDF cache are too few");
    request.cache_bytes = 0;
    struct stream broken = fields;
    const struct stream *const list[2] = {&broken, &gauges};
    request.streams = list;
    request.stream_count = 2;
    broken.name = "gauges";
    open_refused(&request, STATUS_SOFTWARE, "two output streams are named gauges");
    broken.name = "a/b";
    open_refused(&request, STATUS_SOFTWARE, "cannot be a file's");
    broken.name = "fields";
    broken.element = ELEMENT_I32;
    open_refused(&request, STATUS_SOFTWARE, "elements int32, expected float32 or float64");
    broken.element = ELEMENT_F32;
    broken.variables[1].axes[1] = 2;
    open_refused(&request, STATUS_SOFTWARE, "variable speed: dimension 1 is axis 2, expected 0 to 1");
    broken.variables[1].axes[1] = 0;
    broken.axes[0].length = 0;
    open_refused(&request, STATUS_SOFTWARE, "axis lon has no entries");
    request = request_for(in_root("file/results"));
    shell(": > %s", in_root("file"));
    open_refused(&request, STATUS_CANNOT_CREATE, in_root("file"));
}

static void test_frames_that_cannot_be(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("frames"));
    struct sink sink;
    open_output(&request, &sink);
    write_frame(&sink, DIAGNOSTICS, 3, 1);
    double time_s = time_of(DIAGNOSTICS, 3), data[3] = {0};
    struct frame frame = {.stream = DIAGNOSTICS, .records = 1, .times_s = &time_s, .data = data};
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE); // the same time again
    assert_non_null(strstr(status_message(), "does not come after"));
    time_s = NAN;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    frame.stream = STREAMS;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    frame.stream = MAXIMA;
    frame.records = 2;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    sink.abandon(sink.context);
    frame.records = 1;
    assert_int_equal(sink.write(sink.context, &frame), STATUS_SOFTWARE);
    assert_int_equal(sink.finish(sink.context), STATUS_SOFTWARE);
    output_close(&sink);
}

// ---- layout and memory

enum { WIDE = 1400, TALL = 1100 }; // 6.2 MB a record

static struct stream large_stream(void)
{
    struct stream large = fields;
    large.name = "large";
    large.axes[0] = (struct stream_axis){.name = "x", .length = WIDE};
    large.axes[1] = (struct stream_axis){.name = "y", .length = TALL};
    large.variable_count = 1;
    return large;
}

static void chunk_is(const char *path, const char *name, int rank, const size_t *expected, bool compressed)
{
    int ncid, id, storage, shuffle, deflate, level, found_rank;
    size_t chunk[4];
    NC_OK(nc_open(path, NC_NOWRITE, &ncid));
    NC_OK(nc_inq_varid(ncid, name, &id));
    NC_OK(nc_inq_varndims(ncid, id, &found_rank));
    assert_int_equal(found_rank, rank);
    NC_OK(nc_inq_var_chunking(ncid, id, &storage, chunk));
    assert_int_equal(storage, NC_CHUNKED);
    for (int k = 0; k < rank; k++)
        assert_int_equal(chunk[k], expected[k]);
    NC_OK(nc_inq_var_deflate(ncid, id, &shuffle, &deflate, &level));
    assert_int_equal(shuffle, compressed);
    assert_int_equal(deflate, compressed);
    if (compressed)
        assert_int_equal(level, 1);
    NC_OK(nc_close(ncid));
}

// Writes `records` large records with a checkpoint in the middle, and joins them.
static void run_large(const struct output_request *request, size_t records)
{
    struct sink sink;
    float *data = malloc(sizeof(float) * WIDE * TALL);
    assert_non_null(data);
    open_output(request, &sink);
    for (size_t r = 0; r < records; r++) {
        double time_s = (double)r;
        for (size_t i = 0; i < WIDE * TALL; i++)
            data[i] = i % 11 == 0 ? NAN : (float)(i % 1000) + (float)r;
        struct frame frame = {.stream = 0, .records = 1, .times_s = &time_s, .data = data};
        assert_int_equal(sink.write(sink.context, &frame), STATUS_OK);
        if (r == records / 2)
            checkpoint_at(&sink, 1);
    }
    finish(&sink);
    free(data);
}

static void check_large(const char *path, size_t records)
{
    int ncid, id;
    float *data = malloc(sizeof(float) * WIDE * TALL);
    assert_non_null(data);
    NC_OK(nc_open(path, NC_NOWRITE, &ncid));
    NC_OK(nc_inq_varid(ncid, "eta", &id));
    for (size_t r = 0; r < records; r++) {
        const size_t start[3] = {r, 0, 0}, count[3] = {1, TALL, WIDE};
        NC_OK(nc_get_vara_float(ncid, id, start, count, data));
        size_t wrong = 0;
        for (size_t i = 0; i < WIDE * TALL; i++)
            wrong +=
                i % 11 == 0 ? (size_t)!isnan(data[i]) : (size_t)(data[i] != (float)(i % 1000) + (float)r);
        assert_int_equal(wrong, 0);
    }
    NC_OK(nc_close(ncid));
    free(data);
}

static void test_large_fields_are_cut_into_chunks(void **state)
{
    (void)state;
    struct stream large = large_stream();
    const struct stream *const list[1] = {&large};
    struct output_request request = request_for(in_root("large"));
    request.streams = list;
    request.stream_count = 1;
    run_large(&request, 4);
    const size_t halves[3] = {1, TALL / 2, WIDE}; // 3.1 MB
    chunk_is(in_root("large/large.nc"), "eta", 3, halves, false);
    check_large(in_root("large/large.nc"), 4);
    request.compress = true;
    request.cache_bytes = 2 << 20; // two files' chunks must fit while joining
    run_large(&request, 3);
    const size_t small[3] = {1, 184, WIDE};
    chunk_is(in_root("large/large.nc"), "eta", 3, small, true);
    check_large(in_root("large/large.nc"), 3);
}

static void test_small_records_share_chunks(void **state)
{
    (void)state;
    struct output_request request = request_for(in_root("small"));
    request.compress = true;
    run_whole(&request);
    check_directory("small");
    const size_t many[3] = {1024, NY, NX}, series[2] = {1024, STATIONS};
    chunk_is(in_root("small/fields.nc"), "eta", 3, many, true);
    chunk_is(in_root("small/gauges.nc"), "u", 2, series, true);
    chunk_is(in_root("small/diagnostics.nc"), "mass", 1, many, true);
}

static size_t memory_in_use(void)
{
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

// What is allocated after many records is what was allocated after a few, and below the stated ceiling.
static void test_memory_is_bounded(void **state)
{
    (void)state;
    if (IS_SANITIZED) {
        print_message("skipped: a sanitizer's allocator does not say what is in use\n");
        skip();
    }
    struct output_request request = request_for(in_root("bounded"));
    struct sink sink;
    size_t before = memory_in_use(), early = 0, most = 0;
    open_output(&request, &sink);
    for (size_t hour = 0; hour < 3000; hour++) {
        write_frame(&sink, FIELDS, hour, 1);
        write_frame(&sink, DIAGNOSTICS, hour, 1);
        write_frame(&sink, GAUGES, 4 * hour, 4);
        size_t used = memory_in_use() - before;
        most = used > most ? used : most;
        if (hour == 200)
            early = most;
    }
    write_frame(&sink, MAXIMA, 0, 1);
    size_t ceiling = output_memory_bytes(&request);
    assert_true(most <= ceiling);
    assert_true(most < early + 200000); // the index of the chunks is cached, up to a limit
    finish(&sink);
}

static void test_memory_of_large_fields_is_as_stated(void **state)
{
    (void)state;
    if (IS_SANITIZED) {
        print_message("skipped: a sanitizer's allocator does not say what is in use\n");
        skip();
    }
    struct stream large = large_stream();
    const struct stream *const list[1] = {&large};
    for (int compress = 0; compress < 2; compress++) {
        struct output_request request = request_for(in_root("stated"));
        request.streams = list;
        request.stream_count = 1;
        request.compress = compress;
        struct sink sink;
        float *data = calloc(WIDE * TALL, sizeof *data);
        assert_non_null(data);
        size_t before = memory_in_use(), most = 0;
        open_output(&request, &sink);
        for (size_t r = 0; r < 6; r++) {
            double time_s = (double)r;
            struct frame frame = {.stream = 0, .records = 1, .times_s = &time_s, .data = data};
            assert_int_equal(sink.write(sink.context, &frame), STATUS_OK);
            size_t used = memory_in_use() - before;
            most = used > most ? used : most;
        }
        assert_true(most <= output_memory_bytes(&request));
        assert_true(most >= (size_t)WIDE * TALL * 2); // the ceiling is no fantasy: a chunk is really held
        finish(&sink);
        free(data);
    }
}

static void test_no_file_stays_open(void **state)
{
    (void)state;
    if (!is_there("/proc/self/fd")) {
        print_message("skipped: no /proc here\n");
        skip();
    }
    struct output_request request = request_for(in_root("open"));
    int before = entries_in("/proc/self/fd");
    run_whole(&request);
    struct sink sink;
    open_output(&request, &sink);
    write_hour(&sink, 0);
    checkpoint_at(&sink, 1);
    write_hour(&sink, 1);
    output_close(&sink);
    assert_int_equal(entries_in("/proc/self/fd"), before);
}

static void test_writes_go_through_the_test(void **state)
{
    (void)state;
    // Otherwise the tests of the full disk would prove nothing.
    disk_written = 0;
    struct output_request request = request_for(in_root("through"));
    run_whole(&request);
    assert_true(disk_written > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_whole_run, clean),
        cmocka_unit_test_teardown(test_metadata, clean),
        cmocka_unit_test_teardown(test_ncdump, clean),
        cmocka_unit_test_teardown(test_xarray, clean),
        cmocka_unit_test_teardown(test_cdo, clean),
        cmocka_unit_test_teardown(test_segments_joined_are_the_whole_run, clean),
        cmocka_unit_test_teardown(test_unjoined_segments_and_stale_files, clean),
        cmocka_unit_test_teardown(test_resume_after_a_crash, clean),
        cmocka_unit_test_teardown(test_damaged_checkpoint_falls_back_to_the_older, clean),
        cmocka_unit_test_teardown(test_no_checkpoint_to_be_found, clean),
        cmocka_unit_test_teardown(test_resume_misses_a_segment, clean),
        cmocka_unit_test_teardown(test_resume_after_a_crash_while_finishing, clean),
        cmocka_unit_test_teardown(test_abandon_keeps_what_the_checkpoint_needs, clean),
        cmocka_unit_test_teardown(test_abandon_without_checkpoint_leaves_old_results, clean),
        cmocka_unit_test_teardown(test_afresh_removes_an_unfinished_run, clean),
        cmocka_unit_test_teardown(test_foreign_files_in_partial_stay, clean),
        cmocka_unit_test_teardown(test_streams_without_records, clean),
        cmocka_unit_test_teardown(test_writes_go_through_the_test, clean),
        cmocka_unit_test_teardown(test_full_disk, clean),
        cmocka_unit_test_teardown(test_full_disk_leaves_the_checkpoint, clean),
        cmocka_unit_test_teardown(test_full_disk_while_joining, clean),
        cmocka_unit_test_teardown(test_file_system_without_links, clean),
        cmocka_unit_test_teardown(test_requests_that_cannot_be, clean),
        cmocka_unit_test_teardown(test_frames_that_cannot_be, clean),
        cmocka_unit_test_teardown(test_large_fields_are_cut_into_chunks, clean),
        cmocka_unit_test_teardown(test_small_records_share_chunks, clean),
        cmocka_unit_test_teardown(test_memory_is_bounded, clean),
        cmocka_unit_test_teardown(test_memory_of_large_fields_is_as_stated, clean),
        cmocka_unit_test_teardown(test_no_file_stays_open, clean),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
