// Spheres of bodies (see spheres.h).
#include "validate/closed/spheres.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double plummer_mass(double scale_radius, double radius)
{
    const double x = radius / scale_radius;
    return x * x * x / pow(1 + x * x, 1.5);
}

double plummer_radius(double scale_radius, double share)
{
    return scale_radius / sqrt(pow(share, -2.0 / 3) - 1);
}

double plummer_energy(double scale_radius)
{
    return -3 * pi / (64 * scale_radius);
}

double dust_fall_time(double radius)
{
    return 0.5 * pi * sqrt(0.5 * radius * radius * radius);
}

double dust_radius(double share)
{
    double low = 0, high = 0.5 * pi;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        *(middle + 0.5 * sin(2 * middle) < 0.5 * pi * share ? &low : &high) = middle;
    }
    return cos(low) * cos(low);
}
