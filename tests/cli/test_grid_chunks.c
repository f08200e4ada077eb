// Grids in compressed netCDF-4 whose chunks are many rows high: each chunk is read from the file once while
// its rows are read in turn, by every reader; and grid_scan, which goes through a file chunk by chunk. What
// is counted are the bytes that this process reads (/proc/self/io), no time.
#include "tests/support/test.h"

#include "cli/commands.h"
#include "tests/cli/in_process.h"
#include "tests/io/grid_fixture.h"
#include "tests/support/netcdf_maker.h"

#include <sys/stat.h>

// A row of chunks, 20 MB, is more than the library caches by itself (16 MB at most, by its version).
enum { WIDE = 10000, TALL = 1000, CHUNK_WIDE = 2500, CHUNK_TALL = 500 };
// Programs read a little besides: the table of units, mostly.
static const double other_bytes = 2 << 20;

// Noise in one node of eight keeps the file from shrinking to nothing.
static float value_at(size_t j, size_t i)
{
    const uint32_t mixed = (uint32_t)(j * 40503u + i) * 2654435761u;
    return i % 8 == 0 ? (float)(mixed >> 20) : (float)(j / 10);
}

static void write_axes(int file, size_t nx, size_t ny, bool is_transposed, int dimensions[2])
{
    double *nodes = owned_zeros((nx > ny ? nx : ny), sizeof *nodes);
    const int y = is_transposed ? 1 : 0;
    for (size_t j = 0; j < ny; j++)
        nodes[j] = 1e-3 * (double)j;
    dimensions[y] = make_axis(file, "lat", "degrees_north", ny, nodes);
    for (size_t i = 0; i < nx; i++)
        nodes[i] = 1e-3 * (double)i;
    dimensions[1 - y] = make_axis(file, "lon", "degrees_east", nx, nodes);
}

// Kinds: "chunked", "transposed" (chunked, x slower than y), "contiguous". All tests share a folder, and a
// file that lies there is not made again.
static const char *write_file(const char *kind)
{
    const bool is_transposed = strcmp(kind, "transposed") == 0;
    const char *path = folder_path("%s", kind);
    if (folder_has(kind))
        return path;
    const int file = make_file(path, NC_NETCDF4);
    int dimensions[2];
    write_axes(file, WIDE, TALL, is_transposed, dimensions);
    const int z = make_variable(file, "elevation", NC_FLOAT, "m", 2, dimensions);
    const size_t chunk[2] = {is_transposed ? CHUNK_WIDE : CHUNK_TALL,
                             is_transposed ? CHUNK_TALL : CHUNK_WIDE};
    make_text(file, z, "positive", "up");
    if (strcmp(kind, "contiguous") != 0) {
        NC(nc_def_var_chunking(file, z, NC_CHUNKED, chunk));
        NC(nc_def_var_deflate(file, z, 1, 1, 1));
    }
    NC(nc_enddef(file));
    float *part = owned_zeros(chunk[0] * chunk[1], sizeof *part);
    for (size_t j = 0; j < TALL; j += CHUNK_TALL)
        for (size_t i = 0; i < WIDE; i += CHUNK_WIDE) {
            const size_t start[2] = {is_transposed ? i : j, is_transposed ? j : i};
            for (size_t k = 0; k < CHUNK_TALL * CHUNK_WIDE; k++)
                part[k] = is_transposed ? value_at(j + k % CHUNK_TALL, i + k / CHUNK_TALL)
                                        : value_at(j + k / CHUNK_WIDE, i + k % CHUNK_WIDE);
            NC(nc_put_vara_float(file, z, start, chunk, part));
        }
    NC(nc_close(file));
    return path;
}

static double file_bytes(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return (double)about.st_size;
}

// Bytes that this process has read so far; skips the test where the system does not count them.
static double bytes_read(void)
{
    unsigned long long bytes = 0;
    FILE *stream = fopen("/proc/self/io", "r");
    if (stream == NULL) {
        print_message("skipped: the system does not count what a process reads (/proc/self/io)\n");
        skip();
    }
    assert_int_equal(fscanf(stream, "rchar: %llu", &bytes), 1);
    assert_int_equal(fclose(stream), 0);
    return (double)bytes;
}

// To open a file and close it again: netCDF-C from 4.9.3 on reads 4 MiB for that, and earlier ones a few KiB.
static double opening_bytes(const char *path)
{
    int file;
    const double before = bytes_read();
    NC(nc_open(path, NC_NOWRITE, &file));
    NC(nc_close(file));
    return bytes_read() - before;
}

// `openings`: how often the file may be opened for it (its kind, its layout, its variables, its values).
static void assert_read_once(double before, const char *path, double passes, double openings)
{
    const double read = bytes_read() - before, file = file_bytes(path);
    if (!(read <= passes * 1.5 * file + openings * opening_bytes(path) + other_bytes))
        fail_msg("%g bytes were read of a file of %g, expected about %g times as many", read, file, passes);
}

static void check_rows(struct grid_file *file, size_t step)
{
    double *row = owned_zeros(WIDE, sizeof *row);
    for (size_t j = 0; j < TALL; j += step) {
        assert_int_equal(grid_read_row(file, j, row), STATUS_OK);
        for (size_t i = 0; i < WIDE; i++)
            if (row[i] != (double)value_at(j, i))
                fail_msg("row %zu, column %zu: %g", j, i, row[i]);
    }
}

