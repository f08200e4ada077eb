// io/output: compressed records whose chunks several threads make (io/output/direct.c), against the files
// that netCDF-C compresses alone: the same numbers, attributes and layout; stopped, killed and resumed; and
// as other programs read them.
#include "tests/support/test.h"

#include "io/checkpoint.h"
#include "io/netcdf/chunks.h"
#include "io/output/output.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/trial_run.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .teardown = trial_clean);

// ---- streams: records of several chunks whose last is not full, one of many records a chunk, and series

enum { NX = 401, NY = 397, SMALL = 40, STATIONS = 5, RECORDS = 70, STREAMS = 3 };

static const struct stream_axis wide_axes[2] = {{.name = "y", .length = NY}, {.name = "x", .length = NX}};

static void make_streams(struct stream streams[STREAMS], enum element element)
{
    const struct stream_variable eta = {.name = "eta",
                                        .long_name = "elevation",
                                        .units = "m",
                                        .rank = 2,
                                        .axes = {0, 1},
                                        .has_missing = true,
                                        .resolution = 1e-4};
    struct stream_variable u = eta, flux = eta, mean = eta;
    u.name = "u", u.has_missing = false, u.resolution = 1e-3;
    flux.name = "flux", flux.resolution = 0; // beside the others as it is
    mean.name = "mean", mean.rank = 0;
    streams[0] = (struct stream){.name = "wide",
                                 .title = "waves",
                                 .has_records = true,
                                 .element = element,
                                 .records_per_frame = 1,
                                 .axis_count = 2,
                                 .axes = {wide_axes[0], wide_axes[1]},
                                 .variable_count = 4,
                                 .variables = {eta, u, flux, mean}};
    streams[1] = streams[0];
    streams[1].name = "small";
    streams[1].axes[0].length = streams[1].axes[1].length = SMALL;
    streams[1].records_per_frame = 3;
    streams[2] = (struct stream){.name = "series",
                                 .title = "series",
                                 .has_records = true,
                                 .element = element,
                                 .records_per_frame = 3,
                                 .axis_count = 1,
                                 .axes = {{.name = "station", .length = STATIONS}},
                                 .variable_count = 1,
                                 .variables = {eta}};
    streams[2].variables[0].rank = 1;
    streams[2].variables[0].resolution = 0; // compressed if the request says so
}

// Waves in a part of the sea, noise in another, and rest.
static double value_of(int s, int v, size_t record, size_t k)
{
    if (v != 1 && k % 13 == 5)
        return NAN;
    if (k % 4 == 0)
        return 0;
    const size_t number =
        k % 4 == 1 ? (k * 2654435761u + record * 40503u) % 4093 : (k / 7 + 31 * record) % 5001;
    return 1e-3 * (double)number - 2.0 + 0.1 * v + s;
}

static void *make_frame(const struct stream *stream, int s, size_t first, size_t records)
{
    unsigned char *data = owned_zeros(records, stream_record_bytes(stream));
    size_t at = 0;
    for (size_t r = first; r < first + records; r++)
        for (int v = 0; v < stream->variable_count; v++) {
            const size_t length = stream_variable_length(stream, &stream->variables[v]);
            for (size_t k = 0; k < length; k++, at++) {
                const double known = value_of(s, v, r, k),
                             value = isnan(known) && !stream->variables[v].has_missing ? 0 : known;
                if (stream->element == ELEMENT_F32)
                    ((float *)(void *)data)[at] = (float)value;
                else
                    ((double *)(void *)data)[at] = value;
            }
        }
    return data;
}

// The wide stream has a tenth of the others' records.
static void write_records(struct sink *sink, const struct output_request *request, size_t first, size_t end)
{
    for (int s = 0; s < request->stream_count; s++) {
        const struct stream *stream = request->streams[s];
        const size_t part = s == 0 ? 10 : 1, from = (first + part - 1) / part, to = (end + part - 1) / part;
        for (size_t r = from; r < to; r += stream->records_per_frame) {
            const size_t left = to - r,
                         records = left < stream->records_per_frame ? left : stream->records_per_frame;
            double times_s[3];
            for (size_t k = 0; k < records; k++)
                times_s[k] = 60.0 * (double)(r + k) + s;
            void *data = make_frame(stream, s, r, records);
            const struct frame frame = {.stream = s, .records = records, .times_s = times_s, .data = data};
            if (sink->write(sink->context, &frame) != STATUS_OK)
                fail_msg("%s", status_message());
            owned_end(data);
        }
    }
}

