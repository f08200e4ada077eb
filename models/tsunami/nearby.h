// Distances on a grid, and the nodes of a row that lie near a place: for gauges and points. Independent of
// what they are.
#ifndef FATHOM_MODELS_TSUNAMI_NEARBY_H
#define FATHOM_MODELS_TSUNAMI_NEARBY_H

#include "models/tsunami/axis.h"
#include "models/tsunami/earthquake/great_circle.h"

// Distance (m) of two places: on the sphere that along the great circle.
static inline double nearby_distance_m(const struct grid_window *window, double earth_radius_m, double x1,
                                       double y1, double x2, double y2)
{
    if (!window->is_geographic)
        return hypot(x2 - x1, y2 - y1);
    return great_circle_m(earth_radius_m, x1, y1, x2, y2);
}

// Columns of a row: first … end − 1.
struct nearby_columns {
    size_t first, end;
};

// The columns of a row within a circle about (x, y), and a few more: the caller checks the distance of each
// node. x is in the window's turn of longitude.
static inline struct nearby_columns nearby_columns_of(const struct grid_window *window, double earth_radius_m,
                                                      double x, double y, size_t row, double length_m)
{
    const double radian = acos(-1.0) / 180;
    double unit_m = 1, narrow = 1;
    if (window->is_geographic) {
        unit_m = earth_radius_m * radian;
        narrow = fmin(cos(y * radian), cos(window->y[row] * radian));
    }
    if (fabs(window->y[row] - y) * unit_m > length_m * (1 + 1e-9))
        return (struct nearby_columns){0, 0};
    const double half = narrow > 1e-6 ? 1.01 * length_m / (unit_m * narrow) : INFINITY;
    const size_t low = axis_nearest(window->x, window->nx, x - half),
                 high = axis_nearest(window->x, window->nx, x + half);
    return (struct nearby_columns){low, high + 1};
}

#endif
