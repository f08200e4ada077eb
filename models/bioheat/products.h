// The tables of a heat run (output.products: csv): sensors.csv, exposures.csv, histograms.csv, made of its
// finished results: of sensors.nc, histograms.nc, and the table of exposures in run.json.
#ifndef FATHOM_MODELS_BIOHEAT_PRODUCTS_H
#define FATHOM_MODELS_BIOHEAT_PRODUCTS_H

#include "models/model.h"

struct bioheat;

// After the plan's inputs and streams. STATUS_CONFIGURATION: a table would replace an input.
enum status bioheat_products_plan(struct bioheat *b, struct model_plan *plan);
void bioheat_products_list(const struct bioheat *b, struct cJSON *names);
// As write_products of models/model.h. Adds the sensors' part to the report's table of exposures.
enum status bioheat_products_write(const struct bioheat *b, const char *directory, struct cJSON *report,
                                   struct cJSON *names);

#endif
