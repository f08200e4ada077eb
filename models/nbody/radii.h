// Lagrangian radii: the radii about a centre within which given fractions of the mass lie. Bodies are sorted
// by distance (a stable sort in planned memory). The masses are added in this order with compensation, so the
// result does not depend on the number of threads.
#ifndef FATHOM_MODELS_NBODY_RADII_H
#define FATHOM_MODELS_NBODY_RADII_H

#include "core/memory_plan.h"

#include <stddef.h>
#include <stdint.h>

// A body's mass, and its distance as the bits of a double; for numbers that are not negative the bits have
// the same order as the numbers.
struct nbody_radius {
    uint64_t distance_bits;
    double mass;
};

struct nbody_radius_sorter {
    size_t count;
    struct nbody_radius *bodies, *spare; // [count]
    int64_t *histograms;
};

enum status nbody_radii_plan(struct nbody_radius_sorter *sorter, size_t count, struct memory_plan *plan);

// Sets body number `index`; distance ≥ 0; NaN is sorted last.
void nbody_radii_set(struct nbody_radius_sorter *sorter, size_t index, double distance, double mass);

// After all bodies are set: finds for each k the smallest radius within which, including the body at this
// radius, the mass is at least shares[k] · `total`, to a relative 1e-12. The shares ascend, in (0, 1).
// Changes the order of the bodies.
void nbody_radii_find(struct nbody_radius_sorter *sorter, double total, const double *shares,
                      size_t share_count, double *radii);

#endif
