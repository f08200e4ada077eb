// A standing wave in a closed basin (see basin_mode.h).
#include "validate/closed/basin_mode.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double wave_number_x(const struct basin_mode *mode)
{
    return mode->along * pi / mode->length_m;
}

static double wave_number_y(const struct basin_mode *mode)
{
    return mode->across * pi / mode->width_m;
}

double basin_mode_frequency_per_s(const struct basin_mode *mode)
{
    return sqrt(mode->gravity_m_s2 * mode->depth_m) * hypot(wave_number_x(mode), wave_number_y(mode));
}

double basin_mode_eta_m(const struct basin_mode *mode, double x_m, double y_m, double t_s)
{
    return mode->amplitude_m * cos(wave_number_x(mode) * x_m) * cos(wave_number_y(mode) * y_m) *
           cos(basin_mode_frequency_per_s(mode) * t_s);
}

void basin_mode_velocity_m_s(const struct basin_mode *mode, double x_m, double y_m, double t_s, double *u,
                             double *v)
{
    const double omega = basin_mode_frequency_per_s(mode), kx = wave_number_x(mode), ky = wave_number_y(mode);
    const double scale = mode->amplitude_m * mode->gravity_m_s2 / omega * sin(omega * t_s);
    *u = scale * kx * sin(kx * x_m) * cos(ky * y_m);
    *v = scale * ky * cos(kx * x_m) * sin(ky * y_m);
}
