// core/log: what reaches the terminal and the file at which level, the kept warnings, threads, files that
// cannot be.
#include "tests/support/test.h"

#include "core/log.h"
#include "tests/support/folder.h"
#include "tests/support/statuses.h"

#include <fcntl.h>
#include <pthread.h>

static char log_path[128], terminal_path[128];
static int standard_error = -1;

static int make_directory(void **state)
{
    if (folder_make(state) != 0)
        return -1;
    snprintf(log_path, sizeof log_path, "%s", folder_path("run.log"));
    snprintf(terminal_path, sizeof terminal_path, "%s", folder_path("terminal"));
    return 0;
}

// Standard error goes to a file during a test.
static int redirect(void **state)
{
    standard_error = dup(STDERR_FILENO);
    int file = open(terminal_path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    if (standard_error < 0 || file < 0 || dup2(file, STDERR_FILENO) < 0)
        return -1;
    return close(file);
}

static int restore(void **state)
{
    log_close();
    status_clear();
    unlink(log_path);
    if (dup2(standard_error, STDERR_FILENO) < 0)
        return -1;
    return close(standard_error);
}

static const char *content(const char *path)
{
    static char text[1 << 18];
    int file = open(path, O_RDONLY);
    assert_true(file >= 0);
    ssize_t got = read(file, text, sizeof text - 1);
    assert_true(got >= 0);
    close(file);
    text[got] = '\0';
    return text;
}

static void open_log(enum log_level terminal, enum log_level file, bool append)
{
    struct log_options options = {
        .terminal_level = terminal, .path = log_path, .file_level = file, .append = append};
    assert_ok(log_open(&options));
}

static void say_everything(void)
{
    log_info("information %d", 1);
    log_detail("detail %d", 2);
    log_warning("warning %d", 3);
}

TEST_SUITE(.group_setup = make_directory, .group_teardown = folder_remove, .setup = redirect,
           .teardown = restore);

TEST(test_levels)
{
    open_log(LOG_QUIET, LOG_DETAIL, false);
    say_everything();
    log_close();
    assert_string_equal(content(terminal_path), "fathom: warning: warning 3\n");
    int year, month, day, hour, minute, second, millisecond, length = 0;
    const char *text = content(log_path);
    assert_int_equal(sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ info    information 1%n", &year, &month, &day,
                            &hour, &minute, &second, &millisecond, &length),
                     7);
    assert_int_equal(length, 46);
    assert_non_null(strstr(text, "Z detail  detail 2\n"));
    assert_non_null(strstr(text, "Z warning warning 3\n"));
    assert_in_range(year, 2020, 2200);
}

TEST(test_info_leaves_details_out)
{
    open_log(LOG_INFO, LOG_INFO, false);
    say_everything();
    log_close();
    assert_string_equal(content(terminal_path), "fathom: information 1\nfathom: warning: warning 3\n");
    assert_null(strstr(content(log_path), "detail"));
}

TEST(test_append_and_replace)
{
    open_log(LOG_QUIET, LOG_INFO, false);
    log_info("first");
    open_log(LOG_QUIET, LOG_INFO, true);
    log_info("second");
    log_close();
    assert_non_null(strstr(content(log_path), "first"));
    assert_non_null(strstr(content(log_path), "second"));
    open_log(LOG_QUIET, LOG_INFO, false);
    log_close();
    assert_string_equal(content(log_path), "");
}

TEST(test_warnings_are_kept)
{
    open_log(LOG_QUIET, LOG_INFO, false);
    assert_int_equal(log_warning_count(), 0);
    assert_null(log_warning_text(0));
    for (int i = 0; i < 40; i++)
        log_warning("number %d", i);
    assert_int_equal(log_warning_count(), 40);
    assert_int_equal(log_warning_kept(), LOG_WARNINGS_MAX);
    assert_string_equal(log_warning_text(0), "number 8");
    assert_string_equal(log_warning_text(31), "number 39");
    assert_null(log_warning_text(32));
    log_close();
    assert_int_equal(log_warning_count(), 40); // asked for when the run is over
    open_log(LOG_QUIET, LOG_INFO, false);
    assert_int_equal(log_warning_count(), 0);
    log_close();
    log_warning("between two logs");
    open_log(LOG_QUIET, LOG_INFO, false);
    log_warning("in the second");
    assert_int_equal(log_warning_count(), 2);
    assert_string_equal(log_warning_text(0), "between two logs");
    assert_string_equal(log_warning_text(1), "in the second");
    log_close();
    const char *first = strstr(content(log_path), "Z warning between two logs\n");
    assert_non_null(first);
    assert_non_null(strstr(first, "Z warning in the second\n"));
}

