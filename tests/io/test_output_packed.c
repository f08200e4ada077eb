// io/output: numbers rounded to multiples of a resolution and stored as integers (core/stream.h).
#include "tests/support/test.h"

#include "io/netcdf/result.h"
#include "io/output/output.h"
#include "io/output/pack.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"
#include "tests/support/trial_run.h"

#include <limits.h>
#include <math.h>
#include <sys/stat.h>

enum { NX = 1300, NY = 1000, NODES = NX * NY }; // 5.2 MB a record: two parts
enum { RECORDS = 4, PART = 2 };                 // a checkpoint after each part of the records
static const double resolution_m = 1e-4, resolution_m_s = 1e-3;
static const size_t far_node = NODES - 2;

// A wave of some metres with land, beside a velocity that is not rounded and one that is. cos(x + y), x of
// the column, y of the row, the record and the variable, from tables: tens of millions of numbers are asked
// for.
static struct cosine_and_sine {
    double cosine, sine;
} of_column[NX], of_row[3][RECORDS][NY];

static struct cosine_and_sine at_angle(double angle)
{
    return (struct cosine_and_sine){cos(angle), sin(angle)};
}

static int setup(void **state)
{
    static const double shifts[3] = {-1.5707963267948966, 1, 2};
    for (int i = 0; i < NX; i++)
        of_column[i] = at_angle(0.01 * i);
    for (int v = 0; v < 3; v++)
        for (int r = 0; r < RECORDS; r++)
            for (int j = 0; j < NY; j++)
                of_row[v][r][j] = at_angle(0.013 * j + 0.3 * r + shifts[v]);
    return folder_make(state);
}

TEST_SUITE(.group_setup = setup, .group_teardown = folder_remove, .teardown = trial_clean);

static double value_of(int variable, size_t record, size_t node)
{
    if (variable != 1 && node % 7 == 3)
        return NAN;
    if (variable == 0 && node == far_node)
        return 41.23456; // more than 16 bits hold at this resolution
    const struct cosine_and_sine x = of_column[node % NX], y = of_row[variable][record][node / NX];
    return (variable == 0 ? 2.5 : 0.3) * (x.cosine * y.cosine - x.sine * y.sine);
}

static struct stream packed_stream(enum element element, double resolution)
{
    static const char *const names[3] = {"eta", "u", "v"};
    struct stream stream = {.name = "packed",
                            .title = "waves",
                            .has_records = true,
                            .element = element,
                            .records_per_frame = 1,
                            .axis_count = 2,
                            .axes = {{.name = "y", .length = NY}, {.name = "x", .length = NX}},
                            .variable_count = 3};
    for (int v = 0; v < 3; v++)
        stream.variables[v] = (struct stream_variable){.name = names[v],
                                                       .long_name = names[v],
                                                       .units = v == 0 ? "m" : "m s-1",
                                                       .rank = 2,
                                                       .axes = {0, 1},
                                                       .has_missing = v != 1};
    stream.variables[0].resolution = resolution;
    stream.variables[2].resolution = resolution > 0 ? resolution_m_s : 0;
    return stream;
}

static void write_records(struct sink *sink, enum element element, int first, int end)
{
    void *data = owned_zeros(3 * NODES, element_bytes(element));
    for (int r = first; r < end; r++) {
        double time_s = 60.0 * r;
        for (size_t k = 0; k < 3 * NODES; k++) {
            const double value = value_of((int)(k / NODES), (size_t)r, k % NODES);
            if (element == ELEMENT_F32)
                ((float *)data)[k] = (float)value;
            else
                ((double *)data)[k] = value;
        }
        const struct frame frame = {.stream = 0, .records = 1, .times_s = &time_s, .data = data};
        assert_int_equal(sink->write(sink->context, &frame), STATUS_OK);
    }
}

static struct output_request request_of(const char *folder, const struct stream *const *list)
{
    struct output_request request = trial_request(folder_path("%s", folder));
    request.streams = list;
    request.stream_count = 1;
    return request;
}

// With a checkpoint after each part of the records; the segments are joined.
static void write_whole(const char *folder, const struct stream *stream)
{
    const struct stream *const list[1] = {stream};
    const struct output_request request = request_of(folder, list);
    struct sink sink;
    trial_open(&request, &sink);
    for (int r = 0; r < RECORDS; r += PART) {
        write_records(&sink, stream->element, r, r + PART);
        trial_checkpoint(&sink, r + PART);
    }
    trial_finish(&sink);
}

static double size_of(const char *path)
{
    struct stat information;
    assert_int_equal(stat(path, &information), 0);
    return (double)information.st_size;
}

