// The log of a run in the folder of its results. Beside results of an earlier run the log has a name of its
// own, run.unfinished.log, until the new results take their place: if the run fails or is stopped, the
// earlier results keep their run.log. Independent of what is logged.
#ifndef FATHOM_IO_OUTPUT_LOG_FILE_H
#define FATHOM_IO_OUTPUT_LOG_FILE_H

#include "core/log.h"

#include <stdint.h>

extern const char output_log_name[], output_log_unfinished_name[]; // in the folder of results

// Opens the log; all lines go to it. `resumed_hash`: of the job of a run that is resumed, which continues its
// log; NULL: a new run. As log_open fails.
enum status output_log_open(const char *directory, enum log_level terminal_level,
                            const uint64_t *resumed_hash);
// The results are the run's own from here on, and so is run.log. STATUS_IO.
enum status output_log_settle(const char *directory);

#endif