// What a run will say again leaves no trace.
TEST(test_muted_messages_are_forgotten)
{
    open_log(LOG_INFO, LOG_INFO, false);
    const size_t before = log_warning_count();
    log_mute(true);
    log_warning("early");
    log_info("early");
    log_mute(false);
    assert_int_equal(log_warning_count(), before);
    log_warning("late");
    assert_int_equal(log_warning_count(), before + 1);
    log_close();
    assert_null(strstr(content(log_path), "early"));
    assert_null(strstr(content(terminal_path), "early"));
    assert_non_null(strstr(content(log_path), "late"));
}

TEST(test_one_line_whatever_comes)
{
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    open_log(LOG_QUIET, LOG_INFO, false);
    log_warning("two\nlines\033[2J");
    assert_string_equal(log_warning_text(0), "two lines [2J");
    log_warning("%s", text);
    size_t length = strlen(log_warning_text(1));
    assert_in_range(length, LOG_WARNING_BYTES - 8, LOG_WARNING_BYTES - 1);
    assert_string_equal(log_warning_text(1) + length - 3, "...");
    for (int i = 0; i < 2998; i += 2)
        memcpy(text + i, "é", 2); // two bytes: a cut must not split it
    log_warning("%s", text);
    const char *cut = log_warning_text(2);
    length = strlen(cut);
    assert_int_equal((length - 3) % 2, 0);
    assert_string_equal(cut + length - 5, "é...");
    log_close();
    int lines = 0;
    for (const char *at = content(log_path); (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 3);
}

TEST(test_file_that_cannot_be)
{
    const char *path = format_text("%s/no/such/folder/run.log", folder_root());
    struct log_options options = {.path = path};
    assert_failure(log_open(&options), STATUS_CANNOT_CREATE, path, "No such file or directory");
}

TEST(test_full_disk_loses_lines_only)
{
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full here\n");
        skip();
    }
    struct log_options options = {.terminal_level = LOG_INFO, .path = "/dev/full"};
    assert_ok(log_open(&options));
    log_warning("a");
    log_warning("b");
    assert_int_equal(log_lost_lines(), 2);
    assert_string_equal(status_message(), "");
    assert_non_null(strstr(content(terminal_path), "warning: b\n"));
}

TEST(test_a_message_erases_the_progress_line)
{
    open_log(LOG_INFO, LOG_INFO, false);
    assert_true(log_transient(STDERR_FILENO, "half", 4, true));
    log_info("message");
    log_info("another");
    assert_string_equal(content(terminal_path), "half\r\033[Jfathom: message\nfathom: another\n");
}

static void *say_much(void *argument)
{
    for (int i = 0; i < 250; i++)
        log_info("thread %d says %d and is heard", *(const int *)argument, i);
    return NULL;
}

TEST(test_threads_write_whole_lines)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int names[THREADS], next[THREADS] = {0}, lines = 0;
    open_log(LOG_QUIET, LOG_INFO, false);
    for (int i = 0; i < THREADS; i++) {
        names[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, say_much, &names[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    log_close();
    for (const char *at = content(log_path); *at; at = strchr(at, '\n') + 1) {
        int thread, number, length = 0;
        assert_int_equal(sscanf(at, "%*s info thread %d says %d and is heard%n", &thread, &number, &length),
                         2);
        assert_int_equal(at[length], '\n');
        assert_in_range(thread, 0, THREADS - 1);
        assert_int_equal(number, next[thread]++);
        lines++;
    }
    assert_int_equal(lines, THREADS * 250);
}
