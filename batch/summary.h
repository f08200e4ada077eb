// OUTPUT/summary.json and junit.xml of a batch, each replaced as a whole. May be written while the batch
// runs.
#ifndef FATHOM_BATCH_SUMMARY_H
#define FATHOM_BATCH_SUMMARY_H

#include "batch/batch.h"

// Nothing for an array element: --summary collects them.
enum status batch_summary_write(const struct batch *batch);

#endif
