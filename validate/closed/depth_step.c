// A small plane wave over a step (see depth_step.h).
#include "validate/closed/depth_step.h"

#include <math.h>

static double ratio(const struct depth_step *step)
{
    return sqrt(step->second_depth_m / step->first_depth_m);
}

double depth_step_transmission(const struct depth_step *step)
{
    return 2 / (1 + ratio(step));
}

double depth_step_reflection(const struct depth_step *step)
{
    return (1 - ratio(step)) / (1 + ratio(step));
}

double depth_step_eta_m(const struct depth_step *step, depth_step_wave *incident, const void *context,
                        double x_m, double t_s, double *velocity_m_s)
{
    const double g = step->gravity_m_s2;
    const double c = sqrt(g * (x_m < 0 ? step->first_depth_m : step->second_depth_m));
    double forward = incident(context, t_s - x_m / c), back = 0;
    if (x_m < 0)
        back = depth_step_reflection(step) * incident(context, t_s + x_m / c);
    else
        forward *= depth_step_transmission(step);
    if (velocity_m_s)
        *velocity_m_s = g / c * (forward - back);
    return forward + back;
}
