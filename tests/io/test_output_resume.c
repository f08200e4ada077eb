// io/output: segments at checkpoints, joined or not; runs that crashed, were abandoned or restarted, and the
// files that they leave.
#include "tests/support/test.h"

#include "core/log.h"
#include "io/checkpoint.h"
#include "io/output/output.h"
#include "tests/support/folder.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/statuses.h"
#include "tests/support/trial_run.h"

#include <fcntl.h>

// ---- segments

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove, .teardown = trial_clean);

TEST(test_segments_joined_are_the_whole_run)
{
    struct output_request request = trial_request(folder_path("joined"));
    struct sink sink;
    trial_open(&request, &sink);
    trial_checkpoint(&sink, 0); // before any record
    for (size_t hour = 0; hour < TRIAL_HOURS; hour++) {
        trial_write_hour(&sink, hour);
        if (hour == 1)
            trial_write(&sink, TRIAL_MAXIMA, 0, 1);
        if (hour % 3 == 2)
            trial_checkpoint(&sink, (int64_t)hour);
        if (hour == 5)
            trial_checkpoint(&sink, (int64_t)hour); // two in a row: a segment without records
    }
    assert_true(folder_has("joined/partial/fields.0001.nc"));
    assert_false(folder_has("joined/partial/fields.0000.nc"));
    assert_false(folder_has("joined/partial/fields.0003.nc"));
    assert_false(folder_has("joined/fields.nc"));
    trial_assert_file(folder_path("joined/partial/fields.0002.nc"), TRIAL_FIELDS, 3, 3);
    trial_finish(&sink);
    trial_assert_results("joined");
    int ncid;
    for (int s = 0; s < TRIAL_STREAMS; s++) {
        NC(nc_open(folder_path("joined/%s.nc", trial_streams[s]->name), NC_NOWRITE, &ncid));
        for (int v = 0; v < trial_streams[s]->variable_count; v++)
            trial_assert_range(ncid, s, v);
        NC(nc_close(ncid));
    }
}

TEST(test_unjoined_segments_and_stale_files)
{
    struct output_request request = trial_request(folder_path("apart"));
    trial_run_whole(&request); // an earlier, joined run
    request.join = false;
    struct sink sink;
    trial_open(&request, &sink);
    for (size_t hour = 0; hour < TRIAL_HOURS; hour++) {
        trial_write_hour(&sink, hour);
        if (hour == 3 || hour == 4 || hour == 8) {
            trial_checkpoint(&sink, (int64_t)hour);
            trial_checkpoint(&sink, (int64_t)hour); // leaves gaps in the numbers
        }
    }
    trial_write(&sink, TRIAL_MAXIMA, 0, 1);
    assert_true(folder_has("apart/fields.nc")); // still the file of the earlier run
    trial_finish(&sink);
    assert_false(folder_has("apart/fields.nc"));
    trial_assert_file(folder_path("apart/fields.0000.nc"), TRIAL_FIELDS, 0, 4);
    trial_assert_file(folder_path("apart/fields.0001.nc"), TRIAL_FIELDS, 4, 1);
    trial_assert_file(folder_path("apart/fields.0002.nc"), TRIAL_FIELDS, 5, 4);
    trial_assert_file(folder_path("apart/fields.0003.nc"), TRIAL_FIELDS, 9, 3);
    trial_assert_file(folder_path("apart/gauges.0001.nc"), TRIAL_GAUGES, 120, 30);
    trial_assert_file(folder_path("apart/maxima.nc"), TRIAL_MAXIMA, 0, 1);
    assert_int_equal(folder_count("apart"), 3 * 4 + 1);
    request.join = true;
    trial_run_whole(&request); // a later run removes the segments
    trial_assert_results("apart");
}

// ---- resuming

TEST(test_resume_after_a_crash)
{
    struct output_request request = trial_request(folder_path("crash"));
    trial_crash(&request);
    trial_resume(&request, 4);
    trial_assert_results("crash");
}

TEST(test_damaged_checkpoint_falls_back_to_the_older)
{
    struct log_options quiet = {.terminal_level = LOG_QUIET};
    assert_ok(log_open(&quiet));
    struct output_request request = trial_request(folder_path("older"));
    trial_crash(&request);
    // The second checkpoint is .b; a byte of its state is changed.
    folder_shell("printf X | dd of=%s bs=1 seek=450 conv=notrunc 2>/dev/null",
                 folder_path("older/partial/checkpoint.b"));
    trial_resume(&request, 2);
    trial_assert_results("older");
    assert_int_equal(log_warning_count(), 1);
    assert_non_null(strstr(log_warning_text(0), "checkpoint.b: the checkpoint is damaged"));
    assert_non_null(strstr(log_warning_text(0), "going on from"));
    assert_string_equal(status_message(), ""); // the failure was handled
    log_close();
}

TEST(test_no_checkpoint_to_be_found)
{
    char path[PATH_BYTES];
    assert_failure(output_find_checkpoint(folder_path("nowhere"), path), STATUS_NO_INPUT, "");
    struct output_request request = trial_request(folder_path("both"));
    trial_crash(&request);
    folder_shell("printf XX > %s; : > %s", folder_path("both/partial/checkpoint.a"),
                 folder_path("both/partial/checkpoint.b"));
    assert_failure(output_find_checkpoint(folder_path("both"), path), STATUS_DATA, "checkpoint.a",
                   "checkpoint.b");
}

