// The program run as a child in the test's folder (cli_fixture.h), what it answers, and waiting for what it
// does. Knows the command line, nothing of the program's inside. What goes wrong in here fails the test that
// called it.
#ifndef FATHOM_TESTS_SUPPORT_CLI_PROGRAM_H
#define FATHOM_TESTS_SUPPORT_CLI_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cli_options {
    bool as_nobody;          // under the user nobody; only for a test that runs as root
    uint64_t file_bytes_max; // RLIMIT_FSIZE of the child; 0 = unchanged
    uint64_t processes_max;  // RLIMIT_NPROC, threads included; 0 = unchanged. Root gets another user for it.
};

struct cli_result {
    int exit_code; // −1 if a signal ended it
    int signal;
    char output[1 << 18], error[1 << 16]; // standard output and error
};

// Runs the program in the folder, with OMP_NUM_THREADS=2, and waits. The arguments end with NULL. One result
// at a time.
const struct cli_result *cli_run(const char *argument, ...) __attribute__((sentinel));
const struct cli_result *cli_run_as(const struct cli_options *options, const char *argument, ...)
    __attribute__((sentinel));
// The same for any program on the PATH.
const struct cli_result *cli_run_tool(const char *program, const char *argument, ...)
    __attribute__((sentinel));
// The same in two parts. cli_finish fails the test if the program has not ended after two minutes.
pid_t cli_start(const char *argument, ...) __attribute__((sentinel));
const struct cli_result *cli_finish(pid_t child);
// Waits until a file is there or the child has ended; false if it ended (or after a minute) without.
bool cli_wait_for(const char *name, pid_t child);
// Waits, in the same way, until a file holds a text (".error" is the child's standard error).
bool cli_wait_for_text(const char *name, const char *text, pid_t child);
// Waits, in the same way, until one of the two checkpoints in a folder's partial/ is written anew. `before`
// is what cli_checkpoint_stamp returned then.
double cli_checkpoint_stamp(const char *directory);
bool cli_wait_for_checkpoint(const char *directory, double before, pid_t child);

// The program ended with `exit_code` and one line on standard error, "fathom: …", that holds each of the
// fragments (NULL-terminated). Lines of the log before it are allowed only if `has_log`.
void cli_assert_error(const struct cli_result *result, int exit_code, bool has_log, const char *fragment, ...)
    __attribute__((sentinel));
void cli_assert_done(const struct cli_result *result);
// The same for a tool that ends with 77 where what it needs is not installed: then the test is skipped.
void cli_assert_tool(const struct cli_result *result);

#endif
