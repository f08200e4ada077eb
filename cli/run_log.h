// The log of a run in the folder of its results. Beside results of an earlier run the log has a name of its
// own, run.unfinished.log, until the new results take their place: if the run fails or is stopped, the earlier
// results keep their run.log. Independent of models.
#ifndef FATHOM_CLI_RUN_LOG_H
#define FATHOM_CLI_RUN_LOG_H

#include "cli/run_options.h"
#include "cli/session.h"

extern const char run_log_name[], run_log_unfinished_name[]; // in the folder of results

// Opens the log, of a resumed run to continue it. As log_open fails.
enum status run_log_open(const struct session *session, const struct run_options *options);
// The results are the run's own from here on, and so is run.log. STATUS_IO.
enum status run_log_settle(const struct session *session);

#endif
