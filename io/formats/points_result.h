// The results of forecast points (points.nc of a run), read back: docs/points.md. Not thread-safe.
#ifndef FATHOM_IO_FORMATS_POINTS_RESULT_H
#define FATHOM_IO_FORMATS_POINTS_RESULT_H

#include "core/status.h"
#include "io/netcdf/dataset.h"

#include <stddef.h>

// Numbers of a point; NaN: missing. In the order of points_result_names.
enum points_quantity {
    POINTS_LONGITUDE, // or x in m (the variables are then x, y, node_x, node_y), as given
    POINTS_LATITUDE,
    POINTS_NODE_LONGITUDE, // of the node taken
    POINTS_NODE_LATITUDE,
    POINTS_DISTANCE, // to the node, m
    POINTS_DEPTH,
    POINTS_ARRIVAL, // s, like all times
    POINTS_FIRST_MOTION,
    POINTS_FIRST_CREST, // m, like all heights
    POINTS_FIRST_CREST_TIME,
    POINTS_CREST,
    POINTS_CREST_TIME,
    POINTS_TROUGH,
    POINTS_TROUGH_TIME,
    POINTS_DURATION,
    POINTS_SOURCE_LEVEL, // from which crests and troughs count, above the sea at rest
    POINTS_COASTAL_HEIGHT,
    POINTS_THREAT,
    POINTS_TRAVEL_TIME,
    POINTS_EARLIEST,    // the smaller of arrival and travel time
    POINTS_IN_SOURCE,   // 1 or 0, like the next
    POINTS_UNFINISHED,  // higher waves may follow
    POINTS_LOWER_BOUND, // the grid does not resolve the source
    POINTS_QUANTITIES
};
extern const char *const points_result_names[POINTS_QUANTITIES]; // of the file's variables

enum { POINTS_LEVELS_MAX = 8 };

struct points_result {
    size_t count;
    char (*names)[DATASET_TEXT_BYTES]; // [count]
    // [count] why the point has no node: "outside", "no water", "cut off"; "": it has one.
    char (*skipped)[DATASET_TEXT_BYTES];
    double *values[POINTS_QUANTITIES]; // [count] each
    bool is_geographic;                // else positions are in metres on a plane
    // Of the file, as the job chose them; NaN, 0: not stated.
    double threshold_m, green_depth_m, threat_levels_m[POINTS_LEVELS_MAX];
    size_t threat_level_count;
};

// STATUS_NO_INPUT; STATUS_DATA: not such a file. points_result_free in any case.
enum status points_result_read(const char *path, struct points_result *result);
void points_result_free(struct points_result *result);

#endif
