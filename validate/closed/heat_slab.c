// Slabs (see heat_slab.h).
#include "validate/closed/heat_slab.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double heat_slab_flux_w_m2(const struct heat_slab *slab)
{
    double resistance = 0;
    for (int n = 0; n < slab->layers; n++)
        resistance += slab->thickness_m[n] / slab->conductivity_w_m_k[n];
    return (slab->low_k - slab->high_k) / resistance;
}

double heat_slab_k(const struct heat_slab *slab, double x_m)
{
    double theta = slab->low_k, left = x_m;
    const double flux = heat_slab_flux_w_m2(slab);
    for (int n = 0; n < slab->layers; n++) {
        const double part = n + 1 < slab->layers ? fmin(left, slab->thickness_m[n]) : left;
        theta -= flux * part / slab->conductivity_w_m_k[n];
        left -= part;
        if (left <= 0)
            break;
    }
    return theta;
}

static double effusivity(const struct heat_contact *contact, int side)
{
    return sqrt(contact->conductivity_w_m_k[side] * contact->heat_capacity_j_m3_k[side]);
}

double heat_contact_wall_k(const struct heat_contact *contact)
{
    const double a = effusivity(contact, 0), b = effusivity(contact, 1);
    return (a * contact->theta_k[0] + b * contact->theta_k[1]) / (a + b);
}

double heat_contact_k(const struct heat_contact *contact, double x_m, double time_s)
{
    const int side = x_m >= 0;
    const double diffusivity = contact->conductivity_w_m_k[side] / contact->heat_capacity_j_m3_k[side];
    const double wall = heat_contact_wall_k(contact);
    return wall + (contact->theta_k[side] - wall) * erf(fabs(x_m) / (2 * sqrt(diffusivity * time_s)));
}

// ζ sin ζ − Bi cos ζ rises from below zero to above it between nπ and nπ + π/2 but for its sign: bisection.
double heat_cooling_root(double biot, int number)
{
    double low = number * pi, high = low + pi / 2;
    const double sign = number % 2 ? -1 : 1;
    for (int n = 0; n < 100; n++) {
        const double middle = 0.5 * (low + high);
        if (sign * (middle * sin(middle) - biot * cos(middle)) > 0)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

double heat_cooling_k(const struct heat_cooling *c, double x_m, double time_s)
{
    const double biot = c->transfer_w_m2_k * c->length_m / c->conductivity_w_m_k;
    const double fourier =
        c->conductivity_w_m_k / c->heat_capacity_j_m3_k * time_s / (c->length_m * c->length_m);
    double sum = 0, left = 1;
    for (int n = 0; n < 2000 && left > 1e-18; n++) {
        const double zeta = heat_cooling_root(biot, n);
        left = exp(-zeta * zeta * fourier);
        sum += 4 * sin(zeta) / (2 * zeta + sin(2 * zeta)) * left * cos(zeta * x_m / c->length_m);
    }
    return c->start_k * sum;
}
