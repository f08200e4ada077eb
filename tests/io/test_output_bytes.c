// io/output: streams of bytes (spins, flags), and streams that are internal and have no file: what the files
// hold, segments, resuming.
#include "tests/support/test.h"

#include "io/checkpoint.h"
#include "io/output/output.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"

enum { ROWS = 3, BYTES = 5, RECORDS = 7 };
enum { STREAM_MAPS, STREAM_HIDDEN, STREAM_LAST, STREAMS };

static const struct stream maps = {
    .name = "maps",
    .title = "maps",
    .has_records = true,
    .element = ELEMENT_U8,
    .records_per_frame = 2,
    .axis_count = 2,
    .axes = {{.name = "row", .length = ROWS}, {.name = "byte", .length = BYTES}},
    .variable_count = 2,
    .variables = {{.name = "packed", .long_name = "packed", .units = "1", .rank = 2, .axes = {0, 1}},
                  {.name = "count", .long_name = "count", .units = "1"}}};
static const struct stream hidden = {.name = "hidden",
                                     .title = "hidden",
                                     .has_records = true,
                                     .is_internal = true,
                                     .element = ELEMENT_F64,
                                     .records_per_frame = 2,
                                     .variable_count = 1,
                                     .variables = {{.name = "value", .long_name = "value", .units = "1"}}};
static const struct stream last = {
    .name = "last",
    .title = "at the end",
    .element = ELEMENT_U8,
    .flag_meanings = "down up",
    .records_per_frame = 1,
    .axis_count = 1,
    .axes = {{.name = "column", .length = BYTES}},
    .variable_count = 1,
    .variables = {{.name = "spins", .long_name = "spin", .units = "1", .rank = 1, .axes = {0}}}};
static const struct stream *const streams[STREAMS] = {&maps, &hidden, &last};

static struct output_request request_to(const char *directory)
{
    return (struct output_request){.directory = directory,
                                   .streams = streams,
                                   .stream_count = STREAMS,
                                   .title = "Test",
                                   .source = "Fathom 0.1.0",
                                   .time_units = "1",
                                   .join = true};
}

// Values from 16 to 255: the largest is also netCDF's usual mark of what was never written.
static unsigned char value_of(size_t record, size_t element)
{
    return (unsigned char)(255 - (31 * record + 7 * element) % 240);
}

static enum status write_records(struct sink *sink, int stream, size_t first, size_t records)
{
    unsigned char bytes[2 * (ROWS * BYTES + 1)];
    double values[2] = {0.5, 1.5}, times[2];
    for (size_t r = 0; r < records; r++) {
        times[r] = (double)(first + r + 1);
        for (size_t i = 0; i < ROWS * BYTES; i++)
            bytes[r * (ROWS * BYTES + 1) + i] = value_of(first + r, i);
        bytes[r * (ROWS * BYTES + 1) + ROWS * BYTES] = (unsigned char)(first + r);
    }
    const struct frame frame = {.stream = stream,
                                .records = records,
                                .times_s = times,
                                .data = stream == STREAM_MAPS ? (void *)bytes : values};
    return sink->write(sink->context, &frame);
}

static void open_sink(const struct output_request *request, struct sink *sink)
{
    if (output_open(request, sink) != STATUS_OK)
        fail_msg("open: %s", status_message());
}

static double state_array[1];
static const struct checkpoint_array state_arrays[1] = {{"state", state_array, sizeof state_array}};

static void save(struct sink *sink, struct checkpoint_header *header)
{
    *header = (struct checkpoint_header){.step = 1, .version = "0.1.0"};
    assert_int_equal(sink->checkpoint(sink->context, header, state_arrays, 1), STATUS_OK);
}

static void write_rest(struct sink *sink)
{
    const unsigned char spins[BYTES] = {0, 1, 1, 0, 1};
    const struct frame frame = {.stream = STREAM_LAST, .records = 1, .data = (void *)(uintptr_t)spins};
    for (size_t k = 2; k < RECORDS; k += 2) {
        const size_t records = k + 1 < RECORDS ? 2 : 1;
        assert_int_equal(write_records(sink, STREAM_MAPS, k, records), STATUS_OK);
        assert_int_equal(write_records(sink, STREAM_HIDDEN, k, records), STATUS_OK);
    }
    assert_int_equal(sink->write(sink->context, &frame), STATUS_OK);
    if (sink->finish(sink->context) != STATUS_OK)
        fail_msg("finish: %s", status_message());
}

static void assert_no_fill(int file, int id)
{
    size_t length;
    assert_int_equal(nc_inq_att(file, id, "_FillValue", NULL, &length), NC_ENOTATT);
}

