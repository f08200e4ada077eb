// Manufactured solutions (see heat_made.h).
#include "validate/closed/heat_made.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- smooth

// A factor of a product, and its derivatives along its axis.
struct factor {
    double value, slope, bend;
};

// One wave in a periodic length, with a different phase along each axis; half a wave between insulated
// sides, whose slope is 0 there, and with which every derivative of odd order is.
static struct factor wave(const struct heat_made *made, int axis, double x_m, double shift)
{
    const double length = made->length_m[axis];
    if (length == 0)
        return (struct factor){1, 0, 0};
    const double k = (made->is_insulated ? pi : 2 * pi) / length;
    const double phase = made->is_insulated ? k * x_m : k * x_m + shift + 0.7 * axis;
    return (struct factor){cos(phase), -k * sin(phase), -k * k * cos(phase)};
}

static void waves(const struct heat_made *made, const double at_m[3], double shift, struct factor f[3])
{
    for (int axis = 0; axis < 3; axis++)
        f[axis] = wave(made, axis, at_m[axis], shift);
}

static double product(const struct factor f[3])
{
    return f[0].value * f[1].value * f[2].value;
}

enum { SHIFT_K = 0, SHIFT_CONDUCTIVITY = 1 }; // radians

double heat_made_k(const struct heat_made *made, const double at_m[3])
{
    struct factor theta[3];
    waves(made, at_m, SHIFT_K, theta);
    return made->offset_k + made->amplitude_k * product(theta);
}

double heat_made_conductivity_w_m_k(const struct heat_made *made, const double at_m[3])
{
    struct factor k[3];
    waves(made, at_m, SHIFT_CONDUCTIVITY, k);
    return made->conductivity_w_m_k * (1 + made->variation * product(k));
}

double heat_made_source_w_m3(const struct heat_made *made, const double at_m[3])
{
    struct factor theta[3], k[3];
    waves(made, at_m, SHIFT_K, theta);
    waves(made, at_m, SHIFT_CONDUCTIVITY, k);
    const double conductivity = heat_made_conductivity_w_m_k(made, at_m);
    double divergence = 0;
    for (int axis = 0; axis < 3; axis++) {
        struct factor theta_slope[3] = {theta[0], theta[1], theta[2]},
                      theta_bend[3] = {theta[0], theta[1], theta[2]};
        struct factor k_slope[3] = {k[0], k[1], k[2]};
        theta_slope[axis].value = theta[axis].slope;
        theta_bend[axis].value = theta[axis].bend;
        k_slope[axis].value = k[axis].slope;
        divergence += conductivity * product(theta_bend) +
                      made->conductivity_w_m_k * made->variation * product(k_slope) * product(theta_slope);
    }
    return made->perfusion_w_m3_k * (heat_made_k(made, at_m) - made->arterial_k) -
           made->amplitude_k * divergence;
}

// ---- layers

bool heat_made_is_inner(const struct heat_made_layers *made, double x_m)
{
    return x_m > made->length_m / 8 && x_m < 3 * made->length_m / 8;
}

// k θ but for a constant: the same at both interfaces, which lie evenly about its axis of symmetry, L/4.
static double shape(const struct heat_made_layers *made, double x_m)
{
    const double phase = 2 * pi * x_m / made->length_m;
    return sin(phase) + 0.1 * cos(2 * phase);
}

double heat_made_layers_k(const struct heat_made_layers *made, double x_m)
{
    const double wall = shape(made, made->length_m / 8);
    const double k = heat_made_is_inner(made, x_m) ? made->inner_w_m_k : made->outer_w_m_k;
    return made->amplitude_k * (wall + (shape(made, x_m) - wall) * made->outer_w_m_k / k);
}

double heat_made_layers_source_w_m3(const struct heat_made_layers *made, double x_m)
{
    const double wave_number = 2 * pi / made->length_m, phase = wave_number * x_m;
    const double bend = -wave_number * wave_number * (sin(phase) + 0.4 * cos(2 * phase));
    return made->perfusion_w_m3_k * heat_made_layers_k(made, x_m) -
           made->outer_w_m_k * made->amplitude_k * bend;
}
