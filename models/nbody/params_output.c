// The blocks `output` and `check` of an N-body job, and the keys of a job that have no effect.
#include "models/nbody/params_private.h"
#include "models/params.h"

#include "core/log.h"

#include <string.h>

static void warn_of_short(const struct job *job, const struct nbody_params *p, const char *key, double every)
{
    if (every > 0 && every < p->step * (1 - 1e-12))
        job_warn(job, key, "%g is shorter than the time step: there is a record every step, %g",
                 every * p->units.time, p->step * p->units.time);
}

enum status nbody_params_read_outputs(const struct job *job, struct nbody_params *p)
{
    const double time = p->units.time;
    p->trajectory_every =
        job_has(job, "output.fields.every") ? job_reduced(job, "output.fields.every") / time : 0;
    p->trajectory_stride = (size_t)job_integer(job, "output.fields.stride");
    for (size_t k = 0; k < job_list_length(job, "output.fields.variables"); k++) {
        const char *variable = job_list_string(job, "output.fields.variables", k);
        p->has_velocities |= strcmp(variable, "velocity") == 0;
        p->has_accelerations |= strcmp(variable, "acceleration") == 0;
    }
    if (p->trajectory_every > 0 && p->trajectory_stride >= p->count)
        return job_fail(job, "output.fields.stride", "of %zu bodies only the first is left", p->count);
    p->diagnostics_every = job_has(job, "output.diagnostics.every")
                               ? job_reduced(job, "output.diagnostics.every") / time
                           : p->trajectory_every > 0 ? p->trajectory_every
                                                     : p->duration / 100;
    p->has_direct_potential = job_boolean(job, "output.diagnostics.direct_potential");
    p->has_final_state = job_boolean(job, "output.final");
    p->trajectory_element =
        strcmp(job_string(job, "output.precision"), "double") == 0 ? ELEMENT_F64 : ELEMENT_F32;
    p->check_steps = params_check_steps(job);
    p->check_tolerance = job_has(job, "check.tolerance") ? job_number(job, "check.tolerance")
                         : p->precision == ELEMENT_F32   ? 1e-5
                                                         : 1e-11;
    warn_of_short(job, p, "output.fields.every", p->trajectory_every);
    if (job_has(job, "output.diagnostics.every"))
        warn_of_short(job, p, "output.diagnostics.every", p->diagnostics_every);
    return STATUS_OK;
}

// ---- keys without effect

void nbody_params_warn_of_idle_keys(const struct job *job, const struct nbody_params *p)
{
    const bool is_by_distance = p->physics.tree.opening == NBODY_OPENING_DISTANCE;
    const bool is_at_rest = job_boolean(job, "particles.file.at_rest");
    const char *const no_tree =
        p->physics.method == NBODY_BARNES_HUT ? NULL : "only method.name barnes-hut has a tree";
    const char *const no_trajectory =
        p->trajectory_every > 0 ? NULL : "no trajectory is written without output.fields.every";
    const char *const no_units = p->units.is_si ? NULL : "with units nbody numbers have none";
    const char *const no_velocities = is_at_rest ? "particles.file.at_rest is true" : NULL;
    const struct params_idle_key idle[] = {
        {"method.theta", !no_tree && is_by_distance ? "with opening distance no angle counts" : no_tree},
        {"method.opening", no_tree},
        {"method.distance", !no_tree && !is_by_distance ? "only opening distance has one" : no_tree},
        {"method.multipole", no_tree},
        // Accelerations are in final.nc too.
        {"output.fields.variables", p->has_accelerations && p->has_final_state ? NULL : no_trajectory},
        {"output.fields.stride", no_trajectory},
        {"output.diagnostics.direct_potential",
         p->has_direct_potential && no_tree ? "all pairs are summed anyway" : NULL},
        {"check.tolerance", p->check_steps > 0 ? NULL : "no steps are checked without check.reference_steps"},
        {"particles.file.velocity", no_velocities},
        {"particles.file.units.position", no_units},
        {"particles.file.units.velocity", no_velocities ? no_velocities : no_units},
        {"particles.file.units.mass",
         job_has(job, "particles.file.body_mass") ? "particles.file.body_mass is given" : no_units},
        {"particles.file.override", no_units},
    };
    params_warn_of_idle_keys(job, idle, sizeof idle / sizeof *idle);
}
