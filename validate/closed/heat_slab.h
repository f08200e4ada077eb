// Slabs: layers between two given temperatures in steady state; two half spaces brought into contact; a slab
// that cools through one face. Carslaw, H. S. & Jaeger, J. C. (1959), Conduction of Heat in Solids, 2nd ed.,
// chapters II and III. Pure functions, independent of solvers.
#ifndef FATHOM_VALIDATE_CLOSED_HEAT_SLAB_H
#define FATHOM_VALIDATE_CLOSED_HEAT_SLAB_H

// ---- layers from x = 0 on, with given θ at both ends: piecewise linear, with the same flux in all layers.

enum { HEAT_SLAB_LAYERS_MAX = 8 };
struct heat_slab {
    int layers;
    double thickness_m[HEAT_SLAB_LAYERS_MAX], conductivity_w_m_k[HEAT_SLAB_LAYERS_MAX];
    double low_k, high_k;
};
double heat_slab_flux_w_m2(const struct heat_slab *slab); // along x
double heat_slab_k(const struct heat_slab *slab, double x_m);

// ---- two half spaces of temperatures a (x < 0) and b, in contact from t = 0 on: the temperature at the
// interface is constant.

struct heat_contact {
    double theta_k[2], conductivity_w_m_k[2], heat_capacity_j_m3_k[2]; // a, b
};
double heat_contact_wall_k(const struct heat_contact *contact);
double heat_contact_k(const struct heat_contact *contact, double x_m, double time_s); // t > 0

// ---- a slab 0 < x < L with θ = `start_k` at first, insulated at 0, with the flux hθ at L. Series over the
// roots of ζ tan ζ = hL/k.

struct heat_cooling {
    double length_m, conductivity_w_m_k, heat_capacity_j_m3_k, transfer_w_m2_k, start_k;
};
double heat_cooling_root(double biot, int number); // number 0, 1, 2 …, in [number π, number π + π/2)
double heat_cooling_k(const struct heat_cooling *cooling, double x_m, double time_s); // t > 0

#endif
