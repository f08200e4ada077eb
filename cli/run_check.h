// The job's `check` block: comparison with a reference file, and the result of repeated steps on the
// reference back end.
#ifndef FATHOM_CLI_RUN_CHECK_H
#define FATHOM_CLI_RUN_CHECK_H

#include "cli/session.h"
#include "models/check_record.h"

// Before the run: check.reference_file and check.variables belong together, the file is there, its variables
// are results of this run with tolerances in their units. STATUS_CONFIGURATION, STATUS_NO_INPUT.
enum status run_check_plan(const struct session *session);

// After the run: compares the result file of the same name with check.reference_file. STATUS_CHECK_FAILED
// names the first variable out of tolerance, by how much and where. Without such a check: STATUS_OK.
enum status run_check_reference_file(const struct session *session);

// The result of the repeated steps (valid until session_close); NULL if the model has none or nothing was
// compared.
const struct check_record *run_check_record(const struct session *session);

// Logs it: the quantity with the largest difference as a line, the others in the log file.
void run_check_report(const struct session *session);

#endif
