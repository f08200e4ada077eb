// See params.h.
#include "models/particles/params.h"

#include "models/params.h"

#include <string.h>

static double interval(const struct job *job, const struct particles_times *times, const char *key,
                       double otherwise)
{
    return job_has(job, key) ? times->number(job, key) / times->unit : otherwise;
}

enum status particles_params_read(const struct job *job, const struct particles_times *times,
                                  const char *many, size_t count, struct particles_params *p)
{
    *p = (struct particles_params){.trajectory_every = interval(job, times, "output.fields.every", 0),
                                   .trajectory_stride = (size_t)job_integer(job, "output.fields.stride"),
                                   .has_final_state = job_boolean(job, "output.final"),
                                   .trajectory_element = ELEMENT_F32,
                                   .check_steps = params_check_steps(job)};
    for (size_t k = 0; k < job_list_length(job, "output.fields.variables"); k++) {
        const char *variable = job_list_string(job, "output.fields.variables", k);
        p->has_velocities |= strcmp(variable, "velocity") == 0;
        p->has_accelerations |= strcmp(variable, "acceleration") == 0;
    }
    if (p->trajectory_every > 0 && p->trajectory_stride >= count)
        return job_fail(job, "output.fields.stride", "of %zu %s only the first is left", count, many);
    p->diagnostics_every = interval(job, times, "output.diagnostics.every",
                                    p->trajectory_every > 0 ? p->trajectory_every : times->duration / 100);
    if (strcmp(job_string(job, "output.precision"), "double") == 0)
        p->trajectory_element = ELEMENT_F64;
    particles_params_warn_of_short(job, times, "output.fields.every");
    particles_params_warn_of_short(job, times, "output.diagnostics.every");
    return STATUS_OK;
}

void particles_params_warn_of_short(const struct job *job, const struct particles_times *times,
                                    const char *key)
{
    const double every = interval(job, times, key, times->step);
    if (every < times->step * (1 - 1e-12))
        job_warn(job, key, "%g is shorter than the time step: there is a record every step, %g",
                 every * times->unit, times->step * times->unit);
}
