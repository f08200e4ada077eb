// What the subcommands share about their command lines: options with errors in one voice, and the last line
// of a failure. Knows no command.
#ifndef FATHOM_CLI_OPTIONS_H
#define FATHOM_CLI_OPTIONS_H

#include "core/status.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// As getopt_long, with argv[0] the subcommand's name and `letters` the short options. An unknown option (with
// the nearest known one), one that lacks its value, or has one too many: '?' after one line on standard
// error.
int options_next(int argc, char **argv, const char *letters, const struct option *table);

// "fathom: " and the status' message on standard error; returns the exit code.
int options_report_failure(enum status status);

// The dated command line, for a file's `history`: "2026-01-31T12:00:00Z: fathom convert in.nc out.nc". Cut to
// `bytes`.
void options_history(int argc, char **argv, char *text, size_t bytes);

// How wide lines on standard output may be: what COLUMNS says, else the terminal, else 100.
size_t options_columns(void);

// The value of --record: a whole number, 0 or more. Else STATUS_USAGE.
enum status options_record(const char *text, int64_t *record);

#endif
