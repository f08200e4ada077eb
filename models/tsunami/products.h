// What a forecaster gets of a whole run beside its maps and series: points, zones and travel times
// (docs/points.md). Independent of file formats and of solvers.
#ifndef FATHOM_MODELS_TSUNAMI_PRODUCTS_H
#define FATHOM_MODELS_TSUNAMI_PRODUCTS_H

#include "models/tsunami/instance.h"

// After the levels' own plans: declares arrays, adds streams. STATUS_CONFIGURATION: more results than a run
// may have.
enum status tsunami_products_plan(struct tsunami *run, struct memory_plan *memory, struct model_plan *plan);
void tsunami_products_free(struct tsunami *run);

// After the levels have prepared: with the depths read in.
void tsunami_products_prepare(struct tsunami *run);
// After the levels have started, with the source of the start: travel times.
void tsunami_products_start(struct tsunami *run);

// Makes the one record of STREAM_POINTS, STREAM_ZONES or STREAM_TRAVEL_TIME.
enum status tsunami_products_capture(struct tsunami *run, enum tsunami_stream kind, void *record);

// After the run: says if it ended too early for some points, or if zones have no water.
void tsunami_products_warn(const struct tsunami *run);

// Adds "points" and "zones" to the report, and to its diagnostics the worst of the points; nothing before
// they are captured.
void tsunami_products_describe(const struct tsunami *run, struct cJSON *report);

#endif
