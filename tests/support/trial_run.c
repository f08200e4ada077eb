// A trial run's streams, written and read back: see trial_run.h. Knows io/output/output.h and netCDF, no
// model.
#include "tests/support/trial_run.h"

#include "io/checkpoint.h"
#include "tests/support/asserts.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

#include <sys/wait.h>

// ---- what is written

static const double longitude[TRIAL_NX] = {178, 179, 180, 181, 182, 183, 184},
                    latitude[TRIAL_NY] = {-2, -1, 0, 1, 2};
static const double threshold[TRIAL_THRESHOLDS] = {0.01, 0.1};
static const double station_longitude[TRIAL_STATIONS] = {178.5, 180.25, 183.0};
static const double station_latitude[TRIAL_STATIONS] = {-1.5, 0.0, 1.25};
static const double station_depth[TRIAL_STATIONS] = {4000, NAN, 12.5};
static const char *const station_name[TRIAL_STATIONS] = {"21418", "Ōarai", "x"};

#define AXIS_LONGITUDE                                                                                       \
    {                                                                                                        \
        "lon", "longitude", "longitude", "degrees_east", 'X', TRIAL_NX, longitude                            \
    }
#define AXIS_LATITUDE                                                                                        \
    {                                                                                                        \
        "lat", "latitude", "latitude", "degrees_north", 'Y', TRIAL_NY, latitude                              \
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
    .axes = {{.name = "station", .length = TRIAL_STATIONS}},
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
    .axes = {AXIS_LONGITUDE,
             AXIS_LATITUDE,
             {"threshold", NULL, "threshold", "m", 0, TRIAL_THRESHOLDS, threshold}},
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

const struct stream *const trial_streams[TRIAL_STREAMS] = {&fields, &gauges, &diagnostics, &maxima};

double trial_value(int s, int v, size_t record, size_t element)
{
    double value =
        sin(0.1 + s + 0.37 * v + 0.011 * (double)record + 0.0007 * (double)element) * (v + 1) * 3.25;
    if (trial_streams[s]->variables[v].has_missing && (element + record) % 5 == 0)
        return NAN;
    return value;
}

double trial_time_s(int s, size_t record)
{
    return (double)record * (s == TRIAL_GAUGES ? 60.0 : 1800.0) + 0.125;
}

void trial_write(struct sink *sink, int s, size_t first, size_t records)
{
    const struct stream *stream = trial_streams[s];
    double *times = owned_zeros((records + 1), sizeof *times);
    unsigned char *data = owned_zeros(records * stream_record_bytes(stream) + 1, 1);
    size_t at = 0;
    for (size_t r = first; r < first + records; r++) {
        times[r - first] = trial_time_s(s, r);
        for (int v = 0; v < stream->variable_count; v++)
            for (size_t i = 0; i < stream_variable_length(stream, &stream->variables[v]); i++, at++) {
                double value = trial_value(s, v, r, i);
                if (stream->element == ELEMENT_F32)
                    ((float *)(void *)data)[at] = (float)value;
                else
                    ((double *)(void *)data)[at] = value;
            }
    }
    struct frame frame = {.stream = s, .records = records, .times_s = times, .data = data};
    enum status status = sink->write(sink->context, &frame);
    owned_end(times); // tests measure the memory in use
    owned_end(data);
    assert_int_equal(status, STATUS_OK);
}

void trial_write_hour(struct sink *sink, size_t hour)
{
    trial_write(sink, TRIAL_FIELDS, hour, 1);
    trial_write(sink, TRIAL_DIAGNOSTICS, hour, 1);
    trial_write(sink, TRIAL_GAUGES, 30 * hour, 11);
    trial_write(sink, TRIAL_GAUGES, 30 * hour + 11, 0);
    trial_write(sink, TRIAL_GAUGES, 30 * hour + 11, 19);
}

// ---- the run

struct output_request trial_request(const char *directory)
{
    return (struct output_request){
        .directory = directory,
        .streams = trial_streams,
        .stream_count = TRIAL_STREAMS,
        .title = "Test 2011",
        .source = "Fathom 0.1.0",
        .history = "2011-03-12T00:00:00Z fathom run test.json",
        .references = "doi:10.0/none",
        .comment = "of a test",
        .time_units = "seconds since 2011-03-11 05:46:24",
        .join = true,
    };
}

void trial_open(const struct output_request *request, struct sink *sink)
{
    enum status status = output_open(request, sink);
    if (status != STATUS_OK)
        fail_msg("output_open: %s", status_message());
}

static double state_array[3] = {1, 2, 3};
static const struct checkpoint_array state_arrays[1] = {{"state", state_array, sizeof state_array}};

enum status trial_try_checkpoint(struct sink *sink, int64_t step, struct checkpoint_header *header)
{
    *header = (struct checkpoint_header){.step = step, .steps_run = step, .version = "0.1.0"};
    state_array[0] = (double)step;
    return sink->checkpoint(sink->context, header, state_arrays, 1);
}

void trial_checkpoint(struct sink *sink, int64_t step)
{
    struct checkpoint_header header;
    assert_int_equal(trial_try_checkpoint(sink, step, &header), STATUS_OK);
}

void trial_finish(struct sink *sink)
{
    enum status status = sink->finish(sink->context);
    if (status != STATUS_OK)
        fail_msg("finish: %s", status_message());
    output_close(sink);
}

void trial_run_whole(const struct output_request *request)
{
    struct sink sink;
    trial_open(request, &sink);
    for (size_t hour = 0; hour < TRIAL_HOURS; hour++)
        trial_write_hour(&sink, hour);
    trial_write(&sink, TRIAL_MAXIMA, 0, 1);
    trial_finish(&sink);
}

void trial_crash(const struct output_request *request)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sink sink;
        if (output_open(request, &sink) != STATUS_OK)
            _exit(1);
        trial_write(&sink, TRIAL_MAXIMA, 0, 1);
        for (size_t hour = 0; hour < 5; hour++) {
            trial_write_hour(&sink, hour);
            if (hour == 1 || hour == 3)
                trial_checkpoint(&sink, (int64_t)hour + 1);
        }
        _exit(0);
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
}

