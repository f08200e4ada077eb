// The log of a run in the folder of its results. Beside results of an earlier run the log has a name of its
// own, run.unfinished.log, until the new results take their place: if the run fails or is stopped, the
// earlier results keep their run.log. Independent of what is logged.
#ifndef FATHOM_IO_OUTPUT_LOG_FILE_H
#define FATHOM_IO_OUTPUT_LOG_FILE_H

#include "core/log.h"

extern const char output_log_name[], output_log_unfinished_name[]; // in the folder of results

// Opens the log, of a resumed run to continue it; all lines go to it. As log_open fails.
enum status output_log_open(const char *directory, enum log_level terminal_level, bool is_resumed);
// The results are the run's own from here on, and so is run.log. STATUS_IO.
enum status output_log_settle(const char *directory);

#endif
