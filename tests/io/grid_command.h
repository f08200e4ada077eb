// The commands on grids, `convert` and `info`, called in the test's own process. Header only.
#ifndef FATHOM_TESTS_IO_GRID_COMMAND_H
#define FATHOM_TESTS_IO_GRID_COMMAND_H

#include "cli/commands.h"
#include "tests/io/grid_fixture.h"

#include <fcntl.h>
#include <getopt.h>

static char output[16384], errors[4096]; // what the last command printed

static inline void read_back(const char *name, char *text, size_t bytes)
{
    char *whole = folder_read(name, NULL);
    snprintf(text, bytes, "%s", whole);
}

// Runs a command; `words` end with NULL. Returns its exit code.
static inline int run(int (*command)(int argc, char **argv), const char *const *words)
{
    static const char *const names[2] = {"stdout", "stderr"};
    char *argv[24];
    int argc = 0, saved[2];
    for (; words[argc] != NULL; argc++)
        argv[argc] = owned_take(strdup(words[argc]));
    argv[argc] = NULL;
    fflush(NULL);
    for (int k = 0; k < 2; k++) {
        const int file = open(folder_path("%s", names[k]), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        assert_true(file >= 0);
        saved[k] = dup(k + 1);
        assert_true(dup2(file, k + 1) >= 0);
        close(file);
    }
    optind = 0; // start getopt over
    status_clear();
    const int code = command(argc, argv);
    fflush(NULL);
    for (int k = 0; k < 2; k++) {
        assert_true(dup2(saved[k], k + 1) >= 0);
        close(saved[k]);
    }
    read_back(names[0], output, sizeof output);
    read_back(names[1], errors, sizeof errors);
    return code;
}

#define RUN(command, ...) run(command, (const char *const[]){__VA_ARGS__, NULL})

#endif
