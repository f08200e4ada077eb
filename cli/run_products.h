// The products of a run (output.products): files in other formats, made of its finished results. A failure
// never touches the results.
#ifndef FATHOM_CLI_RUN_PRODUCTS_H
#define FATHOM_CLI_RUN_PRODUCTS_H

#include "cli/run_report.h"
#include "cli/session.h"

bool run_products_are_wanted(const struct session *session);

// The products that the run.json in the session's folder lists (a cJSON array; run_products_free), except
// inputs of the job. NULL: none.
struct cJSON *run_products_of_earlier(const struct session *session);

// Writes them, fills in outcome->products, and removes those of the earlier run that were not replaced.
// Returns `verdict`, or the failure of a product, which is then the outcome's verdict, too.
enum status run_products_write(struct session *session, struct run_outcome *outcome, enum status verdict);

void run_products_free(struct run_outcome *outcome);

#endif
