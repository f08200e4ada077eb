// Manufactured solutions (see manufactured.h).
#include "validate/closed/manufactured.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- smooth

// A factor of a product, and its derivatives along its axis.
struct factor {
    double value, slope, bend;
};

// One wave in a periodic length, with a different phase along each axis; half a wave between insulated
// sides, whose slope is 0 there, and with which every derivative of odd order is.
static struct factor wave(const struct manufactured *solution, int axis, double x_m, double shift)
{
    const double length = solution->length_m[axis];
    if (length == 0)
        return (struct factor){1, 0, 0};
    const double k = (solution->is_insulated ? pi : 2 * pi) / length;
    const double phase = solution->is_insulated ? k * x_m : k * x_m + shift + 0.7 * axis;
    return (struct factor){cos(phase), -k * sin(phase), -k * k * cos(phase)};
}

static void waves(const struct manufactured *solution, const double at_m[3], double shift, struct factor f[3])
{
    for (int axis = 0; axis < 3; axis++)
        f[axis] = wave(solution, axis, at_m[axis], shift);
}

static double product(const struct factor f[3])
{
    return f[0].value * f[1].value * f[2].value;
}

enum { SHIFT_K = 0, SHIFT_CONDUCTIVITY = 1 }; // radians

double manufactured_k(const struct manufactured *solution, const double at_m[3])
{
    struct factor theta[3];
    waves(solution, at_m, SHIFT_K, theta);
    return solution->offset_k + solution->amplitude_k * product(theta);
}

double manufactured_conductivity_w_m_k(const struct manufactured *solution, const double at_m[3])
{
    struct factor k[3];
    waves(solution, at_m, SHIFT_CONDUCTIVITY, k);
    return solution->conductivity_w_m_k * (1 + solution->variation * product(k));
}

double manufactured_source_w_m3(const struct manufactured *solution, const double at_m[3])
{
    struct factor theta[3], k[3];
    waves(solution, at_m, SHIFT_K, theta);
    waves(solution, at_m, SHIFT_CONDUCTIVITY, k);
    const double conductivity = manufactured_conductivity_w_m_k(solution, at_m);
    double divergence = 0;
    for (int axis = 0; axis < 3; axis++) {
        struct factor theta_slope[3] = {theta[0], theta[1], theta[2]},
                      theta_bend[3] = {theta[0], theta[1], theta[2]};
        struct factor k_slope[3] = {k[0], k[1], k[2]};
        theta_slope[axis].value = theta[axis].slope;
        theta_bend[axis].value = theta[axis].bend;
        k_slope[axis].value = k[axis].slope;
        divergence += conductivity * product(theta_bend) + solution->conductivity_w_m_k *
                                                               solution->variation * product(k_slope) *
                                                               product(theta_slope);
    }
    return solution->perfusion_w_m3_k * (manufactured_k(solution, at_m) - solution->arterial_k) -
           solution->amplitude_k * divergence;
}

// ---- layers

bool manufactured_is_inner(const struct manufactured_layers *solution, double x_m)
{
    return x_m > solution->length_m / 8 && x_m < 3 * solution->length_m / 8;
}

// k θ but for a constant: the same at both interfaces, which lie evenly about its axis of symmetry, L/4.
static double shape(const struct manufactured_layers *solution, double x_m)
{
    const double phase = 2 * pi * x_m / solution->length_m;
    return sin(phase) + 0.1 * cos(2 * phase);
}

double manufactured_layers_k(const struct manufactured_layers *solution, double x_m)
{
    const double wall = shape(solution, solution->length_m / 8);
    const double k = manufactured_is_inner(solution, x_m) ? solution->inner_w_m_k : solution->outer_w_m_k;
    return solution->amplitude_k * (wall + (shape(solution, x_m) - wall) * solution->outer_w_m_k / k);
}

double manufactured_layers_source_w_m3(const struct manufactured_layers *solution, double x_m)
{
    const double wave_number = 2 * pi / solution->length_m, phase = wave_number * x_m;
    const double bend = -wave_number * wave_number * (sin(phase) + 0.4 * cos(2 * phase));
    return solution->perfusion_w_m3_k * manufactured_layers_k(solution, x_m) -
           solution->outer_w_m_k * solution->amplitude_k * bend;
}
