// What a run wrote to its log, _logs/NAME.log. Independent of queues and processes.
#ifndef FATHOM_BATCH_RUN_LOG_H
#define FATHOM_BATCH_RUN_LOG_H

#include <stddef.h>

// Why an attempt failed: the last line of the program's own, "fathom: MESSAGE", that is no warning, from
// `from_bytes` of the file on, where the attempt began. Ranks that cannot talk with the batch, as before MPI
// has started, say it there alone. `message` stays as it is if there is none, or no file.
void batch_run_log_failure(const char *path, long from_bytes, char *message, size_t bytes);

#endif
