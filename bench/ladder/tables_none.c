// Stands for tables.c where the ladders are not compiled in.
#include "bench/bench.h"

#include <stdio.h>

enum status bench_ladder_run(struct bench *bench)
{
    return FAIL(
        STATUS_CONFIGURATION,
        "bench %s: --table source and --table blocks time the rungs of the sources, which this program "
        "has not: build it with -DFATHOM_LADDERS=ON",
        bench->model->name);
}

enum status bench_ladder_check(struct bench *bench)
{
    (void)bench;
    return STATUS_OK;
}

enum status bench_ladder_show(struct bench *bench, struct cJSON *report)
{
    (void)bench;
    if (!report)
        printf("\nto set the author's figures beside these, build the program with -DFATHOM_LADDERS=ON\n");
    return STATUS_OK;
}

void bench_ladder_report_peers(struct bench *bench, struct cJSON *report)
{
    (void)bench, (void)report;
}

void bench_ladder_report_source(struct bench *bench, struct cJSON *report)
{
    (void)bench, (void)report;
}
