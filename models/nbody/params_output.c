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

// Why the key changes nothing; NULL: it does.
typedef const char *idle_reason(const struct job *job, const struct nbody_params *p);

static const char *no_tree(const struct job *job, const struct nbody_params *p)
{
    (void)job;
    return p->physics.method == NBODY_BARNES_HUT ? NULL : "only method.name barnes-hut has a tree";
}

static const char *no_angle(const struct job *job, const struct nbody_params *p)
{
    if (p->physics.method == NBODY_BARNES_HUT && p->physics.tree.opening == NBODY_OPENING_DISTANCE)
        return "with opening distance no angle counts";
    return no_tree(job, p);
}

static const char *no_distance(const struct job *job, const struct nbody_params *p)
{
    if (p->physics.method == NBODY_BARNES_HUT && p->physics.tree.opening != NBODY_OPENING_DISTANCE)
        return "only opening distance has one";
    return no_tree(job, p);
}

static const char *no_trajectory(const struct job *job, const struct nbody_params *p)
{
    (void)job;
    return p->trajectory_every > 0 ? NULL : "no trajectory is written without output.fields.every";
}

// Accelerations are in final.nc too.
static const char *no_variables(const struct job *job, const struct nbody_params *p)
{
    return p->has_accelerations && p->has_final_state ? NULL : no_trajectory(job, p);
}

static const char *sums_are_direct(const struct job *job, const struct nbody_params *p)
{
    return p->has_direct_potential && no_tree(job, p) ? "all pairs are summed anyway" : NULL;
}

static const char *nothing_is_checked(const struct job *job, const struct nbody_params *p)
{
    (void)job;
    return p->check_steps == 0 ? "no steps are checked without check.reference_steps" : NULL;
}

static const char *units_are_bare(const struct job *job, const struct nbody_params *p)
{
    (void)job;
    return p->units.is_si ? NULL : "with units nbody numbers have none";
}

static const char *bodies_rest(const struct job *job, const struct nbody_params *p)
{
    (void)p;
    return job_boolean(job, "particles.file.at_rest") ? "particles.file.at_rest is true" : NULL;
}

static const char *velocities_have_no_units(const struct job *job, const struct nbody_params *p)
{
    return bodies_rest(job, p) ? bodies_rest(job, p) : units_are_bare(job, p);
}

static const char *masses_have_no_units(const struct job *job, const struct nbody_params *p)
{
    return job_has(job, "particles.file.body_mass") ? "particles.file.body_mass is given"
                                                    : units_are_bare(job, p);
}

void nbody_params_warn_of_idle_keys(const struct job *job, const struct nbody_params *p)
{
    static const struct {
        const char *key;
        idle_reason *reason;
    } idle[] = {
        {"method.theta", no_angle},
        {"method.opening", no_tree},
        {"method.distance", no_distance},
        {"method.multipole", no_tree},
        {"output.fields.variables", no_variables},
        {"output.fields.stride", no_trajectory},
        {"output.diagnostics.direct_potential", sums_are_direct},
        {"check.tolerance", nothing_is_checked},
        {"particles.file.velocity", bodies_rest},
        {"particles.file.units.position", units_are_bare},
        {"particles.file.units.velocity", velocities_have_no_units},
        {"particles.file.units.mass", masses_have_no_units},
        {"particles.file.override", units_are_bare},
    };
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++) {
        const char *reason = job_has(job, idle[k].key) ? idle[k].reason(job, p) : NULL;
        if (reason)
            job_warn(job, idle[k].key, "has no effect: %s", reason);
    }
}
