// The blocks `output` and `check` of a gas job.
#include "models/gas/params_private.h"
#include "models/params.h"

#include <math.h>
#include <string.h>

static void warn_of_short(const struct job *job, const struct gas_params *p, const char *key)
{
    const double every = job_has(job, key) ? job_number(job, key) : INFINITY;
    if (every < p->physics.step * (1 - 1e-12))
        job_warn(job, key, "%g is shorter than the time step: there is a record every step, %g", every,
                 p->physics.step);
}

static enum status read_structure(const struct job *job, struct gas_params *p)
{
    struct gas_structure *structure = &p->structure;
    const double *box = p->physics.box;
    const double half = fmin(box[GAS_X], box[GAS_Y]) / 2;
    const double spacing = sqrt(box[GAS_X] * box[GAS_Y] / (double)p->count);
    if (!job_has(job, "output.structure"))
        return STATUS_OK;
    structure->every = job_number(job, "output.structure.every");
    structure->from = job_number(job, "output.structure.from");
    structure->bins = (int)job_integer(job, "output.structure.bins");
    structure->speed_bins = (int)job_integer(job, "output.structure.speed_bins");
    structure->radius = job_has(job, "output.structure.radius") ? job_number(job, "output.structure.radius")
                                                                : fmin(half, 5 * spacing);
    structure->cluster_distance = job_has(job, "output.structure.cluster_distance")
                                      ? job_number(job, "output.structure.cluster_distance")
                                      : 1.5 * gas_core(&p->physics);
    if (structure->from > p->duration)
        return job_fail(job, "output.structure.from", "%g comes after the end of the run, %g",
                        structure->from, p->duration);
    if (structure->radius > half)
        return job_fail(job, "output.structure.radius",
                        "%g is more than half the shorter side of the box, %g", structure->radius, half);
    if (structure->cluster_distance == 0)
        return job_fail(job, "output.structure.cluster_distance",
                        "is missing: this potential has no core that defines which particles are near");
    if (structure->cluster_distance > half)
        return job_fail(job, "output.structure.cluster_distance",
                        "%g is more than half the shorter side of the box, %g", structure->cluster_distance,
                        half);
    return STATUS_OK;
}

// In direct summation in single precision positions are rounded about the box's middle: the error of the
// forces grows with the box, in units of the length over which forces change.
static double usual_tolerance(const struct gas_params *p)
{
    static const double in_double = 1e-11, in_single = 1e-5;
    const double *box = p->physics.box, core = gas_core(&p->physics);
    const double scale = core > 0 ? core : sqrt(box[GAS_X] * box[GAS_Y] / (double)p->count);
    if (p->precision == ELEMENT_F64)
        return in_double;
    return p->physics.method == GAS_ALL_PAIRS
               ? in_single * fmax(1, fmax(box[GAS_X], box[GAS_Y]) / (5 * scale))
               : in_single;
}

enum status gas_params_read_outputs(const struct job *job, struct gas_params *p)
{
    p->trajectory_every = job_has(job, "output.fields.every") ? job_number(job, "output.fields.every") : 0;
    p->trajectory_stride = (size_t)job_integer(job, "output.fields.stride");
    for (size_t k = 0; k < job_list_length(job, "output.fields.variables"); k++)
        p->has_velocities |= strcmp(job_list_string(job, "output.fields.variables", k), "velocity") == 0;
    if (p->trajectory_every > 0 && p->trajectory_stride >= p->count)
        return job_fail(job, "output.fields.stride", "of %zu particles only the first is left", p->count);
    p->diagnostics_every = job_has(job, "output.diagnostics.every")
                               ? job_number(job, "output.diagnostics.every")
                           : p->trajectory_every > 0 ? p->trajectory_every
                                                     : p->duration / 100;
    p->has_final_state = job_boolean(job, "output.final");
    p->trajectory_element =
        strcmp(job_string(job, "output.precision"), "double") == 0 ? ELEMENT_F64 : ELEMENT_F32;
    p->check_steps = params_check_steps(job);
    p->check_tolerance =
        job_has(job, "check.tolerance") ? job_number(job, "check.tolerance") : usual_tolerance(p);
    warn_of_short(job, p, "output.fields.every");
    warn_of_short(job, p, "output.diagnostics.every");
    warn_of_short(job, p, "output.structure.every");
    return read_structure(job, p);
}
