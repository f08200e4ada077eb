// Weak dispersion in the fast CPU version of `muscl-hancock`: what follows on a step's tiles. The arithmetic
// is compiled once per instruction set (openmp/dispersion_isa.c); the schedule is openmp/dispersion.c's, for
// openmp.c.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_DISPERSION_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_DISPERSION_H

#include "models/tsunami/host_level.h"

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/openmp/dispersion_level.inc"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/openmp/dispersion_level.inc"
#undef REAL
#undef POINT

// Lines that are solved side by side: rows of a block along x, columns of a strip along y.
enum { DISPERSION_ROWS = 16, DISPERSION_COLUMNS = 128 };

// Scratch of a thread, elements: three arrays of a block of rows.
static inline size_t tsunami_dispersion_scratch(size_t nx)
{
    return 3 * nx * DISPERSION_ROWS;
}

// When the lines along x are solved: first and last in even steps, in the middle of odd ones.
enum dispersion_turn { DISPERSION_FIRST, DISPERSION_MIDDLE, DISPERSION_LAST };

// The parts of a step; rows or columns [begin, end). All threads must have finished one before any begins the
// next. solve_x: at most DISPERSION_ROWS rows; solve_y: at most DISPERSION_COLUMNS columns, of the field phi
// or psi_y.
struct tsunami_dispersion_functions {
    void (*divergence_f)(const struct dispersion_level_f *level, ptrdiff_t begin, ptrdiff_t end);
    void (*right_side_f)(const struct dispersion_level_f *level, ptrdiff_t begin, ptrdiff_t end, bool is_odd);
    void (*solve_x_f)(const struct dispersion_level_f *level, ptrdiff_t begin, ptrdiff_t end,
                      enum dispersion_turn turn, float *scratch);
    void (*solve_y_f)(const struct dispersion_level_f *level, ptrdiff_t begin, ptrdiff_t end, float *field);
    void (*apply_f)(const struct dispersion_level_f *level, ptrdiff_t begin, ptrdiff_t end);
    void (*settle_f)(const struct dispersion_level_f *level, ptrdiff_t begin, ptrdiff_t end);
    void (*divergence_d)(const struct dispersion_level_d *level, ptrdiff_t begin, ptrdiff_t end);
    void (*right_side_d)(const struct dispersion_level_d *level, ptrdiff_t begin, ptrdiff_t end, bool is_odd);
    void (*solve_x_d)(const struct dispersion_level_d *level, ptrdiff_t begin, ptrdiff_t end,
                      enum dispersion_turn turn, double *scratch);
    void (*solve_y_d)(const struct dispersion_level_d *level, ptrdiff_t begin, ptrdiff_t end, double *field);
    void (*apply_d)(const struct dispersion_level_d *level, ptrdiff_t begin, ptrdiff_t end);
    void (*settle_d)(const struct dispersion_level_d *level, ptrdiff_t begin, ptrdiff_t end);
};

extern const struct tsunami_dispersion_functions tsunami_dispersion_generic, tsunami_dispersion_avx2,
    tsunami_dispersion_avx512;

struct openmp_dispersion {
    const struct tsunami_dispersion_functions *functions;
    void *psi_x, *psi_y, *phi, *work, *far; // [rows][pitch] as the state's; far: where periodic along y
    void *scratch;                          // [threads][scratch_pitch]
    size_t scratch_pitch;
};

// Declares the arrays.
enum status openmp_dispersion_plan(struct openmp_dispersion *d, const struct host_level *host, int threads,
                                   struct memory_plan *plan, const char *prefix);
// Completes the step that led from copy `from` of the state to the other one. Called by every thread of a
// team (or by one without a team), after a barrier; ends with one.
void openmp_disperse(const struct openmp_dispersion *d, const struct host_level *host, int from, bool is_odd);

#endif
