// The blocks output.points and output.zones of a job, as the run has them. Data alone.
#ifndef FATHOM_MODELS_TSUNAMI_PRODUCT_BLOCK_H
#define FATHOM_MODELS_TSUNAMI_PRODUCT_BLOCK_H

#include "io/path.h"
#include "io/points_file.h"
#include "io/zones_file.h"

struct tsunami_level;

enum { TSUNAMI_THREATS_MAX = 8 };

struct tsunami_point {
    char name[POINTS_NAME_BYTES];
    double x, y; // as given
    // Of the finest grid around it that has a node: the nearest wet one at least as deep as asked for.
    struct tsunami_level *level; // NULL: none so far
    size_t row, column;
    double node_x, node_y, distance_m, depth_m;
    bool is_outside; // of all grids
    bool is_cut_off; // the nearest node lies in water that the grid cuts off from the source's
    size_t number;   // among those of its grid; after tsunami_points_settle
    // After it: why the point has no node, a word or two for the results; "": it has one.
    const char *skipped;
};

// The run's points, owned by the outermost grid's parameters.
struct tsunami_points {
    char path[PATH_BYTES]; // "": the job has none
    double depth_m, search_m, threshold_m, green_depth_m;
    bool is_required;
    // [count + skipped], owned; after tsunami_points_settle those with a node, then those without, both in
    // the order of the file.
    struct tsunami_point *points;
    size_t count, skipped; // skipped: 0 before tsunami_points_settle
};

struct tsunami_zones {
    char path[PATH_BYTES]; // "": the job has none
    struct zones_file file;
};

#endif
