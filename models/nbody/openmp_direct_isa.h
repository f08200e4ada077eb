// Direct summation, vectorised: compiled once per instruction set (models/isa.h).
#ifndef FATHOM_MODELS_NBODY_OPENMP_DIRECT_ISA_H
#define FATHOM_MODELS_NBODY_OPENMP_DIRECT_ISA_H

#include "models/isa.h"
#include "models/nbody/openmp_solver.h"

// The number of targets that are computed together, and the number of terms that are summed in the run's
// precision before the sum is added to one in double.
enum { DIRECT_TARGETS = NBODY_PAD, DIRECT_BLOCK = 256 };

// The bodies, [padded], in the run's precision.
struct direct_view {
    size_t padded;
    const void *position[NBODY_AXES], *mass;
    void *acceleration[NBODY_AXES], *potential;
    double softening;
};

// Each function computes bodies first … first + DIRECT_TARGETS − 1; [0] single, [1] double. `hard`: the
// softening is so small that m/ε³ of a body with itself overflows; these functions test each pair and
// leave out those at one point.
struct direct_functions {
    const char *instruction_set;
    double softening_least[2]; // a smaller softening is hard
    void (*accelerations[2])(const struct direct_view *view, size_t first);
    void (*accelerations_hard[2])(const struct direct_view *view, size_t first);
    void (*potential[2])(const struct direct_view *view, size_t first);
};

ISA_TABLES(direct_functions);

#endif
