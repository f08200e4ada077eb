// See solver.h.
#include "models/solver.h"

#include "models/team.h"

#include <omp.h>
#include <stdlib.h>

enum status solver_warm_up(const struct backend *backend, struct solver *solver)
{
    return backend->warm_up ? backend->warm_up(solver) : STATUS_OK;
}

enum status solver_touch(const struct backend *backend, struct solver *solver, bool is_loaded)
{
    return backend->touch ? backend->touch(solver, is_loaded) : STATUS_OK;
}

enum status solver_fetch(const struct backend *backend, struct solver *solver)
{
    return backend->fetch ? backend->fetch(solver) : STATUS_OK;
}

struct device_times solver_times(const struct backend *backend, const struct solver *solver)
{
    return backend->times ? backend->times(solver) : (struct device_times){0};
}

void solver_destroy(const struct backend *backend, struct solver *solver)
{
    if (!solver)
        return;
    if (backend->destroy)
        backend->destroy(solver);
    else
        free(solver);
}

bool solver_is_apart(const struct backend *backend)
{
    return backend->send != NULL;
}

static void do_nothing(void *context, size_t item)
{
    (void)context;
    (void)item;
}

enum status solver_warm_up_team(struct solver *solver)
{
    const int threads = omp_get_max_threads();
    (void)solver;
    team_for(threads, (size_t)threads, do_nothing, NULL);
    return STATUS_OK;
}
