// One function per subcommand. Each gets its own argc, argv (argv[0] is the subcommand's name) and returns
// the process exit code (core/status.h); messages go to standard error as one line, "fathom: MESSAGE".
#ifndef FATHOM_CLI_COMMANDS_H
#define FATHOM_CLI_COMMANDS_H

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
int command_init(int argc, char **argv);
int command_invert(int argc, char **argv);

#endif
