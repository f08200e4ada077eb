// Forecast points (output.points): towns, harbours, each with the node that stands for it. What is kept of
// every point after every step is in point_record.h, what is made of it at the end in products.c. Independent
// of files' formats and of solvers.
#ifndef FATHOM_MODELS_TSUNAMI_POINTS_H
#define FATHOM_MODELS_TSUNAMI_POINTS_H

#include "core/status.h"
#include "io/path.h"
#include "io/points_file.h"

#include <stdbool.h>
#include <stddef.h>

struct job;
struct tsunami;
struct tsunami_level;

struct tsunami_point {
    char name[POINTS_NAME_BYTES];
    double x, y; // as given
    // Of the finest grid around it that has a node: the nearest wet one at least as deep as asked for.
    struct tsunami_level *level; // NULL: none so far
    size_t row, column;
    double node_x, node_y, distance_m, depth_m;
    bool is_outside; // of all grids
    size_t number;   // among those of its grid; after tsunami_points_settle
};

// The run's points, owned by the outermost grid's parameters.
struct tsunami_points {
    char path[PATH_BYTES]; // "": the job has none
    double depth_m, search_m, threshold_m, green_depth_m;
    bool is_required;
    struct tsunami_point *points; // [count], owned, in the order of the file
    size_t count, skipped;        // skipped: left out by tsunami_points_settle
};

// Reads the block output.points. STATUS_CONFIGURATION, and what points_file_read returns.
enum status tsunami_points_read(const struct job *job, bool is_geographic, struct tsunami_points *points);
void tsunami_points_free(struct tsunami_points *points);

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
