// The rungs of the ladder of gas, in the order of the source.
#include "bench/ladder/ladder.h"

static const struct ladder_rung *const rungs[] = {NULL};

const struct ladder_model ladder_gas = {
    .name = "gas", .work = "pairs", .axes = 1, .size_usual = {4096}, .rungs = rungs};