static double attribute_of(int ncid, int id, const char *name)
{
    double value;
    NC(nc_get_att_double(ncid, id, name, &value));
    return value;
}

static void check_bound(const char *path, enum element element, int variable, double bound)
{
    static const char *const names[3] = {"eta", "u", "v"};
    struct result_file *file;
    double *values, low = INFINITY, high = -INFINITY, range[2];
    size_t length, wrong = 0;
    int ncid, id;
    assert_int_equal(result_open(path, &file), STATUS_OK);
    assert_int_equal(result_read_all(file, names[variable], &values, &length), STATUS_OK);
    assert_int_equal(length, (size_t)RECORDS * NODES);
    for (size_t k = 0; k < length; k++) {
        const double exact = value_of(variable, k / NODES, k % NODES);
        const double given = element == ELEMENT_F32 ? (double)(float)exact : exact;
        wrong += isnan(given) ? (size_t)!isnan(values[k])
                              : (size_t) !(fabs(values[k] - given) <= bound * (1 + 1e-6));
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    free(values);
    result_close(file);
    assert_int_equal(wrong, 0);
    NC(nc_open(path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, names[variable], &id));
    if (bound > 0) {
        assert_true(attribute_of(ncid, id, "scale_factor") == 2 * bound);
        assert_true(attribute_of(ncid, id, "largest_rounding_error") == bound);
    }
    NC(nc_get_att_double(ncid, id, "actual_range", range));
    assert_true(range[0] == low && range[1] == high);
    NC(nc_close(ncid));
}

TEST(test_the_error_is_at_most_half_the_resolution)
{
    static const enum element elements[2] = {ELEMENT_F32, ELEMENT_F64};
    for (int k = 0; k < 2; k++) {
        const struct stream packed = packed_stream(elements[k], resolution_m);
        write_whole("bound", &packed);
        check_bound(folder_path("bound/packed.nc"), elements[k], 0, 0.5 * resolution_m);
        check_bound(folder_path("bound/packed.nc"), elements[k], 1, 0); // not rounded
        check_bound(folder_path("bound/packed.nc"), elements[k], 2, 0.5 * resolution_m_s);
    }
}

TEST(test_packed_files_are_smaller)
{
    const struct stream packed = packed_stream(ELEMENT_F32, resolution_m);
    const struct stream plain = packed_stream(ELEMENT_F32, 0);
    write_whole("small", &packed);
    write_whole("large", &plain);
    // One variable of three is as it was.
    const double one = (double)RECORDS * NODES * sizeof(float);
    assert_true(size_of(folder_path("large/packed.nc")) > 3 * one);
    assert_true(size_of(folder_path("small/packed.nc")) - one < one);
}

// Two records, a checkpoint, one more that is lost, and on from the checkpoint.
TEST(test_a_resumed_run_gives_the_same_file)
{
    const struct stream packed = packed_stream(ELEMENT_F32, resolution_m);
    const struct stream *const list[1] = {&packed};
    struct output_request request = request_of("resumed", list);
    struct checkpoint_header header = {0};
    struct sink sink;
    char path[PATH_BYTES];
    trial_open(&request, &sink);
    write_records(&sink, ELEMENT_F32, 0, PART);
    assert_int_equal(trial_try_checkpoint(&sink, PART, &header), STATUS_OK);
    write_records(&sink, ELEMENT_F32, PART, PART + 1);
    sink.abandon(sink.context);
    output_close(&sink);
    assert_int_equal(output_find_complete(&request, NULL, NULL, path), STATUS_OK);
    request.resume_path = path;
    request.resume = &header;
    trial_open(&request, &sink);
    write_records(&sink, ELEMENT_F32, PART, RECORDS);
    trial_checkpoint(&sink, RECORDS);
    trial_finish(&sink);
    write_whole("whole", &packed);
    const char *const files[2] = {"resumed/packed.nc", "whole/packed.nc"};
    size_t bytes[2];
    char *content[2];
    for (int k = 0; k < 2; k++) {
        bytes[k] = (size_t)size_of(folder_path("%s", files[k]));
        content[k] = owned_zeros(bytes[k], 1);
        FILE *file = fopen(folder_path("%s", files[k]), "rb");
        assert_non_null(file);
        assert_int_equal(fread(content[k], 1, bytes[k], file), bytes[k]);
        fclose(file);
    }
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(content[0], content[1], bytes[0]);
}

// The integers of numbers near 0 differ in the lowest byte alone, whatever their signs; that of missing ones
// from still water in the highest. What is read of still water is 0, not nearly.
TEST(test_signs_change_one_byte)
{
    static const double steps[4] = {0, -1, 127, -128};
    const struct stream packed = packed_stream(ELEMENT_F64, resolution_m);
    const struct stream_variable *variable = &packed.variables[0];
    int integers[5];
    double values[5];
    for (int k = 0; k < 4; k++)
        values[k] = steps[k] * resolution_m;
    values[4] = NAN;
    assert_true(output_pack_numbers(variable, ELEMENT_F64, values, 5, integers));
    for (int k = 0; k < 4; k++)
        assert_int_equal(integers[k] >> 8, integers[0] >> 8);
    assert_int_equal(integers[4] ^ integers[0], INT_MIN);
    const struct output_range still = output_packed_range(variable, integers, 1);
    assert_true(still.low == 0 && still.high == 0);
    const struct output_range all = output_packed_range(variable, integers, 5);
    assert_true(fabs(all.low + 0.0128) < 1e-15 && fabs(all.high - 0.0127) < 1e-15);
    assert_true(output_packed_range(variable, integers + 4, 1).low > 0); // none
}

// Integers of a version that counted them otherwise stand for other numbers.
TEST(test_segments_packed_otherwise_are_refused)
{
    const struct stream packed = packed_stream(ELEMENT_F32, resolution_m);
    const struct stream *const list[1] = {&packed};
    const struct output_request request = request_of("old", list);
    struct checkpoint_header header = {0};
    struct sink sink;
    char path[PATH_BYTES];
    int ncid, id;
    trial_open(&request, &sink);
    write_records(&sink, ELEMENT_F32, 0, PART);
    assert_int_equal(trial_try_checkpoint(&sink, PART, &header), STATUS_OK);
    sink.abandon(sink.context);
    output_close(&sink);
    NC(nc_open(folder_path("old/partial/packed.0000.nc"), NC_WRITE, &ncid));
    NC(nc_inq_varid(ncid, "eta", &id));
    NC(nc_del_att(ncid, id, "add_offset"));
    NC(nc_close(ncid));
    assert_failure(output_find_complete(&request, NULL, NULL, path), STATUS_DATA, "packed.0000.nc",
                   "variable eta: add_offset");
}

static void check_refused(double value, bool has_missing, double resolution, const char *part)
{
    struct stream packed = packed_stream(ELEMENT_F64, resolution);
    const struct stream *const list[1] = {&packed};
    struct sink sink;
    packed.axes[0].length = packed.axes[1].length = 4;
    packed.variable_count = 1;
    packed.variables[0].has_missing = has_missing;
    const struct output_request request = request_of("refused", list);
    double data[16] = {[13] = value}, time_s = 0;
    const struct frame frame = {.stream = 0, .records = 1, .times_s = &time_s, .data = data};
    trial_open(&request, &sink);
    assert_int_equal(sink.write(sink.context, &frame), part ? STATUS_DATA : STATUS_OK);
    if (part)
        assert_non_null(strstr(status_message(), part));
    status_clear();
    sink.abandon(sink.context);
    output_close(&sink);
}

TEST(test_numbers_that_do_not_fit_are_refused)
{
    check_refused(214745.0751, true, 1e-4, NULL); // the last
    check_refused(-214745.0751, true, 1e-4, NULL);
    check_refused(214745.0752, true, 1e-4,
                  "variable eta: 214745 m cannot be stored at a resolution of 0.0001 m");
    check_refused(-214745.0752, true, 1e-4, "cannot be stored");
    check_refused(-214748.3648 + 3.2896, true, 1e-4, "cannot be stored"); // stands for missing
    check_refused(1e300, true, 1e-6, "1e+300 m cannot be stored");
    check_refused(INFINITY, true, 1e-4, "inf m cannot be stored");
    check_refused(NAN, true, 1e-4, NULL);
    check_refused(NAN, false, 1e-4, "nan m cannot be stored");
}

TEST(test_resolutions_of_other_streams_are_refused)
{
    struct sink sink;
    for (int k = 0; k < 4; k++) {
        struct stream packed = packed_stream(ELEMENT_F32, 1e-4);
        const struct stream *const list[1] = {&packed};
        const struct output_request request = request_of("other", list);
        packed.has_records = k != 0;
        packed.variables[0].resolution = k == 1 ? -1 : k == 2 ? INFINITY : k == 3 ? NAN : 1e-4;
        assert_int_equal(output_open(&request, &sink), STATUS_SOFTWARE);
        status_clear();
    }
}
