// The arrays and the schedule of the fast CPU version's eddy viscosity: which thread does which rows. Knows
// no arithmetic and no tiles.
#include "models/tsunami/openmp/eddy.h"

#include "core/memory_plan.h"

#include <omp.h>

enum status openmp_eddy_plan(struct openmp_eddy *e, const struct host_level *host, int threads,
                             struct memory_plan *plan, const char *prefix)
{
    const enum element real = host->setup.precision;
    const size_t first = host->kept.first, end = host->kept.end;
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, host->pitch, &e->change_u, "%seddy u",
                               prefix));
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, host->pitch, &e->change_v, "%seddy v",
                               prefix));
    e->scratch_pitch = memory_pitch(tsunami_eddy_scratch(host->setup.geometry->nx), real);
    return memory_plan_add(plan, MEMORY_HOST, real, (size_t)threads, e->scratch_pitch, &e->scratch,
                           "%seddy scratch", prefix);
}

#define BOTH_PRECISIONS "models/tsunami/openmp/eddy_step.inc"
#include "models/tsunami/both_precisions.inc"

void openmp_stir(const struct openmp_eddy *e, const struct host_level *host, int to)
{
    if (host->setup.precision == ELEMENT_F32)
        stir_f(e, host, to);
    else
        stir_d(e, host, to);
}
