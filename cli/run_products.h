// The products of a run (output.products): files in other formats, made of its finished results. A failure
// never touches the results. Until all products are there run.json says which ones are awaited, so that a
// resumed run makes them of the same results (io/output/finished.h).
#ifndef FATHOM_CLI_RUN_PRODUCTS_H
#define FATHOM_CLI_RUN_PRODUCTS_H

#include "cli/run_report.h"
#include "cli/session.h"

bool run_products_are_wanted(const struct session *session);

// Once the final files are there (output_final_directory): the products that they give, for
// run_report_write; release them with cJSON_Delete.
enum status run_products_list(const struct session *session, struct cJSON **names);

// Once run.json is in place: makes the products and enters them there. *verdict: that of run.json before, or
// the failure of a product if that was STATUS_OK. Returns what else failed.
enum status run_products_write(struct session *session, enum status *verdict);

#endif
