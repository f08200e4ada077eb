// One function per subcommand. Each gets its own argc, argv (argv[0] is the subcommand's name) and returns
// the process exit code (core/status.h); messages go to standard error as one line, "fathom: MESSAGE".
#ifndef FATHOM_CLI_COMMANDS_H
#define FATHOM_CLI_COMMANDS_H

#include "core/status.h"

#include <stdbool.h>

int command_run(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_batch(int argc, char **argv);
int command_info(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_report(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_validate(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_combine(int argc, char **argv);
int command_forecast(int argc, char **argv);
int command_hazard(int argc, char **argv);
int command_init(int argc, char **argv);
int command_invert(int argc, char **argv);

// `fathom run` for a command that makes the job itself. The path in `argv` names the job in messages; no file
// is read there. `begin` is called when the run has its folder and has begun to write, before its first step.
struct run_given {
    const char *job; // its text
    int argc;        // the command line that, given again, continues a stopped run
    char **argv;
    enum status (*begin)(void *context);
    void *context;
    bool has_begun, has_results; // set by the run: `begin` was called; its results replaced earlier ones
};
int command_run_given(int argc, char **argv, struct run_given *given);

#endif
