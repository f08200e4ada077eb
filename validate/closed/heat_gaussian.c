// A Gaussian of temperature spreading (see heat_gaussian.h).
#include "validate/closed/heat_gaussian.h"

#include <math.h>

double heat_gaussian_k(const struct heat_gaussian *g, double distance_m, double time_s)
{
    const double start = g->width_m * g->width_m, now = start + 4 * g->diffusivity_m2_s * time_s;
    return g->amplitude_k * exp(-g->perfusion_per_s * time_s) * pow(start / now, 0.5 * g->dimensions) *
           exp(-distance_m * distance_m / now);
}
