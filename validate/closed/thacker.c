// Thacker's oscillations in parabolic basins (see thacker.h).
#include "validate/closed/thacker.h"

#include <math.h>

double thacker_canal_frequency_per_s(const struct thacker_canal *c)
{
    return sqrt(c->coriolis_per_s * c->coriolis_per_s +
                2 * c->gravity_m_s2 * c->depth_m / (c->half_width_m * c->half_width_m));
}

struct thacker_state thacker_canal(const struct thacker_canal *c, double x_m, double t_s)
{
    const double omega = thacker_canal_frequency_per_s(c), cosine = cos(omega * t_s);
    const double bend = c->depth_m / (c->half_width_m * c->half_width_m); // h0/a²
    return (struct thacker_state){
        .depth_m = c->depth_m - bend * x_m * x_m,
        .eta_m = bend * c->swing_m * cosine * (2 * x_m - c->swing_m * cosine),
        .u_m_s = -c->swing_m * omega * sin(omega * t_s),
        .v_m_s = -c->swing_m * c->coriolis_per_s * cosine,
    };
}

void thacker_canal_shorelines_m(const struct thacker_canal *c, double t_s, double shores_m[2])
{
    const double middle = c->swing_m * cos(thacker_canal_frequency_per_s(c) * t_s);
    shores_m[0] = middle - c->half_width_m;
    shores_m[1] = middle + c->half_width_m;
}

double thacker_plane_frequency_per_s(const struct thacker_plane *b)
{
    const double half = 0.5 * b->coriolis_per_s;
    return sqrt(2 * b->gravity_m_s2 * b->depth_m / (b->radius_m * b->radius_m) + half * half) - half;
}

struct thacker_state thacker_plane(const struct thacker_plane *b, double x_m, double y_m, double t_s)
{
    const double omega = thacker_plane_frequency_per_s(b), cosine = cos(omega * t_s), sine = sin(omega * t_s);
    const double l2 = b->radius_m * b->radius_m;
    return (struct thacker_state){
        .depth_m = b->depth_m * (1 - (x_m * x_m + y_m * y_m) / l2),
        .eta_m = b->swing_m * b->depth_m / l2 * (2 * x_m * cosine + 2 * y_m * sine - b->swing_m),
        .u_m_s = -b->swing_m * omega * sine,
        .v_m_s = b->swing_m * omega * cosine,
    };
}

double thacker_paraboloid_frequency_per_s(const struct thacker_paraboloid *b)
{
    return sqrt(8 * b->gravity_m_s2 * b->depth_m / (b->radius_m * b->radius_m) +
                b->coriolis_per_s * b->coriolis_per_s);
}

// A.
static double amplitude(const struct thacker_paraboloid *b)
{
    const double high = (b->depth_m + b->rise_m) * (b->depth_m + b->rise_m), still = b->depth_m * b->depth_m;
    return (high - still) / (high + still);
}

struct thacker_state thacker_paraboloid(const struct thacker_paraboloid *b, double x_m, double y_m,
                                        double t_s)
{
    const double omega = thacker_paraboloid_frequency_per_s(b), a = amplitude(b);
    const double cosine = cos(omega * t_s), sine = sin(omega * t_s), q = 1 - a * cosine;
    const double r2 = (x_m * x_m + y_m * y_m) / (b->radius_m * b->radius_m), root = sqrt(1 - a * a);
    const double spread = 0.5 * omega * a * sine / q;
    const double turn = 0.5 * b->coriolis_per_s * (root + a * cosine - 1) / q;
    return (struct thacker_state){
        .depth_m = b->depth_m * (1 - r2),
        .eta_m = b->depth_m * (root / q - 1 - r2 * (root * root / (q * q) - 1)),
        .u_m_s = spread * x_m - turn * y_m,
        .v_m_s = spread * y_m + turn * x_m,
    };
}

double thacker_paraboloid_shoreline_m(const struct thacker_paraboloid *b, double t_s)
{
    const double a = amplitude(b);
    return b->radius_m * sqrt((1 - a * cos(thacker_paraboloid_frequency_per_s(b) * t_s)) / sqrt(1 - a * a));
}
