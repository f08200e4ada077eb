// `fathom batch --list`: the runs of a queue, without running them.
#ifndef FATHOM_CLI_BATCH_LIST_H
#define FATHOM_CLI_BATCH_LIST_H

#include "batch/queue.h"

// Prints the queue to standard output: for people, or as one JSON object (docs/batch.md).
enum status batch_list_print(const struct batch_queue *queue, bool as_json);

#endif
