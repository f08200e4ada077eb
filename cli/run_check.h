// The job's `check` block against a reference file.
#ifndef FATHOM_CLI_RUN_CHECK_H
#define FATHOM_CLI_RUN_CHECK_H

#include "cli/session.h"

// Before the run: check.reference_file and check.variables belong together, the file is there, its variables
// are results of this run with tolerances in their units. STATUS_CONFIGURATION, STATUS_NO_INPUT.
enum status run_check_plan(const struct session *session);

// After the run: compares the result file of the same name with check.reference_file. STATUS_CHECK_FAILED
// names the first variable out of tolerance, by how much and where. Nothing asked for → STATUS_OK.
enum status run_check_reference_file(const struct session *session);

#endif
