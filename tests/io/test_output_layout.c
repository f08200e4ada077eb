// io/output: how values lie in the files (chunks, compression), and how much memory writing them takes.
#include "tests/support/test.h"

#include "io/output/output.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/trial_run.h"

#include <malloc.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

// ---- chunks

enum { WIDE = 1400, TALL = 1100 }; // 6.2 MB a record

static struct stream large_stream(void)
{
    struct stream large = *trial_streams[TRIAL_FIELDS];
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
    NC(nc_open(path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, name, &id));
    NC(nc_inq_varndims(ncid, id, &found_rank));
    assert_int_equal(found_rank, rank);
    NC(nc_inq_var_chunking(ncid, id, &storage, chunk));
    assert_int_equal(storage, NC_CHUNKED);
    for (int k = 0; k < rank; k++)
        assert_int_equal(chunk[k], expected[k]);
    NC(nc_inq_var_deflate(ncid, id, &shuffle, &deflate, &level));
    assert_int_equal(shuffle, compressed);
    assert_int_equal(deflate, compressed);
    if (compressed)
        assert_int_equal(level, 1);
    NC(nc_close(ncid));
}

// Writes `records` large records with a checkpoint in the middle, and joins them.
static void run_large(const struct output_request *request, size_t records)
{
    struct sink sink;
    float *data = owned_zeros(WIDE * TALL, sizeof(float));
    trial_open(request, &sink);
    for (size_t r = 0; r < records; r++) {
        double time_s = (double)r;
        for (size_t i = 0; i < WIDE * TALL; i++)
            data[i] = i % 11 == 0 ? NAN : (float)(i % 1000) + (float)r;
        struct frame frame = {.stream = 0, .records = 1, .times_s = &time_s, .data = data};
        assert_int_equal(sink.write(sink.context, &frame), STATUS_OK);
        if (r == records / 2)
            trial_checkpoint(&sink, 1);
    }
    trial_finish(&sink);
}

static void check_large(const char *path, size_t records)
{
    int ncid, id;
    float *data = owned_zeros(WIDE * TALL, sizeof(float));
    NC(nc_open(path, NC_NOWRITE, &ncid));
    NC(nc_inq_varid(ncid, "eta", &id));
    for (size_t r = 0; r < records; r++) {
        const size_t start[3] = {r, 0, 0}, count[3] = {1, TALL, WIDE};
        NC(nc_get_vara_float(ncid, id, start, count, data));
        size_t wrong = 0;
        for (size_t i = 0; i < WIDE * TALL; i++)
            wrong +=
                i % 11 == 0 ? (size_t)!isnan(data[i]) : (size_t)(data[i] != (float)(i % 1000) + (float)r);
        assert_int_equal(wrong, 0);
    }
    NC(nc_close(ncid));
}

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .teardown = trial_clean);

TEST(test_large_fields_are_cut_into_chunks)
{
    struct stream large = large_stream();
    const struct stream *const list[1] = {&large};
    struct output_request request = trial_request(folder_path("large"));
    request.streams = list;
    request.stream_count = 1;
    run_large(&request, 4);
    const size_t halves[3] = {1, TALL / 2, WIDE}; // 3.1 MB
    chunk_is(folder_path("large/large.nc"), "eta", 3, halves, false);
    check_large(folder_path("large/large.nc"), 4);
    request.compress = true;
    request.cache_bytes = 2 << 20; // two files' chunks must fit while joining
    run_large(&request, 3);
    const size_t small[3] = {1, 92, WIDE}; // 0.5 MB: deflated chunks stay in a core's cache
    chunk_is(folder_path("large/large.nc"), "eta", 3, small, true);
    check_large(folder_path("large/large.nc"), 3);
}

TEST(test_small_records_share_chunks)
{
    struct output_request request = trial_request(folder_path("small"));
    request.compress = true;
    trial_run_whole(&request);
    trial_assert_results("small");
    const size_t many[3] = {1024, TRIAL_NY, TRIAL_NX}, series[2] = {1024, TRIAL_STATIONS};
    chunk_is(folder_path("small/fields.nc"), "eta", 3, many, true);
    chunk_is(folder_path("small/gauges.nc"), "u", 2, series, true);
    chunk_is(folder_path("small/diagnostics.nc"), "mass", 1, many, true);
}

// ---- memory

static size_t memory_in_use(void)
{
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

// What is allocated after many records is what was allocated after a few, and below the stated ceiling.
TEST(test_memory_is_bounded)
{
    if (IS_SANITIZED) {
        print_message("skipped: a sanitizer's allocator does not say what is in use\n");
        skip();
    }
    struct output_request request = trial_request(folder_path("bounded"));
    struct sink sink;
    size_t before = memory_in_use(), early = 0, most = 0;
    trial_open(&request, &sink);
    for (size_t hour = 0; hour < 3000; hour++) {
        trial_write(&sink, TRIAL_FIELDS, hour, 1);
        trial_write(&sink, TRIAL_DIAGNOSTICS, hour, 1);
        trial_write(&sink, TRIAL_GAUGES, 4 * hour, 4);
        size_t used = memory_in_use() - before;
        most = used > most ? used : most;
        if (hour == 200)
            early = most;
    }
    trial_write(&sink, TRIAL_MAXIMA, 0, 1);
    size_t ceiling = output_memory_bytes(&request);
    assert_true(most <= ceiling);
    assert_true(most < early + 200000); // the index of the chunks is cached, up to a limit
    trial_finish(&sink);
}

TEST(test_memory_of_large_fields_is_as_stated)
{
    if (IS_SANITIZED) {
        print_message("skipped: a sanitizer's allocator does not say what is in use\n");
        skip();
    }
    struct stream large = large_stream();
    const struct stream *const list[1] = {&large};
    for (int compress = 0; compress < 2; compress++) {
        struct output_request request = trial_request(folder_path("stated"));
        request.streams = list;
        request.stream_count = 1;
        request.compress = compress;
        struct sink sink;
        float *data = owned_zeros(WIDE * TALL, sizeof *data);
        size_t before = memory_in_use(), most = 0;
        trial_open(&request, &sink);
        for (size_t r = 0; r < 6; r++) {
            double time_s = (double)r;
            struct frame frame = {.stream = 0, .records = 1, .times_s = &time_s, .data = data};
            assert_int_equal(sink.write(sink.context, &frame), STATUS_OK);
            size_t used = memory_in_use() - before;
            most = used > most ? used : most;
        }
        assert_true(most <= output_memory_bytes(&request));
        assert_true(most >= (size_t)WIDE * (compress ? 92 : TALL / 2) * 4); // a chunk is really held
        trial_finish(&sink);
    }
}
