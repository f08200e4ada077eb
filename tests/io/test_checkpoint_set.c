// io/checkpoint_set: a state that several ranks saved comes back on any number of ranks, whole or not at
// all; and the sinks of all ranks, which write such sets.
#include "tests/support/test.h"

#include "io/checkpoint_set.h"
#include "io/output/output.h"
#include "parallel/ranks.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"
#include "tests/support/thread_ranks.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 40, COLUMNS = 7, PARTS = 3, ARRAYS = 3, RANKS_MOST = 6 };

static int begin(void **state)
{
    status_clear();
    return folder_make(state);
}

TEST_SUITE(.setup = begin, .teardown = folder_remove, .limit_s = 120);

static double value_of(int64_t step, uint64_t row, uint64_t column)
{
    return (double)step * 1000 + (double)row + (double)column / 16;
}

// One rank's state: own rows of an array, an array of another length of rows, and a number that all have.
struct state {
    double a[ROWS * COLUMNS];
    unsigned char b[PARTS * ROWS]; // [part][own row]
    int64_t count;
    struct checkpoint_rows rows[ARRAYS];
    struct checkpoint_array arrays[ARRAYS];
};

static bool is_whole; // whether every rank has all rows of the first array

static void describe(struct state *s, int rank, int ranks)
{
    const uint64_t first = (uint64_t)(ROWS * rank / ranks), end = (uint64_t)(ROWS * (rank + 1) / ranks);
    const uint64_t first_a = is_whole ? 0 : first, end_a = is_whole ? ROWS : end;
    memset(s, 0, sizeof *s);
    s->rows[0] = (struct checkpoint_rows){COLUMNS * sizeof(double), first_a, end_a, ROWS, 0};
    s->rows[1] = (struct checkpoint_rows){1, first, end, ROWS, PARTS};
    s->arrays[0] = (struct checkpoint_array){"a", s->a, (end_a - first_a) * COLUMNS * sizeof(double)};
    s->arrays[1] = (struct checkpoint_array){"b", s->b, PARTS * (end - first)};
    s->arrays[2] = (struct checkpoint_array){"count", &s->count, sizeof s->count};
}

static void fill(struct state *s, int64_t step)
{
    for (uint64_t row = s->rows[0].first; row < s->rows[0].end; row++)
        for (uint64_t c = 0; c < COLUMNS; c++)
            s->a[(row - s->rows[0].first) * COLUMNS + c] = value_of(step, row, c);
    for (uint64_t row = s->rows[1].first; row < s->rows[1].end; row++)
        for (uint64_t part = 0; part < PARTS; part++)
            s->b[part * (s->rows[1].end - s->rows[1].first) + row - s->rows[1].first] =
                (unsigned char)(row + (uint64_t)step + 100 * part);
    s->count = 77 + step;
}

static struct checkpoint_header header_of(int64_t step)
{
    return (struct checkpoint_header){.job_hash = 5, .input_hash = 6, .step = step, .segment = step + 1};
}

static struct state written, expected;

// As the ranks of a run would, one after the other; rank 0 last. One rank: one file without a table.
static const char *write_set(int ranks, int64_t step)
{
    const char *path = folder_path("checkpoint.a");
    const struct checkpoint_header header = header_of(step);
    char part[PATH_BYTES];
    for (int r = ranks - 1; r >= 0; r--) {
        describe(&written, r, ranks);
        fill(&written, step);
        const struct checkpoint_set set = {.rank = r, .ranks = ranks, .rows = written.rows};
        assert_ok(checkpoint_set_path(folder_path("."), step + 1, r, part));
        if (ranks == 1)
            assert_ok(checkpoint_write(path, &header, written.arrays, ARRAYS));
        else
            assert_ok(checkpoint_set_write(r == 0 ? path : part, &header, written.arrays, ARRAYS, &set));
    }
    return path;
}

// By each of 1 … `most` ranks.
static void read_back(const char *path, int64_t step, int most)
{
    static struct state read;
    for (int readers = 1; readers <= most; readers++)
        for (int r = 0; r < readers; r++) {
            describe(&read, r, readers);
            describe(&expected, r, readers);
            fill(&expected, step);
            assert_ok(checkpoint_set_read(path, read.arrays, ARRAYS, read.rows));
            assert_memory_equal(read.a, expected.a, sizeof read.a);
            assert_memory_equal(read.b, expected.b, sizeof read.b);
            assert_int_equal(read.count, expected.count);
        }
}

TEST(test_any_number_of_ranks_reads_what_any_other_wrote)
{
    struct checkpoint_header header;
    for (int writers = 1; writers <= RANKS_MOST; writers++) {
        const char *path = write_set(writers, writers);
        assert_ok(checkpoint_set_verify(path, &header));
        assert_int_equal(header.step, writers);
        read_back(path, writers, RANKS_MOST);
    }
}

