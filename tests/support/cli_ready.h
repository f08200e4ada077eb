// The program loaded once for many commands: each runs in a copy of a process that stands at the beginning of
// its main function (ready.c). The commands have the same program, libraries and environment as without; only
// the loading (some 20 ms of the processor) is done once per test program.
#ifndef FATHOM_TESTS_SUPPORT_CLI_READY_H
#define FATHOM_TESTS_SUPPORT_CLI_READY_H

#include "tests/support/ready.h"

#include <stdbool.h>

// Runs the command in the test's folder, with its standard output and error in .output and .error there, and
// waits. `environment` is called in the new process before it becomes the program, and sets what the program
// is to find in its environment. False if it has to be begun by itself: a library is to be loaded before it,
// or a sanitizer watches it. Fails the test if it has not ended after `limit_s`.
bool cli_ready_run(const char *const *words, bool (*environment)(void), int limit_s, struct ready_end *end);

#endif
