// The blocks `output` and `check` of an N-body job, and the keys of a job that have no effect.
#include "models/nbody/params_private.h"
#include "models/params.h"

#include <string.h>

enum status nbody_params_read_outputs(const struct job *job, struct nbody_params *p)
{
    const struct particles_times times = {job_reduced, p->units.time, p->duration, p->step};
    p->has_direct_potential = job_boolean(job, "output.diagnostics.direct_potential");
    p->check_tolerance = job_has(job, "check.tolerance") ? job_number(job, "check.tolerance")
                         : p->precision == ELEMENT_F32   ? 1e-5
                                                         : 1e-11;
    return particles_params_read(job, &times, "bodies", p->count, &p->outputs);
}

// ---- keys without effect

void nbody_params_warn_of_idle_keys(const struct job *job, const struct nbody_params *p)
{
    const bool is_by_distance = p->physics.tree.opening == NBODY_OPENING_DISTANCE;
    const bool is_at_rest = job_boolean(job, "particles.file.at_rest");
    const char *const no_tree =
        p->physics.method == NBODY_BARNES_HUT ? NULL : "only method.name barnes-hut has a tree";
    const char *const no_trajectory =
        p->outputs.trajectory_every > 0 ? NULL : "no trajectory is written without output.fields.every";
    const char *const no_units = p->units.is_si ? NULL : "with units nbody numbers have no units";
    const char *const no_velocities = is_at_rest ? "particles.file.at_rest is true" : NULL;
    const struct params_idle_key idle[] = {
        {"method.theta", !no_tree && is_by_distance ? "with opening distance no angle counts" : no_tree},
        {"method.opening", no_tree},
        {"method.distance", !no_tree && !is_by_distance ? "only opening distance has one" : no_tree},
        {"method.multipole", no_tree},
        // Accelerations are in final.nc too.
        {"output.fields.variables",
         p->outputs.has_accelerations && p->outputs.has_final_state ? NULL : no_trajectory},
        {"output.fields.stride", no_trajectory},
        {"output.diagnostics.direct_potential",
         p->has_direct_potential && no_tree ? "all pairs are summed anyway" : NULL},
        {"check.tolerance",
         p->outputs.check_steps > 0 ? NULL : "no steps are checked without check.reference_steps"},
        {"particles.file.velocity", no_velocities},
        {"particles.file.units.position", no_units},
        {"particles.file.units.velocity", no_velocities ? no_velocities : no_units},
        {"particles.file.units.mass",
         job_has(job, "particles.file.body_mass") ? "particles.file.body_mass is given" : no_units},
        {"particles.file.override", no_units},
    };
    params_warn_of_idle_keys(job, idle, sizeof idle / sizeof *idle);
}
