// A run whose results are complete (io/output/finished.h): it was killed as it cleaned up, or it had ended
// and is asked to go on. Nothing is computed again. Knows no model.
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

// Those that its run.json lists, for output_request.earlier_files; not what the session's job reads as an
// input. None if it is not there, or not a run's of this program. Leaves no failure recorded.
void run_finished_list_files(const struct session *session, struct run_earlier *earlier);

// Removes what is left in partial/, prints run.json if asked, and returns what the run itself returned.
// STATUS_IO.
enum status run_finished_end(const struct output_finished *finished, const struct session *session,
                             bool print);

#endif
