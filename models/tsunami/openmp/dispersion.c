// The arrays and the schedule of the fast CPU version's dispersion: which thread does which rows and columns.
// Independent of the arithmetic and of tiles.
#include "models/tsunami/openmp/dispersion.h"

#include "core/memory_plan.h"

#include <omp.h>

enum status openmp_dispersion_plan(struct openmp_dispersion *d, const struct host_level *host, int threads,
                                   struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_geometry *g = host->setup.geometry;
    const enum element real = host->setup.precision;
    struct {
        void **pointer;
        const char *name;
    } arrays[] = {
        {&d->psi_x, "x"}, {&d->psi_y, "y"}, {&d->phi, "phi"}, {&d->work, "work"}, {&d->far, "periodic"}};
    const size_t count = sizeof arrays / sizeof *arrays;
    const bool is_periodic = g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    for (size_t k = 0; k < (is_periodic ? count : count - 1); k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, host->stored.first, host->stored.end, host->pitch,
                                   arrays[k].pointer, "%sdispersion %s", prefix, arrays[k].name));
    CHECK(dispersion_ranks_plan(&d->ranks, host, plan, prefix));
    d->scratch_pitch = memory_pitch(tsunami_dispersion_scratch(g->nx), real);
    return memory_plan_add(plan, MEMORY_HOST, real, (size_t)threads, d->scratch_pitch, &d->scratch,
                           "%sdispersion scratch", prefix);
}

#define BOTH_PRECISIONS "models/tsunami/openmp/dispersion_step.inc"
#include "models/tsunami/both_precisions.inc"

void openmp_disperse(struct openmp_dispersion *d, const struct host_level *host, int from, bool is_odd)
{
    if (host->setup.precision == ELEMENT_F32)
        disperse_f(d, host, from, is_odd);
    else
        disperse_d(d, host, from, is_odd);
}
