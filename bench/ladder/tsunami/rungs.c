// The rungs of the ladder of tsunami, in the order of the source.
#include "bench/ladder/ladder.h"

static const struct ladder_rung *const rungs[] = {NULL};

const struct ladder_model ladder_tsunami = {
    .name = "tsunami", .work = "nodes", .axes = 2, .size_usual = {2879, 2581}, .rungs = rungs};
