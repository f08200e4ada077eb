// The command line of `fathom run`.
#ifndef FATHOM_CLI_RUN_OPTIONS_H
#define FATHOM_CLI_RUN_OPTIONS_H

#include "cli/run_control.h"
#include "cli/session.h"

struct run_given;

struct run_options {
    struct session_request session;
    bool resume, restart, quiet, json;
    int64_t check_steps; // session.check_steps points here if it was given
    double time_limit_s;
    int threads;                // 0 = all
    struct run_control control; // of a batch; descriptor −1: none
    bool is_later;              // the process made another run before
    struct run_given *given;    // by another command; NULL: none
};

// Reads the command line. False: the command ends with *code, after --help, --explain or a reported
// mistake.
bool run_options_read(int argc, char **argv, struct run_options *options, int *code);

#endif