static void assert_files(void)
{
    int file, id;
    nc_type type;
    unsigned char bytes[RECORDS * ROWS * BYTES], range[2], flags[2], spins[BYTES];
    char text[32] = "";
    NC(nc_open(folder_path("out/maps.nc"), NC_NOWRITE, &file));
    NC(nc_inq_varid(file, "packed", &id));
    NC(nc_inq_vartype(file, id, &type));
    assert_int_equal(type, NC_UBYTE);
    assert_no_fill(file, id);
    NC(nc_get_var_uchar(file, id, bytes));
    for (size_t k = 0; k < sizeof bytes; k++)
        assert_int_equal(bytes[k], value_of(k / (ROWS * BYTES), k % (ROWS * BYTES)));
    NC(nc_inq_varid(file, "count", &id));
    NC(nc_get_var_uchar(file, id, bytes));
    for (size_t k = 0; k < RECORDS; k++)
        assert_int_equal(bytes[k], k);
    NC(nc_inq_atttype(file, id, "actual_range", &type));
    NC(nc_get_att_uchar(file, id, "actual_range", range));
    assert_true(type == NC_UBYTE && range[0] == 0 && range[1] == RECORDS - 1);
    NC(nc_close(file));
    NC(nc_open(folder_path("out/last.nc"), NC_NOWRITE, &file));
    NC(nc_inq_varid(file, "spins", &id));
    NC(nc_get_var_uchar(file, id, spins));
    assert_memory_equal(spins, ((unsigned char[]){0, 1, 1, 0, 1}), BYTES);
    NC(nc_inq_atttype(file, id, "flag_values", &type));
    NC(nc_get_att_uchar(file, id, "flag_values", flags));
    assert_true(type == NC_UBYTE && flags[0] == 0 && flags[1] == 1);
    NC(nc_get_att_text(file, id, "flag_meanings", text));
    assert_string_equal(text, "down up");
    NC(nc_close(file));
    assert_int_equal(folder_count("out"), 2); // nothing of the stream that is hidden
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

TEST(test_segments_of_bytes_are_joined)
{
    const struct output_request request = request_to(folder_path("out"));
    struct sink sink;
    struct checkpoint_header header;
    open_sink(&request, &sink);
    assert_int_equal(write_records(&sink, STREAM_HIDDEN, 0, 2), STATUS_OK);
    assert_int_equal(write_records(&sink, STREAM_MAPS, 0, 2), STATUS_OK);
    save(&sink, &header);
    assert_int_equal(header.records[STREAM_MAPS], 2);
    assert_int_equal(header.records[STREAM_HIDDEN], 2);
    write_rest(&sink);
    output_close(&sink);
    assert_files();
}

TEST(test_resumed)
{
    struct output_request request = request_to(folder_path("out"));
    struct sink sink;
    struct checkpoint_header header;
    char path[PATH_BYTES];
    open_sink(&request, &sink);
    assert_int_equal(write_records(&sink, STREAM_HIDDEN, 0, 2), STATUS_OK);
    assert_int_equal(write_records(&sink, STREAM_MAPS, 0, 2), STATUS_OK);
    save(&sink, &header);
    assert_int_equal(write_records(&sink, STREAM_MAPS, 2, 2), STATUS_OK); // lost
    sink.abandon(sink.context);
    output_close(&sink);
    assert_int_equal(output_find_checkpoint(folder_path("out"), path), STATUS_OK);
    assert_int_equal(checkpoint_verify(path, &header), STATUS_OK);
    request.resume_path = path;
    request.resume = &header;
    open_sink(&request, &sink);
    write_rest(&sink);
    output_close(&sink);
    assert_files();
}

static size_t chunk_records(const char *path, const char *variable)
{
    int file, id, storage;
    size_t chunk[3];
    NC(nc_open(folder_path("%s", path), NC_NOWRITE, &file));
    NC(nc_inq_varid(file, variable, &id));
    NC(nc_inq_var_chunking(file, id, &storage, chunk));
    NC(nc_close(file));
    assert_int_equal(storage, NC_CHUNKED);
    return chunk[0];
}

// A segment of two records does not take the space of a thousand; the joined file is laid out as ever.
TEST(test_chunks_of_segments)
{
    static const char *const variables[] = {"count", "time", "model_time", "packed"};
    struct output_request request = request_to(folder_path("out"));
    struct sink sink;
    struct checkpoint_header header;
    request.segment_records[STREAM_MAPS] = 2;
    assert_true(output_file_bytes(&request, STREAM_MAPS, true) +
                    1022 * (1 + ROWS * BYTES + 2 * sizeof(double)) ==
                output_file_bytes(&request, STREAM_MAPS, false));
    open_sink(&request, &sink);
    assert_int_equal(write_records(&sink, STREAM_HIDDEN, 0, 2), STATUS_OK);
    assert_int_equal(write_records(&sink, STREAM_MAPS, 0, 2), STATUS_OK);
    save(&sink, &header);
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        assert_int_equal(chunk_records("out/partial/maps.0000.nc", variables[k]), 2);
    write_rest(&sink);
    output_close(&sink);
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        assert_int_equal(chunk_records("out/maps.nc", variables[k]), 1024);
    assert_files();
}

static void refuse(const struct stream *stream, const char *reason)
{
    const struct stream *const one[1] = {stream};
    struct output_request request = request_to(folder_path("out"));
    struct sink sink;
    request.streams = one;
    request.stream_count = 1;
    assert_int_equal(output_open(&request, &sink), STATUS_SOFTWARE);
    if (!strstr(status_message(), reason))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), reason);
    status_clear();
}

TEST(test_descriptions_that_cannot_be)
{
    struct stream broken = maps;
    broken.variables[1].has_missing = true;
    refuse(&broken, "variable count: bytes have no missing values");
    broken = hidden;
    broken.flag_meanings = "down up";
    refuse(&broken, "stream hidden: only bytes are flags");
}
