// Stands for tables.c where the ladders are not compiled in.
#include "bench/bench.h"

enum status bench_ladder_run(struct bench *bench)
{
    return FAIL(
        STATUS_CONFIGURATION,
        "bench %s: --table source and --table blocks time the rungs of the sources, which this program "
        "has not: build it with -DFATHOM_LADDERS=ON",
        bench->model->name);
}
