// Lines on maps: level lines of a field (marching squares with linear interpolation, joined into polylines)
// and the border between land and water along the pixels' edges. Pure geometry: uses no files and no
// gnuplot.
#ifndef FATHOM_REPORT_CONTOUR_H
#define FATHOM_REPORT_CONTOUR_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

// Values at the nodes x_first + i·x_step, y_first + j·y_step, values[j·nx + i]. No line passes beside a NaN.
struct contour_field {
    size_t nx, ny;
    double x_first, x_step, y_first, y_step;
    const float *values;
};

// Points of all lines: x, y, x, y, … One point NaN, NaN separates two lines, as gnuplot requires.
struct contour_points {
    float *xy;
    size_t count, capacity; // points
};

// Appends the lines of one level that are at least `shortest` long, in units of x; for the length, y is
// multiplied by y_weight. Out of memory or more than 2³⁰ nodes → STATUS_SYSTEM.
enum status contour_trace(const struct contour_field *field, double level, double shortest, double y_weight,
                          struct contour_points *points);

// Appends the edges between pixels with mask ≥ 0.5 (water) and others. Pixels are centred on the nodes.
enum status contour_coast(const struct contour_field *mask, struct contour_points *points);

// Appends a point; NaN, NaN ends a line. Out of memory → STATUS_SYSTEM.
enum status contour_append(struct contour_points *points, double x, double y);

// Appends the outline of a rectangle.
enum status contour_rectangle(const double x[2], const double y[2], struct contour_points *points);

// Replaces each value by the mean of the 3 × 3 values around it that are not NaN, `passes` times, in place;
// NaN stays NaN.
enum status contour_smooth(float *values, size_t nx, size_t ny, int passes);

void contour_free(struct contour_points *points);

#endif
