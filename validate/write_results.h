// The results of a validation as files for other programs. Independent of the terminal and of pictures.
#ifndef FATHOM_VALIDATE_WRITE_RESULTS_H
#define FATHOM_VALIDATE_WRITE_RESULTS_H

#include "validate/runner.h"

#include <stdio.h>

// Writes everything but the lines of the pictures, as one JSON object:
//   {"program", "passed", "failed", "skipped", "cases": [CASE, ...]}
//   CASE: {"suite", "case", "summary", "source", "verdict", "reason", "note", "seconds",
//          "results": [RESULT, ...]}
//   RESULT: {"quantity", "unit", "kind", "computed", "reference", "error", "tolerance", "verdict", "reason",
//            "source", "tolerance_source"}
// Non-finite numbers are null. STATUS_IO if it cannot be written.
enum status validation_write_json(FILE *stream, const struct validation_list *list, const char *program);

// Writes JUnit XML for continuous integration: a testsuite for each suite, a testcase for each case. The text
// of a failure has the failed results, one per line. Skipped cases are failures if `is_required`. The file is
// written under another name and renamed. STATUS_CANNOT_CREATE, STATUS_IO.
enum status validation_write_junit(const char *path, const struct validation_list *list, bool is_required);

#endif
