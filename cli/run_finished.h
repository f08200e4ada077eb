// A run whose results are complete (io/output/finished.h): it was killed during clean-up, or it has ended and
// is resumed. Nothing is computed again. Independent of models.
#ifndef FATHOM_CLI_RUN_FINISHED_H
#define FATHOM_CLI_RUN_FINISHED_H

#include "cli/session.h"
#include "io/output/finished.h"

#include <stdbool.h>
#include <stdint.h>

// Whether these are the results of the session's job and inputs.
bool run_finished_is_of(const struct output_finished *finished, const struct session *session,
                        uint64_t input_hash);

// Makes the products if the run was killed before it had all of them, or could not write them; removes
// partial/, prints run.json on request, and returns the status of the run itself. STATUS_IO.
enum status run_finished_end(const struct output_finished *finished, struct session *session, bool print);

#endif