TEST_SUITE(.group_setup = cli_setup, .group_teardown = cli_teardown);

TEST(test_rows_in_turn)
{
    static const char *const kinds[] = {"chunked", "transposed"};
    for (size_t k = 0; k < 2; k++) {
        const char *path = write_file(kinds[k]);
        const struct grid_request request = {.path = path, .positive = GRID_PLAIN};
        struct grid_file *file = must_open(&request);
        assert_true(grid_cache_bytes(file) == sizeof(float) * WIDE * CHUNK_TALL);
        const double before = bytes_read();
        check_rows(file, 1);
        assert_read_once(before, path, 1, 0);
        owned_end(file);
    }
}

// Two grids of a nested run may come from one file.
TEST(test_one_file_opened_twice)
{
    const char *path = write_file("chunked");
    const struct grid_request request = {.path = path, .positive = GRID_PLAIN};
    struct grid_file *first = must_open(&request), *second = must_open(&request);
    const double before = bytes_read();
    check_rows(first, 1);
    check_rows(second, 1);
    assert_read_once(before, path, 2, 0);
    check_rows(second, 97);
}

TEST(test_info_reads_each_chunk_once)
{
    const char *path = write_file("chunked");
    const double before = bytes_read();
    const struct cli_result *result = run_in_process(command_info, "info %s", path);
    cli_assert_done(result);
    assert_read_once(before, path, 1, 4);
    assert_has(result->output, "values     0 … 4095 m, 0 missing\n");
    assert_null(strstr(result->output, "sample"));
}

TEST(test_convert_reads_each_chunk_once)
{
    const char *path = write_file("chunked"), *out = folder_path("out.nc");
    const double before = bytes_read();
    cli_assert_done(run_in_process(command_convert, "convert %s %s --spacing '0.0055 degree'", path, out));
    assert_read_once(before, path, 1, 4);
}

// What a scan finds is what the rows hold, however they lie; a sample is made of whole rows of chunks.
TEST(test_scan)
{
    static const char *const kinds[] = {"chunked", "transposed", "contiguous"};
    double most = 0;
    for (size_t j = 0; j < TALL; j++)
        for (size_t i = 0; i < WIDE; i++)
            most = fmax(most, (double)value_at(j, i));
    for (size_t k = 0; k < 3; k++) {
        const struct grid_request request = {.path = write_file(kinds[k]), .positive = GRID_AS_FILE};
        struct grid_file *file = must_open(&request); // elevations: handed out as depths
        struct grid_scan scan = {0};
        assert_int_equal(grid_scan(file, &scan), STATUS_OK);
        assert_int_equal(scan.rows, TALL);
        assert_int_equal(scan.missing, 0);
        assert_true(scan.minimum == -most && scan.maximum == 0);
        scan.rows_most = 10;
        assert_int_equal(grid_scan(file, &scan), STATUS_OK);
        assert_int_equal(scan.rows, k == 2 ? 10 : TALL); // the chunked ones have but two rows of chunks
        owned_end(file);
    }
}

static void note(void *context, double rows_read, double rows)
{
    double *last = context;
    assert_true(rows_read > last[0] && rows_read <= rows);
    last[0] = rows_read;
    last[1] = rows;
}

// A file of GEBCO's kind, whose values were never written: nothing but fill values.
static const char *write_huge(void)
{
    const size_t chunk[2] = {200, 4096};
    const char *path = folder_path("huge.nc");
    const int file = make_file(path, NC_NETCDF4);
    int dimensions[2];
    write_axes(file, 32768, 20000, false, dimensions);
    const int z = make_variable(file, "elevation", NC_SHORT, "m", 2, dimensions);
    NC(nc_def_var_chunking(file, z, NC_CHUNKED, chunk));
    NC(nc_def_var_deflate(file, z, 0, 1, 1));
    NC(nc_enddef(file));
    for (size_t j = 0; j < 20000; j += 200) {
        const size_t at[2] = {j, j};
        const short value = (short)(j / 200);
        NC(nc_put_var1_short(file, z, at, &value));
    }
    NC(nc_close(file));
    return path;
}

TEST(test_info_of_a_huge_file_reads_a_sample)
{
    const char *path = write_huge();
    const struct grid_request request = {.path = path, .positive = GRID_PLAIN};
    struct grid_file *file = must_open(&request);
    double last[2] = {0};
    struct grid_scan scan = {.rows_most = 1, .progress = note, .context = last};
    assert_int_equal(grid_scan(file, &scan), STATUS_OK);
    assert_int_equal(scan.rows, 800);
    assert_true(last[0] == 800 && last[1] == 800);
    assert_true(scan.minimum == 12 && scan.maximum == 87); // the middle of four quarters of 100 bands
    assert_int_equal(scan.missing, 800u * 32768 - 4);
    assert_has(cli_do("info %s", path)->output,
               "of a sample of 2000 of the 20000 rows; --all reads every value\n");
}

TEST(test_all_is_an_option)
{
    cli_write_text("a.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2\n3 4\n");
    assert_has(cli_do("info --all a.asc")->output, "values     1 … 4 m, 0 missing\n");
    assert_has(cli_do("info a.asc --json")->output, "\"rows_read\":\t2", "\"is_sample\":\tfalse");
}
