// Level lines of a map, by marching squares with linear interpolation along the sides of the cells between
// nodes (Lorensen & Cline 1987 in two dimensions; a cell whose diagonals disagree is decided by the mean of
// its corners). No line passes through a cell with a missing corner (land). Nothing is smoothed or thinned
// out. Reads rows once, two at a time. Independent of files.
#ifndef FATHOM_IO_GEO_CONTOUR_H
#define FATHOM_IO_GEO_CONTOUR_H

#include "io/geo/lines.h"

// Most pieces (one in a cell) of a level: 2^18. A level with more is left out, and says so.
enum { GEO_PIECES_MAX = 1 << 18, GEO_LEVELS_MAX = 32 };

struct geo_field {
    size_t nx, ny;
    const double *x, *y; // of the nodes, ascending
    void *context;
    // Provides a row, NaN where there is no value; called for 0, 1, … once.
    enum status (*row)(void *context, size_t row, double *values);
};

// Fills in lines[0 … count − 1] (zero before), one set for each level. A value equal to the level counts as
// above it; a chain of such nodes among lower ones, which its line would pass on both sides, gets none unless
// it leads to land or to the map's edge. Higher values lie to the left of a line: rings around them are
// counter-clockwise. STATUS_SYSTEM, and failures of `row`; geo_lines_free each in any case.
enum status geo_contour_trace(const struct geo_field *field, const double *levels, int count,
                              struct geo_lines *lines);

// Levels for heights: 1, 2 or 5 times a power of ten, at most `most` of them, from the largest that is below
// `largest` down. Returns their number, 0 if `largest` is not above 0. Ascending.
int geo_height_levels(double largest, int most, double *levels);

// Levels for times: equal intervals of a whole part of a day, the shortest that makes at most `most` of them
// below `largest_s`. Returns their number.
int geo_time_levels(double largest_s, int most, double *levels);

#endif
