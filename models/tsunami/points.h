// Forecast points (output.points): towns, harbours, each with the node that stands for it. What is kept of
// every point after every step is in point_record.h, what is made of it at the end in products.c. Independent
// of files' formats and of solvers.
#ifndef FATHOM_MODELS_TSUNAMI_POINTS_H
#define FATHOM_MODELS_TSUNAMI_POINTS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct tsunami;
struct tsunami_level;

// While a grid is surveyed, parents before their children: before its rows, and for each row of depths (m,
// positive down).
void tsunami_points_enter(struct tsunami_level *t);
void tsunami_points_consider(struct tsunami_level *t, size_t row, const double *depth_m);

// After all grids, while their bodies of water exist: takes other nodes for points whose node lies in water
// that is not connected with the source's, or leaves them without one (points_water.c).
enum status tsunami_points_connect(struct tsunami *run);
// For that: a row again, now only of connected nodes, for points that are cut off.
void tsunami_points_reconsider(struct tsunami_level *t, size_t row, const double *depth_m);
// Whether a row is near one of these points.
bool tsunami_points_need_row(const struct tsunami_level *t, size_t row);

// After all grids: moves points without a node to the end, each with a line in the log, and numbers the
// others in their grids. STATUS_CONFIGURATION: one has none that is required, or all have none.
enum status tsunami_points_settle(struct tsunami *run);

// Takes the nodes again, by the conditioned bathymetry, and sets their depths; before the first record.
void tsunami_points_depths(struct tsunami *run);

#endif
