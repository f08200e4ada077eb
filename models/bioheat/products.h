// The tables of a heat run (output.products: csv): sensors.csv, exposures.csv, histograms.csv, made of its
// finished results.
#ifndef FATHOM_MODELS_BIOHEAT_PRODUCTS_H
#define FATHOM_MODELS_BIOHEAT_PRODUCTS_H

#include "models/model.h"

struct bioheat;

// After the plan's inputs and streams. STATUS_CONFIGURATION: a table would replace an input.
enum status bioheat_products_plan(struct bioheat *b, struct model_plan *plan);
// As write_products of models/model.h. Keeps the sensors' part of the table of exposures for run.json.
enum status bioheat_products_write(void *instance, const char *directory, struct cJSON *names);

#endif
