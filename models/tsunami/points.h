// Forecast points (output.points): towns, harbours, each with the node that stands for it. What is kept of
// every point after every step is in point_record.h, what is made of it at the end in products.c. Independent
// of files' formats and of solvers.
#ifndef FATHOM_MODELS_TSUNAMI_POINTS_H
#define FATHOM_MODELS_TSUNAMI_POINTS_H

#include "core/status.h"

#include <stddef.h>

struct tsunami;
struct tsunami_level;

// While a grid is surveyed, parents before their children: before its rows, and for each row of depths (m,
// positive down).
void tsunami_points_enter(struct tsunami_level *t);
void tsunami_points_consider(struct tsunami_level *t, size_t row, const double *depth_m);

// After all grids: leaves out points without a node, each with a line in the log, and numbers the others in
// their grids. STATUS_CONFIGURATION: one is left out that is required, or all are.
enum status tsunami_points_settle(struct tsunami *run);

// Sets the depths from the conditioned bathymetry; before the first record.
void tsunami_points_depths(struct tsunami *run);

#endif
