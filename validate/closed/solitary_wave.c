// The solitary wave before a plane beach (see solitary_wave.h).
#include "validate/closed/solitary_wave.h"

#include <assert.h>
#include <math.h>

struct solitary_wave solitary_wave_before_beach(double depth_m, double height_m, double cot_beta,
                                                double gravity_m_s2)
{
    assert(depth_m > 0 && height_m > 0 && cot_beta >= 0 && gravity_m_s2 > 0);
    struct solitary_wave wave = {.depth_m = depth_m, .height_m = height_m, .gravity_m_s2 = gravity_m_s2};
    wave.gamma = sqrt(0.75 * height_m / depth_m);
    wave.toe_m = depth_m * cot_beta;
    wave.half_length_m = depth_m * acosh(sqrt(20)) / wave.gamma;
    wave.crest_m = wave.toe_m + wave.half_length_m;
    return wave;
}

double solitary_wave_eta_m(const struct solitary_wave *wave, double x_m)
{
    const double sech = 1 / cosh(wave->gamma * (x_m - wave->crest_m) / wave->depth_m);
    return wave->height_m * sech * sech;
}

double solitary_wave_velocity_m_s(const struct solitary_wave *wave, double x_m)
{
    return -sqrt(wave->gravity_m_s2 / wave->depth_m) * solitary_wave_eta_m(wave, x_m);
}
