// Job → checked parameters of a gas run: see params.h.
#include "models/gas/params_private.h"
#include "models/limits.h"

#include "models/gas/initial.h"
#include "models/params.h"

#include <string.h>

static enum status read_whole(const struct job *job, struct gas_params *p)
{
    const struct backend *backend;
    p->precision = params_precision(job);
    CHECK(params_backend(job, &gas_backends, &backend, &p->device));
    p->backend = (const struct gas_backend *)backend; // whose first member it is
    return STATUS_OK;
}

static enum status read_steps(const struct job *job, struct gas_params *p)
{
    const double step = job_number(job, "time.step");
    p->duration = job_number(job, "time.duration");
    if (step > p->duration * (1 + 1e-12))
        return job_fail(job, "time.step", "is longer than the run: %.6g of a duration of %.6g", step,
                        p->duration);
    p->physics.step = step;
    return limits_count_steps(job, p->duration, step, "", &p->steps);
}

static enum status read_all(const struct job *job, struct gas_params *p)
{
    CHECK(read_whole(job, p));
    CHECK(gas_initial_create(job, &p->initial, &p->count));
    p->has_masses = gas_initial_masses(p->initial, &p->mass);
    CHECK(gas_params_read_physics(job, p));
    CHECK(gas_params_read_box(job, p));
    CHECK(read_steps(job, p));
    CHECK(gas_params_check(job, p));
    CHECK(gas_params_read_method(job, p));
    CHECK(gas_params_check_method(job, p));
    CHECK(gas_params_read_outputs(job, p));
    return gas_initial_fit(p->initial, &p->physics);
}

enum status gas_params_read(const struct job *job, struct gas_params *p)
{
    memset(p, 0, sizeof *p);
    CHECK(read_all(job, p));
    gas_params_warn_of_idle_keys(job, p);
    return STATUS_OK;
}

void gas_params_free(struct gas_params *p)
{
    gas_initial_destroy(p->initial);
    p->initial = NULL;
}
