// Lines on a map: sets of polylines with a level each (contours, isochrones). Independent of files.
#ifndef FATHOM_IO_GEO_LINES_H
#define FATHOM_IO_GEO_LINES_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

// Points first … first + count − 1; count ≥ 2. Of a closed line the last point is the first again.
struct geo_line {
    size_t first, count;
};

struct geo_lines {
    double level;
    struct geo_line *lines; // owned, [line_count]
    size_t line_count, line_capacity;
    double (*points)[2]; // owned, [point_count]: x, y, or longitude and latitude in degrees
    size_t point_count, point_capacity;
    bool is_left_out; // there were too many pieces: `lines` is empty
};

void geo_lines_free(struct geo_lines *lines); // zero: does nothing

// Begins a line, which takes the points that are added after it. geo_lines_end removes the line again if it
// has fewer than two points. A point that equals the line's last one is not added. STATUS_SYSTEM.
enum status geo_lines_begin(struct geo_lines *lines);
enum status geo_lines_add(struct geo_lines *lines, double x, double y);
void geo_lines_end(struct geo_lines *lines);

// Takes out of the line that was begun last what is passed there and back: …, a, b, a, … becomes …, a, …, of
// a closed line also across its first point. (Where nodes have the level of a contour, and what lies beside
// them is lower, it runs along them on both sides, and nothing is between.)
void geo_lines_remove_spurs(struct geo_lines *lines);

// Brings longitudes into −180 … 180 degrees and cuts lines at the antimeridian (RFC 7946, 3.1.9).
// STATUS_SYSTEM.
enum status geo_lines_wrap(struct geo_lines *lines);

// A longitude in −180 … 180 degrees (180 stays).
double geo_longitude(double longitude);

#endif
