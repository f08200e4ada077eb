// The rungs on the processor.
#ifndef FATHOM_BENCH_LADDER_BIOHEAT_HOST_H
#define FATHOM_BENCH_LADDER_BIOHEAT_HOST_H

#include "bench/ladder/bioheat/heat.h"

extern const struct ladder_rung heat_ladder_serial, heat_ladder_openmp, heat_ladder_cache_blocks,
    heat_ladder_colours;

// Sets a state of these rungs (heat_ladder_set).
void heat_ladder_host_set(void *state, const float *temperature, const float *coefficient);

#endif
