// The benchmarks that this program has. A model adds its own here.
#include "bench/bench.h"

#include "bench/bioheat/bench.h"
#include "bench/gas/bench.h"
#include "bench/ising/bench.h"
#include "bench/nbody/bench.h"
#include "bench/tsunami/bench.h"

#include <stddef.h>
#include <string.h>

static const struct bench_entry benches[] = {
    {"tsunami", tsunami_bench}, {"bioheat", bioheat_bench}, {"nbody", nbody_bench}, {"gas", gas_bench}, {"ising", ising_bench}, {NULL, NULL},
};

const struct bench_entry *bench_list(void)
{
    return benches;
}

const struct bench_entry *bench_find(const char *model)
{
    for (const struct bench_entry *entry = benches; entry->model; entry++)
        if (strcmp(entry->model, model) == 0)
            return entry;
    return NULL;
}
