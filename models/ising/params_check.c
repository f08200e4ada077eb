// Combinations that a job of the Ising model must not have, and its keys that have no effect.
#include "models/ising/params_private.h"

#include "models/ising/initial.h"
#include "models/params.h"

#include <math.h>
#include <string.h>

// ---- combinations that are errors

static enum status check_clusters(const struct job *job, const struct ising_physics *physics)
{
    if (!ising_has_clusters(physics->method) || physics->field == 0)
        return STATUS_OK;
    return job_fail(job, "physics.field",
                    "%g: method %s needs a field of 0; with a field use method metropolis or heat-bath",
                    physics->field, ising_method_names[physics->method]);
}

static enum status check_stripes(const struct job *job, const struct ising_params *p)
{
    const struct ising_physics *physics = &p->physics;
    if (ising_initial_kind(p->initial) != ISING_START_STRIPES || !ising_keeps_stripes(physics))
        return STATUS_OK;
    return job_fail(
        job, "start.kind",
        "stripes: on a periodic lattice method %s never leaves them: flipping any spin costs nothing, so "
        "every sweep flips all of them; use method heat-bath, boundary helical, or another start",
        ising_method_names[physics->method]);
}

// ---- combinations with a warning

// A periodic lattice with an even number of rows has two sublattices. On a helical lattice, or with an odd
// number of rows, two sites of the same sublattice are neighbours across the seam.
static void warn_of_frustration(const struct job *job, const struct ising_physics *physics)
{
    const struct ising_lattice *lattice = &physics->lattice;
    if (physics->coupling > 0 || (lattice->boundary == ISING_PERIODIC && lattice->rows % 2 == 0))
        return;
    job_warn(job, "physics.coupling",
             "%g: neighbours tend to differ, but across the seam of this lattice (%s, %lld rows) they cannot "
             "all: a periodic lattice of an even number of rows has no such seam",
             physics->coupling, ising_boundary_names[lattice->boundary], (long long)lattice->rows);
}

static void warn_of_high_temperature(const struct job *job, const struct ising_params *p)
{
    static const double hot = 1e-2;
    const double coupling = fabs(p->physics.coupling);
    if (p->physics.method == ISING_HEAT_BATH || !ising_has_sublattices(p->physics.method))
        return;
    for (size_t k = 0; k < p->temperatures; k++)
        if (p->betas[k] * coupling < hot) {
            job_warn(job, "method.name",
                     "%s flips nearly every spin in every sweep at beta %g: measurements hardly change; "
                     "heat-bath draws every spin anew",
                     ising_method_names[p->physics.method], p->betas[k]);
            return;
        }
}

enum status ising_params_check(const struct job *job, const struct ising_params *p)
{
    CHECK(check_clusters(job, &p->physics));
    CHECK(check_stripes(job, p));
    warn_of_frustration(job, &p->physics);
    warn_of_high_temperature(job, p);
    return STATUS_OK;
}

// ---- keys without effect

void ising_params_warn_of_idle_keys(const struct job *job, const struct ising_params *p)
{
    const enum ising_initial_kind start = ising_initial_kind(p->initial);
    const char *const no_file = start == ISING_START_FILE ? NULL : "start.kind is not file";
    const struct params_idle_key idle[] = {
        {"start.file", no_file},
        {"start.record", no_file},
        {"start.seed", start == ISING_START_HOT ? NULL : "only a hot start draws spins"},
        {"temperatures.order", p->temperatures > 1 ? NULL : "there is one temperature only"},
    };
    params_warn_of_idle_keys(job, idle, sizeof idle / sizeof *idle);
}