static struct output_request request_of(const char *folder, const struct stream *const *list, int threads)
{
    struct output_request request = trial_request(folder_path("%s", folder));
    request.streams = list;
    request.stream_count = STREAMS;
    request.threads = threads;
    return request;
}

// Checkpoints in the middle of a chunk of many records.
static void write_whole(struct output_request request)
{
    struct sink sink;
    trial_open(&request, &sink);
    write_records(&sink, &request, 0, 31);
    trial_checkpoint(&sink, 31);
    write_records(&sink, &request, 31, RECORDS);
    trial_finish(&sink);
}

// ---- two files, number for number

static void compare_attributes(const int files[2], const int ids[2], int count)
{
    for (int k = 0; k < count; k++) {
        char name[NC_MAX_NAME + 1], values[2][4096];
        size_t lengths[2];
        nc_type types[2];
        NC(nc_inq_attname(files[0], ids[0], k, name));
        for (int f = 0; f < 2; f++) {
            memset(values[f], 0, sizeof values[f]);
            NC(nc_inq_att(files[f], ids[f], name, &types[f], &lengths[f]));
            NC(nc_get_att(files[f], ids[f], name, values[f]));
        }
        assert_int_equal(types[0], types[1]);
        assert_int_equal(lengths[0], lengths[1]);
        assert_memory_equal(values[0], values[1], sizeof values[0]);
    }
}

static void compare_variable(const int files[2], const int ids[2])
{
    int rank[2], count[2], dims[2][NC_MAX_VAR_DIMS], storage[2], filters[2][3];
    size_t chunk[2][NC_MAX_VAR_DIMS] = {{0}}, length = 1, bytes;
    nc_type type[2];
    for (int f = 0; f < 2; f++) {
        NC(nc_inq_var(files[f], ids[f], NULL, &type[f], &rank[f], dims[f], &count[f]));
        NC(nc_inq_var_chunking(files[f], ids[f], &storage[f], chunk[f]));
        NC(nc_inq_var_deflate(files[f], ids[f], &filters[f][0], &filters[f][1], &filters[f][2]));
    }
    assert_int_equal(type[0], type[1]);
    assert_int_equal(rank[0], rank[1]);
    assert_int_equal(count[0], count[1]);
    assert_int_equal(storage[0], storage[1]);
    assert_memory_equal(filters[0], filters[1], sizeof filters[0]);
    for (int k = 0; k < rank[0]; k++) {
        size_t lengths[2];
        for (int f = 0; f < 2; f++)
            NC(nc_inq_dimlen(files[f], dims[f][k], &lengths[f]));
        assert_int_equal(lengths[0], lengths[1]);
        assert_int_equal(chunk[0][k], chunk[1][k]);
        length *= lengths[0];
    }
    NC(nc_inq_type(files[0], type[0], NULL, &bytes));
    void *values[2] = {owned_zeros(length, bytes), owned_zeros(length, bytes)};
    for (int f = 0; f < 2; f++)
        NC(nc_get_var(files[f], ids[f], values[f]));
    assert_memory_equal(values[0], values[1], length * bytes);
    owned_end(values[0]);
    owned_end(values[1]);
    compare_attributes(files, ids, count[0]);
}

static void compare_files(const char *one, const char *other)
{
    int files[2], count[2], attributes;
    NC(nc_open(one, NC_NOWRITE, &files[0]));
    NC(nc_open(other, NC_NOWRITE, &files[1]));
    for (int f = 0; f < 2; f++)
        NC(nc_inq(files[f], NULL, &count[f], &attributes, NULL));
    assert_int_equal(count[0], count[1]);
    assert_true(count[0] >= 2);
    for (int v = 0; v < count[0]; v++) {
        char name[NC_MAX_NAME + 1];
        int ids[2] = {v, -1};
        NC(nc_inq_varname(files[0], v, name));
        NC(nc_inq_varid(files[1], name, &ids[1]));
        compare_variable(files, ids);
    }
    compare_attributes(files, (const int[2]){NC_GLOBAL, NC_GLOBAL}, attributes);
    NC(nc_close(files[0]));
    NC(nc_close(files[1]));
}

static void compare_folders(const char *one, const char *other)
{
    static const char *const names[STREAMS] = {"wide", "small", "series"};
    for (int s = 0; s < STREAMS; s++)
        compare_files(format_text("%s/%s.nc", folder_path("%s", one), names[s]),
                      format_text("%s/%s.nc", folder_path("%s", other), names[s]));
}

static void skip_without_direct_writing(void)
{
    if (chunks_are_possible())
        return;
    print_message("skipped: this HDF5 cannot write chunks directly\n");
    skip();
}

