// What a run wrote to its log, _logs/NAME.log. Independent of queues and processes.
#ifndef FATHOM_BATCH_RUN_LOG_H
#define FATHOM_BATCH_RUN_LOG_H

#include <stddef.h>

// Why an attempt failed: the last line of the program's own, "fathom: MESSAGE", that is no warning, from
// `from_bytes` of the file on, where the attempt began. Before MPI has started, ranks can tell the batch in
// no other way. If there is no such line, or no file, `message` is left unchanged.
void batch_run_log_failure(const char *path, long from_bytes, char *message, size_t bytes);

#endif
