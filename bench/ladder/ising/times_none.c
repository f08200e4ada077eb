// Stands for times.c where the rungs are not compiled in (FATHOM_LADDERS).
#include "bench/ising_ladder.h"

enum status ising_ladder_time(const struct bench *bench, unsigned tables)
{
    (void)bench, (void)tables;
    return FAIL(STATUS_CONFIGURATION,
                "bench ising: the rungs of Karkoulis (2010) are not compiled in; configure "
                "the build with FATHOM_LADDERS=ON");
}

double ising_ladder_find_ours(const struct bench *bench, struct bench_figure *figure)
{
    (void)bench, (void)figure;
    return NAN;
}

void ising_ladder_print(const struct bench *bench, unsigned tables)
{
    (void)bench, (void)tables;
}

void ising_ladder_report(const struct bench *bench, struct cJSON *report)
{
    (void)bench, (void)report;
}
