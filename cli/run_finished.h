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

// Result files of the earlier run whose run.json is in the folder of the session's results.
struct run_earlier {
    char names[RUN_STREAMS_MAX][112];
    const char *files[RUN_STREAMS_MAX]; // names[0], names[1], ...
    int count;
};

// The files that its run.json lists, for output_request.earlier_files, except inputs of the session's job.
// None if run.json is missing or of another program. Records no failure.
void run_finished_list_files(const struct session *session, struct run_earlier *earlier);

// Makes the products if the run was killed before it had all of them, or could not write them; removes
// partial/, prints run.json on request, and returns the status of the run itself. STATUS_IO.
enum status run_finished_end(const struct output_finished *finished, struct session *session, bool print);

#endif
