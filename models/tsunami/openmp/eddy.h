// Horizontal eddy viscosity in the fast CPU version of `muscl-hancock`, after the tiles of a step. The
// arithmetic is compiled once per instruction set (eddy_isa.c); eddy.c divides it among the threads of
// openmp.c.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_EDDY_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_EDDY_H

#include "models/tsunami/host_level.h"

#define BOTH_PRECISIONS "models/tsunami/openmp/eddy_level.inc"
#include "models/tsunami/both_precisions.inc"

// Rows that a thread does one after the other; and its scratch: fields of rows of the grid.
enum { EDDY_ROWS = 16, EDDY_FIELDS = 16 };

// Elements of a field, of a thread's scratch.
static inline size_t tsunami_eddy_stride(size_t nx)
{
    return nx + 2 * TSUNAMI_HALO_COLUMNS;
}

static inline size_t tsunami_eddy_scratch(size_t nx)
{
    return EDDY_FIELDS * tsunami_eddy_stride(nx);
}

struct tsunami_eddy_functions {
    struct eddy_functions_f parts_f;
    struct eddy_functions_d parts_d;
};

extern const struct tsunami_eddy_functions tsunami_eddy_generic, tsunami_eddy_avx2, tsunami_eddy_avx512;

struct openmp_eddy {
    const struct tsunami_eddy_functions *functions;
    void *change_u, *change_v; // [rows][pitch] as the state's own rows
    void *scratch;             // [threads][scratch_pitch]
    size_t scratch_pitch;
};

// Declares the arrays.
enum status openmp_eddy_plan(struct openmp_eddy *e, const struct host_level *host, int threads,
                             struct memory_plan *plan, const char *prefix);
// Changes the velocities of copy `to` of the state, whose rows of other ranks are those of the tiles' step.
// Called by every thread of a team (or by one without a
// team), after a barrier; ends with one.
void openmp_stir(const struct openmp_eddy *e, const struct host_level *host, int to);

#endif
