// The rungs of the ladder of bioheat, in the order of the source.
#include "bench/ladder/ladder.h"

static const struct ladder_rung *const rungs[] = {NULL};

const struct ladder_model ladder_bioheat = {
    .name = "bioheat", .work = "cells", .axes = 3, .size_usual = {260, 260, 260}, .rungs = rungs};
