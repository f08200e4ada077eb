// The rungs of the ladder of ising, in the order of the source.
#include "bench/ladder/ladder.h"

static const struct ladder_rung *const rungs[] = {NULL};

const struct ladder_model ladder_ising = {
    .name = "ising", .work = "spins", .axes = 2, .size_usual = {256, 256}, .rungs = rungs};
