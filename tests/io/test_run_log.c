// What a batch takes from a run's log for the reason of a failure.
#include "tests/support/test.h"

#include "batch/run_log.h"
#include "tests/support/fresh.h"

static const char *failure(const char *log, long from_bytes)
{
    static char message[64];
    folder_write_text("a.log", log);
    strcpy(message, "as before");
    batch_run_log_failure(folder_path("a.log"), from_bytes, message, sizeof message);
    return message;
}

// A warning is not why a run failed, though it may be its last line.
TEST(the_failure_is_the_last_line_that_is_no_warning)
{
    assert_string_equal(failure("fathom: a.nii: cut short\nfathom: warning: its step is long\n", 0),
                        "a.nii: cut short");
    assert_string_equal(failure("fathom: first\nfathom: second\nmpirun: a rank has failed\n", 0), "second");
    assert_string_equal(failure("fathom: warning: its step is long\nmpirun: killed\n", 0), "as before");
    assert_string_equal(failure("fathom: the attempt before\nfathom: warning: x\n", 27), "as before");
    assert_string_equal(failure("fathom: without an end of line", 0), "without an end of line");
    batch_run_log_failure(folder_path("none.log"), 0, (char[]){""}, 1);
}

// Neither is a piece from within a long line, nor more than the message holds.
TEST(long_lines_are_cut)
{
    char *log = calloc(1, 3 * 4096);
    memcpy(log, "fathom: warning: ", 17);
    memset(log + 17, 'x', 4095 - 17);
    strcat(log, "fathom: within the warning\n");
    assert_string_equal(failure(log, 0), "as before");
    memset(log, 0, 3 * 4096);
    memcpy(log, "fathom: ", 8);
    memset(log + 8, 'y', 5000);
    const char *message = failure(log, 0);
    assert_int_equal(strlen(message), 63);
    assert_int_equal(strspn(message, "y"), 63);
    free(log);
}

TEST_SUITE(.setup = fresh_folder, .teardown = folder_remove);