void trial_resume(struct output_request *request, int64_t expected_step)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    double array[3];
    const struct checkpoint_array arrays[1] = {{"state", array, sizeof array}};
    assert_int_equal(output_find_checkpoint(request->directory, path), STATUS_OK);
    assert_int_equal(checkpoint_read(path, &header, arrays, 1), STATUS_OK);
    assert_int_equal(header.step, expected_step);
    assert_true(array[0] == (double)expected_step);
    assert_int_equal(header.records[TRIAL_FIELDS], expected_step);
    assert_int_equal(header.records[TRIAL_GAUGES], 30 * expected_step);
    const char *file = format_text("%s/partial/maxima.static.nc", request->directory);
    assert_true(header.records[TRIAL_MAXIMA] == 0 || access(file, F_OK) == 0);
    request->resume = &header;
    request->resume_path = path;
    struct sink sink;
    trial_open(request, &sink);
    for (size_t hour = (size_t)expected_step; hour < TRIAL_HOURS; hour++) {
        trial_write_hour(&sink, hour);
        if (hour == 6)
            trial_checkpoint(&sink, (int64_t)hour + 1);
    }
    trial_finish(&sink);
    request->resume = NULL;
    request->resume_path = NULL;
}

int trial_clean(void **state)
{
    status_clear();
    folder_clear();
    return 0;
}

// ---- reading back

size_t trial_records(int s)
{
    return s == TRIAL_GAUGES ? 30 * TRIAL_HOURS : TRIAL_HOURS;
}

void trial_assert_file(const char *path, int s, size_t first, size_t count)
{
    const struct stream *stream = trial_streams[s];
    int ncid, id;
    size_t records = 1;
    NC(nc_open(path, NC_NOWRITE, &ncid));
    if (stream->has_records) {
        NC(nc_inq_dimid(ncid, "time", &id));
        NC(nc_inq_dimlen(ncid, id, &records));
        assert_int_equal(records, count);
        NC(nc_inq_varid(ncid, "time", &id));
        for (size_t r = 0; r < records; r++) {
            double time;
            NC(nc_get_var1_double(ncid, id, &r, &time));
            assert_true(time == trial_time_s(s, first + r));
        }
    }
    for (int v = 0; v < stream->variable_count; v++) {
        size_t length = stream_variable_length(stream, &stream->variables[v]);
        double *values = owned_zeros(records * length * sizeof *values + 1, 1);
        NC(nc_inq_varid(ncid, stream->variables[v].name, &id));
        NC(nc_get_var_double(ncid, id, values));
        for (size_t r = 0; r < records; r++)
            for (size_t i = 0; i < length; i++) {
                double expected = trial_value(s, v, first + r, i), found = values[r * length + i];
                if (stream->element == ELEMENT_F32)
                    expected = (double)(float)expected;
                if (!(found == expected || (isnan(found) && isnan(expected))))
                    fail_msg("%s: %s, record %zu, element %zu: %.17g, expected %.17g", path,
                             stream->variables[v].name, r, i, found, expected);
            }
    }
    NC(nc_close(ncid));
}

void trial_assert_results(const char *directory)
{
    for (int s = 0; s < TRIAL_STREAMS; s++)
        trial_assert_file(folder_path("%s/%s.nc", directory, trial_streams[s]->name), s, 0, trial_records(s));
    assert_int_equal(folder_count(directory), TRIAL_STREAMS);
}

void trial_assert_range(int ncid, int s, int v)
{
    const struct stream *stream = trial_streams[s];
    double low = INFINITY, high = -INFINITY, range[2];
    int id;
    nc_type type;
    size_t length;
    for (size_t r = 0; r < (stream->has_records ? trial_records(s) : 1); r++)
        for (size_t i = 0; i < stream_variable_length(stream, &stream->variables[v]); i++) {
            double value = trial_value(s, v, r, i);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    NC(nc_inq_varid(ncid, stream->variables[v].name, &id));
    NC(nc_inq_att(ncid, id, "actual_range", &type, &length));
    assert_int_equal(type, stream->element == ELEMENT_F32 ? NC_FLOAT : NC_DOUBLE);
    assert_int_equal(length, 2);
    NC(nc_get_att_double(ncid, id, "actual_range", range));
    if (stream->element == ELEMENT_F32) {
        low = (double)(float)low;
        high = (double)(float)high;
    }
    assert_true(range[0] == low && range[1] == high);
}
