// Lagrangian radii: the radii about a centre that hold given shares of the mass. Bodies are sorted by
// distance, stably, in planned memory; the masses are added in that order with compensation, so the result
// does not depend on threads.
#ifndef FATHOM_MODELS_NBODY_RADII_H
#define FATHOM_MODELS_NBODY_RADII_H

#include "core/memory_plan.h"

#include <stddef.h>
#include <stdint.h>

// A body's distance as the bits of a double (not negative: they are in the order of the numbers), and its
// mass.
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

// Body `index`; distance ≥ 0, and NaN sorts last.
void nbody_radii_set(struct nbody_radius_sorter *sorter, size_t index, double distance, double mass);

// After all were set: the smallest radius within which (its own body included) there is at least shares[k] of
// `total`, to 1e-12 of it; shares ascending in (0, 1). The bodies' order is lost.
void nbody_radii_find(struct nbody_radius_sorter *sorter, double total, const double *shares,
                      size_t share_count, double *radii);

#endif
