// Places on the axes of a grid.
#ifndef FATHOM_MODELS_TSUNAMI_AXIS_H
#define FATHOM_MODELS_TSUNAMI_AXIS_H

#include "core/ascending.h"
#include "io/grid/grid.h"

#include <math.h>
#include <stddef.h>

// The interval k of an ascending axis (2 entries at least), axis[k] to axis[k + 1], that holds a value; the
// first or the last one for values beyond the ends.
static inline size_t axis_interval(const double *axis, size_t count, double value)
{
    return ascending_place(axis, count - 1, value);
}

// The same, and the value's share of the interval, 0 to 1.
static inline size_t axis_locate(const double *axis, size_t count, double value, double *share)
{
    static const double rounding = 1e-9;
    const size_t low = axis_interval(axis, count, value);
    const double place = (value - axis[low]) / (axis[low + 1] - axis[low]);
    *share = place < rounding ? 0 : place > 1 - rounding ? 1 : place;
    return low;
}

// Index of the entry nearest to a value.
static inline size_t axis_nearest(const double *axis, size_t count, double value)
{
    const size_t k = axis_interval(axis, count, value);
    return value - axis[k] <= axis[k + 1] - value ? k : k + 1;
}

// A longitude within half a turn of the window's middle.
static inline double axis_longitude(const struct grid_window *window, double longitude)
{
    const double middle = 0.5 * (window->x[0] + window->x[window->nx - 1]);
    return longitude - 360 * nearbyint((longitude - middle) / 360);
}

#endif
