// Every pair, vectorised: compiled once per instruction set (cmake/compile_options.cmake) and chosen at run
// time by openmp_direct.c.
#ifndef FATHOM_MODELS_NBODY_OPENMP_DIRECT_ISA_H
#define FATHOM_MODELS_NBODY_OPENMP_DIRECT_ISA_H

#include "models/isa.h"
#include "models/nbody/openmp_solver.h"

// Bodies that are pulled together; and how many a sum in the run's precision has at most, before it is added
// to one in double.
enum { DIRECT_TARGETS = NBODY_PAD, DIRECT_BLOCK = 256 };

// The bodies, [padded], in the run's precision. `is_hard`: with so little softening that m/ε³ of a body by
// itself overflows; pairs at one point are then left out individually.
struct direct_view {
    size_t padded;
    const void *position[NBODY_AXES], *mass;
    void *acceleration[NBODY_AXES], *potential;
    double softening;
};

// Of bodies first … first + DIRECT_TARGETS − 1; [0] single, [1] double.
struct direct_functions {
    const char *instruction_set;
    double softening_least[2]; // less than that is hard
    void (*accelerations[2])(const struct direct_view *view, size_t first);
    void (*accelerations_hard[2])(const struct direct_view *view, size_t first);
    void (*potential[2])(const struct direct_view *view, size_t first);
};

ISA_TABLES(direct_functions);

#endif