TEST(test_an_array_that_every_rank_has_is_written_once_and_may_be_divided_later)
{
    for (int way = 0; way < 3; way++) {
        is_whole = way > 0;
        const char *path = write_set(3, 4);
        is_whole = way != 1;
        read_back(path, 4, 3);
    }
    is_whole = true;
    uint64_t bytes[2];
    for (int r = 0; r < 2; r++) {
        describe(&written, r, 2);
        const struct checkpoint_set set = {.rank = r, .ranks = 2, .rows = written.rows};
        bytes[r] = checkpoint_set_bytes(written.arrays, ARRAYS, &set);
    }
    is_whole = false;
    assert_true(bytes[0] >= bytes[1] + sizeof written.a);
}

static void flip_a_byte(const char *path)
{
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, -40, SEEK_END), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, -40, SEEK_END), 0);
    assert_true(fputc(byte ^ 1, file) != EOF);
    assert_int_equal(fclose(file), 0);
}

TEST(test_a_set_that_is_not_whole_is_refused)
{
    char part[PATH_BYTES];
    const char *path = write_set(3, 4);
    assert_ok(checkpoint_set_path(folder_path("."), 5, 2, part));
    flip_a_byte(part);
    assert_failure(checkpoint_set_verify(path, NULL), STATUS_DATA, "checkpoint.0005.0002", "damaged");
    status_clear();
    assert_int_equal(unlink(part), 0);
    assert_failure(checkpoint_set_verify(path, NULL), STATUS_DATA, "checkpoint.a", "missing");
    status_clear();
    // A file of another set under this name.
    char other[PATH_BYTES];
    (void)write_set(4, 9);
    assert_ok(checkpoint_set_path(folder_path("."), 10, 2, other));
    path = write_set(3, 4);
    assert_int_equal(rename(other, part), 0);
    assert_failure(checkpoint_set_verify(path, NULL), STATUS_DATA, "does not belong");
}

TEST(test_other_arrays_are_refused)
{
    static struct state read;
    const char *path = write_set(2, 1);
    describe(&read, 0, 1);
    read.rows[0].rows = ROWS + 1;
    assert_failure(checkpoint_set_read(path, read.arrays, ARRAYS, read.rows), STATUS_DATA, "\"a\"",
                   "otherwise");
    status_clear();
    assert_failure(checkpoint_set_read(path, read.arrays, ARRAYS - 1, read.rows), STATUS_DATA, "3 arrays");
}

TEST(test_names_of_files)
{
    assert_int_equal(checkpoint_set_segment("checkpoint.0007.0003"), 7);
    assert_int_equal(checkpoint_set_segment("checkpoint.12345.0003.tmp"), 12345);
    assert_int_equal(checkpoint_set_segment("checkpoint.a"), -1);
    assert_int_equal(checkpoint_set_segment("checkpoint.0007"), -1);
    assert_int_equal(checkpoint_set_segment("checkpoint.0007.0003.nc"), -1);
    assert_int_equal(checkpoint_set_segment("fields.0007.nc"), -1);
}

// ---- the sinks of a run of ranks that are threads

static atomic_int wrong;

static void expect(bool is_right)
{
    if (!is_right)
        atomic_fetch_add(&wrong, 1);
}

static enum status share(void *context, void *data, size_t bytes)
{
    return ranks_share(context, TRANSPORT_FILES, data, bytes);
}

static enum status settle(void *context)
{
    int64_t nothing = 0;
    return ranks_largest(context, TRANSPORT_FILES, &nothing, 1);
}

static const struct stream stream = {.name = "series",
                                     .has_records = true,
                                     .element = ELEMENT_F64,
                                     .records_per_frame = 1,
                                     .variable_count = 1,
                                     .variables = {{.name = "v", .long_name = "v", .units = "1"}}};
static const struct stream *const streams[] = {&stream};
static const char *directory;
enum { SAVES = 5 };

static void save(struct ranks *ranks, void *shared)
{
    struct state *s = calloc(1, sizeof *s);
    struct sink sink;
    (void)shared;
    describe(s, ranks->rank, ranks->count);
    const struct checkpoint_set set = {ranks->rank, ranks->count, s->rows, ranks, share, settle};
    const struct output_request request = {
        .directory = directory, .streams = streams, .stream_count = 1, .title = "set", .set = &set};
    if (ranks->rank == 0) // the others save when they hear from it: the folder is there by then
        expect(output_open(&request, &sink) == STATUS_OK);
    else
        expect(output_open_part(&request, &sink) == STATUS_OK);
    for (int64_t step = 1; step <= SAVES; step++) {
        struct checkpoint_header header = header_of(step);
        double value = (double)step, time_s = (double)step;
        fill(s, step);
        const struct frame frame = {.records = 1, .times_s = &time_s, .data = &value};
        if (ranks->rank == 0)
            expect(sink.write(sink.context, &frame) == STATUS_OK);
        expect(sink.checkpoint(sink.context, &header, s->arrays, ARRAYS) == STATUS_OK);
        expect(header.segment == step && header.records[0] == step); // as rank 0 counts
    }
    sink.abandon(sink.context);
    output_close(&sink);
    free(s);
}

