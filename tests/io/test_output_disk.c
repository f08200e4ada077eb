// io/output on disks that fill up, and on a file system without hard links: what a run answers and leaves.
#include "tests/support/test.h"

#include "io/checkpoint.h"
#include "io/output/output.h"
#include "tests/support/folder.h"
#include "tests/support/trial_run.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

// ---- a disk that fills up: HDF5's writes come here, because the program's symbols are looked at first

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

// ---- a process that dies as its first result is to get its final name

static bool dies_at_the_end;

int rename(const char *from, const char *to)
{
    if (dies_at_the_end && !strstr(to, "/partial/"))
        _exit(9);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int clean(void **state)
{
    disk_left = -1;
    has_links = true;
    return trial_clean(state);
}

// ---- tests

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .teardown = clean);

TEST(test_writes_go_through_the_test)
{
    // Otherwise the tests of the full disk would prove nothing.
    disk_written = 0;
    struct output_request request = trial_request(folder_path("through"));
    trial_run_whole(&request);
    assert_true(disk_written > 10000);
}

// ---- runs in a process of their own: a library that cannot close its file goes with the process

static pid_t begin_child(void)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    return child;
}

// In the child: ends it with the status' code, the message in a file.
_Noreturn static void end_child(enum status status)
{
    disk_left = -1;
    folder_write_text("message", status_message());
    _exit(status_exit_code(status));
}

static int exit_code_of(pid_t child)
{
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    return WEXITSTATUS(code);
}

// The child's message, which must match the regular expression.
static void assert_message(const char *expected)
{
    const char *path = folder_path("message");
    folder_shell("grep -q '%s' %s || { cat %s; false; }", expected, path, path);
}

// A record of 1.3 MB that is compressed, in three chunks.
enum { WIDE = 600, TALL = 560 };

static struct stream packed_stream(void)
{
    struct stream packed = *trial_streams[TRIAL_FIELDS];
    packed.axes[0] = (struct stream_axis){.name = "x", .length = WIDE};
    packed.axes[1] = (struct stream_axis){.name = "y", .length = TALL};
    packed.variable_count = 1;
    packed.variables[0].resolution = 1e-3;
    return packed;
}

static enum status write_packed(struct sink *sink, size_t first, size_t end)
{
    float *data = owned_zeros(WIDE * TALL, sizeof *data);
    for (size_t r = first; r < end; r++) {
        double time_s = (double)r;
        for (size_t i = 0; i < WIDE * TALL; i++)
            data[i] = (float)((i * 2654435761u + r * 40503u) % 9973) * 1e-3f;
        CHECK(sink->write(sink->context, &(struct frame){0, 0, 1, &time_s, data}));
    }
    return STATUS_OK;
}

// The same run, with netCDF-C's compression and with threads, on a disk that fills up at any of its writes:
// while chunks are written, while the file is closed, while segments are joined.
TEST(test_full_disk_of_compressed_records)
{
    for (int threads = 0; threads < 3; threads += 2) {
        int failures = 0, successes = 0;
        for (long room = 0; room < 16000000 && successes == 0; room += room < 100000 ? 7000 : 700000) {
            const struct stream packed = packed_stream();
            const struct stream *const list[1] = {&packed};
            struct output_request request = trial_request(folder_path("packed"));
            request.streams = list;
            request.stream_count = 1;
            request.threads = threads;
            const pid_t child = begin_child();
            if (child == 0) {
                struct checkpoint_header header;
                struct sink sink;
                trial_open(&request, &sink);
                disk_left = room;
                enum status status = write_packed(&sink, 0, 3);
                if (status == STATUS_OK)
                    status = trial_try_checkpoint(&sink, 3, &header);
                if (status == STATUS_OK)
                    status = write_packed(&sink, 3, 5);
                if (status == STATUS_OK)
                    status = sink.finish(sink.context);
                disk_left = 0;
                if (status != STATUS_OK)
                    sink.abandon(sink.context);
                end_child(status);
            }
            const int code = exit_code_of(child);
            successes += code == 0;
            failures += code != 0;
            if (code != 0)
                assert_message("fields.*nc: .*no space left on device$");
            assert_int_equal(code, code == 0 ? 0 : 74);
            assert_false(code != 0 && access(folder_path("packed/fields.nc"), F_OK) == 0);
            folder_clear();
        }
        assert_true(failures >= 10);
        assert_true(successes == 1);
    }
}