TEST(test_the_same_files_for_any_number_of_threads)
{
    static const struct {
        enum element element;
        bool compress, join;
        const char *time_units;
        size_t cache_bytes;
    } cases[] = {{ELEMENT_F32, false, true, "seconds since 2011-03-11 05:46:24", 0},
                 {ELEMENT_F64, true, true, "s", 0},
                 {ELEMENT_F32, true, true, "1", 3 << 20}};
    skip_without_direct_writing();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct stream streams[STREAMS];
        make_streams(streams, cases[k].element);
        const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
        for (int threads = 0; threads < 4; threads += 1 + (threads == 1)) {
            struct output_request request = request_of(format_text("threads%d", threads), list, threads);
            request.compress = cases[k].compress;
            request.time_units = cases[k].time_units;
            request.cache_bytes = cases[k].cache_bytes;
            write_whole(request);
            if (threads > 0)
                compare_folders("threads0", format_text("threads%d", threads));
        }
        folder_clear();
    }
}

// The files of one and of three threads are alike byte by byte, and their segments too.
TEST(test_the_order_in_the_file_does_not_depend_on_the_threads)
{
    struct stream streams[STREAMS];
    make_streams(streams, ELEMENT_F32);
    const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
    for (int threads = 1; threads <= 3; threads += 2)
        for (int join = 0; join < 2; join++) {
            struct output_request request = request_of(format_text("%d%d", threads, join), list, threads);
            request.join = join;
            write_whole(request);
        }
    folder_shell("cd %s && cmp 10/wide.0000.nc 30/wide.0000.nc && cmp 10/wide.0001.nc 30/wide.0001.nc && "
                 "cmp 11/wide.nc 31/wide.nc && cmp 11/small.nc 31/small.nc",
                 folder_path("."));
}

// ---- other programs

TEST(test_other_programs_read_the_same_numbers)
{
    static const char script[] =
        "import sys\n"
        "try:\n"
        "    import h5py, numpy, xarray, netCDF4\n"
        "except ImportError:\n"
        "    sys.exit(0)\n"
        "one, other = sys.argv[1:]\n"
        "with h5py.File(one) as a, h5py.File(other) as b:\n"
        "    for v in 'eta', 'u', 'flux', 'mean', 'time':\n"
        "        assert a[v].shape == b[v].shape and (a[v][:].tobytes() == b[v][:].tobytes()), v\n"
        "    assert b['eta'].dtype == 'i4' and b['eta'].compression == 'gzip' and b['eta'].shuffle\n"
        "with xarray.open_dataset(one) as a, xarray.open_dataset(other) as b:\n"
        "    assert a.identical(b.assign_attrs(a.attrs)), (a, b)\n"
        "    assert abs(b.eta).max() > 2 and b.sizes['time'] == 7\n";
    struct stream streams[STREAMS];
    make_streams(streams, ELEMENT_F32);
    const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
    write_whole(request_of("alone", list, 0));
    write_whole(request_of("crew", list, 2));
    folder_write_text("read.py", script);
    folder_shell("/usr/bin/python3 %s %s %s", folder_path("read.py"), folder_path("alone/wide.nc"),
                 folder_path("crew/wide.nc"));
    folder_shell("! command -v cdo >/dev/null || cdo -s diffn %s %s", folder_path("alone/small.nc"),
                 folder_path("crew/small.nc"));
}

// ---- ends

// Kills a run while its threads work, after its checkpoint; then it is resumed from there.
TEST(test_killed_and_resumed)
{
    struct stream streams[STREAMS];
    make_streams(streams, ELEMENT_F32);
    const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
    struct output_request request = request_of("killed", list, 2);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sink sink;
        trial_open(&request, &sink);
        write_records(&sink, &request, 0, 31);
        trial_checkpoint(&sink, 31);
        write_records(&sink, &request, 31, 52);
        raise(SIGKILL);
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFSIGNALED(code) && WTERMSIG(code) == SIGKILL);
    char path[PATH_BYTES];
    struct checkpoint_header header;
    assert_int_equal(output_find_complete(&request, NULL, NULL, path), STATUS_OK);
    assert_int_equal(checkpoint_verify(path, &header), STATUS_OK);
    request.resume_path = path;
    request.resume = &header;
    struct sink sink;
    trial_open(&request, &sink);
    write_records(&sink, &request, 31, RECORDS);
    trial_finish(&sink);
    write_whole(request_of("whole", list, 3));
    compare_folders("whole", "killed");
}

