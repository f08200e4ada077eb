// Runs a subcommand in the test's own process, so that a test can register its own back ends, and reads what
// the command prints. Uses the folder of tests/support/cli_fixture.h. Include it in only one .c file of a
// program.
#ifndef FATHOM_TESTS_CLI_IN_PROCESS_H
#define FATHOM_TESTS_CLI_IN_PROCESS_H

#include "core/status.h"
#include "tests/support/cli_fixture.h"

#include <fcntl.h>
#include <getopt.h>

// Redirects a descriptor to a new file; returns a copy of the old descriptor.
static int redirect(int descriptor, const char *name)
{
    const int file = open(cli_path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
              before = dup(descriptor);
    assert_true(file >= 0 && before >= 0);
    assert_true(dup2(file, descriptor) >= 0);
    close(file);
    return before;
}

static void restore(int descriptor, int before, const char *name, char *text, size_t bytes)
{
    assert_true(dup2(before, descriptor) >= 0);
    close(before);
    const int file = open(cli_path(name), O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    const ssize_t length = read(file, text, bytes - 1);
    assert_true(length >= 0);
    text[length] = '\0';
    close(file);
    assert_int_equal(unlink(cli_path(name)), 0);
}

// Runs the command with a line of arguments, as cli_run does, but file names must be full paths (cli_path).
// The result is valid until the next call.
__attribute__((format(printf, 2, 3))) static const struct cli_result *run_in_process(
    int (*command)(int argc, char **argv), const char *line, ...)
{
    static struct cli_result result;
    const char *words[CLI_WORDS_MAX + 1];
    va_list arguments;
    va_start(arguments, line);
    const int argc = cli_words(words, CLI_WORDS_MAX, line, arguments);
    va_end(arguments);
    words[argc] = NULL;
    memset(&result, 0, sizeof result);
    status_clear();
    optind = 0; // getopt must start again
    fflush(NULL);
    const int output = redirect(STDOUT_FILENO, "in-process-output"),
              error = redirect(STDERR_FILENO, "in-process-error");
    result.exit_code = command(argc, (char **)words);
    fflush(NULL);
    restore(STDOUT_FILENO, output, "in-process-output", result.output, sizeof result.output);
    restore(STDERR_FILENO, error, "in-process-error", result.error, sizeof result.error);
    return &result;
}

#endif
