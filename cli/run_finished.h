// A run whose results are complete (io/output/finished.h): what they replace, and how they get their names; a
// run that was killed meanwhile or later, or that has ended and is resumed. Nothing is computed again.
// Independent of models.
#ifndef FATHOM_CLI_RUN_FINISHED_H
#define FATHOM_CLI_RUN_FINISHED_H

#include "cli/session.h"
#include "io/output/finished.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

// Whether these are the results of the session's job and inputs.
bool run_finished_is_of(const struct output_finished *finished, const struct session *session,
                        uint64_t input_hash);

// Appends to `names`, a cJSON array, the files in the folder of the session's results that are removed before
// these get their names: results of the earlier run that this one does not write, all of its products, and
// files that would look like parts of these results. Inputs of the job stay, and what is not a plain file.
// The earlier run is the one whose run.json is there. STATUS_IO.
enum status run_finished_list_removed(const struct session *session, struct cJSON *names);

// Once run.json lies beside the final files (run_report_write): gives all of them their names. The log of the
// run, and the removal of a report on the earlier results, belong to it. A later run in the same folder goes
// on after a kill. Statuses of output_publish.
enum status run_finished_publish(const char *directory);

// Makes the products if the run was killed before it had all of them, or could not write them; removes
// partial/, prints run.json on request, and returns the status of the run itself. STATUS_IO.
enum status run_finished_end(const struct output_finished *finished, struct session *session, bool print);

#endif
