// The step of one point, for processors and devices: every rung computes in this order, so that those of the
// same iteration have the same bits.
#ifndef FATHOM_BENCH_LADDER_BIOHEAT_POINT_H
#define FATHOM_BENCH_LADDER_BIOHEAT_POINT_H

#include "core/host_device.h"

#include <stddef.h>

// 12 h² f″ of f(x − 2h) … f(x + 2h), to fourth order: 3 multiplications and 4 additions.
static FATHOM_HOST_DEVICE float heat_ladder_difference(float a, float b, float c, float d, float e)
{
    return 16.0f * b - a - 30.0f * c + 16.0f * d - e;
}

// The point's temperature after a step, from the differences along the axes.
static FATHOM_HOST_DEVICE float heat_ladder_advanced(float here, float coefficient, float along_x,
                                                     float along_y, float along_z)
{
    return here + coefficient * (along_x + along_y + along_z);
}

// The same of a point in memory, with the distances of rows and of planes.
static FATHOM_HOST_DEVICE float heat_ladder_advanced_at(const float *at, ptrdiff_t row, ptrdiff_t plane,
                                                        float coefficient)
{
    return heat_ladder_advanced(
        at[0], coefficient, heat_ladder_difference(at[-2], at[-1], at[0], at[1], at[2]),
        heat_ladder_difference(at[-2 * row], at[-row], at[0], at[row], at[2 * row]),
        heat_ladder_difference(at[-2 * plane], at[-plane], at[0], at[plane], at[2 * plane]));
}

// The first x from `first` on whose colour, (x + y + z) mod 3, is `colour`; none of the points along an axis
// at a distance of 1 or 2 has the same colour.
static FATHOM_HOST_DEVICE int heat_ladder_first_of_colour(int first, int y, int z, int colour)
{
    return first + (colour + 3 - (first + y + z) % 3) % 3;
}

#endif
