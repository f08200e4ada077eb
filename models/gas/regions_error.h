// The error of the forces of the three regions (state.h, THE REGIONS): a sample of particles against direct
// summation, in double, by the reference's law. Reads a state and changes nothing.
#ifndef FATHOM_MODELS_GAS_REGIONS_ERROR_H
#define FATHOM_MODELS_GAS_REGIONS_ERROR_H

#include "models/gas/solver.h"

// Particles of the sample, evenly spread over the ids; a thread handles some at a time.
enum { GAS_ERROR_SAMPLES = 64, GAS_ERROR_SAMPLES_AT_A_TIME = 8 };

// |F − F by every pair|, in root mean squares of the exact force of all that is not in near cells.
struct gas_regions_error {
    int samples; // 0: not measured
    double rms, largest;
};

// Of the last evaluated field, as get and get_field have them. `scratch`: [threads][block] particles.
struct gas_regions_error gas_find_regions_error(const struct gas_backend *backend,
                                                const struct solver *solver, const struct gas_setup *setup,
                                                int threads, struct gas_particle *scratch, size_t block);

#endif