// Segments without threads are joined with them, and the other way round; their chunks are equal.
TEST(test_resumed_with_another_number_of_threads)
{
    struct stream streams[STREAMS];
    make_streams(streams, ELEMENT_F32);
    const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
    for (int first = 0; first < 3; first += 2) {
        struct output_request request = request_of("mixed", list, first);
        struct checkpoint_header header;
        struct sink sink;
        char path[PATH_BYTES];
        trial_open(&request, &sink);
        write_records(&sink, &request, 0, 31);
        assert_int_equal(trial_try_checkpoint(&sink, 31, &header), STATUS_OK);
        sink.abandon(sink.context);
        output_close(&sink);
        assert_int_equal(output_find_complete(&request, NULL, NULL, path), STATUS_OK);
        request.threads = 2 - first;
        request.resume_path = path;
        request.resume = &header;
        trial_open(&request, &sink);
        write_records(&sink, &request, 31, RECORDS);
        trial_finish(&sink);
        write_whole(request_of("whole", list, 0));
        compare_folders("whole", "mixed");
    }
}

TEST(test_a_number_that_does_not_fit)
{
    struct stream streams[STREAMS];
    make_streams(streams, ELEMENT_F64);
    const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
    for (int s = 0; s < 2; s++)
        for (int threads = 0; threads < 3; threads += 2) {
            const struct output_request request = request_of("refused", list, threads);
            struct sink sink;
            trial_open(&request, &sink);
            enum status status = STATUS_OK;
            for (size_t r = 0; r < 40 && status == STATUS_OK; r++) {
                double *data = make_frame(&streams[s], s, r, 1), time_s = (double)r;
                data[stream_variable_length(&streams[s], &streams[s].variables[0]) - 1] = r == 3 ? 1e30 : 0;
                status = sink.write(sink.context, &(struct frame){s, 0, 1, &time_s, data});
                owned_end(data);
            }
            if (status == STATUS_OK) // many records are a chunk
                status = trial_try_checkpoint(&sink, 1, &(struct checkpoint_header){0});
            assert_int_equal(status, STATUS_DATA);
            assert_non_null(
                strstr(status_message(), ".nc: variable eta: 1e+30 m cannot be stored at a resolution"));
            status_clear();
            sink.abandon(sink.context);
            output_close(&sink);
        }
}

// A file that lost its end is refused with one line.
TEST(test_cut_segments_are_refused)
{
    struct stream streams[STREAMS];
    make_streams(streams, ELEMENT_F32);
    const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
    struct output_request request = request_of("cut", list, 2);
    struct checkpoint_header header;
    struct sink sink;
    char path[PATH_BYTES];
    trial_open(&request, &sink);
    write_records(&sink, &request, 0, 31);
    assert_int_equal(trial_try_checkpoint(&sink, 31, &header), STATUS_OK);
    sink.abandon(sink.context);
    output_close(&sink);
    folder_shell("truncate -s -5000 %s", folder_path("cut/partial/wide.0000.nc"));
    assert_int_equal(output_find_complete(&request, NULL, NULL, path), STATUS_DATA);
    assert_non_null(strstr(status_message(), "wide.0000.nc"));
    status_clear();
}

// ---- memory

TEST(test_threads_and_memory_as_stated)
{
    struct stream streams[STREAMS];
    make_streams(streams, ELEMENT_F32);
    const struct stream *const list[STREAMS] = {&streams[0], &streams[1], &streams[2]};
    struct output_request request = request_of("stated", list, 0);
    int threads;
    skip_without_direct_writing();
    assert_int_equal(output_work_bytes(&request, &threads), 0);
    assert_int_equal(threads, 0);
    size_t before = 0;
    for (request.threads = 1; request.threads <= 8; request.threads *= 2) {
        const size_t bytes = output_work_bytes(&request, &threads);
        assert_int_equal(threads, request.threads);
        assert_true(bytes > before && bytes < (size_t)threads * (4 << 20) + (2 << 20));
        before = bytes;
    }
    request.threads = 100000; // no more than there are chunks for
    (void)output_work_bytes(&request, &threads);
    assert_true(threads >= 8 && threads <= 64);
    // In memory of the caller's, beyond which nothing is written.
    request.threads = 2;
    const size_t bytes = output_work_bytes(&request, &threads);
    unsigned char *work = owned_zeros(bytes + 64, 1);
    memset(work + bytes, 0x5A, 64);
    request.work = work;
    write_whole(request);
    for (int k = 0; k < 64; k++)
        assert_int_equal(work[bytes + (size_t)k], 0x5A);
    for (int s = 0; s < STREAMS; s++)
        streams[s].variables[0].resolution = streams[s].variables[1].resolution =
            streams[s].variables[3].resolution = 0;
    assert_int_equal(output_work_bytes(&request, &threads), 0); // nothing is compressed
}
