// The rungs of the ladder of gas, in the order of the source.
#include "bench/ladder/gas/cells_rungs.h"
#include "bench/ladder/gas/gas_common.h"
#include "bench/ladder/gas/pairs_rungs.h"

#define ADDRESS(identifier, ...) &(identifier),

static const struct ladder_rung *const rungs[] = {
#ifdef FATHOM_LADDER_CUDA
    GAS_PAIRS_RUNGS(ADDRESS)
#endif
        GAS_CELLS_HOST_RUNGS(ADDRESS)
#ifdef FATHOM_LADDER_CUDA
            GAS_CELLS_DEVICE_RUNGS(ADDRESS)
#endif
                NULL};

static void count(const struct ladder_case *wanted, struct ladder_counts *counts)
{
    gas_ladder_count(wanted, GAS_LADDER_DIVIDED, 1, counts);
}

static size_t count_values(const struct ladder_case *wanted)
{
    return 2 * LADDER_AXES * (size_t)wanted->size[0];
}

const struct ladder_model ladder_gas = {.name = "gas",
                                        .work = "pairs",
                                        .axes = 1,
                                        .size_usual = {16384},
                                        .rungs = rungs,
                                        .count = count,
                                        .count_values = count_values};
