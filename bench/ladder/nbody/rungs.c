// The rungs of the ladder of nbody, in the order of the source.
#include "bench/ladder/ladder.h"

static const struct ladder_rung *const rungs[] = {NULL};

const struct ladder_model ladder_nbody = {
    .name = "nbody", .work = "pairs", .axes = 1, .size_usual = {100000}, .rungs = rungs};
