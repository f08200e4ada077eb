// The steps of the rungs on the processor: the serial one is compiled without optimisation, the others once
// per instruction set (models/isa.h).
#ifndef FATHOM_BENCH_LADDER_BIOHEAT_HOST_STEPS_H
#define FATHOM_BENCH_LADDER_BIOHEAT_HOST_STEPS_H

#include "models/isa.h"

// Points with their borders, [z][y][x].
struct heat_ladder_grid {
    int planes, rows, columns;
};

// Computes `to`, whose borders are set, from `from`.
typedef void heat_ladder_host_step(const struct heat_ladder_grid *grid, const float *from, float *to,
                                   const float *coefficient);

heat_ladder_host_step heat_ladder_host_serial;

struct heat_ladder_host_steps {
    heat_ladder_host_step *plain, *blocks;
    // One array: three passes, one for each colour.
    void (*colours)(const struct heat_ladder_grid *grid, float *values, const float *coefficient);
};
ISA_TABLES(heat_ladder_host_steps);

#endif