static bool exists(const char *name)
{
    return access(folder_path(format_text("run/partial/%s", name)), F_OK) == 0;
}

TEST(test_sinks_save_sets_and_remove_those_replaced)
{
    static struct state read;
    char path[PATH_BYTES];
    directory = format_text("%s", folder_path("run"));
    wrong = 0;
    thread_ranks_run(3, save, NULL);
    assert_int_equal(wrong, 0);
    assert_true(exists("checkpoint.0005.0001") && exists("checkpoint.0005.0002"));
    assert_true(exists("checkpoint.0004.0001") && exists("checkpoint.0004.0002"));
    assert_false(exists("checkpoint.0003.0001") || exists("checkpoint.0005.0000"));
    assert_ok(output_find_checkpoint(directory, path));
    describe(&read, 1, 2);
    describe(&expected, 1, 2);
    fill(&expected, SAVES);
    assert_ok(checkpoint_set_read(path, read.arrays, ARRAYS, read.rows));
    assert_memory_equal(read.a, expected.a, sizeof read.a);
    // Without one file of the newer set the older one is chosen.
    assert_int_equal(unlink(folder_path("run/partial/checkpoint.0005.0002")), 0);
    assert_ok(output_find_checkpoint(directory, path));
    fill(&expected, SAVES - 1);
    assert_ok(checkpoint_set_read(path, read.arrays, ARRAYS, read.rows));
    assert_memory_equal(read.a, expected.a, sizeof read.a);
    assert_ok(output_remove_partial(directory));
    assert_false(exists("checkpoint.0004.0001"));
}

// ---- the folder is another run's

static enum status codes[3];

static enum status keep(void *context, void *data, size_t bytes)
{
    (void)context, (void)data, (void)bytes;
    return STATUS_OK;
}

static enum status leave(void *context)
{
    (void)context;
    return STATUS_OK;
}

static bool write_record(const char *text)
{
    const char *partial = format_text("%s/partial", directory);
    char new[PATH_BYTES], record[PATH_BYTES];
    snprintf(new, sizeof new, "%s/job.new", partial);
    snprintf(record, sizeof record, "%s/job.json", partial);
    FILE *file = fopen(new, "w");
    const bool is_written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && is_written && rename(new, record) == 0;
}

// Three ranks save twice. Before the second time another run makes its record; each rank is then alone.
static void go_on_later(struct ranks *ranks, void *is_taken_over)
{
    struct state *s = calloc(1, sizeof *s);
    struct sink sink;
    describe(s, ranks->rank, ranks->count);
    struct checkpoint_set set = {ranks->rank, ranks->count, s->rows, ranks, share, settle};
    const struct output_request request = {
        .directory = directory, .streams = streams, .stream_count = 1, .title = "set", .set = &set};
    if (ranks->rank == 0)
        expect(output_open(&request, &sink) == STATUS_OK && write_record("first"));
    else
        expect(output_open_part(&request, &sink) == STATUS_OK);
    expect(output_claim(&sink) == STATUS_OK);
    for (int64_t step = 1; step <= 2; step++) {
        struct checkpoint_header header = header_of(step);
        fill(s, step);
        codes[ranks->rank] = sink.checkpoint(sink.context, &header, s->arrays, ARRAYS);
        expect(step == 2 || codes[ranks->rank] == STATUS_OK);
        if (step == 1 && *(const bool *)is_taken_over) {
            expect(settle(ranks) == STATUS_OK);
            usleep(20000); // the clock of a file system counts hundredths of a second
            expect(ranks->rank > 0 || write_record("second"));
            expect(settle(ranks) == STATUS_OK);
            set.share = keep;
            set.settle = leave;
        }
    }
    sink.abandon(sink.context);
    output_close(&sink);
    free(s);
}

TEST(test_a_run_that_was_taken_for_lost_leaves_the_folder_to_the_next_one)
{
    for (int turn = 0; turn < 2; turn++) {
        bool is_taken_over = turn == 1;
        directory = format_text("%s", folder_path("run"));
        wrong = 0;
        thread_ranks_run(3, go_on_later, &is_taken_over);
        assert_int_equal(wrong, 0);
        for (int rank = 0; rank < 3; rank++)
            assert_int_equal(codes[rank], is_taken_over ? STATUS_CANNOT_CREATE : STATUS_OK);
        assert_int_equal(exists("checkpoint.0002.0001"), !is_taken_over);
        assert_int_equal(exists("checkpoint.b"), !is_taken_over);
        assert_false(exists("checkpoint.0003.0001"));
        assert_true(exists("checkpoint.a") && exists("checkpoint.0001.0001") && exists("job.json"));
        if (is_taken_over)
            assert_has(status_message(), "another run has taken over", "writes nothing more");
        assert_ok(output_remove_partial(directory));
    }
}
