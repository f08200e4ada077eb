// The program run as a child in the test's folder (cli_fixture.h), what it answers, and waiting for what it
// does. Knows the command line, nothing of the program's inside. What goes wrong in here fails the test that
// called it.
#ifndef FATHOM_TESTS_SUPPORT_CLI_PROGRAM_H
#define FATHOM_TESTS_SUPPORT_CLI_PROGRAM_H

#include "tests/support/asserts.h"

#include <sys/types.h>

// Exit codes of the program.
enum {
    CHECK_FAILED = 1,
    USAGE = 64,
    DATA = 65,
    NO_INPUT = 66,
    SYSTEM = 71,
    CANNOT_CREATE = 73,
    STOPPED = 75,
    CONFIGURATION = 78
};

struct cli_options {
    bool as_nobody;          // under the user nobody; only for a test that runs as root
    uint64_t file_bytes_max; // RLIMIT_FSIZE of the child; 0 = unchanged
    bool has_closed_output;  // standard output is closed, as by >&-
    bool has_full_output;    // standard output is /dev/full
    uint64_t processes_max;  // RLIMIT_NPROC, threads included; 0 = unchanged. Root gets another user for it.
};

struct cli_result {
    int exit_code; // −1 if a signal ended it
    int signal;
    double memory_bytes;                  // the largest that it had resident
    char output[1 << 18], error[1 << 16]; // standard output and error
};

// Runs the program in the folder, with OMP_NUM_THREADS=2, and waits. The line of its arguments is put
// together as by printf. Blanks of the format part them, those of values do not; 'single quotes' keep an
// argument with blanks together, and what a backslash precedes is taken as it is. An empty value that is not
// quoted is no argument. One result at a time.
const struct cli_result *cli_run(const char *line, ...) __attribute__((format(printf, 1, 2)));
// The same; its exit code must be 0.
const struct cli_result *cli_do(const char *line, ...) __attribute__((format(printf, 1, 2)));
const struct cli_result *cli_run_as(const struct cli_options *options, const char *line, ...)
    __attribute__((format(printf, 2, 3)));
// The same for any program on the PATH, with the arguments one by one.
#define cli_run_tool(...) cli_run_words((const char *const[]){__VA_ARGS__, NULL})
const struct cli_result *cli_run_words(const char *const *words);
// The same in two parts. cli_finish fails the test if the program has not ended after two minutes.
pid_t cli_start(const char *line, ...) __attribute__((format(printf, 1, 2)));
const struct cli_result *cli_finish(pid_t child);
// The words of such a line, at most `room`; valid until the next call. Returns how many. And a run of a line
// that is no format.
enum { CLI_WORDS_MAX = 32 };
int cli_words(const char **words, int room, const char *format, va_list arguments);
const struct cli_result *cli_run_line(const char *line);
// Waits until a file is there or the child has ended; false if it ended (or after a minute) without.
bool cli_wait_for(const char *name, pid_t child);
// Waits, in the same way, until a file holds a text (".error" is the child's standard error).
bool cli_wait_for_text(const char *name, const char *text, pid_t child);
// Waits, in the same way, until one of the two checkpoints in a folder's partial/ is written anew. `before`
// is what cli_checkpoint_stamp returned then.
double cli_checkpoint_stamp(const char *directory);
bool cli_wait_for_checkpoint(const char *directory, double before, pid_t child);

// The program ended with `exit_code` and one line on standard error, "fathom: …", that holds each of the
// fragments. Lines of the log before it are allowed only if `has_log`.
#define cli_assert_error(result, exit_code, has_log, ...)                                                    \
    cli_assert_error_has(result, exit_code, has_log, (const char *const[]){__VA_ARGS__, NULL})
void cli_assert_error_has(const struct cli_result *result, int exit_code, bool has_log,
                          const char *const *fragments);
// The same of rows of command lines, which print nothing else.
struct cli_refusal {
    const char *line; // not a format
    int exit_code;
    const char *fragments[6];
};
#define CLI_ASSERT_REFUSED(rows) cli_assert_refused(rows, sizeof(rows) / sizeof *(rows))
void cli_assert_refused(const struct cli_refusal *rows, size_t count);
void cli_assert_done(const struct cli_result *result);
// The same for a tool that ends with 77 where what it needs is not installed: then the test is skipped.
void cli_assert_tool(const struct cli_result *result);

#endif
