// A run's results get their names (io/output/output.h): what they replace, and the order. Independent of
// models.
#ifndef FATHOM_CLI_RUN_PUBLISH_H
#define FATHOM_CLI_RUN_PUBLISH_H

#include "cli/session.h"

struct cJSON;

// Appends to `names`, a cJSON array, the files in the folder of the session's results that are removed before
// these get their names: results of the earlier run that this one does not write, all of its products, and
// files that would look like parts of these results. Inputs of the job stay, and what is not a plain file. The
// earlier run is the one whose run.json is there. STATUS_IO.
enum status run_publish_list(const struct session *session, struct cJSON *names);

// Once run.json lies beside the final files (run_report_write): gives all of them their names. The log of the
// run, and the removal of a report on the earlier results, belong to it. A later run in the same folder goes
// on after a kill. Statuses of output_publish.
enum status run_publish(const char *directory);

#endif
