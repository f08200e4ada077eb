// OUTPUT/summary.json and junit.xml of a batch, each replaced as a whole. May be written while the batch
// runs.
#ifndef FATHOM_BATCH_SUMMARY_H
#define FATHOM_BATCH_SUMMARY_H

#include "batch/batch.h"

struct cJSON;

// Nothing for an array element: --summary collects them.
enum status batch_summary_write(const struct batch *batch);

// An object of settings, each with its value; the caller deletes it. NULL: no memory.
struct cJSON *batch_summary_settings(const struct batch_setting *settings, size_t count);

#endif
