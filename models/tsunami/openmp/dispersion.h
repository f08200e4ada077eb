// Weak dispersion in the fast CPU version of `muscl-hancock`, after the tiles of a step. The arithmetic is
// compiled once per instruction set (dispersion_isa.c); dispersion.c divides it among the threads of
// openmp.c.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_DISPERSION_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_DISPERSION_H

#include "models/tsunami/openmp/dispersion_ranks.h"

// When the lines along x are solved: first and last in even steps, in the middle of odd ones.
enum dispersion_turn { DISPERSION_FIRST, DISPERSION_MIDDLE, DISPERSION_LAST };

#define BOTH_PRECISIONS "models/tsunami/openmp/dispersion_level.inc"
#include "models/tsunami/both_precisions.inc"

// Lines that are solved side by side: rows of a block along x, columns of a strip along y.
enum { DISPERSION_ROWS = 16, DISPERSION_COLUMNS = 128 };

// Scratch of a thread, elements: three arrays of a block of rows.
static inline size_t tsunami_dispersion_scratch(size_t nx)
{
    return 3 * nx * DISPERSION_ROWS;
}

struct tsunami_dispersion_functions {
    struct dispersion_functions_f parts_f;
    struct dispersion_functions_d parts_d;
};

extern const struct tsunami_dispersion_functions tsunami_dispersion_generic, tsunami_dispersion_avx2,
    tsunami_dispersion_avx512;

struct openmp_dispersion {
    const struct tsunami_dispersion_functions *functions;
    void *psi_x, *psi_y, *phi, *work, *far; // [rows][pitch] as the state's; far: where periodic along y
    void *scratch;                          // [threads][scratch_pitch]
    size_t scratch_pitch;
    struct dispersion_ranks ranks; // of a divided grid
};

// Declares the arrays.
enum status openmp_dispersion_plan(struct openmp_dispersion *d, const struct host_level *host, int threads,
                                   struct memory_plan *plan, const char *prefix);
// Completes the step that led from copy `from` of the state to the other one, whose rows of other ranks are
// those of the step so far. Called by every thread of a
// team (or by one without a team), after a barrier; ends with one.
void openmp_disperse(struct openmp_dispersion *d, const struct host_level *host, int from, bool is_odd);

#endif
