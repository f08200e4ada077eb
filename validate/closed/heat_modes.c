// Plane waves of temperature in a uniform medium (see heat_modes.h).
#include "validate/closed/heat_modes.h"

#include <math.h>

double heat_mode_rate_per_s(const struct heat_mode *mode)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += mode->wave_number_rad_m[axis] * mode->wave_number_rad_m[axis];
    return mode->diffusivity_m2_s * square + mode->perfusion_per_s;
}

double heat_mode_discrete_rate_per_s(const struct heat_mode *mode, const double spacing_m[3])
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double h = spacing_m[axis], phase = mode->wave_number_rad_m[axis] * h;
        // (30 − 32 cos φ + 2 cos 2φ)/12h² with half angles, which cancel nothing: sin²(φ/2) (1 + sin²(φ/2)/3)
        // · 4/h².
        const double s = sin(phase / 2) * sin(phase / 2);
        square += h > 0 ? 4 * s * (1 + s / 3) / (h * h) : 0;
    }
    return mode->diffusivity_m2_s * square + mode->perfusion_per_s;
}

double heat_mode_after(double rate_per_s, double amplitude_k, double source_k_s, double time_s)
{
    if (rate_per_s == 0)
        return amplitude_k + source_k_s * time_s;
    return amplitude_k * exp(-rate_per_s * time_s) - source_k_s * expm1(-rate_per_s * time_s) / rate_per_s;
}

double heat_mode_after_euler(double rate_per_s, double amplitude_k, double source_k_s, double step_s,
                             int64_t steps)
{
    if (rate_per_s == 0)
        return amplitude_k + source_k_s * step_s * (double)steps;
    // Σ g^n = (1 − g^N)/(1 − g) with g = 1 − λΔt.
    const double left = pow(1 - rate_per_s * step_s, (double)steps);
    return amplitude_k * left + source_k_s * (1 - left) / rate_per_s;
}

void heat_line_after(size_t count, double spacing_m, double diffusivity_m2_s, double time_s,
                     const double *start, double *end)
{
    static const double two_pi = 6.28318530717958647693;
    const double n = (double)count;
    for (size_t i = 0; i < count; i++)
        end[i] = 0;
    for (size_t k = 0; k < count; k++) {
        const double turn = two_pi * (double)k / n;
        const struct heat_mode mode = {diffusivity_m2_s, 0, {0, 0, turn / spacing_m}};
        const double left =
            exp(-heat_mode_discrete_rate_per_s(&mode, (const double[]){0, 0, spacing_m}) * time_s) / n;
        double cosine = 0, sine = 0;
        for (size_t i = 0; i < count; i++) {
            cosine += start[i] * cos(turn * (double)i);
            sine += start[i] * sin(turn * (double)i);
        }
        for (size_t i = 0; i < count; i++)
            end[i] += left * (cosine * cos(turn * (double)i) + sine * sin(turn * (double)i));
    }
}