// The request for resuming a run that crashed after a checkpoint.
static struct output_request request_to_resume(const char *name, char path[PATH_BYTES],
                                               struct checkpoint_header *header)
{
    struct output_request request = trial_request(folder_path("%s", name));
    trial_crash(&request);
    assert_ok(output_find_checkpoint(request.directory, path));
    assert_ok(checkpoint_verify(path, header));
    request.resume = header;
    request.resume_path = path;
    return request;
}

TEST(test_resume_without_a_segment)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct sink sink;
    struct output_request request = request_to_resume("missing", path, &header);
    folder_shell("truncate -s -100 %s", folder_path("missing/partial/gauges.0001.nc"));
    assert_failure(output_open(&request, &sink), STATUS_DATA, "gauges.0001.nc");
    folder_shell("rm %s", folder_path("missing/partial/gauges.0001.nc"));
    assert_failure(output_open(&request, &sink), STATUS_DATA,
                   "stream gauges hold 60 records, expected 120: gauges.0001.nc is missing");
    output_close(&sink); // {0}: no effect
}

TEST(test_resume_with_exchanged_segments)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct sink sink;
    struct output_request request = request_to_resume("exchanged", path, &header);
    folder_shell("cd %s && mv gauges.0000.nc a && mv gauges.0001.nc gauges.0000.nc && mv a gauges.0001.nc",
                 folder_path("exchanged/partial"));
    assert_failure(output_open(&request, &sink), STATUS_DATA, "gauges.0001.nc: its first record");
    output_close(&sink);
}

// A static stream is a file of its own, whose checksum the checkpoint has: a byte in it, an empty file.
TEST(test_resume_with_a_damaged_static_file)
{
    static const char *const damages[] = {"printf 'x' | dd of=%s bs=1 seek=600 conv=notrunc 2>/dev/null",
                                          "truncate -s 0 %s"};
    for (size_t k = 0; k < COUNT(damages); k++) {
        char path[PATH_BYTES], name[16];
        struct checkpoint_header header;
        struct sink sink;
        sprintf(name, "static%zu", k);
        struct output_request request = request_to_resume(name, path, &header);
        folder_shell(damages[k], folder_path("%s/partial/maxima.static.nc", name));
        assert_failure(output_open(&request, &sink), STATUS_DATA, "maxima.static.nc: is damaged");
        output_close(&sink);
    }
}

// A segment number that no run can reach is refused; the largest permitted number is checked quickly.
TEST(test_resume_at_an_impossible_segment)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    struct sink sink;
    struct output_request request = request_to_resume("absurd", path, &header);
    header.segment = INT64_MAX;
    assert_failure(output_open(&request, &sink), STATUS_DATA, "next segment is 9223372036854775807");
    header.segment = 1 << 30;
    assert_ok(output_open(&request, &sink));
    sink.abandon(sink.context);
    output_close(&sink);
}

TEST(test_resume_after_a_crash_while_finishing)
{
    struct output_request request = trial_request(folder_path("late"));
    trial_crash(&request);
    // As if the final files had been written, and one of them already had its final name.
    folder_shell("cd %s && mkdir partial/final && ln partial/fields.0000.nc partial/final/fields.nc && "
                 "ln partial/maxima.static.nc maxima.nc",
                 folder_path("late"));
    trial_resume(&request, 4);
    trial_assert_results("late");
}

// ---- abandoned and restarted runs

TEST(test_abandon_keeps_what_the_checkpoint_needs)
{
    struct output_request request = trial_request(folder_path("kept"));
    struct sink sink;
    trial_open(&request, &sink);
    for (size_t hour = 0; hour < 4; hour++)
        trial_write_hour(&sink, hour);
    trial_write(&sink, TRIAL_MAXIMA, 0, 1);
    trial_checkpoint(&sink, 4);
    trial_write_hour(&sink, 4);
    sink.abandon(sink.context);
    sink.abandon(sink.context);
    output_close(&sink);
    // Three segments, the static file, the checkpoint; the fifth hour is gone.
    assert_int_equal(folder_count("kept/partial"), 5);
    trial_resume(&request, 4);
    trial_assert_results("kept");
}

TEST(test_abandon_without_checkpoint_leaves_old_results)
{
    struct output_request request = trial_request(folder_path("old"));
    trial_run_whole(&request);
    struct sink sink;
    trial_open(&request, &sink);
    trial_write_hour(&sink, 0);
    output_close(&sink); // abandons
    trial_assert_results("old");
}

TEST(test_a_restart_removes_an_unfinished_run)
{
    struct output_request request = trial_request(folder_path("afresh"));
    trial_crash(&request);
    trial_run_whole(&request);
    trial_assert_results("afresh");
}

TEST(test_foreign_files_in_partial_stay)
{
    struct log_options quiet = {.terminal_level = LOG_QUIET};
    assert_ok(log_open(&quiet));
    struct output_request request = trial_request(folder_path("foreign"));
    folder_shell("mkdir -p %s && echo mine > %s", folder_path("foreign/partial"),
                 folder_path("foreign/partial/notes.txt"));
    int standard_error = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDERR_FILENO);
    trial_run_whole(&request);
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    close(nothing);
    assert_true(folder_has("foreign/partial/notes.txt"));
    trial_assert_file(folder_path("foreign/fields.nc"), TRIAL_FIELDS, 0, TRIAL_HOURS);
    assert_int_equal(log_warning_count(), 1);
    log_close();
}
