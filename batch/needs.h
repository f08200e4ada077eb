// The resources that a run needs, as JSON: in the plan that the run sends, in the journal and in the summary.
#ifndef FATHOM_BATCH_NEEDS_H
#define FATHOM_BATCH_NEEDS_H

#include "batch/batch.h"

struct cJSON;

// Adds "steps", "host_bytes", "device_bytes", "disk_bytes", "results_bytes", "estimated_s".
void batch_needs_add_amounts(struct cJSON *object, const struct batch_needs *needs);
// Adds "devices", the numbers of a run's several; nothing for 0.
void batch_needs_add_devices(struct cJSON *object, unsigned devices);
// Adds "model", "backend", "title", then the same.
void batch_needs_add(struct cJSON *object, const struct batch_needs *needs);

// A missing number is 0, a missing text "".
void batch_needs_read(const struct cJSON *object, struct batch_needs *needs);
double batch_needs_number(const struct cJSON *object, const char *key);

#endif
