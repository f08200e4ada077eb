// The products of a run (output.products): see export/export.h for what they are.
#ifndef FATHOM_MODELS_TSUNAMI_EXPORT_RUN_H
#define FATHOM_MODELS_TSUNAMI_EXPORT_RUN_H

#include "core/status.h"

struct cJSON;
struct model_plan;
struct tsunami;

// After the streams and the inputs are planned. Adds their bytes to the plan. STATUS_CONFIGURATION: a product
// would replace an input, or a grid cannot be a GeoTIFF.
enum status tsunami_run_exports_plan(struct tsunami *run, struct model_plan *plan);

// Adds to run.json what fathom convert needs to make the same of the results: "zones".
void tsunami_run_exports_describe(const struct tsunami *run, struct cJSON *report);

// struct model's write_products and list_products.
enum status tsunami_run_exports_write(void *instance, const char *directory, struct cJSON *report,
                                      struct cJSON *names);
enum status tsunami_run_exports_list(void *instance, const char *directory, struct cJSON *names);

#endif
