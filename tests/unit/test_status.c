// core/status: the first failure is kept, prefixes are put before it, every status has a name, a text and an
// exit code.
#include "tests/support/test.h"

#include "core/status.h"
#include "tests/support/fresh.h"

#include <pthread.h>

TEST_SUITE(.setup = fresh_status);

TEST(test_exit_codes_follow_sysexits)
{
    // Written down again from sysexits.h and the contract, not from the list under test.
    static const struct {
        enum status status;
        const char *name;
        int code;
    } expected[] = {{STATUS_OK, "STATUS_OK", 0},
                    {STATUS_CHECK_FAILED, "STATUS_CHECK_FAILED", 1},
                    {STATUS_USAGE, "STATUS_USAGE", 64},
                    {STATUS_DATA, "STATUS_DATA", 65},
                    {STATUS_NO_INPUT, "STATUS_NO_INPUT", 66},
                    {STATUS_SOFTWARE, "STATUS_SOFTWARE", 70},
                    {STATUS_SYSTEM, "STATUS_SYSTEM", 71},
                    {STATUS_CANNOT_CREATE, "STATUS_CANNOT_CREATE", 73},
                    {STATUS_IO, "STATUS_IO", 74},
                    {STATUS_STOPPED, "STATUS_STOPPED", 75},
                    {STATUS_CONFIGURATION, "STATUS_CONFIGURATION", 78}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(expected[i].status, i); // the list is complete and in order
        assert_string_equal(status_name(expected[i].status), expected[i].name);
        assert_int_equal(status_exit_code(expected[i].status), expected[i].code);
        assert_true(strlen(status_text(expected[i].status)) > 1);
    }
}

static enum status fail_with(int value)
{
    return FAIL(STATUS_DATA, "depth.nc: row %d: expected a number", value);
}

static enum status call(int value)
{
    CHECK(fail_with(value));
    return STATUS_OK;
}

static enum status call_about(int value)
{
    CHECK_ABOUT(call(value), "job %s", "a.json");
    return STATUS_OK;
}

TEST(test_first_failure_is_kept)
{
    assert_string_equal(status_message(), "");
    assert_int_equal(call(7), STATUS_DATA);
    assert_string_equal(status_message(), "depth.nc: row 7: expected a number");
    assert_non_null(strstr(status_origin(), "test_status.c:"));
    assert_int_equal(FAIL(STATUS_IO, "a consequence"), STATUS_IO);
    assert_string_equal(status_message(), "depth.nc: row 7: expected a number");
    status_clear();
    assert_string_equal(status_message(), "");
    assert_string_equal(status_origin(), "");
    FAIL(STATUS_IO, "another");
    assert_string_equal(status_message(), "another");
}

TEST(test_context_comes_first)
{
    assert_int_equal(call_about(3), STATUS_DATA);
    assert_string_equal(status_message(), "job a.json: depth.nc: row 3: expected a number");
}

TEST(test_messages_are_one_line)
{
    FAIL(STATUS_DATA, "%s", "a\nb\033[2Jc");
    assert_string_equal(status_message(), "a?b?[2Jc");
    status_prefix(STATUS_DATA, "%s", "d\r");
    assert_string_equal(status_message(), "d?: a?b?[2Jc");
}

TEST(test_long_texts_are_cut)
{
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    FAIL(STATUS_DATA, "%s", text);
    size_t length = strlen(status_message());
    assert_in_range(length, 500, sizeof text - 2);
    assert_int_equal(status_prefix(STATUS_DATA, "%s", text), STATUS_DATA);
    assert_int_equal(strlen(status_message()), length);
}

static void *fail_often(void *argument)
{
    for (int i = 0; i < 2000; i++)
        FAIL(STATUS_IO, "thread %d failed at %d", *(const int *)argument, i);
    return NULL;
}

TEST(test_threads_leave_one_whole_message)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int names[THREADS];
    for (int i = 0; i < THREADS; i++) {
        names[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, fail_often, &names[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    int thread = -1, round = -1, length = 0;
    assert_int_equal(sscanf(status_message(), "thread %d failed at %d%n", &thread, &round, &length), 2);
    assert_in_range(thread, 0, THREADS - 1);
    assert_int_equal(round, 0); // the first failure of whichever came first
    assert_int_equal(length, strlen(status_message()));
}
