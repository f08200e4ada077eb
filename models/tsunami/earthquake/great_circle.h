// The distance of two places on a sphere. Independent of grids and files.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_GREAT_CIRCLE_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_GREAT_CIRCLE_H

#include <math.h>

// Along the great circle (m), by the haversine formula, which keeps its digits for small distances. Angles in
// degrees; NaN if one is NaN.
static inline double great_circle_m(double radius_m, double longitude1_deg, double latitude1_deg,
                                    double longitude2_deg, double latitude2_deg)
{
    const double radian = acos(-1.0) / 180;
    const double a = sin(0.5 * (latitude2_deg - latitude1_deg) * radian),
                 b = sin(0.5 * (longitude2_deg - longitude1_deg) * radian);
    const double h = a * a + cos(latitude1_deg * radian) * cos(latitude2_deg * radian) * b * b;
    return 2 * radius_m * asin(sqrt(h > 1 ? 1 : h));
}

#endif