static enum status write_fields(struct sink *sink)
{
    struct checkpoint_header header;
    float data[2 * TRIAL_NX * TRIAL_NY];
    for (size_t i = 0; i < 2 * TRIAL_NX * TRIAL_NY; i++)
        data[i] = (float)i;
    for (size_t hour = 4; hour < 40; hour++) {
        double time_s = trial_time_s(TRIAL_FIELDS, hour);
        CHECK(sink->write(
            sink->context,
            &(struct frame){.stream = TRIAL_FIELDS, .records = 1, .times_s = &time_s, .data = data}));
    }
    return trial_try_checkpoint(sink, 40, &header);
}

// The run on a disk that takes `room` more bytes, after four hours and a checkpoint if asked for: its exit
// code.
static int run_on_disk(const struct output_request *request, long room, bool with_checkpoint)
{
    const pid_t child = begin_child();
    if (child == 0) {
        struct sink sink;
        trial_open(request, &sink);
        for (size_t hour = 0; with_checkpoint && hour < 4; hour++)
            trial_write_hour(&sink, hour);
        if (with_checkpoint)
            trial_checkpoint(&sink, 4);
        disk_left = room;
        const enum status status = write_fields(&sink);
        disk_left = 0;
        if (status != STATUS_OK)
            sink.abandon(sink.context);
        end_child(status);
    }
    return exit_code_of(child);
}

TEST(test_full_disk)
{
    int failures = 0, successes = 0;
    for (long room = 0; room < 500000; room += room < 4000 ? 500 : 20000) {
        struct output_request request = trial_request(folder_path("full"));
        const int code = run_on_disk(&request, room, false);
        if (code == 0) {
            successes++;
            continue;
        }
        failures++;
        assert_message("fields.0000.nc: .*no space left on device$");
        assert_int_equal(code, 74);
        assert_int_equal(folder_count("full"), 0);
    }
    assert_true(failures >= 3);
    assert_true(successes >= 1);
}

TEST(test_full_disk_leaves_the_checkpoint)
{
    struct output_request request = trial_request(folder_path("filled"));
    assert_int_equal(run_on_disk(&request, 3000, true), 74);
    assert_message("no space left on device");
    char path[PATH_BYTES];
    struct checkpoint_header header;
    assert_int_equal(output_find_checkpoint(folder_path("filled"), path), STATUS_OK);
    assert_int_equal(checkpoint_verify(path, &header), STATUS_OK);
    assert_int_equal(header.step, 4);
    request.resume = &header;
    request.resume_path = path;
    struct sink sink;
    trial_open(&request, &sink);
    for (size_t hour = 4; hour < TRIAL_HOURS; hour++)
        trial_write_hour(&sink, hour);
    trial_write(&sink, TRIAL_MAXIMA, 0, 1);
    trial_finish(&sink);
    trial_assert_results("filled");
}

TEST(test_full_disk_while_joining)
{
    struct output_request request = trial_request(folder_path("late"));
    const pid_t child = begin_child();
    if (child == 0) {
        struct sink sink;
        trial_open(&request, &sink);
        for (size_t hour = 0; hour < TRIAL_HOURS; hour++) {
            trial_write_hour(&sink, hour);
            if (hour == 3)
                trial_checkpoint(&sink, 4);
        }
        trial_write(&sink, TRIAL_MAXIMA, 0, 1);
        disk_left = 500000; // enough to close the segments, not enough to join them
        const enum status status = sink.finish(sink.context);
        disk_left = 0;
        sink.abandon(sink.context);
        end_child(status);
    }
    assert_int_equal(exit_code_of(child), 74);
    assert_message("partial/final/fields.nc: .*no space left on device$");
    assert_int_equal(folder_count("late"), 1); // partial/ alone
    assert_int_equal(folder_count("late/partial"), 5);
    trial_resume(&request, 4);
    trial_assert_results("late");
}

TEST(test_file_system_without_links)
{
    has_links = false;
    struct output_request request = trial_request(folder_path("linkless"));
    request.join = false;
    trial_run_whole(&request); // one segment
    trial_assert_results("linkless");
    trial_crash(&request);
    trial_resume(&request, 4); // several: joined all the same
    trial_assert_results("linkless");
}

// A static file is needed again after the resume: its final file is a copy of it.
TEST(test_killed_without_links)
{
    has_links = false;
    struct output_request request = trial_request(folder_path("copied"));
    const pid_t child = begin_child();
    if (child == 0) {
        struct sink sink;
        trial_open(&request, &sink);
        trial_write(&sink, TRIAL_MAXIMA, 0, 1);
        for (size_t hour = 0; hour < TRIAL_HOURS; hour++) {
            trial_write_hour(&sink, hour);
            if (hour == 3)
                trial_checkpoint(&sink, 4);
        }
        dies_at_the_end = true;
        end_child(sink.finish(sink.context));
    }
    assert_int_equal(exit_code_of(child), 9);
    trial_resume(&request, 4);
    trial_assert_results("copied");
}
